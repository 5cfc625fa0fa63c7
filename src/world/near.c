/* Features within a distance: see pliant/near.h. */
#include "base/cpu.h"
#include "world/world.h"

#include <float.h>
#include <inttypes.h>

/* A query. */
typedef struct Query {
    PliantWorld *world;
    PliantNearDef def;
    bool is_over; /* there are more pairs than def.max_pair_count */
} Query;

/* How far it searches, as a float: nothing depends on how the sum is rounded. */
static float reach_of(const PliantNearDef *def)
{
    const float reach = def->distance + def->margin;
    return reach < FLT_MAX ? reach : FLT_MAX;
}

/* The pairs of two poses, from what is kept if that can be. */
static PliantResult find_kept(const Query *query, PliBody *a, PliBody *b)
{
    PliantWorld *world = query->world;
    PliPose *const poses[2] = {&a->pose, &b->pose};
    PliKeptSide sides[2];
    PLI_TRY(pli_world_motions(world, a, (PliMovingPose){poses[0], poses[0]}, &sides[0]));
    PLI_TRY(pli_world_motions(world, b, (PliMovingPose){poses[1], poses[1]}, &sides[1]));
    return pli_near_find_kept(&world->near, &world->near_kept, &world->last_epoch, poses, sides,
                              query->def.distance, &world->near_pairs);
}

/* Appends the pairs of two bodies, or of one, with their handles: up to the limit. */
static PliantResult find_pairs(Query *query, int32_t a, int32_t b)
{
    PliantWorld *world = query->world;
    const int64_t limit = query->def.max_pair_count;
    PliBody *bodies = world->bodies.items, *body_a = &bodies[a], *body_b = &bodies[b];
    const int64_t first = world->near_pairs.count;
    pli_world_update_body(world, body_a);
    pli_world_update_body(world, body_b);
    PLI_TRY(pli_control_check(&world->control));
    if (query->def.margin > 0)
        PLI_TRY(find_kept(query, body_a, body_b));
    else {
        world->near.found.limit = limit > 0 ? limit - first : PLI_NO_LIMIT;
        PLI_TRY(pli_near_find(&world->near, &body_a->pose, &body_b->pose, &world->near_pairs));
        query->is_over = world->near.found.is_over;
    }
    pli_world_count(world, body_a, PLI_SIDE_A);
    pli_world_count(world, body_b, PLI_SIDE_B);
    for (int64_t i = first; i < world->near_pairs.count; i++) {
        PliantNearPair *pair = (PliantNearPair *)world->near_pairs.items + i;
        pair->body_a = pli_world_handle(world, a);
        pair->body_b = pli_world_handle(world, b);
    }
    pli_control_count(&world->control, 1);
    return PLIANT_OK;
}

/* ---- Which bodies ------------------------------------------------------------------------------
 */

/* Is there a body of this number that pairs can be within? */
static bool is_own_pair(const Query *query, int64_t number)
{
    const PliBody *bodies = query->world->bodies.items;
    return query->def.includes_self && pli_body_has_self(&bodies[number]);
}

/* All pairs of bodies in order: a body and itself, if that is asked for, and then it and those
 * after it. */
static PLI_NOINLINE PliantResult search_world(Query *query)
{
    PliantWorld *world = query->world;
    const PliBroadPair *pairs = NULL;
    int64_t pair_count = 0, next = 0;
    PLI_TRY(pli_world_refresh(world));
    PLI_TRY(pli_world_near_bodies(world, query->def.distance, &pairs, &pair_count));
    world->control.total = pair_count + (query->def.includes_self ? world->body_count : 0);
    for (int32_t a = 0; a < (int32_t)world->bodies.count && !query->is_over; a++) {
        if (is_own_pair(query, a))
            PLI_TRY(find_pairs(query, a, a));
        for (; next < pair_count && pairs[next].a == a && !query->is_over; next++)
            PLI_TRY(find_pairs(query, a, pairs[next].b));
    }
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult search_two(Query *query, int32_t a, int32_t b)
{
    query->world->control.total = 1;
    return find_pairs(query, a < b ? a : b, a < b ? b : a);
}

/* ---- The public calls -------------------------------------------------------------------------
 */

#define DEF_SIZE PLI_RECORD_SIZE(PliantNearDef, user)
#define PAIRS_SIZE PLI_RECORD_SIZE(PliantNearPairs, count)

static PliantResult open_query(const PliCall *call, const PliantNearDef *def,
                               const PliantNearPairs *pairs, Query *query)
{
    PLI_CHECK_OUTPUT(call, "pairs", "pliant_near_pairs_default", pairs, PAIRS_SIZE);
    PLI_CHECK(call,
              !def ||
                  pli_record_read(&query->def, sizeof query->def, DEF_SIZE, def, def->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_near_def_default()",
              def->struct_size);
    PLI_CHECK(call, query->def.distance >= 0 && query->def.distance < INFINITY, PLIANT_BAD_ARGUMENT,
              "def.distance is %g: a finite number that is not negative is needed",
              (double)query->def.distance);
    PLI_CHECK(call, query->def.rest_distance >= 0 && query->def.rest_distance < INFINITY,
              PLIANT_BAD_ARGUMENT,
              "def.rest_distance is %g: a finite number that is not negative is needed",
              (double)query->def.rest_distance);
    PLI_CHECK(call, query->def.margin >= 0 && query->def.margin < INFINITY, PLIANT_BAD_ARGUMENT,
              "def.margin is %g: a finite number that is not negative is needed",
              (double)query->def.margin);
    PLI_CHECK(call, query->def.max_pair_count >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_pair_count is %" PRId64 ": a number that is not negative is needed",
              query->def.max_pair_count);
    if (query->def.max_pair_count > 0)
        query->def.margin = 0; /* what is kept is complete */
    return PLIANT_OK;
}

static PliantResult search(Query *query, int32_t a, int32_t b)
{
    return a < 0 ? search_world(query) : search_two(query, a, b);
}

/* The same with a margin. What is kept is complete, or nothing is. */
static PliantResult search_and_keep(Query *query, int32_t a, int32_t b)
{
    PliKept *kept = &query->world->near_kept;
    pli_kept_start(kept);
    return pli_kept_end(kept, search(query, a, b), a < 0, &query->world->host);
}

/* Runs a query over two bodies, or over all if `a` is -1. */
static PliantResult run_query(Query *query, int32_t a, int32_t b, PliantNearPairs *pairs)
{
    PliantWorld *world = query->world;
    const PliFpMode caller = pli_fp_enter();
    world->near_pairs.count = 0;
    pli_near_start(&world->near, reach_of(&query->def), query->def.rest_distance);
    pli_world_start(world, query->def.progress, query->def.user);
    world->hashes_borrowed = true;
    const PliantResult result =
        query->def.margin > 0 ? search_and_keep(query, a, b) : search(query, a, b);
    pli_fp_leave(caller);
    PLI_TRY(result);
    const PliantNearPairs found = {.items = world->near_pairs.items,
                                   .count = world->near_pairs.count,
                                   .stamp = pli_world_stamp(world),
                                   .is_limit_reached = query->is_over};
    pli_record_write(pairs, PAIRS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_near(PliantWorld *world, const PliantNearDef *def, PliantNearPairs *pairs)
{
    PLI_CHANGE_WORLD(world);
    Query query = {.world = world, .def = pliant_near_def_default()};
    PLI_TRY(open_query(&call, def, pairs, &query));
    return run_query(&query, -1, -1, pairs);
}

PliantResult pliant_bodies_near(PliantWorld *world, PliantBody a, PliantBody b,
                                const PliantNearDef *def, PliantNearPairs *pairs)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    Query query = {.world = world, .def = pliant_near_def_default()};
    PLI_TRY(open_query(&call, def, pairs, &query));
    return run_query(&query, pli_world_number(world, body_a), pli_world_number(world, body_b),
                     pairs);
}
