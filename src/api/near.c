/* Features within a distance: see pliant/near.h. */
#include "api/checks.h"
#include "base/cpu.h"
#include "geom/vector.h"
#include "world/crew.h"
#include "world/feature_query.h"

#include <inttypes.h>

/* A query. */
typedef struct Query {
    PliFeatureQuery base;
    PliantNearDef def;
} Query;

/* PliQuestion.prepare. */
static PliantResult prepare(PliQuery *query, int32_t number, PliPrepared *prepared)
{
    PliBody *body = (PliBody *)query->world->bodies.items + number;
    prepared->end_pose = &body->pose;
    return pli_moving_features((PliMovingPose){&body->pose, &body->pose}, &query->world->body_host,
                               &prepared->features);
}

/* PliQuestion.start. */
static void start(const PliQuery *query, PliWorldWorker *worker)
{
    const PliantNearDef *def = &((const Query *)query)->def;
    pli_near_start(&worker->near, def->distance, def->margin, def->rest_distance);
}

static const PliQuestion NEAR = {.prepare = prepare, .start = start, PLI_FEATURE_QUERY_HOOKS};

/* PliFeatureQuery.find_kept. */
static PliantResult find_kept(PliFeatureQuery *query, const PliFeatureSide *a,
                              const PliFeatureSide *b, PliKeptSide sides[2])
{
    PliantWorld *world = query->base.world;
    return pli_near_find_kept(&world->first.near, query->kept, &world->last_epoch, a, b, sides,
                              query->base.answers);
}

/* ---- The public calls -------------------------------------------------------------------------
 */

#define DEF_SIZE PLI_RECORD_SIZE(PliantNearDef, user)
#define PAIRS_SIZE PLI_RECORD_SIZE(PliantNearPairs, count)

static PliantResult open_query(const PliCall *call, const PliantNearDef *def,
                               const PliantNearPairs *pairs, Query *query)
{
    PLI_CHECK_OUTPUT(call, "pairs", "pliant_near_pairs_default", pairs, PAIRS_SIZE);
    PLI_READ_DEF(call, "pliant_near_def_default", def, &query->def, DEF_SIZE);
    PLI_CHECK_FINITE(call, "def.distance", query->def.distance);
    PLI_CHECK_REST(call, "def.rest_distance", query->def.rest_distance);
    PLI_CHECK_FINITE(call, "def.margin", query->def.margin);
    PLI_CHECK_LIMIT(call, "def.max_pair_count", query->def.max_pair_count);
    if (query->def.max_pair_count > 0 || query->base.base.world->read)
        query->def.margin = 0; /* what is kept is complete, and the world's */
    return PLIANT_OK;
}

/* PliFeatureQuery.find_bodies. */
static PliantResult find_bodies(PliFeatureQuery *query, const PliBroadPair **pairs, int64_t *count)
{
    return pli_world_near_bodies(query->base.world, ((const Query *)query)->def.distance, true,
                                 pairs, count);
}

/* Runs a query over two bodies, or over all if `a` is -1. */
static PliantResult run_query(Query *query, int32_t a, int32_t b, PliantNearPairs *pairs)
{
    PliantWorld *world = query->base.base.world;
    PliFeatureQuery *base = &query->base;
    base->base.question = &NEAR;
    base->search = offsetof(PliWorldWorker, near.search);
    base->max_time = INFINITY;
    base->find_kept = find_kept;
    base->find_bodies = find_bodies;
    base->hashes_borrowed = true;
    base->base.answers = &world->near_pairs;
    base->limit = query->def.max_pair_count;
    base->includes_self = query->def.includes_self;
    base->is_unique = query->def.is_unique;
    base->kept = query->def.margin > 0 ? &world->near_kept : NULL;
    base->a = a;
    base->b = b;
    PLI_TRY(
        pli_world_ask(world, query->def.progress, query->def.user, pli_feature_query_run, query));
    const PliArray *answers = base->is_unique ? &world->unique_pairs : &world->near_pairs;
    const PliantNearPairs found = {.items = answers->items,
                                   .count = answers->count,
                                   .stamp = pli_world_stamp(world),
                                   .is_limit_reached = base->base.is_over};
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

/* ---- What potentials need ----------------------------------------------------------------------
 */

static PLI_NOINLINE double mollifier_threshold(const float *a0, const float *a1, const float *b0,
                                               const float *b1)
{
    const PliVector e = pli_vector(a1, a0), f = pli_vector(b1, b0);
    return 1e-3 * pli_dot(e, e) * pli_dot(f, f);
}

double pliant_edge_edge_mollifier_threshold(const float a0[3], const float a1[3], const float b0[3],
                                            const float b1[3])
{
    const PliFpMode caller = pli_fp_enter();
    const double threshold = mollifier_threshold(a0, a1, b0, b1);
    pli_fp_leave(caller);
    return threshold;
}
