/* The least distance of bodies: see distances.h. */
#include "world/crew.h"
#include "world/distances.h"
#include "world/merge.h"
#include "world/reader.h"

#include <string.h>

/* ---- Where the closest features were -----------------------------------------------------------
 *
 * A table of leaves by pair of bodies; a later pair takes the place of an earlier one. Whatever it
 * says, the answer is the same, so nothing has to be removed from it. Workers read it, and one
 * thread writes it when they are done.
 */

static int last_of(int32_t a, int32_t b)
{
    const uint32_t hash = ((uint32_t)a * 0x9e3779b1u) ^ ((uint32_t)b * 0x85ebca6bu);
    return (int)(hash >> 16 & (PLI_LAST_LEAVES - 1));
}

/* Leaves of a soup are sorted when the search comes to them from above, and not before. */
static bool has_fixed_leaves(PliBody *body)
{
    return !pli_soup_of(&body->pose);
}

/* Those that were noted, or -1. */
static PliLeafPair known_leaves(const PliantWorld *world, int32_t a, int32_t b)
{
    const PliLastLeaves *last = &world->last_leaves[last_of(a, b)];
    PliBody *bodies = world->bodies.items;
    const bool are_known = last->a == a && last->b == b && has_fixed_leaves(&bodies[a]) &&
                           has_fixed_leaves(&bodies[b]);
    return are_known ? last->leaves : (PliLeafPair){-1, -1};
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

/* One worker alone asks for features only if bodies do not touch. */
static PliantResult get_side(PliDistances *query, int32_t number, PliDistanceSide *side)
{
    if (!query->base.is_shared)
        PLI_TRY(pli_query_prepare(&query->base, number));
    *side = (PliDistanceSide){&body_at(&query->base, number)->pose,
                              pli_query_prepared(&query->base, number)->features};
    return PLIANT_OK;
}

/* The closest features of two bodies, or of one. */
static PliantResult find_closest(PliDistances *query, const PliQueryItem *item,
                                 PliWorldWorker *worker, PliDistanceGoal *goal)
{
    PliantWorld *world = query->base.world;
    PliBody *a = body_at(&query->base, item->a), *b = body_at(&query->base, item->b);
    PliNarrow *narrow = &worker->narrow;
    PliDistanceSide a_side, b_side;
    if (a == b)
        PLI_TRY(pli_world_start_fans(world, a, true));
    PLI_TRY(pli_narrow_find(narrow, &a->pose, &b->pose, true));
    if (narrow->contacts.count > 0) {
        goal->is_found = true;
        goal->pair = touching_pair(*(const uint64_t *)narrow->contacts.items);
    } else {
        PLI_TRY(get_side(query, item->a, &a_side));
        PLI_TRY(get_side(query, item->b, &b_side));
        PLI_TRY(pli_distance_find(&worker->distance, &a_side, &b_side, goal));
    }
    goal->pair.body_a = pli_world_handle(world, item->a);
    goal->pair.body_b = pli_world_handle(world, item->b);
    return PLIANT_OK;
}

/* PliQuestion.start. */
static void start(const PliQuery *query, PliWorldWorker *worker)
{
    (void)query;
    pli_narrow_start(&worker->narrow);
    worker->narrow.approximations = 0;
    pli_distance_start(&worker->distance);
}

/* What is found is the leaves in which the closest features are. PliQuestion.find. */
static PliantResult find(PliQuery *base, PliQueryItem *item, PliWorldWorker *worker)
{
    PliDistances *query = (PliDistances *)base;
    PliDistanceGoal goal = {.max_distance = query->distance,
                            .is_one_enough = query->is_one_enough,
                            .leaves = known_leaves(base->world, item->a, item->b)};
    void *room;
    PLI_TRY(find_closest(query, item, worker, &goal));
    item->found = (PliItemRange){worker->found.count, goal.is_found};
    PLI_TRY(pli_array_push(&worker->found, worker->worker.host, goal.is_found, &room));
    if (goal.is_found)
        memcpy(room, &goal.leaves, sizeof goal.leaves);
    if (!query->is_one_enough)
        query->goal = goal;
    return PLIANT_OK;
}

/* Adds a pair of bodies if it is one of those that are asked for. PliQuestion.place. */
static PliantResult place(PliQuery *base, PliQueryItem *item)
{
    const PliDistances *query = (const PliDistances *)base;
    PliantWorld *world = base->world;
    void *room;
    item->answer_count = 0; /* it is kept here */
    if (item->found.count == 0)
        return PLIANT_OK;
    world->last_leaves[last_of(item->a, item->b)] = (PliLastLeaves){
        item->a, item->b,
        *(const PliLeafPair *)pli_array_from(&item->worker->found, item->found.first)};
    if (!query->is_one_enough)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&world->pairs_within, &world->host, 1, &room));
    *(PliantBodyPair *)room =
        (PliantBodyPair){pli_world_handle(world, item->a), pli_world_handle(world, item->b)};
    base->is_over = world->pairs_within.count >= query->limit;
    return PLIANT_OK;
}

/* Several workers find all pairs: with a limit there is one. PliQuestion.may_share. */
static bool may_share(const PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    (void)pairs, (void)count;
    return ((const PliDistances *)query)->limit == INT64_MAX;
}

/* PliQuestion.do_alone. */
static PliantResult do_alone(PliQuery *query, int32_t a, int32_t b)
{
    PliantWorld *world = query->world;
    PliQueryItem item = {.a = a, .b = b};
    world->first.found.count = 0;
    pli_world_update_body(world, body_at(query, a));
    pli_world_update_body(world, body_at(query, b));
    pli_query_do_item(query, &item, &world->first);
    pli_control_count(&world->control, 1);
    return pli_query_add(query, &item);
}

static const PliQuestion QUESTION = {.prepare = prepare,
                                     .start = start,
                                     .find = find,
                                     .may_share = may_share,
                                     .do_alone = do_alone,
                                     .place = place};

PliantResult pli_distances_find_two(void *distances)
{
    PliDistances *query = distances;
    query->base.question = &QUESTION;
    query->base.world->control.total = 1;
    return do_alone(&query->base, query->a < query->b ? query->a : query->b,
                    query->a < query->b ? query->b : query->a);
}

/* ---- All bodies --------------------------------------------------------------------------------
 */

PliantResult pli_distances_find(void *distances)
{
    PliDistances *query = distances;
    PliantWorld *world = query->base.world;
    const PliBroadPair *pairs = NULL;
    int64_t count = 0;
    query->base.question = &QUESTION;
    world->pairs_within.count = 0;
    PLI_TRY(pli_world_refresh(world));
    PLI_TRY(pli_world_near_bodies(world, query->distance, false, &pairs, &count));
    world->control.total = count;
    return pli_query_do_pairs(&query->base, pairs, count);
}
