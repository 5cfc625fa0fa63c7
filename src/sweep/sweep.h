/* sweep: from two moving poses to what touches on the way, and when.
 *
 * This folder knows poses at the start and at the end of a step, and not what they are poses of.
 * Its one idea: whatever is bounded at both ends is bounded in between by the mean of the two
 * bounds (kernels/moving.h), from the roots of the trees down to single features. The walk hands
 * over pairs of leaves (tree/walk.h). A leaf is fetched at both ends, and gets groups of sixteen
 * moving boxes: of its triangles, and of the vertices and edges that these own, so that a pair of
 * features comes once (shape/features.h). What is left when all boxes have been compared are pairs
 * of features that may touch; each is decided exactly (geom/impact.h), or within a distance
 * conservatively (geom/approach.h): all boxes are wider then.
 */
#ifndef PLI_SWEEP_POSES_H
#define PLI_SWEEP_POSES_H

#include "kept/kept.h"
#include "kernels/impacts.h"
#include "near/found.h"
#include "near/sides.h"
#include <pliant/sweep.h>

typedef struct PliMovingPose {
    PliPose *start, *end; /* of one tree; the same if it stands still */
} PliMovingPose;

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

/* A vertex, whose point is there twice, or an edge, its lower vertex first. Point 3 i + k is corner
 * k of row i. */
typedef struct PliSweepFeature {
    uint32_t points[2], vertices[2];
    int32_t number;
} PliSweepFeature;

/* A leaf of so many triangles, and its groups: one of triangles, and those from `vertices` on and
 * from `edges` on, to the end; `vertices` is -1 until these are needed. */
typedef struct PliSweepLeaf {
    int32_t count, triangles, vertices, edges, end;
} PliSweepLeaf;

/* Impacts as a kind of what is found. */
extern const PliFoundKind pli_sweep_found;

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliSweep {
    PliWorker *worker;
    PliLeafCache cache; /* of leaves at the start */
    PliArray end_rows;  /* of float: as cache.rows, at the end */
    PliWalk walk;
    PliArray leaves;      /* of PliSweepLeaf, by slot of the cache */
    PliArray triangles;   /* of PliNearTriangle, sixteen for each slot */
    PliArray groups[2];   /* of PliLeafBoxes: of triangles, vertices or edges, at both ends */
    PliArray group_slots; /* of each group of triangles: its slot */
    PliArray features;    /* of PliSweepFeature, sixteen for each group */
    int32_t group_count;
    PliArray leaf_pairs;      /* of PliMovingLeafPair */
    PliSweepBatch batches[3]; /* by PliantFeatures */
    PliFound found;           /* of PliantImpact, without bodies */
    PliArray candidates;      /* of PliSweepCandidate, in any order: in its place, if: */
    bool keeps;
    float until;          /* what touches later does not count */
    float distance;       /* above 0: how close they come, conservatively */
    float reach;          /* how close boxes come: the distance, and a margin */
    bool is_first_wanted; /* the first impact alone, of all that is searched */
    PliImpactCounts counts;
    int64_t leaf_pair_count;

} PliSweep;

/* The worker is borrowed and must outlive it. */
void pli_sweep_init(PliSweep *sweep, PliWorker *worker);
void pli_sweep_free(PliSweep *sweep);

/* A new query: no leaf has been reached. */
void pli_sweep_start(PliSweep *sweep, float until, float distance, float reach,
                     bool is_first_wanted);

/* A pose that is searched, and the features that it has at both ends. */
typedef struct PliSweepSide {
    PliMovingPose pose;
    PliPoseFeatures features;
} PliSweepSide;

/* Finds the features of a pose at both ends, on first need in memory of this host. */
PliantResult pli_sweep_features(PliMovingPose pose, const PliantHost *host,
                                PliPoseFeatures *features);

/* Finds the impacts of two poses, or within one if they are the same, up to sweep->until, and
 * appends them to `impacts`, in canonical order, without bodies: as many as sweep->found.limit at
 * most. If the first is wanted, appends one at most, and sweep->until becomes its time. Searches
 * all, or a part of their walk if `part` is not NULL, and stops after about so much work: what is
 * left to walk is on sweep->walk.stack then. On failure `impacts` is as it was. */
PliantResult pli_sweep_find(PliSweep *sweep, const PliSweepSide *a, const PliSweepSide *b,
                            const PliWalkPart *part, int64_t max_work, PliArray *impacts);

/* Finds all that may come within the distance up to sweep->until, and leaves it in
 * sweep->candidates, in any order. One may be there several times. */
PliantResult pli_sweep_find_candidates(PliSweep *sweep, const PliSweepSide *a,
                                       const PliSweepSide *b);

/* Decides the pairs of a batch, which is then empty, and adds those that touch to `found`: their
 * points are at `start` and at `end`. PliantImpact.vertices are the points as in the batch: which
 * vertices these are is left to the caller. */
PliantResult pli_sweep_decide(PliSweep *sweep, PliantFeatures kind, const float *start,
                              const float *end);

/* Appends what was found, or the first of it. */
PliantResult pli_sweep_append(PliSweep *sweep, PliArray *impacts);

#endif
