/* Many pairs of features on their way, exactly: the filter first, then the decision for what it
 * left open. */
#ifndef PLI_IMPACTS_H
#define PLI_IMPACTS_H

#include "geom/impact.h"
#include "kernels/kernels.h"

/* Pair i is of the four vertices from pairs[4 i] on; all of them are there. */
typedef struct PliImpactPairs {
    PliImpactKind kind;
    const float *start, *end; /* of vertices, three floats each */
    const uint32_t *pairs;
    int64_t count;
} PliImpactPairs;

/* Sets times[i] to the time of pair i, as in pli_impact(); to infinity if it has a NaN or an
 * infinity. Adds to the counts. */
void pli_pairs_impact(const PliKernels *kernels, const PliImpactPairs *pairs, float *times,
                      PliImpactCounts *counts);

/* The same by pli_approach(), for a distance of each pair, up to a time; exactly where that is 0.
 */
void pli_pairs_approach(const PliImpactPairs *pairs, const float *distances, float until,
                        float *times, PliImpactCounts *counts);

#endif
