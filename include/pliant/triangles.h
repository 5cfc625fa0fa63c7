/* Pliant: exact signs and exact triangle tests.
 *
 * Coordinates are float32, and are taken as the real numbers that they are: denormals count, and -0
 * is 0. A triangle is the closed convex hull of its three corners, so touching counts as meeting,
 * and a triangle without area is a segment or a point. There is no tolerance in any answer. A
 * triangle with a NaN or an infinity in it meets nothing.
 *
 * The answers do not depend on the machine, the compiler, the cpu mask, or the caller's
 * floating-point modes (rounding, flush-to-zero, unmasked exceptions): these are set aside during
 * each call and put back, but for the sticky flags, which a call may raise. All calls here are free
 * of state and may be made from any thread.
 *
 * A triangle is nine floats: x y z of corner 0, of corner 1, of corner 2.
 */
#ifndef PLIANT_TRIANGLES_H
#define PLIANT_TRIANGLES_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The side of the plane through a, b, c on which d lies: the sign of det[a-d; b-d; c-d], as -1, 0
 * or
 * 1. It is 1 when a, b, c turn clockwise seen from d. 0 means exactly coplanar, or that a
 * coordinate is not finite. */
PLIANT_API int pliant_orient3d(const float a[3], const float b[3], const float c[3],
                               const float d[3]);

/* The turn that a, b, c make in the plane: the sign of det[a-c; b-c]. 1 is counter-clockwise, 0
 * means exactly on one line, or that a coordinate is not finite. */
PLIANT_API int pliant_orient2d(const float a[2], const float b[2], const float c[2]);

/* Do the two closed triangles share a point? */
PLIANT_API bool pliant_triangles_meet(const float a[9], const float b[9]);

/* Do two triangles of one mesh meet in more than what they must? Corners with equal indices are the
 * same vertex, and their positions must agree; the answer is whether the triangles' intersection is
 * more than the convex hull of the vertices that they share. So neighbours across an edge do not
 * count unless one is folded flat onto the other, and a fan around a vertex does not count unless
 * its blades cut each other. With no index in common this is pliant_triangles_meet(). */
PLIANT_API bool pliant_triangles_meet_beyond_shared(const float a[9], const uint32_t a_vertices[3],
                                                    const float b[9], const uint32_t b_vertices[3]);

/* Many pairs at once: several times faster for each pair, and the same answers. Start from
 * pliant_triangle_pairs_default(), which records the size of the struct and sets everything else to
 * zero or to what is said here. Everything is borrowed for the time of the call. */
typedef struct PliantTrianglePairs {
    size_t struct_size;

    const float *a;  /* triangles of side a, nine floats each, without gaps */
    int32_t a_count; /* how many */
    const float *b;  /* triangles of side b; may be the same array as a */
    int32_t b_count;

    /* Pair i is triangle pairs[2 i] of a and triangle pairs[2 i + 1] of b; any order, any number of
     * times. Every index is checked before anything is written. */
    const uint32_t *pairs;
    int64_t pair_count;

    uint32_t cpu_mask; /* instruction sets that may be used; default PLIANT_CPU_ALL */

    /* Told about mistakes; may be NULL. This call allocates nothing. */
    const PliantHost *host;
} PliantTrianglePairs;

PLIANT_API PliantTrianglePairs pliant_triangle_pairs_default(void);

/* How a batch was decided. The counts are the same with every cpu mask. */
typedef struct PliantTriangleCounts {
    int64_t pairs;     /* pairs tested */
    int64_t meeting;   /* pairs that meet */
    int64_t undecided; /* pairs that the float32 filter left to the scalar test */
    int64_t flat;      /* of those: coplanar or without area, and decided as such */
    int64_t nonfinite; /* of those: pairs with a NaN or an infinity, which meet nothing */

    /* Signs that the double filter left open, by the integer path that decided them. */
    int64_t exact3_narrow, exact3_wide; /* orient3d: 128-bit integers, whole exponent range */
    int64_t exact2_narrow, exact2_wide; /* orient2d: likewise */
} PliantTriangleCounts;

/* Sets meets[i] to 1 if pair i shares a point, and to 0 if it does not. `counts` may be NULL; if it
 * is given, this call's counts are added to it. Fails with PLIANT_BAD_DEF, PLIANT_BAD_ARGUMENT,
 * PLIANT_TOO_LARGE or PLIANT_BAD_INDEX, nothing written. */
PLIANT_API PliantResult pliant_triangle_pairs_meet(const PliantTrianglePairs *def, uint8_t *meets,
                                                   PliantTriangleCounts *counts);

#ifdef __cplusplus
}
#endif

#endif
