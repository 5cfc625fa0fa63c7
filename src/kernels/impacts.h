/* Many pairs of features on their way, exactly: the filter first, then the decision for what it
 * left open. */
#ifndef PLI_IMPACTS_H
#define PLI_IMPACTS_H

#include "geom/approach.h"
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

/* Sets the points of a pair in double. */
typedef void PliFindPoints64(const void *of, int64_t pair, PliPoints64 *points);

/* How close pairs come, and until when. */
typedef struct PliApproaches {
    const float
        *distances; /* of each pair; where that is 0, it is decided exactly; NULL: all are: */
    float distance; /* the greatest */
    float until;

    /* Above 0: the distances are greater by this than those between points that are known in
     * double, and these are asked for where tables of floats leave a pair open. */
    float error;
    PliFindPoints64 *find_points;
    const void *of;
} PliApproaches;

/* The same within distances, conservatively: by pli_approach(). Times above `until` are infinity.
 */
void pli_pairs_approach(const PliKernels *kernels, const PliImpactPairs *pairs,
                        const PliApproaches *approaches, float *times, PliImpactCounts *counts);

#endif
