/* near: from two poses to their features within a distance.
 *
 * Its one idea: bounds that are closer
 * than the distance are treated as bounds that overlap. The search (query/feature_search.h) hands
 * over pairs of groups of sixteen wider boxes. Groups are compared as leaves are, by the same
 * kernel, and what comes out are pairs of features that may be near. Most are certainly farther
 * (kernels/far.h). Every other one is decided exactly (geom/closest.h).
 *
 * A query with a margin searches farther, and keeps what it has found for the next one
 * (query/kept.h).
 */
#ifndef PLI_NEAR_H
#define PLI_NEAR_H

#include "query/feature_search.h"

/* Pairs of groups of sixteen whose boxes are compared at a time, and pairs of one group. */
enum { PLI_NEAR_GROUP_PAIRS = 16, PLI_NEAR_OWN_GROUPS = 8 };

/* Two features that were within the distance of a search, and all that is needed to decide later
 * whether they are within another one. */
typedef struct PliNearCandidate {
    PliCandidate base;
    float points[12];
} PliNearCandidate;

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliNear {
    PliFeatureSearch search;
    uint32_t groups[3][2 * PLI_NEAR_GROUP_PAIRS]; /* pairs to compare, by PliantFeatures */
    int32_t group_counts[3];
    uint32_t own_groups[2 * PLI_NEAR_OWN_GROUPS]; /* of edges, to compare each with itself */
    int32_t own_count;
    PliArray overlaps;  /* of two uint32_t */
    int64_t pair_count; /* of features that were decided */
} PliNear;

/* The worker is borrowed and must outlive it. */
void pli_near_init(PliNear *near, PliWorker *worker);
void pli_near_free(PliNear *near);

/* A new query: no leaf has been reached. */
void pli_near_start(PliNear *near, float distance, float margin, float rest_distance);

/* The same as pli_feature_search_find(), from what is kept. The kept sides are those of the poses;
 * are_apart is set. */
PliantResult pli_near_find_kept(PliNear *near, PliKept *kept, uint64_t *last_epoch,
                                const PliFeatureSide *a, const PliFeatureSide *b,
                                PliKeptSide sides[2], PliArray *pairs);

#endif
