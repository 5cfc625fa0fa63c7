/* Weighted sums, and the bounds that follow from them: morph targets, transforms, slabs.
 *
 * Each end of a bound is computed by the expression of the vertices, with every product taken from
 * that end of the box which makes it least or greatest. Rounding is monotone: such a bound holds
 * every vertex without a margin. */
#ifndef PLI_WEIGHTED_SUM_H
#define PLI_WEIGHTED_SUM_H

#include "kernels/fetch.h"

/* sums[i] = ((base[i] + weights[0] * terms[0][i]) + weights[1] * terms[1][i]) + ..., each operation
 * rounded, for i below `count`, which is a multiple of PLI_GROUP. Starts from zero if base is NULL.
 */
typedef void PliWeightedSum(const float *base, const float *const *terms, const float *weights,
                            int32_t term_count, int32_t count, float *sums);

/* Replaces eight boxes by boxes around their transformed contents. Ends that are not finite are
 * clamped to the largest float first: they belong to points that are not finite, which are in no
 * pair. An end is infinite where huge numbers cancel. Empty boxes stay as they are. */
typedef void PliMoveBoxes(const PliTransform *transform, PliBoxes *boxes);

/* A slab of the world as a sum of three slabs of a body. Its low end is
 * ((factors[0] * low[0] + factors[1] * low[1]) + factors[2] * low[2]) + low_offset, where low[i]
 * is the number of a group of ends. Its high end likewise. */
typedef struct PliSlabSum {
    uint8_t low[3], high[3];
    float factors[3], low_offset, high_offset;
} PliSlabSum;

/* Such sums for the eight children of a node. The first three slabs become boxes; the others follow
 * each other in `others`, all low ends first. */
typedef void PliSumSlabs(const float *ends, const PliSlabSum *sums, int32_t slab_count,
                         PliBoxes *boxes, float *others);

#endif
