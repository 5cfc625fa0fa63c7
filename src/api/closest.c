/* Closest points and winding numbers of bodies: see pliant/distance.h. */
#include "api/checks.h"
#include "world/crew.h"
#include "world/points.h"

/* The records as they were first published: a caller's cannot be shorter. */
#define DEF_SIZE PLI_RECORD_SIZE(PliantClosestDef, user)
#define CLOSEST_SIZE PLI_RECORD_SIZE(PliantClosestPoints, stamp)
#define WINDING_DEF_SIZE PLI_RECORD_SIZE(PliantWindingDef, user)
#define WINDINGS_SIZE PLI_RECORD_SIZE(PliantWindingNumbers, stamp)

static PliantResult check_points(const PliCall *call, const PliPoints *batch)
{
    const PliantVertices *points = &batch->points;
    PLI_CHECK(call, points->count >= 0, PLIANT_BAD_ARGUMENT, "points.count is %" PRId32,
              points->count);
    PLI_CHECK(call, points->data || points->count == 0, PLIANT_BAD_ARGUMENT, "points.data is NULL");
    PLI_CHECK_STRIDE(call, "points", *points);
    for (int32_t i = 0; i < points->count; i++)
        PLI_CHECK(call, pli_is_finite(pli_point_at(batch, i), 3), PLIANT_BAD_ARGUMENT,
                  "point %" PRId32 " is not finite", i);
    return PLIANT_OK;
}

static PliantResult read_def(const PliCall *call, PliPoints *batch, const PliantClosestDef *def)
{
    PliantClosestDef *own = &batch->def;
    *own = pliant_closest_def_default();
    PLI_READ_DEF(call, "pliant_closest_def_default", def, own, DEF_SIZE);
    PLI_CHECK(call, own->max_distance >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_distance is %g: a number that is not negative is needed",
              (double)own->max_distance);
    return PLIANT_OK;
}

static PliantResult run(const PliCall *call, PliPoints *batch, const PliantClosestDef *def,
                        PliantClosestPoints *closest)
{
    PLI_CHECK_OUTPUT(call, "closest", "pliant_closest_points_default", closest, CLOSEST_SIZE);
    PLI_TRY(read_def(call, batch, def));
    PLI_TRY(check_points(call, batch));
    PLI_TRY(
        pli_world_ask(batch->world, batch->def.progress, batch->def.user, pli_points_find, batch));
    const PliantClosestPoints found = {.items = batch->closest,
                                       .count = batch->points.count,
                                       .is_certain = !batch->is_undecided,
                                       .stamp = pli_world_stamp(batch->world)};
    (void)pli_record_write(closest, CLOSEST_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_body_closest_points(PliantWorld *world, PliantBody body, PliantVertices points,
                                        const PliantClosestDef *def, PliantClosestPoints *closest)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", body, searched);
    PliPoints batch = {
        .world = world, .number = pli_world_number(world, searched), .points = points};
    return run(&call, &batch, def, closest);
}

PliantResult pliant_world_closest_points(PliantWorld *world, PliantVertices points,
                                         const PliantClosestDef *def, PliantClosestPoints *closest)
{
    PLI_ASK_WORLD(world);
    PliPoints batch = {.world = world, .number = -1, .points = points};
    return run(&call, &batch, def, closest);
}

PliantResult pliant_body_winding_numbers(PliantWorld *world, PliantBody body, PliantVertices points,
                                         const PliantWindingDef *given,
                                         PliantWindingNumbers *numbers)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", body, asked);
    PLI_CHECK_OUTPUT(&call, "numbers", "pliant_winding_numbers_default", numbers, WINDINGS_SIZE);
    PliantWindingDef def = pliant_winding_def_default();
    PLI_READ_DEF(&call, "pliant_winding_def_default", given, &def, WINDING_DEF_SIZE);
    PliPoints batch = {.world = world, .number = pli_world_number(world, asked), .points = points};
    PLI_TRY(check_points(&call, &batch));
    PLI_TRY(pli_world_ask(world, def.progress, def.user, pli_points_wind, &batch));
    const PliantWindingNumbers found = {.items = batch.windings,
                                        .count = points.count,
                                        .is_certain = !batch.is_undecided,
                                        .stamp = pli_world_stamp(world)};
    (void)pli_record_write(numbers, WINDINGS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}
