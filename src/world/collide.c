/* Contacts: one frame of the library. See contacts.h.
 *
 * A query updates the bodies that were set, finds the pairs of bodies whose boxes overlap, and
 * finds the contacts of each pair (items.h).
 */
#include "base/tasks.h"
#include "broad/sweep.h"
#include "world/contacts.h"
#include "world/reader.h"

/* ---- Pairs of bodies ---------------------------------------------------------------------------
 */

static PliBroadInput broad_input(const PliantWorld *world)
{
    return (PliBroadInput){.count = (int32_t)world->bodies.count,
                           .boxes = world->boxes.items,
                           .categories = world->categories.items,
                           .collides_with = world->collides_with.items,
                           .kind = world->broad_kind};
}

static PliantResult find_body_pairs(PliantWorld *world, const PliBroadPair **pairs, int64_t *count)
{
    PLI_TRY(pli_world_refresh(world));
    const PliBroadInput input = broad_input(world);
    PLI_TRY(pli_broad_find(&world->broad, &input, pairs, count));
    return pli_world_allow_pairs(world, pairs, count);
}

/* ---- Contacts of pairs -------------------------------------------------------------------------
 *
 * With a limit, all pairs are first tested like those of any other query, until more contacts are
 * found than are wanted. If that happens, all is forgotten and one worker starts again, pair by
 * pair in canonical order: it ends soon after the limit. So which contacts are returned does not
 * depend on the workers, and no more memory is used than the answer and each worker need.
 */

/* A body alone: its fans come last. With a limit, nothing is taken from the last query: which
 * contacts come first would depend on it. */
static PliantResult collide_self(PliCollide *query, const PliBroadPair *pair)
{
    PliantWorld *world = query->base.world;
    PliBody *body = (PliBody *)world->bodies.items + pair->a;
    pli_world_update_body(world, body);
    PLI_TRY(pli_world_start_fans(
        world, body, query->def.kind != PLIANT_ALL_PAIRS || pli_collide_has_limit(query)));
    /* Whether workers share the fans is decided later. Claims that are atomic serve both ways. */
    world->fans.is_shared = pli_worker_crew_count(&world->first.worker) > 1;
    return pli_query_do_pairs(&query->base, pair, 1);
}

/* Pairs in canonical order: those of two bodies together, as far as none of a body alone is between
 * them. */
static PliantResult collide_in_order(PliCollide *query, const PliBroadPair *pairs, int64_t count)
{
    for (int64_t i = 0, end; i < count && !query->base.is_over; i = end) {
        end = i + 1;
        if (pairs[i].a == pairs[i].b) {
            PLI_TRY(collide_self(query, &pairs[i]));
            continue;
        }
        while (end < count && pairs[end].a != pairs[end].b)
            end++;
        PLI_TRY(pli_query_do_pairs(&query->base, pairs + i, end - i));
    }
    return PLIANT_OK;
}

static PliantResult collide_pairs(PliCollide *query, const PliBroadPair *pairs, int64_t count)
{
    PliControl *control = &query->base.world->control;
    control->total = count;
    if (query->def.kind == PLIANT_ALL_PAIRS && pli_collide_has_limit(query))
        control->max_count = query->def.max_contact_count;
    const PliantResult result = collide_in_order(query, pairs, count);
    if (result != PLIANT_CANCELLED || !pli_control_is_exceeded(control))
        return result;
    query->base.answer_count = query->base.world->contacts.count = 0;
    query->base.is_over = query->is_limit_reached = false;
    query->is_alone = true;
    atomic_store(&control->found, 0);
    atomic_store(&control->done, 0);
    return collide_in_order(query, pairs, count);
}

/* ---- Which bodies ------------------------------------------------------------------------------
 */

/* Is it asked for, and possible, that the body of this number intersects itself? */
static bool has_self(const PliCollide *query, int32_t number)
{
    const PliBody *bodies = query->base.world->bodies.items;
    return query->def.includes_self && pli_body_has_self(&bodies[number]);
}

PliantResult pli_collide_world(PliCollide *query, int32_t a, int32_t b)
{
    (void)a, (void)b;
    PliantWorld *world = query->base.world;
    const PliBroadPair *pairs = NULL;
    int64_t count = 0;
    PLI_TRY(find_body_pairs(world, &pairs, &count));
    if (query->def.includes_self)
        PLI_TRY(pli_world_add_self_pairs(world, &pairs, &count));
    return collide_pairs(query, pairs, count);
}

/* May the narrow phase find something between two bodies, by the rules of the broad phase? */
static bool is_pair(const PliBroadInput *input, int32_t a, int32_t b)
{
    return a != b && pli_filter_allows(input, a, b) && pli_box_is_present(&input->boxes[a]) &&
           pli_box_is_present(&input->boxes[b]) &&
           pli_box_overlaps(&input->boxes[a], &input->boxes[b]);
}

PliantResult pli_collide_body(PliCollide *query, int32_t number, int32_t unused)
{
    (void)unused;
    PliantWorld *world = query->base.world;
    PLI_TRY(pli_world_refresh(world));
    const PliBroadInput input = broad_input(world);
    world->query_pairs.count = 0;
    for (int32_t other = 0; other < input.count; other++)
        if (other == number ? has_self(query, number)
                            : is_pair(&input, number, other) &&
                                  pli_world_may_pair(world, number < other ? number : other,
                                                     number < other ? other : number))
            PLI_TRY(pli_world_push_pair(world, number, other));
    return collide_pairs(query, world->query_pairs.items, world->query_pairs.count);
}

/* Two bodies, or one alone. */
PliantResult pli_collide_two(PliCollide *query, int32_t a, int32_t b)
{
    const PliBroadPair pair = {a < b ? a : b, a < b ? b : a};
    return collide_pairs(query, &pair, 1);
}

/* ---- Pairs alone -------------------------------------------------------------------------------
 */

/* Pairs of bodies that get their handles. */
typedef struct Listing {
    const PliantWorld *world;
    const PliBroadPair *pairs;
    PliantBodyPair *listed;
    int64_t count;
    int32_t part_count;
} Listing;

/* PliWork. */
static void list_part(void *data, int32_t index, PliWorker *worker)
{
    (void)worker;
    const Listing *list = data;
    const int64_t end = pli_part_begin(index + 1, list->part_count, list->count);
    for (int64_t i = pli_part_begin(index, list->part_count, list->count); i < end; i++)
        list->listed[i] = (PliantBodyPair){pli_world_handle(list->world, list->pairs[i].a),
                                           pli_world_handle(list->world, list->pairs[i].b)};
}

PliantResult pli_world_list_pairs(PliantWorld *world, const PliantBodyPairsDef *def,
                                  bool *is_limit_reached)
{
    enum { MIN_DIVIDED = 1 << 16, PARTS_PER_WORKER = 4 };
    Listing list = {.world = world, .part_count = 1};
    void *room;
    world->body_pairs.count = 0;
    if (def->distance > 0 || pli_world_is_thick(world)) {
        PLI_TRY(pli_world_refresh(world));
        PLI_TRY(pli_world_near_bodies(world, def->distance, true, &list.pairs, &list.count));
    } else
        PLI_TRY(find_body_pairs(world, &list.pairs, &list.count));
    world->control.total = list.count;
    PLI_TRY(pli_control_check(&world->control));
    *is_limit_reached = def->max_pair_count > 0 && list.count > def->max_pair_count;
    if (*is_limit_reached)
        list.count = def->max_pair_count;
    PLI_TRY(pli_array_push(&world->body_pairs, &world->host, list.count, &room));
    list.listed = room;
    if (list.count >= MIN_DIVIDED || world->divides_everything)
        list.part_count = PARTS_PER_WORKER * pli_worker_crew_count(&world->first.worker);
    pli_worker_divide(&world->first.worker, list_part, &list, list.part_count);
    return PLIANT_OK;
}
