/* The common part of two triangles: see common.h.
 *
 * Which faces have one point of their insides in common?
 * 1. A corner and any face: if the corner is inside of it.
 * 2. Two edges: if they cross, not along one line.
 * 3. An edge and a whole triangle: if the ends are strictly on two sides of its plane, and the line
 *    of the edge passes all three edges on the same side.
 * 4. Two whole triangles: never.
 * Each is tried, and found once. Most of the tries end at a sign that is known already.
 */
#include "geom/common.h"
#include "geom/crossing.h"
#include "geom/orient.h"
#include "geom/triangle.h"

#include <string.h>

/* A triangle as a polygon of its extreme corners: three, two or one. */
typedef struct Polygon {
    const float *t;
    int count, corners[3]; /* their numbers */
    int axis;              /* along which the triangle keeps an area; -1 if it has none */
    int turn;              /* 1 if the corners turn to the left in the projection, or -1 */
    int heights[3];        /* of the corners over the plane of the other triangle: signs */
} Polygon;

/* The two polygons, and the names of the points. */
typedef struct Problem {
    Polygon a, b;
    int8_t passes[3][3]; /* side on which edge i of a passes edge j of b, or UNKNOWN */
    int count;
    uint8_t names[PLI_COMMON_POINTS][2];
    PliCounts *counts;
} Problem;

enum { UNKNOWN = 2 };

static const float *corner(const Polygon *polygon, int i)
{
    return polygon->t + 3 * polygon->corners[i];
}

/* The end of edge i. Edge i begins at corner i; a segment has edge 0 only. */
static int next(int i)
{
    return i == 2 ? 0 : i + 1;
}

static int edge_count(const Polygon *polygon)
{
    return polygon->count == 3 ? 3 : polygon->count - 1;
}

static unsigned corner_bit(const Polygon *polygon, int i)
{
    return 1U << polygon->corners[i];
}

static unsigned edge_bits(const Polygon *polygon, int i)
{
    return corner_bit(polygon, i) | corner_bit(polygon, next(i));
}

static int first_axis(const Polygon *polygon)
{
    return next(polygon->axis);
}

static int second_axis(const Polygon *polygon)
{
    return next(next(polygon->axis));
}

/* ---- Polygons ------------------------------------------------------------------------------- */

static Polygon polygon_of(const float *t, PliCounts *counts)
{
    Polygon polygon = {t, 3, {0, 1, 2}, pli_triangle_axis(t, counts), 0, {0}};
    if (polygon.axis >= 0) {
        polygon.turn =
            pli_orient2d(t, t + 3, t + 6, first_axis(&polygon), second_axis(&polygon), counts);
        return polygon;
    }
    pli_segment_ends(t, polygon.corners);
    polygon.count = polygon.corners[0] == polygon.corners[1] ? 1 : 2;
    return polygon;
}

/* If the other has no area, all heights over it are zero. */
static void find_heights(Polygon *polygon, const Polygon *other, PliCounts *counts)
{
    for (int i = 0; i < polygon->count && other->axis >= 0; i++)
        polygon->heights[i] =
            -pli_orient3d(other->t, other->t + 3, other->t + 6, corner(polygon, i), counts);
}

static bool are_all_on_one_side(const Polygon *polygon)
{
    const int height = polygon->heights[0];
    for (int i = 1; i < polygon->count; i++)
        if (polygon->heights[i] != height)
            return false;
    return height != 0;
}

static int pass(Problem *problem, int i, int j)
{
    int8_t *known = &problem->passes[i][j];
    if (*known == UNKNOWN)
        *known = (int8_t)pli_orient3d(corner(&problem->a, i), corner(&problem->a, next(i)),
                                      corner(&problem->b, j), corner(&problem->b, next(j)),
                                      problem->counts);
    return *known;
}

static void add_point(Problem *problem, unsigned a_corners, unsigned b_corners)
{
    uint8_t *name = problem->names[problem->count++];
    name[0] = (uint8_t)a_corners;
    name[1] = (uint8_t)b_corners;
}

/* ---- A corner and any face ------------------------------------------------------------------ */

/* Is x strictly between p and q, on their line? */
static bool is_between(const float *x, const float *p, const float *q, PliCounts *counts)
{
    for (int k = 0; k < 3; k++)
        if (p[k] < q[k]   ? !(p[k] < x[k] && x[k] < q[k])
            : p[k] > q[k] ? !(q[k] < x[k] && x[k] < p[k])
                          : x[k] != p[k])
            return false;
    for (int k = 0; k < 3; k++)
        if (pli_orient2d(p, q, x, next(k), next(next(k)), counts) != 0)
            return false;
    return true;
}

/* Bits of the face of the polygon that x is inside of, or 0. If the polygon has an area, x must be
 * in its plane. */
static unsigned face_of(const Polygon *polygon, const float *x, PliCounts *counts)
{
    unsigned bits = 0;
    for (int i = 0; i < polygon->count; i++)
        if (pli_is_same_point(x, corner(polygon, i)))
            return corner_bit(polygon, i);
    if (polygon->count < 3)
        return polygon->count == 2 && is_between(x, corner(polygon, 0), corner(polygon, 1), counts)
                   ? edge_bits(polygon, 0)
                   : 0;
    for (int i = 0; i < 3; i++) {
        const int side =
            polygon->turn * pli_orient2d(corner(polygon, i), corner(polygon, next(i)), x,
                                         first_axis(polygon), second_axis(polygon), counts);
        if (side < 0)
            return 0;
        bits |= side > 0 ? 1U << next(next(i)) : 0;
    }
    return bits;
}

static void find_corners(Problem *problem)
{
    const Polygon *a = &problem->a, *b = &problem->b;
    for (int i = 0; i < a->count; i++) {
        const unsigned bits = a->heights[i] == 0 ? face_of(b, corner(a, i), problem->counts) : 0;
        if (bits)
            add_point(problem, corner_bit(a, i), bits);
    }
    for (int j = 0; j < b->count; j++) {
        const unsigned bits = b->heights[j] == 0 ? face_of(a, corner(b, j), problem->counts) : 0;
        if (bits & (bits - 1)) /* a corner was found from the other side */
            add_point(problem, bits, corner_bit(b, j));
    }
}

/* ---- Two edges ------------------------------------------------------------------------------ */

/* Do edges in one plane cross inside of both? In a projection in which they do, they are not on one
 * line, and so it keeps their plane a plane: then they cross in space. */
static bool cross_in_plane(const float *p, const float *q, const float *r, const float *s,
                           PliCounts *counts)
{
    for (int k = 0; k < 3; k++) {
        const int u = next(k), v = next(u);
        if (pli_orient2d(p, q, r, u, v, counts) * pli_orient2d(p, q, s, u, v, counts) < 0 &&
            pli_orient2d(r, s, p, u, v, counts) * pli_orient2d(r, s, q, u, v, counts) < 0)
            return true;
    }
    return false;
}

/* An edge whose ends are on one side of the other's plane, or of which one is in it, has no inner
 * point there. */
static bool is_edge_apart(const Polygon *polygon, int i)
{
    const int from = polygon->heights[i], to = polygon->heights[next(i)];
    return from * to > 0 || (from == 0) != (to == 0);
}

static void find_edge_pairs(Problem *problem)
{
    const Polygon *a = &problem->a, *b = &problem->b;
    for (int i = 0; i < edge_count(a); i++)
        for (int j = 0; j < edge_count(b); j++)
            if (!is_edge_apart(a, i) && !is_edge_apart(b, j) && pass(problem, i, j) == 0 &&
                cross_in_plane(corner(a, i), corner(a, next(i)), corner(b, j), corner(b, next(j)),
                               problem->counts))
                add_point(problem, edge_bits(a, i), edge_bits(b, j));
}

/* ---- An edge and a whole triangle ----------------------------------------------------------- */

static bool is_across(const Polygon *polygon, int i)
{
    return polygon->heights[i] * polygon->heights[next(i)] < 0;
}

static void find_crossings(Problem *problem)
{
    const Polygon *a = &problem->a, *b = &problem->b;
    for (int i = 0; i < edge_count(a) && b->axis >= 0; i++)
        if (is_across(a, i) && pass(problem, i, 0) != 0 &&
            pass(problem, i, 0) == pass(problem, i, 1) &&
            pass(problem, i, 0) == pass(problem, i, 2))
            add_point(problem, edge_bits(a, i), 7);
    for (int j = 0; j < edge_count(b) && a->axis >= 0; j++)
        if (is_across(b, j) && pass(problem, 0, j) != 0 &&
            pass(problem, 0, j) == pass(problem, 1, j) &&
            pass(problem, 0, j) == pass(problem, 2, j))
            add_point(problem, 7, edge_bits(b, j));
}

/* ---- The order of two ------------------------------------------------------------------------
 *
 * The line of both planes goes along n_a x n_b. It enters a through an edge that goes up through
 * the plane of b: (n_a x n_b) . (n_a x e) = |n_a|^2 (n_b . e), and n_a x e points into a. At a
 * corner in the plane of b, the opposite edge decides, and the corner is the other
 * end; or, if one of its ends is in that plane too, the same holds of the limit. For b the line
 * goes the other way. */

/* 1 if the line enters the polygon at this face, -1 if it leaves, 0 if that is not known. The line
 * goes along n x n', where n' is the other's normal. */
static int entry(const Polygon *polygon, unsigned bits)
{
    const int *h = polygon->heights;
    switch (bits) {
    case 1:
        return h[1] - h[2];
    case 2:
        return h[2] - h[0];
    case 4:
        return h[0] - h[1];
    case 3:
        return h[1] - h[0];
    case 6:
        return h[2] - h[1];
    case 5:
        return h[0] - h[2];
    default:
        return 0;
    }
}

static void swap_names(uint8_t *p, uint8_t *q)
{
    for (int k = 0; k < 2; k++) {
        const uint8_t name = p[k];
        p[k] = q[k];
        q[k] = name;
    }
}

static void order_two(Problem *problem)
{
    uint8_t *p = problem->names[0], *q = problem->names[1];
    int order = entry(&problem->a, p[0]);
    if (order == 0)
        order = -entry(&problem->b, p[1]);
    if (order == 0)
        order = p[0] != q[0] ? q[0] - p[0] : q[1] - p[1];
    if (order < 0)
        swap_names(p, q);
}

/* ---- The order of three and more ---------------------------------------------------------------
 *
 * Triangles in one plane. A side of the common part is a part of an edge of a or of b, and the two
 * ends of it are the only points on that edge. So neighbors are known by their names. */

static bool is_on(const Polygon *polygon, unsigned bits, int edge)
{
    return (bits & ~edge_bits(polygon, edge)) == 0;
}

static bool are_neighbors(const Problem *problem, const uint8_t *p, const uint8_t *q)
{
    for (int i = 0; i < 3; i++)
        if ((is_on(&problem->a, p[0], i) && is_on(&problem->a, q[0], i)) ||
            (is_on(&problem->b, p[1], i) && is_on(&problem->b, q[1], i)))
            return true;
    return false;
}

static int edge_of(unsigned bits)
{
    return bits == 3 ? 0 : bits == 6 ? 1 : 2;
}

static int corner_of(unsigned bits)
{
    return bits == 1 ? 0 : bits == 2 ? 1 : 2;
}

/* Edge i of a crosses an edge of b, inside of both: does it enter b there? */
static bool does_enter(const Problem *problem, int i, unsigned bits)
{
    const Polygon *b = &problem->b;
    const int j = edge_of(bits);
    return b->turn * pli_orient2d(corner(b, j), corner(b, next(j)), corner(&problem->a, i),
                                  first_axis(b), second_axis(b), problem->counts) <
           0;
}

/* Of two points on edge i of a: does p come first? */
static bool is_first(const Problem *problem, int i, const uint8_t *p, const uint8_t *q)
{
    const unsigned from = 1U << i, to = 1U << next(i);
    if (p[0] == from || p[0] == to)
        return p[0] == from;
    if (q[0] == from || q[0] == to)
        return q[0] == to;
    if (p[1] & (p[1] - 1))
        return does_enter(problem, i, p[1]);
    if (q[1] & (q[1] - 1))
        return !does_enter(problem, i, q[1]);
    const float *begin = corner(&problem->a, i), *end = corner(&problem->a, next(i));
    const float *x = corner(&problem->b, corner_of(p[1])),
                *y = corner(&problem->b, corner_of(q[1]));
    return pli_is_before(begin, end) == pli_is_before(x, y);
}

/* Puts two points of one edge of a at the front, in the direction of a. False if there are none:
 * then the common part is b. */
static bool put_edge_first(Problem *problem)
{
    for (int i = 0; i < 3; i++) {
        int found[2], count = 0;
        for (int k = 0; k < problem->count; k++)
            if (is_on(&problem->a, problem->names[k][0], i))
                found[count++] = k;
        if (count < 2)
            continue;
        swap_names(problem->names[0], problem->names[found[0]]);
        swap_names(problem->names[1], problem->names[found[1]]);
        if (!is_first(problem, i, problem->names[0], problem->names[1]))
            swap_names(problem->names[0], problem->names[1]);
        return true;
    }
    return false;
}

/* The common part is b. */
static void order_as_b(Problem *problem)
{
    const Polygon *a = &problem->a, *b = &problem->b;
    for (int j = 0; j < 2; j++)
        for (int k = j + 1; k < 3; k++)
            if (problem->names[k][1] == 1U << j)
                swap_names(problem->names[j], problem->names[k]);
    if (a->turn !=
        pli_orient2d(b->t, b->t + 3, b->t + 6, first_axis(a), second_axis(a), problem->counts))
        swap_names(problem->names[1], problem->names[2]);
}

static void order_around(Problem *problem)
{
    if (!put_edge_first(problem)) {
        order_as_b(problem);
        return;
    }
    for (int i = 2; i < problem->count - 1; i++) {
        int k = i;
        while (k < problem->count - 1 &&
               !are_neighbors(problem, problem->names[i - 1], problem->names[k]))
            k++;
        swap_names(problem->names[i], problem->names[k]);
    }
}

/* ---- Numbers -------------------------------------------------------------------------------- */

/* The points of a face, in lexicographic order, and the weights of all corners of the triangle. */
typedef struct Face {
    int count, corners[3];
    float points[9];
} Face;

static Face face_at(const float *t, unsigned bits)
{
    Face face;
    face.count = pli_sort_corners(t, bits, face.corners);
    for (int k = 0; k < 3; k++) { /* the last one as often as needed */
        const int last = k < face.count ? k : face.count - 1;
        memcpy(face.points + 3 * k, t + 3 * face.corners[last], 3 * sizeof *t);
    }
    return face;
}

static void set_weights(const Face *face, const double weights[3], double corner_weights[3])
{
    memset(corner_weights, 0, 3 * sizeof *corner_weights);
    for (int i = 0; i < 3 && i < face->count; i++)
        corner_weights[face->corners[i]] = weights[i];
}

/* Is the edge p before the edge q? */
static bool is_edge_before(const Face *p, const Face *q)
{
    if (!pli_is_same_point(p->points, q->points))
        return pli_is_before(p->points, q->points);
    return pli_is_before(p->points + 3, q->points + 3);
}

/* A corner or an edge, and another face; of two edges, the former in lexicographic order comes
 * first. A corner is an edge from and to it. */
static void set_numbers(const Face *edge, const Face *face, double edge_weights[3],
                        double face_weights[3], double position[3])
{
    PliCrossing crossing;
    pli_edge_triangle_crossing(edge->points, edge->points + 3, face->points, &crossing);
    const double weights[3] = {1 - crossing.edge_weight, crossing.edge_weight, 0};
    set_weights(edge, weights, edge_weights);
    set_weights(face, crossing.weights, face_weights);
    memcpy(position, crossing.position, sizeof crossing.position);
}

/* A corner of both, which is frequent where bodies coincide. */
static void set_corner(const Face *a, const Face *b, PliCommonPoint *point)
{
    static const double one[3] = {1, 0, 0};
    set_weights(a, one, point->a_weights);
    set_weights(b, one, point->b_weights);
    for (int k = 0; k < 3; k++)
        point->position[k] = a->points[k] + 0.0; /* -0 becomes 0 */
}

static void set_point(const Problem *problem, const uint8_t *name, PliCommonPoint *point)
{
    const Face a = face_at(problem->a.t, name[0]), b = face_at(problem->b.t, name[1]);
    point->a_corners = name[0];
    point->b_corners = name[1];
    if (a.count == 1 && b.count == 1)
        set_corner(&a, &b, point);
    else if (a.count < b.count || (a.count == b.count && !is_edge_before(&b, &a)))
        set_numbers(&a, &b, point->a_weights, point->b_weights, point->position);
    else
        set_numbers(&b, &a, point->b_weights, point->a_weights, point->position);
}

void pli_triangles_common(const float a[9], const float b[9], PliCommon *common, PliCounts *counts)
{
    common->count = 0;
    if (!pli_is_finite(a, 9) || !pli_is_finite(b, 9)) {
        counts->nonfinite++;
        return;
    }
    Problem problem = {.a = polygon_of(a, counts), .b = polygon_of(b, counts), .counts = counts};
    find_heights(&problem.a, &problem.b, counts);
    find_heights(&problem.b, &problem.a, counts);
    if (are_all_on_one_side(&problem.a) || are_all_on_one_side(&problem.b))
        return;
    memset(problem.passes, UNKNOWN, sizeof problem.passes);
    find_corners(&problem);
    find_edge_pairs(&problem);
    find_crossings(&problem);
    if (problem.count == 2)
        order_two(&problem);
    else if (problem.count > 2)
        order_around(&problem);
    common->count = problem.count;
    for (int i = 0; i < problem.count; i++)
        set_point(&problem, problem.names[i], &common->points[i]);
}
