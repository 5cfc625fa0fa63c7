/* sweep: from two moving poses to what touches on the way, and when.
 *
 * Its one idea: whatever is bounded at both ends is bounded in between by the mean of the two
 * bounds (kernels/moving.h), from the roots of the trees down to single features. The search
 * (query/feature_search.h) hands over pairs of groups of sixteen moving boxes. What is left when
 * all boxes have been compared are pairs of features that may touch; each is decided exactly
 * (geom/impact.h), or within a distance conservatively (geom/approach.h): all boxes are wider then.
 */
#ifndef PLI_DECIDE_SWEEP_H
#define PLI_DECIDE_SWEEP_H

#include "kernels/impacts.h"
#include "query/feature_search.h"
#include <pliant/sweep.h>

/* Pairs of features of one kind that are decided at a time, and the most that one pair of groups
 * may bring on top. */
enum {
    PLI_SWEEP_BATCH = 512,
    PLI_SWEEP_MAX_BATCH = PLI_SWEEP_BATCH + PLI_LEAF_SIZE * PLI_LEAF_SIZE
};

typedef struct PliSweepBatch {
    uint32_t points[4 * PLI_SWEEP_MAX_BATCH]; /* four of each pair, in the rows of the leaves */
    int32_t features[2 * PLI_SWEEP_MAX_BATCH];
    float times[PLI_SWEEP_MAX_BATCH];
    int32_t count;
} PliSweepBatch;

/* Two features whose moving boxes overlapped, wider ones if there is a margin. */
typedef struct PliSweepCandidate {
    PliCandidate base;
    float points[2][12]; /* at both ends */
} PliSweepCandidate;

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliSweep {
    PliFeatureSearch search;  /* its reach is the distance and a margin */
    PliSweepBatch batches[3]; /* by PliantFeatures */
    float distance;           /* above 0: how close they come, conservatively */
    PliImpactCounts counts;
} PliSweep;

/* The worker is borrowed and must outlive it. */
void pli_sweep_init(PliSweep *sweep, PliWorker *worker);

/* A new query: no leaf has been reached. */
void pli_sweep_start(PliSweep *sweep, float distance, float reach, bool is_first_wanted);

/* Decides the pairs of a batch, which is then empty, and adds those that touch to `found`: their
 * points are at `start` and at `end`. PliantImpact.vertices are the points as in the batch: which
 * vertices these are is left to the caller. */
PliantResult pli_sweep_decide(PliSweep *sweep, PliantFeatures kind, const float *start,
                              const float *end);

/* The same as pli_feature_search_find(), from what is kept. If the bodies have to be searched, it
 * is up to the time `limit`, which is at least search.until. The kept sides are those of the poses;
 * are_apart is set. */
PliantResult pli_sweep_find_kept(PliSweep *sweep, PliKept *kept, uint64_t *last_epoch,
                                 const PliFeatureSide *a, const PliFeatureSide *b,
                                 PliKeptSide sides[2], float limit, PliArray *impacts);

#endif
