/* Leaves of a feature search: see feature_leaves.h. */
#include "query/feature_leaves.h"
#include "base/round.h"

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

/* The boxes of whole features. */
static void box_features(const PliFeatureSearch *search, const Adding *adding, int32_t group_count,
                         int ends)
{
    const int32_t count = adding->count;
    for (int32_t i = count; i < PLI_LEAF_SIZE * group_count; i++)
        memcpy(adding->features[i].points, adding->features[count - 1].points,
               sizeof adding->features->points);
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

/* Cuts the box of a feature to that of the piece of its triangle, which is added next. Returns
 * whether any of it is there. */
static bool cut_box(const Adding *adding, const Fetched *leaf, const PliOwnedFeature *owned,
                    int ends)
{
    const int32_t lane = adding->count % PLI_LEAF_SIZE, group = adding->count / PLI_LEAF_SIZE,
                  i = owned->place;
    bool is_here = true;
    for (int end = 0; end < ends; end++) {
        const float *row = leaf->rows[end] + PLI_ROW_SIZE * i, *p = row + 3 * owned->first,
                    *q = row + 3 * owned->second;
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
    return is_here;
}

/* Sets a feature of a leaf. Its points at the start are there twice: with its vertices, for a
 * search without ends (kernels/far.h). */
PLI_ALWAYS_INLINE void set_feature(PliLeafFeature *feature, const Fetched *leaf,
                                   const PliNearTriangle *triangles, const PliOwnedFeature *owned,
                                   int ends)
{
    const uint32_t row = (uint32_t)(PLI_LEAF_SIZE * leaf->slot) + owned->place;
    const int corners[2] = {owned->first, owned->second};
    for (int k = 0; k < 2; k++) {
        feature->points[k] = 3 * row + (uint32_t)corners[k];
        feature->ends[k].vertex = triangles[owned->place].vertices[corners[k]];
        if (ends == 1)
            memcpy(feature->ends[k].point,
                   leaf->rows[0] + PLI_ROW_SIZE * owned->place + 3 * corners[k],
                   sizeof feature->ends[k].point);
    }
    feature->number = owned->number;
}

/* Adds groups of these features; of pieces those that are in their pieces. Returns where the groups
 * begin. */
PLI_ALWAYS_INLINE int32_t add_groups(PliFeatureSearch *search, const Fetched *leaf,
                                     const PliNearTriangle *triangles, const PliOwnedFeature *owned,
                                     int32_t count, int ends)
{
    const int32_t first = search->group_count;
    Adding adding = start_adding(search);
    for (int32_t i = 0; i < count; i++) {
        const bool is_here = !leaf->have_pieces || cut_box(&adding, leaf, &owned[i], ends);
        set_feature(&adding.features[adding.count], leaf, triangles, &owned[i], ends);
        adding.count += is_here;
    }
    end_adding(search, &adding, leaf->have_pieces, ends);
    return first;
}

/* The triangle at a position: its corners lie in the order of the tree, as a rule. */
static inline PliNearTriangle triangle_at(const PliFeatureSide *side, int32_t position)
{
    const PliPose *pose = side->pose.start;
    const int32_t number = pli_pose_triangle(pose, position);
    if (!pose->corners)
        return pli_near_triangle(&side->features, number);
    const uint32_t *corners = pli_pose_corners(pose, position);
    return (PliNearTriangle){{corners[0], corners[1], corners[2]}, number};
}

/* Triangles that are not finite get boxes that overlap nothing. */
static void drop_nonfinite(const Fetched *leaf, int ends)
{
    for (int32_t i = 0; i < leaf->count; i++) {
        bool is_finite = true;
        for (int end = 0; end < ends; end++)
            is_finite &= pli_is_finite(leaf->rows[end] + PLI_ROW_SIZE * i, PLI_ROW_SIZE);
        for (int end = 0; end < ends && !is_finite; end++)
            for (int k = 0; k < 3; k++)
                leaf->boxes[end]->low[k][i] = leaf->boxes[end]->high[k][i] = NAN;
    }
}

/* Finds the triangles of a leaf, whose group has their boxes. */
static void find_triangles(PliFeatureSearch *search, const PliFeatureSide *side,
                           const Fetched *leaf, int ends)
{
    const int32_t first = search->cache.first_positions[leaf->slot];
    PliNearTriangle *triangles =
        (PliNearTriangle *)search->triangles.items + PLI_LEAF_SIZE * leaf->slot;
    bool are_segments = true;
    for (int32_t i = 0; i < leaf->count; i++) {
        triangles[i] = triangle_at(side, first + i);
        are_segments &= triangles[i].number >= side->features.first_segment;
    }
    ((PliFeatureLeaf *)search->leaves.items)[leaf->slot].are_segments = are_segments;
    if (!side->features.is_finite)
        drop_nonfinite(leaf, ends);
    for (int end = 0; end < ends && (leaf->have_pieces || !side->features.is_finite); end++)
        bound_group(leaf->boxes[end]);
}

/* Makes boxes of a side wider: those of two sides by the reach of both together. */
static void widen_groups(PliFeatureSearch *search, const PliFeatureSide *side, int32_t first,
                         int32_t group_end, int ends)
{
    const float half = pli_thick_half(pli_half_up(pli_reach_with(search->distance, search->margin)),
                                      pli_sum_up(side->radii->greatest, side->error));
    for (int end = 0; end < ends && half > 0; end++)
        search->worker->kernels->widen_boxes(pli_feature_group(search, end, first),
                                             group_end - first, half);
}

/* The features of a leaf: as the shape has listed them, or in a list of their own. */
typedef struct Owned {
    const PliOwnedFeature *vertices, *edges;
    int32_t vertex_count, edge_count;
    PliOwnedFeature room[2][3 * PLI_LEAF_SIZE];
} Owned;

/* What the triangles of a leaf own: nothing if one is not finite, and so has no box. */
static void list_owned(const PliFeatureSide *side, const Fetched *leaf,
                       const PliNearTriangle *triangles, Owned *owned)
{
    const PliPoseFeatures *features = &side->features;
    PliOwnedFeature *vertices = owned->room[0], *edges = owned->room[1];
    for (int32_t i = 0; i < leaf->count; i++) {
        const PliNearTriangle *triangle = &triangles[i];
        int32_t numbers[3] = {-1, -1, -1};
        if (isnan(leaf->boxes[0]->low[0][i]))
            continue;
        const uint8_t bits = pli_near_owned(features, triangle->number);
        for (int k = 0; k < 3 && bits >> 3; k++)
            numbers[k] = pli_near_edge(features, triangle->number, k);
        vertices = pli_list_vertices(vertices, bits, triangle->vertices, i);
        edges = pli_list_edges(edges, bits, triangle->vertices, numbers, i);
    }
    owned->vertices = owned->room[0];
    owned->edges = owned->room[1];
    owned->vertex_count = (int32_t)(vertices - owned->vertices);
    owned->edge_count = (int32_t)(edges - owned->edges);
}

static void find_owned(const PliFeatureSide *side, int32_t leaf, const Fetched *fetched,
                       const PliNearTriangle *triangles, Owned *owned)
{
    const PliLeafFeatures *leaves = side->features.leaves;
    if (!leaves || !pli_near_has_owners(&side->features)) {
        list_owned(side, fetched, triangles, owned);
        return;
    }
    const int32_t *firsts = leaves->firsts + 2 * leaf;
    owned->vertices = leaves->items + firsts[0];
    owned->edges = leaves->items + firsts[1];
    owned->vertex_count = firsts[1] - firsts[0];
    owned->edge_count = firsts[2] - firsts[1];
}

/* Makes the groups of the vertices of a leaf, then those of its edges. */
PLI_ALWAYS_INLINE void make_groups(PliFeatureSearch *search, const PliFeatureSide *side,
                                   int32_t slot, const int ends)
{
    PliFeatureLeaf *leaf = (PliFeatureLeaf *)search->leaves.items + slot;
    const PliNearTriangle *triangles =
        (const PliNearTriangle *)search->triangles.items + PLI_LEAF_SIZE * slot;
    const Fetched fetched = fetched_at(search, side, slot);
    Owned owned;
    find_owned(side, search->cache.slot_leaves[slot], &fetched, triangles, &owned);
    leaf->vertices =
        add_groups(search, &fetched, triangles, owned.vertices, owned.vertex_count, ends);
    leaf->edges = add_groups(search, &fetched, triangles, owned.edges, owned.edge_count, ends);
    leaf->end = search->group_count;
    widen_groups(search, side, leaf->vertices, leaf->end, ends);
}

void pli_feature_leaves_make(PliFeatureSearch *search, int number, int32_t slot)
{
    const PliFeatureSide *side = &search->sides[number];
    if (((const PliFeatureLeaf *)search->leaves.items)[slot].vertices >= 0)
        return;
    if (search->decider->has_ends)
        make_groups(search, side, slot, 2);
    else
        make_groups(search, side, slot, 1);
}

/* ---- Leaves that are fetched -------------------------------------------------------------------
 */

/* The list of what a leaf owns is read soon. */
static void prefetch_owned(const PliFeatureSide *side, int32_t leaf)
{
    enum { LINE = 64 };
    const PliLeafFeatures *leaves = side->features.leaves;
    if (!leaves)
        return;
    const char *end = (const char *)(leaves->items + leaves->firsts[2 * leaf + 2]);
    for (const char *at = (const char *)(leaves->items + leaves->firsts[2 * leaf]); at < end;
         at += LINE)
        __builtin_prefetch(at);
}

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
    prefetch_owned(side, leaf);
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
    widen_groups(search, side, group, group + 1, ends);
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
    if (cache->slot_count + extra > PLI_MAX_FEATURE_LEAVES)
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

static PliMovingLeafPair leaf_pair_at(const PliFeatureSearch *search, const void *pairs, int64_t i)
{
    if (search->decider->has_ends)
        return ((const PliMovingLeafPair *)pairs)[i];
    const PliLeafPair *pair = (const PliLeafPair *)pairs + i;
    return (PliMovingLeafPair){pair->a, pair->b, 0};
}

PliantResult pli_feature_leaves_fetch(PliFeatureSearch *search, const void *pairs, int64_t count)
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
