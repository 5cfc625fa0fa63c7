/* Many pairs of features within distances, exactly: doubles in lanes first, then the decision for
 * what they left open. */
#ifndef PLI_NEARS_H
#define PLI_NEARS_H

#include "kernels/kernels.h"

/* Pair i is of the four points from pairs[4 i] on, of a table of three floats each: a vertex and
 * the corners of a triangle, or the ends of two edges. */
typedef struct PliNearPairs {
    const float *table;
    const uint32_t *pairs;
    int64_t count;
    bool are_edges;
    float distance;         /* within which pairs are near */
    const float *distances; /* of each pair, at most that; NULL: the same for all */
} PliNearPairs;

/* Sets nearness[i] to PLI_NEAR, and closest[i], or to PLI_NEAR_NEVER. With a point that is not
 * finite, a pair is not near. */
void pli_pairs_near(const PliKernels *kernels, const PliNearPairs *pairs, uint8_t *nearness,
                    PliClosest *closest, PliCounts *counts);

#endif
