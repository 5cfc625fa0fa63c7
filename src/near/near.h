/* near: from two poses to their features within a distance.
 *
 * This folder knows poses, and not what they are poses of. Its one idea: bounds that are closer
 * than the distance are treated as bounds that overlap. The walk widens the boxes of nodes, a leaf
 * that is fetched gets wider boxes of triangles, and what comes out are pairs of triangles that may
 * be near. Each vertex and each edge has one triangle that owns it (shape/features.h), so that a
 * pair of features comes once, from the two triangles that own them. Every such pair is decided
 * exactly (geom/closest.h).
 *
 * Two searches for what is closest are here too: of two poses (distance.h), and of a pose and a
 * point (points.h).
 */
#ifndef PLI_NEAR_H
#define PLI_NEAR_H

#include "narrow/leaf_cache.h"
#include <pliant/near.h>

/* Leaf pairs whose triangles are compared at a time. */
enum { PLI_NEAR_LEAF_PAIRS = 4 };

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliNear {
    PliWorker *worker;
    PliLeafCache cache;
    PliWalk walk;
    PliArray leaf_pairs;
    uint32_t candidates[2 * (PLI_NEAR_LEAF_PAIRS * PLI_LEAF_SIZE * PLI_LEAF_SIZE + 8)];
    PliArray found;     /* of PliantNearPair, without bodies, in any order */
    PliArray ranked[2]; /* of PliRanked: the order of those that were found */
    float distance;
    PliCounts counts;
    int64_t leaf_pair_count, pair_count; /* of leaves, and of features that were decided */

    bool (*progress)(void *user); /* false: the query is to end; NULL: nobody wants to know */
    void *progress_user;
} PliNear;

/* The worker is borrowed and must outlive it. */
void pli_near_init(PliNear *near, PliWorker *worker);
void pli_near_free(PliNear *near);

/* A new query: no leaf has been reached. */
void pli_near_start(PliNear *near, float distance);

/* Finds the pairs of two poses, or within one if they are the same, and appends them to `pairs`, in
 * canonical order, without bodies. On failure `pairs` is as it was. */
PliantResult pli_near_find(PliNear *near, PliPose *a, PliPose *b, PliArray *pairs);

#endif
