/* The closest point of a pose to a point.
 *
 * Depth first, the closest child first: a node is opened, and a leaf is fetched, only if its box is
 * no farther than what is there so far. It begins with the leaf that was closest to the last point.
 * Leaves stay in a cache for the points that follow.
 *
 * In a leaf, a kernel bounds the distances of all triangles (kernels/point.h). The least upper
 * bound is how far the search goes from then on; triangles that may be within it are candidates.
 * They wait, with their corners, until the visit is over: then most are beyond the last bound, and
 * those that are not are decided together, by the kernel of kernels/near.h.
 */
#ifndef PLI_POINTS_SEARCH_H
#define PLI_POINTS_SEARCH_H

#include "geom/gaps.h"
#include "query/sides.h"
#include "tree/visit.h"
#include <pliant/distance.h>

enum { PLI_POINT_CANDIDATES = 64 }; /* so many wait at most */

/* A triangle that may be the closest. */
typedef struct PliPointCandidate {
    float low;              /* no more than its distance */
    int32_t position, leaf; /* in the tree */
} PliPointCandidate;

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliPointSearch {
    PliWorker *worker;
    PliLeafCache cache;
    PliArray stack;   /* of PliVisitPart */
    PliArray crossed; /* of int32_t: triangles that a ray has crossed, if they are divided */
    PliArray spokes;  /* of three doubles: the boundary as it is seen from a point */
    float max_distance;
    PliPose *pose;               /* that is searched */
    PliantBody body;             /* whose it is */
    const uint8_t *skips;        /* a byte for each triangle that takes no part; NULL: all do */
    int32_t triangle_end;        /* triangles from this number on take no part */
    const PliFeatures *features; /* of which a shell takes no part in winding numbers; or NULL */
    int32_t shell;               /* that one */
    float corners[PLI_ROW_SIZE]; /* of the triangle that was found last */
    int32_t candidate_count;
    PliPointCandidate candidates[PLI_POINT_CANDIDATES];
    float table[3 + PLI_POINT_CANDIDATES * PLI_ROW_SIZE]; /* the point, and corners of candidates */
    int32_t last_leaf; /* where the closest triangle to the last point is; -1: not known */
    PliCounts counts;
} PliPointSearch;

/* The worker is borrowed and must outlive it. */
void pli_point_search_init(PliPointSearch *search, PliWorker *worker);
void pli_point_search_free(PliPointSearch *search);

/* A new query: no leaf has been reached. */
void pli_point_search_start(PliPointSearch *search, float max_distance);

/* From now on this pose is searched. */
PliantResult pli_point_search_set_pose(PliPointSearch *search, PliPose *pose, PliantBody body);

/* The slot of a leaf of that pose, with the leaf in it. */
PliantResult pli_point_search_fetch(PliPointSearch *search, int32_t leaf, uint32_t *slot);

/* The triangle of a row of the cache. */
static inline int32_t pli_point_search_triangle(const PliPointSearch *search, uint32_t row)
{
    return pli_pose_triangle(search->pose, pli_leaf_cache_position(&search->cache, row));
}

/* Nothing has been found yet. */
PliantClosestPoint pli_point_search_nothing(void);

/* How far anything may be that is closer than what was found, or as close. */
PliReach pli_point_search_reach(const PliPointSearch *search, const PliantClosestPoint *found);

/* Replaces what was found if the pose has something that is closer, or as close and before it in
 * order. */
PliantResult pli_point_search_find(PliPointSearch *search, const float *point,
                                   PliantClosestPoint *found);

#endif
