/* Triangle against triangle, as closed sets, exactly.
 *
 * The general case follows Guigue and Devillers, "Fast and robust triangle-triangle overlap test
 * using orientation predicates", 2003: signs only. Their test asks for triangles with area that are
 * not coplanar; the rest is decided here by signs as well, on these facts:
 *
 * 1. Triangle B without area makes all signs against "its plane" zero. The other way round: when
 * the corners of A are not all on one line, and all signs of A against B are zero, then B lies in
 * the plane of A or has no area. So a row of three zeros is what tells the special cases, at no
 * cost to the others.
 * 2. Points in one plane keep their intersections under a projection along an axis that keeps the
 *    plane a plane, and a triangle that keeps some area there is the proof that it does.
 * 3. In the plane, a triangle with area and any other triangle are disjoint exactly if the line of
 *    some edge, of either, parts them strictly: the difference set is a polygon whose edges are
 *    parallel to those edges.
 * 4. Two segments in space meet exactly if their four ends are coplanar and their projections meet
 *    along each of the three axes: one of the axes is such as in 2.
 */
#include "geom/triangle.h"
#include "geom/orient.h"

/* ---- Sides of a plane -------------------------------------------------------------------- */

static const float *corner(const float t[9], int i)
{
    return t + 3 * i;
}

/* The signs of s's corners against the plane of t, if all three are certain by one error bound for
 * them all, the sum of their permanents. False if not, or if a coordinate is not finite. */
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

/* The signs of s's corners against the plane of t, exactly. Finite corners only. */
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

/* Which corner is the apex, alone on its side, and on which side: for signs that are neither all
 * zero nor all on one side, in the order --- --0 --+ -0- ... +++. The apex is + and the others <=
 * 0, or it is 0 and the others -, and then the side is 1; or the same with the signs changed, and
 * -1. */
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

/* Each triangle cuts the common line of the planes in an interval, between the edges that leave its
 * apex. With both apexes on the positive side of the other's plane (turn a triangle over by
 * swapping two corners if not), the ends of the intervals are compared by two signs. An edge from
 * an apex goes from a side >= 0 to one <= 0 and not along the plane, so its line has one point on
 * the common line, and the sign is zero just if the two points are the same. */
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

/* Does the line of an edge of t part s from t strictly, in coordinates u and v? If t has no area,
 * all of it is on that line. */
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
static bool meet_in_plane(const float a[9], const float b[9], int axis, PliCounts *counts)
{
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return !edge_parts(a, b, u, v, counts) && !edge_parts(b, a, u, v, counts);
}

/* The corners of a triangle without area that are the ends of the segment which it is: the first
 * and the last of three points on a line in lexicographic order. */
static void segment_ends(const float t[9], const float *ends[2])
{
    ends[0] = ends[1] = t;
    for (int i = 1; i < 3; i++) {
        const float *p = corner(t, i);
        for (int e = 0; e < 2; e++) {
            int k = 0;
            while (k < 2 && p[k] == ends[e][k])
                k++;
            if (e == 0 ? p[k] < ends[e][k] : p[k] > ends[e][k])
                ends[e] = p;
        }
    }
}

/* The segment pq and the triangle t, which has area in the projection along `axis`. `signs` are the
 * sides of the plane of t on which p and q lie. */
static bool segment_meets(const float *p, const float *q, const int signs[2], const float t[9],
                          int axis, PliCounts *counts)
{
    if (signs[0] == 0 && signs[1] == 0) {
        const float segment[9] = {p[0], p[1], p[2], q[0], q[1], q[2], q[0], q[1], q[2]};
        return meet_in_plane(t, segment, axis, counts);
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
static bool ranges_meet(float p, float q, float r, float s)
{
    return (p < q ? p : q) <= (r < s ? s : r) && (r < s ? r : s) <= (p < q ? q : p);
}

/* Segments pq and rs in the plane of coordinates u and v; either may be a point. They meet exactly
 * if neither is strictly on one side of the other's line, and their boxes meet, which is what
 * decides on a common line. */
static bool segments_meet_in_plane(const float *p, const float *q, const float *r, const float *s,
                                   int u, int v, PliCounts *counts)
{
    if (!ranges_meet(p[u], q[u], r[u], s[u]) || !ranges_meet(p[v], q[v], r[v], s[v]))
        return false;
    return pli_orient2d(p, q, r, u, v, counts) * pli_orient2d(p, q, s, u, v, counts) <= 0 &&
           pli_orient2d(r, s, p, u, v, counts) * pli_orient2d(r, s, q, u, v, counts) <= 0;
}

/* Two triangles without area: fact 4. */
static bool segments_meet(const float a[9], const float b[9], PliCounts *counts)
{
    const float *pq[2], *rs[2];
    segment_ends(a, pq);
    segment_ends(b, rs);
    if (pli_orient3d(pq[0], pq[1], rs[0], rs[1], counts) != 0)
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (!segments_meet_in_plane(pq[0], pq[1], rs[0], rs[1], (axis + 1) % 3, (axis + 2) % 3,
                                    counts))
            return false;
    return true;
}

/* a has area in the projection along `axis`; b has none at all. */
static bool triangle_meets_segment(const float a[9], int axis, const float b[9], PliCounts *counts)
{
    const float *ends[2];
    segment_ends(b, ends);
    int signs[2];
    for (int i = 0; i < 2; i++)
        signs[i] = pli_orient3d(a, a + 3, a + 6, ends[i], counts);
    return segment_meets(ends[0], ends[1], signs, a, axis, counts);
}

/* One of the rows of signs was all zero. */
static bool meet_flat(const float a[9], const float b[9], PliCounts *counts)
{
    counts->flat++;
    int a_axis = pli_triangle_axis(a, counts), b_axis = pli_triangle_axis(b, counts);
    if (a_axis >= 0 && b_axis >= 0)
        return meet_in_plane(a, b, a_axis, counts);
    if (a_axis >= 0)
        return triangle_meets_segment(a, a_axis, b, counts);
    if (b_axis >= 0)
        return triangle_meets_segment(b, b_axis, a, counts);
    return segments_meet(a, b, counts);
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

/* Any input, for which the first look was not enough. */
static PLI_NOINLINE bool meet_by_exact_signs(const float a[9], const float b[9], PliCounts *counts)
{
    if (!pli_is_finite(a, 9) || !pli_is_finite(b, 9)) {
        counts->nonfinite++;
        return false;
    }
    if (have_common_corner(a, b)) /* what bodies that coincide are full of */
        return true;
    int a_signs[3], b_signs[3];
    exact_sides(b, a, a_signs, counts);
    if (all_on_one_side(a_signs))
        return false;
    exact_sides(a, b, b_signs, counts);
    if (all_on_one_side(b_signs))
        return false;
    if (all_zero(a_signs) || all_zero(b_signs))
        return meet_flat(a, b, counts);
    return intervals_overlap(a, a_signs, b, b_signs, counts);
}

PLI_NOINLINE bool pli_triangles_meet(const float a[9], const float b[9], PliCounts *counts)
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
    return meet_by_exact_signs(a, b, counts);
}
