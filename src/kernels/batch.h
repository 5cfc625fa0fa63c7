/* Many pairs of triangles, exactly: the filter first, then the exact test for what it left open. */
#ifndef PLI_BATCH_H
#define PLI_BATCH_H

#include "geom/geom.h"
#include "kernels/kernels.h"

/* Sets intersects[i] to 1 if pair i intersects, else to 0. Pairs are those of PliFilterPairs. */
void pli_pairs_intersect(const PliKernels *kernels, const float *a, const float *b,
                         const uint32_t *pairs, int64_t pair_count, uint8_t *intersects,
                         PliCounts *counts);

#endif
