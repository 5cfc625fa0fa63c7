/* The closest point of a pose: see points.h. */
#include "decide/points.h"

void pli_point_search_init(PliPointSearch *search, PliWorker *worker)
{
    *search = (PliPointSearch){.worker = worker,
                               .stack = {.item_size = sizeof(PliVisitPart)},
                               .crossed = {.item_size = sizeof(int32_t)},
                               .spokes = {.item_size = 3 * sizeof(double)}};
    pli_leaf_cache_init(&search->cache);
}

void pli_point_search_free(PliPointSearch *search)
{
    const PliantHost *host = search->worker->host;
    pli_leaf_cache_free(&search->cache, host);
    pli_array_free(&search->stack, host);
    pli_array_free(&search->crossed, host);
    pli_array_free(&search->spokes, host);
}

void pli_point_search_start(PliPointSearch *search, float max_distance)
{
    search->max_distance = max_distance;
    search->pose = NULL;
    search->skips = NULL;
    search->triangle_end = INT32_MAX;
    pli_leaf_cache_clear(&search->cache);
}

PliantResult pli_point_search_set_pose(PliPointSearch *search, PliPose *pose, PliantBody body)
{
    search->pose = NULL; /* on failure it has none, and the next caller tries again */
    PLI_TRY(pli_leaf_cache_start(&search->cache, pose, pose, search->worker->host));
    search->pose = pose;
    search->body = body;
    search->last_leaf = -1;
    return PLIANT_OK;
}

PliantClosestPoint pli_point_search_nothing(void)
{
    return (PliantClosestPoint){.triangle = -1, .distance = INFINITY};
}

PliReach pli_point_search_reach(const PliPointSearch *search, const PliantClosestPoint *found)
{
    return pli_reach_least(found->triangle >= 0 ? found->distance : search->max_distance);
}

/* ---- Triangles ------------------------------------------------------------------------------ */

/* Is a triangle at this distance to be kept rather than the one that is? */
static bool is_better(const PliPointSearch *search, float distance, int32_t triangle,
                      const PliantClosestPoint *than)
{
    if (than->triangle < 0)
        return distance <= search->max_distance;
    if (distance != than->distance)
        return distance < than->distance;
    return search->body.index != than->body.index ? search->body.index < than->body.index
                                                  : triangle < than->triangle;
}

static void keep(PliPointSearch *search, const PliClosest *closest, int32_t triangle,
                 const float *row, PliantClosestPoint *found)
{
    *found = (PliantClosestPoint){
        .body = search->body, .triangle = triangle, .distance = closest->distance};
    memcpy(search->corners, row, sizeof search->corners);
    for (int i = 0; i < 3; i++)
        found->weights[i] = 0 - closest->weights[i + 1];
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += (double)found->weights[i] * row[3 * i + k];
        found->position[k] = (float)sum;
    }
}

/* A point whose closest point is looked for. */
typedef struct Visit {
    PliPointSearch *search;
    const float *point;
    int32_t first_leaf; /* that was tested before; or -1 */
    PliReach reach;
    PliantClosestPoint *found;
} Visit;

static const float *candidate_row(const PliPointSearch *search, int32_t i)
{
    return search->table + 3 + PLI_ROW_SIZE * (size_t)i;
}

/* Keeps a candidate whose closest point is known if it is better than what was found. */
static void take(Visit *visit, int32_t i, const PliClosest *closest)
{
    PliPointSearch *search = visit->search;
    const PliPointCandidate *candidate = &search->candidates[i];
    const float *row = candidate_row(search, i);
    const int32_t triangle = pli_pose_triangle(search->pose, candidate->position);
    PliClosest again;
    if (!is_better(search, closest->distance, triangle, visit->found))
        return;
    const bool is_at_end =
        closest->distance == search->max_distance && closest->distance < INFINITY;
    if (is_at_end && !pli_vertex_triangle_is_near(visit->point, row, search->max_distance, &again,
                                                  &search->counts))
        return;
    keep(search, closest, triangle, row, visit->found);
    search->last_leaf = candidate->leaf;
    pli_reach_lower(&visit->reach, visit->found->distance);
}

/* Decides those candidates that are not beyond the reach. One or two take less time one by one. */
static void decide(Visit *visit)
{
    enum { MIN_KERNEL = 3 };
    PliPointSearch *search = visit->search;
    uint32_t pairs[4 * PLI_POINT_CANDIDATES];
    int32_t numbers[PLI_POINT_CANDIDATES], count = 0;
    uint8_t nearness[PLI_POINT_CANDIDATES];
    PliClosest closest[PLI_POINT_CANDIDATES];
    for (int32_t i = 0; i < search->candidate_count; i++) {
        if (search->candidates[i].low > visit->reach.distance ||
            !pli_is_finite(candidate_row(search, i), PLI_ROW_SIZE))
            continue;
        pairs[4 * count] = 0;
        for (uint32_t k = 1; k <= 3; k++)
            pairs[4 * count + (int32_t)k] = 3 * (uint32_t)i + k;
        nearness[count] = PLI_NEAR_UNKNOWN;
        numbers[count++] = i;
    }
    search->candidate_count = 0;
    if (count >= MIN_KERNEL)
        search->worker->kernels->find_near(search->table, false, pairs, count, INFINITY, nearness,
                                           closest);
    for (int32_t i = 0; i < count; i++)
        if (nearness[i] == PLI_NEAR ||
            pli_vertex_triangle_closest(visit->point, candidate_row(search, numbers[i]),
                                        visit->reach.distance, &closest[i], &search->counts))
            take(visit, numbers[i], &closest[i]);
}

/* ---- Leaves and nodes ----------------------------------------------------------------------- */

PliantResult pli_point_search_fetch(PliPointSearch *search, int32_t leaf, uint32_t *slot)
{
    PliLeafCache *cache = &search->cache;
    enum { EXTRA = 2 }; /* one, and one that is written to */
    if (cache->slot_count + EXTRA > PLI_MAX_SLOTS)
        pli_leaf_cache_forget(cache);
    PLI_TRY(pli_leaf_cache_reserve(cache, EXTRA, search->worker->host));
    *slot = pli_leaf_cache_fetch(cache, search->pose, leaf, search->worker, PLI_SIDE_A);
    return PLIANT_OK;
}

/* The triangles of a leaf that take part, a bit for each place. */
static uint32_t find_allowed(const PliPointSearch *search, uint32_t slot)
{
    const PliLeafCache *cache = &search->cache;
    const int32_t count = search->pose->bounds.tree->leaves[cache->slot_leaves[slot]].count;
    const uint32_t all = (UINT32_C(1) << count) - 1;
    uint32_t skipped = 0;
    for (int32_t i = 0; i < count && (search->skips || search->triangle_end < INT32_MAX); i++) {
        const int32_t triangle =
            pli_point_search_triangle(search, PLI_LEAF_SIZE * slot + (uint32_t)i);
        const bool is_skipped =
            triangle >= search->triangle_end || (search->skips && search->skips[triangle] != 0);
        skipped |= (uint32_t)is_skipped << i;
    }
    return all & ~skipped;
}

/* Adds the candidates of a leaf. */
static PliantResult test_leaf(Visit *visit, int32_t leaf)
{
    PliPointSearch *search = visit->search;
    float lows[PLI_LEAF_SIZE];
    uint32_t slot;
    PLI_TRY(pli_point_search_fetch(search, leaf, &slot));
    const PliLeafBoxes *boxes = &search->cache.leaf_boxes[slot];
    const float *point = visit->point,
                *rows = pli_leaf_cache_row(&search->cache, PLI_LEAF_SIZE * slot);
    const PliBox box = {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
    if (!(pli_gap(&box, &boxes->all) <= visit->reach.limit))
        return PLIANT_OK;
    const uint32_t allowed = find_allowed(search, slot);
    if (allowed == 0)
        return PLIANT_OK;
    if (search->candidate_count > PLI_POINT_CANDIDATES - PLI_LEAF_SIZE)
        decide(visit);
    uint32_t bits =
        search->worker->kernels->point_leaf(point, rows, boxes, allowed, &visit->reach, lows);
    for (; bits; bits &= bits - 1) {
        const int32_t at = search->candidate_count++, i = __builtin_ctz(bits);
        search->candidates[at] = (PliPointCandidate){
            lows[i], pli_leaf_cache_position(&search->cache, PLI_LEAF_SIZE * slot + (uint32_t)i),
            leaf};
        memcpy(search->table + 3 + PLI_ROW_SIZE * (size_t)at, rows + PLI_ROW_SIZE * (size_t)i,
               PLI_ROW_SIZE * sizeof *rows);
    }
    return PLIANT_OK;
}

/* PliVisitor. */
static int32_t rank(const void *data, const PliBoxes *boxes, float nears[PLI_GROUP],
                    int32_t ranks[PLI_GROUP])
{
    const Visit *visit = data;
    return visit->search->worker->kernels->point_boxes(visit->point, boxes, visit->reach.limit,
                                                       nears, ranks);
}

static bool is_wanted(const void *data, const PliVisitPart *part)
{
    return part->near <= (double)((const Visit *)data)->reach.limit;
}

static PliantResult visit_leaf(void *data, const PliVisitPart *leaf)
{
    Visit *visit = data;
    return ~leaf->part == visit->first_leaf ? PLIANT_OK : test_leaf(visit, ~leaf->part);
}

static const PliVisitor POINTS = {
    .is_sorted = true, .rank = rank, .is_wanted = is_wanted, .leaf = visit_leaf};

PliantResult pli_point_search_find(PliPointSearch *search, const float *point,
                                   PliantClosestPoint *found)
{
    Visit visit = {search, point, search->last_leaf, pli_point_search_reach(search, found), found};
    PliBounds *bounds = &search->pose->bounds;
    if (!pli_pose_is_somewhere(search->pose))
        return PLIANT_OK;
    search->candidate_count = 0;
    memcpy(search->table, point, 3 * sizeof *point);
    if (visit.first_leaf >= 0)
        PLI_TRY(test_leaf(&visit, visit.first_leaf));
    const PliVisitPart root = {{0}, pli_whole_tree(bounds->tree), 0};
    PLI_TRY(pli_visit(&search->stack, bounds, root, search->worker, PLI_SIDE_A, &POINTS, &visit));
    decide(&visit);
    return PLIANT_OK;
}
