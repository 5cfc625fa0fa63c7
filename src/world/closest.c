/* Closest points of bodies: see pliant/distance.h. */
#include "base/cpu.h"
#include "base/sort.h"
#include "world/world.h"

/* A batch of points. */
typedef struct Batch {
    PliantWorld *world;
    PliantVertices points;
    PliantClosestDef def;
    PliantClosestPoint *closest;
    PliantBody open; /* a body that is not closed, if one was found */
} Batch;

static const float *point_at(const Batch *batch, int32_t i)
{
    const size_t stride = batch->points.stride ? batch->points.stride : 3 * sizeof(float);
    return (const float *)(const void *)((const char *)batch->points.data + stride * (size_t)i);
}

static PliBox box_of(const float *point)
{
    return (PliBox){{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
}

/* ---- The order ---------------------------------------------------------------------------------
 *
 * Points are searched for along a curve (Morton 1966), whatever their order is, so that leaves are
 * found in the cache, and a search begins near its end. This affects speed only.
 */

enum { CURVE_BITS = 8 }; /* of each coordinate */

/* Spreads eight bits to every third one. */
static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00f00f;
    bits = (bits | bits << 4) & 0x0c30c3;
    return (bits | bits << 2) & 0x249249;
}

static PliBox box_of_all(const Batch *batch)
{
    PliBox box = pli_box_empty();
    for (int32_t i = 0; i < batch->points.count; i++) {
        const float *point = point_at(batch, i);
        pli_box_add_point(&box, (PliFloat4){point[0], point[1], point[2]});
    }
    return box;
}

static uint32_t curve_key(const PliBox *box, const double scale[3], const float *point)
{
    uint32_t key = 0;
    for (int k = 0; k < 3; k++)
        key |= spread((uint32_t)(((double)point[k] - box->low[k]) * scale[k])) << k;
    return key;
}

/* Sets the order: keys of the curve above, numbers of points below. */
static PliantResult set_order(Batch *batch)
{
    PliantWorld *world = batch->world;
    const int32_t count = batch->points.count;
    const PliBox box = box_of_all(batch);
    double scale[3];
    for (int k = 0; k < 3; k++) {
        const double size = (double)box.high[k] - box.low[k];
        scale[k] = size > 0 ? (1 << CURVE_BITS) * (1 - 0x1p-40) / size : 0;
    }
    for (int i = 0; i < 2; i++)
        PLI_TRY(pli_array_reserve(&world->point_order[i], &world->host, count));
    uint64_t *keys = world->point_order[0].items;
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)curve_key(&box, scale, point_at(batch, i)) << 32 | (uint32_t)i;
    pli_sort_pairs(keys, world->point_order[1].items, count, 3 * CURVE_BITS, pli_bits_below(count));
    return PLIANT_OK;
}

/* ---- The sign ----------------------------------------------------------------------------------
 */

/* Makes the distance of a point negative if the surface that is closest winds around it. */
static PliantResult set_sign(Batch *batch, int32_t i)
{
    PliantWorld *world = batch->world;
    PliantClosestPoint *closest = &batch->closest[i];
    PliWinding winding;
    if (!(closest->distance > 0) || closest->triangle < 0)
        return PLIANT_OK;
    PLI_TRY(pli_winding_at(&pli_tiles_drawing(&world->tiles)->seeing,
                           &pli_world_body(world, closest->body)->pose, point_at(batch, i),
                           &world->first.worker, &winding));
    pli_world_count(world, pli_world_body(world, closest->body), PLI_SIDE_A);
    batch->open = closest->body;
    if (winding.all != 0)
        return PLIANT_NOT_CLOSED;
    if (winding.above != 0)
        closest->distance = -closest->distance;
    return PLIANT_OK;
}

static PliantResult set_signs(Batch *batch)
{
    PLI_TRY(pli_tiles_reserve(&batch->world->tiles, 1, &batch->world->host));
    for (int32_t i = 0; i < batch->points.count; i++)
        PLI_TRY(set_sign(batch, i));
    return PLIANT_OK;
}

/* ---- One body ----------------------------------------------------------------------------------
 */

/* What is done with a body: all points whose home is this one, or all others; or all of them. */
typedef enum Pass { HOME, OTHERS, ALL } Pass;

/* Does a point take part? */
static bool takes_part(const Batch *batch, int32_t i, int32_t number, Pass pass)
{
    const int32_t *homes = batch->world->point_homes.items;
    return pass == ALL || (homes[i] == number) == (pass == HOME);
}

/* May the closest point be in this body, by its box? */
static bool is_within_reach(const Batch *batch, int32_t i, int32_t number)
{
    const PliantWorld *world = batch->world;
    const PliBox box = box_of(point_at(batch, i));
    const PliReach reach = pli_point_search_reach(&world->point_search, &batch->closest[i]);
    return pli_gap(&box, (const PliBox *)world->boxes.items + number) <= reach.limit;
}

/* Searches a body for the points whose closest point it may have. */
static PliantResult search_body(Batch *batch, int32_t number, Pass pass)
{
    PliantWorld *world = batch->world;
    PliPointSearch *search = &world->point_search;
    PliBody *body = (PliBody *)world->bodies.items + number;
    const uint64_t *order = world->point_order[0].items;
    bool is_set = false;
    for (int32_t k = 0; k < batch->points.count; k++) {
        const int32_t i = (int32_t)(order[k] & 0x7fffffff);
        const float *point = point_at(batch, i);
        PliantClosestPoint *closest = &batch->closest[i];
        if (!takes_part(batch, i, number, pass) ||
            (pass != ALL && !is_within_reach(batch, i, number)))
            continue;
        if (!is_set) {
            pli_world_update_body(world, body);
            PLI_TRY(
                pli_point_search_set_pose(search, &body->pose, pli_world_handle(world, number)));
            is_set = true;
        }
        PLI_TRY(pli_point_search_find(search, point, closest));
    }
    pli_world_count(world, body, PLI_SIDE_A);
    return PLIANT_OK;
}

static PliantResult search_one(Batch *batch, int32_t number)
{
    return search_body(batch, number, ALL);
}

/* ---- All bodies --------------------------------------------------------------------------------
 */

/* The home of a point is the body whose box is closest; -1: there is none. */
static int32_t home_of(const PliantWorld *world, const float *point)
{
    const PliBox *boxes = world->boxes.items, box = box_of(point);
    float least = INFINITY;
    int32_t home = -1;
    for (int32_t i = 0; i < (int32_t)world->bodies.count; i++) {
        const float gap = pli_gap(&box, &boxes[i]);
        if (gap < least) {
            least = gap;
            home = i;
        }
    }
    return home;
}

/* Body by body, so that the points of each share its leaves: first those whose home it is, so that
 * little is left to search in others. */
static PliantResult search_all(Batch *batch)
{
    PliantWorld *world = batch->world;
    const PliBody *bodies = world->bodies.items;
    pli_world_refresh(world);
    PLI_TRY(pli_array_reserve(&world->point_homes, &world->host, batch->points.count));
    int32_t *homes = world->point_homes.items;
    for (int32_t i = 0; i < batch->points.count; i++)
        homes[i] = home_of(world, point_at(batch, i));
    for (Pass pass = HOME; pass <= OTHERS; pass++)
        for (int32_t number = 0; number < (int32_t)world->bodies.count; number++)
            if (pli_body_is_seen(&bodies[number]))
                PLI_TRY(search_body(batch, number, pass));
    return PLIANT_OK;
}

/* ---- The public calls --------------------------------------------------------------------------
 */

#define DEF_SIZE PLI_RECORD_SIZE(PliantClosestDef, is_signed)

static PliantResult check_points(const PliCall *call, const Batch *batch, int64_t capacity)
{
    const PliantVertices *points = &batch->points;
    PLI_CHECK(call, points->count >= 0, PLIANT_BAD_ARGUMENT, "points.count is %" PRId32,
              points->count);
    PLI_CHECK(call, points->data || points->count == 0, PLIANT_BAD_ARGUMENT, "points.data is NULL");
    PLI_CHECK(call, points->stride == 0 || (points->stride >= 12 && points->stride % 4 == 0),
              PLIANT_BAD_ARGUMENT, "points.stride is %zu", points->stride);
    PLI_CHECK(call, batch->closest || points->count == 0, PLIANT_BAD_ARGUMENT, "closest is NULL");
    PLI_CHECK(call, capacity >= points->count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ", points.count is %" PRId32, capacity, points->count);
    for (int32_t i = 0; i < points->count; i++)
        PLI_CHECK(call, pli_is_finite(point_at(batch, i), 3), PLIANT_BAD_ARGUMENT,
                  "point %" PRId32 " is not finite", i);
    return PLIANT_OK;
}

static PliantResult read_def(const PliCall *call, Batch *batch, const PliantClosestDef *def)
{
    PliantClosestDef *own = &batch->def;
    *own = pliant_closest_def_default();
    PLI_CHECK(call, !def || pli_record_read(own, sizeof *own, DEF_SIZE, def, def->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_closest_def_default()",
              def->struct_size);
    PLI_CHECK(call, own->max_distance >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_distance is %g: a number that is not negative is needed",
              (double)own->max_distance);
    return PLIANT_OK;
}

/* All bodies if the number is -1. */
static PLI_NOINLINE PliantResult search_points(Batch *batch, int32_t number)
{
    PliantWorld *world = batch->world;
    pli_world_start(world);
    pli_point_search_start(&world->point_search, batch->def.max_distance);
    for (int32_t i = 0; i < batch->points.count; i++)
        batch->closest[i] = pli_point_search_nothing();
    PLI_TRY(set_order(batch));
    PLI_TRY(number < 0 ? search_all(batch) : search_one(batch, number));
    return batch->def.is_signed ? set_signs(batch) : PLIANT_OK;
}

static PliantResult run(const PliCall *call, Batch *batch, int32_t number)
{
    const PliFpMode caller = pli_fp_enter();
    const PliantResult result = search_points(batch, number);
    pli_fp_leave(caller);
    if (result == PLIANT_NOT_CLOSED)
        return pli_mistake(call, result,
                           "body {%u, %u} is not closed: a line through a point does not leave it "
                           "as often as it enters",
                           (unsigned)batch->open.index, (unsigned)batch->open.generation);
    return result;
}

PliantResult pliant_body_closest_points(PliantWorld *world, PliantBody body, PliantVertices points,
                                        const PliantClosestDef *def, PliantClosestPoint *closest,
                                        int64_t capacity)
{
    const PliCall call = PLI_WORLD_CALL(world);
    Batch batch = {.world = world, .points = points, .closest = closest};
    PLI_CHECK_BODY(&call, world, "body", body, searched);
    PLI_TRY(read_def(&call, &batch, def));
    PLI_TRY(check_points(&call, &batch, capacity));
    return run(&call, &batch, pli_world_number(world, searched));
}

PliantResult pliant_world_closest_points(PliantWorld *world, PliantVertices points,
                                         const PliantClosestDef *def, PliantClosestPoint *closest,
                                         int64_t capacity)
{
    const PliCall call = PLI_WORLD_CALL(world);
    Batch batch = {.world = world, .points = points, .closest = closest};
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_TRY(read_def(&call, &batch, def));
    PLI_TRY(check_points(&call, &batch, capacity));
    return run(&call, &batch, -1);
}
