/* Pairs of bodies on their way to contacts: see items.h. */
#include "world/items.h"
#include "base/round.h"
#include "base/tasks.h"

#include <string.h>

static bool has_limit(const PliQuery *query)
{
    return query->def.max_contact_count > 0;
}

static bool is_any_enough(const PliQuery *query)
{
    return query->def.kind == PLIANT_ANY_PAIR;
}

/* Is nothing more wanted? */
static bool is_finished(const PliQuery *query)
{
    return query->is_limit_reached || (is_any_enough(query) && query->count > 0);
}

/* PliNarrow.progress. The host is asked by one worker at a time. */
static bool go_on(void *user)
{
    PliQuery *query = user;
    if (atomic_load_explicit(&query->is_cancelled, memory_order_relaxed))
        return false;
    if (atomic_flag_test_and_set(&query->is_asking))
        return true;
    const bool goes_on =
        query->def.progress(query->def.user, atomic_load(&query->done), query->total);
    if (!goes_on)
        atomic_store(&query->is_cancelled, true);
    atomic_flag_clear(&query->is_asking);
    return goes_on;
}

static void prepare(PliNarrow *narrow, PliQuery *query)
{
    narrow->approximations = query->def.approximations;
    narrow->progress = query->def.progress ? go_on : NULL;
    narrow->progress_user = query;
}

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

static void add_work(PliantStats *stats, const PliantStats *work)
{
    stats->node_pairs += work->node_pairs;
    stats->bound_tests += work->bound_tests;
    stats->plane_tests += work->plane_tests;
    stats->leaf_pairs += work->leaf_pairs;
    stats->triangle_tests += work->triangle_tests;
    stats->undecided += work->undecided;
    stats->exact_fallbacks += work->exact_fallbacks;
}

/* ---- One item ----------------------------------------------------------------------------------
 */

/* Its contacts are in the narrow phase of the worker until the next one. */
static PliantResult find_contacts(const PliQuery *query, const PliQueryItem *item,
                                  PliWorldWorker *worker)
{
    const PliantWorld *world = query->world;
    PliBody *a = (PliBody *)world->bodies.items + item->a,
            *b = (PliBody *)world->bodies.items + item->b;
    const bool is_one_enough = query->def.kind != PLIANT_ALL_PAIRS;
    if (a == b)
        return pli_narrow_find_self(&worker->narrow, &a->pose, &a->fan_state, is_one_enough);
    if (is_one_enough)
        return pli_narrow_find(&worker->narrow, &a->pose, &b->pose, true);
    if (!item->is_part)
        return pli_narrow_find_some(&worker->narrow, &a->pose, &b->pose, query->max_leaf_pairs);
    const PliNarrowPart part = {
        (const PliTreePartPair *)world->part_pairs.items + item->first_part_pair,
        (const PliLeafPair *)world->leaf_pairs.items + item->first_leaf_pair, item->part_pair_count,
        item->leaf_pair_count};
    return pli_narrow_find_part(&worker->narrow, &a->pose, &b->pose, &part, query->max_leaf_pairs);
}

static void test_item(PliQuery *query, PliQueryItem *item, PliWorldWorker *worker)
{
    PliPoseCounts *counts = worker->worker.counts;
    pli_world_worker_start(query->world, worker);
    const PliantStats before = counted(&worker->narrow);
    item->result = query->def.progress && !go_on(query) ? PLIANT_CANCELLED
                                                        : find_contacts(query, item, worker);
    const PliantStats after = counted(&worker->narrow);
    item->work = work_between(&before, &after);
    memcpy(item->counts, counts, sizeof item->counts);
    memset(counts, 0, sizeof item->counts);
    item->count = item->result == PLIANT_OK ? worker->narrow.contacts.count : 0;
    if (item->result == PLIANT_OK && query->def.kind == PLIANT_ALL_PAIRS)
        item->left_count = worker->narrow.walk.stack.count;
    const bool is_done = !item->is_part && item->left_count == 0;
    atomic_fetch_add_explicit(&query->done, is_done, memory_order_relaxed);
}

/* ---- Merging -----------------------------------------------------------------------------------
 */

/* Appends the contacts of two bodies, as far as the limit goes. */
static PliantResult add_contacts(PliQuery *query, int32_t a, int32_t b, const uint64_t *contacts,
                                 int64_t count)
{
    const PliantWorld *world = query->world;
    if (has_limit(query) && count > query->def.max_contact_count - query->count) {
        count = query->def.max_contact_count - query->count;
        query->is_limit_reached = true;
    }
    query->count += count;
    if (query->def.count_only)
        return PLIANT_OK;
    void *room;
    PLI_TRY(pli_array_push(query->contacts, &world->host, count, &room));
    const PliantBody handle_a = pli_world_handle(world, a), handle_b = pli_world_handle(world, b);
    for (int64_t i = 0; i < count; i++)
        ((PliantContact *)room)[i] =
            (PliantContact){handle_a, handle_b, (int32_t)(contacts[i] >> 32), (int32_t)contacts[i]};
    return PLIANT_OK;
}

/* Adds what was counted for an item to its bodies and to the world. */
static void count_item(PliantWorld *world, const PliQueryItem *item)
{
    PliBody *bodies = world->bodies.items;
    PliBody *a = &bodies[item->a], *b = &bodies[item->b];
    pli_world_add_counts(world, a, &item->counts[PLI_SIDE_A]);
    pli_world_add_counts(world, b, &item->counts[PLI_SIDE_B]);
    add_work(&a->stats, &item->work);
    if (a != b)
        add_work(&b->stats, &item->work);
    add_work(&world->stats, &item->work);
}

/* The contacts of two bodies are known: adds them to the answer. Pairs of bodies that are left at
 * the limit may have contacts: then it was reached. */
static PliantResult finish_pair(PliQuery *query, const PliQueryItem *item, const uint64_t *contacts,
                                int64_t count)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    PliBody *a = &bodies[item->a], *b = &bodies[item->b];
    PliantStats *const all[] = {&a->stats, &world->stats, a != b ? &b->stats : NULL};
    for (int i = 0; i < 3 && (i < 2 || all[i]); i++) {
        all[i]->body_pairs++;
        all[i]->contacts += count;
    }
    if (count > 0)
        PLI_TRY(add_contacts(query, item->a, item->b, contacts, count));
    query->merged++;
    query->is_limit_reached |= has_limit(query) && query->count == query->def.max_contact_count &&
                               query->merged < query->total;
    return PLIANT_OK;
}

static void copy_contacts(const PliQueryItem *item, uint64_t *to)
{
    if (item->count > 0)
        memcpy(to, (const uint64_t *)item->worker->found.items + item->first,
               (size_t)item->count * sizeof *to);
}

/* The contacts of a pair that was divided, in order. */
static PliantResult merge_parts(PliantWorld *world, const PliQueryItem *item, int64_t *count)
{
    const PliBody *bodies = world->bodies.items;
    const PliQueryItem *items = world->items.items;
    int64_t total = item->count, at = item->count;
    for (int64_t i = item->next; i > 0; i = items[i].next)
        total += items[i].count;
    PLI_TRY(pli_array_reserve(&world->merged, &world->host, 2 * total));
    uint64_t *merged = world->merged.items;
    copy_contacts(item, merged);
    for (int64_t i = item->next; i > 0; i = items[i].next) {
        copy_contacts(&items[i], merged + at);
        at += items[i].count;
    }
    *count = pli_narrow_merge(merged, merged + total, total, &bodies[item->a].pose,
                              &bodies[item->b].pose);
    return PLIANT_OK;
}

/* Merges the items of pairs in canonical order, until nothing more is wanted or one has failed. */
static PliantResult merge_items(PliQuery *query, int64_t pair_count)
{
    PliantWorld *world = query->world;
    const PliQueryItem *items = world->items.items;
    for (int64_t i = 0; i < pair_count && !is_finished(query); i++) {
        const PliQueryItem *item = &items[i];
        PLI_TRY(item->result);
        count_item(world, item);
        for (int64_t k = item->next; k > 0; k = items[k].next) {
            PLI_TRY(items[k].result);
            count_item(world, &items[k]);
        }
        int64_t count = item->count;
        const uint64_t *contacts = NULL;
        if (item->next > 0) {
            PLI_TRY(merge_parts(world, item, &count));
            contacts = world->merged.items;
        } else if (count > 0)
            contacts = (const uint64_t *)item->worker->found.items + item->first;
        PLI_TRY(finish_pair(query, item, contacts, count));
    }
    return PLIANT_OK;
}

/* ---- Items by several workers ------------------------------------------------------------------
 */

/* Pairs that are in memory as items at a time. */
enum { BATCH = 1 << 14 };

/* Less than this, in leaves of the smaller body of each pair, is not handed out: several workers
 * take longer to begin than one to end. */
enum { MIN_LEAVES = 2048, LEAVES_OF_A_PAIR = 16 };

/* A pair that takes long (PliantWorld.max_leaf_pairs) is divided into so many parts, and so many
 * for each worker if there is no other. */
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

/* Takes what was found from the narrow phase, and what is left to walk. */
static PliantResult keep_item(PliQueryItem *item, PliWorldWorker *worker)
{
    const PliantHost *host = worker->worker.host;
    item->worker = worker;
    item->first = worker->found.count;
    item->first_left = worker->left.count;
    PLI_TRY(item->result);
    if (item->left_count > 0)
        PLI_TRY(pli_array_append(&worker->left, host, &worker->narrow.walk.stack));
    return pli_array_append(&worker->found, host, &worker->narrow.contacts);
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
        item->result = keep_item(item, mine);
        int64_t found = atomic_load(&query->found);
        while (is_any_enough(query) && item->count > 0 && i < found &&
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
    if (part->part_pair_count + part->leaf_pair_count == 0)
        return PLIANT_OK;
    part->next = ((const PliQueryItem *)world->items.items)[index].next;
    PLI_TRY(push_item(world, part));
    ((PliQueryItem *)world->items.items)[index].next = fresh;
    return PLIANT_OK;
}

/* Divides what is left of a pair, or of a part of one, into further items. */
static PliantResult divide_item(PliQuery *query, int64_t index, int64_t wanted)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    PliNarrow *narrow = &world->first.narrow;
    const PliQueryItem whole = ((const PliQueryItem *)world->items.items)[index];
    const PliantStats before = counted(narrow);
    PLI_TRY(pli_narrow_divide(narrow, &bodies[whole.a].pose, &bodies[whole.b].pose,
                              (const PliTreePartPair *)whole.worker->left.items + whole.first_left,
                              whole.left_count, wanted, &world->level));
    const PliantStats after = counted(narrow);
    const int64_t part_pairs = world->part_pairs.count, leaf_pairs = world->leaf_pairs.count;
    const int64_t part_count = narrow->walk.stack.count, leaf_count = narrow->leaf_pairs.count;
    PLI_TRY(pli_array_append(&world->part_pairs, &world->host, &narrow->walk.stack));
    PLI_TRY(pli_array_append(&world->leaf_pairs, &world->host, &narrow->leaf_pairs));
    for (int64_t i = 0; i < wanted; i++) {
        PliQueryItem part = {.a = whole.a, .b = whole.b, .is_part = true};
        part.first_part_pair = part_pairs + pli_part_begin(i, wanted, part_count);
        part.part_pair_count =
            part_pairs + pli_part_begin(i + 1, wanted, part_count) - part.first_part_pair;
        part.first_leaf_pair = leaf_pairs + pli_part_begin(i, wanted, leaf_count);
        part.leaf_pair_count =
            leaf_pairs + pli_part_begin(i + 1, wanted, leaf_count) - part.first_leaf_pair;
        PLI_TRY(push_part(world, index, &part));
    }
    PliQueryItem divided = {.a = whole.a, .b = whole.b, .work = work_between(&before, &after)};
    memcpy(divided.counts, world->first.worker.counts, sizeof divided.counts);
    memset(world->first.worker.counts, 0, sizeof divided.counts);
    count_item(world, &divided);
    return PLIANT_OK;
}

/* Makes the items of some pairs, and their bounds ready for several workers. */
static PliantResult make_items(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    world->items.count = world->part_pairs.count = world->leaf_pairs.count = 0;
    for (int64_t i = 0; i < count; i++) {
        const PliQueryItem item = {.a = pairs[i].a, .b = pairs[i].b};
        PLI_TRY(pli_bounds_share(&bodies[item.a].pose.bounds, &world->host));
        PLI_TRY(pli_bounds_share(&bodies[item.b].pose.bounds, &world->host));
        PLI_TRY(push_item(world, &item));
    }
    for (int32_t i = 0; i < world->crew.count; i++) {
        PliWorldWorker *worker = (PliWorldWorker *)(void *)world->workers[i];
        worker->found.count = worker->left.count = 0;
        prepare(&worker->narrow, query);
    }
    /* Of fewer pairs than workers, none is begun by one. */
    query->max_leaf_pairs =
        count < world->crew.count || world->divides_everything ? 0 : world->max_leaf_pairs;
    atomic_store(&query->found, INT64_MAX);
    return PLIANT_OK;
}

/* The items from the first on, by all workers. */
static void test_items(PliQuery *query, int64_t first)
{
    PliantWorld *world = query->world;
    const int64_t count = world->items.count - first;
    Batch batch = {query, first, world->items.count,
                   pli_div_up(count, (int64_t)ITEMS_PER_WORKER * world->crew.count)};
    if (count > 0)
        pli_worker_divide(&world->first.worker, test_portion, &batch,
                          (int32_t)pli_div_up(count, batch.portion));
}

static bool is_long(const PliQueryItem *item)
{
    return item->result == PLIANT_OK && item->left_count > 0;
}

/* Divides what is left of the items from the first on. */
static PliantResult divide_long_items(PliQuery *query, int64_t first)
{
    PliantWorld *world = query->world;
    const PliQueryItem *items = world->items.items;
    const int64_t end = world->items.count, all = (int64_t)PARTS_PER_WORKER * world->crew.count;
    int64_t long_count = 0;
    for (int64_t i = first; i < end; i++)
        long_count += is_long(&items[i]);
    for (int64_t i = first; i < end; i++)
        if (is_long((const PliQueryItem *)world->items.items + i))
            PLI_TRY(divide_item(query, i, MIN_PARTS + all / (long_count + 1)));
    return PLIANT_OK;
}

/* Tests all items, in rounds: those of pairs, and then what is left of the last round. */
static PliantResult test_all_items(PliQuery *query)
{
    const PliArray *items = &query->world->items;
    for (int64_t first = 0, end; (end = items->count) > first; first = end) {
        test_items(query, first);
        query->max_leaf_pairs = query->world->max_leaf_pairs;
        PLI_TRY(divide_long_items(query, first));
    }
    return PLIANT_OK;
}

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
    PliantResult result = make_items(query, pairs, count);
    if (result == PLIANT_OK)
        result = test_all_items(query);
    if (result == PLIANT_OK)
        result = merge_items(query, count);
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
    if (pli_worker_crew_count(&world->first.worker) == 1 || count == 0)
        return false;
    if ((is_any_enough(query) || has_limit(query)) && has_soup(bodies, pairs, count))
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

PliantResult pli_query_bodies(PliQuery *query, int32_t a, int32_t b)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    PliQueryItem item = {.a = a, .b = b};
    pli_world_update_body(world, &bodies[a]);
    pli_world_update_body(world, &bodies[b]);
    prepare(&world->first.narrow, query);
    query->max_leaf_pairs = INT64_MAX / 2;
    test_item(query, &item, &world->first);
    count_item(world, &item);
    PLI_TRY(item.result);
    return finish_pair(query, &item, world->first.narrow.contacts.items, item.count);
}

PliantResult pli_query_pairs(PliQuery *query, const PliBroadPair *pairs, int64_t count)
{
    PliantWorld *world = query->world;
    int64_t here = 0;
    for (int64_t i = 0; i < count && !is_finished(query); i += here) {
        here = count - i < BATCH ? count - i : BATCH;
        if (is_worth_sharing(query, pairs + i, here)) {
            update_pairs(world, pairs + i, here);
            PLI_TRY(collide_shared(query, pairs + i, here));
            continue;
        }
        for (int64_t k = i; k < i + here && !is_finished(query); k++)
            PLI_TRY(pli_query_bodies(query, pairs[k].a, pairs[k].b));
    }
    return PLIANT_OK;
}

void pli_query_end(const PliQuery *query)
{
    PliantWorld *world = query->world;
    world->first.narrow.progress = NULL;
    for (int32_t i = 1; world->others && i < world->crew.count; i++)
        world->others[i - 1].narrow.progress = NULL;
}
