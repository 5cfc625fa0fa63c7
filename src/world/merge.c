/* From items to contacts: see merge.h. */
#include "world/merge.h"
#include "base/tasks.h"

#include <string.h>

/* Fewer contacts are merged, or written, by one worker, and fewer parts of pairs gathered. */
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

static void count_pair(PliantWorld *world, const PliQueryItem *item)
{
    PliBody *bodies = world->bodies.items;
    PliBody *a = &bodies[item->a], *b = &bodies[item->b];
    PliantStats *const all[] = {pli_world_stats_of(world, a), &world->stats,
                                a != b ? pli_world_stats_of(world, b) : NULL};
    for (int i = 0; i < 3 && (i < 2 || all[i]); i++) {
        all[i]->body_pairs++;
        all[i]->contacts += item->contact_count;
    }
}

/* ---- Pairs that were divided -------------------------------------------------------------------
 */

/* What came of a pair and all of its parts, and what they took. */
static void gather_parts(const PliQueryItem *items, PliQueryItem *item)
{
    item->contact_count = item->found.count;
    for (int64_t i = item->next; i > 0; i = items[i].next) {
        item->result = item->result == PLIANT_OK ? items[i].result : item->result;
        item->contact_count += items[i].found.count;
        add_work(&item->work, &items[i].work);
        for (int side = 0; side < 2; side++)
            pli_pose_counts_add(&item->counts[side], &items[i].counts[side]);
    }
}

/* PliPartTask: some pairs. */
static void gather_some(void *data, const PliPart *part)
{
    PliQueryItem *items = ((const PliantWorld *)data)->items.items;
    for (int64_t i = part->begin; i < part->end; i++)
        gather_parts(items, &items[i]);
}

static const uint64_t *found_by(const PliQueryItem *item)
{
    return (const uint64_t *)item->worker->found.items + item->found.first;
}

/* The contacts of a pair and its parts, in order, with scratch for as many behind them. */
static void merge_parts(const PliantWorld *world, PliQueryItem *item, uint64_t *merged)
{
    const PliBody *bodies = world->bodies.items;
    const PliQueryItem *items = world->items.items, *part = item;
    uint64_t *end = merged;
    for (;; part = &items[part->next]) {
        if (part->found.count > 0)
            memcpy(end, found_by(part), (size_t)part->found.count * sizeof *end);
        end += part->found.count;
        if (part->next == 0)
            break;
    }
    item->contacts = merged;
    item->contact_count =
        pli_narrow_merge(merged, end, end - merged, &bodies[item->a].pose, &bodies[item->b].pose);
}

/* PliPartTask: some pairs. Those that were divided have their place in first_contact until now. */
static void merge_some(void *data, const PliPart *part)
{
    const PliantWorld *world = data;
    PliQueryItem *items = world->items.items;
    for (int64_t i = part->begin; i < part->end; i++) {
        PliQueryItem *item = &items[i];
        if (item->result != PLIANT_OK || item->contact_count == 0)
            continue;
        if (item->next > 0)
            merge_parts(world, item, (uint64_t *)world->merged.items + item->first_contact);
        else
            item->contacts = found_by(item);
    }
}

/* Makes the contacts of each pair out of those of its parts. */
static PliantResult merge_pairs(PliantWorld *world, int64_t pair_count)
{
    PliQueryItem *items = world->items.items;
    const int32_t most = pli_part_count(&world->host, pair_count);
    const bool are_many = world->items.count - pair_count >= MIN_DIVIDED_PARTS;
    int64_t total = 0;
    pli_parts_run(&world->host, gather_some, world, pair_count,
                  are_many || world->divides_everything ? most : 1);
    for (int64_t i = 0; i < pair_count; i++) {
        items[i].first_contact = total;
        total += items[i].next > 0 ? 2 * items[i].contact_count : 0;
    }
    PLI_TRY(pli_array_reserve(&world->merged, &world->host, total));
    pli_parts_run(&world->host, merge_some, world, pair_count,
                  total >= MIN_DIVIDED || world->divides_everything ? most : 1);
    return PLIANT_OK;
}

/* ---- The answer -------------------------------------------------------------------------------
 */

/* The contacts of a pair are known: as many as are wanted get a place in the answer. Pairs of
 * bodies that come after the limit may have contacts: then it was reached. */
static PliantResult place_pair(PliCollide *query, PliQueryItem *item)
{
    PliantWorld *world = query->base.world;
    count_pair(world, item);
    if (item->a == item->b && query->def.kind == PLIANT_ALL_PAIRS && !item->is_cut_short)
        PLI_TRY(pli_fan_state_keep(&world->fans, item->contacts, item->contact_count,
                                   &world->body_host));
    const int64_t most = query->def.max_contact_count - query->count;
    if (pli_collide_has_limit(query) && item->contact_count > most) {
        item->contact_count = most;
        query->is_limit_reached = true;
    }
    item->first_contact = query->count;
    query->count += item->contact_count;
    return PLIANT_OK;
}

/* Contacts `begin` to `end` - 1 of the answer, as far as they are those of this pair. */
static void write_pair(const PliCollide *query, const PliQueryItem *item, int64_t begin,
                       int64_t end)
{
    const PliantWorld *world = query->base.world;
    const PliantBody a = pli_world_handle(world, item->a), b = pli_world_handle(world, item->b);
    const int64_t first = item->first_contact, last = first + item->contact_count;
    PliantContact *to = query->contacts->items;
    for (int64_t i = begin > first ? begin : first; i < end && i < last; i++) {
        const uint64_t contact = item->contacts[i - first];
        to[i] = (PliantContact){a, b, (int32_t)(contact >> 32), (int32_t)contact};
    }
}

/* Makes room for the contacts that have a place. */
static PliantResult make_room(const PliCollide *query)
{
    PLI_TRY(pli_array_reserve(query->contacts, &query->base.world->host, query->count));
    query->contacts->count = query->count;
    return PLIANT_OK;
}

PliantResult pli_collide_add(PliCollide *query, PliQueryItem *item)
{
    count_item(query->base.world, item);
    PLI_TRY(item->result);
    PLI_TRY(place_pair(query, item));
    if (query->def.count_only || item->contact_count == 0)
        return PLIANT_OK;
    PLI_TRY(make_room(query));
    write_pair(query, item, item->first_contact, query->count);
    return PLIANT_OK;
}

/* Pairs that have a place in the answer, to be written. */
typedef struct Writing {
    const PliCollide *query;
    int64_t pair_count, first; /* contact */
} Writing;

/* The last of some pairs whose contacts do not begin after `contact`. */
static int64_t pair_at(const PliQueryItem *items, int64_t count, int64_t contact)
{
    int64_t low = 0;
    for (int64_t high = count; high - low > 1;) {
        const int64_t middle = low + (high - low) / 2;
        if (items[middle].first_contact <= contact)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* PliPartTask: some contacts. */
static void write_some(void *data, const PliPart *part)
{
    const Writing *writing = data;
    const PliQueryItem *items = writing->query->base.world->items.items;
    const int64_t begin = writing->first + part->begin, end = writing->first + part->end;
    for (int64_t i = pair_at(items, writing->pair_count, begin);
         i < writing->pair_count && items[i].first_contact < end; i++)
        write_pair(writing->query, &items[i], begin, end);
}

PliantResult pli_collide_merge(PliCollide *query, int64_t pair_count)
{
    PliantWorld *world = query->base.world;
    PliQueryItem *items = world->items.items;
    Writing writing = {.query = query, .first = query->count};
    PLI_TRY(merge_pairs(world, pair_count));
    for (int64_t i = 0; i < pair_count && !pli_collide_is_finished(query); i++) {
        PLI_TRY(items[i].result);
        count_item(world, &items[i]);
        PLI_TRY(place_pair(query, &items[i]));
        writing.pair_count++;
    }
    const int64_t total = query->count - writing.first;
    if (query->def.count_only || total == 0)
        return PLIANT_OK;
    PLI_TRY(make_room(query));
    const bool is_divided = total >= MIN_DIVIDED || world->divides_everything;
    pli_parts_run(&world->host, write_some, &writing, total,
                  is_divided ? pli_part_count(&world->host, total) : 1);
    return PLIANT_OK;
}
