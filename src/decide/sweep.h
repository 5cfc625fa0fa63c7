/* sweep: from two moving poses to what touches on the way, and when.
 *
 * Its one idea: whatever is bounded at both ends is bounded in between by the mean of the two
 * bounds (kernels/moving.h), from the roots of the trees down to single features. The search
 * (query/feature_search.h) hands over pairs of groups of sixteen moving boxes. What is left when
 * all boxes have been compared are pairs of features that may touch; each is decided exactly
 * (geom/impact.h), or within a distance conservatively (geom/approach.h): all boxes are wider then.
 *
 * If the first impact alone is wanted, many pairs may touch as early: then the first in canonical
 * order counts. Two leaves that cannot touch before the first impact so far, since a plane is
 * between them until then, are left with the pairs that come before it in that order.
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
    float
        distances[PLI_SWEEP_MAX_BATCH]; /* how far each may be, if that is above 0 for the poses */
    int32_t count;
} PliSweepBatch;

/* Two features whose moving boxes overlapped, wider ones if there is a margin. */
typedef struct PliSweepCandidate {
    PliCandidate base;
    float points[2][12]; /* at both ends */
} PliSweepCandidate;

/* The first impact that a search has found, if that alone is wanted. */
typedef struct PliSweepFirst {
    float time; /* infinity: none */
    uint64_t key;
    double normals[2][3]; /* of any length: that of its triangle or edges at the start, and from one
                             body to the other */
} PliSweepFirst;

/* A leaf in a slot of the cache: its lowest vertex and triangle, and bounds of the heights along
 * the normals of the first impact. */
typedef struct PliSweepLeaf {
    uint64_t stamp; /* of the normals */
    int32_t side, leaf;
    uint32_t vertex;
    int32_t triangle;
    double low[2][2], high[2][2]; /* of each normal, at each end */
} PliSweepLeaf;

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliSweep {
    PliFeatureSearch search;  /* D above 0: how close features come, conservatively */
    PliSweepBatch batches[3]; /* by PliantFeatures */
    PliSweepFirst first;
    int64_t decided_count; /* pairs of features of these two poses */
    uint64_t stamp;        /* of its normals */
    float late_time;       /* the two leaves that are compared now cannot touch before */
    PliImpactCounts counts;
} PliSweep;

/* The worker is borrowed and must outlive it. */
void pli_sweep_init(PliSweep *sweep, PliWorker *worker);

/* D of a sweep without radii: a distance and a slack, rounded up. */
static inline float pli_sweep_distance(float distance, float slack)
{
    const float sum = distance + slack, wide = sum > 0 ? pli_moved_up(sum) : 0;
    return wide < FLT_MAX ? wide : FLT_MAX;
}

/* A new query: no leaf has been reached. */
void pli_sweep_start(PliSweep *sweep, float distance, float margin, float rest_distance,
                     bool is_first_wanted);

/* Adds a pair to a batch that has room. */
static inline void pli_sweep_add(PliSweep *sweep, PliantFeatures kind, const uint32_t points[4],
                                 const uint32_t vertices[4], const int32_t features[2])
{
    const PliFeatureSearch *search = &sweep->search;
    PliSweepBatch *batch = &sweep->batches[kind];
    const int32_t i = batch->count++;
    memcpy(batch->points + 4 * i, points, 4 * sizeof *points);
    memcpy(batch->features + 2 * i, features, 2 * sizeof *features);
    if (search->pair_distance > 0)
        batch->distances[i] = pli_feature_distance(search, kind, vertices);
}

/* Adds the pairs of a batch, which is then empty, to search.candidates. */
PliantResult pli_sweep_keep(PliSweep *sweep, PliantFeatures kind);

/* Leaves only the pairs of a batch whose byte is set. */
void pli_sweep_leave(PliSweepBatch *batch, const uint8_t *is_left);

/* Before two poses are searched: there is no first impact so far. */
void pli_sweep_start_pair(PliSweep *sweep);

/* Where the pairs of a batch are: their points in tables at both ends, and which vertices these
 * are, as answers name them, a vertex or an edge first. */
typedef struct PliSweepTable {
    const float *start, *end;
    void (*name)(const void *of, PliantFeatures kind, const uint32_t points[4],
                 uint32_t vertices[4]);
    const void *of;
} PliSweepTable;

/* Decides the pairs of a batch, which is then empty, and adds those that touch to `found`. */
PliantResult pli_sweep_decide(PliSweep *sweep, PliantFeatures kind, const PliSweepTable *table);

/* The same as pli_feature_search_find(), from what is kept. If the bodies have to be searched, it
 * is up to the time `limit`, which is at least search.until. The kept sides are those of the poses;
 * are_apart is set. */
PliantResult pli_sweep_find_kept(PliSweep *sweep, PliKept *kept, uint64_t *last_epoch,
                                 const PliFeatureSide *a, const PliFeatureSide *b,
                                 PliKeptSide sides[2], float limit, PliArray *impacts);

#endif
