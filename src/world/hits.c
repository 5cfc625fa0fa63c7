/* Where hits are, and the smooth normals there: see pliant/rays.h for the expressions.
 *
 * The triangles around the corners of a hit are fetched by leaves (corners.c), so that no other
 * part of a body is evaluated. All of them are summed in the order of the rings, which depends on
 * the mesh alone. Each operation is rounded to double, and none overflows or underflows: a
 * difference of floats is 0 or from 2^-149 to 2^129, an area vector of these below 2^260, a sum of
 * fewer than 2^31 below 2^291, a square below 2^582; and the least that is not 0 is 2^-596.
 */
#include "base/round.h"
#include "decide/corners.h"
#include "geom/vector.h"
#include "shape/topology.h"
#include "world/casts.h"
#include "world/crew.h"

#include <math.h>
#include <string.h>

enum { PORTION = 16 }; /* hits that a worker takes together */

typedef struct Finding {
    PliantWorld *world;
    const PliantRayHit *hits;
    int64_t count, portion;
    atomic_int result; /* PliantResult: of a portion that has failed */
} Finding;

/* A part of PliRings.corners: the triangles around a corner of the hit. */
typedef struct Ring {
    int32_t first, count;
} Ring;

/* Adds the area vector of a triangle. */
static void add_area(const float *row, double sum[3])
{
    double u[3], v[3], area[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)row[3 + k] - (double)row[k];
        v[k] = (double)row[6 + k] - (double)row[k];
    }
    pli_cross3(u, v, area);
    for (int k = 0; k < 3; k++)
        sum[k] += area[k];
}

/* Divides a vector by its length. Returns false if it is zero. */
static bool normalize(double v[3])
{
    const double length = sqrt(pli_dot3(v, v));
    for (int k = 0; k < 3 && length > 0; k++)
        v[k] /= length;
    return length > 0;
}

/* Sums the area vectors around a corner, which is at `place`. `rows` are those of the ring. */
static void sum_ring(const PliRings *rings, Ring ring, const float (*rows)[PLI_ROW_SIZE],
                     const float *place, double sum[3])
{
    for (int32_t i = 0; i < ring.count; i++)
        if (pli_is_same_point(rows[i] + 3 * (rings->corners[ring.first + i] % 3), place) &&
            pli_is_finite(rows[i], PLI_ROW_SIZE))
            add_area(rows[i], sum);
}

/* Fetches the triangle of a hit, and those of the rings of its corners behind it. */
static PliantResult fetch(PliPose *pose, const PliRings *rings, int32_t triangle, Ring list[3],
                          PliRegionScratch *scratch)
{
    const PliantHost *host = scratch->worker->host;
    int32_t count = 1;
    for (int k = 0; k < 3; k++) {
        const uint32_t vertex = rings ? rings->vertices[3 * (size_t)triangle + (size_t)k] : 0;
        list[k] = (Ring){0, 0};
        if (rings)
            list[k] =
                (Ring){rings->firsts[vertex], rings->firsts[vertex + 1] - rings->firsts[vertex]};
        count += list[k].count;
    }
    PLI_TRY(pli_array_reserve_spare(&scratch->numbers, host, count));
    PLI_TRY(pli_array_reserve_spare(&scratch->keys, host, 2 * (int64_t)count));
    PLI_TRY(pli_array_reserve_spare(&scratch->rows, host, count));
    int32_t *triangles = scratch->numbers.items, at = 0;
    triangles[at++] = triangle;
    for (int k = 0; k < 3; k++)
        for (int32_t i = 0; i < list[k].count; i++)
            triangles[at++] = rings->corners[list[k].first + i] / 3;
    return pli_fetch_corners(pose, triangles, count, scratch->keys.items, scratch->worker,
                             scratch->rows.items);
}

/* The normal at a hit, once its triangles are fetched. */
static void find_normal(const PliRings *rings, const Ring list[3], const double weights[3],
                        const float (*rows)[PLI_ROW_SIZE], double normal[3])
{
    double corners[3][3] = {{0}};
    int32_t at = 1;
    for (int k = 0; k < 3; k++) {
        if (list[k].count > 0)
            sum_ring(rings, list[k], rows + at, rows[0] + 3 * k, corners[k]);
        (void)normalize(corners[k]);
        at += list[k].count;
    }
    for (int k = 0; k < 3; k++)
        normal[k] =
            (weights[0] * corners[0][k] + weights[1] * corners[1][k]) + weights[2] * corners[2][k];
    if (normalize(normal))
        return;
    memset(normal, 0, 3 * sizeof *normal);
    add_area(rows[0], normal);
    (void)normalize(normal);
}

static PliantResult find_point(PliantWorld *world, const PliantRayHit *hit,
                               PliRegionScratch *scratch, PliantHitPoint *point)
{
    PliPose *pose = &pli_world_body(world, hit->body)->pose;
    PliantShape *shape = pli_shape_of(pose);
    const PliRings *rings = NULL;
    Ring list[3];
    double normal[3];
    if (shape)
        PLI_TRY(pli_topology_rings(shape, &rings));
    PLI_TRY(fetch(pose, rings, hit->triangle, list, scratch));
    const float(*rows)[PLI_ROW_SIZE] = scratch->rows.items;
    if (!pli_is_finite(rows[0], PLI_ROW_SIZE)) {
        *point = (PliantHitPoint){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
        return PLIANT_OK;
    }
    const double weights[3] = {(double)hit->weights[0], (double)hit->weights[1],
                               (double)hit->weights[2]};
    find_normal(rings, list, weights, rows, normal);
    for (int k = 0; k < 3; k++) {
        point->position[k] =
            (float)((weights[0] * (double)rows[0][k] + weights[1] * (double)rows[0][3 + k]) +
                    weights[2] * (double)rows[0][6 + k]);
        point->normal[k] = (float)normal[k];
    }
    return PLIANT_OK;
}

/* PliWork. */
static void find_portion(void *data, int32_t index, PliWorker *worker)
{
    Finding *finding = data;
    PliantHitPoint *points = finding->world->hit_points.items;
    const int64_t begin = index * finding->portion, left = finding->count - begin;
    const int64_t end = begin + (left < finding->portion ? left : finding->portion);
    PliantResult result = pli_worker_check(worker);
    for (int64_t i = begin; i < end && result == PLIANT_OK; i++)
        result = find_point(finding->world, &finding->hits[i], pli_world_worker_regions(worker),
                            &points[i]);
    pli_control_count(worker->control, end - begin);
    if (result != PLIANT_OK)
        atomic_store(&finding->result, result);
}

PliantResult pli_world_find_hit_points(PliantWorld *world, const PliantRayHits *hits, int64_t total)
{
    Finding finding = {.world = world,
                       .hits = hits->items,
                       .count = total,
                       .portion = world->divides_everything ? 1 : PORTION};
    world->hit_points.count = 0;
    world->control.total = total;
    PLI_TRY(pli_array_reserve(&world->hit_points, &world->host, total));
    while (finding.portion * INT32_MAX < total)
        finding.portion *= 2;
    pli_worker_divide(&world->first.worker, find_portion, &finding,
                      (int32_t)pli_div_up(total, finding.portion));
    PLI_TRY((PliantResult)atomic_load(&finding.result));
    world->hit_points.count = total;
    return PLIANT_OK;
}
