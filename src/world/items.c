/* Pairs of bodies on their way to contacts: see items.h. */
#include "world/items.h"
#include "base/round.h"
#include "base/tasks.h"
#include "world/crew.h"
#include "world/merge.h"

#include <string.h>

/* PliQuery.max_work: no pair is divided. */
#define ALL_WORK INT64_MAX

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

/* What items of this round leave. */
static PliLeft *left_by(const PliQuery *query, PliWorldWorker *worker)
{
    return &worker->left[query->round % 2];
}

/* What the items of the round before have left. */
static const PliLeft *left_before(const PliQuery *query, const PliWorldWorker *worker)
{
    return &worker->left[(query->round + 1) % 2];
}

/* Its contacts are in the narrow phase of the worker until the next one; so is what is left. */
static PliantResult find_contacts(const PliQuery *query, const PliQueryItem *item,
                                  PliWorldWorker *worker)
{
    const PliantWorld *world = query->world;
    PliNarrow *narrow = &worker->narrow;
    PliBody *a = (PliBody *)world->bodies.items + item->a,
            *b = (PliBody *)world->bodies.items + item->b;
    const bool is_one_enough = query->def.kind != PLIANT_ALL_PAIRS;
    if (is_one_enough || query->max_work == ALL_WORK)
        return pli_narrow_find(narrow, &a->pose, &b->pose, is_one_enough);
    if (item->is_part) {
        const PliLeft *left = left_before(query, item->source);
        const PliNarrowPart part = {pli_array_from(&left->pairs, item->pairs.first),
                                    pli_array_from(&left->leaf_pairs, item->leaf_pairs.first),
                                    item->pairs.count,
                                    item->leaf_pairs.count,
                                    item->first_fan,
                                    item->fan_count};
        PLI_TRY(pli_narrow_find_part(narrow, &a->pose, &b->pose, &part, query->max_work));
    } else
        PLI_TRY(pli_narrow_find_some(narrow, &a->pose, &b->pose, query->max_work));
    return pli_walk_is_done(&narrow->walk) ? PLIANT_OK
                                           : pli_narrow_divide(narrow, query->part_count);
}

static void test_item(PliQuery *query, PliQueryItem *item, PliWorldWorker *worker)
{
    PliPoseCounts *counts = worker->worker.counts;
    pli_world_worker_start(query->world, worker);
    const PliantStats before = counted(&worker->narrow);
    item->result = pli_worker_check(&worker->worker);
    if (item->result == PLIANT_OK)
        item->result = find_contacts(query, item, worker);
    const PliantStats after = counted(&worker->narrow);
    item->work = work_between(&before, &after);
    memcpy(item->counts, counts, sizeof item->counts);
    memset(counts, 0, sizeof item->counts);
}

/* ---- Items by several workers ------------------------------------------------------------------
 */

/* Pairs that are in memory as items at a time. */
enum { BATCH = 1 << 14 };

/* Less than this, in leaves of the smaller body of each pair, is not handed out: several workers
 * take longer to begin than one to end. */
enum { MIN_LEAVES = 2048, LEAVES_OF_A_PAIR = 16 };

/* A pair that takes long (PliantWorld.max_work) is divided into so many parts, and some more
 * for each worker if there are few. */
enum { MIN_PARTS = 8, PARTS_PER_WORKER = 8 };

/* Items are handed out in so many portions for each worker, at most: one pair of bodies can take as
 * long as a hundred others, and with 8 portions a worker of two waited for a quarter of the time.
 */
enum { ITEMS_PER_WORKER = 64 };

/* Items that workers take, by portions. */
typedef struct Batch {
    PliQuery *query;
    int64_t first, end, portion;
} Batch;

/* Appends an array to another, and says where it is there. */
static PliantResult append(PliArray *to, const PliantHost *host, const PliArray *from,
                           PliItemRange *range)
{
    *range = (PliItemRange){to->count, from->count};
    return pli_array_append(to, host, from);
}

/* Takes what was found from the narrow phase, and what is left to walk. */
static PliantResult keep_item(const PliQuery *query, PliQueryItem *item, PliWorldWorker *worker)
{
    const PliantHost *host = worker->worker.host;
    const PliNarrow *narrow = &worker->narrow;
    PliLeft *left = left_by(query, worker);
    item->worker = worker;
    PLI_TRY(item->result);
    if (query->def.kind == PLIANT_ALL_PAIRS) {
        PLI_TRY(append(&left->pairs, host, &narrow->walk.stack, &item->left_pairs));
        PLI_TRY(append(&left->leaf_pairs, host, &narrow->leaf_pairs, &item->left_leaf_pairs));
    }
    return append(&worker->found, host, &narrow->contacts, &item->found);
}

/* Is there something left of it? */
static bool is_long(const PliQueryItem *item)
{
    return item->result == PLIANT_OK && item->left_pairs.count + item->left_leaf_pairs.count > 0;
}

/* PliWork. Where any pair is enough, items after one that has a pair are left out. */
static void test_portion(void *data, int32_t index, PliWorker *worker)
{
    const Batch *batch = data;
    PliQuery *query = batch->query;
    PliQueryItem *items = query->world->items.items;
    PliWorldWorker *mine = (PliWorldWorker *)(void *)worker;
    const int64_t first = batch->first + index * batch->portion, end = first + batch->portion;
    for (int64_t i = first; i < end && i < batch->end; i++) {
        PliQueryItem *item = &items[i];
        if (i > atomic_load_explicit(&query->found, memory_order_relaxed))
            return;
        test_item(query, item, mine);
        item->result = keep_item(query, item, mine);
        pli_control_count(&query->world->control, !item->is_part && !is_long(item));
        int64_t found = atomic_load(&query->found);
        while (pli_query_is_any_enough(query) && item->found.count > 0 && i < found &&
               !atomic_compare_exchange_weak(&query->found, &found, i))
            ;
    }
}

static PliantResult push_item(PliantWorld *world, const PliQueryItem *item)
{
    void *room;
    PLI_TRY(pli_array_push(&world->items, &world->host, 1, &room));
    memcpy(room, item, sizeof *item);
    return PLIANT_OK;
}

/* A further part of the pair of item `index`, unless there is nothing in it. It follows that item
 * in the list of the parts of their pair. */
static PliantResult push_part(PliantWorld *world, int64_t index, PliQueryItem *part)
{
    const int64_t fresh = world->items.count;
    if (part->pairs.count + part->leaf_pairs.count + part->fan_count == 0)
        return PLIANT_OK;
    part->next = ((const PliQueryItem *)world->items.items)[index].next;
    PLI_TRY(push_item(world, part));
    ((PliQueryItem *)world->items.items)[index].next = fresh;
    return PLIANT_OK;
}

/* Part `index` of `count` equal parts of a range. */
static PliItemRange part_of(PliItemRange range, int64_t index, int64_t count)
{
    const int64_t begin = pli_part_begin(index, count, range.count),
                  end = pli_part_begin(index + 1, count, range.count);
    return (PliItemRange){range.first + begin, end - begin};
}

/* What is left of a pair, or of a part of one, as further items. */
static PliantResult divide_item(PliQuery *query, int64_t index, int64_t part_count)
{
    PliantWorld *world = query->world;
    const PliQueryItem whole = ((const PliQueryItem *)world->items.items)[index];
    for (int64_t i = 0; i < part_count; i++) {
        PliQueryItem part = {.a = whole.a, .b = whole.b, .is_part = true, .source = whole.worker};
        part.pairs = part_of(whole.left_pairs, i, part_count);
        part.leaf_pairs = part_of(whole.left_leaf_pairs, i, part_count);
        PLI_TRY(push_part(world, index, &part));
    }
    return PLIANT_OK;
}

/* The more workers there are, the sooner others help. */
static int64_t max_work(const PliantWorld *world)
{
    enum { ENOUGH_WORKERS = 4, MAX_WORKERS = 32 };
    const int64_t count = world->crew.count < MAX_WORKERS ? world->crew.count : MAX_WORKERS;
    return count < ENOUGH_WORKERS ? world->max_work : world->max_work * ENOUGH_WORKERS / count;
}

/* Makes the items of some pairs, and their bounds ready for several workers. */
static PliantResult make_items(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    world->items.count = 0;
    for (int64_t i = 0; i < count; i++) {
        const PliQueryItem item = {.a = pairs[i].a, .b = pairs[i].b};
        PLI_TRY(pli_bounds_share(&bodies[item.a].pose.bounds, &world->body_host));
        PLI_TRY(pli_bounds_share(&bodies[item.b].pose.bounds, &world->body_host));
        PLI_TRY(push_item(world, &item));
    }
    for (int32_t i = 0; i < world->crew.count; i++) {
        PliWorldWorker *worker = (PliWorldWorker *)(void *)world->workers[i];
        worker->found.count = 0;
        worker->narrow.approximations = query->approximations;
    }
    /* Of fewer pairs than workers, none is begun by one. */
    query->max_work = count < world->crew.count || world->divides_everything ? 0 : max_work(world);
    atomic_store(&query->found, INT64_MAX);
    return PLIANT_OK;
}

/* Into how many parts each of so many items is divided. */
static int64_t parts_for(const PliantWorld *world, int64_t count)
{
    return MIN_PARTS + (int64_t)PARTS_PER_WORKER * world->crew.count / (count + 1);
}

/* A new round: the items from the first on, by all workers. */
static void test_items(PliQuery *query, int64_t first)
{
    PliantWorld *world = query->world;
    const int64_t count = world->items.count - first;
    Batch batch = {query, first, world->items.count,
                   pli_div_up(count, (int64_t)ITEMS_PER_WORKER * world->crew.count)};
    pli_world_crew_note(world);
    query->round++;
    query->part_count = parts_for(world, count);
    if (query->part_count < MIN_PARTS + world->crew.count)
        query->part_count = MIN_PARTS + world->crew.count;
    for (int32_t i = 0; i < world->crew.count; i++) {
        PliLeft *left = left_by(query, (PliWorldWorker *)(void *)world->workers[i]);
        left->pairs.count = left->leaf_pairs.count = 0;
    }
    if (count > 0)
        pli_worker_divide(&world->first.worker, test_portion, &batch,
                          (int32_t)pli_div_up(count, batch.portion));
}

/* Tests all items, in rounds: those of pairs, and then what is left of the last round. */
static PliantResult test_all_items(PliQuery *query)
{
    const PliArray *items = &query->world->items;
    for (int64_t first = 0, end; (end = items->count) > first; first = end) {
        test_items(query, first);
        query->max_work = max_work(query->world);
        int64_t long_count = 0;
        for (int64_t i = first; i < end; i++)
            long_count += is_long((const PliQueryItem *)items->items + i);
        for (int64_t i = first; i < end; i++)
            if (is_long((const PliQueryItem *)items->items + i))
                PLI_TRY(divide_item(query, i, parts_for(query->world, long_count)));
    }
    return PLIANT_OK;
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
    PliantWorld *world = query->world;
    const PliFans *fans = world->fans.state->topology.fans;
    const int64_t first = world->items.count,
                  wanted = (int64_t)PARTS_PER_WORKER * world->crew.count;
    const PliQueryItem whole = *(const PliQueryItem *)world->items.items;
    pli_divide(&world->host, clear_leaves, &world->fans, fans->leaf_count);
    pli_divide(&world->host, decide_fans, &world->fans, fans->fan_count);
    for (int64_t i = 0; i < wanted; i++) {
        PliQueryItem part = {.a = whole.a, .b = whole.b, .is_part = true, .source = &world->first};
        part.first_fan = (int32_t)pli_part_begin(i, wanted, fans->fan_count);
        part.fan_count = (int32_t)pli_part_begin(i + 1, wanted, fans->fan_count) - part.first_fan;
        PLI_TRY(push_part(world, 0, &part));
    }
    test_items(query, first);
    return PLIANT_OK;
}

/* ---- Which pairs are shared --------------------------------------------------------------------
 */

/* Bodies with a loose box are updated when something comes near. */
static void update_pairs(PliantWorld *world, const PliBroadPair *pairs, int64_t count)
{
    PliBody *bodies = world->bodies.items;
    for (int64_t i = 0; i < count; i++) {
        pli_world_update_body(world, &bodies[pairs[i].a]);
        pli_world_update_body(world, &bodies[pairs[i].b]);
    }
}

static PliantResult collide_shared(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    const bool is_self = pairs[0].a == pairs[0].b;
    PliantResult result = make_items(query, pairs, count);
    world->fans.is_shared = true;
    if (result == PLIANT_OK)
        result = test_all_items(query);
    if (result == PLIANT_OK && is_self && world->fans.state)
        result = test_fans(query);
    if (result == PLIANT_OK)
        result = pli_query_merge(query, count);
    pli_world_crew_note(world);
    for (int64_t i = 0; i < count; i++) {
        pli_bounds_unshare(&bodies[pairs[i].a].pose.bounds);
        pli_bounds_unshare(&bodies[pairs[i].b].pose.bounds);
    }
    return result;
}

static bool has_soup(PliBody *bodies, const PliBroadPair *pairs, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (pli_soup_of(&bodies[pairs[i].a].pose) || pli_soup_of(&bodies[pairs[i].b].pose))
            return true;
    return false;
}

/* May several workers take these pairs, and is there enough to do for them? */
static bool is_worth_sharing(const PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    const PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    int64_t leaves = 0;
    if (pli_worker_crew_count(&world->first.worker) == 1 || count == 0 || query->is_alone)
        return false;
    if (pairs[0].a == pairs[0].b && query->def.kind != PLIANT_ALL_PAIRS)
        return false;
    if ((pli_query_is_any_enough(query) || pli_query_has_limit(query)) &&
        has_soup(bodies, pairs, count))
        return false;
    if (world->divides_everything)
        return true;
    for (int64_t i = 0; i < count && leaves < MIN_LEAVES; i++) {
        const int64_t a = pli_world_leaf_count(&bodies[pairs[i].a]),
                      b = pli_world_leaf_count(&bodies[pairs[i].b]);
        leaves += LEAVES_OF_A_PAIR + (a < b ? a : b);
    }
    return leaves >= MIN_LEAVES;
}

/* ---- Items by one worker -----------------------------------------------------------------------
 */

/* The walk ended since there are more contacts than are wanted: those that it found first are, and
 * one more, which says that there are more. */
static PliantResult cut_short(PliQuery *query, PliQueryItem *item)
{
    PliantWorld *world = query->world;
    const PliBody *bodies = world->bodies.items;
    PliNarrow *narrow = &world->first.narrow;
    const int64_t most = query->def.max_contact_count - query->count;
    item->result = PLIANT_OK;
    item->is_cut_short = query->is_limit_reached = true;
    narrow->contacts.count = most;
    return pli_narrow_sort(narrow, &bodies[item->a].pose, &bodies[item->b].pose);
}

/* Adds the contacts of two bodies, a before b, or of one body alone. */
static PliantResult collide_pair(PliQuery *query, int32_t a, int32_t b)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    PliQueryItem item = {.a = a, .b = b};
    pli_world_update_body(world, &bodies[a]);
    pli_world_update_body(world, &bodies[b]);
    world->first.narrow.approximations = query->approximations;
    query->max_work = ALL_WORK;
    test_item(query, &item, &world->first);
    if (query->is_alone && pli_control_is_exceeded(&world->control))
        PLI_TRY(cut_short(query, &item));
    pli_control_count(&world->control, 1);
    item.contacts = world->first.narrow.contacts.items;
    item.contact_count = world->first.narrow.contacts.count;
    PLI_TRY(pli_query_add(query, &item));
    atomic_store(&world->control.found, query->count); /* once each, also if they are pieces */
    return PLIANT_OK;
}

PliantResult pli_query_pairs(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    PliantWorld *world = query->world;
    int64_t here = 0;
    for (int64_t i = 0; i < count && !pli_query_is_finished(query); i += here) {
        here = count - i < BATCH ? count - i : BATCH;
        if (is_worth_sharing(query, pairs + i, here)) {
            update_pairs(world, pairs + i, here);
            PLI_TRY(collide_shared(query, pairs + i, here));
            continue;
        }
        for (int64_t k = i; k < i + here && !pli_query_is_finished(query); k++)
            PLI_TRY(collide_pair(query, pairs[k].a, pairs[k].b));
    }
    return PLIANT_OK;
}
