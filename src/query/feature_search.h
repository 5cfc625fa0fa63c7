/* Feature search: from two poses to pairs of their vertices, edges and triangles that may be near,
 * or touch on the way.
 *
 * Poses have one end, or two: the start and the end of a time step. The walk hands over pairs of
 * leaves (tree/walk.h). A leaf that is fetched gets groups of sixteen boxes, at each end: of its
 * triangles, and of the vertices and edges that these own, so that a pair of features comes once
 * (shape/features.h). Boxes are wider by half of the distance and by the greatest radius of their
 * body, whatever the other body is, so that leaves hold for a whole query. Which groups overlap,
 * and which of the features that are left count, is up to a decider: decide/near.c or
 * decide/sweep.c.
 */
#ifndef PLI_FEATURE_SEARCH_H
#define PLI_FEATURE_SEARCH_H

#include "query/exclusions.h"
#include "query/found.h"
#include "query/radii.h"
#include "query/sides.h"

#include <stdatomic.h>

/* A pose at the start and at the end of a time step. */
typedef struct PliMovingPose {
    PliPose *start, *end; /* of one tree; the same if it stands still */
} PliMovingPose;

/* A pose that is searched, and the features that it has at both ends. */
typedef struct PliFeatureSide {
    PliMovingPose pose;
    PliPoseFeatures features;
    const PliRadii *radii; /* of the body, borrowed */
    float error;           /* how far its vertices, at both ends, may be from doubles */
} PliFeatureSide;

/* Finds the features of a pose at both ends, on first need in memory of this host. */
PliantResult pli_moving_features(PliMovingPose pose, const PliantHost *host,
                                 PliPoseFeatures *features);

/* A vertex, whose point is there twice, or an edge, its lower vertex first. Point 3 i + k is corner
 * k of row i. Positions are those at the start, of a search without ends. */
typedef struct PliLeafFeature {
    PliCorner ends[2];
    uint32_t points[2];
    int32_t number, unused;
} PliLeafFeature;
_Static_assert(sizeof(PliLeafFeature) == PLI_FEATURE_CORNERS * sizeof(PliCorner) &&
                   sizeof(PliLeafFeature) == PLI_FEATURE_STRIDE * sizeof(uint32_t),
               "kernels find features");

/* A leaf of so many triangles, and its groups: one of triangles, and those from `vertices` on and
 * from `edges` on, to the end; `vertices` is -1 until these are needed. */
typedef struct PliFeatureLeaf {
    int32_t count, triangles, vertices, edges, end;
    bool are_segments; /* all of its triangles */
} PliFeatureLeaf;

/* Two features: four points, of a vertex and a triangle or of two edges; the vertices there, of
 * groups the lowest; and the features' numbers, that of the first body first. */
typedef struct PliFeaturePair {
    uint32_t points[4], vertices[4];
    int32_t features[2];
} PliFeaturePair;

/* Leaf pairs that are looked for at a time, and if the first answer alone is wanted; the last step
 * of the walk may bring 63 more. */
enum { PLI_FEATURE_PORTION = 128, PLI_FIRST_PORTION = 8, PLI_MAX_PORTION = 128 + 63 };

/* Of so many pairs of features it is known that they were tested. */
enum { PLI_TESTED_BITS = 10 };

/* How features are decided. Kinds say which features two groups are of; within one body there is
 * no PLIANT_TRIANGLE_VERTEX. */
typedef struct PliFeatureSearch PliFeatureSearch;
typedef struct PliFeatureDecider {
    PliIsBefore *is_before;           /* of what is found */
    size_t candidate_size, leaf_size; /* of a candidate; and in PliFeatureSearch.firsts, or 0 */
    bool has_ends;                    /* poses have two ends, and the walk has times */

    /* A search begins: whatever the last one has put off is gone. */
    void (*start)(PliFeatureSearch *search);

    /* Are there triangles of two groups that overlap? If not, neither do their features. NULL if
     * asking takes longer than it saves. */
    bool (*do_triangles_overlap)(PliFeatureSearch *search, int32_t a, int32_t b);

    /* Compares two groups, and may put off what overlaps until finish(). */
    PliantResult (*test)(PliFeatureSearch *search, PliantFeatures kind, int32_t a, int32_t b);
    PliantResult (*finish)(PliFeatureSearch *search, PliantFeatures kind);
} PliFeatureDecider;

/* What one worker needs. It keeps its memory from one query to the next. */
struct PliFeatureSearch {
    const PliFeatureDecider *decider;
    PliWorker *worker;
    PliLeafCache cache; /* of leaves at the start */
    PliArray end_rows;  /* of float: as cache.rows, at the end */
    PliWalk walk;
    PliArray leaves;      /* of PliFeatureLeaf, by slot of the cache */
    PliArray triangles;   /* of PliNearTriangle, sixteen for each slot */
    PliArray groups[2];   /* of PliLeafBoxes, at each end: of triangles, vertices or edges */
    PliArray group_slots; /* of each group of triangles: its slot */
    PliArray features;    /* of PliLeafFeature, sixteen for each group */
    int32_t group_count;
    PliArray leaf_pairs;     /* as the walk finds them */
    PliArray slot_pairs;     /* of PliMovingLeafPair: the same as slots of the cache */
    PliFeatureSide sides[2]; /* that are searched */
    bool is_self;            /* both are one */

    PliFound found;      /* without bodies */
    PliArray candidates; /* used in place of `found` if `keeps`: each begins with a PliCandidate */
    bool keeps;
    const PliExclusions *exclusions; /* of the two bodies; NULL: none */
    bool has_groups;                 /* of vertices, so that answers name them by their corners */
    bool has_pieces; /* of divided triangles, which bring the same pairs of features */
    PliArray tested; /* with pieces: of uint64_t, keys of such pairs in this search */
    PliArray firsts; /* of what the decider keeps of each slot */
    float distance, margin;
    float rest_distance; /* as in PliantNearDef */
    float bare_distance; /* D of two poses, with the greatest radius of each */
    float error;         /* of both poses */
    float pair_distance; /* how far pairs may be: both together */
    float reach;         /* that and the margin: how close boxes come */
    PliCounts counts;
    float until;          /* with ends: what touches later does not count */
    bool is_first_wanted; /* with ends: the first impact alone, of all that is searched */
    atomic_uint_least32_t *first_time; /* pli_time_bits() of the first one that any worker has found
                                          so far; NULL if each search is on its own */
    int64_t leaf_pair_count;
};

/* The worker is borrowed and must outlive it. */
void pli_feature_search_init(PliFeatureSearch *search, const PliFeatureDecider *decider,
                             PliWorker *worker);
void pli_feature_search_free(PliFeatureSearch *search);

/* Times are not negative, so that their bits are in the same order. */
static inline uint32_t pli_time_bits(float time)
{
    uint32_t bits;
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* Learns from other workers up to which time to search, and tells them. */
void pli_feature_search_share_time(PliFeatureSearch *search);

/* A new query: no leaf has been reached. */
void pli_feature_search_start(PliFeatureSearch *search, float distance, float margin,
                              float rest_distance);

/* The next search is of these: sets what depends on both. */
void pli_feature_search_set_sides(PliFeatureSearch *search, const PliFeatureSide *a,
                                  const PliFeatureSide *b);

/* Searches two poses, or one if they are the same: all of it, or a part of their walk if `part` is
 * not NULL. Stops after about so much work: what is left to walk is on search->walk.stack then.
 * What was found is in search->found, or in search->candidates if it `keeps` them; one may be there
 * several times. */
PliantResult pli_feature_search_run(PliFeatureSearch *search, const PliFeatureSide *a,
                                    const PliFeatureSide *b, const PliWalkPart *part,
                                    int64_t max_work, bool keeps);

/* Appends what was found to `to`, in canonical order, each two features once, as many as
 * found.limit at most; or the first of it, if that alone is wanted. On failure `to` is as it was.
 */
PliantResult pli_feature_search_append(PliFeatureSearch *search, PliArray *to);

/* Runs a search, and appends what it has found. */
PliantResult pli_feature_search_find(PliFeatureSearch *search, const PliFeatureSide *a,
                                     const PliFeatureSide *b, const PliWalkPart *part,
                                     int64_t max_work, PliArray *to);

/* Sets *pair to what is kept of two poses, which are searched if need be: with ends up to the time
 * now->until. `now` is as for pli_kept_pair(). The kept sides are those of the poses; are_apart is
 * set. */
PliantResult pli_feature_search_kept(PliFeatureSearch *search, PliKept *kept, uint64_t *last_epoch,
                                     const PliFeatureSide *a, const PliFeatureSide *b,
                                     PliKeptSide sides[2], PliKeptPair *now,
                                     const PliKeptPair **pair);

/* Do the radii of the features vary, so that pairs have a D of their own? */
static inline bool pli_feature_search_varies(const PliFeatureSearch *search)
{
    return search->sides[0].radii->count > 0 || search->sides[1].radii->count > 0;
}

/* How far two features may be, of four vertices that begin with a vertex or an edge; and D alone,
 * without the rounding errors. */
static inline float pli_feature_bare_distance(const PliFeatureSearch *search, PliantFeatures kind,
                                              const uint32_t vertices[4])
{
    return pli_feature_search_varies(search)
               ? pli_pair_distance(search->sides[0].radii, search->sides[1].radii, kind, vertices,
                                   search->distance)
               : search->bare_distance;
}

static inline float pli_feature_distance(const PliFeatureSearch *search, PliantFeatures kind,
                                         const uint32_t vertices[4])
{
    const float bare = pli_feature_bare_distance(search, kind, vertices);
    return search->error > 0 ? pli_sum_up(bare, search->error) : bare;
}

/* Are pairs left out that are near at rest? Those within D if no distance is given for that. */
static inline bool pli_feature_search_has_rest(const PliFeatureSearch *search)
{
    const PliFeatureSide *side = &search->sides[0];
    return search->is_self && side->features.rest &&
           (search->rest_distance > 0 || (search->rest_distance == 0 && side->radii->greatest > 0));
}

static inline PliLeafBoxes *pli_feature_group(const PliFeatureSearch *search, int end,
                                              int32_t group)
{
    return (PliLeafBoxes *)search->groups[end].items + group;
}

/* Which feature of a pose two points are: by the number of their triangle, and the corners. */
static inline uint64_t pli_feature_place(const PliFeatureSearch *search, const uint32_t points[2])
{
    const PliNearTriangle *triangles = search->triangles.items;
    const uint32_t first = points[0] % 3, second = points[1] % 3,
                   corner = first == second ? first : 3 - first - second;
    return 3 * (uint64_t)triangles[points[0] / 3].number + corner;
}

/* Was this pair tested in this search, by other pieces of the same triangles? What was tested is
 * noted in place of what was there. */
static inline bool pli_feature_was_tested(PliFeatureSearch *search, PliantFeatures kind,
                                          uint64_t one, uint64_t other)
{
    const uint64_t key = (uint64_t)kind << 62 | one << 31 | other;
    uint64_t *tested =
        (uint64_t *)search->tested.items + (key * 0x9e3779b97f4a7c15u >> (64 - PLI_TESTED_BITS));
    const bool was_tested = *tested == key;
    *tested = key;
    return was_tested;
}

/* The row of a triangle by its group and lane. */
static inline uint32_t pli_feature_row(const PliFeatureSearch *search, uint32_t triangle)
{
    const int32_t slot = ((const int32_t *)search->group_slots.items)[triangle / PLI_LEAF_SIZE];
    return (uint32_t)slot * PLI_LEAF_SIZE + triangle % PLI_LEAF_SIZE;
}

/* Is a pair left out by its vertices? A vertex, or an edge, comes first. */
static inline bool pli_feature_is_excluded(const PliFeatureSearch *search, PliantFeatures kind,
                                           const PliLeafFeature *one, const uint32_t *other,
                                           int other_count)
{
    if (PLI_LIKELY(!search->exclusions))
        return false;
    const uint32_t ends[2] = {one->ends[0].vertex, one->ends[1].vertex};
    const int count = kind == PLIANT_EDGE_EDGE ? 2 : 1;
    return kind == PLIANT_TRIANGLE_VERTEX
               ? pli_exclusions_have(search->exclusions, other, other_count, ends, count)
               : pli_exclusions_have(search->exclusions, ends, count, other, other_count);
}

/* Are two features, by their groups and lanes, a pair that was not tested? A vertex, or an edge,
 * comes first. Within one pose, two edges of one group come twice. To be asked once of each. */
static inline bool pli_feature_is_pair(PliFeatureSearch *search, PliantFeatures kind, uint32_t one,
                                       uint32_t other)
{
    const PliLeafFeature *features = search->features.items, *a = &features[one];
    if (kind == PLIANT_EDGE_EDGE) {
        const PliLeafFeature *b = &features[other];
        if (search->is_self &&
            ((one / PLI_LEAF_SIZE == other / PLI_LEAF_SIZE && one >= other) ||
             a->ends[0].vertex == b->ends[0].vertex || a->ends[0].vertex == b->ends[1].vertex ||
             a->ends[1].vertex == b->ends[0].vertex || a->ends[1].vertex == b->ends[1].vertex))
            return false;
        const uint32_t ends[2] = {b->ends[0].vertex, b->ends[1].vertex};
        if (pli_feature_is_excluded(search, kind, a, ends, 2))
            return false;
        return !search->has_pieces ||
               !pli_feature_was_tested(search, kind, pli_feature_place(search, a->points),
                                       pli_feature_place(search, b->points));
    }
    const uint32_t row = pli_feature_row(search, other), vertex = a->ends[0].vertex;
    const PliNearTriangle *triangles = search->triangles.items, *b = triangles + row;
    const PliFeatureSide *side = &search->sides[kind == PLIANT_TRIANGLE_VERTEX];
    const PliFeatureSide *b_side = &search->sides[kind != PLIANT_TRIANGLE_VERTEX];
    if (!pli_near_is_for_vertices(&b_side->features, b->number, &side->features,
                                  triangles[a->points[0] / 3].number))
        return false;
    if (search->is_self &&
        (b->vertices[0] == vertex || b->vertices[1] == vertex || b->vertices[2] == vertex))
        return false;
    if (pli_feature_is_excluded(search, kind, a, b->vertices, 3))
        return false;
    return !search->has_pieces ||
           !pli_feature_was_tested(search, kind, pli_feature_place(search, a->points),
                                   (uint64_t)b->number);
}

/* Two features that are a pair. */
static inline PliFeaturePair pli_feature_pair_of(const PliFeatureSearch *search,
                                                 PliantFeatures kind, uint32_t one, uint32_t other)
{
    const PliLeafFeature *features = search->features.items, *a = &features[one];
    if (kind == PLIANT_EDGE_EDGE) {
        const PliLeafFeature *b = &features[other];
        const bool is_swapped = search->is_self && a->number > b->number;
        const PliLeafFeature *first = is_swapped ? b : a, *second = is_swapped ? a : b;
        return (PliFeaturePair){
            {first->points[0], first->points[1], second->points[0], second->points[1]},
            {first->ends[0].vertex, first->ends[1].vertex, second->ends[0].vertex,
             second->ends[1].vertex},
            {first->number, second->number}};
    }
    const uint32_t row = pli_feature_row(search, other);
    const PliNearTriangle *b = (const PliNearTriangle *)search->triangles.items + row;
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    return (PliFeaturePair){
        {a->points[0], 3 * row, 3 * row + 1, 3 * row + 2},
        {a->ends[0].vertex, b->vertices[0], b->vertices[1], b->vertices[2]},
        {is_swapped ? b->number : a->number, is_swapped ? a->number : b->number}};
}

/* Both: false if they are no pair, or were tested. */
static inline bool pli_feature_pair(PliFeatureSearch *search, PliantFeatures kind, uint32_t one,
                                    uint32_t other, PliFeaturePair *pair)
{
    if (!pli_feature_is_pair(search, kind, one, other))
        return false;
    *pair = pli_feature_pair_of(search, kind, one, other);
    return true;
}

/* The vertices of four points, as answers name them. The first ones are of a vertex or an edge. */
static inline void pli_feature_vertices(const PliFeatureSearch *search, PliantFeatures kind,
                                        const uint32_t points[4], uint32_t vertices[4])
{
    const PliNearTriangle *triangles = search->triangles.items;
    const int first_count = kind == PLIANT_EDGE_EDGE ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        const bool is_of_a = (k < first_count) != (kind == PLIANT_TRIANGLE_VERTEX);
        vertices[k] = pli_near_vertex(&search->sides[is_of_a ? 0 : 1].features,
                                      triangles[points[k] / 3].number, (int)(points[k] % 3));
    }
}

/* Copies four points of rows: a loop would take twice as long. */
static inline void pli_feature_points(const float *rows, const uint32_t points[4], float to[12])
{
    memcpy(to, rows + 3 * (size_t)points[0], 3 * sizeof *to);
    memcpy(to + 3, rows + 3 * (size_t)points[1], 3 * sizeof *to);
    memcpy(to + 6, rows + 3 * (size_t)points[2], 3 * sizeof *to);
    memcpy(to + 9, rows + 3 * (size_t)points[3], 3 * sizeof *to);
}

#endif
