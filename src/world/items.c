/* Items of a query: see items.h. */
#include "world/items.h"
#include "base/round.h"
#include "base/tasks.h"
#include "world/crew.h"
#include "world/merge.h"

#include <string.h>

/* ---- One item ----------------------------------------------------------------------------------
 */

/* What items of this round leave. */
static PliLeft *left_by(const PliQuery *query, PliWorldWorker *worker)
{
    return &worker->left[query->round % 2];
}

PliWalkPart pli_item_part(const PliQuery *query, const PliQueryItem *item)
{
    const PliLeft *left = &item->source->left[(query->round + 1) % 2]; /* the round before */
    return (PliWalkPart){
        pli_array_from(&left->pairs, item->pairs.first),
        pli_array_from(query->question->has_ends ? &left->moving_leaf_pairs : &left->leaf_pairs,
                       item->leaf_pairs.first),
        item->pairs.count, item->leaf_pairs.count};
}

PliantResult pli_item_append(PliArray *to, const PliantHost *host, const PliArray *from,
                             PliItemRange *range)
{
    *range = (PliItemRange){to->count, from->count};
    return pli_array_append(to, host, from);
}

PliantResult pli_item_leave(const PliQuery *query, PliQueryItem *item, PliWorldWorker *worker,
                            PliWalk *walk, PliArray *leaf_pairs)
{
    const PliantHost *host = worker->worker.host;
    PliLeft *left = left_by(query, worker);
    if (!pli_walk_is_done(walk))
        PLI_TRY(pli_walk_widen(walk, &worker->worker, query->part_count, leaf_pairs));
    PLI_TRY(pli_item_append(&left->pairs, host, &walk->stack, &item->left_pairs));
    return pli_item_append(query->question->has_ends ? &left->moving_leaf_pairs : &left->leaf_pairs,
                           host, leaf_pairs, &item->left_leaf_pairs);
}

void pli_query_do_item(PliQuery *query, PliQueryItem *item, PliWorldWorker *worker)
{
    PliPoseCounts *counts = worker->worker.counts;
    if (worker->query != query->world->query) {
        worker->query = query->world->query;
        query->question->start(query, worker);
    }
    item->worker = worker;
    item->result = pli_worker_check(&worker->worker);
    if (item->result == PLIANT_OK)
        item->result = query->question->find(query, item, worker);
    memcpy(item->counts, counts, sizeof item->counts);
    memset(counts, 0, sizeof item->counts);
}

/* ---- Items by several workers ------------------------------------------------------------------
 */

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
        pli_query_do_item(query, item, mine);
        pli_control_count(&query->world->control, !item->is_part && !is_long(item));
        int64_t found = atomic_load(&query->found);
        while (query->is_any_enough && item->found.count > 0 && i < found &&
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

/* It follows that item in the list of the parts of their pair. */
PliantResult pli_query_push_part(PliantWorld *world, int64_t index, PliQueryItem *part)
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
        PLI_TRY(pli_query_push_part(world, index, &part));
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

/* Bodies with a loose box are updated when something comes near. */
PliantResult pli_query_prepare(PliQuery *query, int32_t number)
{
    PliantWorld *world = query->world;
    PliBody *body = (PliBody *)world->bodies.items + number;
    pli_world_update_body(world, body);
    if (!query->question->prepare)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&world->prepared, &world->host, world->bodies.count));
    for (; world->prepared.count < world->bodies.count; world->prepared.count++)
        pli_query_prepared(query, (int32_t)world->prepared.count)->query = 0;
    PliPrepared *prepared = pli_query_prepared(query, number);
    if (prepared->query == world->query)
        return PLIANT_OK;
    PLI_TRY(query->question->prepare(query, number, prepared));
    prepared->query = world->query;
    return PLIANT_OK;
}

static PliantResult share_body(PliQuery *query, int32_t number)
{
    PliantWorld *world = query->world;
    PliBody *body = (PliBody *)world->bodies.items + number;
    PLI_TRY(pli_query_prepare(query, number));
    PLI_TRY(pli_bounds_share(&body->pose.bounds, &world->body_host));
    if (query->question->has_ends)
        PLI_TRY(pli_bounds_share(&pli_query_prepared(query, number)->end_pose->bounds,
                                 &world->body_host));
    return PLIANT_OK;
}

/* Makes the items of some pairs, and their bodies ready for several workers. */
static PliantResult make_items(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    PliantWorld *world = query->world;
    world->items.count = 0;
    for (int64_t i = 0; i < count; i++) {
        const PliQueryItem item = {.a = pairs[i].a, .b = pairs[i].b};
        PLI_TRY(share_body(query, item.a));
        PLI_TRY(share_body(query, item.b));
        PLI_TRY(push_item(world, &item));
    }
    for (int32_t i = 0; i < world->crew.count; i++) {
        PliWorldWorker *worker = (PliWorldWorker *)(void *)world->workers[i];
        worker->found.count = worker->features_found.count = 0;
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

/* A new round. */
void pli_query_do_items(PliQuery *query, int64_t first)
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
        left->pairs.count = left->leaf_pairs.count = left->moving_leaf_pairs.count = 0;
    }
    if (count > 0)
        pli_worker_divide(&world->first.worker, test_portion, &batch,
                          (int32_t)pli_div_up(count, batch.portion));
}

/* Makes pairs the first items of the world, and does all of them, in rounds: then what is left of
 * the last round. Parts that long ones were divided into follow. */
static PliantResult share(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    const PliArray *items = &query->world->items;
    PLI_TRY(make_items(query, pairs, count));
    for (int64_t first = 0, end; (end = items->count) > first; first = end) {
        pli_query_do_items(query, first);
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

static void unshare_body(const PliQuery *query, int32_t number)
{
    PliBody *body = (PliBody *)query->world->bodies.items + number;
    pli_bounds_unshare(&body->pose.bounds);
    if (query->question->has_ends && number < query->world->prepared.count &&
        pli_query_prepared(query, number)->query == query->world->query)
        pli_bounds_unshare(&pli_query_prepared(query, number)->end_pose->bounds);
}

/* Then, whether it has failed or not. */
static void unshare(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    pli_world_crew_note(query->world);
    for (int64_t i = 0; i < count; i++) {
        unshare_body(query, pairs[i].a);
        unshare_body(query, pairs[i].b);
    }
}

bool pli_query_has_soup(const PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    PliBody *bodies = query->world->bodies.items;
    for (int64_t i = 0; i < count; i++)
        if (pli_soup_of(&bodies[pairs[i].a].pose) || pli_soup_of(&bodies[pairs[i].b].pose))
            return true;
    return false;
}

/* Is there enough to do in these pairs for several workers? They have to be there. */
static bool is_worth_sharing(const PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    const PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    int64_t leaves = 0;
    if (pli_worker_crew_count(&world->first.worker) == 1 || count == 0)
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

static PliantResult do_shared(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    query->is_shared = true;
    PliantResult result = share(query, pairs, count);
    if (result == PLIANT_OK && query->question->end_share)
        result = query->question->end_share(query);
    if (result == PLIANT_OK)
        result = pli_query_merge(query, count);
    unshare(query, pairs, count);
    query->is_shared = false;
    return result;
}

PliantResult pli_query_do_pairs(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    enum { BATCH = 1 << 14 }; /* in memory as items at a time */
    const PliQuestion *question = query->question;
    for (int64_t i = 0, here; i < count && !query->is_over; i += here) {
        here = count - i < BATCH ? count - i : BATCH;
        if (question->may_share(query, pairs + i, here) &&
            is_worth_sharing(query, pairs + i, here)) {
            PLI_TRY(do_shared(query, pairs + i, here));
            continue;
        }
        for (int64_t k = i; k < i + here && !query->is_over; k++)
            PLI_TRY(question->do_alone(query, pairs[k].a, pairs[k].b));
    }
    return PLIANT_OK;
}
