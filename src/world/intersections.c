/* What the triangles of contacts have in common: see surfaces.h.
 *
 * Contacts come by pairs of bodies. Workers take them in portions of one pair: the corners of their
 * triangles are fetched by leaves (corners.c), and each two are intersected (geom/common.h). What a
 * contact has in common is written where there is room for the most points, and then moved behind
 * that of the contact before it. So that little memory is needed for this, it is done in rounds.
 */
#include "base/round.h"
#include "decide/corners.h"
#include "geom/common.h"
#include "world/crew.h"
#include "world/surfaces.h"

#include <inttypes.h>
#include <string.h>

enum { PORTION = 256, ROUND = 32 * PORTION }; /* contacts */

/* The contacts of one round. */
typedef struct Round {
    PliantWorld *world;
    const PliantContact *contacts;
    int64_t count, portion;
    PliantIntersection *intersections;
    PliantIntersectionPoint *points; /* PLI_COMMON_POINTS for each */
    atomic_int result;               /* PliantResult: of a portion that has failed */
} Round;

static bool is_same_body(PliantBody a, PliantBody b)
{
    return a.index == b.index && a.serial == b.serial;
}

/* How many of the contacts that are left are taken together. */
static int32_t portion_at(const PliantContact *items, int64_t left)
{
    int32_t count = 1;
    while (count < left && is_same_body(items[count].body_a, items->body_a) &&
           is_same_body(items[count].body_b, items->body_b))
        count++;
    return count;
}

static PliantResult fetch_side(PliantWorld *world, const PliantContact *items, int32_t count,
                               PliSide side, PliRegionScratch *scratch)
{
    PliBody *body = pli_world_body(world, side == PLI_SIDE_A ? items->body_a : items->body_b);
    int32_t *triangles = scratch->numbers.items;
    for (int32_t i = 0; i < count; i++)
        triangles[i] = side == PLI_SIDE_A ? items[i].triangle_a : items[i].triangle_b;
    return pli_fetch_corners(&body->pose, triangles, count, scratch->keys.items, scratch->worker,
                             pli_array_from(&scratch->rows, (int64_t)side * count));
}

static PliantIntersectionPoint rounded(const PliCommonPoint *point)
{
    PliantIntersectionPoint result = {.corners_a = point->a_corners, .corners_b = point->b_corners};
    for (int k = 0; k < 3; k++) {
        result.position[k] = (float)point->position[k];
        result.weights_a[k] = (float)point->a_weights[k];
        result.weights_b[k] = (float)point->b_weights[k];
    }
    return result;
}

/* Contacts of two bodies, by one worker. */
static PliantResult intersect_some(const Round *round, int64_t first, int32_t count,
                                   PliRegionScratch *scratch)
{
    const PliantContact *items = round->contacts + first;
    const PliantHost *host = scratch->worker->host;
    PliCounts counts = {0};
    PLI_TRY(pli_worker_check(scratch->worker));
    PLI_TRY(pli_array_reserve_spare(&scratch->numbers, host, PORTION));
    PLI_TRY(pli_array_reserve_spare(&scratch->keys, host, 2 * PORTION));
    PLI_TRY(pli_array_reserve_spare(&scratch->rows, host, 2 * PORTION));
    PLI_TRY(fetch_side(round->world, items, count, PLI_SIDE_A, scratch));
    PLI_TRY(fetch_side(round->world, items, count, PLI_SIDE_B, scratch));
    const float(*rows)[PLI_ROW_SIZE] = scratch->rows.items;
    for (int32_t i = 0; i < count; i++) {
        PliCommon common;
        pli_triangles_common(rows[i], rows[count + i], &common, &counts);
        round->intersections[first + i] = (PliantIntersection){.point_count = common.count};
        for (int k = 0; k < common.count; k++)
            round->points[PLI_COMMON_POINTS * (first + i) + k] = rounded(&common.points[k]);
    }
    pli_control_count(scratch->worker->control, count);
    return PLIANT_OK;
}

/* PliWork. */
static void intersect_portion(void *data, int32_t index, PliWorker *worker)
{
    Round *round = data;
    const int64_t begin = index * round->portion, left = round->count - begin;
    const int64_t end = begin + (left < round->portion ? left : round->portion);
    PliantResult result = PLIANT_OK;
    for (int64_t i = begin; i < end && result == PLIANT_OK;) {
        const int32_t count = portion_at(round->contacts + i, end - i);
        result = intersect_some(round, i, count, pli_world_worker_regions(worker));
        i += count;
    }
    if (result != PLIANT_OK)
        atomic_store(&round->result, result);
}

/* Moves the points of a round behind those of the last one. If two triangles have none, the answer
 * of a query is stale. */
static PliantResult gather(const PliCall *call, const Round *round, bool has_stamp)
{
    PliArray *intersections = &round->world->intersections;
    PliArray *points = &round->world->intersection_points;
    for (int64_t i = 0; i < round->count; i++) {
        PliantIntersection *item = &round->intersections[i];
        PLI_CHECK(call, item->point_count > 0, has_stamp ? PLIANT_STALE : PLIANT_BAD_ARGUMENT,
                  "contacts.items[%" PRId64 "]: the triangles have nothing in common",
                  intersections->count);
        memmove(pli_array_from(points, points->count), round->points + PLI_COMMON_POINTS * i,
                (size_t)item->point_count * sizeof *round->points);
        item->first_point = points->count;
        points->count += item->point_count;
        intersections->count++;
    }
    return PLIANT_OK;
}

/* The first `total` contacts. */
PliantResult pli_world_intersect(const PliCall *call, PliantWorld *world,
                                 const PliantContacts *contacts, int64_t total)
{
    PliArray *items = &world->intersections, *points = &world->intersection_points;
    items->count = points->count = 0;
    world->control.total = total;
    PLI_TRY(pli_array_reserve(items, &world->host, total));
    while (items->count < total) {
        const int64_t left = total - items->count;
        Round round = {.world = world,
                       .contacts = contacts->items + items->count,
                       .count = left < ROUND ? left : ROUND,
                       .portion = world->divides_everything ? 4 : PORTION};
        PLI_TRY(pli_array_reserve(points, &world->host,
                                  points->count + PLI_COMMON_POINTS * round.count));
        round.intersections = pli_array_from(items, items->count);
        round.points = pli_array_from(points, points->count);
        pli_worker_divide(&world->first.worker, intersect_portion, &round,
                          (int32_t)pli_div_up(round.count, round.portion));
        PLI_TRY((PliantResult)atomic_load(&round.result));
        PLI_TRY(gather(call, &round, contacts->stamp != 0));
    }
    return PLIANT_OK;
}
