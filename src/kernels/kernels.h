/* kernels: the few hot loops, many at once.
 *
 * This folder knows arrays. Its one idea: a kernel has a plain C reference, which is its
 * specification, and one wide version, written with the compiler's vector types and compiled once
 * for each instruction set. Both do the same operations in the same order on each lane, so they
 * agree to the bit, and tests/checksimd holds every version against the reference.
 *
 * A table of kernels is filled from plain C upward, by what the machine has and the caller allows.
 * It is a value: whoever needs it, has it. There is no global one.
 */
#ifndef PLI_KERNELS_H
#define PLI_KERNELS_H

#include "geom/geom.h"

/* What a filter can say of a pair of triangles. */
enum { PLI_APART = 0, PLI_MEET = 1, PLI_UNDECIDED = 2 };

/* Decides pairs of triangles in float32 where that is certain: see filter.h. Pair i is triangle
 * pairs[2 i] of a and triangle pairs[2 i + 1] of b, nine floats each; verdicts[i] is set. Reads and
 * writes nothing beyond. */
typedef void PliFilterPairs(const float *a, const float *b, const uint32_t *pairs,
                            int64_t pair_count, uint8_t *verdicts);

typedef struct PliKernels {
    PliFilterPairs *filter_pairs;
} PliKernels;

/* The best kernels that the machine has among those in the mask. */
void pli_kernels_fill(PliKernels *kernels, uint32_t cpu_mask);

/* Each version by name; which of them exist depends on the build. */
PliFilterPairs pli_filter_pairs_c;
PliFilterPairs pli_filter_pairs_vector128;
PliFilterPairs pli_filter_pairs_avx2;
PliFilterPairs pli_filter_pairs_avx512;

/* ---- On top of the kernels: batch.c ------------------------------------------------------ */

/* Exact answers for many pairs: the filter, then pli_triangles_meet() for what it left open. */
void pli_pairs_meet(const PliKernels *kernels, const float *a, const float *b,
                    const uint32_t *pairs, int64_t pair_count, uint8_t *meets, PliCounts *counts);

#endif
