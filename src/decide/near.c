/* Features within a distance: see near.h. */
#include "decide/near.h"

static bool is_before(const void *pair, const void *than)
{
    return pli_near_is_before(pair, than);
}

/* ---- Pairs of features -------------------------------------------------------------------------
 */

/* Are two features within a distance? A vertex and a triangle, or two edges. */
static inline bool is_near(PliNear *near, PliantFeatures kind, const float *one, const float *other,
                           float distance, PliClosest *closest)
{
    return kind == PLIANT_EDGE_EDGE
               ? pli_edge_edge_is_near(one, other, distance, closest, &near->counts)
               : pli_vertex_triangle_is_near(one, other, distance, closest, &near->counts);
}

/* Where the second feature begins in four points. */
static inline int second_of(PliantFeatures kind)
{
    return kind == PLIANT_EDGE_EDGE ? 6 : 3;
}

/* Are two features of one body within the rest distance at rest? Not if one is not finite. */
static bool is_near_at_rest(PliNear *near, PliantFeatures kind, const uint32_t points[4])
{
    const PliNearTriangle *triangles = near->search.triangles.items;
    const float *rest = near->search.sides[0].features.rest;
    float at_rest[12];
    PliClosest closest;
    for (int k = 0; k < 4; k++) {
        const uint32_t vertex = triangles[points[k] / 3].vertices[points[k] % 3];
        memcpy(at_rest + 3 * k, rest + 3 * (size_t)vertex, 3 * sizeof *rest);
    }
    return pli_is_finite(at_rest, 12) &&
           is_near(near, kind, at_rest, at_rest + second_of(kind), near->rest_distance, &closest);
}

/* Adds a pair that is within the distance, or keeps it as a candidate. There is room for one more.
 */
PLI_ALWAYS_INLINE void add_found(PliFeatureSearch *search, const PliantFeatures kind,
                                 PliFeaturePair *pair, const PliClosest *closest)
{
    if (search->has_groups)
        pli_feature_vertices(search, kind, pair->points, pair->vertices);
    if (search->keeps) {
        PliNearCandidate *candidate =
            (PliNearCandidate *)search->candidates.items + search->candidates.count++;
        candidate->base = (PliCandidate){.kind = kind,
                                         .feature_a = pair->features[0],
                                         .feature_b = pair->features[1],
                                         .distance = closest->distance};
        memcpy(candidate->base.vertices, pair->vertices, sizeof pair->vertices);
        pli_feature_points(search->cache.rows, pair->points, candidate->points);
    } else {
        PliantNearPair *found =
            (PliantNearPair *)search->found.items.items + search->found.items.count++;
        pli_near_pair(found, kind, pair->features[0], pair->features[1], pair->vertices, closest);
    }
}

PLI_ALWAYS_INLINE void test_pair(PliNear *near, const PliantFeatures kind, uint32_t one,
                                 uint32_t other)
{
    PliFeatureSearch *search = &near->search;
    PliFeaturePair pair;
    PliClosest closest;
    const float *rows = search->cache.rows;
    float edges[12];
    if (!pli_feature_pair(search, kind, one, other, &pair))
        return;
    near->pair_count++;
    const float *one_points = rows + 3 * (size_t)pair.points[0],
                *other_points = rows + 3 * (size_t)pair.points[1];
    if (kind == PLIANT_EDGE_EDGE) { /* whose ends may be apart */
        pli_feature_points(rows, pair.points, edges);
        one_points = edges;
        other_points = edges + 6;
    }
    if (!is_near(near, kind, one_points, other_points, search->reach, &closest))
        return;
    if (search->is_self && near->rest_distance > 0 && search->sides[0].features.rest &&
        is_near_at_rest(near, kind, pair.points))
        return;
    add_found(search, kind, &pair, &closest);
}

/* Those that overlap: there is room for all. Compiled for each kind. */
PLI_ALWAYS_INLINE void test_all(PliNear *near, const PliantFeatures kind, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        test_pair(near, kind, near->overlaps[2 * i], near->overlaps[2 * i + 1]);
}

/* ---- Pairs of groups ---------------------------------------------------------------------------
 */

/* PliFeatureDecider.start. */
static void start(PliFeatureSearch *search)
{
    PliNear *near = (PliNear *)search;
    memset(near->group_counts, 0, sizeof near->group_counts);
}

/* PliFeatureDecider.finish. */
static PliantResult finish(PliFeatureSearch *search, PliantFeatures kind)
{
    PliNear *near = (PliNear *)search;
    const PliantHost *host = search->worker->host;
    const int32_t count =
        search->worker->kernels->overlap_leaves(search->groups[0].items, near->groups[kind],
                                                near->group_counts[kind], NULL, near->overlaps);
    near->group_counts[kind] = 0;
    PLI_TRY(pli_worker_check_cancelled(search->worker));
    PliArray *found = search->keeps ? &search->candidates : &search->found.items;
    PLI_TRY(pli_array_reserve(found, host, found->count + count));
    if (kind == PLIANT_EDGE_EDGE)
        test_all(near, PLIANT_EDGE_EDGE, count);
    else if (kind == PLIANT_VERTEX_TRIANGLE)
        test_all(near, PLIANT_VERTEX_TRIANGLE, count);
    else
        test_all(near, PLIANT_TRIANGLE_VERTEX, count);
    return pli_found_check(&search->found, host);
}

/* PliFeatureDecider.test. */
static PliantResult test(PliFeatureSearch *search, PliantFeatures kind, int32_t a, int32_t b)
{
    PliNear *near = (PliNear *)search;
    uint32_t *end = near->groups[kind] + 2 * near->group_counts[kind]++;
    end[0] = (uint32_t)a;
    end[1] = (uint32_t)b;
    return near->group_counts[kind] == PLI_NEAR_GROUP_PAIRS ? finish(search, kind) : PLIANT_OK;
}

static const PliFeatureDecider NEAR = {.is_before = is_before,
                                       .candidate_size = sizeof(PliNearCandidate),
                                       .start = start,
                                       .test = test,
                                       .finish = finish};

/* ---- All of it ---------------------------------------------------------------------------------
 */

void pli_near_init(PliNear *near, PliWorker *worker)
{
    *near = (PliNear){0};
    pli_feature_search_init(&near->search, &NEAR, worker);
}

void pli_near_start(PliNear *near, float distance, float rest_distance)
{
    near->rest_distance = rest_distance;
    pli_feature_search_start(&near->search, distance);
}

/* Appends those of the candidates of a pair that are within a distance. Those that were farther
 * than `far` are not. */
static PliantResult decide(PliNear *near, const PliKept *kept, const PliKeptPair *pair,
                           const PliKeptSide sides[2], float distance, double far, PliArray *pairs)
{
    if (pair->count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(pairs, near->search.worker->host, pairs->count + pair->count));
    PliantNearPair *first = (PliantNearPair *)pairs->items + pairs->count, *end = first;
    for (int64_t i = 0; i < pair->count; i++) {
        const PliNearCandidate *candidate =
            (const PliNearCandidate *)(const void *)pli_kept_candidate(kept, pair->first + i);
        const PliCandidate *base = &candidate->base;
        float points[12];
        PliClosest closest;
        if ((double)base->distance > far)
            continue;
        pli_candidate_points(base, candidate->points, 0, &sides[0], &sides[1], points);
        near->pair_count++;
        if (!is_near(near, base->kind, points, points + second_of(base->kind), distance, &closest))
            continue;
        PliantNearPair found;
        pli_near_pair(&found, base->kind, base->feature_a, base->feature_b, base->vertices,
                      &closest);
        if (end == first || pli_near_key(&found) != pli_near_key(end - 1))
            *end++ = found;
        else if (pli_near_is_before(&found, end - 1))
            end[-1] = found;
    }
    pairs->count += end - first;
    return PLIANT_OK;
}

PliantResult pli_near_find_kept(PliNear *near, PliKept *kept, uint64_t *last_epoch,
                                const PliFeatureSide *a, const PliFeatureSide *b,
                                PliKeptSide sides[2], float distance, PliArray *pairs)
{
    PliKeptPair now = {.reach = near->search.reach,
                       .rest_distance = near->rest_distance,
                       .until = near->search.until};
    const PliKeptPair *pair;
    PLI_TRY(pli_feature_search_kept(&near->search, kept, last_epoch, a, b, sides, distance, &now,
                                    &pair));
    /* A candidate that was d apart is farther than the distance if distance + m + n < d. A returned
     * d may be one ulp above the real one (geom/closest.h). */
    const double far =
        pli_kept_reach(pair, &sides[0], &sides[1], distance) * (1 + 0x1p-22) + 0x1p-148;
    return decide(near, kept, pair, sides, distance, far, pairs);
}
