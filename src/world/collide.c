/* Queries: one frame of the library. See pliant/world.h.
 *
 * A query updates the bodies that were set, finds the pairs of bodies whose boxes overlap, and
 * finds the contacts of each pair (items.h).
 */
#include "base/cpu.h"
#include "base/tasks.h"
#include "broad/sweep.h"
#include "world/crew.h"
#include "world/items.h"

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
    pli_world_start(world);
    pli_world_refresh(world);
    const PliBroadInput input = broad_input(world);
    return pli_broad_find(&world->broad, &input, pairs, count);
}

/* ---- Which bodies ------------------------------------------------------------------------------
 */

/* Each is called in the modes of the library, with numbers of bodies that it needs. */
typedef PliantResult Collide(PliQuery *query, int32_t a, int32_t b);

static PLI_NOINLINE PliantResult collide_world(PliQuery *query, int32_t a, int32_t b)
{
    (void)a, (void)b;
    const PliBroadPair *pairs = NULL;
    PLI_TRY(find_body_pairs(query->world, &pairs, &query->total));
    return pli_query_pairs(query, pairs, query->total);
}

/* May the narrow phase find something between two bodies, by the rules of the broad phase? */
static bool is_pair(const PliBroadInput *input, int32_t a, int32_t b)
{
    return a != b && pli_filter_allows(input, a, b) && pli_box_is_present(&input->boxes[a]) &&
           pli_box_is_present(&input->boxes[b]) &&
           pli_box_overlaps(&input->boxes[a], &input->boxes[b]);
}

static PLI_NOINLINE PliantResult collide_body(PliQuery *query, int32_t number, int32_t unused)
{
    (void)unused;
    PliantWorld *world = query->world;
    pli_world_start(world);
    pli_world_refresh(world);
    const PliBroadInput input = broad_input(world);
    world->pairs_of_one.count = 0;
    for (int32_t other = 0; other < input.count; other++) {
        void *room;
        if (!is_pair(&input, number, other))
            continue;
        PLI_TRY(pli_array_push(&world->pairs_of_one, &world->host, 1, &room));
        *(PliBroadPair *)room =
            other < number ? (PliBroadPair){other, number} : (PliBroadPair){number, other};
    }
    query->total = world->pairs_of_one.count;
    return pli_query_pairs(query, world->pairs_of_one.items, query->total);
}

static PLI_NOINLINE PliantResult collide_two(PliQuery *query, int32_t a, int32_t b)
{
    const PliBroadPair pair = {a < b ? a : b, a < b ? b : a};
    query->total = 1;
    pli_world_start(query->world);
    return pli_query_pairs(query, &pair, 1);
}

static PLI_NOINLINE PliantResult collide_self(PliQuery *query, int32_t number, int32_t unused)
{
    (void)unused;
    PliantWorld *world = query->world;
    PliBody *body = (PliBody *)world->bodies.items + number;
    const PliBroadPair pair = {number, number};
    query->total = 1;
    pli_world_start(world);
    pli_world_update_body(world, body);
    PLI_TRY(pli_fan_state_start(&body->fan_state, &world->fans, &body->pose,
                                query->def.kind != PLIANT_ALL_PAIRS, &world->host));
    return pli_query_pairs(query, &pair, 1);
}

/* ---- The public calls -------------------------------------------------------------------------
 */

#define DEF_SIZE PLI_RECORD_SIZE(PliantCollideDef, user)
#define CONTACTS_SIZE PLI_RECORD_SIZE(PliantContacts, is_limit_reached)

static PliantResult read_def(const PliCall *call, const PliantCollideDef *given,
                             PliantCollideDef *def)
{
    const uint32_t all = PLIANT_APPROXIMATE_PLANES | PLIANT_APPROXIMATE_EDGES;
    *def = pliant_collide_def_default();
    PLI_CHECK(call,
              !given || pli_record_read(def, sizeof *def, DEF_SIZE, given, given->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_collide_def_default()",
              given->struct_size);
    PLI_CHECK(call, (unsigned)def->kind <= PLIANT_ANY_PAIR, PLIANT_BAD_ARGUMENT, "def.kind is %d",
              (int)def->kind);
    PLI_CHECK(call, (def->approximations & ~all) == 0, PLIANT_BAD_ARGUMENT,
              "def.approximations is %#" PRIx32, def->approximations);
    PLI_CHECK(call, def->max_contact_count >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_contact_count is %" PRId64, def->max_contact_count);
    return PLIANT_OK;
}

/* What all queries check, after their bodies. */
static PliantResult open_query(const PliCall *call, PliantWorld *world, const PliantCollideDef *def,
                               const PliantContacts *contacts, PliQuery *query)
{
    PLI_CHECK(call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_CHECK_OUTPUT(call, "contacts", contacts, CONTACTS_SIZE);
    return read_def(call, def, &query->def);
}

/* Runs a query with an array of the world for its contacts, and hands out what was found. */
static PliantResult run_query(PliQuery *query, PliArray *array, Collide *collide, int32_t a,
                              int32_t b, PliantContacts *contacts)
{
    query->contacts = array;
    array->count = 0;
    const PliFpMode caller = pli_fp_enter();
    PliantResult result = pli_world_crew_start(query->world);
    if (result == PLIANT_OK)
        result = collide(query, a, b);
    pli_query_end(query);
    pli_world_crew_end(query->world);
    pli_fp_leave(caller);
    PLI_TRY(result);
    const PliantContacts found = {.items = query->def.count_only ? NULL : array->items,
                                  .count = query->count,
                                  .approximations = query->def.approximations,
                                  .is_limit_reached = query->is_limit_reached};
    pli_record_write(contacts, CONTACTS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_collide(PliantWorld *world, const PliantCollideDef *def,
                                  PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PliQuery query = {.world = world};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    return run_query(&query, &world->contacts, collide_world, 0, 0, contacts);
}

PliantResult pliant_body_collide(PliantWorld *world, PliantBody handle, const PliantCollideDef *def,
                                 PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PliQuery query = {.world = world};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    return run_query(&query, &world->contacts, collide_body, pli_world_number(world, body), 0,
                     contacts);
}

PliantResult pliant_bodies_collide(PliantWorld *world, PliantBody a, PliantBody b,
                                   const PliantCollideDef *def, PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    PLI_CHECK(&call, body_a != body_b, PLIANT_BAD_ARGUMENT, "a and b are the same body");
    PliQuery query = {.world = world};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    return run_query(&query, &world->contacts, collide_two, pli_world_number(world, body_a),
                     pli_world_number(world, body_b), contacts);
}

PliantResult pliant_body_self_collide(PliantWorld *world, PliantBody handle,
                                      const PliantCollideDef *def, PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PliQuery query = {.world = world};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    PLI_CHECK(&call, query.def.approximations == 0, PLIANT_BAD_ARGUMENT,
              "def.approximations is %#" PRIx32 ": self queries are exact",
              query.def.approximations);
    return run_query(&query, &world->self_contacts, collide_self, pli_world_number(world, body), 0,
                     contacts);
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

static PLI_NOINLINE PliantResult list_body_pairs(PliantWorld *world)
{
    enum { MIN_DIVIDED = 1 << 16, PARTS_PER_WORKER = 4 };
    Listing list = {.world = world, .part_count = 1};
    void *room;
    world->body_pairs.count = 0;
    PLI_TRY(find_body_pairs(world, &list.pairs, &list.count));
    PLI_TRY(pli_array_push(&world->body_pairs, &world->host, list.count, &room));
    list.listed = room;
    if (list.count >= MIN_DIVIDED || world->divides_everything)
        list.part_count = PARTS_PER_WORKER * pli_worker_crew_count(&world->first.worker);
    pli_worker_divide(&world->first.worker, list_part, &list, list.part_count);
    return PLIANT_OK;
}

PliantResult pliant_world_body_pairs(PliantWorld *world, const PliantBodyPair **pairs,
                                     int64_t *pair_count)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_CHECK(&call, pairs, PLIANT_BAD_ARGUMENT, "pairs is NULL");
    PLI_CHECK(&call, pair_count, PLIANT_BAD_ARGUMENT, "pair_count is NULL");
    PliFpMode caller = pli_fp_enter();
    PliantResult result = pli_world_crew_start(world);
    if (result == PLIANT_OK)
        result = list_body_pairs(world);
    pli_world_crew_end(world);
    pli_fp_leave(caller);
    PLI_TRY(result);
    *pairs = world->body_pairs.items;
    *pair_count = world->body_pairs.count;
    return PLIANT_OK;
}
