/* Pairs of bodies on their way to contacts: see contacts.h. */
#include "world/contacts.h"
#include "base/tasks.h"
#include "world/crew.h"
#include "world/merge.h"

#include <string.h>

/* What a narrow phase has counted so far. */
static PliantStats counted(const PliNarrow *narrow)
{
    const PliCounts *counts = &narrow->counts;
    return (PliantStats){.node_pairs = narrow->walk.step_count,
                         .bound_tests = narrow->walk.bound_count,
                         .plane_tests = narrow->walk.plane_count + narrow->plane_count,
                         .leaf_pairs = narrow->leaf_pair_count,
                         .triangle_tests = counts->pairs,
                         .undecided = counts->undecided,
                         .exact_fallbacks = counts->exact3_narrow + counts->exact3_wide +
                                            counts->exact2_narrow + counts->exact2_wide};
}

/* What was counted between two moments. */
static PliantStats work_between(const PliantStats *before, const PliantStats *after)
{
    return (PliantStats){.node_pairs = after->node_pairs - before->node_pairs,
                         .bound_tests = after->bound_tests - before->bound_tests,
                         .plane_tests = after->plane_tests - before->plane_tests,
                         .leaf_pairs = after->leaf_pairs - before->leaf_pairs,
                         .triangle_tests = after->triangle_tests - before->triangle_tests,
                         .undecided = after->undecided - before->undecided,
                         .exact_fallbacks = after->exact_fallbacks - before->exact_fallbacks};
}

/* ---- One item ----------------------------------------------------------------------------------
 */

/* PliQuestion.start. */
static void start(const PliQuery *base, PliWorldWorker *worker)
{
    pli_narrow_start(&worker->narrow);
    worker->narrow.approximations = ((const PliCollide *)base)->approximations;
}

/* Its contacts are in the narrow phase of the worker until the next one; so is what is left. */
static PliantResult find_contacts(const PliCollide *query, const PliQueryItem *item,
                                  PliWorldWorker *worker)
{
    const PliantWorld *world = query->base.world;
    const int64_t max_work = query->base.max_work;
    PliNarrow *narrow = &worker->narrow;
    PliBody *a = (PliBody *)world->bodies.items + item->a,
            *b = (PliBody *)world->bodies.items + item->b;
    const bool is_one_enough = query->def.kind != PLIANT_ALL_PAIRS;
    if (is_one_enough || max_work == PLI_ALL_WORK)
        return pli_narrow_find(narrow, &a->pose, &b->pose, is_one_enough);
    if (!item->is_part)
        return pli_narrow_find_some(narrow, &a->pose, &b->pose, max_work);
    const PliNarrowPart part = {pli_item_part(&query->base, item), item->first_fan,
                                item->fan_count};
    return pli_narrow_find_part(narrow, &a->pose, &b->pose, &part, max_work);
}

/* One worker alone: contacts stay in its narrow phase. PliQuestion.find. */
static PliantResult find_alone(PliQuery *base, PliQueryItem *item, PliWorldWorker *worker)
{
    const PliantStats before = counted(&worker->narrow);
    const PliantResult result = find_contacts((const PliCollide *)base, item, worker);
    const PliantStats after = counted(&worker->narrow);
    item->work = work_between(&before, &after);
    return result;
}

/* Several workers: each gathers contacts, and what is left. PliQuestion.find. */
static PliantResult find(PliQuery *base, PliQueryItem *item, PliWorldWorker *worker)
{
    const PliCollide *query = (const PliCollide *)base;
    PliNarrow *narrow = &worker->narrow;
    PLI_TRY(find_alone(base, item, worker));
    if (query->def.kind == PLIANT_ALL_PAIRS)
        PLI_TRY(pli_item_leave(base, item, worker, &narrow->walk, &narrow->leaf_pairs));
    return pli_item_append(&worker->found, worker->worker.host, &narrow->contacts, &item->found);
}

static const PliQuestion SHARED = {.start = start, .find = find},
                         ALONE = {.start = start, .find = find_alone};

/* Pairs that are in memory as items at a time; and parts that fans are divided into. */
enum { BATCH = 1 << 14, FAN_PARTS_PER_WORKER = 8 };

/* ---- The fans of a body alone ------------------------------------------------------------------
 */

/* PliPartTask: some leaves. */
static void clear_leaves(void *data, const PliPart *part)
{
    pli_fan_state_clear(data, (int32_t)part->begin, (int32_t)part->end);
}

/* PliPartTask: some fans. */
static void decide_fans(void *data, const PliPart *part)
{
    pli_fan_state_decide(data, (int32_t)part->begin, (int32_t)part->end);
}

/* Once the pair of a body alone, which is the only one, has been tested. */
static PliantResult test_fans(PliCollide *query)
{
    PliantWorld *world = query->base.world;
    const PliFans *fans = world->fans.state->topology.fans;
    const int64_t first = world->items.count,
                  wanted = (int64_t)FAN_PARTS_PER_WORKER * world->crew.count;
    const PliQueryItem whole = *(const PliQueryItem *)world->items.items;
    pli_divide(&world->host, clear_leaves, &world->fans, fans->leaf_count);
    pli_divide(&world->host, decide_fans, &world->fans, fans->fan_count);
    for (int64_t i = 0; i < wanted; i++) {
        PliQueryItem part = {.a = whole.a, .b = whole.b, .is_part = true, .source = &world->first};
        part.first_fan = (int32_t)pli_part_begin(i, wanted, fans->fan_count);
        part.fan_count = (int32_t)pli_part_begin(i + 1, wanted, fans->fan_count) - part.first_fan;
        PLI_TRY(pli_query_push_part(world, 0, &part));
    }
    pli_query_do_items(&query->base, first);
    return PLIANT_OK;
}

/* ---- Pairs by several workers -------------------------------------------------------------------
 */

static PliantResult collide_shared(PliCollide *query, const PliBroadPair *pairs, int64_t count)
{
    PliantWorld *world = query->base.world;
    const bool is_self = pairs[0].a == pairs[0].b;
    query->base.question = &SHARED;
    query->base.is_any_enough = pli_collide_is_any_enough(query);
    world->fans.is_shared = true;
    PliantResult result = pli_query_share(&query->base, pairs, count);
    if (result == PLIANT_OK && is_self && world->fans.state)
        result = test_fans(query);
    if (result == PLIANT_OK)
        result = pli_collide_merge(query, count);
    pli_query_unshare(&query->base, pairs, count);
    return result;
}

/* May several workers take these pairs, and is there enough to do for them? */
static bool is_worth_sharing(const PliCollide *query, const PliBroadPair *pairs, int64_t count)
{
    if (query->is_alone || count == 0)
        return false;
    if (pairs[0].a == pairs[0].b && query->def.kind != PLIANT_ALL_PAIRS)
        return false;
    if ((pli_collide_is_any_enough(query) || pli_collide_has_limit(query)) &&
        pli_query_has_soup(&query->base, pairs, count))
        return false;
    return pli_query_is_worth_sharing(&query->base, pairs, count);
}

/* ---- Items by one worker -----------------------------------------------------------------------
 */

/* The walk ended since there are more contacts than are wanted: those that it found first are, and
 * one more, which says that there are more. */
static PliantResult cut_short(PliCollide *query, PliQueryItem *item)
{
    PliantWorld *world = query->base.world;
    const PliBody *bodies = world->bodies.items;
    PliNarrow *narrow = &world->first.narrow;
    const int64_t most = query->def.max_contact_count - query->count;
    item->result = PLIANT_OK;
    item->is_cut_short = query->is_limit_reached = true;
    narrow->contacts.count = most;
    return pli_narrow_sort(narrow, &bodies[item->a].pose, &bodies[item->b].pose);
}

/* Adds the contacts of two bodies, a before b, or of one body alone. */
static PliantResult collide_pair(PliCollide *query, int32_t a, int32_t b)
{
    PliantWorld *world = query->base.world;
    PliBody *bodies = world->bodies.items;
    PliQueryItem item = {.a = a, .b = b};
    pli_world_update_body(world, &bodies[a]);
    pli_world_update_body(world, &bodies[b]);
    query->base.question = &ALONE;
    query->base.max_work = PLI_ALL_WORK;
    pli_query_do_item(&query->base, &item, &world->first);
    if (query->is_alone && pli_control_is_exceeded(&world->control))
        PLI_TRY(cut_short(query, &item));
    pli_control_count(&world->control, 1);
    item.contacts = world->first.narrow.contacts.items;
    item.contact_count = world->first.narrow.contacts.count;
    PLI_TRY(pli_collide_add(query, &item));
    atomic_store(&world->control.found, query->count); /* once each, also if they are pieces */
    return PLIANT_OK;
}

PliantResult pli_collide_pairs(PliCollide *query, const PliBroadPair *pairs, int64_t count)
{
    int64_t here = 0;
    for (int64_t i = 0; i < count && !pli_collide_is_finished(query); i += here) {
        here = count - i < BATCH ? count - i : BATCH;
        if (is_worth_sharing(query, pairs + i, here)) {
            PLI_TRY(collide_shared(query, pairs + i, here));
            continue;
        }
        for (int64_t k = i; k < i + here && !pli_collide_is_finished(query); k++)
            PLI_TRY(collide_pair(query, pairs[k].a, pairs[k].b));
    }
    return PLIANT_OK;
}
