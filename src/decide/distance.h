/* The least distance of two poses.
 *
 * A walk by gaps, the least first, so that a node is opened, and a leaf is fetched, only if its box
 * is no farther than the answer: what was found so far ends the walk. A pair of
 * triangles is skipped if the plane between the closest points so far, moved along its normal,
 * separates it by more than the least distance; so are single features.
 *
 * The answer is that of all pairs of features of finite triangles: the least distance as it is
 * returned, then the least kind and features. It does not depend on the order of the search. Many
 * pairs may be as close: two leaves, or triangles, that have only later features than the answer so
 * far are skipped if the plane shows that their distance is not returned as less.
 */
#ifndef PLI_DISTANCE_H
#define PLI_DISTANCE_H

#include "geom/gaps.h"
#include "query/sides.h"

/* A leaf in a slot of the cache, along the normal of the closest features so far. */
typedef struct PliDistanceLeaf {
    uint64_t stamp;         /* of the normal */
    uint32_t vertex;        /* the lowest one of finite triangles, */
    int32_t triangle;       /* and the lowest of these */
    int32_t last_triangle;  /* and the highest: the same if all are pieces of one */
    double low, high, size; /* the least and greatest height, and the greatest coordinate */
} PliDistanceLeaf;

/* What one worker needs. It keeps its memory from one query to the next. */
typedef struct PliDistance {
    PliWorker *worker;
    PliLeafCache cache;
    PliWalk walk;
    PliArray leaf_pairs; /* of PliLeafPair: that the walk has come to */
    PliArray leaves;     /* of PliDistanceLeaf, by slot of the cache */
    uint64_t stamp;      /* of leaves that hold */
    PliArray tested; /* of uint64_t: keys of pairs of features that were tested in this search, and
                        of pairs of divided triangles */
    PliCounts counts;
} PliDistance;

/* What is looked for. */
typedef struct PliDistanceGoal {
    float max_distance;  /* at least 0, or infinity */
    bool is_one_enough;  /* any pair within it will do */
    PliLeafPair leaves;  /* in which the closest features were last; -1: not known. On return: in
                            which they are. Affects speed alone */
    bool is_found;       /* something is within the distance: */
    PliantNearPair pair; /* without bodies */
} PliDistanceGoal;

/* The worker is borrowed and must outlive it. */
void pli_distance_init(PliDistance *distance, PliWorker *worker);
void pli_distance_free(PliDistance *distance);

/* A new query: no leaf has been reached. */
void pli_distance_start(PliDistance *distance);

/* A pose that is searched, and the features that it has. */
typedef struct PliDistanceSide {
    PliPose *pose;
    PliPoseFeatures features;
} PliDistanceSide;

/* Finds the closest features of two poses whose triangles do not intersect; or those of one pose
 * that have no vertex in common. */
PliantResult pli_distance_find(PliDistance *distance, const PliDistanceSide *a,
                               const PliDistanceSide *b, PliDistanceGoal *goal);

#endif
