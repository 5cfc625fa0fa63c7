/* Features within a distance: see near.h. */
#include "near/near.h"
#include "base/sort.h"
#include "near/sides.h"

#include <string.h>

/* Leaf pairs that are looked for at a time; the last step of the walk may bring 63 more. */
enum { PORTION = 256 };
_Static_assert(2 * (PORTION + 63) + 1 <= PLI_MAX_SLOTS, "a portion has room");

void pli_near_init(PliNear *near, PliWorker *worker)
{
    *near =
        (PliNear){.worker = worker,
                  .leaf_pairs = {.item_size = sizeof(PliLeafPair)},
                  .found = {.item_size = sizeof(PliantNearPair)},
                  .ranked = {{.item_size = sizeof(PliRanked)}, {.item_size = sizeof(PliRanked)}}};
    pli_leaf_cache_init(&near->cache);
    pli_walk_init(&near->walk);
}

void pli_near_free(PliNear *near)
{
    const PliantHost *host = near->worker->host;
    pli_leaf_cache_free(&near->cache, host);
    pli_walk_free(&near->walk, host);
    pli_array_free(&near->leaf_pairs, host);
    pli_array_free(&near->found, host);
    pli_array_free(&near->ranked[0], host);
    pli_array_free(&near->ranked[1], host);
}

void pli_near_start(PliNear *near, float distance)
{
    near->distance = distance;
    pli_leaf_cache_clear(&near->cache);
}

/* ---- Features ----------------------------------------------------------------------------------
 */

/* A side with what it owns: each feature is left to one triangle. */
static PliNearSide owning_side(const PliNear *near, const PliPose *pose,
                               const PliPoseFeatures *features, uint32_t row)
{
    PliNearSide side = pli_near_side(&near->cache, pose, features, row);
    if (!features->are_points && features->shared && !features->are_apart)
        side.owned = features->shared->owned[side.triangle];
    return side;
}

/* A box around some points. */
typedef struct Extent {
    float low[3], high[3];
} Extent;

static Extent extent_of(const float *points, int count)
{
    Extent extent;
    for (int k = 0; k < 3; k++) {
        extent.low[k] = extent.high[k] = points[k];
        for (int i = 1; i < count; i++) {
            const float x = points[3 * i + k];
            extent.low[k] = x < extent.low[k] ? x : extent.low[k];
            extent.high[k] = x > extent.high[k] ? x : extent.high[k];
        }
    }
    return extent;
}

/* Are two boxes farther from each other than the distance? A difference that is at most the
 * distance is so after rounding, since the distance is a float. */
static bool are_far(const Extent *a, const Extent *b, float distance)
{
    bool is_far = false;
    for (int k = 0; k < 3; k++)
        is_far |= (a->low[k] - b->high[k] > distance) | (b->low[k] - a->high[k] > distance);
    return is_far;
}

/* ---- Pairs of features -------------------------------------------------------------------------
 */

/* There is room for one more. */
static void add_found(PliNear *near, PliantFeatures kind, int32_t a, int32_t b,
                      const PliClosest *closest)
{
    PliantNearPair *pair = (PliantNearPair *)near->found.items + near->found.count++;
    *pair = pli_near_pair(kind, a, b, closest);
}

static bool has_vertex(const PliNearSide *side, uint32_t vertex)
{
    return side->vertices[0] == vertex || side->vertices[1] == vertex ||
           side->vertices[2] == vertex;
}

/* The vertices that one triangle owns, and another triangle. */
static void test_vertices(PliNear *near, const PliNearSide *owner, const PliNearSide *other,
                          const Extent *other_extent, bool is_self, bool is_swapped)
{
    for (int k = 0; k < 3; k++) {
        const float *vertex = owner->row + 3 * k;
        if (!(owner->owned >> k & 1) || (is_self && has_vertex(other, owner->vertices[k])))
            continue;
        const Extent extent = extent_of(vertex, 1);
        PliClosest closest;
        if (are_far(&extent, other_extent, near->distance))
            continue;
        near->pair_count++;
        if (!pli_vertex_triangle_is_near(vertex, other->row, near->distance, &closest,
                                         &near->counts))
            continue;
        if (is_swapped)
            add_found(near, PLIANT_TRIANGLE_VERTEX, other->triangle, (int32_t)owner->vertices[k],
                      &closest);
        else
            add_found(near, PLIANT_VERTEX_TRIANGLE, (int32_t)owner->vertices[k], other->triangle,
                      &closest);
    }
}

static void test_edges(PliNear *near, const PliNearSide *a, int i, const PliNearSide *b, int j,
                       bool is_self)
{
    if (pli_near_edge(a, i) < 0 || pli_near_edge(b, j) < 0)
        return; /* both ends are one vertex */
    if (is_self && pli_near_edge(a, i) > pli_near_edge(b, j)) {
        test_edges(near, b, j, a, i, true);
        return;
    }
    float a_ends[6], b_ends[6];
    uint32_t a_vertices[2], b_vertices[2];
    pli_near_copy_edge(a, i, a_ends, a_vertices);
    pli_near_copy_edge(b, j, b_ends, b_vertices);
    if (is_self && (a_vertices[0] == b_vertices[0] || a_vertices[0] == b_vertices[1] ||
                    a_vertices[1] == b_vertices[0] || a_vertices[1] == b_vertices[1]))
        return;
    const Extent a_extent = extent_of(a_ends, 2), b_extent = extent_of(b_ends, 2);
    PliClosest closest;
    if (are_far(&a_extent, &b_extent, near->distance))
        return;
    near->pair_count++;
    if (pli_edge_edge_is_near(a_ends, b_ends, near->distance, &closest, &near->counts))
        add_found(near, PLIANT_EDGE_EDGE, pli_near_edge(a, i), pli_near_edge(b, j), &closest);
}

/* All features of two triangles. There is room for what they can bring. */
static void test_triangles(PliNear *near, const PliNearSide *a, const PliNearSide *b, bool is_self)
{
    const Extent a_extent = extent_of(a->row, 3), b_extent = extent_of(b->row, 3);
    test_vertices(near, a, b, &b_extent, is_self, false);
    test_vertices(near, b, a, &a_extent, is_self, !is_self);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if ((a->owned >> (3 + i) & 1) && (b->owned >> (3 + j) & 1))
                test_edges(near, a, i, b, j, is_self);
}

/* ---- Leaves ------------------------------------------------------------------------------------
 */

/* Two poses that are searched. */
typedef struct Search {
    PliPose *a, *b;
    PliPoseFeatures a_features, b_features;
    bool is_self;
} Search;

static void widen_leaf(PliLeafBoxes *boxes, float d)
{
    pli_widen(boxes->low[0], boxes->high[0], 3 * PLI_LEAF_SIZE, d);
    boxes->all = pli_box_widened(&boxes->all, d);
}

/* Fetches the leaves of the slots from `first` on, with boxes that are wider by half of the
 * distance. */
static void fetch(PliNear *near, const PliPose *pose, PliSide side, int32_t first)
{
    PliLeafCache *cache = &near->cache;
    const float half = pli_half_up(near->distance);
    for (int32_t slot = first; slot < cache->slot_count; slot++) {
        const int32_t leaf = cache->slot_leaves[slot];
        if (slot + 3 < cache->slot_count)
            pose->kind->prefetch(pose, cache->slot_leaves[slot + 3], cache->slot_leaves[slot + 1]);
        PliLeafBoxes *boxes = &cache->leaf_boxes[slot];
        pli_pose_fetch(pose, leaf, near->worker, side,
                       cache->rows + (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * (size_t)slot, boxes);
        if (half > 0)
            widen_leaf(boxes, half);
        cache->first_positions[slot] = pose->bounds.tree->leaves[leaf].first;
    }
}

/* Leaves become their slots. */
static PliantResult fetch_pairs(PliNear *near, const Search *search, PliLeafPair *pairs,
                                int64_t count)
{
    PliLeafCache *cache = &near->cache;
    const int64_t extra = 2 * count + 1;
    if (cache->slot_count + extra > PLI_MAX_SLOTS)
        pli_leaf_cache_forget(cache);
    PLI_TRY(pli_leaf_cache_reserve(cache, extra, near->worker->host));
    int32_t first = cache->slot_count;
    for (int64_t i = 0; i < count; i++)
        pairs[i].a = (int32_t)pli_leaf_cache_slot(cache, &cache->a_slots, pairs[i].a);
    fetch(near, search->a, PLI_SIDE_A, first);
    first = cache->slot_count;
    const PliLeafSlots *slots = search->is_self ? &cache->a_slots : &cache->b_slots;
    for (int64_t i = 0; i < count; i++)
        pairs[i].b = (int32_t)pli_leaf_cache_slot(cache, slots, pairs[i].b);
    fetch(near, search->b, search->is_self ? PLI_SIDE_A : PLI_SIDE_B, first);
    return PLIANT_OK;
}

/* The most that two triangles bring: 6 vertices and triangles, 9 pairs of edges. */
enum { MAX_FOUND = 15 };

static PliantResult test_candidates(PliNear *near, const Search *search, int32_t count)
{
    PLI_TRY(pli_array_reserve(&near->found, near->worker->host,
                              near->found.count + (int64_t)MAX_FOUND * count));
    for (int32_t i = 0; i < count; i++) {
        const uint32_t *rows = near->candidates + 2 * i;
        if (search->is_self && rows[0] / PLI_LEAF_SIZE == rows[1] / PLI_LEAF_SIZE &&
            rows[0] >= rows[1])
            continue; /* of two triangles in one leaf, which come twice, and one with itself */
        const PliNearSide a = owning_side(near, search->a, &search->a_features, rows[0]),
                          b = owning_side(near, search->b, &search->b_features, rows[1]);
        if ((!search->is_self || a.triangle != b.triangle) && pli_is_finite(a.row, PLI_ROW_SIZE) &&
            pli_is_finite(b.row, PLI_ROW_SIZE))
            test_triangles(near, &a, &b, search->is_self);
    }
    return PLIANT_OK;
}

/* All leaf pairs, which are then gone. */
static PliantResult test_leaf_pairs(PliNear *near, const Search *search)
{
    const int64_t count = near->leaf_pairs.count;
    PliLeafPair *pairs = near->leaf_pairs.items;
    near->leaf_pairs.count = 0;
    near->leaf_pair_count += count;
    PLI_TRY(fetch_pairs(near, search, pairs, count));
    for (int64_t i = 0; i < count; i += PLI_NEAR_LEAF_PAIRS) {
        const int32_t here =
            (int32_t)(count - i < PLI_NEAR_LEAF_PAIRS ? count - i : PLI_NEAR_LEAF_PAIRS);
        uint32_t slots[2 * PLI_NEAR_LEAF_PAIRS];
        memcpy(slots, pairs + i, (size_t)here * sizeof *pairs);
        const int32_t candidate_count = near->worker->kernels->overlap_leaves(
            near->cache.leaf_boxes, slots, here, NULL, near->candidates);
        PLI_TRY(test_candidates(near, search, candidate_count));
    }
    return PLIANT_OK;
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* Appends what was found in order. A pair may have come several times: for the pieces of a divided
 * triangle, and for the places of vertices that are apart. */
static PliantResult append_in_order(PliNear *near, PliArray *pairs)
{
    const PliantHost *host = near->worker->host;
    const PliantNearPair *found = near->found.items;
    const int64_t count = near->found.count;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(&near->ranked[0], host, count));
    PLI_TRY(pli_array_reserve(&near->ranked[1], host, count));
    PLI_TRY(pli_array_reserve(pairs, host, pairs->count + count));
    PliRanked *ranked = near->ranked[0].items;
    for (int64_t i = 0; i < count; i++)
        ranked[i] = (PliRanked){pli_near_key(&found[i]), 0, (int32_t)i};
    ranked = pli_sort_ranked(ranked, near->ranked[1].items, count);
    PliantNearPair *end = (PliantNearPair *)pairs->items + pairs->count;
    for (int64_t i = 0; i < count; i++) {
        const PliantNearPair *pair = &found[ranked[i].item];
        if (i == 0 || ranked[i].key != ranked[i - 1].key)
            *end++ = *pair;
        else if (pli_near_is_before(pair, end - 1))
            end[-1] = *pair;
    }
    pairs->count = end - (PliantNearPair *)pairs->items;
    return PLIANT_OK;
}

PliantResult pli_near_find(PliNear *near, PliPose *a, PliPose *b, PliArray *pairs)
{
    const PliantHost *host = near->worker->host;
    Search search = {.a = a, .b = b, .is_self = a == b};
    near->found.count = near->leaf_pairs.count = 0;
    PLI_TRY(a->kind->features(a, host, &search.a_features));
    PLI_TRY(b->kind->features(b, host, &search.b_features));
    PLI_TRY(pli_leaf_cache_start(&near->cache, a, b, host));
    PLI_TRY(pli_walk_start_near(&near->walk, &a->bounds, &b->bounds, near->distance, host));
    while (!pli_walk_is_done(&near->walk)) {
        PLI_TRY(pli_walk_on(&near->walk, near->worker, PORTION, &near->leaf_pairs));
        PLI_TRY(test_leaf_pairs(near, &search));
        if (near->progress && !near->progress(near->progress_user))
            return PLIANT_CANCELLED;
    }
    return append_in_order(near, pairs);
}
