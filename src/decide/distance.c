/* The least distance of two poses: see distance.h. */
#include "decide/distance.h"
#include "geom/heights.h"

#include <string.h>

void pli_distance_init(PliDistance *distance, PliWorker *worker)
{
    *distance = (PliDistance){.worker = worker,
                              .leaf_pairs = {.item_size = sizeof(PliLeafPair)},
                              .leaves = {.item_size = sizeof(PliDistanceLeaf)},
                              .tested = {.item_size = sizeof(uint64_t)}};
    pli_leaf_cache_init(&distance->cache);
    pli_walk_init(&distance->walk);
}

void pli_distance_free(PliDistance *distance)
{
    const PliantHost *host = distance->worker->host;
    pli_leaf_cache_free(&distance->cache, host);
    pli_walk_free(&distance->walk, host);
    pli_array_free(&distance->leaf_pairs, host);
    pli_array_free(&distance->leaves, host);
    pli_array_free(&distance->tested, host);
}

void pli_distance_start(PliDistance *distance)
{
    pli_leaf_cache_clear(&distance->cache);
}

/* ---- The search --------------------------------------------------------------------------------
 */

typedef struct Search {
    PliDistance *distance;
    const PliDistanceSide *a, *b;
    PliDistanceGoal *goal;
    PliLeafPair leaves; /* that are compared now */
    PliReach reach;
    bool is_self;
    bool are_alone;                  /* each feature has vertices of its own: there are no groups */
    bool are_divided;                /* triangles may come several times, by their pieces */
    int32_t work;                    /* since the query was last asked whether it goes on */
    double normal[3], normal_length; /* of the pair that was found; zeros if there is none */
    uint64_t key;                    /* of that pair */
    double equal_reach; /* what is farther has a distance that is returned as no less than its */
} Search;

/* Is this pair to be kept rather than the one that is? */
static bool is_better(const PliantNearPair *pair, const PliantNearPair *than)
{
    if (pair->distance != than->distance)
        return pair->distance < than->distance;
    const uint64_t key = pli_near_key(pair), than_key = pli_near_key(than);
    return key != than_key ? key < than_key : pli_near_is_before(pair, than);
}

/* Distances are rounded to the nearest float: what is above the middle between this one and the one
 * before is not returned as less. */
static double least_equal(float distance)
{
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    bits--;
    float before;
    memcpy(&before, &bits, sizeof before);
    return distance > 0 ? ((double)before + (double)distance) / 2 * (1 + 0x1p-49) : -INFINITY;
}

static void keep(Search *search, const PliantNearPair *pair)
{
    PliDistanceGoal *goal = search->goal;
    double square = 0;
    goal->is_found = true;
    goal->pair = *pair;
    goal->leaves = search->leaves;
    search->reach = pli_reach_least(pair->distance);
    search->distance->walk.def.until = search->reach.limit;
    search->distance->stamp++;
    search->key = pli_near_key(pair);
    search->equal_reach = least_equal(pair->distance);
    for (int k = 0; k < 3; k++) {
        search->normal[k] = pair->normal[k];
        square += search->normal[k] * search->normal[k];
    }
    search->normal_length = sqrt(square);
}

/* May two features, by their points, be kept? If the distance is returned as the greatest one, it
 * may be farther: then `is_near` decides. */
static inline bool are_close(Search *search, bool are_edges, const float *a, const float *b,
                             PliClosest *closest)
{
    const PliDistanceGoal *goal = search->goal;
    PliCounts *counts = &search->distance->counts;
    PliClosest again;
    if (!(are_edges ? pli_edge_edge_closest
                    : pli_vertex_triangle_closest)(a, b, search->reach.distance, closest, counts) ||
        !(closest->distance <= (goal->is_found ? goal->pair.distance : goal->max_distance)))
        return false;
    return closest->distance != goal->max_distance || closest->distance == INFINITY ||
           (are_edges ? pli_edge_edge_is_near
                      : pli_vertex_triangle_is_near)(a, b, goal->max_distance, &again, counts);
}

static void offer(Search *search, PliantFeatures kind, int32_t a, int32_t b,
                  const uint32_t vertices[4], const PliClosest *closest)
{
    const PliDistanceGoal *goal = search->goal;
    PliantNearPair pair;
    pli_near_pair(&pair, kind, a, b, vertices, closest);
    if (!goal->is_found || is_better(&pair, &goal->pair))
        keep(search, &pair);
}

/* ---- Two triangles -----------------------------------------------------------------------------
 */

/* A triangle of a pose, and where it is. */
typedef struct Side {
    const PliPoseFeatures *features;
    const float *row;
    PliNearTriangle triangle;
} Side;

static Side side_of(const PliLeafCache *cache, const PliDistanceSide *of, uint32_t row)
{
    const int32_t number = pli_pose_triangle(of->pose, pli_leaf_cache_position(cache, row));
    return (Side){&of->features, pli_leaf_cache_row(cache, row),
                  pli_near_triangle(&of->features, number)};
}

static bool has_vertex(const Side *side, uint32_t vertex)
{
    const uint32_t *vertices = side->triangle.vertices;
    return vertices[0] == vertex || vertices[1] == vertex || vertices[2] == vertex;
}

/* Within one body: does edge i of a triangle have an end in common with edge j of another? */
static bool have_common_end(const Side *a, int i, const Side *b, int j)
{
    const uint32_t first = b->triangle.vertices[j], second = b->triangle.vertices[(j + 1) % 3];
    for (int end = i; end < i + 2; end++) {
        const uint32_t vertex = a->triangle.vertices[end % 3];
        if (vertex == first || vertex == second)
            return true;
    }
    return false;
}

/* Which vertex of the pose a corner is. */
static uint32_t vertex_at(const Side *side, int corner)
{
    return pli_near_vertex(side->features, side->triangle.number, corner);
}

/* The number of an edge, whose ends are copied; -1 if both are one vertex. */
static int32_t copy_edge(const Side *side, int k, float points[6], uint32_t vertices[2])
{
    const PliEdgeEnds ends = pli_edge_ends(side->triangle.vertices, k);
    memcpy(points, side->row + 3 * ends.first, 3 * sizeof *points);
    memcpy(points + 3, side->row + 3 * ends.second, 3 * sizeof *points);
    vertices[0] = vertex_at(side, ends.first);
    vertices[1] = vertex_at(side, ends.second);
    return pli_near_edge(side->features, side->triangle.number, k);
}

/* So many keys are noted: a byte of their hash says where. */
enum { TESTED = 256 };

static uint64_t *tested_at(const PliDistance *distance, int which, uint64_t key)
{
    return (uint64_t *)distance->tested.items + TESTED * which + (key * 0x9e3779b97f4a7c15u >> 56);
}

/* Has this pair of features been tested in this search? The triangles around a vertex and beside an
 * edge bring the same pairs. What was tested is noted where its key says, in place of what was
 * there. A feature with vertices of groups is at several places under one number, or is of several
 * vertices. */
static bool was_tested(Search *search, PliantFeatures kind, int32_t first, int32_t second)
{
    const uint64_t key = (uint64_t)kind << 62 | (uint64_t)first << 31 | (uint64_t)second;
    uint64_t *tested = tested_at(search->distance, 0, key);
    if (*tested == key && search->are_alone)
        return true;
    *tested = key;
    return false;
}

/* The same of two triangles, of which pieces are compared. */
static uint64_t *tested_triangles(Search *search, int32_t a, int32_t b, uint64_t *key)
{
    *key = (uint64_t)a << 32 | (uint32_t)b;
    return tested_at(search->distance, 1, *key);
}

/* A vertex of one triangle, at corner k, and the other triangle. */
static void test_vertex(Search *search, const Side *owner, int k, const Side *other,
                        PliantFeatures kind)
{
    const int32_t number = (int32_t)owner->triangle.vertices[k];
    PliClosest closest;
    if (!pli_near_is_for_vertices(other->features, other->triangle.number, owner->features,
                                  owner->triangle.number) ||
        (search->is_self && has_vertex(other, owner->triangle.vertices[k])) ||
        was_tested(search, kind, number, other->triangle.number) ||
        !are_close(search, false, owner->row + 3 * k, other->row, &closest))
        return;
    const uint32_t vertices[4] = {vertex_at(owner, k), vertex_at(other, 0), vertex_at(other, 1),
                                  vertex_at(other, 2)};
    if (kind == PLIANT_VERTEX_TRIANGLE)
        offer(search, kind, number, other->triangle.number, vertices, &closest);
    else
        offer(search, kind, other->triangle.number, number, vertices, &closest);
}

static void test_edges(Search *search, const Side *a, int i, const Side *b, int j)
{
    float a_ends[6], b_ends[6];
    uint32_t vertices[4];
    const int32_t a_edge = copy_edge(a, i, a_ends, vertices),
                  b_edge = copy_edge(b, j, b_ends, vertices + 2);
    PliClosest closest;
    if (search->is_self && a_edge > b_edge) {
        test_edges(search, b, j, a, i); /* the lower one first */
        return;
    }
    if (search->is_self && have_common_end(a, i, b, j))
        return;
    if (a_edge < 0 || b_edge < 0 || was_tested(search, PLIANT_EDGE_EDGE, a_edge, b_edge) ||
        !are_close(search, true, a_ends, b_ends, &closest))
        return;
    offer(search, PLIANT_EDGE_EDGE, a_edge, b_edge, vertices, &closest);
}

/* All edges of two triangles, which have these, that are not apart by their heights. */
static void test_all_edges(Search *search, const Side *a, const Side *b, uint8_t a_edges,
                           uint8_t b_edges, const PliHeights *heights, double limit)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if ((a_edges >> i & 1) && (b_edges >> j & 1) &&
                !(pli_smaller(heights->a[i], heights->a[(i + 1) % 3]) -
                      pli_larger(heights->b[j], heights->b[(j + 1) % 3]) >
                  limit))
                test_edges(search, a, i, b, j);
}

static void test_triangles(Search *search, const Side *a, const Side *b, const PliHeights *heights,
                           double limit)
{
    const double low = pli_lowest(heights->a), high = pli_highest(heights->b);
    const uint8_t a_all = pli_near_all(a->features, a->triangle.number),
                  b_all = pli_near_all(b->features, b->triangle.number);
    for (int k = 0; k < 3; k++) {
        if ((a_all >> k & 1) && !(heights->a[k] - high > limit))
            test_vertex(search, a, k, b, PLIANT_VERTEX_TRIANGLE);
        if ((b_all >> k & 1) && !(low - heights->b[k] > limit))
            test_vertex(search, b, k, a,
                        search->is_self ? PLIANT_VERTEX_TRIANGLE : PLIANT_TRIANGLE_VERTEX);
    }
    if ((a_all >> 3) && (b_all >> 3))
        test_all_edges(search, a, b, a_all >> 3, b_all >> 3, heights, limit);
}

/* Can two triangles, or leaves, have no pair of features before that of the answer so far? They are
 * given by their lowest vertices and triangles. */
static bool are_later(const Search *search, uint32_t a_vertex, int32_t a_triangle,
                      uint32_t b_vertex, int32_t b_triangle)
{
    const bool is_self = search->is_self;
    const uint32_t vertex = is_self && b_vertex < a_vertex ? b_vertex : a_vertex;
    const int32_t triangle = is_self && a_triangle < b_triangle ? a_triangle : b_triangle;
    return search->goal->is_found &&
           pli_feature_key(PLIANT_VERTEX_TRIANGLE, (int32_t)vertex, triangle) > search->key;
}

/* What is ahead by more than this is farther; or no closer, if it is later. */
static double limit_of(const Search *search, bool is_later, double size)
{
    if (is_later && search->equal_reach < 0)
        return -INFINITY;
    return pli_height_limit(is_later ? search->equal_reach : (double)search->reach.distance,
                            search->normal_length, size);
}

/* Asks whether the query goes on, after some work: a pair of triangles without area may take 0.1
 * ms. */
static PliantResult count_work(Search *search, int32_t work)
{
    enum { CHECK_PERIOD = 256 };
    search->work += work;
    if (search->work < CHECK_PERIOD)
        return PLIANT_OK;
    search->work = 0;
    return pli_worker_check(search->distance->worker);
}

static uint32_t lowest_vertex(const PliNearTriangle *triangle)
{
    const uint32_t *v = triangle->vertices, low = v[0] < v[1] ? v[0] : v[1];
    return low < v[2] ? low : v[2];
}

/* ---- Two leaves --------------------------------------------------------------------------------
 */

/* Two triangles, by their rows. */
static PliantResult test_rows(Search *search, uint32_t a_row, uint32_t b_row)
{
    enum { PAIR_WORK = 4 };
    const PliLeafCache *cache = &search->distance->cache;
    const float *a_points = pli_leaf_cache_row(cache, a_row),
                *b_points = pli_leaf_cache_row(cache, b_row);
    if (!pli_is_finite(a_points, PLI_ROW_SIZE) || !pli_is_finite(b_points, PLI_ROW_SIZE))
        return PLIANT_OK;
    const PliHeights heights = pli_heights(search->normal, a_points, b_points);
    const double gap = pli_lowest(heights.a) - pli_highest(heights.b);
    if (gap > limit_of(search, false, heights.size))
        return PLIANT_OK;
    const Side a = side_of(cache, search->a, a_row), b = side_of(cache, search->b, b_row);
    const double limit = limit_of(search,
                                  are_later(search, lowest_vertex(&a.triangle), a.triangle.number,
                                            lowest_vertex(&b.triangle), b.triangle.number),
                                  heights.size);
    if (gap > limit)
        return PLIANT_OK;
    if (search->are_divided) {
        uint64_t key,
            *tested = tested_triangles(search, a.triangle.number, b.triangle.number, &key);
        if (*tested == key)
            return PLIANT_OK;
        *tested = key;
    }
    test_triangles(search, &a, &b, &heights, limit);
    return count_work(search, PAIR_WORK);
}

/* What is known of the leaf in a slot. */
static const PliDistanceLeaf *leaf_at(Search *search, const PliDistanceSide *side, uint32_t slot)
{
    const PliLeafCache *cache = &search->distance->cache;
    PliDistanceLeaf *leaf = (PliDistanceLeaf *)search->distance->leaves.items + slot;
    if (leaf->stamp == search->distance->stamp)
        return leaf;
    const int32_t count = side->pose->bounds.tree->leaves[cache->slot_leaves[slot]].count;
    *leaf = (PliDistanceLeaf){
        search->distance->stamp, UINT32_MAX, INT32_MAX, -1, INFINITY, -INFINITY, 0};
    for (uint32_t row = PLI_LEAF_SIZE * slot; row < PLI_LEAF_SIZE * slot + (uint32_t)count; row++) {
        const float *points = pli_leaf_cache_row(cache, row);
        if (!pli_is_finite(points, PLI_ROW_SIZE))
            continue;
        const PliNearTriangle triangle = side_of(cache, side, row).triangle;
        const uint32_t vertex = lowest_vertex(&triangle);
        leaf->vertex = vertex < leaf->vertex ? vertex : leaf->vertex;
        leaf->triangle = triangle.number < leaf->triangle ? triangle.number : leaf->triangle;
        leaf->last_triangle =
            triangle.number > leaf->last_triangle ? triangle.number : leaf->last_triangle;
        leaf->size = pli_larger(leaf->size, pli_largest(points));
        for (int k = 0; k < 3; k++) {
            const double height = pli_height_of(search->normal, points + 3 * (size_t)k);
            leaf->low = pli_smaller(leaf->low, height);
            leaf->high = pli_larger(leaf->high, height);
        }
    }
    return leaf;
}

/* Is there anything in two leaves that may take the place of the answer so far? */
static bool may_be_better(Search *search, uint32_t a_slot, uint32_t b_slot)
{
    if (!search->goal->is_found)
        return true;
    const PliDistanceLeaf *a = leaf_at(search, search->a, a_slot),
                          *b = leaf_at(search, search->b, b_slot);
    if (search->are_divided && a->triangle == a->last_triangle && b->triangle == b->last_triangle) {
        uint64_t key;
        if (*tested_triangles(search, a->triangle, b->triangle, &key) == key)
            return false;
    }
    const double limit =
        limit_of(search, are_later(search, a->vertex, a->triangle, b->vertex, b->triangle),
                 pli_larger(a->size, b->size));
    return !(a->low - b->high > limit) && !(search->is_self && b->low - a->high > limit);
}

/* The gaps between a box of one leaf and all of another. */
static void find_gaps(const PliLeafBoxes *a, uint32_t i, const PliLeafBoxes *b,
                      float gaps[PLI_LEAF_SIZE])
{
    const float low[3] = {a->low[0][i], a->low[1][i], a->low[2][i]},
                high[3] = {a->high[0][i], a->high[1][i], a->high[2][i]};
    pli_gaps(low, high, b->low[0], b->high[0], PLI_LEAF_SIZE, gaps);
}

/* The two triangles with the least gap, for a first distance. */
static PliantResult test_closest_rows(Search *search, uint32_t a, uint32_t b)
{
    const PliLeafBoxes *boxes = search->distance->cache.leaf_boxes;
    float gaps[PLI_LEAF_SIZE], least = INFINITY;
    uint32_t first = 0;
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++) {
        find_gaps(&boxes[a], i, &boxes[b], gaps);
        for (uint32_t j = 0; j < PLI_LEAF_SIZE; j++)
            if (gaps[j] < least) {
                least = gaps[j];
                first = PLI_LEAF_SIZE * i + j;
            }
    }
    return least <= search->reach.limit
               ? test_rows(search, PLI_LEAF_SIZE * a + first / PLI_LEAF_SIZE,
                           PLI_LEAF_SIZE * b + first % PLI_LEAF_SIZE)
               : PLIANT_OK;
}

/* All triangles of two slots. */
static PliantResult test_slots(Search *search, uint32_t a, uint32_t b)
{
    const PliLeafBoxes *boxes = search->distance->cache.leaf_boxes;
    const PliBox *b_all = &boxes[b].all;
    float gaps[PLI_LEAF_SIZE], row_gaps[PLI_LEAF_SIZE];
    const float b_low[3] = {b_all->low[0], b_all->low[1], b_all->low[2]},
                b_high[3] = {b_all->high[0], b_all->high[1], b_all->high[2]};
    if (!search->goal->is_found)
        PLI_TRY(test_closest_rows(search, a, b));
    pli_gaps(b_low, b_high, boxes[a].low[0], boxes[a].high[0], PLI_LEAF_SIZE, row_gaps);
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++) {
        if (!(row_gaps[i] <= search->reach.limit))
            continue;
        find_gaps(&boxes[a], i, &boxes[b], gaps);
        for (uint32_t j = 0; j < PLI_LEAF_SIZE; j++)
            if (gaps[j] <= search->reach.limit)
                PLI_TRY(test_rows(search, PLI_LEAF_SIZE * a + i, PLI_LEAF_SIZE * b + j));
    }
    return PLIANT_OK;
}

/* As many as the cache has slots; the new ones are of no stamp. */
static PliantResult reserve_leaves(PliDistance *distance)
{
    PliArray *leaves = &distance->leaves;
    void *room;
    const int64_t count = leaves->count, missing = distance->cache.slot_capacity - count;
    if (missing <= 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(leaves, distance->worker->host, missing, &room));
    memset(room, 0, (size_t)missing * sizeof(PliDistanceLeaf));
    return PLIANT_OK;
}

static PliantResult test_leaves(Search *search, PliLeafPair leaves)
{
    PliDistance *distance = search->distance;
    PliLeafCache *cache = &distance->cache;
    enum { EXTRA = 3 }; /* one of each, and one that is written to */
    if (cache->slot_count + EXTRA > PLI_MAX_SLOTS) {
        pli_leaf_cache_forget(cache);
        distance->stamp++;
    }
    PLI_TRY(pli_leaf_cache_reserve(cache, EXTRA, distance->worker->host));
    PLI_TRY(reserve_leaves(distance));
    search->leaves = leaves;
    PliWorker *worker = distance->worker;
    const uint32_t a_slot =
                       pli_leaf_cache_fetch(cache, search->a->pose, leaves.a, worker, PLI_SIDE_A),
                   b_slot =
                       pli_leaf_cache_fetch(cache, search->b->pose, leaves.b, worker, PLI_SIDE_B);
    if (pli_gap(&cache->leaf_boxes[a_slot].all, &cache->leaf_boxes[b_slot].all) <=
            search->reach.limit &&
        may_be_better(search, a_slot, b_slot))
        return test_slots(search, a_slot, b_slot);
    return PLIANT_OK;
}

/* ---- The walk ----------------------------------------------------------------------------------
 */

/* Tests the leaves in which the closest features were last. */
static PliantResult start_at_last(Search *search)
{
    const PliLeafPair last = search->goal->leaves;
    const bool are_there = last.a >= 0 && last.b >= 0 &&
                           last.a < search->a->pose->bounds.tree->leaf_count &&
                           last.b < search->b->pose->bounds.tree->leaf_count;
    return are_there ? test_leaves(search, last) : PLIANT_OK;
}

static PliantResult find_all(Search *search)
{
    PliDistance *distance = search->distance;
    const PliDistanceGoal *goal = search->goal;
    while (!pli_walk_is_done(&distance->walk) && !(goal->is_found && goal->is_one_enough)) {
        distance->leaf_pairs.count = 0;
        PLI_TRY(pli_walk_on(&distance->walk, distance->worker, 1, &distance->leaf_pairs));
        PLI_TRY(count_work(search, 1));
        if (distance->leaf_pairs.count > 0)
            PLI_TRY(test_leaves(search, *(const PliLeafPair *)distance->leaf_pairs.items));
    }
    return PLIANT_OK;
}

static bool has_no_groups(const PliPoseFeatures *features)
{
    return !features->corner_vertices || features->corner_vertices == features->corners;
}

PliantResult pli_distance_find(PliDistance *distance, const PliDistanceSide *a,
                               const PliDistanceSide *b, PliDistanceGoal *goal)
{
    const PliantHost *host = distance->worker->host;
    Search search = {.distance = distance,
                     .a = a,
                     .b = b,
                     .goal = goal,
                     .is_self = a->pose == b->pose,
                     .are_alone = has_no_groups(&a->features) && has_no_groups(&b->features),
                     .are_divided = a->pose->pieces || b->pose->pieces,
                     .reach = pli_reach_least(goal->max_distance)};
    const PliWalkDef def = {.a = pli_still_bounds(&a->pose->bounds),
                            .b = pli_still_bounds(&b->pose->bounds),
                            .has_gaps = true,
                            .until = search.reach.limit};
    goal->is_found = false;
    if (!pli_pose_is_somewhere(a->pose) || !pli_pose_is_somewhere(b->pose))
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&distance->tested, host, 2 * TESTED));
    memset(distance->tested.items, 0xff, 2 * TESTED * sizeof(uint64_t));
    distance->stamp++;
    PLI_TRY(pli_leaf_cache_start(&distance->cache, a->pose, b->pose, host));
    PLI_TRY(pli_walk_start(&distance->walk, &def, host));
    if (!pli_walk_is_done(&distance->walk))
        PLI_TRY(start_at_last(&search));
    return find_all(&search);
}
