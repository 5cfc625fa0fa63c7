/* The oracle of volumes: see solids.h. Tetrahedra are cut by the faces of others into smaller ones,
 * so that all there is to be right is how a plane cuts a tetrahedron. */
#include "solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Point {
    double x[3];
} Point;

/* Corners such that the volume is positive; the fourth is the one that all have in common. */
typedef struct Tetrahedron {
    Point corners[4];
    double planes[4][4]; /* through three corners each, positive where the other one is */
    double low[3], high[3];
    double sign;
} Tetrahedron;

static Point minus(Point p, Point q)
{
    return (Point){{p.x[0] - q.x[0], p.x[1] - q.x[1], p.x[2] - q.x[2]}};
}

static Point cross(Point p, Point q)
{
    return (Point){{p.x[1] * q.x[2] - p.x[2] * q.x[1], p.x[2] * q.x[0] - p.x[0] * q.x[2],
                    p.x[0] * q.x[1] - p.x[1] * q.x[0]}};
}

static double dot(Point p, Point q)
{
    return p.x[0] * q.x[0] + p.x[1] * q.x[1] + p.x[2] * q.x[2];
}

static double six_volumes(const Point c[4])
{
    return dot(cross(minus(c[0], c[3]), minus(c[1], c[3])), minus(c[2], c[3]));
}

static Point vertex(const SceneMesh *mesh, int32_t corner)
{
    const float *v = mesh->vertices + 3 * (size_t)mesh->triangles[corner];
    return (Point){{(double)v[0], (double)v[1], (double)v[2]}};
}

static Point middle(const SceneMesh *mesh)
{
    Point sum = {{0, 0, 0}};
    for (int32_t i = 0; i < 3 * mesh->vertex_count; i++)
        sum.x[i % 3] += (double)mesh->vertices[i];
    for (int k = 0; k < 3; k++)
        sum.x[k] /= mesh->vertex_count;
    return sum;
}

double solid_volume(const SceneMesh *mesh)
{
    long double sum = 0;
    const Point top = middle(mesh);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const Point corners[4] = {vertex(mesh, 3 * t), vertex(mesh, 3 * t + 1),
                                  vertex(mesh, 3 * t + 2), top};
        sum += (long double)six_volumes(corners);
    }
    return (double)(sum / 6);
}

int solid_winding(const SceneMesh *mesh, const float point[3])
{
    const Point p = {{(double)point[0], (double)point[1], (double)point[2]}};
    double sum = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        Point c[3];
        double length[3];
        for (int i = 0; i < 3; i++) {
            c[i] = minus(vertex(mesh, 3 * t + i), p);
            length[i] = sqrt(dot(c[i], c[i]));
        }
        sum += atan2(dot(cross(c[0], c[1]), c[2]),
                     length[0] * length[1] * length[2] + dot(c[0], c[1]) * length[2] +
                         dot(c[1], c[2]) * length[0] + dot(c[2], c[0]) * length[1]);
    }
    return (int)lround(sum / 6.283185307179586);
}

/* ---- What two tetrahedra have in common --------------------------------------------------------
 */

static void set_planes(Tetrahedron *t)
{
    for (int i = 0; i < 4; i++) {
        const Point *p = &t->corners[(i + 1) % 4], *q = &t->corners[(i + 2) % 4],
                    *r = &t->corners[(i + 3) % 4];
        Point normal = cross(minus(*q, *p), minus(*r, *p));
        if (dot(normal, minus(t->corners[i], *p)) < 0)
            normal = (Point){{-normal.x[0], -normal.x[1], -normal.x[2]}};
        memcpy(t->planes[i], normal.x, sizeof normal.x);
        t->planes[i][3] = -dot(normal, *p);
    }
}

/* None if it has no volume. */
static bool make_tetrahedron(const SceneMesh *mesh, int32_t triangle, Point top, Tetrahedron *t)
{
    for (int c = 0; c < 3; c++)
        t->corners[c] = vertex(mesh, 3 * triangle + c);
    t->corners[3] = top;
    const double volume = six_volumes(t->corners);
    t->sign = volume < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        t->low[k] = t->high[k] = top.x[k];
        for (int c = 0; c < 3; c++) {
            t->low[k] = fmin(t->low[k], t->corners[c].x[k]);
            t->high[k] = fmax(t->high[k], t->corners[c].x[k]);
        }
    }
    set_planes(t);
    return volume != 0;
}

static double height(const double plane[4], Point p)
{
    return plane[0] * p.x[0] + plane[1] * p.x[1] + plane[2] * p.x[2] + plane[3];
}

static Point between(Point p, double p_height, Point q, double q_height)
{
    const double share = p_height / (p_height - q_height);
    Point r;
    for (int k = 0; k < 3; k++)
        r.x[k] = p.x[k] + share * (q.x[k] - p.x[k]);
    return r;
}

static double clipped(const Point corners[4], const double (*planes)[4], int plane_count);

/* A body of two triangles, of which each corner of one belongs to that of the other. */
static double clipped_prism(const Point a[3], const Point b[3], const double (*planes)[4],
                            int plane_count)
{
    const Point pieces[3][4] = {
        {a[0], a[1], a[2], b[0]}, {a[1], a[2], b[0], b[1]}, {a[2], b[0], b[1], b[2]}};
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += clipped(pieces[i], planes, plane_count);
    return sum;
}

/* Six times the volume of the tetrahedron where all planes are positive. */
static double clipped(const Point corners[4], const double (*planes)[4], int plane_count)
{
    Point p[4];
    double h[4];
    int count = 0, last = 4; /* those that stay come first */
    if (plane_count == 0)
        return fabs(six_volumes(corners));
    for (int i = 0; i < 4; i++) {
        const double here = height(planes[0], corners[i]);
        const int index = here >= 0 ? count++ : --last;
        p[index] = corners[i];
        h[index] = here;
    }
    const double(*rest)[4] = planes + 1;
    const int rest_count = plane_count - 1;
    if (count == 0)
        return 0;
    if (count == 4)
        return clipped(corners, rest, rest_count);
    Point cut[2][4]; /* of the first two, to all that are gone */
    for (int i = 0; i < 2 && i < count; i++)
        for (int j = count; j < 4; j++)
            cut[i][j] = between(p[i], h[i], p[j], h[j]);
    if (count == 1)
        return clipped((const Point[4]){p[0], cut[0][1], cut[0][2], cut[0][3]}, rest, rest_count);
    if (count == 2)
        return clipped_prism((const Point[3]){p[0], cut[0][2], cut[0][3]},
                             (const Point[3]){p[1], cut[1][2], cut[1][3]}, rest, rest_count);
    return clipped_prism(p, (const Point[3]){cut[0][3], cut[1][3], between(p[2], h[2], p[3], h[3])},
                         rest, rest_count);
}

/* Does a plane of one have all of the other behind it? */
static bool is_apart(const Tetrahedron *a, const Tetrahedron *b)
{
    for (int i = 0; i < 4; i++) {
        bool is_behind = true;
        for (int c = 0; c < 4; c++)
            is_behind &= height(a->planes[i], b->corners[c]) <= 0;
        if (is_behind)
            return true;
    }
    return false;
}

static bool is_near(const Tetrahedron *a, const Tetrahedron *b)
{
    for (int k = 0; k < 3; k++)
        if (a->high[k] <= b->low[k] || b->high[k] <= a->low[k])
            return false;
    return true;
}

static Tetrahedron *tetrahedra(const SceneMesh *mesh, int32_t *count)
{
    Tetrahedron *list = scene_allocate((size_t)mesh->triangle_count, sizeof *list);
    const Point top = middle(mesh);
    *count = 0;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        *count += make_tetrahedron(mesh, t, top, &list[*count]);
    return list;
}

double solid_common_volume(const SceneMesh *a, const SceneMesh *b)
{
    int32_t a_count, b_count;
    Tetrahedron *a_list = tetrahedra(a, &a_count), *b_list = tetrahedra(b, &b_count);
    long double sum = 0;
    for (int32_t i = 0; i < a_count; i++)
        for (int32_t j = 0; j < b_count; j++) {
            const Tetrahedron *s = &a_list[i], *t = &b_list[j];
            if (is_near(s, t) && !is_apart(s, t) && !is_apart(t, s))
                sum += (long double)(s->sign * t->sign *
                                     clipped(s->corners, (const double(*)[4])t->planes, 4));
        }
    free(a_list);
    free(b_list);
    return (double)(sum / 6);
}
