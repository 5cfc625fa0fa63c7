/* Pliant: which features touch on their way, and when.
 *
 *     PliantSweepPairs def = pliant_sweep_pairs_default();
 *     def.kind = PLIANT_VERTEX_TRIANGLE;
 *     def.start = vertices_now;
 *     def.end = vertices_next;
 *     def.vertex_count = vertex_count;
 *     def.pairs = candidates;
 *     def.pair_count = candidate_count;
 *     pliant_sweep_pairs(&def, times, candidate_count, NULL);
 *
 * Each vertex moves along a straight line, at a constant speed, from its start at time 0 to its end
 * at time 1. Coordinates are float32 in any unit, and are taken as the real numbers that they are.
 * Features are closed sets: a triangle is the convex hull of its corners, and an edge of its ends,
 * of whatever area or length. They touch at a time if they have a point in common then.
 *
 * All answers are exact: those of real numbers, without a tolerance, whatever is degenerate. They
 * do not depend on the machine, the compiler, the cpu mask or the caller's floating-point modes.
 */
#ifndef PLIANT_SWEEP_H
#define PLIANT_SWEEP_H

#include <pliant/near.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A record: pairs of features of one kind. Start from pliant_sweep_pairs_default(), which sets
 * every field to zero unless said otherwise. */
typedef struct PliantSweepPairs {
    size_t struct_size;

    PliantFeatures kind; /* PLIANT_VERTEX_TRIANGLE or PLIANT_EDGE_EDGE */

    const float *start; /* where vertices are at time 0, three floats each */
    const float *end;   /* where they are at time 1 */
    int32_t vertex_count;

    /* Pair i is of the four vertices from pairs[4 * i] on: a vertex and the corners of a triangle,
     * or the ends of two edges. Pairs may come in any order and more than once. */
    const uint32_t *pairs;
    int64_t pair_count;

    uint32_t cpu_mask; /* instruction sets that may be used: PLIANT_CPU_ALL */

    const PliantHost *host; /* its report hook is called; the call allocates nothing. May be NULL */
} PliantSweepPairs;

static inline PliantSweepPairs pliant_sweep_pairs_default(void)
{
    PliantSweepPairs def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.cpu_mask = PLIANT_CPU_ALL;
    return def;
}

/* A record: how pairs were decided. Start from pliant_sweep_counts_default(), which sets all counts
 * to 0. The counts are the same with every cpu mask. */
typedef struct PliantSweepCounts {
    size_t struct_size;
    int64_t pairs;    /* pairs tested */
    int64_t touching; /* pairs that touch */
    int64_t filtered; /* pairs that the float32 filter decided: they do not touch */
    int64_t exact;    /* pairs that were decided with integers */
} PliantSweepCounts;

static inline PliantSweepCounts pliant_sweep_counts_default(void)
{
    PliantSweepCounts counts = PLIANT_ZEROS;
    counts.struct_size = sizeof counts;
    return counts;
}

/* Sets times[i] to when pair i touches first: to the greatest float that is not after that time. It
 * is from 0 to 1; infinity if the pair does not touch from time 0 to time 1, or if it has a NaN or
 * an infinity. It is never late, and it is 0 only if the pair touches before 2^-149.
 *
 * `capacity` is the length of `times`, at least def.pair_count; further entries are left as they
 * are. `times` may be NULL if def.pair_count is 0. The counts of this call are added to `counts`,
 * which may be NULL.
 *
 * Fails with PLIANT_BAD_DEF (a wrong struct_size of the def, its host or the counts),
 * PLIANT_BAD_ARGUMENT (NULL, a count below 0, another kind, or a capacity that is too small),
 * PLIANT_TOO_LARGE, or PLIANT_BAD_INDEX (a vertex that is not there): nothing is written. Any
 * thread. */
PLIANT_API PliantResult pliant_sweep_pairs(const PliantSweepPairs *def, float *times,
                                           int64_t capacity, PliantSweepCounts *counts);

#ifdef __cplusplus
}
#endif

#endif
