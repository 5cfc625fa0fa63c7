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

/* Several workers gather contacts, and what is left. Those of one worker alone stay in its narrow
 * phase. PliQuestion.find. */
static PliantResult find(PliQuery *base, PliQueryItem *item, PliWorldWorker *worker)
{
    const PliCollide *query = (const PliCollide *)base;
    PliNarrow *narrow = &worker->narrow;
    const PliantStats before = counted(narrow);
    const PliantResult result = find_contacts(query, item, worker);
    const PliantStats after = counted(narrow);
    item->work = work_between(&before, &after);
    if (result != PLIANT_OK || !base->is_shared)
        return result;
    if (query->def.kind == PLIANT_ALL_PAIRS)
        PLI_TRY(pli_item_leave(base, item, worker, &narrow->walk, &narrow->leaf_pairs));
    return pli_item_append(&worker->found, worker->worker.host, &narrow->contacts, &item->found);
}

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
static PliantResult test_fans(PliQuery *query)
{
    enum { FAN_PARTS_PER_WORKER = 8 };
    PliantWorld *world = query->world;
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
    pli_query_do_items(query, first);
    return PLIANT_OK;
}

/* PliQuestion.end_share. */
static PliantResult end_share(PliQuery *query)
{
    const PliQueryItem *first = query->world->items.items;
    return first->a == first->b && query->world->fans.state ? test_fans(query) : PLIANT_OK;
}

/* ---- The answer -------------------------------------------------------------------------------
 */

static const uint64_t *found_by(const PliQueryItem *item)
{
    return (const uint64_t *)item->worker->found.items + item->found.first;
}

/* The contacts of a pair and its parts, sorted, with scratch for as many behind them.
 * PliQuestion.order. */
static void order(const PliQuery *query, PliQueryItem *item, void *room)
{
    const PliBody *bodies = query->world->bodies.items;
    const PliQueryItem *items = query->world->items.items, *part = item;
    uint64_t *merged = room, *end = merged;
    for (;; part = &items[part->next]) {
        if (part->found.count > 0)
            memcpy(end, found_by(part), (size_t)part->found.count * sizeof *end);
        end += part->found.count;
        if (part->next == 0)
            break;
    }
    item->ordered = merged;
    item->answer_count =
        pli_narrow_merge(merged, end, end - merged, &bodies[item->a].pose, &bodies[item->b].pose);
}

static void count_pair(PliantWorld *world, const PliQueryItem *item)
{
    PliBody *bodies = world->bodies.items;
    PliBody *a = &bodies[item->a], *b = &bodies[item->b];
    PliantStats *const all[] = {pli_world_stats_of(world, a), &world->stats,
                                a != b ? pli_world_stats_of(world, b) : NULL};
    for (int i = 0; i < 3 && (i < 2 || all[i]); i++) {
        all[i]->body_pairs++;
        all[i]->contacts += item->answer_count;
    }
}

static const uint64_t *ordered_of(const PliQueryItem *item)
{
    return item->ordered ? item->ordered : found_by(item);
}

/* As many contacts as are wanted. Pairs of bodies that come after the limit may have contacts: then
 * it was reached. PliQuestion.place. */
static PliantResult place(PliQuery *base, PliQueryItem *item)
{
    PliCollide *query = (PliCollide *)base;
    PliantWorld *world = base->world;
    const int64_t most = query->def.max_contact_count - base->answer_count;
    count_pair(world, item);
    if (item->a == item->b && query->def.kind == PLIANT_ALL_PAIRS && !item->is_cut_short)
        PLI_TRY(pli_fan_state_keep(&world->fans, item->answer_count > 0 ? ordered_of(item) : NULL,
                                   item->answer_count, &world->body_host));
    if (pli_collide_has_limit(query) && item->answer_count > most) {
        item->answer_count = most;
        query->is_limit_reached = true;
    }
    base->is_over = query->is_limit_reached ||
                    (base->is_any_enough && base->answer_count + item->answer_count > 0);
    return PLIANT_OK;
}

/* PliQuestion.write. */
static void write_contacts(const PliQuery *query, const PliQueryItem *item, int64_t from,
                           int64_t count, void *to)
{
    const PliantBody a = pli_world_handle(query->world, item->a),
                     b = pli_world_handle(query->world, item->b);
    const uint64_t *ordered = ordered_of(item) + from;
    PliantContact *contacts = to;
    for (int64_t i = 0; i < count; i++)
        contacts[i] = (PliantContact){a, b, (int32_t)(ordered[i] >> 32), (int32_t)ordered[i]};
}

/* ---- Pairs of bodies ---------------------------------------------------------------------------
 */

/* PliQuestion.may_share. */
static bool may_share(const PliQuery *base, const PliBroadPair *pairs, int64_t count)
{
    const PliCollide *query = (const PliCollide *)base;
    if (query->is_alone || (pairs[0].a == pairs[0].b && query->def.kind != PLIANT_ALL_PAIRS))
        return false;
    return !(base->is_any_enough || pli_collide_has_limit(query)) ||
           !pli_query_has_soup(base, pairs, count);
}

/* The walk ended since there are more contacts than are wanted: those that it found first are, and
 * one more, which says that there are more. */
static PliantResult cut_short(PliCollide *query, PliQueryItem *item)
{
    PliantWorld *world = query->base.world;
    const PliBody *bodies = world->bodies.items;
    PliNarrow *narrow = &world->first.narrow;
    const int64_t most = query->def.max_contact_count - query->base.answer_count;
    item->result = PLIANT_OK;
    item->is_cut_short = query->is_limit_reached = true;
    narrow->contacts.count = most;
    return pli_narrow_sort(narrow, &bodies[item->a].pose, &bodies[item->b].pose);
}

/* Two bodies, a before b, or one body alone. PliQuestion.do_alone. */
static PliantResult do_alone(PliQuery *base, int32_t a, int32_t b)
{
    PliCollide *query = (PliCollide *)base;
    PliantWorld *world = base->world;
    PliBody *bodies = world->bodies.items;
    const PliArray *contacts = &world->first.narrow.contacts;
    PliQueryItem item = {.a = a, .b = b};
    pli_world_update_body(world, &bodies[a]);
    pli_world_update_body(world, &bodies[b]);
    base->max_work = PLI_ALL_WORK;
    pli_query_do_item(base, &item, &world->first);
    if (query->is_alone && pli_control_is_exceeded(&world->control))
        PLI_TRY(cut_short(query, &item));
    pli_control_count(&world->control, 1);
    item.ordered = contacts->items;
    item.answer_count = contacts->count;
    PLI_TRY(pli_query_add(base, &item));
    atomic_store(&world->control.found, base->answer_count); /* once each, also if pieces */
    return PLIANT_OK;
}

const PliQuestion pli_collide_question = {.start = start,
                                          .find = find,
                                          .may_share = may_share,
                                          .do_alone = do_alone,
                                          .end_share = end_share,
                                          .order = order,
                                          .place = place,
                                          .write = write_contacts};
