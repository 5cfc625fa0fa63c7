/* Two triangles: in one plane, or through each other. See coincide.h. */
#include "check/coincide.h"

#include <pliant/triangles.h>

#include <math.h>
#include <string.h>

static void normal_of(const float *t, double normal[3])
{
    double e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = (double)t[3 + k] - t[k];
        f[k] = (double)t[6 + k] - t[k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
}

/* ---- In one plane ------------------------------------------------------------------------------
 */

enum { MAX_CORNERS = 9 }; /* of a triangle that is cut by three lines, with room */

typedef struct Polygon {
    int count;
    double points[MAX_CORNERS][2];
} Polygon;

static double side_of(const double a[2], const double b[2], const double p[2])
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

/* What is on the left of a line (Sutherland and Hodgman, 1974). */
static void clip(Polygon *polygon, const double a[2], const double b[2])
{
    Polygon left = {0};
    for (int i = 0; i < polygon->count; i++) {
        const double *p = polygon->points[i], *q = polygon->points[(i + 1) % polygon->count];
        const double here = side_of(a, b, p), next = side_of(a, b, q);
        if (here >= 0 && left.count < MAX_CORNERS)
            memcpy(left.points[left.count++], p, sizeof left.points[0]);
        if ((here < 0) != (next < 0) && left.count < MAX_CORNERS) {
            const double t = here / (here - next);
            left.points[left.count][0] = p[0] + t * (q[0] - p[0]);
            left.points[left.count++][1] = p[1] + t * (q[1] - p[1]);
        }
    }
    *polygon = left;
}

static double area_of(const Polygon *polygon)
{
    double area = 0;
    for (int i = 2; i < polygon->count; i++)
        area += side_of(polygon->points[0], polygon->points[i - 1], polygon->points[i]) / 2;
    return area;
}

/* Counter-clockwise seen along the axis that the normal is nearest to. */
static Polygon project(const float *t, const double normal[3])
{
    Polygon polygon = {.count = 3};
    int axis = 0;
    for (int k = 1; k < 3; k++)
        axis = fabs(normal[k]) > fabs(normal[axis]) ? k : axis;
    const int u = (axis + (normal[axis] < 0 ? 2 : 1)) % 3, v = 3 - axis - u;
    for (int i = 0; i < 3; i++) {
        polygon.points[i][0] = t[3 * i + u];
        polygon.points[i][1] = t[3 * i + v];
    }
    return polygon;
}

bool triangles_coincide(const float *a, const float *b)
{
    double m[3], n[3];
    normal_of(a, m);
    normal_of(b, n);
    if (!(m[0] * n[0] + m[1] * n[1] + m[2] * n[2] > 0))
        return false;
    for (int i = 0; i < 3; i++)
        if (pliant_orient3d(a, a + 3, a + 6, b + 3 * i) != 0)
            return false;
    Polygon common = project(a, m);
    const Polygon other = project(b, m);
    const double first = area_of(&common), second = area_of(&other);
    for (int i = 0; i < 3; i++)
        clip(&common, other.points[i], other.points[(i + 1) % 3]);
    return area_of(&common) > 1e-6 * (first < second ? first : second);
}

/* ---- Through each other ------------------------------------------------------------------------
 */

static bool edge_goes_through(const float *p, const float *q, const float *t)
{
    const int low = pliant_orient3d(t, t + 3, t + 6, p), high = pliant_orient3d(t, t + 3, t + 6, q);
    if (low * high >= 0)
        return false;
    const int first = pliant_orient3d(p, q, t, t + 3);
    return first != 0 && pliant_orient3d(p, q, t + 3, t + 6) == first &&
           pliant_orient3d(p, q, t + 6, t) == first;
}

bool triangle_goes_through(const float *a, const float *b)
{
    for (int i = 0; i < 9; i += 3)
        if (edge_goes_through(a + i, a + (i + 3) % 9, b) ||
            edge_goes_through(b + i, b + (i + 3) % 9, a))
            return true;
    return false;
}
