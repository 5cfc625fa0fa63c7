/* Pliant: exact signs and exact triangle tests.
 *
 *     if (pliant_triangles_intersect(floor_triangle, foot_triangle))
 *         stop();
 *
 * Coordinates are float32 in any unit, and are taken as the real numbers that they are: denormals
 * count, and -0 is 0. A triangle is nine floats: x y z of corner 0, of corner 1, of corner 2. It is
 * the closed convex hull of its corners, so triangles that touch intersect, and a triangle of zero
 * area is a segment or a point. A triangle with a NaN or an infinity intersects nothing. No answer
 * has a tolerance.
 *
 * Answers do not depend on the machine, the compiler, the cpu mask or the caller's floating-point
 * modes (rounding, flush-to-zero, unmasked exceptions). Each call sets these modes and restores
 * them; it may raise sticky exception flags.
 *
 * Thread rule: no call here has state. Any thread may make any call at any time. Arrays are
 * borrowed for the time of the call.
 */
#ifndef PLIANT_TRIANGLES_H
#define PLIANT_TRIANGLES_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Signs --------------------------------------------------------------------------------- */

/* Return the side of the plane through a, b and c on which d lies: the sign of
 * det[a - d; b - d; c - d], as -1, 0 or 1. It is 1 if a, b, c turn clockwise seen from d. It is 0
 * if the four points are exactly coplanar, if a coordinate is not finite, or if an argument is
 * NULL. Any thread. */
PLIANT_API int pliant_orient3d(const float a[3], const float b[3], const float c[3],
                               const float d[3]);

/* Return the turn that a, b, c make in the plane: the sign of det[a - c; b - c], as -1, 0 or 1. It
 * is 1 if they turn counterclockwise. It is 0 if the three points are exactly on one line, if a
 * coordinate is not finite, or if an argument is NULL. Any thread. */
PLIANT_API int pliant_orient2d(const float a[2], const float b[2], const float c[2]);

/* ---- One pair ------------------------------------------------------------------------------ */

/* Return whether two closed triangles share a point. False if an argument is NULL. Any thread. */
PLIANT_API bool pliant_triangles_intersect(const float a[9], const float b[9]);

/* Return whether two triangles of one mesh intersect beyond the vertices or the edge that they
 * share. Corners with equal vertex indices are the same vertex, and must have equal positions. The
 * answer is true if the intersection of the triangles is more than the convex hull of their shared
 * vertices. So two triangles with a common edge count only if one is folded flat onto the other,
 * and two triangles with one common vertex count only if they intersect elsewhere too. Two
 * triangles with the same three vertices never count. Without shared vertices the answer is that of
 * pliant_triangles_intersect(). False if an argument is NULL. Any thread. */
PLIANT_API bool pliant_triangles_intersect_beyond_shared(const float a[9],
                                                         const uint32_t a_vertices[3],
                                                         const float b[9],
                                                         const uint32_t b_vertices[3]);

/* ---- Many pairs ---------------------------------------------------------------------------- */

/* Pairs of triangles to test. Start from pliant_triangle_pairs_default(), which sets every field to
 * zero unless said otherwise. */
typedef struct PliantTrianglePairs {
    size_t struct_size;

    const float *a;  /* triangles of side a, nine floats each, without gaps */
    int32_t a_count; /* their number */
    const float *b;  /* triangles of side b; may be the same array as a */
    int32_t b_count;

    /* Pair i is triangle pairs[2 * i] of a and triangle pairs[2 * i + 1] of b. Pairs may come in
     * any order and more than once. */
    const uint32_t *pairs;
    int64_t pair_count;

    uint32_t cpu_mask; /* instruction sets that may be used: PLIANT_CPU_ALL */

    const PliantHost *host; /* its report hook is called; the call allocates nothing. May be NULL */
} PliantTrianglePairs;

static inline PliantTrianglePairs pliant_triangle_pairs_default(void)
{
    PliantTrianglePairs def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.cpu_mask = PLIANT_CPU_ALL;
    return def;
}

/* How pairs were decided. Start from pliant_triangle_counts_default(), which sets all counts to 0.
 * The counts are the same with every cpu mask. */
typedef struct PliantTriangleCounts {
    size_t struct_size;
    int64_t pairs;        /* pairs tested */
    int64_t intersecting; /* pairs that intersect */
    int64_t undecided;    /* pairs that the float32 filter left to the scalar test */
    int64_t flat;         /* of these: coplanar or of zero area, and decided as such */
    int64_t nonfinite;    /* of these: pairs with a NaN or an infinity, which do not intersect */

    /* Signs that the double filter left open, by the integer path that decided them. */
    int64_t exact3_narrow, exact3_wide; /* orient3d: 128-bit integers, full exponent range */
    int64_t exact2_narrow, exact2_wide; /* orient2d: likewise */
} PliantTriangleCounts;

static inline PliantTriangleCounts pliant_triangle_counts_default(void)
{
    PliantTriangleCounts counts = PLIANT_ZEROS;
    counts.struct_size = sizeof counts;
    return counts;
}

/* Test many pairs: set results[i] to 1 if pair i intersects and to 0 if not. The answers are those
 * of pliant_triangles_intersect(), several times faster for each pair. `capacity` is the length of
 * `results`, at least def.pair_count; further entries are left as they are. `results` may be NULL
 * if def.pair_count is 0. The counts of this call are added to `counts`, which may be NULL.
 *
 * Fails with PLIANT_BAD_DEF (a wrong struct_size of the def, its host or the counts),
 * PLIANT_BAD_ARGUMENT (NULL, a count below 0, or a capacity that is too small), PLIANT_TOO_LARGE,
 * or PLIANT_BAD_INDEX (a triangle that a or b does not have): nothing is written. Any thread. */
PLIANT_API PliantResult pliant_triangle_pairs_intersect(const PliantTrianglePairs *def,
                                                        uint8_t *results, int64_t capacity,
                                                        PliantTriangleCounts *counts);

#ifdef __cplusplus
}
#endif

#endif
