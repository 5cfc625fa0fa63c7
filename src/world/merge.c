/* From items to answers: see merge.h. */
#include "world/merge.h"
#include "base/tasks.h"

/* Fewer answers are put in order, or written, by one worker, and fewer parts of pairs gathered. */
enum { MIN_DIVIDED = 4096, MIN_DIVIDED_PARTS = 128 };

/* ---- Statistics -------------------------------------------------------------------------------
 */

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

/* Adds what was counted for an item to its bodies and to the world. */
static void count_item(PliantWorld *world, const PliQueryItem *item)
{
    PliBody *bodies = world->bodies.items;
    PliBody *a = &bodies[item->a], *b = &bodies[item->b];
    pli_world_add_counts(world, a, &item->counts[PLI_SIDE_A]);
    pli_world_add_counts(world, b, &item->counts[PLI_SIDE_B]);
    add_work(pli_world_stats_of(world, a), &item->work);
    if (a != b)
        add_work(pli_world_stats_of(world, b), &item->work);
    add_work(&world->stats, &item->work);
}

/* ---- Pairs that were divided -------------------------------------------------------------------
 */

/* What came of a pair and all of its parts, and what they took. */
static void gather_parts(const PliQueryItem *items, PliQueryItem *item)
{
    item->answer_count = item->found.count;
    for (int64_t i = item->next; i > 0; i = items[i].next) {
        item->result = item->result == PLIANT_OK ? items[i].result : item->result;
        item->answer_count += items[i].found.count;
        add_work(&item->work, &items[i].work);
        for (int side = 0; side < 2; side++)
            pli_pose_counts_add(&item->counts[side], &items[i].counts[side]);
    }
}

/* PliPartTask: some pairs. */
static void gather_some(void *data, const PliPart *part)
{
    PliQueryItem *items = ((const PliQuery *)data)->world->items.items;
    for (int64_t i = part->begin; i < part->end; i++)
        gather_parts(items, &items[i]);
}

/* PliPartTask: some pairs. Until they get a place, first_answer is where their room begins. */
static void order_some(void *data, const PliPart *part)
{
    const PliQuery *query = data;
    PliQueryItem *items = query->world->items.items;
    for (int64_t i = part->begin; i < part->end; i++) {
        PliQueryItem *item = &items[i];
        if (item->result == PLIANT_OK && item->answer_count > 0 && item->next > 0)
            query->question->order(query, item, pli_array_from(query->room, item->first_answer));
    }
}

/* Into how many parts so many things are divided. */
static int32_t part_count(const PliantWorld *world, int64_t count, bool are_many)
{
    return are_many || world->divides_everything ? pli_part_count(&world->host, count) : 1;
}

/* Puts the answers of each pair in order. */
static PliantResult order_pairs(PliQuery *query, int64_t pair_count)
{
    PliantWorld *world = query->world;
    PliQueryItem *items = world->items.items;
    const bool are_many = world->items.count - pair_count >= MIN_DIVIDED_PARTS;
    int64_t total = 0;
    pli_parts_run(&world->host, gather_some, query, pair_count,
                  part_count(world, pair_count, are_many));
    for (int64_t i = 0; i < pair_count; i++) {
        items[i].first_answer = total;
        total += items[i].next > 0 ? 2 * items[i].answer_count : 0;
    }
    if (total == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(query->room, &world->host, total));
    pli_parts_run(&world->host, order_some, query, pair_count,
                  part_count(world, pair_count, total >= MIN_DIVIDED));
    return PLIANT_OK;
}

/* ---- The answer -------------------------------------------------------------------------------
 */

/* Gives a pair its place in the answer. */
static PliantResult place(PliQuery *query, PliQueryItem *item)
{
    PLI_TRY(item->result);
    count_item(query->world, item);
    PLI_TRY(query->question->place(query, item));
    item->first_answer = query->answer_count;
    query->answer_count += item->answer_count;
    return PLIANT_OK;
}

/* Makes room for the answers that have a place. */
static PliantResult make_room(const PliQuery *query)
{
    PLI_TRY(pli_array_reserve(query->answers, &query->world->host, query->answer_count));
    query->answers->count = query->answer_count;
    return PLIANT_OK;
}

PliantResult pli_query_add(PliQuery *query, PliQueryItem *item)
{
    PLI_TRY(place(query, item));
    if (!query->answers || item->answer_count == 0)
        return PLIANT_OK;
    PLI_TRY(make_room(query));
    query->question->write(query, item, 0, item->answer_count,
                           pli_array_from(query->answers, item->first_answer));
    return PLIANT_OK;
}

/* Pairs that have a place in the answer, to be written. */
typedef struct Writing {
    const PliQuery *query;
    int64_t pair_count, first; /* answer */
} Writing;

/* The last of some pairs whose answers do not begin after `answer`. */
static int64_t pair_at(const PliQueryItem *items, int64_t count, int64_t answer)
{
    int64_t low = 0;
    for (int64_t high = count; high - low > 1;) {
        const int64_t middle = low + (high - low) / 2;
        if (items[middle].first_answer <= answer)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* PliPartTask: some answers. */
static void write_some(void *data, const PliPart *part)
{
    const Writing *writing = data;
    const PliQuery *query = writing->query;
    const PliQueryItem *items = query->world->items.items;
    const int64_t begin = writing->first + part->begin, end = writing->first + part->end;
    for (int64_t i = pair_at(items, writing->pair_count, begin);
         i < writing->pair_count && items[i].first_answer < end; i++) {
        const int64_t first = items[i].first_answer, last = first + items[i].answer_count,
                      from = begin > first ? begin : first, to = end < last ? end : last;
        if (from < to)
            query->question->write(query, &items[i], from - first, to - from,
                                   pli_array_from(query->answers, from));
    }
}

PliantResult pli_query_merge(PliQuery *query, int64_t pair_count)
{
    const PliantWorld *world = query->world;
    PliQueryItem *items = world->items.items;
    Writing writing = {.query = query, .first = query->answer_count};
    PLI_TRY(order_pairs(query, pair_count));
    for (int64_t i = 0; i < pair_count && !query->is_over; i++) {
        PLI_TRY(place(query, &items[i]));
        writing.pair_count++;
    }
    const int64_t total = query->answer_count - writing.first;
    if (!query->answers || total == 0)
        return PLIANT_OK;
    PLI_TRY(make_room(query));
    pli_parts_run(&world->host, write_some, &writing, total,
                  part_count(world, total, total >= MIN_DIVIDED));
    return PLIANT_OK;
}
