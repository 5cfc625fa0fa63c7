/* Queries: one frame of the library. See pliant/world.h.
 *
 * A query updates the bodies that were set, finds the pairs of bodies whose boxes overlap, and
 * finds the contacts of each pair (items.h).
 */
#include "base/cpu.h"
#include "base/tasks.h"
#include "broad/sweep.h"
#include "world/checks.h"
#include "world/contacts.h"
#include "world/crew.h"
#include "world/merge.h"
#include "world/reader.h"

#include <inttypes.h>

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
    return pli_broad_find(&world->broad, &input, pairs, count);
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
    return pli_collide_pairs(query, pair, 1);
}

/* Pairs in canonical order: those of two bodies together, as far as none of a body alone is between
 * them. */
static PliantResult collide_in_order(PliCollide *query, const PliBroadPair *pairs, int64_t count)
{
    for (int64_t i = 0, end; i < count && !pli_collide_is_finished(query); i = end) {
        end = i + 1;
        if (pairs[i].a == pairs[i].b) {
            PLI_TRY(collide_self(query, &pairs[i]));
            continue;
        }
        while (end < count && pairs[end].a != pairs[end].b)
            end++;
        PLI_TRY(pli_collide_pairs(query, pairs + i, end - i));
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
    query->contacts->count = query->count = 0;
    query->is_alone = true;
    atomic_store(&control->found, 0);
    atomic_store(&control->done, 0);
    return collide_in_order(query, pairs, count);
}

/* ---- Which bodies ------------------------------------------------------------------------------
 */

/* Each is called in the modes of the library, with numbers of bodies that it needs. */
typedef PliantResult Collide(PliCollide *query, int32_t a, int32_t b);

/* Is it asked for, and possible, that the body of this number intersects itself? */
static bool has_self(const PliCollide *query, int32_t number)
{
    const PliBody *bodies = query->base.world->bodies.items;
    return query->def.includes_self && pli_body_has_self(&bodies[number]);
}

static PLI_NOINLINE PliantResult collide_world(PliCollide *query, int32_t a, int32_t b)
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

static PLI_NOINLINE PliantResult collide_body(PliCollide *query, int32_t number, int32_t unused)
{
    (void)unused;
    PliantWorld *world = query->base.world;
    PLI_TRY(pli_world_refresh(world));
    const PliBroadInput input = broad_input(world);
    world->query_pairs.count = 0;
    for (int32_t other = 0; other < input.count; other++)
        if (other == number ? has_self(query, number) : is_pair(&input, number, other))
            PLI_TRY(pli_world_push_pair(world, number, other));
    return collide_pairs(query, world->query_pairs.items, world->query_pairs.count);
}

/* Two bodies, or one alone. */
static PLI_NOINLINE PliantResult collide_two(PliCollide *query, int32_t a, int32_t b)
{
    const PliBroadPair pair = {a < b ? a : b, a < b ? b : a};
    return collide_pairs(query, &pair, 1);
}

/* ---- The public calls -------------------------------------------------------------------------
 */

#define DEF_SIZE PLI_RECORD_SIZE(PliantCollideDef, experiments)
#define CONTACTS_SIZE PLI_RECORD_SIZE(PliantContacts, is_limit_reached)

static PliantResult read_def(const PliCall *call, const PliantCollideDef *given,
                             PliantCollideDef *def, uint32_t *approximations)
{
    PliantExperiments experiments;
    *def = pliant_collide_def_default();
    PLI_CHECK(call,
              !given || pli_record_read(def, sizeof *def, DEF_SIZE, given, given->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_collide_def_default()",
              given->struct_size);
    PLI_CHECK(call, (unsigned)def->kind <= PLIANT_ANY_PAIR, PLIANT_BAD_ARGUMENT,
              "def.kind is %d: one of PliantCollideKind is needed", (int)def->kind);
    PLI_TRY(pli_experiments_read(call, def->experiments, &experiments));
    *approximations = experiments.approximations;
    PLI_CHECK(call, def->max_contact_count >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_contact_count is %" PRId64, def->max_contact_count);
    return PLIANT_OK;
}

/* What all queries check, after their bodies. */
static PliantResult open_query(const PliCall *call, const PliantCollideDef *def,
                               const PliantContacts *contacts, PliCollide *query)
{
    PLI_CHECK_OUTPUT(call, "contacts", "pliant_contacts_default", contacts, CONTACTS_SIZE);
    return read_def(call, def, &query->def, &query->approximations);
}

/* Queries that are about bodies and themselves cannot be approximate. */
static PliantResult check_self(const PliCall *call, const PliCollide *query, bool has_self)
{
    PLI_CHECK(call, !has_self || query->approximations == 0, PLIANT_BAD_ARGUMENT,
              "def.experiments->approximations is %" PRIu32
              ": 0 in queries of one body with itself",
              query->approximations);
    return PLIANT_OK;
}

/* Only contacts that can be handed back are worth a hash of borrowed vertices. */
static bool needs_hash(const PliCollide *query)
{
    return query->def.kind == PLIANT_ALL_PAIRS && !query->def.count_only &&
           query->approximations == 0;
}

/* Runs a query, and hands out what was found. */
static PliantResult run_query(PliCollide *query, Collide *collide, int32_t a, int32_t b,
                              PliantContacts *contacts)
{
    PliantWorld *world = query->base.world;
    query->contacts = &world->contacts;
    world->contacts.count = 0;
    const PliFpMode caller = pli_fp_enter();
    PliantResult result = pli_world_crew_start(world);
    pli_world_start(world, query->def.progress, query->def.user);
    world->hashes_borrowed = needs_hash(query);
    if (result == PLIANT_OK)
        result = collide(query, a, b);
    pli_world_crew_end(world);
    pli_fp_leave(caller);
    PLI_TRY(result);
    const PliantContacts found = {.items = query->def.count_only ? NULL : world->contacts.items,
                                  .count = query->count,
                                  .stamp = query->approximations == 0 ? pli_world_stamp(world) : 0,
                                  .is_limit_reached = query->is_limit_reached};
    pli_record_write(contacts, CONTACTS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_collide(PliantWorld *world, const PliantCollideDef *def,
                                  PliantContacts *contacts)
{
    PLI_ASK_WORLD(world);
    PliCollide query = {.base = {.world = world}};
    PLI_TRY(open_query(&call, def, contacts, &query));
    PLI_TRY(check_self(&call, &query, query.def.includes_self));
    return run_query(&query, collide_world, 0, 0, contacts);
}

PliantResult pliant_body_collide(PliantWorld *world, PliantBody handle, const PliantCollideDef *def,
                                 PliantContacts *contacts)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PliCollide query = {.base = {.world = world}};
    PLI_TRY(open_query(&call, def, contacts, &query));
    PLI_TRY(check_self(&call, &query, query.def.includes_self));
    return run_query(&query, collide_body, pli_world_number(world, body), 0, contacts);
}

PliantResult pliant_bodies_collide(PliantWorld *world, PliantBody a, PliantBody b,
                                   const PliantCollideDef *def, PliantContacts *contacts)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    PliCollide query = {.base = {.world = world}};
    PLI_TRY(open_query(&call, def, contacts, &query));
    PLI_TRY(check_self(&call, &query, body_a == body_b));
    return run_query(&query, collide_two, pli_world_number(world, body_a),
                     pli_world_number(world, body_b), contacts);
}

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

static PLI_NOINLINE PliantResult list_body_pairs(PliantWorld *world, const PliantBodyPairsDef *def,
                                                 bool *is_limit_reached)
{
    enum { MIN_DIVIDED = 1 << 16, PARTS_PER_WORKER = 4 };
    Listing list = {.world = world, .part_count = 1};
    void *room;
    world->body_pairs.count = 0;
    if (def->distance > 0) {
        PLI_TRY(pli_world_refresh(world));
        PLI_TRY(pli_world_near_bodies(world, def->distance, &list.pairs, &list.count));
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

PliantResult pliant_world_body_pairs(PliantWorld *world, const PliantBodyPairsDef *given,
                                     PliantBodyPairs *pairs)
{
    PLI_ASK_WORLD(world);
    PliantBodyPairsDef def;
    PLI_TRY(pli_body_pairs_open(&call, given, pairs, &def));
    bool is_limit_reached = false;
    PliFpMode caller = pli_fp_enter();
    PliantResult result = pli_world_crew_start(world);
    pli_world_start(world, def.progress, def.user);
    if (result == PLIANT_OK)
        result = list_body_pairs(world, &def, &is_limit_reached);
    pli_world_crew_end(world);
    pli_fp_leave(caller);
    PLI_TRY(result);
    pli_body_pairs_close(world, &world->body_pairs, is_limit_reached, pairs);
    return PLIANT_OK;
}
