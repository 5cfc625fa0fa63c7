/* Queries for pairs of features: see feature_query.h. */
#include "world/feature_query.h"
#include "base/sort.h"
#include "base/tasks.h"
#include "query/unique.h"
#include "world/crew.h"

#include <string.h>

static char *answer_at(const PliArray *answers, int64_t i)
{
    return (char *)answers->items + (size_t)i * PLI_FOUND_SIZE;
}

/* ---- Two bodies --------------------------------------------------------------------------------
 */

static PliFeatureSearch *search_of(const PliFeatureQuery *query, PliWorldWorker *worker)
{
    return (PliFeatureSearch *)(void *)((char *)worker + query->search);
}

static PliFeatureSide side_of(const PliFeatureQuery *query, int32_t number)
{
    const PliPrepared *prepared = pli_query_prepared(&query->base, number);
    PliBody *body = (PliBody *)query->base.world->bodies.items + number;
    const float start = pli_pose_error(&body->pose), end = pli_pose_error(prepared->end_pose);
    return (PliFeatureSide){{&body->pose, prepared->end_pose},
                            prepared->features,
                            &body->radii,
                            start > end ? start : end};
}

/* Before a search of two bodies. Of all that is searched the first impact alone may be wanted. */
static void start_search(PliFeatureQuery *query, PliFeatureSearch *search, int32_t a, int32_t b)
{
    search->found.bodies[0] = pli_world_handle(query->base.world, a);
    search->found.bodies[1] = pli_world_handle(query->base.world, b);
    search->exclusions = pli_exclusions_find(&query->base.world->exclusions, a, b);
    search->until = query->max_time;
    search->first_time = query->is_one_wanted ? &query->first_time : NULL;
    pli_feature_search_share_time(search);
}

/* How much of an item a worker does before others help. For the first impact of each two bodies one
 * worker goes on: it finds where to stop. */
static int64_t max_work_of(const PliFeatureQuery *query)
{
    const bool is_each_wanted = query->is_first_wanted && !query->is_one_wanted;
    return is_each_wanted ? PLI_ALL_WORK : query->base.max_work;
}

PliantResult pli_feature_query_find(PliQuery *base, PliQueryItem *item, PliWorldWorker *worker)
{
    PliFeatureQuery *query = (PliFeatureQuery *)base;
    PliFeatureSearch *search = search_of(query, worker);
    PliArray *found = &worker->features_found;
    const PliFeatureSide a = side_of(query, item->a), b = side_of(query, item->b);
    const PliWalkPart part = item->is_part ? pli_item_part(base, item) : (PliWalkPart){0};
    item->found.first = found->count;
    start_search(query, search, item->a, item->b);
    PLI_TRY(pli_feature_search_find(search, &a, &b, item->is_part ? &part : NULL,
                                    max_work_of(query), found));
    item->found.count = found->count - item->found.first;
    return pli_item_leave(base, item, worker, &search->walk, &search->leaf_pairs);
}

/* ---- One worker alone -------------------------------------------------------------------------
 */

/* Appends the answers of two bodies, from what is kept if that can be. */
static PliantResult find_kept(PliFeatureQuery *query, const PliFeatureSide *a,
                              const PliFeatureSide *b, int32_t a_number, int32_t b_number)
{
    PliantWorld *world = query->base.world;
    PliBody *bodies = world->bodies.items;
    PliKeptSide sides[2];
    PLI_TRY(pli_world_motions(world, &bodies[a_number], a->pose, &sides[0]));
    PLI_TRY(pli_world_motions(world, &bodies[b_number], b->pose, &sides[1]));
    return query->find_kept(query, a, b, sides);
}

/* Appends the answers of two bodies up to the limit. The search keeps the limit, unless the first
 * answer of each two bodies is wanted: that of the last two may be one too many. */
static PliantResult find_some(PliFeatureQuery *query, PliFeatureSearch *search,
                              const PliFeatureSide *a, const PliFeatureSide *b)
{
    PliArray *answers = query->base.answers;
    const bool is_limited = query->limit > 0 && !query->is_one_wanted;
    if (is_limited && !query->is_first_wanted)
        search->found.limit = query->limit - answers->count;
    PLI_TRY(pli_feature_search_find(search, a, b, NULL, PLI_ALL_WORK, answers));
    query->base.is_over = search->found.is_over;
    if (is_limited && query->is_first_wanted && answers->count > query->limit) {
        answers->count = query->limit;
        query->base.is_over = true;
    }
    return PLIANT_OK;
}

static PliantResult find_two(PliFeatureQuery *query, int32_t a, int32_t b)
{
    PliFeatureSearch *search = search_of(query, &query->base.world->first);
    PLI_TRY(pli_query_prepare(&query->base, a));
    PLI_TRY(pli_query_prepare(&query->base, b));
    const PliFeatureSide a_side = side_of(query, a), b_side = side_of(query, b);
    start_search(query, search, a, b);
    PLI_TRY(query->kept ? find_kept(query, &a_side, &b_side, a, b)
                        : find_some(query, search, &a_side, &b_side));
    pli_feature_search_share_time(search);
    return PLIANT_OK;
}

/* Of all bodies the earliest impact alone may be wanted: the one so far stays unless that of the
 * last two bodies is earlier. */
static void keep_earliest(const PliFeatureQuery *query, int64_t first)
{
    PliantImpact *impacts = query->base.answers->items;
    if (!query->is_one_wanted || first == 0 || query->base.answers->count == first)
        return;
    if (impacts[first].time < impacts[0].time)
        impacts[0] = impacts[first];
    query->base.answers->count = 1;
}

PliantResult pli_feature_query_do_alone(PliQuery *base, int32_t a, int32_t b)
{
    PliFeatureQuery *query = (PliFeatureQuery *)base;
    PliantWorld *world = base->world;
    PliBody *bodies = world->bodies.items;
    const int64_t first = query->base.answers->count;
    PLI_TRY(pli_control_check(&world->control));
    PLI_TRY(find_two(query, a, b));
    pli_world_count(world, &bodies[a], PLI_SIDE_A);
    pli_world_count(world, &bodies[b], PLI_SIDE_B);
    keep_earliest(query, first);
    base->answer_count = base->answers->count;
    pli_control_count(&world->control, 1);
    return PLIANT_OK;
}

/* ---- Several workers ---------------------------------------------------------------------------
 */

static const PliArray *found_by(const PliantWorld *world, uint32_t worker)
{
    return &((const PliWorldWorker *)(const void *)world->workers[worker])->features_found;
}

static const char *found_at(const PliantWorld *world, const PliRanked *ranked)
{
    return answer_at(found_by(world, ranked->rank), ranked->item);
}

/* Drops all but the best of the same two features, or of all. Returns how many are left. */
static int64_t drop_worse(const PliFeatureQuery *query, PliRanked *order, int64_t count)
{
    const PliantWorld *world = query->base.world;
    PliIsBefore *is_before =
        search_of(query, (PliWorldWorker *)(void *)world->workers[0])->decider->is_before;
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        const bool is_new =
            kept == 0 || (order[i].key != order[kept - 1].key && !query->is_first_wanted);
        if (is_new)
            order[kept++] = order[i];
        else if (is_before(found_at(world, &order[i]), found_at(world, &order[kept - 1])))
            order[kept - 1] = order[i];
    }
    return kept;
}

/* Lists what a pair and its parts have found, by features. `rank` is the worker that has found
 * `item`. */
void pli_feature_query_order(const PliQuery *base, PliQueryItem *item, void *room)
{
    const PliFeatureQuery *query = (const PliFeatureQuery *)base;
    const PliQueryItem *items = base->world->items.items, *part = item;
    PliRanked *order = room, *end = order;
    for (;; part = &items[part->next]) {
        const PliArray *found = &part->worker->features_found;
        if (found->count > INT32_MAX) {
            item->result = PLIANT_TOO_LARGE;
            return;
        }
        for (int64_t i = part->found.first; i < part->found.first + part->found.count; i++)
            *end++ = (PliRanked){pli_found_key(answer_at(found, i)),
                                 (uint32_t)part->worker->worker.number, (int32_t)i};
        if (part->next == 0)
            break;
    }
    order = pli_sort_ranked(order, end, end - order);
    item->ordered = order;
    item->answer_count = drop_worse(query, order, item->answer_count);
}

void pli_feature_query_write(const PliQuery *query, const PliQueryItem *item, int64_t from,
                             int64_t count, void *to)
{
    const PliRanked *order = item->ordered;
    for (int64_t i = from; i < from + count; i++, to = (char *)to + PLI_FOUND_SIZE)
        memcpy(to,
               order ? found_at(query->world, &order[i])
                     : answer_at(&item->worker->features_found, item->found.first + i),
               PLI_FOUND_SIZE);
}

/* The earliest impact of all is written at once. There is room for a second one, since it is chance
 * whether a later pair of bodies brings one. */
PliantResult pli_feature_query_place(PliQuery *base, PliQueryItem *item)
{
    const PliFeatureQuery *query = (const PliFeatureQuery *)base;
    const int64_t first = base->answers->count;
    void *room;
    if (!query->is_one_wanted || item->answer_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(base->answers, &base->world->host, 2));
    PLI_TRY(pli_array_push(base->answers, &base->world->host, 1, &room));
    pli_feature_query_write(base, item, 0, 1, room);
    keep_earliest(query, first);
    item->answer_count = 0;
    base->answer_count = base->answers->count;
    return PLIANT_OK;
}

/* ---- Pairs of bodies ---------------------------------------------------------------------------
 */

/* How far the search for the earliest impact goes depends on what others have found by then. */
bool pli_feature_query_may_share(const PliQuery *base, const PliBroadPair *pairs, int64_t count)
{
    const PliFeatureQuery *query = (const PliFeatureQuery *)base;
    return !query->kept && query->limit == 0 &&
           !(query->is_one_wanted && pli_query_has_soup(base, pairs, count));
}

static PliantResult search(PliFeatureQuery *query)
{
    PliantWorld *world = query->base.world;
    const int32_t a = query->a, b = query->b;
    const PliBroadPair pair = {a < b ? a : b, a < b ? b : a}, *pairs = &pair;
    int64_t count = 1;
    if (a < 0) {
        PLI_TRY(pli_world_refresh(world));
        PLI_TRY(query->find_bodies(query, &pairs, &count));
        if (query->includes_self)
            PLI_TRY(pli_world_add_self_pairs(world, &pairs, &count));
    }
    world->control.total = count;
    return pli_query_do_pairs(&query->base, pairs, count);
}

/* ---- Closest features --------------------------------------------------------------------------
 *
 * Once all pairs are there, each once, in order: whoever has found them, and whether they were
 * kept.
 */

/* PliPartTask: some pairs. */
static void reduce_some(void *data, const PliPart *part)
{
    const PliFeatureQuery *query = data;
    PliantNearPair *pairs = query->base.answers->items;
    for (int64_t i = part->begin; i < part->end; i++)
        pli_unique_reduce(
            &pairs[i],
            &pli_query_prepared(&query->base, (int32_t)pairs[i].body_a.index - 1)->features,
            &pli_query_prepared(&query->base, (int32_t)pairs[i].body_b.index - 1)->features);
}

static bool are_of_same_bodies(const PliantNearPair *x, const PliantNearPair *y)
{
    return x->body_a.index == y->body_a.index && x->body_b.index == y->body_b.index;
}

static PliantResult find_unique(PliFeatureQuery *query)
{
    PliantWorld *world = query->base.world;
    const PliantNearPair *pairs = query->base.answers->items;
    const int64_t count = query->base.answers->count;
    world->unique_pairs.count = 0;
    pli_divide(&world->host, reduce_some, query, count);
    for (int64_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && are_of_same_bodies(&pairs[first], &pairs[end]); end++)
            ;
        PLI_TRY(pli_control_check(&world->control));
        PLI_TRY(pli_unique_merge(pairs + first, end - first, query->base.room, &world->unique_pairs,
                                 &world->host));
    }
    return PLIANT_OK;
}

PliantResult pli_feature_query_run(void *data)
{
    PliFeatureQuery *query = data;
    PliantWorld *world = query->base.world;
    query->base.answers->count = 0;
    query->base.room = &world->feature_order;
    atomic_store(&query->first_time, pli_time_bits(query->max_time));
    world->hashes_borrowed = query->hashes_borrowed;
    query->base.question->start(&query->base, &world->first);
    if (query->kept)
        pli_kept_start(query->kept);
    PliantResult result = search(query);
    if (query->kept)
        result = pli_kept_end(query->kept, result, query->a < 0, &world->host);
    PLI_TRY(result);
    return query->is_unique ? find_unique(query) : PLIANT_OK;
}
