/* The closest point of a pose: see points.h. */
#include "decide/points.h"
#include "geom/vector.h"

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

/* Is a triangle certainly farther than F from a point? Any direction g bounds the distance from
 * below: it is at least the least (v - p) . g over the corners v, divided by |g|. With g toward the
 * middle of the triangle that is nearly the distance if the triangle is small, for a tenth of the
 * work.
 *
 * With u = 2^-53, V the sum of the squares of all v - p, and g as it was computed: coordinates of
 * v - p are within u, products and sums add 3 u, so each product of vectors is within 4 u of the
 * sum of the magnitudes of its terms, which is at most |v - p| |g|. If V |g|^2 is at most 2^40 of
 * the square of the least product, that is less than 2^-30 of the least. Squares of both sides are
 * compared with 2^-26 between them, for that and for what is rounded in the squares. Nothing
 * overflows, and what is compared does not underflow: the least product is a multiple of 2^-298,
 * and so are |g|^2 and V. A reach that is infinite, or a product that is, makes a comparison false.
 */
static bool is_beyond(const float *point, const float *row, float distance)
{
    const PliVector a = pli_vector(row, point), b = pli_vector(row + 3, point),
                    c = pli_vector(row + 6, point);
    const PliVector g = {(a.x + b.x) + c.x, (a.y + b.y) + c.y, (a.z + b.z) + c.z};
    const double a_along = pli_dot(a, g), b_along = pli_dot(b, g), c_along = pli_dot(c, g);
    double least = a_along < b_along ? a_along : b_along;
    least = c_along < least ? c_along : least;
    const double square = least * least, length = pli_dot(g, g),
                 reach = (double)distance * distance;
    return least > 0 && (1 - 0x1p-26) * square > reach * length &&
           ((pli_dot(a, a) + pli_dot(b, b)) + pli_dot(c, c)) * length <= 0x1p40 * square;
}

static void test_row(PliPointSearch *search, const float *point, uint32_t row_number,
                     PliReach *reach, PliantClosestPoint *found)
{
    const PliLeafCache *cache = &search->cache;
    const float *row = pli_leaf_cache_row(cache, row_number);
    PliClosest closest, again;
    if (is_beyond(point, row, reach->distance) ||
        (search->skips && search->skips[pli_point_search_triangle(search, row_number)]) ||
        !pli_is_finite(row, PLI_ROW_SIZE) ||
        !pli_vertex_triangle_closest(point, row, reach->distance, &closest, &search->counts))
        return;
    const int32_t triangle = pli_point_search_triangle(search, row_number);
    if (!is_better(search, closest.distance, triangle, found))
        return;
    const bool is_at_end = closest.distance == search->max_distance && closest.distance < INFINITY;
    if (is_at_end &&
        !pli_vertex_triangle_is_near(point, row, search->max_distance, &again, &search->counts))
        return;
    keep(search, &closest, triangle, row, found);
    search->last_leaf = cache->slot_leaves[row_number / PLI_LEAF_SIZE];
    *reach = pli_reach_least(found->distance);
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

/* All triangles of a leaf, that with the least gap first. */
static PliantResult test_leaf(PliPointSearch *search, const float *point, int32_t leaf,
                              PliReach *reach, PliantClosestPoint *found)
{
    float gaps[PLI_LEAF_SIZE], least = INFINITY;
    uint32_t slot, first = 0;
    PLI_TRY(pli_point_search_fetch(search, leaf, &slot));
    const PliLeafBoxes *boxes = &search->cache.leaf_boxes[slot];
    const PliBox box = {{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
    if (!(pli_gap(&box, &boxes->all) <= reach->limit))
        return PLIANT_OK;
    pli_gaps(point, point, boxes->low[0], boxes->high[0], PLI_LEAF_SIZE, gaps);
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++)
        if (gaps[i] < least) {
            least = gaps[i];
            first = i;
        }
    if (least <= reach->limit) {
        gaps[first] = NAN;
        test_row(search, point, PLI_LEAF_SIZE * slot + first, reach, found);
    }
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++)
        if (gaps[i] <= reach->limit)
            test_row(search, point, PLI_LEAF_SIZE * slot + i, reach, found);
    return PLIANT_OK;
}

/* A point whose closest point is looked for. */
typedef struct Visit {
    PliPointSearch *search;
    const float *point;
    int32_t first_leaf; /* that was tested before; or -1 */
    PliReach reach;
    PliantClosestPoint *found;
} Visit;

/* PliVisitor. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    const Visit *visit = data;
    float gaps[PLI_GROUP];
    (void)node;
    pli_gaps(visit->point, visit->point, boxes->low[0], boxes->high[0], PLI_GROUP, gaps);
    for (int i = 0; i < PLI_GROUP; i++) {
        children[i].near = (double)gaps[i];
        *bits |= (uint32_t)(gaps[i] <= visit->reach.limit) << i;
    }
    return PLIANT_OK;
}

static bool is_wanted(const void *data, const PliVisitPart *part)
{
    return part->near <= (double)((const Visit *)data)->reach.limit;
}

static PliantResult visit_leaf(void *data, const PliVisitPart *leaf)
{
    Visit *visit = data;
    return ~leaf->part == visit->first_leaf
               ? PLIANT_OK
               : test_leaf(visit->search, visit->point, ~leaf->part, &visit->reach, visit->found);
}

static const PliVisitor POINTS = {
    .is_sorted = true, .choose = choose, .is_wanted = is_wanted, .leaf = visit_leaf};

PliantResult pli_point_search_find(PliPointSearch *search, const float *point,
                                   PliantClosestPoint *found)
{
    Visit visit = {search, point, search->last_leaf, pli_point_search_reach(search, found), found};
    PliBounds *bounds = &search->pose->bounds;
    if (!pli_pose_is_somewhere(search->pose))
        return PLIANT_OK;
    if (visit.first_leaf >= 0)
        PLI_TRY(test_leaf(search, point, visit.first_leaf, &visit.reach, found));
    const PliVisitPart root = {{0}, pli_whole_tree(bounds->tree), 0};
    return pli_visit(&search->stack, bounds, root, search->worker, PLI_SIDE_A, &POINTS, &visit);
}
