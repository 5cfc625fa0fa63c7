/* Triangles of one mesh: do they intersect beyond the convex hull of their shared vertices?
 *
 * Near a shared vertex p a triangle is a cone. Triangles intersect beyond p if and only if their
 * cones have a ray in common: signs decide it, and the lengths of the edges do not matter. A
 * triangle without area is a cone of one or two rays. By the number of shared vertices:
 *
 * 0. Any common point counts: pli_triangles_intersect().
 * 1. The hull is the point p. They intersect beyond it if the cones at p have a ray in common.
 * 2. The hull is the segment pq. They intersect beyond it if they are in one plane with both third
 *    corners strictly on the same side of pq, or all on one line with both third corners beyond the
 *    same end. A triangle with area and one without that share pq have just pq in common. If p and
 * q coincide, the hull is a point and each triangle is a ray from it.
 * 3. Both triangles are the hull: they never intersect beyond it.
 */
#include "geom/orient.h"
#include "geom/triangle.h"

/* ---- Rays and cones at p ----------------------------------------------------------------- */

/* Do the rays from p through q and through r coincide? A ray through p itself is no ray. */
static bool rays_coincide(const float *p, const float *q, const float *r, PliCounts *counts)
{
    if (pli_is_same_point(p, q) || pli_is_same_point(p, r))
        return false;
    for (int k = 0; k < 3; k++) {
        if ((q[k] > p[k]) != (r[k] > p[k]) || (q[k] < p[k]) != (r[k] < p[k]))
            return false;
        if (pli_orient2d(p, q, r, (k + 1) % 3, (k + 2) % 3, counts) != 0)
            return false;
    }
    return true;
}

/* A triangle seen from its corner p: the closed cone through the two others. */
typedef struct Cone {
    float corners[9]; /* p, then the two others */
    int axis;         /* along which the triangle keeps area; -1 if it has none */
} Cone;

static const float *cone_corner(const Cone *cone, int i)
{
    return cone->corners + 3 * i;
}

/* Is the ray from p through q, which lies in the plane of the cone, part of it? */
static bool cone_has_ray_in_plane(const Cone *cone, const float *q, PliCounts *counts)
{
    const float *p = cone_corner(cone, 0), *r = cone_corner(cone, 1), *s = cone_corner(cone, 2);
    int u = (cone->axis + 1) % 3, v = (cone->axis + 2) % 3;
    int turn = pli_orient2d(p, r, s, u, v, counts);
    return !pli_is_same_point(p, q) && turn * pli_orient2d(p, r, q, u, v, counts) >= 0 &&
           turn * pli_orient2d(p, q, s, u, v, counts) >= 0;
}

/* Is the ray from p through q part of the cone? */
static bool cone_has_ray(const Cone *cone, const float *q, PliCounts *counts)
{
    const float *p = cone_corner(cone, 0), *r = cone_corner(cone, 1), *s = cone_corner(cone, 2);
    if (cone->axis < 0)
        return rays_coincide(p, r, q, counts) || rays_coincide(p, s, q, counts);
    return pli_orient3d(p, r, s, q, counts) == 0 && cone_has_ray_in_plane(cone, q, counts);
}

/* Do cones with area, not in one plane, have a ray in common? It would be where the far edge of `a`
 * passes through the plane of `b`. */
static bool far_edge_enters(const Cone *a, const Cone *b, PliCounts *counts)
{
    const float *q0 = cone_corner(a, 1), *q1 = cone_corner(a, 2);
    const float *p = cone_corner(b, 0), *r = cone_corner(b, 1), *s = cone_corner(b, 2);
    int side = pli_orient3d(p, r, s, q0, counts);
    if (side == 0 || side * pli_orient3d(p, r, s, q1, counts) >= 0)
        return false;
    return side * pli_orient3d(q0, q1, p, r, counts) <= 0 &&
           side * pli_orient3d(q0, q1, s, p, counts) <= 0;
}

/* Two closed cones at one point have a ray in common if an edge ray of one is in the other, or if
 * they cross through each other's inside, which takes area on both sides. */
static bool cones_intersect(const Cone *a, const Cone *b, PliCounts *counts)
{
    for (int i = 1; i < 3; i++)
        if (cone_has_ray(a, cone_corner(b, i), counts) ||
            cone_has_ray(b, cone_corner(a, i), counts))
            return true;
    return a->axis >= 0 && b->axis >= 0 && far_edge_enters(a, b, counts);
}

/* Are r and s strictly on one side of the plane through p, q0, q1? */
static bool is_beside(const float *p, const float *q0, const float *q1, const float *r,
                      const float *s, PliCounts *counts)
{
    int side = pli_orient3d(p, q0, q1, r, counts);
    return side != 0 && side == pli_orient3d(p, q0, q1, s, counts);
}

/* ---- Two shared vertices ----------------------------------------------------------------- */

/* r and s on the line of p and q, p != q: are both beyond p, or both beyond q? */
static bool beyond_same_end(const float *p, const float *q, const float *r, const float *s)
{
    int k = p[0] != q[0] ? 0 : p[1] != q[1] ? 1 : 2;
    float low = p[k] < q[k] ? p[k] : q[k], high = p[k] < q[k] ? q[k] : p[k];
    return (r[k] < low && s[k] < low) || (r[k] > high && s[k] > high);
}

/* Triangles pqr and pqs. */
static bool intersect_beyond_edge(const float *p, const float *q, const float *r, const float *s,
                                  PliCounts *counts)
{
    if (pli_is_same_point(p, q))
        return rays_coincide(p, r, s, counts);
    if (pli_orient3d(p, q, r, s, counts) != 0)
        return false;
    bool is_line = true;
    for (int k = 0; k < 3; k++) {
        int u = (k + 1) % 3, v = (k + 2) % 3;
        int r_side = pli_orient2d(p, q, r, u, v, counts);
        int s_side = pli_orient2d(p, q, s, u, v, counts);
        if (r_side != 0 && s_side != 0)
            return r_side == s_side;
        is_line &= r_side == 0 && s_side == 0;
    }
    return is_line && beyond_same_end(p, q, r, s);
}

/* ---- The test ---------------------------------------------------------------------------- */

/* Moves the corners of both triangles so that shared vertices come first, in the same order, and
 * returns how many different ones there are. */
static int bring_shared_first(const float a[9], const uint32_t a_vertices[3], const float b[9],
                              const uint32_t b_vertices[3], const float *a_corners[3],
                              const float *b_corners[3])
{
    uint32_t shared[3];
    int shared_count = 0;
    bool a_used[3] = {false}, b_used[3] = {false};
    for (int i = 0; i < 3; i++) {
        bool is_new = true;
        for (int k = 0; k < shared_count; k++)
            is_new &= shared[k] != a_vertices[i];
        for (int j = 0; j < 3 && is_new; j++) {
            if (a_vertices[i] != b_vertices[j])
                continue;
            shared[shared_count] = a_vertices[i];
            a_corners[shared_count] = a + 3 * i;
            b_corners[shared_count++] = b + 3 * j;
            a_used[i] = b_used[j] = true;
            is_new = false;
        }
    }
    for (int i = 0, a_count = shared_count, b_count = shared_count; i < 3; i++) {
        if (!a_used[i])
            a_corners[a_count++] = a + 3 * i;
        if (!b_used[i])
            b_corners[b_count++] = b + 3 * i;
    }
    return shared_count;
}

static Cone cone_of(const float *corners[3], PliCounts *counts)
{
    Cone cone;
    for (int i = 0; i < 9; i++)
        cone.corners[i] = corners[i / 3][i % 3];
    cone.axis = pli_triangle_axis(cone.corners, counts);
    return cone;
}

PLI_NOINLINE bool pli_triangles_intersect_beyond_shared(const float a[9],
                                                        const uint32_t a_vertices[3],
                                                        const float b[9],
                                                        const uint32_t b_vertices[3],
                                                        PliCounts *counts)
{
    const float *a_corners[3], *b_corners[3];
    int shared_count = bring_shared_first(a, a_vertices, b, b_vertices, a_corners, b_corners);
    if (shared_count == 0)
        return pli_triangles_intersect(a, b, counts);
    if (!pli_is_finite(a, 9) || !pli_is_finite(b, 9)) {
        counts->nonfinite++;
        return false;
    }
    if (shared_count == 1) {
        /* Most fans are convex or saddles: then one triangle is on one side of the other's plane.
         */
        if (is_beside(a_corners[0], a_corners[1], a_corners[2], b_corners[1], b_corners[2],
                      counts) ||
            is_beside(b_corners[0], b_corners[1], b_corners[2], a_corners[1], a_corners[2], counts))
            return false;
        Cone a_cone = cone_of(a_corners, counts), b_cone = cone_of(b_corners, counts);
        return cones_intersect(&a_cone, &b_cone, counts);
    }
    return shared_count == 2 &&
           intersect_beyond_edge(a_corners[0], a_corners[1], a_corners[2], b_corners[2], counts);
}
