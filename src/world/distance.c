/* The least distance of bodies: see pliant/distance.h. */
#include "base/cpu.h"
#include "world/reader.h"
#include "world/world.h"

/* ---- Where the closest features were -----------------------------------------------------------
 *
 * A table of leaves by pair of bodies; a later pair takes the place of an earlier one. Whatever it
 * says, the answer is the same, so nothing has to be removed from it.
 */

static PliLastLeaves *last_of(PliantWorld *world, int32_t a, int32_t b)
{
    const uint32_t hash = ((uint32_t)a * 0x9e3779b1u) ^ ((uint32_t)b * 0x85ebca6bu);
    PliLastLeaves *last = &world->last_leaves[hash >> 16 & (PLI_LAST_LEAVES - 1)];
    if (last->a != a || last->b != b)
        *last = (PliLastLeaves){a, b, {-1, -1}};
    return last;
}

/* Leaves of a soup are sorted when the search comes to them from above, and not before. */
static bool has_fixed_leaves(PliBody *body)
{
    return !pli_soup_of(&body->pose);
}

/* ---- Two bodies --------------------------------------------------------------------------------
 */

static PliantNearPair touching_pair(uint64_t contact)
{
    return (PliantNearPair){
        .kind = PLIANT_TRIANGLE_TRIANGLE,
        .feature_a = (int32_t)(contact >> 32),
        .feature_b = (int32_t)(contact & UINT32_MAX),
        .vertices = {PLIANT_NO_VERTEX, PLIANT_NO_VERTEX, PLIANT_NO_VERTEX, PLIANT_NO_VERTEX},
        .pair_count = 1};
}

/* The closest features of two bodies, a before b, or of one. */
static PliantResult find_closest(PliantWorld *world, int32_t a, int32_t b, PliDistanceGoal *goal)
{
    PliBody *bodies = world->bodies.items, *body_a = &bodies[a], *body_b = &bodies[b];
    PliLastLeaves *last = last_of(world, a, b);
    PliNarrow *narrow = &world->first.narrow;
    pli_world_update_body(world, body_a);
    pli_world_update_body(world, body_b);
    PLI_TRY(pli_control_check(&world->control));
    narrow->approximations = 0;
    if (a == b)
        PLI_TRY(pli_world_start_fans(world, body_a, true));
    PLI_TRY(pli_narrow_find(narrow, &body_a->pose, &body_b->pose, true));
    if (narrow->contacts.count > 0) {
        goal->is_found = true;
        goal->pair = touching_pair(*(const uint64_t *)narrow->contacts.items);
    } else {
        const bool are_fixed = has_fixed_leaves(body_a) && has_fixed_leaves(body_b);
        goal->leaves = are_fixed ? last->leaves : (PliLeafPair){-1, -1};
        PLI_TRY(pli_distance_find(&world->distance, &body_a->pose, &body_b->pose, goal));
        last->leaves = goal->leaves;
    }
    goal->pair.body_a = pli_world_handle(world, a);
    goal->pair.body_b = pli_world_handle(world, b);
    pli_world_count(world, body_a, PLI_SIDE_A);
    pli_world_count(world, body_b, PLI_SIDE_B);
    pli_control_count(&world->control, 1);
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult search_two(PliantWorld *world, int32_t a, int32_t b,
                                            PliDistanceGoal *goal)
{
    pli_distance_start(&world->distance);
    return find_closest(world, a < b ? a : b, a < b ? b : a, goal);
}

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
    PLI_CHECK(&call, !def || pli_record_read(&own, sizeof own, DEF_SIZE, def, def->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_distance_def_default()",
              def->struct_size);
    PLI_CHECK(&call, own.max_distance >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_distance is %g: a number that is not negative is needed",
              (double)own.max_distance);
    PliDistanceGoal goal = {.max_distance = own.max_distance};
    const PliFpMode caller = pli_fp_enter();
    pli_world_start(world, own.progress, own.user);
    world->control.total = 1;
    const PliantResult result =
        search_two(world, pli_world_number(world, body_a), pli_world_number(world, body_b), &goal);
    pli_fp_leave(caller);
    PLI_TRY(result);
    PliantDistance found = {.is_found = goal.is_found, .stamp = pli_world_stamp(world)};
    if (goal.is_found)
        found.pair = goal.pair;
    pli_record_write(distance, DISTANCE_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

/* ---- All bodies --------------------------------------------------------------------------------
 */

/* Adds a pair of bodies if they are within the distance. */
static PliantResult add_within(PliantWorld *world, const PliBroadPair *pair, float distance)
{
    PliDistanceGoal goal = {.max_distance = distance, .is_one_enough = true};
    void *room;
    PLI_TRY(find_closest(world, pair->a, pair->b, &goal));
    if (!goal.is_found)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&world->pairs_within, &world->host, 1, &room));
    *(PliantBodyPair *)room = (PliantBodyPair){goal.pair.body_a, goal.pair.body_b};
    return PLIANT_OK;
}

/* Ends at def->max_pair_count pairs. */
static PLI_NOINLINE PliantResult search_world(PliantWorld *world, const PliantBodyPairsDef *def)
{
    const PliBroadPair *pairs = NULL;
    int64_t pair_count = 0;
    world->pairs_within.count = 0;
    pli_distance_start(&world->distance);
    PLI_TRY(pli_world_refresh(world));
    PLI_TRY(pli_world_near_bodies(world, def->distance, &pairs, &pair_count));
    world->control.total = pair_count;
    for (int64_t i = 0; i < pair_count && world->pairs_within.count < def->max_pair_count; i++)
        PLI_TRY(add_within(world, &pairs[i], def->distance));
    return PLIANT_OK;
}

PliantResult pliant_world_bodies_within(PliantWorld *world, const PliantBodyPairsDef *given,
                                        PliantBodyPairs *pairs)
{
    PLI_ASK_WORLD(world);
    PliantBodyPairsDef def;
    PLI_TRY(pli_body_pairs_open(&call, given, pairs, &def));
    const int64_t most = def.max_pair_count > 0 ? def.max_pair_count : INT64_MAX - 1;
    def.max_pair_count = most + 1;
    const PliFpMode caller = pli_fp_enter();
    pli_world_start(world, def.progress, def.user);
    const PliantResult result = search_world(world, &def);
    pli_fp_leave(caller);
    PLI_TRY(result);
    const bool is_limit_reached = world->pairs_within.count > most;
    world->pairs_within.count -= is_limit_reached;
    pli_body_pairs_close(world, &world->pairs_within, is_limit_reached, pairs);
    return PLIANT_OK;
}
