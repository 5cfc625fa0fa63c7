/* Pairs of features that may be near, or touch on the way: see feature_search.h. */
#include "query/feature_leaves.h"

enum { ARRAYS = 12 };
static void list_arrays(PliFeatureSearch *search, PliArray *arrays[ARRAYS])
{
    PliArray *const all[ARRAYS] = {&search->end_rows,   &search->leaves,     &search->triangles,
                                   &search->groups[0],  &search->groups[1],  &search->group_slots,
                                   &search->features,   &search->leaf_pairs, &search->slot_pairs,
                                   &search->candidates, &search->tested,     &search->firsts};
    memcpy(arrays, all, sizeof all);
}

void pli_feature_search_init(PliFeatureSearch *search, const PliFeatureDecider *decider,
                             PliWorker *worker)
{
    const size_t sizes[ARRAYS] = {sizeof(float),
                                  sizeof(PliFeatureLeaf),
                                  sizeof(PliNearTriangle),
                                  sizeof(PliLeafBoxes),
                                  sizeof(PliLeafBoxes),
                                  sizeof(int32_t),
                                  sizeof(PliLeafFeature),
                                  decider->has_ends ? sizeof(PliMovingLeafPair)
                                                    : sizeof(PliLeafPair),
                                  sizeof(PliMovingLeafPair),
                                  decider->candidate_size,
                                  sizeof(uint64_t),
                                  decider->leaf_size > 0 ? decider->leaf_size : 1};
    PliArray *arrays[ARRAYS];
    *search = (PliFeatureSearch){.decider = decider, .worker = worker, .until = INFINITY};
    list_arrays(search, arrays);
    for (int i = 0; i < ARRAYS; i++)
        arrays[i]->item_size = sizes[i];
    pli_found_init(&search->found, decider->is_before);
    pli_leaf_cache_init(&search->cache);
    pli_walk_init(&search->walk);
}

void pli_feature_search_free(PliFeatureSearch *search)
{
    const PliantHost *host = search->worker->host;
    PliArray *arrays[ARRAYS];
    list_arrays(search, arrays);
    for (int i = 0; i < ARRAYS; i++)
        pli_array_free(arrays[i], host);
    pli_found_free(&search->found, host);
    pli_leaf_cache_free(&search->cache, host);
    pli_walk_free(&search->walk, host);
}

void pli_feature_search_start(PliFeatureSearch *search, float distance, float margin,
                              float rest_distance)
{
    search->distance = distance;
    search->margin = margin;
    search->rest_distance = rest_distance;
    search->found.limit = PLI_NO_LIMIT;
    pli_leaf_cache_clear(&search->cache);
}

/* ---- Pairs of leaves ---------------------------------------------------------------------------
 */

/* Are vertices of a side tested against the triangles of a leaf? */
static bool are_for_vertices(const PliFeatureSearch *search, const PliFeatureLeaf *leaf, int of)
{
    return !leaf->are_segments || pli_near_has_alone(&search->sides[of].features);
}

/* All groups of two leaves, or within one. */
static PliantResult test_leaf_pair(PliFeatureSearch *search, const PliMovingLeafPair *pair)
{
    const PliFeatureDecider *decider = search->decider;
    const PliFeatureLeaf *leaves = search->leaves.items, *a = &leaves[pair->a],
                         *b = &leaves[pair->b];
    const PliantFeatures b_kind = search->is_self ? PLIANT_VERTEX_TRIANGLE : PLIANT_TRIANGLE_VERTEX;
    const bool is_one = a == b;
    if (!is_one && decider->do_triangles_overlap &&
        !decider->do_triangles_overlap(search, a->triangles, b->triangles))
        return PLIANT_OK;
    pli_feature_leaves_make(search, 0, pair->a);
    pli_feature_leaves_make(search, 1, pair->b);
    for (int32_t g = a->vertices; g < a->edges && are_for_vertices(search, b, 0); g++)
        PLI_TRY(decider->test(search, PLIANT_VERTEX_TRIANGLE, g, b->triangles));
    for (int32_t g = b->vertices; g < b->edges && !is_one && are_for_vertices(search, a, 1); g++)
        PLI_TRY(decider->test(search, b_kind, g, a->triangles));
    for (int32_t g = a->edges; g < a->end; g++)
        for (int32_t h = is_one ? g : b->edges; h < b->end; h++)
            PLI_TRY(decider->test(search, PLIANT_EDGE_EDGE, g, h));
    return PLIANT_OK;
}

static PliantResult test_leaf_pairs(PliFeatureSearch *search, const void *pairs, int64_t count)
{
    search->leaf_pair_count += count;
    PLI_TRY(pli_feature_leaves_fetch(search, pairs, count));
    const PliMovingLeafPair *pairs_of_slots = search->slot_pairs.items;
    for (int64_t i = 0; i < count; i++)
        if (pairs_of_slots[i].time <= search->until && !search->found.is_over)
            PLI_TRY(test_leaf_pair(search, &pairs_of_slots[i]));
    for (int kind = PLIANT_VERTEX_TRIANGLE; kind <= PLIANT_EDGE_EDGE; kind++)
        PLI_TRY(search->decider->finish(search, (PliantFeatures)kind));
    return PLIANT_OK;
}

/* ---- Two poses --------------------------------------------------------------------------------
 */

PliantResult pli_moving_features(PliMovingPose pose, const PliantHost *host,
                                 PliPoseFeatures *features)
{
    PliPoseFeatures at_end;
    PLI_TRY(pose.start->kind->features(pose.start, host, features));
    if (pose.start == pose.end)
        return PLIANT_OK;
    PLI_TRY(pose.end->kind->features(pose.end, host, &at_end));
    features->are_apart |= at_end.are_apart;
    features->is_finite &= at_end.is_finite;
    return PLIANT_OK;
}

static PliMovingBounds bounds_of(PliMovingPose pose)
{
    return (PliMovingBounds){&pose.start->bounds, &pose.end->bounds, pose.start->pieces};
}

/* Starts a walk at the roots, or goes on with a part of one, whose leaf pairs are tested. Of
 * candidates all are wanted, in whatever order. */
static PliantResult start_walk(PliFeatureSearch *search, const PliWalkPart *part)
{
    const PliantHost *host = search->worker->host;
    const PliWalkDef def = {.a = bounds_of(search->sides[0].pose),
                            .b = bounds_of(search->sides[1].pose),
                            .reach = search->reach,
                            .has_times = search->decider->has_ends,
                            .until = search->until,
                            .is_best_first = search->is_first_wanted && !search->keeps};
    if (!part)
        return pli_walk_start(&search->walk, &def, host);
    pli_walk_start_part(&search->walk, &def);
    PLI_TRY(pli_walk_add(&search->walk, part->pairs, part->pair_count, host));
    for (int64_t i = 0; i < part->leaf_pair_count; i += PLI_FEATURE_PORTION) {
        const int64_t left = part->leaf_pair_count - i;
        PLI_TRY(test_leaf_pairs(
            search, (const char *)part->leaf_pairs + (size_t)i * search->leaf_pairs.item_size,
            left < PLI_FEATURE_PORTION ? left : PLI_FEATURE_PORTION));
    }
    return PLIANT_OK;
}

void pli_feature_search_share_time(PliFeatureSearch *search)
{
    if (!search->first_time)
        return;
    const uint32_t mine = pli_time_bits(search->until);
    uint_least32_t first = atomic_load_explicit(search->first_time, memory_order_relaxed);
    while (mine < first && !atomic_compare_exchange_weak(search->first_time, &first, mine))
        ;
    if (first < mine)
        memcpy(&search->until, &(uint32_t){first}, sizeof search->until);
}

static bool has_groups(const PliPoseFeatures *features)
{
    return features->corner_vertices && features->corner_vertices != features->corners;
}

void pli_feature_search_set_sides(PliFeatureSearch *search, const PliFeatureSide *a,
                                  const PliFeatureSide *b)
{
    search->sides[0] = *a;
    search->sides[1] = *b;
    search->is_self = a->pose.start == b->pose.start;
    search->has_groups = has_groups(&a->features) || has_groups(&b->features);
    search->has_pieces = a->pose.start->pieces || b->pose.start->pieces;
    search->bare_distance =
        pli_thick_distance(search->distance, a->radii->greatest, b->radii->greatest);
    search->error = pli_sum_up(a->error, b->error);
    search->pair_distance = pli_sum_up(search->bare_distance, search->error);
    search->reach = pli_reach_with(search->pair_distance, search->margin);
}

/* Makes room for what is noted of pairs that were tested, and of leaves. */
static PliantResult reserve_notes(PliFeatureSearch *search)
{
    const PliantHost *host = search->worker->host;
    const size_t leaf_size = search->decider->leaf_size;
    if (search->has_pieces) {
        PLI_TRY(pli_array_reserve(&search->tested, host, 1 << PLI_TESTED_BITS));
        memset(search->tested.items, 0xff, sizeof(uint64_t) << PLI_TESTED_BITS);
    }
    if (leaf_size == 0 || search->firsts.items)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&search->firsts, host, PLI_MAX_FEATURE_LEAVES));
    memset(search->firsts.items, 0, leaf_size * PLI_MAX_FEATURE_LEAVES);
    return PLIANT_OK;
}

PliantResult pli_feature_search_run(PliFeatureSearch *search, const PliFeatureSide *a,
                                    const PliFeatureSide *b, const PliWalkPart *part,
                                    int64_t max_work, bool keeps)
{
    enum { PAIR_WORK = 8 }; /* so many pairs of leaves of a collision query take as long */
    const int64_t first = search->leaf_pair_count;
    PliWalk *walk = &search->walk;
    pli_feature_search_set_sides(search, a, b);
    search->keeps = keeps;
    PLI_TRY(reserve_notes(search));
    pli_found_start(&search->found);
    search->decider->start(search);
    search->candidates.count = search->leaf_pairs.count = walk->stack.count = 0;
    if (a->pose.start->bounds.tree->leaf_count == 0 || b->pose.start->bounds.tree->leaf_count == 0)
        return PLIANT_OK;
    PLI_TRY(
        pli_leaf_cache_start(&search->cache, a->pose.start, b->pose.start, search->worker->host));
    PLI_TRY(start_walk(search, part));
    while (!pli_walk_is_done(walk) && !search->found.is_over &&
           PAIR_WORK * (search->leaf_pair_count - first) < max_work) {
        walk->def.until = search->until;
        PLI_TRY(pli_walk_on(walk, search->worker,
                            walk->def.is_best_first ? PLI_FIRST_PORTION : PLI_FEATURE_PORTION,
                            &search->leaf_pairs));
        const int64_t count = search->leaf_pairs.count;
        search->leaf_pairs.count = 0;
        PLI_TRY(test_leaf_pairs(search, search->leaf_pairs.items, count));
        if (!keeps)
            pli_feature_search_share_time(search);
        PLI_TRY(pli_worker_check(search->worker));
    }
    return PLIANT_OK;
}

PliantResult pli_feature_search_append(PliFeatureSearch *search, PliArray *to)
{
    const PliantHost *host = search->worker->host;
    return search->is_first_wanted ? pli_found_append_first(&search->found, to, host)
                                   : pli_found_append(&search->found, to, host);
}

PliantResult pli_feature_search_find(PliFeatureSearch *search, const PliFeatureSide *a,
                                     const PliFeatureSide *b, const PliWalkPart *part,
                                     int64_t max_work, PliArray *to)
{
    PLI_TRY(pli_feature_search_run(search, a, b, part, max_work, false));
    return pli_feature_search_append(search, to);
}

PliantResult pli_feature_search_kept(PliFeatureSearch *search, PliKept *kept, uint64_t *last_epoch,
                                     const PliFeatureSide *a, const PliFeatureSide *b,
                                     PliKeptSide sides[2], PliKeptPair *now,
                                     const PliKeptPair **pair)
{
    const float until = search->until;
    pli_feature_search_set_sides(search, a, b);
    now->reach = search->reach;
    now->rest_distance = search->rest_distance;
    now->thick_distance =
        search->rest_distance == 0 && pli_feature_search_has_rest(search) ? search->distance : -1;
    sides[0].are_apart = a->features.are_apart;
    sides[1].are_apart = b->features.are_apart;
    *pair = pli_kept_pair(kept, &sides[0], &sides[1], search->pair_distance, now);
    if (*pair)
        return PLIANT_OK;
    pli_kept_settle(&sides[0], &sides[1], now, last_epoch);
    search->until = now->until; /* however early the first impact so far is */
    const PliantResult result = pli_feature_search_run(search, a, b, NULL, INT64_MAX, true);
    search->until = until;
    PLI_TRY(result);
    *pair = now;
    return pli_kept_append(kept, &search->candidates, search->found.ranked, search->worker->host,
                           now);
}
