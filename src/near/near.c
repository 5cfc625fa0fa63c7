/* Features within a distance: see near.h. */
#include "near/near.h"
#include "base/round.h"
#include "base/sort.h"

#include <string.h>

/* Leaf pairs that are looked for at a time; the last step of the walk may bring 63 more. Leaves
 * that are kept, at most. */
enum { PORTION = 128, MAX_LEAVES = 512 };
_Static_assert(2 * (PORTION + 63) + 1 <= MAX_LEAVES && MAX_LEAVES <= (int)PLI_MAX_SLOTS,
               "a portion has room");

static uint64_t key_of(const void *pair)
{
    return pli_near_key(pair);
}

static bool is_before(const void *pair, const void *than)
{
    return pli_near_is_before(pair, than);
}

const PliFoundKind pli_near_found = {sizeof(PliantNearPair), key_of, is_before};

void pli_near_init(PliNear *near, PliWorker *worker)
{
    *near = (PliNear){.worker = worker,
                      .leaves = {.item_size = sizeof(PliNearLeaf)},
                      .triangles = {.item_size = sizeof(PliNearTriangle)},
                      .groups = {.item_size = sizeof(PliLeafBoxes)},
                      .group_slots = {.item_size = sizeof(int32_t)},
                      .features = {.item_size = sizeof(PliNearFeature)},
                      .leaf_pairs = {.item_size = sizeof(PliLeafPair)},
                      .candidates_found = {.item_size = sizeof(PliNearCandidate)}};
    pli_found_init(&near->found, &pli_near_found);
    pli_leaf_cache_init(&near->cache);
    pli_walk_init(&near->walk);
}

void pli_near_free(PliNear *near)
{
    const PliantHost *host = near->worker->host;
    pli_leaf_cache_free(&near->cache, host);
    pli_walk_free(&near->walk, host);
    pli_array_free(&near->leaves, host);
    pli_array_free(&near->triangles, host);
    pli_array_free(&near->groups, host);
    pli_array_free(&near->group_slots, host);
    pli_array_free(&near->features, host);
    pli_array_free(&near->leaf_pairs, host);
    pli_array_free(&near->candidates_found, host);
    pli_found_free(&near->found, host);
}

void pli_near_start(PliNear *near, float distance, float rest_distance)
{
    near->distance = distance;
    near->rest_distance = rest_distance;
    near->found.limit = PLI_NO_LIMIT;
    pli_leaf_cache_clear(&near->cache);
}

/* ---- The features of a leaf --------------------------------------------------------------------
 *
 * A leaf has a group of its triangles, then groups of the vertices that these own, then groups of
 * their edges. If triangles are divided, each piece has the features of the whole triangle, and
 * each box is that of what the piece has of the feature: pieces cover a triangle, so that the
 * closest points of two features are in a piece of each.
 */

/* A pose that is searched. */
typedef struct Searched {
    PliPose *pose;
    PliPoseFeatures features;
    PliSide side;
} Searched;

/* Where features of a leaf are added: there is room for all of them. */
typedef struct Adding {
    PliNearFeature *features;
    PliLeafBoxes *groups;
    int32_t count;
} Adding;

static Adding start_adding(PliNear *near, int32_t group)
{
    PliNearFeature *features = near->features.items;
    return (Adding){features + (size_t)PLI_LEAF_SIZE * (size_t)group,
                    (PliLeafBoxes *)near->groups.items + group, 0};
}

/* Ends the last group: unused boxes are NaN. Returns how many groups there are. */
static int32_t end_adding(const Adding *adding)
{
    const int32_t group_count = (int32_t)pli_div_up(adding->count, PLI_LEAF_SIZE);
    for (int32_t i = adding->count; i < PLI_LEAF_SIZE * group_count; i++)
        for (int k = 0; k < 3; k++)
            adding->groups[i / PLI_LEAF_SIZE].low[k][i % PLI_LEAF_SIZE] =
                adding->groups[i / PLI_LEAF_SIZE].high[k][i % PLI_LEAF_SIZE] = NAN;
    for (int32_t g = 0; g < group_count; g++) {
        PliLeafBoxes *group = &adding->groups[g];
        group->all = pli_box_empty();
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
    return group_count;
}

/* Adds corner `first` of a triangle, or the edge from there to corner `second`, if any of it is in
 * the box of the triangle, or of its piece: box i of a leaf. */
static void add_feature(Adding *adding, const PliNearTriangle *triangle, const float *row,
                        int first, int second, int32_t number, const PliLeafBoxes *leaf, int i)
{
    const int32_t lane = adding->count % PLI_LEAF_SIZE;
    PliLeafBoxes *group = &adding->groups[adding->count / PLI_LEAF_SIZE];
    PliNearFeature *feature = &adding->features[adding->count];
    const float *p = row + 3 * first, *q = row + 3 * second;
    bool is_here = true;
    for (int k = 0; k < 3; k++) {
        feature->points[k] = p[k];
        feature->points[3 + k] = q[k];
        float low = p[k] < q[k] ? p[k] : q[k], high = p[k] < q[k] ? q[k] : p[k];
        low = low < leaf->low[k][i] ? leaf->low[k][i] : low;
        high = high > leaf->high[k][i] ? leaf->high[k][i] : high;
        is_here &= low <= high;
        group->low[k][lane] = low;
        group->high[k][lane] = high;
    }
    feature->vertices[0] = triangle->vertices[first];
    feature->vertices[1] = triangle->vertices[second];
    feature->triangle = triangle->number;
    feature->corners[0] = (uint8_t)first;
    feature->corners[1] = (uint8_t)second;
    feature->number = number;
    adding->count += is_here;
}

/* The edge from corner k on, its lower vertex first; but not if both ends are one vertex. */
static void add_edge(Adding *adding, const PliPoseFeatures *features,
                     const PliNearTriangle *triangle, const float *row, int k,
                     const PliLeafBoxes *leaf, int i)
{
    const int32_t edge = pli_near_edge(features, triangle->number, k);
    const PliNearEnds ends = pli_near_ends(triangle->vertices, k);
    if (edge >= 0)
        add_feature(adding, triangle, row, ends.first, ends.second, edge, leaf, i);
}

/* Finds the triangles of a leaf. Those that are not finite get a box that overlaps nothing, and own
 * nothing. */
static void find_triangles(PliNear *near, const Searched *searched, int32_t slot, int32_t count,
                           PliLeafBoxes *boxes, uint8_t *owned)
{
    PliNearTriangle *triangles = (PliNearTriangle *)near->triangles.items + PLI_LEAF_SIZE * slot;
    for (int32_t i = 0; i < count; i++) {
        const uint32_t row = (uint32_t)(PLI_LEAF_SIZE * slot + i);
        const int32_t number =
            pli_pose_triangle(searched->pose, pli_leaf_cache_position(&near->cache, row));
        triangles[i] = pli_near_triangle(&searched->features, number);
        owned[i] = pli_near_owned(&searched->features, number);
        if (PLI_LIKELY(pli_is_finite(pli_leaf_cache_row(&near->cache, row), PLI_ROW_SIZE)))
            continue;
        owned[i] = 0;
        for (int k = 0; k < 3; k++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
    }
}

static void widen_leaf(PliLeafBoxes *boxes, float d)
{
    pli_widen(boxes->low[0], boxes->high[0], 3 * PLI_LEAF_SIZE, d);
    boxes->all = pli_box_widened(&boxes->all, d);
}

/* Makes the groups of a leaf that was fetched, of so many triangles, with boxes that are wider by
 * half of the distance. */
static void make_groups(PliNear *near, const Searched *searched, int32_t slot, int32_t count)
{
    uint8_t owned[PLI_LEAF_SIZE];
    PliNearLeaf *leaf = (PliNearLeaf *)near->leaves.items + slot;
    const PliNearTriangle *triangles =
        (const PliNearTriangle *)near->triangles.items + PLI_LEAF_SIZE * slot;
    const float *rows = pli_leaf_cache_row(&near->cache, (uint32_t)(PLI_LEAF_SIZE * slot));
    leaf->triangles = near->group_count++;
    PliLeafBoxes *boxes = (PliLeafBoxes *)near->groups.items + leaf->triangles;
    *boxes = near->cache.leaf_boxes[slot];
    ((int32_t *)near->group_slots.items)[leaf->triangles] = slot;
    find_triangles(near, searched, slot, count, boxes, owned);
    Adding adding = start_adding(near, near->group_count);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (owned[i] >> k & 1)
                add_feature(&adding, &triangles[i], rows + PLI_ROW_SIZE * i, k, k,
                            (int32_t)triangles[i].vertices[k], boxes, i);
    leaf->edges = near->group_count += end_adding(&adding);
    adding = start_adding(near, near->group_count);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (owned[i] >> (3 + k) & 1)
                add_edge(&adding, &searched->features, &triangles[i], rows + PLI_ROW_SIZE * i, k,
                         boxes, i);
    leaf->end = near->group_count += end_adding(&adding);
    const float half = pli_half_up(near->distance);
    for (int32_t g = leaf->triangles; half > 0 && g < leaf->end; g++)
        widen_leaf((PliLeafBoxes *)near->groups.items + g, half);
}

/* Fetches the leaves of the slots from `first` on. */
static void fetch(PliNear *near, const Searched *searched, int32_t first)
{
    PliLeafCache *cache = &near->cache;
    const PliPose *pose = searched->pose;
    for (int32_t slot = first; slot < cache->slot_count; slot++) {
        const int32_t leaf = cache->slot_leaves[slot];
        if (slot + 3 < cache->slot_count)
            pose->kind->prefetch(pose, cache->slot_leaves[slot + 3], cache->slot_leaves[slot + 1]);
        pli_pose_fetch(pose, leaf, near->worker, searched->side,
                       cache->rows + (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * (size_t)slot,
                       &cache->leaf_boxes[slot]);
        cache->first_positions[slot] = pose->bounds.tree->leaves[leaf].first;
        make_groups(near, searched, slot, pose->bounds.tree->leaves[leaf].count);
    }
}

/* ---- Pairs of features -------------------------------------------------------------------------
 */

/* Two poses that are searched, and pairs of groups of one kind that are to be compared. */
typedef struct Search {
    Searched a, b;
    bool is_self;
    uint32_t groups[3][2 * PLI_NEAR_GROUP_PAIRS]; /* by PliantFeatures; the vertices first */
    int32_t group_counts[3];
} Search;

/* Adds a pair that is within the distance, or keeps it as a candidate: its first points and those
 * that follow, twelve floats in all. There is room for one more. */
static void add_found(PliNear *near, const PliCandidate *base, const PliClosest *closest,
                      const float *first, const float *second)
{
    if (near->keeps) {
        PliNearCandidate *candidate =
            (PliNearCandidate *)near->candidates_found.items + near->candidates_found.count++;
        const size_t first_size = (base->kind == PLIANT_EDGE_EDGE ? 6 : 3) * sizeof(float);
        candidate->base = *base;
        candidate->base.distance = closest->distance;
        memcpy(candidate->points, first, first_size);
        memcpy((char *)candidate->points + first_size, second,
               sizeof candidate->points - first_size);
    } else {
        PliantNearPair *pair =
            (PliantNearPair *)near->found.items.items + near->found.items.count++;
        *pair =
            pli_near_pair(base->kind, base->feature_a, base->feature_b, base->vertices, closest);
    }
}

/* A vertex and a triangle, without their distance. */
static PliCandidate vertex_pair(const Search *search, PliantFeatures kind,
                                const PliNearFeature *vertex, const PliNearTriangle *triangle)
{
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    const PliPoseFeatures *first = is_swapped ? &search->b.features : &search->a.features,
                          *second = is_swapped ? &search->a.features : &search->b.features;
    PliCandidate pair = {.kind = kind,
                         .feature_a = is_swapped ? triangle->number : vertex->number,
                         .feature_b = is_swapped ? vertex->number : triangle->number};
    pair.vertices[0] = pli_near_vertex(first, vertex->triangle, vertex->corners[0]);
    for (int k = 0; k < 3; k++)
        pair.vertices[1 + k] = pli_near_vertex(second, triangle->number, k);
    return pair;
}

static PliCandidate edge_pair(const Search *search, const PliNearFeature *a,
                              const PliNearFeature *b)
{
    PliCandidate pair = {.kind = PLIANT_EDGE_EDGE, .feature_a = a->number, .feature_b = b->number};
    for (int k = 0; k < 2; k++) {
        pair.vertices[k] = pli_near_vertex(&search->a.features, a->triangle, a->corners[k]);
        pair.vertices[2 + k] = pli_near_vertex(&search->b.features, b->triangle, b->corners[k]);
    }
    return pair;
}

/* Vertices at rest. */
static void copy_rest(const PliNear *near, const uint32_t *vertices, int count, float *points)
{
    for (int i = 0; i < count; i++)
        memcpy(points + 3 * i, near->rest + 3 * (size_t)vertices[i], 3 * sizeof *points);
}

static bool is_vertex_near_at_rest(PliNear *near, const PliNearFeature *a, const PliNearTriangle *b)
{
    float vertex[3], corners[9];
    PliClosest closest;
    copy_rest(near, a->vertices, 1, vertex);
    copy_rest(near, b->vertices, 3, corners);
    return pli_is_finite(vertex, 3) && pli_is_finite(corners, 9) &&
           pli_vertex_triangle_is_near(vertex, corners, near->rest_distance, &closest,
                                       &near->counts);
}

static bool is_edge_near_at_rest(PliNear *near, const PliNearFeature *a, const PliNearFeature *b)
{
    float a_ends[6], b_ends[6];
    PliClosest closest;
    copy_rest(near, a->vertices, 2, a_ends);
    copy_rest(near, b->vertices, 2, b_ends);
    return pli_is_finite(a_ends, 6) && pli_is_finite(b_ends, 6) &&
           pli_edge_edge_is_near(a_ends, b_ends, near->rest_distance, &closest, &near->counts);
}

static bool has_vertex(const PliNearTriangle *triangle, uint32_t vertex)
{
    return (triangle->vertices[0] == vertex) | (triangle->vertices[1] == vertex) |
           (triangle->vertices[2] == vertex);
}

static bool have_common_end(const PliNearFeature *a, const PliNearFeature *b)
{
    return (a->vertices[0] == b->vertices[0]) | (a->vertices[0] == b->vertices[1]) |
           (a->vertices[1] == b->vertices[0]) | (a->vertices[1] == b->vertices[1]);
}

/* A vertex, by its number among all features, and a triangle, by its group and lane. */
static void test_vertex(PliNear *near, const Search *search, PliantFeatures kind, uint32_t vertex,
                        uint32_t triangle)
{
    const int32_t slot = ((const int32_t *)near->group_slots.items)[triangle / PLI_LEAF_SIZE];
    const uint32_t row = (uint32_t)slot * PLI_LEAF_SIZE + triangle % PLI_LEAF_SIZE;
    const PliNearFeature *a = (const PliNearFeature *)near->features.items + vertex;
    const PliNearTriangle *b = (const PliNearTriangle *)near->triangles.items + row;
    PliClosest closest;
    const float *corners = pli_leaf_cache_row(&near->cache, row);
    if (search->is_self && has_vertex(b, a->vertices[0]))
        return;
    near->pair_count++;
    if (!pli_vertex_triangle_is_near(a->points, corners, near->distance, &closest, &near->counts))
        return;
    if (near->rest && is_vertex_near_at_rest(near, a, b))
        return;
    const PliCandidate pair = vertex_pair(search, kind, a, b);
    add_found(near, &pair, &closest, a->points, corners);
}

/* Two edges. Within one pose, two of one group come twice. */
static void test_edges(PliNear *near, const Search *search, uint32_t one, uint32_t other)
{
    const PliNearFeature *features = near->features.items, *a = &features[one],
                         *b = &features[other];
    const bool is_self = search->is_self;
    PliClosest closest;
    if (is_self &&
        ((one / PLI_LEAF_SIZE == other / PLI_LEAF_SIZE && one >= other) || have_common_end(a, b)))
        return;
    if (is_self && a->number > b->number) {
        const PliNearFeature *swapped = a;
        a = b;
        b = swapped;
    }
    near->pair_count++;
    if (!pli_edge_edge_is_near(a->points, b->points, near->distance, &closest, &near->counts))
        return;
    if (near->rest && is_edge_near_at_rest(near, a, b))
        return;
    const PliCandidate pair = edge_pair(search, a, b);
    add_found(near, &pair, &closest, a->points, b->points);
}

/* ---- Pairs of groups ---------------------------------------------------------------------------
 */

static PliantResult test_groups(PliNear *near, Search *search, PliantFeatures kind)
{
    const int32_t count =
        near->worker->kernels->overlap_leaves(near->groups.items, search->groups[kind],
                                              search->group_counts[kind], NULL, near->candidates);
    search->group_counts[kind] = 0;
    PLI_TRY(pli_worker_check_cancelled(near->worker));
    PliArray *found = near->keeps ? &near->candidates_found : &near->found.items;
    PLI_TRY(pli_array_reserve(found, near->worker->host, found->count + count));
    for (int32_t i = 0; i < count; i++) {
        const uint32_t a = near->candidates[2 * i], b = near->candidates[2 * i + 1];
        if (kind == PLIANT_EDGE_EDGE)
            test_edges(near, search, a, b);
        else
            test_vertex(near, search, kind, a, b);
    }
    return pli_found_check(&near->found, near->worker->host);
}

static PliantResult add_groups(PliNear *near, Search *search, PliantFeatures kind, int32_t a,
                               int32_t b)
{
    uint32_t *end = search->groups[kind] + 2 * search->group_counts[kind]++;
    end[0] = (uint32_t)a;
    end[1] = (uint32_t)b;
    return search->group_counts[kind] == PLI_NEAR_GROUP_PAIRS ? test_groups(near, search, kind)
                                                              : PLIANT_OK;
}

/* All groups of two leaves, or within one. */
static PliantResult add_leaf_pair(PliNear *near, Search *search, const PliLeafPair *pair)
{
    const PliNearLeaf *leaves = near->leaves.items, *a = &leaves[pair->a], *b = &leaves[pair->b];
    const PliantFeatures b_kind = search->is_self ? PLIANT_VERTEX_TRIANGLE : PLIANT_TRIANGLE_VERTEX;
    const bool is_one = a == b;
    for (int32_t g = a->triangles + 1; g < a->edges; g++)
        PLI_TRY(add_groups(near, search, PLIANT_VERTEX_TRIANGLE, g, b->triangles));
    for (int32_t g = b->triangles + 1; g < b->edges && !is_one; g++)
        PLI_TRY(add_groups(near, search, b_kind, g, a->triangles));
    for (int32_t g = a->edges; g < a->end; g++)
        for (int32_t h = is_one ? g : b->edges; h < b->end; h++)
            PLI_TRY(add_groups(near, search, PLIANT_EDGE_EDGE, g, h));
    return PLIANT_OK;
}

/* ---- Pairs of leaves ---------------------------------------------------------------------------
 */

/* The most groups that a leaf has: of its triangles, and of three vertices and edges of each. */
enum { MAX_GROUPS = 7 };

/* Makes room for `wanted` items, of which so many are used. */
static PliantResult keep(PliArray *array, const PliantHost *host, int64_t used, int64_t wanted)
{
    array->count = used;
    return pli_array_reserve(array, host, wanted);
}

/* Makes room for so many more leaves. If there are too many then, those that are there are gone. */
static PliantResult reserve_leaves(PliNear *near, int64_t extra)
{
    const PliantHost *host = near->worker->host;
    PliLeafCache *cache = &near->cache;
    if (cache->slot_count + extra > MAX_LEAVES)
        pli_leaf_cache_forget(cache);
    if (cache->slot_count == 0)
        near->group_count = 0;
    const int64_t size = PLI_LEAF_SIZE, leaves = cache->slot_count, groups = near->group_count,
                  more_groups = groups + MAX_GROUPS * extra;
    PLI_TRY(pli_leaf_cache_reserve(cache, extra, host));
    PLI_TRY(keep(&near->leaves, host, leaves, leaves + extra));
    PLI_TRY(keep(&near->triangles, host, size * leaves, size * (leaves + extra)));
    PLI_TRY(keep(&near->groups, host, groups, more_groups));
    PLI_TRY(keep(&near->group_slots, host, groups, more_groups));
    return keep(&near->features, host, size * groups, size * more_groups);
}

/* Leaves become their slots. */
static PliantResult fetch_pairs(PliNear *near, const Search *search, PliLeafPair *pairs,
                                int64_t count)
{
    PliLeafCache *cache = &near->cache;
    PLI_TRY(reserve_leaves(near, 2 * count + 1));
    int32_t first = cache->slot_count;
    for (int64_t i = 0; i < count; i++)
        pairs[i].a = (int32_t)pli_leaf_cache_slot(cache, &cache->a_slots, pairs[i].a);
    fetch(near, &search->a, first);
    first = cache->slot_count;
    const PliLeafSlots *slots = search->is_self ? &cache->a_slots : &cache->b_slots;
    for (int64_t i = 0; i < count; i++)
        pairs[i].b = (int32_t)pli_leaf_cache_slot(cache, slots, pairs[i].b);
    fetch(near, &search->b, first);
    return PLIANT_OK;
}

/* All leaf pairs, which are then gone. */
static PliantResult test_leaf_pairs(PliNear *near, Search *search)
{
    const int64_t count = near->leaf_pairs.count;
    PliLeafPair *pairs = near->leaf_pairs.items;
    near->leaf_pairs.count = 0;
    near->leaf_pair_count += count;
    PLI_TRY(fetch_pairs(near, search, pairs, count));
    for (int64_t i = 0; i < count && !near->found.is_over; i++)
        PLI_TRY(add_leaf_pair(near, search, &pairs[i]));
    for (int kind = PLIANT_VERTEX_TRIANGLE; kind <= PLIANT_EDGE_EDGE; kind++)
        PLI_TRY(test_groups(near, search, (PliantFeatures)kind));
    return PLIANT_OK;
}

/* ---- All of it ---------------------------------------------------------------------------------
 */

/* Starts a walk at the roots, or goes on with a part of one, whose leaf pairs are tested. */
static PliantResult start_walk(PliNear *near, Search *search, const PliWalkPart *part)
{
    enum { COUNT = PORTION };
    const PliantHost *host = near->worker->host;
    const PliWalkDef def = {.a = pli_still_bounds(&search->a.pose->bounds),
                            .b = pli_still_bounds(&search->b.pose->bounds),
                            .reach = near->distance};
    if (!part)
        return pli_walk_start(&near->walk, &def, host);
    pli_walk_start_part(&near->walk, &def);
    PLI_TRY(pli_walk_add(&near->walk, part->pairs, part->pair_count, host));
    for (int64_t i = 0; i < part->leaf_pair_count; i += COUNT) {
        const int64_t left = part->leaf_pair_count - i, count = left < COUNT ? left : COUNT;
        void *room;
        PLI_TRY(pli_array_push(&near->leaf_pairs, host, count, &room));
        memcpy(room, (const PliLeafPair *)part->leaf_pairs + i,
               (size_t)count * sizeof(PliLeafPair));
        PLI_TRY(test_leaf_pairs(near, search));
    }
    return PLIANT_OK;
}

static PliantResult search_poses(PliNear *near, const PliNearSide *a, const PliNearSide *b,
                                 const PliWalkPart *part, int64_t max_work)
{
    enum { PAIR_WORK = 8 }; /* so many pairs of leaves of a collision query take as long */
    const bool is_self = a->pose == b->pose;
    Search search = {.a = {a->pose, a->features, PLI_SIDE_A},
                     .b = {b->pose, b->features, is_self ? PLI_SIDE_A : PLI_SIDE_B},
                     .is_self = is_self};
    const int64_t first = near->leaf_pair_count;
    pli_found_start(&near->found);
    near->candidates_found.count = near->leaf_pairs.count = 0;
    near->rest = is_self && near->rest_distance > 0 ? a->features.rest : NULL;
    PLI_TRY(pli_leaf_cache_start(&near->cache, a->pose, b->pose, near->worker->host));
    PLI_TRY(start_walk(near, &search, part));
    while (!pli_walk_is_done(&near->walk) && !near->found.is_over &&
           PAIR_WORK * (near->leaf_pair_count - first) < max_work) {
        PLI_TRY(pli_walk_on(&near->walk, near->worker, PORTION, &near->leaf_pairs));
        PLI_TRY(test_leaf_pairs(near, &search));
        PLI_TRY(pli_worker_check(near->worker));
    }
    return PLIANT_OK;
}

PliantResult pli_near_find(PliNear *near, const PliNearSide *a, const PliNearSide *b,
                           const PliWalkPart *part, int64_t max_work, PliArray *pairs)
{
    near->keeps = false;
    PLI_TRY(search_poses(near, a, b, part, max_work));
    return pli_found_append(&near->found, pairs, near->worker->host);
}

PliantResult pli_near_find_candidates(PliNear *near, const PliNearSide *a, const PliNearSide *b)
{
    near->keeps = true;
    return search_poses(near, a, b, NULL, INT64_MAX);
}
