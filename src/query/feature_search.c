/* Pairs of features that may be near, or touch on the way: see feature_search.h. */
#include "query/feature_search.h"
#include "base/round.h"

/* Leaves that are kept, at most. */
enum { MAX_LEAVES = 512 };
_Static_assert(2 * PLI_MAX_PORTION + 1 <= MAX_LEAVES && MAX_LEAVES <= (int)PLI_MAX_SLOTS,
               "a portion has room");

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

void pli_feature_search_start(PliFeatureSearch *search, float reach)
{
    search->reach = reach;
    search->found.limit = PLI_NO_LIMIT;
    pli_leaf_cache_clear(&search->cache);
}

/* ---- The features of a leaf --------------------------------------------------------------------
 *
 * If triangles are divided, each piece has the features of the whole triangle, and each box is that
 * of what the piece has of the feature. Pieces cover a triangle, so that the closest points of two
 * features are in a piece of each. A point of a piece and a feature is, at either end, in the box
 * of the piece and in that of the feature, and so in what these have in common; if that is nothing
 * at one end, there is no such point.
 *
 * Functions with `ends` are compiled for one end and for two.
 */

/* A leaf that was fetched: in which slot, its rows and the boxes of its triangles at both ends. */
typedef struct Fetched {
    int32_t slot, count;
    bool have_pieces; /* of triangles that were divided */
    const float *rows[2];
    PliLeafBoxes *boxes[2];
} Fetched;

static Fetched fetched_at(const PliFeatureSearch *search, const PliFeatureSide *side, int32_t slot)
{
    const size_t first = (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * (size_t)slot;
    const PliFeatureLeaf *leaf = (const PliFeatureLeaf *)search->leaves.items + slot;
    Fetched fetched = {slot,
                       leaf->count,
                       side->pose.start->pieces != NULL,
                       {search->cache.rows + first, NULL},
                       {pli_feature_group(search, 0, leaf->triangles), NULL}};
    if (search->decider->has_ends) {
        fetched.rows[1] = (const float *)search->end_rows.items + first;
        fetched.boxes[1] = pli_feature_group(search, 1, leaf->triangles);
    }
    return fetched;
}

/* Where features of a leaf are added: there is room for all of them. */
typedef struct Adding {
    PliLeafFeature *features;
    PliLeafBoxes *groups[2];
    int32_t count;
} Adding;

static Adding start_adding(const PliFeatureSearch *search)
{
    const int32_t group = search->group_count;
    return (Adding){(PliLeafFeature *)search->features.items +
                        (size_t)PLI_LEAF_SIZE * (size_t)group,
                    {pli_feature_group(search, 0, group),
                     search->decider->has_ends ? pli_feature_group(search, 1, group) : NULL},
                    0};
}

/* The box of all boxes of a group, which skips NaN. */
static void bound_group(PliLeafBoxes *group)
{
    for (int k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < PLI_LEAF_SIZE; i++) {
            low = group->low[k][i] < low ? group->low[k][i] : low;
            high = group->high[k][i] > high ? group->high[k][i] : high;
        }
        group->all.low[k] = low;
        group->all.high[k] = high;
    }
}

_Static_assert(sizeof(PliLeafFeature) == PLI_FEATURE_STRIDE * sizeof(uint32_t),
               "points of features are so far apart");

/* The boxes of whole features. */
static void box_features(const PliFeatureSearch *search, const Adding *adding, int32_t group_count,
                         int ends)
{
    const int32_t count = adding->count;
    for (int32_t i = count; i < PLI_LEAF_SIZE * group_count; i++)
        adding->features[i] = adding->features[count - 1];
    for (int end = 0; end < ends; end++)
        search->worker->kernels->box_features(
            end == 0 ? search->cache.rows : search->end_rows.items, adding->features[0].points,
            count, adding->groups[end]);
}

/* Ends the last group: unused boxes are NaN. */
PLI_ALWAYS_INLINE void end_adding(PliFeatureSearch *search, const Adding *adding, bool have_pieces,
                                  int ends)
{
    const int32_t group_count = (int32_t)pli_div_up(adding->count, PLI_LEAF_SIZE);
    if (!have_pieces)
        box_features(search, adding, group_count, ends);
    for (int end = 0; end < ends && have_pieces; end++) {
        PliLeafBoxes *groups = adding->groups[end];
        for (int32_t i = adding->count; i < PLI_LEAF_SIZE * group_count; i++)
            for (int k = 0; k < 3; k++)
                groups[i / PLI_LEAF_SIZE].low[k][i % PLI_LEAF_SIZE] =
                    groups[i / PLI_LEAF_SIZE].high[k][i % PLI_LEAF_SIZE] = NAN;
        for (int32_t g = 0; g < group_count; g++)
            bound_group(&groups[g]);
    }
    search->group_count += group_count;
}

/* Adds corner `first` of triangle i, or the edge from there to corner `second`; of a piece, if any
 * of it is in the box of the piece. */
PLI_ALWAYS_INLINE void add_feature(Adding *adding, const Fetched *leaf, int i, int first,
                                   int second, const PliNearTriangle *triangle, int32_t number,
                                   int ends)
{
    const int32_t lane = adding->count % PLI_LEAF_SIZE, group = adding->count / PLI_LEAF_SIZE;
    const uint32_t row = (uint32_t)(PLI_LEAF_SIZE * leaf->slot + i);
    bool is_here = true;
    for (int end = 0; end < ends && leaf->have_pieces; end++) {
        const float *p = leaf->rows[end] + PLI_ROW_SIZE * i + 3 * first,
                    *q = leaf->rows[end] + PLI_ROW_SIZE * i + 3 * second;
        for (int k = 0; k < 3; k++) {
            const float leaf_low = leaf->boxes[end]->low[k][i],
                        leaf_high = leaf->boxes[end]->high[k][i];
            float low = p[k] < q[k] ? p[k] : q[k], high = p[k] < q[k] ? q[k] : p[k];
            low = low < leaf_low ? leaf_low : low;
            high = high > leaf_high ? leaf_high : high;
            is_here &= low <= high;
            adding->groups[end][group].low[k][lane] = low;
            adding->groups[end][group].high[k][lane] = high;
        }
    }
    adding->features[adding->count] =
        (PliLeafFeature){{3 * row + (uint32_t)first, 3 * row + (uint32_t)second},
                         {triangle->vertices[first], triangle->vertices[second]},
                         number};
    adding->count += is_here;
}

/* Finds the triangles of a leaf, whose group has their boxes. Those that are not finite get boxes
 * that overlap nothing. */
static void find_triangles(PliFeatureSearch *search, const PliFeatureSide *side,
                           const Fetched *leaf, int ends)
{
    PliNearTriangle *triangles =
        (PliNearTriangle *)search->triangles.items + PLI_LEAF_SIZE * leaf->slot;
    for (int32_t i = 0; i < leaf->count; i++) {
        const uint32_t row = (uint32_t)(PLI_LEAF_SIZE * leaf->slot + i);
        const int32_t number =
            pli_pose_triangle(side->pose.start, pli_leaf_cache_position(&search->cache, row));
        bool is_finite = true;
        triangles[i] = pli_near_triangle(&side->features, number);
        pli_near_prefetch(&side->features, number);
        for (int end = 0; end < ends; end++)
            is_finite &= pli_is_finite(leaf->rows[end] + PLI_ROW_SIZE * i, PLI_ROW_SIZE);
        for (int end = 0; end < ends && !is_finite; end++)
            for (int k = 0; k < 3; k++)
                leaf->boxes[end]->low[k][i] = leaf->boxes[end]->high[k][i] = NAN;
    }
    for (int end = 0; end < ends; end++)
        bound_group(leaf->boxes[end]);
}

/* Makes boxes wider by half of the reach. */
static void widen_groups(PliFeatureSearch *search, int32_t first, int32_t group_end, int ends)
{
    const float half = pli_half_up(search->reach);
    for (int32_t g = first; half > 0 && g < group_end; g++)
        for (int end = 0; end < ends; end++) {
            PliLeafBoxes *group = pli_feature_group(search, end, g);
            pli_widen(group->low[0], group->high[0], 3 * PLI_LEAF_SIZE, half);
            group->all = pli_box_widened(&group->all, half);
        }
}

/* What the triangles of a leaf own: nothing if one is not finite, and so has no box. */
static void find_owned(const PliFeatureSide *side, const Fetched *leaf,
                       const PliNearTriangle *triangles, uint8_t owned[PLI_LEAF_SIZE])
{
    for (int32_t i = 0; i < leaf->count; i++)
        owned[i] = isnan(leaf->boxes[0]->low[0][i])
                       ? 0
                       : pli_near_owned(&side->features, triangles[i].number);
}

/* Makes the groups of the vertices of a leaf, then those of its edges, each with its lower vertex
 * first; but not if both ends of an edge are one vertex. */
PLI_ALWAYS_INLINE void make_groups(PliFeatureSearch *search, const PliFeatureSide *side,
                                   int32_t slot, const int ends)
{
    PliFeatureLeaf *leaf = (PliFeatureLeaf *)search->leaves.items + slot;
    const PliNearTriangle *triangles =
        (const PliNearTriangle *)search->triangles.items + PLI_LEAF_SIZE * slot;
    const Fetched fetched = fetched_at(search, side, slot);
    uint8_t owned[PLI_LEAF_SIZE] = {0};
    find_owned(side, &fetched, triangles, owned);
    leaf->vertices = search->group_count;
    Adding adding = start_adding(search);
    for (int32_t i = 0; i < leaf->count; i++)
        for (uint32_t bits = owned[i] & 7; bits; bits &= bits - 1) {
            const int k = __builtin_ctz(bits);
            add_feature(&adding, &fetched, i, k, k, &triangles[i],
                        (int32_t)triangles[i].vertices[k], ends);
        }
    end_adding(search, &adding, fetched.have_pieces, ends);
    leaf->edges = search->group_count;
    adding = start_adding(search);
    for (int32_t i = 0; i < leaf->count; i++)
        for (uint32_t bits = owned[i] >> 3; bits; bits &= bits - 1) {
            const int k = __builtin_ctz(bits);
            const int32_t edge = pli_near_edge(&side->features, triangles[i].number, k);
            const PliNearEnds corners = pli_near_ends(triangles[i].vertices, k);
            if (edge >= 0)
                add_feature(&adding, &fetched, i, corners.first, corners.second, &triangles[i],
                            edge, ends);
        }
    end_adding(search, &adding, fetched.have_pieces, ends);
    leaf->end = search->group_count;
    widen_groups(search, leaf->vertices, leaf->end, ends);
}

/* The same, on first need. */
static void make_features(PliFeatureSearch *search, const PliFeatureSide *side, int32_t slot)
{
    if (((const PliFeatureLeaf *)search->leaves.items)[slot].vertices >= 0)
        return;
    if (search->decider->has_ends)
        make_groups(search, side, slot, 2);
    else
        make_groups(search, side, slot, 1);
}

/* ---- Leaves that are fetched -------------------------------------------------------------------
 */

/* Fetches a leaf at both ends, and makes the group of its triangles. */
static void fetch_leaf(PliFeatureSearch *search, int number, int32_t slot)
{
    PliLeafCache *cache = &search->cache;
    const PliFeatureSide *side = &search->sides[number];
    const PliPose *start = side->pose.start, *end = side->pose.end;
    const PliSide count_side = number == 1 && !search->is_self ? PLI_SIDE_B : PLI_SIDE_A;
    const int32_t leaf = cache->slot_leaves[slot], group = search->group_count++;
    const size_t size = (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE;
    const PliRange range = start->bounds.tree->leaves[leaf];
    float *start_rows = cache->rows + size * (size_t)slot;
    PliLeafBoxes *start_boxes = pli_feature_group(search, 0, group);
    ((PliFeatureLeaf *)search->leaves.items)[slot] =
        (PliFeatureLeaf){.count = range.count, .triangles = group, .vertices = -1};
    ((int32_t *)search->group_slots.items)[group] = slot;
    cache->first_positions[slot] = range.first;
    pli_pose_fetch(start, leaf, search->worker, count_side, start_rows, start_boxes);
    if (search->decider->has_ends) {
        float *end_rows = (float *)search->end_rows.items + size * (size_t)slot;
        PliLeafBoxes *boxes[2] = {start_boxes, pli_feature_group(search, 1, group)};
        if (end == start) {
            memcpy(end_rows, start_rows, size * sizeof *end_rows);
            *boxes[1] = *boxes[0];
        } else {
            pli_pose_fetch(end, leaf, search->worker, count_side, end_rows, boxes[1]);
        }
        for (int i = 0; i < 2 && start->pieces; i++) /* which are rounded inward */
            pli_widen(boxes[i]->low[0], boxes[i]->high[0], 3 * PLI_LEAF_SIZE, 0);
    }
    const Fetched fetched = fetched_at(search, side, slot);
    const int ends = search->decider->has_ends ? 2 : 1;
    find_triangles(search, side, &fetched, ends);
    widen_groups(search, group, group + 1, ends);
}

/* Fetches the leaves of the slots from `first` on. */
static void fetch(PliFeatureSearch *search, int number, int32_t first)
{
    const PliLeafCache *cache = &search->cache;
    const PliMovingPose pose = search->sides[number].pose;
    for (int32_t slot = first; slot < cache->slot_count; slot++) {
        if (slot + 3 < cache->slot_count) {
            const int32_t later = cache->slot_leaves[slot + 3], next = cache->slot_leaves[slot + 1];
            pose.start->kind->prefetch(pose.start, later, next);
            if (pose.end != pose.start)
                pose.end->kind->prefetch(pose.end, later, next);
        }
        fetch_leaf(search, number, slot);
    }
}

/* Makes room for `wanted` items, of which so many are used. */
static PliantResult keep(PliArray *array, const PliantHost *host, int64_t used, int64_t wanted)
{
    array->count = used;
    return pli_array_reserve(array, host, wanted);
}

/* Makes room for so many more leaves. If there are too many then, those that are there are gone. */
static PliantResult reserve_leaves(PliFeatureSearch *search, int64_t extra)
{
    /* Of a leaf: one of its triangles, and of three vertices and edges of each. */
    enum { MAX_GROUPS = 7 };
    const PliantHost *host = search->worker->host;
    PliLeafCache *cache = &search->cache;
    if (cache->slot_count + extra > MAX_LEAVES)
        pli_leaf_cache_forget(cache);
    if (cache->slot_count == 0)
        search->group_count = 0;
    const int64_t size = PLI_LEAF_SIZE, leaves = cache->slot_count, groups = search->group_count,
                  all = leaves + extra, more_groups = groups + MAX_GROUPS * extra;
    PLI_TRY(pli_leaf_cache_reserve(cache, extra, host));
    PLI_TRY(keep(&search->leaves, host, leaves, all));
    PLI_TRY(keep(&search->triangles, host, size * leaves, size * all));
    PLI_TRY(keep(&search->groups[0], host, groups, more_groups));
    if (search->decider->has_ends) {
        const int64_t floats = size * PLI_ROW_SIZE;
        PLI_TRY(keep(&search->groups[1], host, groups, more_groups));
        PLI_TRY(keep(&search->end_rows, host, floats * leaves, floats * all));
    }
    PLI_TRY(keep(&search->group_slots, host, groups, more_groups));
    return keep(&search->features, host, size * groups, size * more_groups);
}

/* ---- Pairs of leaves ---------------------------------------------------------------------------
 */

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
    make_features(search, &search->sides[0], pair->a);
    make_features(search, &search->sides[1], pair->b);
    for (int32_t g = a->vertices; g < a->edges; g++)
        PLI_TRY(decider->test(search, PLIANT_VERTEX_TRIANGLE, g, b->triangles));
    for (int32_t g = b->vertices; g < b->edges && !is_one; g++)
        PLI_TRY(decider->test(search, b_kind, g, a->triangles));
    for (int32_t g = a->edges; g < a->end; g++)
        for (int32_t h = is_one ? g : b->edges; h < b->end; h++)
            PLI_TRY(decider->test(search, PLIANT_EDGE_EDGE, g, h));
    return PLIANT_OK;
}

static PliMovingLeafPair leaf_pair_at(const PliFeatureSearch *search, const void *pairs, int64_t i)
{
    if (search->decider->has_ends)
        return ((const PliMovingLeafPair *)pairs)[i];
    const PliLeafPair *pair = (const PliLeafPair *)pairs + i;
    return (PliMovingLeafPair){pair->a, pair->b, 0};
}

/* Fetches the leaves of so many pairs, and sets slot_pairs. */
static PliantResult fetch_pairs(PliFeatureSearch *search, const void *pairs, int64_t count)
{
    PliLeafCache *cache = &search->cache;
    const PliLeafSlots *b_slots = search->is_self ? &cache->a_slots : &cache->b_slots;
    PLI_TRY(reserve_leaves(search, 2 * count + 1));
    PLI_TRY(pli_array_reserve(&search->slot_pairs, search->worker->host, PLI_MAX_PORTION));
    PliMovingLeafPair *slot_pairs = search->slot_pairs.items;
    int32_t first = cache->slot_count;
    for (int64_t i = 0; i < count; i++) {
        PliMovingLeafPair *pair = &slot_pairs[i];
        *pair = leaf_pair_at(search, pairs, i);
        pair->a = (int32_t)pli_leaf_cache_slot(cache, &cache->a_slots, pair->a);
    }
    fetch(search, 0, first);
    first = cache->slot_count;
    for (int64_t i = 0; i < count; i++)
        slot_pairs[i].b = (int32_t)pli_leaf_cache_slot(cache, b_slots, slot_pairs[i].b);
    fetch(search, 1, first);
    return PLIANT_OK;
}

static PliantResult test_leaf_pairs(PliFeatureSearch *search, const void *pairs, int64_t count)
{
    search->leaf_pair_count += count;
    PLI_TRY(fetch_pairs(search, pairs, count));
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
    PLI_TRY(pli_array_reserve(&search->firsts, host, MAX_LEAVES));
    memset(search->firsts.items, 0, leaf_size * MAX_LEAVES);
    return PLIANT_OK;
}

PliantResult pli_feature_search_run(PliFeatureSearch *search, const PliFeatureSide *a,
                                    const PliFeatureSide *b, const PliWalkPart *part,
                                    int64_t max_work, bool keeps)
{
    enum { PAIR_WORK = 8 }; /* so many pairs of leaves of a collision query take as long */
    const int64_t first = search->leaf_pair_count;
    PliWalk *walk = &search->walk;
    search->sides[0] = *a;
    search->sides[1] = *b;
    search->is_self = a->pose.start == b->pose.start;
    search->keeps = keeps;
    search->has_groups = has_groups(&a->features) || has_groups(&b->features);
    search->has_pieces = a->pose.start->pieces || b->pose.start->pieces;
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
                                     PliKeptSide sides[2], float distance, PliKeptPair *now,
                                     const PliKeptPair **pair)
{
    const float until = search->until;
    sides[0].are_apart = a->features.are_apart;
    sides[1].are_apart = b->features.are_apart;
    *pair = pli_kept_pair(kept, &sides[0], &sides[1], distance, now);
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
