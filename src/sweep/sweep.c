/* What touches on the way: see sweep.h. */
#include "sweep/sweep.h"
#include "base/round.h"
#include "base/sort.h"
#include "sweep/details.h"

#include <string.h>

/* Leaf pairs that are looked for at a time, and if the first impact is wanted; the last step of the
 * walk may bring 63 more. Leaves that are kept, at most. */
enum { PORTION = 128, SMALL_PORTION = 8, MAX_LEAVES = 512 };
_Static_assert(2 * (PORTION + 63) + 1 <= MAX_LEAVES && MAX_LEAVES <= (int)PLI_MAX_SLOTS,
               "a portion has room");

static uint64_t key_of(const void *impact)
{
    return pli_impact_key(impact);
}

static bool is_before(const void *impact, const void *than)
{
    return pli_impact_is_before(impact, than);
}

const PliFoundKind pli_sweep_found = {sizeof(PliantImpact), key_of, is_before};

void pli_sweep_init(PliSweep *sweep, PliWorker *worker)
{
    *sweep = (PliSweep){
        .worker = worker,
        .end_rows = {.item_size = sizeof(float)},
        .leaves = {.item_size = sizeof(PliSweepLeaf)},
        .triangles = {.item_size = sizeof(PliNearTriangle)},
        .groups = {{.item_size = sizeof(PliLeafBoxes)}, {.item_size = sizeof(PliLeafBoxes)}},
        .group_slots = {.item_size = sizeof(int32_t)},
        .features = {.item_size = sizeof(PliSweepFeature)},
        .leaf_pairs = {.item_size = sizeof(PliMovingLeafPair)},
        .candidates = {.item_size = sizeof(PliSweepCandidate)}};
    pli_found_init(&sweep->found, &pli_sweep_found);
    pli_leaf_cache_init(&sweep->cache);
    pli_walk_init(&sweep->walk);
}

void pli_sweep_free(PliSweep *sweep)
{
    const PliantHost *host = sweep->worker->host;
    enum { ARRAY_COUNT = 9 };
    PliArray *const arrays[ARRAY_COUNT] = {
        &sweep->end_rows,  &sweep->leaves,     &sweep->triangles,
        &sweep->groups[0], &sweep->groups[1],  &sweep->group_slots,
        &sweep->features,  &sweep->leaf_pairs, &sweep->candidates};
    for (int i = 0; i < ARRAY_COUNT; i++)
        pli_array_free(arrays[i], host);
    pli_found_free(&sweep->found, host);
    pli_leaf_cache_free(&sweep->cache, host);
    pli_walk_free(&sweep->walk, host);
}

void pli_sweep_start(PliSweep *sweep, float until, float distance, float reach,
                     bool is_first_wanted)
{
    sweep->until = until;
    sweep->distance = distance;
    sweep->reach = reach;
    sweep->is_first_wanted = is_first_wanted;
    sweep->found.limit = PLI_NO_LIMIT;
    pli_leaf_cache_clear(&sweep->cache);
}

/* ---- The features of a leaf --------------------------------------------------------------------
 *
 * As in near.c, at both ends. If triangles are divided, a box is that of what the piece has of the
 * feature. A point of both is, at either end, in the box of the piece and in that of the feature,
 * and so in what these have in common; if that is nothing at one end, there is no such point.
 */

/* A pose that is searched. */
typedef struct Searched {
    PliMovingPose pose;
    PliPoseFeatures features;
    PliSide side;
} Searched;

/* Where features of a leaf are added: there is room for all of them. */
typedef struct Adding {
    PliSweepFeature *features;
    PliLeafBoxes *groups[2];
    int32_t count;
} Adding;

static PliLeafBoxes *group_at(const PliSweep *sweep, int end, int32_t group)
{
    return (PliLeafBoxes *)sweep->groups[end].items + group;
}

static Adding start_adding(const PliSweep *sweep, int32_t group)
{
    PliSweepFeature *features = sweep->features.items;
    return (Adding){features + (size_t)PLI_LEAF_SIZE * (size_t)group,
                    {group_at(sweep, 0, group), group_at(sweep, 1, group)},
                    0};
}

/* The box of all boxes of a group, which skips NaN. */
static void bound_group(PliLeafBoxes *group)
{
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

/* Ends the last group: unused boxes are NaN. Returns how many groups there are. */
static int32_t end_adding(const Adding *adding)
{
    const int32_t group_count = (int32_t)pli_div_up(adding->count, PLI_LEAF_SIZE);
    for (int end = 0; end < 2; end++) {
        PliLeafBoxes *groups = adding->groups[end];
        for (int32_t i = adding->count; i < PLI_LEAF_SIZE * group_count; i++)
            for (int k = 0; k < 3; k++)
                groups[i / PLI_LEAF_SIZE].low[k][i % PLI_LEAF_SIZE] =
                    groups[i / PLI_LEAF_SIZE].high[k][i % PLI_LEAF_SIZE] = NAN;
        for (int32_t g = 0; g < group_count; g++)
            bound_group(&groups[g]);
    }
    return group_count;
}

/* A leaf that was fetched: in which slot, its rows and the boxes of its triangles at both ends. */
typedef struct Fetched {
    int32_t slot, count;
    const float *rows[2];
    PliLeafBoxes *boxes[2];
} Fetched;

/* Adds corner `first` of triangle i, or the edge from there to corner `second`, if any of it is in
 * the box of the triangle, or of its piece. */
static void add_feature(Adding *adding, const Fetched *leaf, int i, int first, int second,
                        const PliNearTriangle *triangle, int32_t number)
{
    const int32_t lane = adding->count % PLI_LEAF_SIZE, group = adding->count / PLI_LEAF_SIZE;
    const uint32_t row = (uint32_t)(PLI_LEAF_SIZE * leaf->slot + i);
    bool is_here = true;
    for (int end = 0; end < 2; end++) {
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
        (PliSweepFeature){{3 * row + (uint32_t)first, 3 * row + (uint32_t)second},
                          {triangle->vertices[first], triangle->vertices[second]},
                          number};
    adding->count += is_here;
}

/* The edge from corner k on, its lower vertex first; but not if both ends are one vertex. */
static void add_edge(Adding *adding, const PliPoseFeatures *features, const Fetched *leaf, int i,
                     int k, const PliNearTriangle *triangle)
{
    const int32_t edge = pli_near_edge(features, triangle->number, k);
    const PliNearEnds ends = pli_near_ends(triangle->vertices, k);
    if (edge >= 0)
        add_feature(adding, leaf, i, ends.first, ends.second, triangle, edge);
}

/* Finds the triangles of a leaf, whose group has their boxes. Those that are not finite get boxes
 * that overlap nothing. */
static void find_triangles(PliSweep *sweep, const Searched *searched, const Fetched *leaf)
{
    PliNearTriangle *triangles =
        (PliNearTriangle *)sweep->triangles.items + PLI_LEAF_SIZE * leaf->slot;
    for (int32_t i = 0; i < leaf->count; i++) {
        const uint32_t row = (uint32_t)(PLI_LEAF_SIZE * leaf->slot + i);
        const int32_t number =
            pli_pose_triangle(searched->pose.start, pli_leaf_cache_position(&sweep->cache, row));
        triangles[i] = pli_near_triangle(&searched->features, number);
        if (PLI_LIKELY(pli_is_finite(leaf->rows[0] + PLI_ROW_SIZE * i, PLI_ROW_SIZE) &&
                       pli_is_finite(leaf->rows[1] + PLI_ROW_SIZE * i, PLI_ROW_SIZE)))
            continue;
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 3; k++)
                leaf->boxes[end]->low[k][i] = leaf->boxes[end]->high[k][i] = NAN;
    }
    for (int end = 0; end < 2; end++)
        bound_group(leaf->boxes[end]);
}

/* Makes boxes wider by half of the reach. */
static void widen_groups(PliSweep *sweep, int32_t first, int32_t group_end)
{
    const float half = pli_half_up(sweep->reach);
    for (int32_t g = first; half > 0 && g < group_end; g++)
        for (int end = 0; end < 2; end++) {
            PliLeafBoxes *group = group_at(sweep, end, g);
            pli_widen(group->low[0], group->high[0], 3 * PLI_LEAF_SIZE, half);
            group->all = pli_box_widened(&group->all, half);
        }
}

static Fetched fetched_at(const PliSweep *sweep, int32_t slot, int32_t count)
{
    const size_t first = (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE * (size_t)slot;
    const int32_t group = ((const PliSweepLeaf *)sweep->leaves.items)[slot].triangles;
    return (Fetched){slot,
                     count,
                     {sweep->cache.rows + first, (float *)sweep->end_rows.items + first},
                     {group_at(sweep, 0, group), group_at(sweep, 1, group)}};
}

/* What a triangle of a leaf owns: nothing if it is not finite, and so has no box. */
static uint8_t owned_by(const Searched *searched, const Fetched *leaf,
                        const PliNearTriangle *triangles, int i)
{
    return isnan(leaf->boxes[0]->low[0][i])
               ? 0
               : pli_near_owned(&searched->features, triangles[i].number);
}

/* Makes the groups of the vertices and edges of a leaf, on first need. */
static void make_features(PliSweep *sweep, const Searched *searched, int32_t slot)
{
    PliSweepLeaf *leaf = (PliSweepLeaf *)sweep->leaves.items + slot;
    if (leaf->vertices >= 0)
        return;
    const PliNearTriangle *triangles =
        (const PliNearTriangle *)sweep->triangles.items + PLI_LEAF_SIZE * slot;
    const Fetched fetched = fetched_at(sweep, slot, leaf->count);
    leaf->vertices = sweep->group_count;
    Adding adding = start_adding(sweep, sweep->group_count);
    for (int32_t i = 0; i < leaf->count; i++)
        for (int k = 0; k < 3; k++)
            if (owned_by(searched, &fetched, triangles, i) >> k & 1)
                add_feature(&adding, &fetched, i, k, k, &triangles[i],
                            (int32_t)triangles[i].vertices[k]);
    leaf->edges = sweep->group_count += end_adding(&adding);
    adding = start_adding(sweep, sweep->group_count);
    for (int32_t i = 0; i < leaf->count; i++)
        for (int k = 0; k < 3; k++)
            if (owned_by(searched, &fetched, triangles, i) >> (3 + k) & 1)
                add_edge(&adding, &searched->features, &fetched, i, k, &triangles[i]);
    leaf->end = sweep->group_count += end_adding(&adding);
    widen_groups(sweep, leaf->vertices, leaf->end);
}

/* Fetches a leaf at both ends, and makes the group of its triangles. */
static void fetch_leaf(PliSweep *sweep, const Searched *searched, int32_t slot)
{
    PliLeafCache *cache = &sweep->cache;
    const PliPose *start = searched->pose.start, *end = searched->pose.end;
    const int32_t leaf = cache->slot_leaves[slot], group = sweep->group_count++;
    const size_t size = (size_t)PLI_LEAF_SIZE * PLI_ROW_SIZE;
    float *start_rows = cache->rows + size * (size_t)slot,
          *end_rows = (float *)sweep->end_rows.items + size * (size_t)slot;
    PliLeafBoxes *boxes[2] = {group_at(sweep, 0, group), group_at(sweep, 1, group)};
    const PliRange range = start->bounds.tree->leaves[leaf];
    ((PliSweepLeaf *)sweep->leaves.items)[slot] =
        (PliSweepLeaf){.count = range.count, .triangles = group, .vertices = -1};
    ((int32_t *)sweep->group_slots.items)[group] = slot;
    cache->first_positions[slot] = range.first;
    pli_pose_fetch(start, leaf, sweep->worker, searched->side, start_rows, boxes[0]);
    if (end == start) {
        memcpy(end_rows, start_rows, size * sizeof *end_rows);
        *boxes[1] = *boxes[0];
    } else {
        pli_pose_fetch(end, leaf, sweep->worker, searched->side, end_rows, boxes[1]);
    }
    if (start->pieces)
        for (int i = 0; i < 2; i++) /* which are rounded inward */
            pli_widen(boxes[i]->low[0], boxes[i]->high[0], 3 * PLI_LEAF_SIZE, 0);
    const Fetched fetched = fetched_at(sweep, slot, range.count);
    find_triangles(sweep, searched, &fetched);
    widen_groups(sweep, group, group + 1);
}

/* Fetches the leaves of the slots from `first` on. */
static void fetch(PliSweep *sweep, const Searched *searched, int32_t first)
{
    const PliLeafCache *cache = &sweep->cache;
    const PliPose *start = searched->pose.start, *end = searched->pose.end;
    for (int32_t slot = first; slot < cache->slot_count; slot++) {
        if (slot + 3 < cache->slot_count) {
            const int32_t later = cache->slot_leaves[slot + 3], next = cache->slot_leaves[slot + 1];
            start->kind->prefetch(start, later, next);
            end->kind->prefetch(end, later, next);
        }
        fetch_leaf(sweep, searched, slot);
    }
}

/* ---- Pairs of features ------------------------------------------------------------------------
 */

/* Adds an impact that has one pair: there is room. Its vertices are the points of the pair. */
static void add_found(PliSweep *sweep, PliantFeatures kind, const PliImpactPairs *pair,
                      const int32_t features[2], float time)
{
    PliantImpact *impact = (PliantImpact *)sweep->found.items.items + sweep->found.items.count++;
    *impact = pli_impact_details(pair, kind == PLIANT_TRIANGLE_VERTEX, sweep->distance > 0, time);
    impact->kind = kind;
    impact->feature_a = features[0];
    impact->feature_b = features[1];
    impact->pair_count = 1;
    memcpy(impact->vertices, pair->pairs, sizeof impact->vertices);
    if (sweep->is_first_wanted)
        sweep->until = time;
}

PliantResult pli_sweep_decide(PliSweep *sweep, PliantFeatures kind, const float *start,
                              const float *end)
{
    PliSweepBatch *batch = &sweep->batches[kind];
    PliImpactPairs pairs = {.kind = kind == PLIANT_EDGE_EDGE ? PLI_EDGE_EDGE : PLI_VERTEX_TRIANGLE,
                            .start = start,
                            .end = end,
                            .pairs = batch->points,
                            .count = batch->count};
    PliArray *found = &sweep->found.items;
    PLI_TRY(pli_worker_check_cancelled(sweep->worker));
    PLI_TRY(pli_array_reserve(found, sweep->worker->host, found->count + batch->count));
    if (sweep->distance > 0)
        pli_pairs_approach(&pairs, sweep->distance, sweep->until, batch->times);
    else
        pli_pairs_impact(sweep->worker->kernels, &pairs, batch->times, &sweep->counts);
    pairs.count = 1;
    for (int32_t i = 0; i < batch->count; i++) {
        pairs.pairs = batch->points + 4 * i;
        if (batch->times[i] <= sweep->until)
            add_found(sweep, kind, &pairs, batch->features + 2 * i, batch->times[i]);
    }
    batch->count = 0;
    return PLIANT_OK;
}

static void add_pair(PliSweepBatch *batch, const uint32_t first[2], const uint32_t second[2],
                     int32_t a, int32_t b)
{
    uint32_t *points = batch->points + 4 * batch->count;
    int32_t *features = batch->features + 2 * batch->count++;
    points[0] = first[0];
    points[1] = first[1];
    points[2] = second[0];
    points[3] = second[1];
    features[0] = a;
    features[1] = b;
}

static bool has_vertex(const PliNearTriangle *triangle, uint32_t vertex)
{
    return (triangle->vertices[0] == vertex) | (triangle->vertices[1] == vertex) |
           (triangle->vertices[2] == vertex);
}

static bool have_common_end(const PliSweepFeature *a, const PliSweepFeature *b)
{
    return (a->vertices[0] == b->vertices[0]) | (a->vertices[0] == b->vertices[1]) |
           (a->vertices[1] == b->vertices[0]) | (a->vertices[1] == b->vertices[1]);
}

/* A vertex, by its number among all features, and a triangle, by its group and lane. */
static void add_vertex(PliSweep *sweep, uint32_t vertex, uint32_t triangle, bool is_self,
                       PliantFeatures kind)
{
    const int32_t slot = ((const int32_t *)sweep->group_slots.items)[triangle / PLI_LEAF_SIZE];
    const uint32_t row = (uint32_t)slot * PLI_LEAF_SIZE + triangle % PLI_LEAF_SIZE;
    const PliSweepFeature *a = (const PliSweepFeature *)sweep->features.items + vertex;
    const PliNearTriangle *b = (const PliNearTriangle *)sweep->triangles.items + row;
    if (is_self && has_vertex(b, a->vertices[0]))
        return;
    const uint32_t first[2] = {a->points[0], 3 * row}, second[2] = {3 * row + 1, 3 * row + 2};
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    add_pair(&sweep->batches[kind], first, second, is_swapped ? b->number : a->number,
             is_swapped ? a->number : b->number);
}

/* Two edges. Within one pose, two of one group come twice. */
static void add_edges(PliSweep *sweep, uint32_t one, uint32_t other, bool is_self)
{
    const PliSweepFeature *features = sweep->features.items, *a = &features[one],
                          *b = &features[other];
    if (is_self &&
        ((one / PLI_LEAF_SIZE == other / PLI_LEAF_SIZE && one >= other) || have_common_end(a, b)))
        return;
    if (is_self && a->number > b->number) {
        const PliSweepFeature *swapped = a;
        a = b;
        b = swapped;
    }
    add_pair(&sweep->batches[PLIANT_EDGE_EDGE], a->points, b->points, a->number, b->number);
}

/* ---- Pairs of groups ------------------------------------------------------------------------- */

/* Two poses that are searched. */
typedef struct Search {
    Searched a, b;
    bool is_self;
} Search;

/* The vertices of four points in the rows of leaves. The first ones are of a vertex or an edge. */
static void find_vertices(const PliSweep *sweep, const Search *search, PliantFeatures kind,
                          const uint32_t points[4], uint32_t vertices[4])
{
    const PliNearTriangle *triangles = sweep->triangles.items;
    const int first_count = kind == PLIANT_EDGE_EDGE ? 2 : 1;
    for (int k = 0; k < 4; k++) {
        const bool is_of_a = (k < first_count) != (kind == PLIANT_TRIANGLE_VERTEX);
        const Searched *side = is_of_a ? &search->a : &search->b;
        vertices[k] =
            pli_near_vertex(&side->features, triangles[points[k] / 3].number, (int)(points[k] % 3));
    }
}

/* A pair of a batch as a candidate. */
static void keep_pair(const PliSweep *sweep, const Search *search, PliantFeatures kind, int32_t i,
                      PliSweepCandidate *candidate)
{
    const PliSweepBatch *batch = &sweep->batches[kind];
    candidate->base = (PliCandidate){
        .kind = kind, .feature_a = batch->features[2 * i], .feature_b = batch->features[2 * i + 1]};
    find_vertices(sweep, search, kind, batch->points + 4 * (size_t)i, candidate->base.vertices);
    for (int k = 0; k < 4; k++) {
        const size_t point = batch->points[4 * i + k];
        memcpy(candidate->points[0] + 3 * k, sweep->cache.rows + 3 * point, 3 * sizeof(float));
        memcpy(candidate->points[1] + 3 * k, (const float *)sweep->end_rows.items + 3 * point,
               3 * sizeof(float));
    }
}

/* Decides all pairs of a batch, and names the vertices of those that touch. */
static PliantResult decide(PliSweep *sweep, const Search *search, PliantFeatures kind)
{
    const PliArray *found = &sweep->found.items;
    const int64_t first = found->count;
    PLI_TRY(pli_sweep_decide(sweep, kind, sweep->cache.rows, sweep->end_rows.items));
    for (int64_t i = first; i < found->count; i++) {
        PliantImpact *impact = (PliantImpact *)found->items + i;
        uint32_t vertices[4];
        find_vertices(sweep, search, kind, impact->vertices, vertices);
        pli_near_set_vertices(kind, vertices, impact->vertices);
    }
    return pli_found_check(&sweep->found, sweep->worker->host);
}

/* Decides all pairs of a batch, or keeps them. It is then empty. */
static PliantResult finish(PliSweep *sweep, const Search *search, PliantFeatures kind)
{
    PliSweepBatch *batch = &sweep->batches[kind];
    void *end = NULL;
    if (!sweep->keeps)
        return decide(sweep, search, kind);
    PLI_TRY(pli_array_push(&sweep->candidates, sweep->worker->host, batch->count, &end));
    for (int32_t i = 0; i < batch->count; i++)
        keep_pair(sweep, search, kind, i, (PliSweepCandidate *)end + i);
    batch->count = 0;
    return PLIANT_OK;
}

/* Two groups: of vertices and of triangles, or of edges. */
static PliantResult test_groups(PliSweep *sweep, const Search *search, PliantFeatures kind,
                                int32_t a, int32_t b)
{
    uint16_t bits[PLI_LEAF_SIZE];
    sweep->worker->kernels->overlap_moving_leaves(
        (PliMovingLeaf){group_at(sweep, 0, a), group_at(sweep, 1, a)},
        (PliMovingLeaf){group_at(sweep, 0, b), group_at(sweep, 1, b)}, sweep->until, bits);
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++)
        for (uint32_t row = bits[i]; row; row &= row - 1) {
            const uint32_t one = PLI_LEAF_SIZE * (uint32_t)a + i,
                           other = PLI_LEAF_SIZE * (uint32_t)b + (uint32_t)__builtin_ctz(row);
            if (kind == PLIANT_EDGE_EDGE)
                add_edges(sweep, one, other, search->is_self);
            else
                add_vertex(sweep, one, other, search->is_self, kind);
        }
    return sweep->batches[kind].count >= PLI_SWEEP_BATCH ? finish(sweep, search, kind) : PLIANT_OK;
}

/* Does any triangle of one leaf overlap any of the other? If not, neither do their features. */
static bool do_triangles_overlap(const PliSweep *sweep, const PliSweepLeaf *a,
                                 const PliSweepLeaf *b)
{
    uint16_t bits[PLI_LEAF_SIZE];
    uint32_t any = 0;
    sweep->worker->kernels->overlap_moving_leaves(
        (PliMovingLeaf){group_at(sweep, 0, a->triangles), group_at(sweep, 1, a->triangles)},
        (PliMovingLeaf){group_at(sweep, 0, b->triangles), group_at(sweep, 1, b->triangles)},
        sweep->until, bits);
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        any |= bits[i];
    return any != 0;
}

/* All groups of two leaves, or within one. */
static PliantResult test_leaf_pair(PliSweep *sweep, const Search *search,
                                   const PliMovingLeafPair *pair)
{
    const PliSweepLeaf *leaves = sweep->leaves.items, *a = &leaves[pair->a], *b = &leaves[pair->b];
    const PliantFeatures b_kind = search->is_self ? PLIANT_VERTEX_TRIANGLE : PLIANT_TRIANGLE_VERTEX;
    const bool is_one = a == b;
    if (!is_one && !do_triangles_overlap(sweep, a, b))
        return PLIANT_OK;
    make_features(sweep, &search->a, pair->a);
    make_features(sweep, &search->b, pair->b);
    for (int32_t g = a->vertices; g < a->edges; g++)
        PLI_TRY(test_groups(sweep, search, PLIANT_VERTEX_TRIANGLE, g, b->triangles));
    for (int32_t g = b->vertices; g < b->edges && !is_one; g++)
        PLI_TRY(test_groups(sweep, search, b_kind, g, a->triangles));
    for (int32_t g = a->edges; g < a->end; g++)
        for (int32_t h = is_one ? g : b->edges; h < b->end; h++)
            PLI_TRY(test_groups(sweep, search, PLIANT_EDGE_EDGE, g, h));
    return PLIANT_OK;
}

/* ---- Pairs of leaves --------------------------------------------------------------------------
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
static PliantResult reserve_leaves(PliSweep *sweep, int64_t extra)
{
    const PliantHost *host = sweep->worker->host;
    PliLeafCache *cache = &sweep->cache;
    if (cache->slot_count + extra > MAX_LEAVES)
        pli_leaf_cache_forget(cache);
    if (cache->slot_count == 0)
        sweep->group_count = 0;
    const int64_t size = PLI_LEAF_SIZE, leaves = cache->slot_count, groups = sweep->group_count,
                  all = leaves + extra, more_groups = groups + MAX_GROUPS * extra;
    PLI_TRY(pli_leaf_cache_reserve(cache, extra, host));
    PLI_TRY(keep(&sweep->end_rows, host, size * PLI_ROW_SIZE * leaves, size * PLI_ROW_SIZE * all));
    PLI_TRY(keep(&sweep->leaves, host, leaves, all));
    PLI_TRY(keep(&sweep->triangles, host, size * leaves, size * all));
    PLI_TRY(keep(&sweep->groups[0], host, groups, more_groups));
    PLI_TRY(keep(&sweep->groups[1], host, groups, more_groups));
    PLI_TRY(keep(&sweep->group_slots, host, groups, more_groups));
    return keep(&sweep->features, host, size * groups, size * more_groups);
}

/* Leaves become their slots. */
static PliantResult fetch_pairs(PliSweep *sweep, const Search *search, PliMovingLeafPair *pairs,
                                int64_t count)
{
    PliLeafCache *cache = &sweep->cache;
    PLI_TRY(reserve_leaves(sweep, 2 * count + 1));
    int32_t first = cache->slot_count;
    for (int64_t i = 0; i < count; i++)
        pairs[i].a = (int32_t)pli_leaf_cache_slot(cache, &cache->a_slots, pairs[i].a);
    fetch(sweep, &search->a, first);
    first = cache->slot_count;
    const PliLeafSlots *slots = search->is_self ? &cache->a_slots : &cache->b_slots;
    for (int64_t i = 0; i < count; i++)
        pairs[i].b = (int32_t)pli_leaf_cache_slot(cache, slots, pairs[i].b);
    fetch(sweep, &search->b, first);
    return PLIANT_OK;
}

/* All leaf pairs, which are then gone. */
static PliantResult test_leaf_pairs(PliSweep *sweep, const Search *search)
{
    const int64_t count = sweep->leaf_pairs.count;
    PliMovingLeafPair *pairs = sweep->leaf_pairs.items;
    sweep->leaf_pairs.count = 0;
    sweep->leaf_pair_count += count;
    PLI_TRY(fetch_pairs(sweep, search, pairs, count));
    for (int64_t i = 0; i < count; i++)
        if (pairs[i].time <= sweep->until && !sweep->found.is_over)
            PLI_TRY(test_leaf_pair(sweep, search, &pairs[i]));
    for (int kind = PLIANT_VERTEX_TRIANGLE; kind <= PLIANT_EDGE_EDGE; kind++)
        PLI_TRY(finish(sweep, search, (PliantFeatures)kind));
    return PLIANT_OK;
}

/* ---- Two poses --------------------------------------------------------------------------------
 */

PliantResult pli_sweep_features(PliMovingPose pose, const PliantHost *host,
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

/* Appends the first of those that were found, if there is any. */
static PliantResult append_first(PliSweep *sweep, PliArray *impacts)
{
    const PliantImpact *found = sweep->found.items.items, *first = found;
    if (sweep->found.items.count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(impacts, sweep->worker->host, impacts->count + 1));
    for (int64_t i = 1; i < sweep->found.items.count; i++)
        if (pli_impact_is_before(&found[i], first))
            first = &found[i];
    ((PliantImpact *)impacts->items)[impacts->count++] = *first;
    return PLIANT_OK;
}

PliantResult pli_sweep_append(PliSweep *sweep, PliArray *impacts)
{
    return sweep->is_first_wanted ? append_first(sweep, impacts)
                                  : pli_found_append(&sweep->found, impacts, sweep->worker->host);
}

/* Starts a walk at the roots, or goes on with a part of one, whose leaf pairs are tested. */
static PliantResult start_walk(PliSweep *sweep, Search *search, const PliWalkDef *def,
                               const PliWalkPart *part)
{
    const PliantHost *host = sweep->worker->host;
    if (!part)
        return pli_walk_start(&sweep->walk, def, host);
    pli_walk_start_part(&sweep->walk, def);
    PLI_TRY(pli_walk_add(&sweep->walk, part->pairs, part->pair_count, host));
    for (int64_t i = 0; i < part->leaf_pair_count; i += PORTION) {
        const int64_t left = part->leaf_pair_count - i, count = left < PORTION ? left : PORTION;
        void *room;
        PLI_TRY(pli_array_push(&sweep->leaf_pairs, host, count, &room));
        memcpy(room, (const PliMovingLeafPair *)part->leaf_pairs + i,
               (size_t)count * sizeof(PliMovingLeafPair));
        PLI_TRY(test_leaf_pairs(sweep, search));
    }
    return PLIANT_OK;
}

/* Candidates are all wanted, in whatever order. */
static PliantResult search_poses(PliSweep *sweep, const PliSweepSide *a_side,
                                 const PliSweepSide *b_side, const PliWalkPart *part,
                                 int64_t max_work)
{
    enum { PAIR_WORK = 8 }; /* so many pairs of leaves of a collision query take as long */
    const int64_t first = sweep->leaf_pair_count;
    const PliMovingPose a = a_side->pose, b = b_side->pose;
    const bool is_first_wanted = sweep->is_first_wanted && !sweep->keeps;
    const PliantHost *host = sweep->worker->host;
    const bool is_self = a.start == b.start;
    Search search = {.a = {a, a_side->features, PLI_SIDE_A},
                     .b = {b, b_side->features, is_self ? PLI_SIDE_A : PLI_SIDE_B},
                     .is_self = is_self};
    PliWalk *walk = &sweep->walk;
    pli_found_start(&sweep->found);
    sweep->candidates.count = sweep->leaf_pairs.count = 0;
    for (int kind = 0; kind < 3; kind++)
        sweep->batches[kind].count = 0;
    walk->stack.count = 0;
    if (a.start->bounds.tree->leaf_count == 0 || b.start->bounds.tree->leaf_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_leaf_cache_start(&sweep->cache, a.start, b.start, host));
    const PliWalkDef def = {.a = bounds_of(a),
                            .b = bounds_of(b),
                            .reach = sweep->reach,
                            .has_times = true,
                            .until = sweep->until,
                            .is_best_first = is_first_wanted};
    PLI_TRY(start_walk(sweep, &search, &def, part));
    while (!pli_walk_is_done(walk) && !sweep->found.is_over &&
           PAIR_WORK * (sweep->leaf_pair_count - first) < max_work) {
        walk->def.until = sweep->until;
        PLI_TRY(pli_walk_on(walk, sweep->worker, is_first_wanted ? SMALL_PORTION : PORTION,
                            &sweep->leaf_pairs));
        PLI_TRY(test_leaf_pairs(sweep, &search));
        PLI_TRY(pli_worker_check(sweep->worker));
    }
    return PLIANT_OK;
}

PliantResult pli_sweep_find(PliSweep *sweep, const PliSweepSide *a, const PliSweepSide *b,
                            const PliWalkPart *part, int64_t max_work, PliArray *impacts)
{
    sweep->keeps = false;
    PLI_TRY(search_poses(sweep, a, b, part, max_work));
    return pli_sweep_append(sweep, impacts);
}

PliantResult pli_sweep_find_candidates(PliSweep *sweep, const PliSweepSide *a,
                                       const PliSweepSide *b)
{
    sweep->keeps = true;
    return search_poses(sweep, a, b, NULL, INT64_MAX);
}
