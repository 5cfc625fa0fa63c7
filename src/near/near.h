/* near: from two poses to their features within a distance.
 *
 * This folder knows poses, and not what they are poses of. Its one idea: bounds that are closer
 * than the distance are treated as bounds that overlap. The walk widens the boxes of nodes. A leaf
 * that is fetched gets groups of sixteen wider boxes: of its triangles, and of the vertices and
 * edges that these own, so that a pair of features comes once (shape/features.h). Groups are
 * compared as leaves are, by the same kernel, and what comes out are pairs of features that may be
 * near. Every such pair is decided exactly (geom/closest.h).
 *
 * A query with a margin searches farther, and keeps what it has found for the next one (kept.h).
 *
 * Two searches for what is closest are here too: of two poses (distance.h), and of a pose and a
 * point (points.h).
 */
#ifndef PLI_NEAR_H
#define PLI_NEAR_H

#include "near/found.h"
#include "near/sides.h"

/* Pairs of groups of sixteen whose boxes are compared at a time. */
enum { PLI_NEAR_GROUP_PAIRS = 8 };

/* A vertex, whose point is there twice, or an edge, its lower vertex first. */
typedef struct PliNearFeature {
    float points[6];
    uint32_t vertices[2];
    int32_t number;
    int32_t triangle; /* that it was found by, and at which of its corners the points are: */
    uint8_t corners[2];
} PliNearFeature;

/* Two features that were within the distance of a search, and all that is needed to decide later
 * whether they are within another one. */
typedef struct PliNearCandidate {
    PliCandidate base;
    float points[12];
} PliNearCandidate;

/* Groups of a leaf: one of its triangles, then those of vertices, of edges, and the end. */
typedef struct PliNearLeaf {
    int32_t triangles, edges, end;
} PliNearLeaf;

/* Pairs as a kind of what is found. */
extern const PliFoundKind pli_near_found;

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliNear {
    PliWorker *worker;
    PliLeafCache cache;
    PliWalk walk;
    PliArray leaves;      /* of PliNearLeaf, by slot of the cache */
    PliArray triangles;   /* of PliNearTriangle, sixteen for each slot */
    PliArray groups;      /* of PliLeafBoxes: of triangles, vertices or edges */
    PliArray group_slots; /* of each group of triangles: its slot */
    PliArray features;    /* of PliNearFeature, sixteen for each group */
    int32_t group_count;
    PliArray leaf_pairs;
    uint32_t candidates[2 * (PLI_NEAR_GROUP_PAIRS * PLI_LEAF_SIZE * PLI_LEAF_SIZE + 8)];
    PliFound found;            /* of PliantNearPair, without bodies */
    PliArray candidates_found; /* of PliNearCandidate, in any order: in its place, if: */
    bool keeps;
    float distance;
    float rest_distance; /* within a body, pairs that are as near as that at rest are left out; 0:
                            none */
    const float *rest;   /* vertices at rest of what is searched, if pairs are left out */
    PliCounts counts;
    int64_t leaf_pair_count, pair_count; /* of leaves, and of features that were decided */

} PliNear;

/* The worker is borrowed and must outlive it. */
void pli_near_init(PliNear *near, PliWorker *worker);
void pli_near_free(PliNear *near);

/* A new query: no leaf has been reached. */
void pli_near_start(PliNear *near, float distance, float rest_distance);

/* A pose that is searched, and the features that it has. */
typedef struct PliNearSide {
    PliPose *pose;
    PliPoseFeatures features;
} PliNearSide;

/* Finds the pairs of two poses, or within one if they are the same, and appends them to `pairs`, in
 * canonical order, without bodies: as many as near->found.limit at most. Searches all, or a part of
 * their walk if `part` is not NULL, and stops after about so much work: what is left to walk is on
 * near->walk.stack then. On failure `pairs` is as it was. */
PliantResult pli_near_find(PliNear *near, const PliNearSide *a, const PliNearSide *b,
                           const PliWalkPart *part, int64_t max_work, PliArray *pairs);

/* Finds the same pairs, and leaves them in `near` as candidates, in any order. One may be there
 * several times. */
PliantResult pli_near_find_candidates(PliNear *near, const PliNearSide *a, const PliNearSide *b);

#endif
