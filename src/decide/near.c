/* Features within a distance: see near.h. */
#include "decide/near.h"
#include "decide/thick.h"
#include "kernels/nears.h"

static bool is_before(const void *pair, const void *than)
{
    return pli_near_is_before(pair, than);
}

/* ---- Pairs of features -------------------------------------------------------------------------
 */

/* May the doubles of a pair, at a distance that is rounded to the nearest float, be farther than D?
 */
static uint8_t flags_of(const PliFeatureSearch *search, PliantFeatures kind,
                        const uint32_t vertices[4], float distance)
{
    if (PLI_LIKELY(!(search->error > 0)))
        return 0;
    const float farthest = pli_sum_up(pli_moved_up(distance), search->error);
    return farthest <= pli_feature_bare_distance(search, kind, vertices) ? 0
                                                                         : PLIANT_PAIR_UNCERTAIN;
}

/* Adds a pair that is within the distance, or keeps it as a candidate. There is room for one more.
 */
PLI_ALWAYS_INLINE void add_found(PliFeatureSearch *search, const PliantFeatures kind,
                                 const uint32_t overlap[2], const PliClosest *closest)
{
    PliFeaturePair pair = pli_feature_pair_of(search, kind, overlap[0], overlap[1]);
    if (search->has_groups)
        pli_feature_vertices(search, kind, pair.points, pair.vertices);
    if (search->keeps) {
        PliNearCandidate *candidate =
            (PliNearCandidate *)search->candidates.items + search->candidates.count++;
        candidate->base = (PliCandidate){.kind = kind,
                                         .feature_a = pair.features[0],
                                         .feature_b = pair.features[1],
                                         .distance = closest->distance};
        memcpy(candidate->base.vertices, pair.vertices, sizeof pair.vertices);
        pli_feature_points(search->cache.rows, pair.points, candidate->points);
    } else {
        PliantNearPair *found =
            (PliantNearPair *)search->found.items.items + search->found.items.count++;
        pli_near_pair(found, kind, pair.features[0], pair.features[1], pair.vertices, closest);
        found->flags = flags_of(search, kind, pair.vertices, closest->distance);
    }
}

/* Pairs that are decided at a time. */
enum { BATCH = PLI_THICK_BATCH };

/* Lists those of some overlaps that are pairs, and their points: once, since what was tested is
 * noted. */
PLI_ALWAYS_INLINE int32_t list_pairs(PliFeatureSearch *search, const PliantFeatures kind,
                                     const uint32_t *overlaps, int32_t count,
                                     uint32_t pairs[2 * BATCH], uint32_t points[4 * BATCH])
{
    int32_t pair_count = 0;
    for (int32_t i = 0; i < 2 * count; i += 2) {
        if (!pli_feature_is_pair(search, kind, overlaps[i], overlaps[i + 1]))
            continue;
        const PliFeaturePair pair = pli_feature_pair_of(search, kind, overlaps[i], overlaps[i + 1]);
        memcpy(pairs + 2 * pair_count, overlaps + i, 2 * sizeof *pairs);
        for (int k = 0; k < 4; k++)
            points[4 * pair_count + k] = pair.points[k];
        pair_count++;
    }
    return pair_count;
}

/* Leaves out those of the overlaps that are certainly farther. Returns how many are left. */
static int32_t drop_far(PliNear *near, PliantFeatures kind, int32_t count)
{
    const PliFeatureSearch *search = &near->search;
    const bool are_edges = kind == PLIANT_EDGE_EDGE;
    uint32_t *overlaps = near->overlaps.items, rows[2 * BATCH], places[BATCH + PLI_LEAF_SIZE];
    int32_t left = 0;
    for (int32_t first = 0; first < count; first += BATCH) {
        const uint32_t *pairs = overlaps + 2 * first;
        const int32_t pair_count = count - first < BATCH ? count - first : BATCH;
        for (int32_t i = 0; i < pair_count && !are_edges; i++) {
            rows[2 * i] = pairs[2 * i];
            rows[2 * i + 1] = pli_feature_row(search, pairs[2 * i + 1]);
        }
        const PliFarPairs far = {.features = search->features.items,
                                 .rows = are_edges ? NULL : search->cache.rows,
                                 .vertices = search->triangles.items,
                                 .pairs = are_edges ? pairs : rows,
                                 .count = pair_count,
                                 .distance = search->reach,
                                 .is_self = search->is_self};
        const int32_t place_count = search->worker->kernels->drop_far(&far, places);
        for (int32_t i = 0; i < place_count; i++, left++)
            memcpy(overlaps + 2 * left, pairs + 2 * places[i], 2 * sizeof *pairs);
    }
    return left;
}

/* Decides some pairs at points of a table: nearness[i] is PLI_NEAR or PLI_NEAR_NEVER. */
static void decide_pairs(PliNear *near, const float *table, PliantFeatures kind,
                         const uint32_t *points, const uint32_t *vertices, int32_t count,
                         uint8_t *nearness, PliClosest *closest)
{
    PliFeatureSearch *search = &near->search;
    const bool varies = vertices && !search->keeps && pli_feature_search_varies(search);
    float distances[BATCH];
    if (varies)
        pli_thick_distances(search, kind, vertices, count, distances);
    const PliNearPairs pairs = {.table = table,
                                .pairs = points,
                                .count = count,
                                .are_edges = kind == PLIANT_EDGE_EDGE,
                                .distance = search->keeps ? search->reach : search->pair_distance,
                                .distances = varies ? distances : NULL};
    pli_pairs_near(search->worker->kernels, &pairs, nearness, closest, &search->counts);
}

PLI_ALWAYS_INLINE void test_batch(PliNear *near, const PliantFeatures kind,
                                  const uint32_t *overlaps, int32_t overlap_count)
{
    PliFeatureSearch *search = &near->search;
    PliClosest closest[BATCH];
    uint32_t pairs[2 * BATCH], points[4 * BATCH], room[4 * BATCH], *vertices = NULL;
    uint8_t nearness[BATCH];
    const int32_t count = list_pairs(search, kind, overlaps, overlap_count, pairs, points);
    near->pair_count += count;
    if (pli_feature_search_varies(search)) {
        vertices = room;
        pli_thick_vertices(search, points, 4 * count, vertices);
    }
    decide_pairs(near, search->cache.rows, kind, points, vertices, count, nearness, closest);
    if (pli_feature_search_has_rest(search))
        pli_thick_drop(search, kind, points, count, nearness);
    for (int32_t i = 0; i < count; i++)
        if (nearness[i] == PLI_NEAR)
            add_found(search, kind, pairs + 2 * i, &closest[i]);
}

/* Those that overlap: there is room for all. Compiled for each kind. */
PLI_ALWAYS_INLINE void test_all(PliNear *near, const PliantFeatures kind, int32_t count)
{
    const uint32_t *overlaps = near->overlaps.items;
    for (int32_t i = 0; i < count; i += BATCH)
        test_batch(near, kind, overlaps + 2 * i, count - i < BATCH ? count - i : BATCH);
}

/* ---- Pairs of groups ---------------------------------------------------------------------------
 */

/* PliFeatureDecider.start. */
static void start(PliFeatureSearch *search)
{
    PliNear *near = (PliNear *)search;
    near->own_count = 0;
    memset(near->group_counts, 0, sizeof near->group_counts);
}

/* Of all pairs of groups, with what the kernel may write behind. */
enum {
    MAX_OVERLAPS = (PLI_NEAR_GROUP_PAIRS + PLI_NEAR_OWN_GROUPS) * PLI_LEAF_SIZE * PLI_LEAF_SIZE + 8
};

/* Lists pairs of edges of one group: half of all there would be twice, and most others have a
 * vertex in common. Returns how many there are. */
static int32_t overlap_own(PliNear *near, uint32_t *overlaps)
{
    const PliFeatureSearch *search = &near->search;
    const PliKernels *kernels = search->worker->kernels;
    PliExclusionMask masks[PLI_NEAR_OWN_GROUPS];
    const PliExclusionMask *each[PLI_NEAR_OWN_GROUPS];
    for (int32_t i = 0; i < near->own_count; i++) {
        const size_t first = PLI_LEAF_SIZE * (size_t)near->own_groups[2 * i];
        each[i] = &masks[i];
        kernels->mask_neighbors(((const PliLeafFeature *)search->features.items)[first].ends,
                                &masks[i]);
    }
    const int32_t count = kernels->overlap_leaves(search->groups[0].items, near->own_groups,
                                                  near->own_count, each, overlaps);
    for (int32_t i = 0; i < count; i++, overlaps += 2) {
        const uint32_t one = overlaps[0], other = overlaps[1];
        overlaps[0] = one < other ? one : other;
        overlaps[1] = one < other ? other : one;
    }
    near->own_count = 0;
    return count;
}

/* Puts overlaps in one order, whatever the kernel's: with a limit, what is found first counts. */
static PliantResult sort_overlaps(PliNear *near, int32_t count)
{
    PliFound *found = &near->search.found;
    const PliantHost *host = near->search.worker->host;
    uint32_t *overlaps = near->overlaps.items;
    PLI_TRY(pli_array_reserve(&found->ranked[0], host, count));
    PLI_TRY(pli_array_reserve(&found->ranked[1], host, count));
    uint64_t *keys = found->ranked[0].items;
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)overlaps[2 * i] << 32 | overlaps[2 * i + 1];
    pli_sort_keys(keys, found->ranked[1].items, count, 64);
    for (int32_t i = 0; i < count; i++) {
        overlaps[2 * i] = (uint32_t)(keys[i] >> 32);
        overlaps[2 * i + 1] = (uint32_t)keys[i];
    }
    return PLIANT_OK;
}

/* PliFeatureDecider.finish. */
static PliantResult finish(PliFeatureSearch *search, PliantFeatures kind)
{
    PliNear *near = (PliNear *)search;
    const PliantHost *host = search->worker->host;
    PLI_TRY(pli_array_reserve(&near->overlaps, host, MAX_OVERLAPS));
    int32_t overlap_count = search->worker->kernels->overlap_leaves(
        search->groups[0].items, near->groups[kind], near->group_counts[kind], NULL,
        near->overlaps.items);
    if (kind == PLIANT_EDGE_EDGE && near->own_count > 0)
        overlap_count += overlap_own(near, (uint32_t *)near->overlaps.items + 2 * overlap_count);
    const int32_t count = drop_far(near, kind, overlap_count);
    near->group_counts[kind] = 0;
    if (search->found.limit < PLI_NO_LIMIT)
        PLI_TRY(sort_overlaps(near, count));
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

/* As pli_box_overlaps(), with one branch: it cannot be predicted. */
static bool do_overlap(const PliBox *a, const PliBox *b)
{
    bool does = true;
    for (int k = 0; k < 3; k++)
        does &= (a->low[k] <= b->high[k]) & (b->low[k] <= a->high[k]);
    return does;
}

/* PliFeatureDecider.test. */
static PliantResult test(PliFeatureSearch *search, PliantFeatures kind, int32_t a, int32_t b)
{
    PliNear *near = (PliNear *)search;
    if (!do_overlap(&pli_feature_group(search, 0, a)->all, &pli_feature_group(search, 0, b)->all))
        return PLIANT_OK;
    if (a == b) {
        near->own_groups[2 * near->own_count] = near->own_groups[2 * near->own_count + 1] =
            (uint32_t)a;
        return ++near->own_count == PLI_NEAR_OWN_GROUPS ? finish(search, kind) : PLIANT_OK;
    }
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
    *near = (PliNear){.overlaps = {.item_size = 2 * sizeof(uint32_t)}};
    pli_feature_search_init(&near->search, &NEAR, worker);
}

void pli_near_free(PliNear *near)
{
    pli_array_free(&near->overlaps, near->search.worker->host);
    pli_feature_search_free(&near->search);
}

void pli_near_start(PliNear *near, float distance, float margin, float rest_distance)
{
    pli_feature_search_start(&near->search, distance, margin, rest_distance);
}

/* Candidates that are decided at a time, all of one kind. */
typedef struct CandidateBatch {
    const PliNearCandidate *candidates[BATCH];
    float points[12 * BATCH];
    int32_t count;
    PliantFeatures kind;
} CandidateBatch;

/* Adds a pair, or keeps the first of two that are the same. There is room, where it is written: a
 * copy would wait for what was just written. */
static void add_first(const PliFeatureSearch *search, const PliantNearPair *first,
                      PliantNearPair **end, const PliCandidate *base, const PliClosest *closest)
{
    PliantNearPair *found = *end;
    const PliFound *of = &search->found;
    pli_near_pair(found, base->kind, base->feature_a, base->feature_b, base->vertices, closest);
    found->flags = flags_of(search, base->kind, base->vertices, closest->distance);
    found->body_a = of->bodies[0];
    found->body_b = of->bodies[1];
    if (found == first ||
        pli_feature_key(base->kind, base->feature_a, base->feature_b) != pli_near_key(found - 1))
        ++*end;
    else if (pli_near_is_before(found, found - 1))
        found[-1] = *found;
}

static void decide_batch(PliNear *near, CandidateBatch *batch, PliantNearPair *first,
                         PliantNearPair **end)
{
    PliClosest closest[BATCH];
    uint8_t nearness[BATCH];
    uint32_t pairs[4 * BATCH], vertices[4 * BATCH];
    for (int32_t i = 0; i < 4 * batch->count; i++) {
        pairs[i] = (uint32_t)i;
        vertices[i] = batch->candidates[i / 4]->base.vertices[i % 4];
    }
    decide_pairs(near, batch->points, batch->kind, pairs, vertices, batch->count, nearness,
                 closest);
    for (int32_t i = 0; i < batch->count; i++)
        if (nearness[i] == PLI_NEAR)
            add_first(&near->search, first, end, &batch->candidates[i]->base, &closest[i]);
    near->pair_count += batch->count;
    batch->count = 0;
}

/* Appends those of the candidates of a pair that are within a distance. Those that were farther
 * than `far` are not. */
static PliantResult decide(PliNear *near, const PliKept *kept, const PliKeptPair *pair,
                           const PliKeptSide sides[2], double far, PliArray *pairs)
{
    enum { AHEAD = 12 }; /* candidates come from far away */
    CandidateBatch batch;
    batch.count = 0;
    if (pair->count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(pairs, near->search.worker->host, pairs->count + pair->count));
    PliantNearPair *first = (PliantNearPair *)pairs->items + pairs->count, *end = first;
    for (int64_t i = 0; i < pair->count; i++) {
        const PliNearCandidate *candidate =
            (const PliNearCandidate *)(const void *)pli_kept_candidate(kept, pair->first + i);
        __builtin_prefetch(candidate + AHEAD);
        if ((double)candidate->base.distance > far)
            continue;
        if (batch.count == BATCH || (batch.count > 0 && candidate->base.kind != batch.kind))
            decide_batch(near, &batch, first, &end);
        batch.kind = candidate->base.kind;
        batch.candidates[batch.count] = candidate;
        pli_candidate_points(&candidate->base, candidate->points, 0, &sides[0], &sides[1],
                             batch.points + 12 * batch.count++);
    }
    if (batch.count > 0)
        decide_batch(near, &batch, first, &end);
    pairs->count += end - first;
    return PLIANT_OK;
}

PliantResult pli_near_find_kept(PliNear *near, PliKept *kept, uint64_t *last_epoch,
                                const PliFeatureSide *a, const PliFeatureSide *b,
                                PliKeptSide sides[2], PliArray *pairs)
{
    PliKeptPair now = {.until = near->search.until};
    const PliKeptPair *pair;
    PLI_TRY(pli_feature_search_kept(&near->search, kept, last_epoch, a, b, sides, &now, &pair));
    near->search.keeps = false;
    /* A candidate that was d apart is farther than the distance if distance + m + n < d. A returned
     * d may be one ulp above the real one (geom/closest.h). */
    const double far =
        pli_kept_reach(pair, &sides[0], &sides[1], near->search.pair_distance) * (1 + 0x1p-22) +
        0x1p-148;
    return decide(near, kept, pair, sides, far, pairs);
}
