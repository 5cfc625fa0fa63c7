/* The least distance of two poses: see distance.h. */
#include "near/distance.h"

#include <string.h>

/* Two parts of two trees, as in PliTreePartPair, and the gap between their boxes. */
typedef struct Waiting {
    float gap;
    PliTreePartPair parts;
} Waiting;

void pli_distance_init(PliDistance *distance, PliWorker *worker)
{
    *distance = (PliDistance){.worker = worker, .heap = {.item_size = sizeof(Waiting)}};
    pli_leaf_cache_init(&distance->cache);
}

void pli_distance_free(PliDistance *distance)
{
    const PliantHost *host = distance->worker->host;
    pli_leaf_cache_free(&distance->cache, host);
    pli_array_free(&distance->heap, host);
}

void pli_distance_start(PliDistance *distance)
{
    pli_leaf_cache_clear(&distance->cache);
}

/* ---- The heap ----------------------------------------------------------------------------------
 */

/* There is room. */
static void push(PliArray *heap, const Waiting *waiting)
{
    Waiting *items = heap->items;
    int64_t i = heap->count++;
    for (; i > 0 && items[(i - 1) / 2].gap > waiting->gap; i = (i - 1) / 2)
        items[i] = items[(i - 1) / 2];
    items[i] = *waiting;
}

static Waiting pop(PliArray *heap)
{
    Waiting *items = heap->items;
    const Waiting first = items[0], last = items[--heap->count];
    int64_t i = 0;
    for (int64_t child = 1; child < heap->count; child = 2 * i + 1) {
        child += child + 1 < heap->count && items[child + 1].gap < items[child].gap;
        if (!(items[child].gap < last.gap))
            break;
        items[i] = items[child];
        i = child;
    }
    items[i] = last;
    return first;
}

/* ---- The search --------------------------------------------------------------------------------
 */

typedef struct Search {
    PliDistance *distance;
    PliPose *a, *b;
    PliPoseFeatures a_features, b_features;
    PliDistanceGoal *goal;
    PliLeafPair leaves; /* that are compared now */
    PliReach reach;
    bool is_self;
    bool are_alone;                  /* each feature has vertices of its own: there are no groups */
    double normal[3], normal_length; /* of the pair that was found; zeros if there is none */
} Search;

/* Is this pair to be kept rather than the one that is? */
static bool is_better(const PliantNearPair *pair, const PliantNearPair *than)
{
    if (pair->distance != than->distance)
        return pair->distance < than->distance;
    const uint64_t key = pli_near_key(pair), than_key = pli_near_key(than);
    return key != than_key ? key < than_key : pli_near_is_before(pair, than);
}

static void keep(Search *search, const PliantNearPair *pair)
{
    PliDistanceGoal *goal = search->goal;
    double square = 0;
    goal->is_found = true;
    goal->pair = *pair;
    goal->leaves = search->leaves;
    search->reach = pli_reach_least(pair->distance);
    for (int k = 0; k < 3; k++) {
        search->normal[k] = pair->normal[k];
        square += search->normal[k] * search->normal[k];
    }
    search->normal_length = sqrt(square);
}

/* May a pair with this distance be kept? One that is returned as the greatest distance may be
 * farther: then `is_near` decides. */
static bool is_candidate(const Search *search, const PliClosest *closest)
{
    const PliDistanceGoal *goal = search->goal;
    return closest->distance <= (goal->is_found ? goal->pair.distance : goal->max_distance);
}

static bool is_at_end(const Search *search, const PliClosest *closest)
{
    return closest->distance == search->goal->max_distance && closest->distance < INFINITY;
}

static void offer(Search *search, PliantFeatures kind, int32_t a, int32_t b,
                  const uint32_t vertices[4], const PliClosest *closest)
{
    const PliDistanceGoal *goal = search->goal;
    const PliantNearPair pair = pli_near_pair(kind, a, b, vertices, closest);
    if (!goal->is_found || is_better(&pair, &goal->pair))
        keep(search, &pair);
}

/* ---- Two triangles -----------------------------------------------------------------------------
 */

/* Corners along the normal of the closest features so far. If all points of one feature are ahead
 * of all of the other by more than `limit`, they are farther from each other than the reach.
 *
 * With u = 2^-53 and C the greatest magnitude of a coordinate: the components of the normal are
 * floats of at most 1, so products are exact; a sum of three is within 2 u 3 C; the difference of
 * two sums is at most 6 C, and rounded: 18 u C in all, and 24 u C with what the limit rounds. The
 * length of the normal and its product with the reach are within 8 u. Before there is a normal the
 * limit is not below 0, or NaN, and no height is above it. */
typedef struct Heights {
    double a[3], b[3];
    double limit;
} Heights;

static double height_of(const double normal[3], const float *point)
{
    return (normal[0] * point[0] + normal[1] * point[1]) + normal[2] * point[2];
}

/* Without the library's call for a NaN: there is none. */
static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double largest(const float *row)
{
    double most = 0;
    for (int i = 0; i < PLI_ROW_SIZE; i++)
        most = larger(most, fabs((double)row[i]));
    return most;
}

static Heights find_heights(const Search *search, const float *a, const float *b)
{
    Heights heights;
    for (int k = 0; k < 3; k++) {
        heights.a[k] = height_of(search->normal, a + 3 * k);
        heights.b[k] = height_of(search->normal, b + 3 * k);
    }
    heights.limit = search->reach.distance * search->normal_length * (1 + 0x1p-50) +
                    24 * 0x1p-53 * larger(largest(a), largest(b));
    return heights;
}

static double lowest(const double heights[3])
{
    return smaller(smaller(heights[0], heights[1]), heights[2]);
}

static double highest(const double heights[3])
{
    return larger(larger(heights[0], heights[1]), heights[2]);
}

/* A triangle of a pose, and where it is. */
typedef struct Side {
    const PliPoseFeatures *features;
    const float *row;
    PliNearTriangle triangle;
} Side;

static Side side_of(const PliLeafCache *cache, const PliPose *pose, const PliPoseFeatures *features,
                    uint32_t row)
{
    const int32_t number = pli_pose_triangle(pose, pli_leaf_cache_position(cache, row));
    return (Side){features, pli_leaf_cache_row(cache, row), pli_near_triangle(features, number)};
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
    const PliNearEnds ends = pli_near_ends(side->triangle.vertices, k);
    memcpy(points, side->row + 3 * ends.first, 3 * sizeof *points);
    memcpy(points + 3, side->row + 3 * ends.second, 3 * sizeof *points);
    vertices[0] = vertex_at(side, ends.first);
    vertices[1] = vertex_at(side, ends.second);
    return pli_near_edge(side->features, side->triangle.number, k);
}

/* Has this pair of features been tested in this search? The triangles around a vertex and beside an
 * edge bring the same pairs. What was tested is noted where its key says, in place of what was
 * there. A feature with vertices of groups is at several places under one number, or is of several
 * vertices. */
static bool was_tested(Search *search, PliantFeatures kind, int32_t first, int32_t second)
{
    const uint64_t key = (uint64_t)kind << 62 | (uint64_t)first << 31 | (uint64_t)second;
    uint64_t *tested = &search->distance->tested[key * 0x9e3779b97f4a7c15u >> 56];
    if (*tested == key && search->are_alone)
        return true;
    *tested = key;
    return false;
}

/* A vertex of one triangle, at corner k, and the other triangle. */
static void test_vertex(Search *search, const Side *owner, int k, const Side *other,
                        PliantFeatures kind)
{
    PliDistance *distance = search->distance;
    const float *vertex = owner->row + 3 * k;
    const int32_t number = (int32_t)owner->triangle.vertices[k];
    PliClosest closest, again;
    if ((search->is_self && has_vertex(other, owner->triangle.vertices[k])) ||
        was_tested(search, kind, number, other->triangle.number))
        return;
    distance->pair_count++;
    if (!pli_vertex_triangle_closest(vertex, other->row, search->reach.distance, &closest,
                                     &distance->counts) ||
        !is_candidate(search, &closest))
        return;
    if (is_at_end(search, &closest) &&
        !pli_vertex_triangle_is_near(vertex, other->row, search->goal->max_distance, &again,
                                     &distance->counts))
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
    PliDistance *distance = search->distance;
    float a_ends[6], b_ends[6];
    uint32_t vertices[4];
    const int32_t a_edge = copy_edge(a, i, a_ends, vertices),
                  b_edge = copy_edge(b, j, b_ends, vertices + 2);
    PliClosest closest, again;
    if (search->is_self && a_edge > b_edge) {
        test_edges(search, b, j, a, i); /* the lower one first */
        return;
    }
    if (search->is_self && have_common_end(a, i, b, j))
        return;
    if (a_edge < 0 || b_edge < 0 || was_tested(search, PLIANT_EDGE_EDGE, a_edge, b_edge))
        return;
    distance->pair_count++;
    if (!pli_edge_edge_closest(a_ends, b_ends, search->reach.distance, &closest,
                               &distance->counts) ||
        !is_candidate(search, &closest))
        return;
    if (is_at_end(search, &closest) &&
        !pli_edge_edge_is_near(a_ends, b_ends, search->goal->max_distance, &again,
                               &distance->counts))
        return;
    offer(search, PLIANT_EDGE_EDGE, a_edge, b_edge, vertices, &closest);
}

/* All edges of two triangles that are not apart by their heights. */
static void test_all_edges(Search *search, const Side *a, const Side *b, const Heights *heights)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!(smaller(heights->a[i], heights->a[(i + 1) % 3]) -
                      larger(heights->b[j], heights->b[(j + 1) % 3]) >
                  heights->limit))
                test_edges(search, a, i, b, j);
}

static void test_triangles(Search *search, const Side *a, const Side *b, const Heights *heights)
{
    const double low = lowest(heights->a), high = highest(heights->b);
    const uint8_t a_all = pli_near_all(a->features), b_all = pli_near_all(b->features);
    for (int k = 0; k < 3; k++) {
        if ((a_all >> k & 1) && !(heights->a[k] - high > heights->limit))
            test_vertex(search, a, k, b, PLIANT_VERTEX_TRIANGLE);
        if ((b_all >> k & 1) && !(low - heights->b[k] > heights->limit))
            test_vertex(search, b, k, a,
                        search->is_self ? PLIANT_VERTEX_TRIANGLE : PLIANT_TRIANGLE_VERTEX);
    }
    if ((a_all >> 3) && (b_all >> 3))
        test_all_edges(search, a, b, heights);
}

/* ---- Two leaves --------------------------------------------------------------------------------
 */

/* The slot of a leaf, for which there is room. */
static uint32_t fetch(PliDistance *distance, const PliPose *pose, PliSide side, int32_t leaf)
{
    PliLeafCache *cache = &distance->cache;
    const int32_t next = cache->slot_count;
    const uint32_t slot = pli_leaf_cache_slot(
        cache, pose == cache->a_slots.pose ? &cache->a_slots : &cache->b_slots, leaf);
    if (cache->slot_count > next) {
        pli_pose_fetch(pose, leaf, distance->worker, side,
                       cache->rows + (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * slot,
                       &cache->leaf_boxes[slot]);
        cache->first_positions[slot] = pose->bounds.tree->leaves[leaf].first;
    }
    return slot;
}

/* Two triangles, by their rows. */
static void test_rows(Search *search, uint32_t a_row, uint32_t b_row)
{
    const PliLeafCache *cache = &search->distance->cache;
    const float *a_points = pli_leaf_cache_row(cache, a_row),
                *b_points = pli_leaf_cache_row(cache, b_row);
    if (!pli_is_finite(a_points, PLI_ROW_SIZE) || !pli_is_finite(b_points, PLI_ROW_SIZE))
        return;
    const Heights heights = find_heights(search, a_points, b_points);
    if (lowest(heights.a) - highest(heights.b) > heights.limit)
        return;
    const Side a = side_of(cache, search->a, &search->a_features, a_row),
               b = side_of(cache, search->b, &search->b_features, b_row);
    test_triangles(search, &a, &b, &heights);
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
static void test_closest_rows(Search *search, uint32_t a, uint32_t b)
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
    if (least <= search->reach.limit)
        test_rows(search, PLI_LEAF_SIZE * a + first / PLI_LEAF_SIZE,
                  PLI_LEAF_SIZE * b + first % PLI_LEAF_SIZE);
}

/* All triangles of two slots. */
static void test_slots(Search *search, uint32_t a, uint32_t b)
{
    const PliLeafBoxes *boxes = search->distance->cache.leaf_boxes;
    const PliBox *b_all = &boxes[b].all;
    float gaps[PLI_LEAF_SIZE], row_gaps[PLI_LEAF_SIZE];
    const float b_low[3] = {b_all->low[0], b_all->low[1], b_all->low[2]},
                b_high[3] = {b_all->high[0], b_all->high[1], b_all->high[2]};
    if (!search->goal->is_found)
        test_closest_rows(search, a, b);
    pli_gaps(b_low, b_high, boxes[a].low[0], boxes[a].high[0], PLI_LEAF_SIZE, row_gaps);
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++) {
        if (!(row_gaps[i] <= search->reach.limit))
            continue;
        find_gaps(&boxes[a], i, &boxes[b], gaps);
        for (uint32_t j = 0; j < PLI_LEAF_SIZE; j++)
            if (gaps[j] <= search->reach.limit)
                test_rows(search, PLI_LEAF_SIZE * a + i, PLI_LEAF_SIZE * b + j);
    }
}

static PliantResult test_leaves(Search *search, int32_t a, int32_t b)
{
    PliDistance *distance = search->distance;
    PliLeafCache *cache = &distance->cache;
    enum { EXTRA = 3 }; /* one of each, and one that is written to */
    if (cache->slot_count + EXTRA > PLI_MAX_SLOTS)
        pli_leaf_cache_forget(cache);
    PLI_TRY(pli_leaf_cache_reserve(cache, EXTRA, distance->worker->host));
    distance->leaf_pair_count++;
    search->leaves = (PliLeafPair){a, b};
    const uint32_t a_slot = fetch(distance, search->a, PLI_SIDE_A, a),
                   b_slot = fetch(distance, search->b, PLI_SIDE_B, b);
    if (pli_gap(&cache->leaf_boxes[a_slot].all, &cache->leaf_boxes[b_slot].all) <=
        search->reach.limit)
        test_slots(search, a_slot, b_slot);
    return PLIANT_OK;
}

/* ---- The walk ----------------------------------------------------------------------------------
 */

/* The children of a part that is opened, or the part itself. */
typedef struct Parts {
    const int32_t *parts;
    int32_t count, home; /* of the first */
    PliBoxes boxes;
} Parts;

/* The box of a part as the only one of eight. */
static void copy_alone(const PliBounds *bounds, int32_t home, PliBoxes *boxes)
{
    const PliBoxes *homes = home < 0 ? NULL : pli_boxes_at(bounds, home / 8);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < PLI_GROUP; i++)
            boxes->low[k][i] = boxes->high[k][i] = NAN;
        boxes->low[k][0] = homes ? homes->low[k][home % 8] : bounds->root.low[k];
        boxes->high[k][0] = homes ? homes->high[k][home % 8] : bounds->root.high[k];
    }
}

static PliantResult open_part(Search *search, PliPose *pose, PliSide side, const int32_t *part,
                              int32_t home, bool is_opened, Parts *parts)
{
    PliBounds *bounds = &pose->bounds;
    if (*part < 0 || !is_opened) {
        *parts = (Parts){.parts = part, .count = 1, .home = home};
        copy_alone(bounds, home, &parts->boxes);
        return PLIANT_OK;
    }
    const PliBoxes *boxes = pli_bounds_of(bounds, *part, search->distance->worker, side);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    const PliTreeNode *node = &bounds->tree->nodes[*part];
    *parts = (Parts){node->children, node->child_count, 8 * bounds->node_slots[*part].slot, *boxes};
    return PLIANT_OK;
}

/* The size of a part: the sum of the sides of its box. */
static float extent(const PliBounds *bounds, int32_t home)
{
    PliBoxes boxes;
    float sum = 0;
    copy_alone(bounds, home, &boxes);
    for (int k = 0; k < 3; k++)
        sum += boxes.high[k][0] - boxes.low[k][0];
    return sum;
}

/* A part that is this much larger than the other is opened alone. */
static const float FAR_LARGER = 4;

/* Puts the children of a pair into the heap. */
static PliantResult open_pair(Search *search, const PliTreePartPair *pair)
{
    PliArray *heap = &search->distance->heap;
    const float a_extent = extent(&search->a->bounds, pair->a_home),
                b_extent = extent(&search->b->bounds, pair->b_home);
    const bool is_one = search->is_self && pair->a == pair->b; /* each two of its children once */
    Parts a, b;
    PLI_TRY(open_part(search, search->a, PLI_SIDE_A, &pair->a, pair->a_home,
                      pair->b < 0 || !(b_extent > FAR_LARGER * a_extent), &a));
    PLI_TRY(open_part(search, search->b, PLI_SIDE_B, &pair->b, pair->b_home,
                      pair->a < 0 || !(a_extent > FAR_LARGER * b_extent), &b));
    PLI_TRY(pli_array_reserve(heap, search->distance->worker->host,
                              heap->count + (int64_t)PLI_GROUP * PLI_GROUP));
    for (int32_t i = 0; i < a.count; i++) {
        const float low[3] = {a.boxes.low[0][i], a.boxes.low[1][i], a.boxes.low[2][i]},
                    high[3] = {a.boxes.high[0][i], a.boxes.high[1][i], a.boxes.high[2][i]};
        float gaps[PLI_GROUP];
        pli_gaps(low, high, b.boxes.low[0], b.boxes.high[0], PLI_GROUP, gaps);
        for (int32_t j = is_one ? i : 0; j < b.count; j++)
            if (gaps[j] <= search->reach.limit)
                push(heap,
                     &(Waiting){gaps[j], {a.parts[i], b.parts[j], a.home + i, b.home + j, 0}});
    }
    return PLIANT_OK;
}

/* Tests the leaves in which the closest features were last. */
static PliantResult start_at_last(Search *search)
{
    const PliLeafPair last = search->goal->leaves;
    const bool are_there = last.a >= 0 && last.b >= 0 &&
                           last.a < search->a->bounds.tree->leaf_count &&
                           last.b < search->b->bounds.tree->leaf_count;
    return are_there ? test_leaves(search, last.a, last.b) : PLIANT_OK;
}

static PliantResult find_all(Search *search)
{
    enum { CHECK_PERIOD = 256 };
    PliArray *heap = &search->distance->heap;
    const PliDistanceGoal *goal = search->goal;
    for (int64_t i = 1; heap->count > 0 && !(goal->is_found && goal->is_one_enough); i++) {
        const Waiting next = pop(heap);
        if (i % CHECK_PERIOD == 0)
            PLI_TRY(pli_worker_check(search->distance->worker));
        if (!(next.gap <= search->reach.limit))
            break; /* none is less */
        if ((next.parts.a & next.parts.b) < 0)
            PLI_TRY(test_leaves(search, ~next.parts.a, ~next.parts.b));
        else
            PLI_TRY(open_pair(search, &next.parts));
    }
    return PLIANT_OK;
}

static bool has_no_groups(const PliPoseFeatures *features)
{
    return !features->corner_vertices || features->corner_vertices == features->corners;
}

PliantResult pli_distance_find(PliDistance *distance, PliPose *a, PliPose *b, PliDistanceGoal *goal)
{
    const PliantHost *host = distance->worker->host;
    Search search = {.distance = distance,
                     .a = a,
                     .b = b,
                     .goal = goal,
                     .is_self = a == b,
                     .reach = pli_reach_least(goal->max_distance)};
    goal->is_found = false;
    PLI_TRY(a->kind->features(a, distance->worker->body_host, &search.a_features));
    PLI_TRY(b->kind->features(b, distance->worker->body_host, &search.b_features));
    search.are_alone = has_no_groups(&search.a_features) && has_no_groups(&search.b_features);
    memset(distance->tested, 0xff, sizeof distance->tested);
    PLI_TRY(pli_leaf_cache_start(&distance->cache, a, b, host));
    distance->heap.count = 0;
    PLI_TRY(pli_array_reserve(&distance->heap, host, 1));
    const float gap = pli_gap(&a->bounds.root, &b->bounds.root);
    if (!pli_pose_is_somewhere(a) || !pli_pose_is_somewhere(b) || !(gap <= search.reach.limit))
        return PLIANT_OK;
    push(&distance->heap, &(Waiting){gap,
                                     {a->bounds.tree->node_count == 0 ? ~0 : 0,
                                      b->bounds.tree->node_count == 0 ? ~0 : 0, -1, -1, 0}});
    PLI_TRY(start_at_last(&search));
    return find_all(&search);
}
