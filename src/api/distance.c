/* The least distance of bodies: see pliant/distance.h. */
#include "api/checks.h"
#include "world/crew.h"
#include "world/distances.h"

#define DEF_SIZE PLI_RECORD_SIZE(PliantDistanceDef, user)
#define DISTANCE_SIZE PLI_RECORD_SIZE(PliantDistance, stamp)

PliantResult pliant_bodies_distance(PliantWorld *world, PliantBody a, PliantBody b,
                                    const PliantDistanceDef *def, PliantDistance *distance)
{
    PLI_ASK_WORLD(world);
    PliantDistanceDef own = pliant_distance_def_default();
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    PLI_CHECK_OUTPUT(&call, "distance", "pliant_distance_default", distance, DISTANCE_SIZE);
    PLI_READ_DEF(&call, "pliant_distance_def_default", def, &own, DEF_SIZE);
    PLI_CHECK(&call, own.max_distance >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_distance is %g: a number that is not negative is needed",
              (double)own.max_distance);
    PliDistances query = {.base = {.world = world},
                          .a = pli_world_number(world, body_a),
                          .b = pli_world_number(world, body_b),
                          .distance = own.max_distance};
    PLI_TRY(pli_world_ask_one(world, own.progress, own.user, pli_distances_find_two, &query));
    PliantDistance found = {.is_found = query.goal.is_found, .stamp = pli_world_stamp(world)};
    if (found.is_found)
        found.pair = query.goal.pair;
    pli_record_write(distance, DISTANCE_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_bodies_within(PliantWorld *world, const PliantBodyPairsDef *given,
                                        PliantBodyPairs *pairs)
{
    PLI_ASK_WORLD(world);
    PliantBodyPairsDef def;
    PLI_TRY(pli_body_pairs_open(&call, given, pairs, &def));
    PliDistances query = {.base = {.world = world},
                          .distance = def.distance,
                          .is_one_enough = true,
                          .limit = INT64_MAX};
    if (def.max_pair_count > 0 && def.max_pair_count < INT64_MAX)
        query.limit = def.max_pair_count + 1;
    PLI_TRY(pli_world_ask(world, def.progress, def.user, pli_distances_find, &query));
    const bool is_limit_reached = world->pairs_within.count == query.limit;
    world->pairs_within.count -= is_limit_reached;
    pli_body_pairs_close(world, &world->pairs_within, is_limit_reached, pairs);
    return PLIANT_OK;
}
