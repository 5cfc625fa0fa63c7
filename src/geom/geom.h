/* geom: numbers that decide.
 *
 * Exact signs of determinants of float32 points, and triangle tests that are built from such signs
 * alone. This folder knows numbers: no meshes, no memory, no bodies. Its one idea: never construct
 * a point. An intersection point would have to be rounded, and with it the answer; a sign of a
 * determinant of *input* points can be had exactly, and every question that is asked here can be
 * put as a few of those.
 *
 * Each sign is tried in double precision first, with a bound on the error that is proved where it
 * stands (orient.h), and computed with integers where the double is not certain (exact.c).
 *
 * All of this holds in the usual floating-point modes: callers are inside pli_fp_enter().
 */
#ifndef PLI_GEOM_H
#define PLI_GEOM_H

#include "base/base.h"

#include <math.h>

/* What it took to decide, as in PliantTriangleCounts. The functions below add to it. Never NULL. */
typedef struct PliCounts {
    int64_t pairs, intersecting, undecided, flat, nonfinite;
    int64_t exact3_narrow, exact3_wide, exact2_narrow, exact2_wide;
} PliCounts;

/* ---- Numbers and points ------------------------------------------------------------------ */

static inline bool pli_is_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* -0 is 0. */
static inline bool pli_is_same_point(const float *p, const float *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* ---- Signs by integers: exact.c -------------------------------------------------------------
 *
 * Exact for all finite coordinates, and meaningless for others. Not fast: the filters come first.
 */

/* Sign of det[a-d; b-d; c-d]. */
int pli_exact_orient3d(const float *a, const float *b, const float *c, const float *d,
                       PliCounts *counts);

/* Sign of det[a-c; b-c] of the points' coordinates u and v (0, 1, 2 for x, y, z). */
int pli_exact_orient2d(const float *a, const float *b, const float *c, int u, int v,
                       PliCounts *counts);

/* ---- Triangles: triangle.c, shared.c ----------------------------------------------------- */

/* Do the closed triangles share a point? Any input; not finite means no, and is counted. */
bool pli_triangles_meet(const float a[9], const float b[9], PliCounts *counts);

/* Do they share more than the convex hull of the vertices that they have in common, by index? */
bool pli_triangles_meet_beyond_shared(const float a[9], const uint32_t a_vertices[3],
                                      const float b[9], const uint32_t b_vertices[3],
                                      PliCounts *counts);

/* The axis to drop so that the triangle keeps some area in the projection along it, or -1 if there
 * is none, which is to say that the triangle has no area. Finite corners only. */
int pli_triangle_axis(const float t[9], PliCounts *counts);

/* ---- Lines: line.c ---------------------------------------------------------------------------
 */

/* 1 if the line through the point, upward along z, goes out through the triangle, as one goes out
 * of what its corners go around counter-clockwise seen from outside; -1 if it comes in; else 0. And
 * does it so above the point? Finite numbers only; the point is not on the triangle. */
int pli_line_crosses(const float *triangle, const float *point, bool *is_above, PliCounts *counts);

#endif
