/* How deep two triangles are in each other: see depth.h.
 *
 * Errors, with u = 2^-53 and everything in double from float coordinates: an edge e is off by u
 * |e|, a cross product of two by less than 8 u |e| |f|, and so a normal of length 1 by less than 8
 * u s + 4 u, where s = |e| |f| / |e x f| >= 1. A distance n . (p - a) adds less than 8 u |p - a|.
 * Altogether that is less than 32 u s |p - a|. The spread is (|e|^2 + |f|^2) / 2 |e x f| and one,
 * which is more than s and needs no root. A way that is longer than its bound is certainly not 0;
 * one that is not is decided by exact signs.
 */
#include "check/depth.h"

#include <pliant/triangles.h>

#include <float.h>
#include <math.h>
#include <string.h>

#define UNIT (DBL_EPSILON / 2)

/* Beyond this a normal is hardly known, and the triangle is taken for one without area; below it
 * 8 u s is far below 1, so that one without area is never taken for one that has some. */
#define MAX_SPREAD 0x1p40

/* From one corner to another. */
static void edge_of(const float *corners, int from, int to, double edge[3])
{
    for (int k = 0; k < 3; k++)
        edge[k] = (double)corners[3 * to + k] - corners[3 * from + k];
}

static double square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void depth_triangle(const float *corners, DepthTriangle *triangle)
{
    double edges[3][3];
    memcpy(triangle->corners, corners, sizeof triangle->corners);
    triangle->has_plane = false;
    for (int i = 0; i < 3; i++)
        edge_of(corners, i, (i + 1) % 3, edges[i]);
    const double a = square(edges[0]), b = square(edges[1]), c = square(edges[2]);
    triangle->length = a > b ? a : b;
    triangle->length = c > triangle->length ? c : triangle->length;
}

static void find_plane(DepthTriangle *triangle)
{
    double e[3], f[3];
    if (triangle->has_plane)
        return;
    edge_of(triangle->corners, 0, 1, e);
    edge_of(triangle->corners, 0, 2, f);
    const double n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2],
                         e[0] * f[1] - e[1] * f[0]};
    const double area = square(n), scale = 1 / sqrt(area);
    const double spread = 1 + 0.5 * (square(e) + square(f)) * scale;
    triangle->has_plane = true;
    triangle->spread = area > 0 && spread <= MAX_SPREAD ? spread : 0;
    for (int k = 0; k < 3; k++)
        triangle->normal[k] = n[k] * scale;
}

/* The way of `moved` to one side of the plane; *doubt is how much it may be off. */
static double way_out(const DepthTriangle *plane, const DepthTriangle *moved, double *doubt)
{
    const float *a = plane->corners, *p = moved->corners;
    double up = 0, down = 0, reach = 0;
    for (int c = 0; c < 9; c += 3) {
        const double x = (double)p[c] - a[0], y = (double)p[c + 1] - a[1],
                     z = (double)p[c + 2] - a[2];
        const double height = plane->normal[0] * x + plane->normal[1] * y + plane->normal[2] * z;
        const double far = fabs(x) + fabs(y) + fabs(z);
        up = height > up ? height : up;
        down = -height > down ? -height : down;
        reach = far > reach ? far : reach;
    }
    *doubt = 32 * UNIT * plane->spread * reach;
    return up < down ? up : down;
}

/* Has it corners on both open sides of the plane? */
static bool is_on_both_sides(const DepthTriangle *plane, const DepthTriangle *moved)
{
    const float *a = plane->corners;
    bool is_above = false, is_below = false;
    for (int c = 0; c < 9; c += 3) {
        const int side = pliant_orient3d(a, a + 3, a + 6, moved->corners + c);
        is_above |= side > 0;
        is_below |= side < 0;
    }
    return is_above && is_below;
}

/* The way to one side of one plane, exactly 0 or more than that; infinite if there is no plane. */
static double way_along(DepthTriangle *plane, const DepthTriangle *moved, double least)
{
    double doubt;
    find_plane(plane);
    if (plane->spread == 0)
        return INFINITY;
    const double way = way_out(plane, moved, &doubt);
    if (way > doubt || fmax(way, doubt) <= least)
        return way;
    if (!is_on_both_sides(plane, moved))
        return 0;
    return way > 0 ? way : doubt;
}

/* The shorter way out of a plane is at most half of what a triangle takes along the normal, and so
 * at most half of its longest edge: most pairs are not the deepest for that reason alone. */
double depth_of_pair(DepthTriangle *a, DepthTriangle *b, double least)
{
    if (a->length <= 4 * least * least && b->length <= 4 * least * least)
        return least;
    const double way = way_along(a, b, least);
    if (way <= least)
        return way;
    const double other = way_along(b, a, least);
    const double depth = way < other ? way : other;
    return isfinite(depth) ? depth : 0;
}
