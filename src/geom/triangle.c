/* Triangle against triangle, as closed sets, exactly.
 *
 * The general case follows Guigue and Devillers, "Fast and robust triangle-triangle overlap test
 * using orientation predicates", 2003: it uses signs only. Their test requires triangles with area
 * that are not coplanar. The other cases are decided by signs as well, on these facts:
 *
 * 1. If triangle B has no area, all signs against "its plane" are zero. Conversely, if A has area
 *    and all signs of A against B are zero, then B lies in the plane of A or has no area. So three
 *    zero signs identify the special cases, at no cost to the others.
 * 2. A projection along an axis preserves intersections of points in one plane if it is injective
 *    on that plane. A triangle in the plane that keeps some area in the projection proves it.
 * 3. In the plane, a triangle with area and any other triangle are disjoint if and only if the line
 *    of some edge of either separates them strictly: their difference set is a polygon whose edges
 *    are parallel to those edges.
 * 4. Two segments in space intersect if and only if their four ends are coplanar and their
 *    projections along each of the three axes intersect: one of the axes is such as in 2.
 */
#include "geom/triangle.h"
#include "geom/orient.h"

/* ---- Sides of a plane -------------------------------------------------------------------- */

static const float *corner(const float t[9], int i)
{
    return t + 3 * i;
}

/* The signs of the corners of s against the plane of t, if all three are certain. One error bound
 * serves for all: that of the sum of their permanents. False if one is not certain, or if a
 * coordinate is not finite. */
static inline bool certain_sides(const float t[9], const float s[9], int signs[3])
{
    PliOrientPlane plane = pli_plane(t, t + 3, t + 6);
    double gx = (double)s[0] - t[0], gy = (double)s[1] - t[1], gz = (double)s[2] - t[2];
    double hx = (double)s[3] - t[0], hy = (double)s[4] - t[1], hz = (double)s[5] - t[2];
    double kx = (double)s[6] - t[0], ky = (double)s[7] - t[1], kz = (double)s[8] - t[2];
    double d0 = pli_plane_det(&plane, gx, gy, gz);
    double d1 = pli_plane_det(&plane, hx, hy, hz);
    double d2 = pli_plane_det(&plane, kx, ky, kz);
    double permanent =
        pli_plane_permanent(&plane, (fabs(gx) + fabs(hx)) + fabs(kx),
                            (fabs(gy) + fabs(hy)) + fabs(ky), (fabs(gz) + fabs(hz)) + fabs(kz));
    double bound = PLI_FILTER3 * permanent;
    signs[0] = d0 > 0 ? 1 : -1;
    signs[1] = d1 > 0 ? 1 : -1;
    signs[2] = d2 > 0 ? 1 : -1;
    return fabs(d0) > bound && fabs(d1) > bound && fabs(d2) > bound;
}

/* The signs of the corners of s against the plane of t, exactly. Finite corners only. */
static void exact_sides(const float t[9], const float s[9], int signs[3], PliCounts *counts)
{
    for (int i = 0; i < 3; i++)
        signs[i] = pli_orient3d(t, t + 3, t + 6, corner(s, i), counts);
}

static bool all_on_one_side(const int signs[3])
{
    return signs[0] != 0 && signs[0] == signs[1] && signs[0] == signs[2];
}

static bool all_zero(const int signs[3])
{
    return (signs[0] | signs[1] | signs[2]) == 0;
}

/* ---- The general case: two triangles that cross, or touch, the line of their planes ------ */

/* The apex of a triangle is the corner that is alone on its side of the other's plane. For signs
 * that are neither all zero nor all on one side, in the order --- --0 --+ -0- ... +++: which corner
 * it is, and its side. The side is 1 if the apex is + and the others are - or 0, or if it is 0 and
 * the others are -. It is -1 if that holds with all signs changed. */
static const struct {
    short corner, side;
} apexes[27] = {
    {0, 0},  {2, 1},  {2, 1},  /* ---  --0  --+ */
    {1, 1},  {0, -1}, {2, 1},  /* -0-  -00  -0+ */
    {1, 1},  {0, -1}, {0, -1}, /* -+-  -+0  -++ */
    {0, 1},  {1, -1}, {2, 1},  /* 0--  0-0  0-+ */
    {2, -1}, {0, 0},  {2, 1},  /* 00-  000  00+ */
    {1, 1},  {1, 1},  {0, -1}, /* 0+-  0+0  0++ */
    {0, 1},  {0, 1},  {1, -1}, /* +--  +-0  +-+ */
    {0, 1},  {0, 1},  {1, -1}, /* +0-  +00  +0+ */
    {2, -1}, {2, -1}, {0, 0},  /* ++-  ++0  +++ */
};

/* Each triangle intersects the common line of both planes in an interval, whose ends are on the two
 * edges at its apex. Let both apexes be on the positive side of the other's plane; otherwise two
 * corners are swapped, which turns the triangle over. Then two signs compare the ends of the
 * intervals. An edge at an apex goes from a side >= 0 to a side <= 0 and not along the plane, so
 * its line has one point on the common line. A sign is zero if and only if two such points are
 * equal. */
static bool intervals_overlap(const float a[9], const int a_signs[3], const float b[9],
                              const int b_signs[3], PliCounts *counts)
{
    int a_code = 13 + 9 * a_signs[0] + 3 * a_signs[1] + a_signs[2];
    int b_code = 13 + 9 * b_signs[0] + 3 * b_signs[1] + b_signs[2];
    static const int next[5] = {0, 1, 2, 0, 1};
    int i = apexes[a_code].corner, j = apexes[b_code].corner;
    int a_turn = apexes[b_code].side < 0, b_turn = apexes[a_code].side < 0;
    const float *a0 = corner(a, i), *a1 = corner(a, next[i + 1 + a_turn]);
    const float *b0 = corner(b, j), *b1 = corner(b, next[j + 1 + b_turn]);
    if (pli_orient3d(a0, a1, b0, b1, counts) > 0)
        return false;
    const float *a2 = corner(a, next[i + 2 - a_turn]), *b2 = corner(b, next[j + 2 - b_turn]);
    return pli_orient3d(a0, a2, b2, b0, counts) <= 0;
}

/* ---- Triangles in one plane, and triangles without area ---------------------------------- */

int pli_triangle_axis(const float t[9], PliCounts *counts)
{
    for (int axis = 0; axis < 3; axis++)
        if (pli_orient2d(t, t + 3, t + 6, (axis + 1) % 3, (axis + 2) % 3, counts) != 0)
            return axis;
    return -1;
}

/* Does the line of an edge of t separate s from t strictly, in coordinates u and v? If t has no
 * area, all of it is on that line. */
static bool edge_parts(const float t[9], const float s[9], int u, int v, PliCounts *counts)
{
    for (int i = 0; i < 3; i++) {
        const float *p = corner(t, i), *q = corner(t, (i + 1) % 3);
        int side = pli_orient2d(p, q, s, u, v, counts);
        if (side == 0 || side != pli_orient2d(p, q, s + 3, u, v, counts) ||
            side != pli_orient2d(p, q, s + 6, u, v, counts))
            continue;
        if (side != pli_orient2d(p, q, corner(t, (i + 2) % 3), u, v, counts))
            return true;
    }
    return false;
}

/* Both in one plane, at least one of them with area in the projection along `axis`: fact 3. */
static bool intersect_in_plane(const float a[9], const float b[9], int axis, PliCounts *counts)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return !edge_parts(a, b, u, v, counts) && !edge_parts(b, a, u, v, counts);
}

/* A triangle without area is a segment. */
static void segment_ends(const float t[9], const float *ends[2])
{
    int corners[2];
    pli_segment_ends(t, corners);
    for (int e = 0; e < 2; e++)
        ends[e] = corner(t, corners[e]);
}

/* The segment pq and the triangle t, which has area in the projection along `axis`. `signs` are the
 * sides of the plane of t on which p and q lie. */
static bool segment_intersects(const float *p, const float *q, const int signs[2], const float t[9],
                               int axis, PliCounts *counts)
{
    if (signs[0] == 0 && signs[1] == 0) {
        const float segment[9] = {p[0], p[1], p[2], q[0], q[1], q[2], q[0], q[1], q[2]};
        return intersect_in_plane(t, segment, axis, counts);
    }
    if (signs[0] == signs[1])
        return false;

    /* The line pq crosses the plane in one point, which is in t unless it is to the left of one
     * edge and to the right of another. */
    int sides_seen = 0;
    for (int i = 0; i < 3; i++) {
        int side = pli_orient3d(p, q, corner(t, i), corner(t, (i + 1) % 3), counts);
        sides_seen |= side > 0 ? 1 : side < 0 ? 2 : 0;
    }
    return sides_seen != 3;
}

/* Do the closed intervals between two numbers each have a point in common? */
static bool ranges_overlap(float p, float q, float r, float s)
{
    return (p < q ? p : q) <= (r < s ? s : r) && (r < s ? r : s) <= (p < q ? q : p);
}

/* Segments pq and rs in the plane of coordinates u and v; either may be a point. They intersect if
 * and only if neither is strictly on one side of the other's line and their boxes overlap, which
 * decides if they are on a common line. */
static bool segments_intersect_in_plane(const float *p, const float *q, const float *r,
                                        const float *s, int u, int v, PliCounts *counts)
{
    if (!ranges_overlap(p[u], q[u], r[u], s[u]) || !ranges_overlap(p[v], q[v], r[v], s[v]))
        return false;
    return pli_orient2d(p, q, r, u, v, counts) * pli_orient2d(p, q, s, u, v, counts) <= 0 &&
           pli_orient2d(r, s, p, u, v, counts) * pli_orient2d(r, s, q, u, v, counts) <= 0;
}

/* Two triangles without area: fact 4. */
static bool segments_intersect(const float a[9], const float b[9], PliCounts *counts)
{
    const float *pq[2], *rs[2];
    segment_ends(a, pq);
    segment_ends(b, rs);
    if (pli_orient3d(pq[0], pq[1], rs[0], rs[1], counts) != 0)
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (!segments_intersect_in_plane(pq[0], pq[1], rs[0], rs[1], (axis + 1) % 3, (axis + 2) % 3,
                                         counts))
            return false;
    return true;
}

/* a has area in the projection along `axis`; b has none at all. */
static bool triangle_intersects_segment(const float a[9], int axis, const float b[9],
                                        PliCounts *counts)
{
    const float *ends[2];
    segment_ends(b, ends);
    int signs[2];
    for (int i = 0; i < 2; i++)
        signs[i] = pli_orient3d(a, a + 3, a + 6, ends[i], counts);
    return segment_intersects(ends[0], ends[1], signs, a, axis, counts);
}

/* One of the rows of signs was all zero. */
static bool intersect_flat(const float a[9], const float b[9], PliCounts *counts)
{
    counts->flat++;
    int a_axis = pli_triangle_axis(a, counts), b_axis = pli_triangle_axis(b, counts);
    if (a_axis >= 0 && b_axis >= 0)
        return intersect_in_plane(a, b, a_axis, counts);
    if (a_axis >= 0)
        return triangle_intersects_segment(a, a_axis, b, counts);
    if (b_axis >= 0)
        return triangle_intersects_segment(b, b_axis, a, counts);
    return segments_intersect(a, b, counts);
}

/* ---- The test ---------------------------------------------------------------------------- */

static bool have_common_corner(const float a[9], const float b[9])
{
    for (int i = 0; i < 9; i += 3)
        for (int j = 0; j < 9; j += 3)
            if (pli_is_same_point(a + i, b + j))
                return true;
    return false;
}

/* Any input. For what the filter in double did not decide. */
static PLI_NOINLINE bool intersect_by_exact_signs(const float a[9], const float b[9],
                                                  PliCounts *counts)
{
    if (!pli_is_finite(a, 9) || !pli_is_finite(b, 9)) {
        counts->nonfinite++;
        return false;
    }
    if (have_common_corner(a, b)) /* frequent where bodies coincide */
        return true;
    int a_signs[3], b_signs[3];
    exact_sides(b, a, a_signs, counts);
    if (all_on_one_side(a_signs))
        return false;
    exact_sides(a, b, b_signs, counts);
    if (all_on_one_side(b_signs))
        return false;
    if (all_zero(a_signs) || all_zero(b_signs))
        return intersect_flat(a, b, counts);
    return intervals_overlap(a, a_signs, b, b_signs, counts);
}

PLI_NOINLINE bool pli_triangles_intersect(const float a[9], const float b[9], PliCounts *counts)
{
    int a_signs[3], b_signs[3];
    if (PLI_LIKELY(certain_sides(b, a, a_signs))) {
        if (all_on_one_side(a_signs))
            return false;
        if (PLI_LIKELY(certain_sides(a, b, b_signs))) {
            if (all_on_one_side(b_signs))
                return false;
            return intervals_overlap(a, a_signs, b, b_signs, counts);
        }
    }
    return intersect_by_exact_signs(a, b, counts);
}
