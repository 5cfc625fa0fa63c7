/* Features within a distance: see near.h. */
#include "near/near.h"
#include "base/sort.h"
#include "geom/closest.h"

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

void pli_near_start(PliNear *near, float distance, float rest_distance)
{
    near->distance = distance;
    near->rest_distance = rest_distance;
    pli_leaf_cache_clear(&near->cache);
}

/* ---- Features ----------------------------------------------------------------------------------
 */

/* A triangle that may be near another one. */
typedef struct Side {
    const PliPoseFeatures *features;
    const float *row;
    int32_t triangle;
    uint32_t vertices[3];
    uint8_t owned; /* as in PliFeatures */
} Side;

enum { OWNS_ALL = 077, OWNS_A_POINT = 1 };

static Side side_of(const PliNear *near, const PliPose *pose, const PliPoseFeatures *features,
                    uint32_t row)
{
    const int32_t t = pli_pose_triangle(pose, pli_leaf_cache_position(&near->cache, row));
    Side side = {.features = features, .row = pli_leaf_cache_row(&near->cache, row), .triangle = t};
    for (int k = 0; k < 3; k++) {
        const int32_t corner = features->are_points ? t : 3 * t + k;
        side.vertices[k] = features->corners ? features->corners[corner] : (uint32_t)corner;
    }
    const bool has_owners = features->shared && !features->are_apart;
    side.owned = features->are_points ? OWNS_A_POINT
                 : has_owners         ? features->shared->owned[t]
                                      : OWNS_ALL;
    return side;
}

static int32_t edge_of(const Side *side, int k)
{
    return side->features->shared ? side->features->shared->triangle_edges[3 * side->triangle + k]
                                  : 3 * side->triangle + k;
}

/* The ends of an edge, the lower vertex first. */
static void copy_edge(const Side *side, int k, float *ends, uint32_t *vertices)
{
    int first = k, second = (k + 1) % 3;
    if (side->vertices[first] > side->vertices[second]) {
        first = second;
        second = k;
    }
    memcpy(ends, side->row + 3 * first, 3 * sizeof *ends);
    memcpy(ends + 3, side->row + 3 * second, 3 * sizeof *ends);
    vertices[0] = side->vertices[first];
    vertices[1] = side->vertices[second];
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
    *pair = (PliantNearPair){.kind = kind,
                             .feature_a = a,
                             .feature_b = b,
                             .distance = closest->distance,
                             .region = closest->region};
    memcpy(pair->normal, closest->normal, sizeof pair->normal);
    memcpy(pair->weights, closest->weights, sizeof pair->weights);
}

/* The same with the triangle first: what was found is that of the vertex and the triangle. */
static void add_swapped(PliNear *near, int32_t triangle, int32_t vertex, const PliClosest *closest)
{
    PliClosest swapped = {.distance = closest->distance};
    for (int k = 0; k < 3; k++) {
        swapped.normal[k] = -closest->normal[k];
        swapped.weights[k] = -closest->weights[k + 1];
    }
    swapped.weights[3] = -closest->weights[0];
    swapped.region = (uint8_t)(closest->region >> 1 | (closest->region & 1) << 3);
    add_found(near, PLIANT_TRIANGLE_VERTEX, triangle, vertex, &swapped);
}

/* Vertices at rest, of features of one body. */
static void copy_rest(const Side *side, const uint32_t *vertices, int count, float *points)
{
    for (int i = 0; i < count; i++)
        memcpy(points + 3 * i, side->features->rest + 3 * (size_t)vertices[i], 3 * sizeof *points);
}

static bool has_rest(const PliNear *near, const Side *side, bool is_self)
{
    return is_self && near->rest_distance > 0 && side->features->rest;
}

static bool is_vertex_near_at_rest(PliNear *near, const Side *owner, int k, const Side *other)
{
    float vertex[3], corners[9];
    PliClosest closest;
    copy_rest(owner, &owner->vertices[k], 1, vertex);
    copy_rest(other, other->vertices, 3, corners);
    return pli_is_finite(vertex, 3) && pli_is_finite(corners, 9) &&
           pli_vertex_triangle_is_near(vertex, corners, near->rest_distance, &closest,
                                       &near->counts);
}

static bool is_edge_near_at_rest(PliNear *near, const Side *side, const uint32_t *a,
                                 const uint32_t *b)
{
    float a_ends[6], b_ends[6];
    PliClosest closest;
    copy_rest(side, a, 2, a_ends);
    copy_rest(side, b, 2, b_ends);
    return pli_is_finite(a_ends, 6) && pli_is_finite(b_ends, 6) &&
           pli_edge_edge_is_near(a_ends, b_ends, near->rest_distance, &closest, &near->counts);
}

static bool has_vertex(const Side *side, uint32_t vertex)
{
    return side->vertices[0] == vertex || side->vertices[1] == vertex ||
           side->vertices[2] == vertex;
}

/* The vertices that one triangle owns, and another triangle. */
static void test_vertices(PliNear *near, const Side *owner, const Side *other,
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
        if (has_rest(near, owner, is_self) && is_vertex_near_at_rest(near, owner, k, other))
            continue;
        if (is_swapped)
            add_swapped(near, other->triangle, (int32_t)owner->vertices[k], &closest);
        else
            add_found(near, PLIANT_VERTEX_TRIANGLE, (int32_t)owner->vertices[k], other->triangle,
                      &closest);
    }
}

static void test_edges(PliNear *near, const Side *a, int i, const Side *b, int j, bool is_self)
{
    if (edge_of(a, i) < 0 || edge_of(b, j) < 0)
        return; /* both ends are one vertex */
    if (is_self && edge_of(a, i) > edge_of(b, j)) {
        test_edges(near, b, j, a, i, true);
        return;
    }
    float a_ends[6], b_ends[6];
    uint32_t a_vertices[2], b_vertices[2];
    copy_edge(a, i, a_ends, a_vertices);
    copy_edge(b, j, b_ends, b_vertices);
    if (is_self && (a_vertices[0] == b_vertices[0] || a_vertices[0] == b_vertices[1] ||
                    a_vertices[1] == b_vertices[0] || a_vertices[1] == b_vertices[1]))
        return;
    const Extent a_extent = extent_of(a_ends, 2), b_extent = extent_of(b_ends, 2);
    PliClosest closest;
    if (are_far(&a_extent, &b_extent, near->distance))
        return;
    near->pair_count++;
    if (!pli_edge_edge_is_near(a_ends, b_ends, near->distance, &closest, &near->counts))
        return;
    if (!has_rest(near, a, is_self) || !is_edge_near_at_rest(near, a, a_vertices, b_vertices))
        add_found(near, PLIANT_EDGE_EDGE, edge_of(a, i), edge_of(b, j), &closest);
}

/* All features of two triangles. There is room for what they can bring. */
static void test_triangles(PliNear *near, const Side *a, const Side *b, bool is_self)
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
            continue; /* two triangles of one leaf come in both orders */
        const Side a = side_of(near, search->a, &search->a_features, rows[0]),
                   b = side_of(near, search->b, &search->b_features, rows[1]);
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

/* What pairs are ordered by: kind, then vertex and triangle, or both edges. */
static uint64_t key_of(const PliantNearPair *pair)
{
    const bool is_swapped = pair->kind == PLIANT_TRIANGLE_VERTEX;
    const uint64_t first = (uint64_t)(is_swapped ? pair->feature_b : pair->feature_a),
                   second = (uint64_t)(is_swapped ? pair->feature_a : pair->feature_b);
    return (uint64_t)pair->kind << 62 | first << 31 | second;
}

/* Of the same two features: is this one to be kept? That with the least distance; of equal ones any
 * is, but always the same. */
static bool is_before(const PliantNearPair *a, const PliantNearPair *b)
{
    if (a->distance != b->distance)
        return a->distance < b->distance;
    for (int i = 0; i < 4; i++)
        if (pli_rank_of(a->weights[i]) != pli_rank_of(b->weights[i]))
            return pli_rank_of(a->weights[i]) < pli_rank_of(b->weights[i]);
    for (int k = 0; k < 3; k++)
        if (pli_rank_of(a->normal[k]) != pli_rank_of(b->normal[k]))
            return pli_rank_of(a->normal[k]) < pli_rank_of(b->normal[k]);
    return false;
}

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
        ranked[i] = (PliRanked){key_of(&found[i]), 0, (int32_t)i};
    ranked = pli_sort_ranked(ranked, near->ranked[1].items, count);
    PliantNearPair *end = (PliantNearPair *)pairs->items + pairs->count;
    for (int64_t i = 0; i < count; i++) {
        const PliantNearPair *pair = &found[ranked[i].item];
        if (i == 0 || ranked[i].key != ranked[i - 1].key)
            *end++ = *pair;
        else if (is_before(pair, end - 1))
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
