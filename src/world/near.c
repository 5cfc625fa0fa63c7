/* Features within a distance: see pliant/near.h. */
#include "world/feature_query.h"

#include <float.h>
#include <inttypes.h>

/* A query. */
typedef struct Query {
    PliFeatureQuery base;
    PliantNearDef def;
} Query;

/* How far it searches, as a float: nothing depends on how the sum is rounded. */
static float reach_of(const PliantNearDef *def)
{
    const float reach = def->distance + def->margin;
    return reach < FLT_MAX ? reach : FLT_MAX;
}

/* ---- One item ----------------------------------------------------------------------------------
 */

static PliBody *body_at(const PliQuery *query, int32_t number)
{
    return (PliBody *)query->world->bodies.items + number;
}

/* PliQuestion.prepare. */
static PliantResult prepare(PliQuery *query, int32_t number, PliPrepared *prepared)
{
    PliPose *pose = &body_at(query, number)->pose;
    return pose->kind->features(pose, &query->world->body_host, &prepared->features);
}

static PliNearSide side_of(const PliQuery *query, int32_t number)
{
    return (PliNearSide){&body_at(query, number)->pose,
                         pli_query_prepared(query, number)->features};
}

/* PliQuestion.start. */
static void start(const PliQuery *query, PliWorldWorker *worker)
{
    const PliantNearDef *def = &((const Query *)query)->def;
    pli_near_start(&worker->near, reach_of(def), def->rest_distance);
}

/* PliQuestion.find. */
static PliantResult find(PliQuery *query, PliQueryItem *item, PliWorldWorker *worker)
{
    PliNear *near = &worker->near;
    PliArray *found = &worker->features_found;
    const PliNearSide a = side_of(query, item->a), b = side_of(query, item->b);
    const PliWalkPart part = item->is_part ? pli_item_part(query, item) : (PliWalkPart){0};
    item->found.first = found->count;
    PLI_TRY(pli_near_find(near, &a, &b, item->is_part ? &part : NULL, query->max_work, found));
    item->found.count = found->count - item->found.first;
    return pli_item_leave(query, item, worker, &near->walk, &near->leaf_pairs);
}

static const PliQuestion NEAR = {.prepare = prepare, .start = start, .find = find};

/* ---- Two bodies, by one worker -----------------------------------------------------------------
 */

/* The pairs of two poses, from what is kept if that can be. */
static PliantResult find_kept(const Query *query, PliBody *a, PliBody *b, const PliNearSide *a_side,
                              const PliNearSide *b_side)
{
    PliantWorld *world = query->base.base.world;
    PliKeptSide sides[2];
    PLI_TRY(pli_world_motions(world, a, (PliMovingPose){&a->pose, &a->pose}, &sides[0]));
    PLI_TRY(pli_world_motions(world, b, (PliMovingPose){&b->pose, &b->pose}, &sides[1]));
    return pli_near_find_kept(&world->first.near, query->base.kept, &world->last_epoch, a_side,
                              b_side, sides, query->def.distance, query->base.answers);
}

/* PliFeatureQuery.find_two. */
static PliantResult find_two(PliFeatureQuery *base, int32_t a, int32_t b)
{
    const Query *query = (const Query *)base;
    PliantWorld *world = base->base.world;
    PliNear *near = &world->first.near;
    PLI_TRY(pli_query_prepare(&base->base, a));
    PLI_TRY(pli_query_prepare(&base->base, b));
    const PliNearSide a_side = side_of(&base->base, a), b_side = side_of(&base->base, b);
    if (base->kept)
        return find_kept(query, body_at(&base->base, a), body_at(&base->base, b), &a_side, &b_side);
    near->found.limit = base->limit > 0 ? base->limit - base->answers->count : PLI_NO_LIMIT;
    PLI_TRY(pli_near_find(near, &a_side, &b_side, NULL, PLI_ALL_WORK, base->answers));
    base->is_over = near->found.is_over;
    return PLIANT_OK;
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

/* PliFeatureQuery.find_bodies. */
static PliantResult find_bodies(PliFeatureQuery *query, const PliBroadPair **pairs, int64_t *count)
{
    return pli_world_near_bodies(query->base.world, ((const Query *)query)->def.distance, pairs,
                                 count);
}

/* Runs a query over two bodies, or over all if `a` is -1. */
static PliantResult run_query(Query *query, int32_t a, int32_t b, PliantNearPairs *pairs)
{
    PliantWorld *world = query->base.base.world;
    PliFeatureQuery *base = &query->base;
    base->base.question = &NEAR;
    base->kind = &pli_near_found;
    base->find_two = find_two;
    base->find_bodies = find_bodies;
    base->hashes_borrowed = true;
    base->answers = &world->near_pairs;
    base->limit = query->def.max_pair_count;
    base->includes_self = query->def.includes_self;
    base->kept = query->def.margin > 0 ? &world->near_kept : NULL;
    PLI_TRY(pli_feature_query_run(base, query->def.progress, query->def.user, a, b));
    const PliantNearPairs found = {.items = world->near_pairs.items,
                                   .count = world->near_pairs.count,
                                   .stamp = pli_world_stamp(world),
                                   .is_limit_reached = base->is_over};
    pli_record_write(pairs, PAIRS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_near(PliantWorld *world, const PliantNearDef *def, PliantNearPairs *pairs)
{
    PLI_ASK_WORLD(world);
    Query query = {.base = {.base = {.world = world}}, .def = pliant_near_def_default()};
    PLI_TRY(open_query(&call, def, pairs, &query));
    return run_query(&query, -1, -1, pairs);
}

PliantResult pliant_bodies_near(PliantWorld *world, PliantBody a, PliantBody b,
                                const PliantNearDef *def, PliantNearPairs *pairs)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    Query query = {.base = {.base = {.world = world}}, .def = pliant_near_def_default()};
    PLI_TRY(open_query(&call, def, pairs, &query));
    return run_query(&query, pli_world_number(world, body_a), pli_world_number(world, body_b),
                     pairs);
}
