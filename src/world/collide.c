/* Queries: one frame of the library. See pliant/world.h.
 *
 * A query updates the bodies that were set, finds the pairs of bodies whose boxes overlap, and
 * hands each pair to the narrow phase. Pairs come in canonical order, and so do the contacts of
 * each pair: contacts are appended, and a limit cuts off the end.
 */
#include "base/cpu.h"
#include "broad/sweep.h"
#include "world/world.h"

#include <inttypes.h>
#include <string.h>

/* ---- What has been set ------------------------------------------------------------------------
 */

/* Goes through the bodies that wait. Those whose vertices are borrowed stay in the list: they may
 * change at any time. Those with a loose box are left alone until something comes near. */
static void refresh(PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    PliBox *boxes = world->boxes.items;
    int32_t *waiting = world->waiting.items;
    int64_t kept = 0;
    for (int64_t i = 0; i < world->waiting.count; i++) {
        int32_t number = waiting[i];
        PliBody *body = &bodies[number];
        body->is_waiting = false;
        if (!body->is_alive)
            continue;
        if (body->has_loose_box) {
            boxes[number] = body->loose_box;
            continue;
        }
        pli_world_update_body(world, body);
        boxes[number] = body->pose.bounds.root;
        body->is_waiting = body->pose.is_borrowed;
        if (body->is_waiting)
            waiting[kept++] = number;
    }
    world->waiting.count = kept;
}

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
    refresh(world);
    const PliBroadInput input = broad_input(world);
    return pli_broad_find(&world->broad, &input, pairs, count);
}

/* ---- One query ---------------------------------------------------------------------------------
 */

/* What a query is to find, and what it has found. */
typedef struct Query {
    PliantWorld *world;
    PliantQueryDef def;
    int64_t done, total; /* pairs of bodies */
    PliArray *contacts;  /* of the world; unused if contacts are only counted */
    int64_t count;       /* of contacts */
    bool is_limit_reached;
} Query;

static bool has_limit(const Query *query)
{
    return query->def.max_contact_count > 0;
}

/* Is nothing more wanted? */
static bool is_finished(const Query *query)
{
    return query->is_limit_reached || (query->def.kind == PLIANT_ANY_PAIR && query->count > 0);
}

/* PliNarrow.progress. */
static bool go_on(void *user)
{
    const Query *query = user;
    return query->def.progress(query->def.user, query->done, query->total);
}

static void start(Query *query)
{
    PliNarrow *narrow = &query->world->narrow;
    query->contacts->count = 0;
    narrow->approximations = query->def.approximations;
    narrow->progress = query->def.progress ? go_on : NULL;
    narrow->progress_user = query;
}

/* What the narrow phase has counted so far. */
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

/* Adds what was counted between two moments. */
static void add_work(PliantStats *stats, const PliantStats *before, const PliantStats *after)
{
    stats->body_pairs++;
    stats->node_pairs += after->node_pairs - before->node_pairs;
    stats->bound_tests += after->bound_tests - before->bound_tests;
    stats->plane_tests += after->plane_tests - before->plane_tests;
    stats->leaf_pairs += after->leaf_pairs - before->leaf_pairs;
    stats->triangle_tests += after->triangle_tests - before->triangle_tests;
    stats->undecided += after->undecided - before->undecided;
    stats->exact_fallbacks += after->exact_fallbacks - before->exact_fallbacks;
    stats->contacts += after->contacts;
}

/* Appends the contacts of two bodies, as far as the limit goes. */
static PliantResult add_contacts(Query *query, int32_t a, int32_t b)
{
    const PliantWorld *world = query->world;
    const uint64_t *contacts = world->narrow.contacts.items;
    int64_t count = world->narrow.contacts.count;
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

/* Adds the contacts of two bodies, a before b, or of one body alone. */
static PliantResult collide_bodies(Query *query, int32_t a, int32_t b)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    if (query->def.progress && !go_on(query))
        return PLIANT_CANCELLED;
    pli_world_update_body(world, &bodies[a]);
    pli_world_update_body(world, &bodies[b]);
    PliantStats before = counted(&world->narrow);
    const bool is_one_enough = query->def.kind != PLIANT_ALL_PAIRS;
    PliantResult result =
        a == b ? pli_narrow_find_self(&world->narrow, &bodies[a].pose, &bodies[a].fan_state,
                                      is_one_enough)
               : pli_narrow_find(&world->narrow, &bodies[a].pose, &bodies[b].pose, is_one_enough);
    if (result == PLIANT_OK && world->narrow.contacts.count > 0)
        result = add_contacts(query, a, b);
    query->done++;
    PliantStats after = counted(&world->narrow);
    after.contacts = world->narrow.contacts.count;
    pli_world_count(world, &bodies[a], PLI_SIDE_A);
    pli_world_count(world, &bodies[b], PLI_SIDE_B);
    add_work(&bodies[a].stats, &before, &after);
    if (a != b)
        add_work(&bodies[b].stats, &before, &after);
    add_work(&world->stats, &before, &after);
    return result;
}

/* Pairs of bodies that are left at the limit may have contacts: then it was reached. */
static void check_limit(Query *query)
{
    query->is_limit_reached |= has_limit(query) && query->count == query->def.max_contact_count &&
                               query->done < query->total;
}

/* ---- Which bodies ------------------------------------------------------------------------------
 */

/* Each runs in modes of its own, like all that computes. */
static PLI_NOINLINE PliantResult collide_world(Query *query)
{
    const PliBroadPair *pairs = NULL;
    PliantResult result = find_body_pairs(query->world, &pairs, &query->total);
    for (int64_t i = 0; i < query->total && result == PLIANT_OK && !is_finished(query); i++) {
        result = collide_bodies(query, pairs[i].a, pairs[i].b);
        check_limit(query);
    }
    return result;
}

/* May the narrow phase find something between two bodies, by the rules of the broad phase? */
static bool is_pair(const PliBroadInput *input, int32_t a, int32_t b)
{
    return a != b && pli_filter_allows(input, a, b) && pli_box_is_present(&input->boxes[a]) &&
           pli_box_is_present(&input->boxes[b]) &&
           pli_box_overlaps(&input->boxes[a], &input->boxes[b]);
}

static PLI_NOINLINE PliantResult collide_body(Query *query, int32_t number)
{
    pli_world_start(query->world);
    refresh(query->world);
    const PliBroadInput input = broad_input(query->world);
    for (int32_t other = 0; other < input.count; other++)
        query->total += is_pair(&input, number, other);
    PliantResult result = PLIANT_OK;
    for (int32_t other = 0; other < input.count && result == PLIANT_OK && !is_finished(query);
         other++) {
        if (!is_pair(&input, number, other))
            continue;
        result =
            collide_bodies(query, other < number ? other : number, other < number ? number : other);
        check_limit(query);
    }
    return result;
}

static PLI_NOINLINE PliantResult collide_two(Query *query, int32_t a, int32_t b)
{
    query->total = 1;
    pli_world_start(query->world);
    return collide_bodies(query, a < b ? a : b, a < b ? b : a);
}

/* ---- The public calls -------------------------------------------------------------------------
 */

#define DEF_SIZE PLI_RECORD_SIZE(PliantQueryDef, user)
#define CONTACTS_SIZE PLI_RECORD_SIZE(PliantContacts, is_limit_reached)

static PliantResult read_def(const PliCall *call, const PliantQueryDef *given, PliantQueryDef *def)
{
    const uint32_t all = PLIANT_APPROXIMATE_PLANES | PLIANT_APPROXIMATE_EDGES;
    *def = pliant_query_def_default();
    PLI_CHECK(call,
              !given || pli_record_read(def, sizeof *def, DEF_SIZE, given, given->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_query_def_default()",
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
static PliantResult open_query(const PliCall *call, PliantWorld *world, const PliantQueryDef *def,
                               const PliantContacts *contacts, Query *query)
{
    PLI_CHECK(call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_CHECK_OUTPUT(call, "contacts", contacts, CONTACTS_SIZE);
    *query = (Query){.world = world, .contacts = &world->contacts};
    return read_def(call, def, &query->def);
}

/* Hands out what was found, if it was. */
static PliantResult close_query(Query *query, PliantResult result, PliantContacts *contacts)
{
    query->world->narrow.progress = NULL;
    PLI_TRY(result);
    const PliantContacts found = {.items = query->def.count_only ? NULL : query->contacts->items,
                                  .count = query->count,
                                  .approximations = query->def.approximations,
                                  .is_limit_reached = query->is_limit_reached};
    pli_record_write(contacts, CONTACTS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_collide(PliantWorld *world, const PliantQueryDef *def,
                                  PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    Query query = {0};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    start(&query);
    PliFpMode caller = pli_fp_enter();
    PliantResult result = collide_world(&query);
    pli_fp_leave(caller);
    return close_query(&query, result, contacts);
}

PliantResult pliant_body_collide(PliantWorld *world, PliantBody handle, const PliantQueryDef *def,
                                 PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    Query query = {0};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    start(&query);
    PliFpMode caller = pli_fp_enter();
    PliantResult result = collide_body(&query, pli_world_number(world, body));
    pli_fp_leave(caller);
    return close_query(&query, result, contacts);
}

PliantResult pliant_bodies_collide(PliantWorld *world, PliantBody a, PliantBody b,
                                   const PliantQueryDef *def, PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    PLI_CHECK(&call, body_a != body_b, PLIANT_BAD_ARGUMENT, "a and b are the same body");
    Query query = {0};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    start(&query);
    PliFpMode caller = pli_fp_enter();
    PliantResult result =
        collide_two(&query, pli_world_number(world, body_a), pli_world_number(world, body_b));
    pli_fp_leave(caller);
    return close_query(&query, result, contacts);
}

PliantResult pliant_body_self_collide(PliantWorld *world, PliantBody handle,
                                      const PliantQueryDef *def, PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    Query query = {0};
    PLI_TRY(open_query(&call, world, def, contacts, &query));
    PLI_CHECK(&call, query.def.approximations == 0, PLIANT_BAD_ARGUMENT,
              "def.approximations is %#" PRIx32 ": self queries are exact",
              query.def.approximations);
    query.contacts = &world->self_contacts;
    start(&query);
    const int32_t number = pli_world_number(world, body);
    PliFpMode caller = pli_fp_enter();
    PliantResult result = collide_two(&query, number, number);
    pli_fp_leave(caller);
    return close_query(&query, result, contacts);
}

static PLI_NOINLINE PliantResult list_body_pairs(PliantWorld *world)
{
    const PliBroadPair *pairs = NULL;
    int64_t count = 0;
    void *room;
    world->body_pairs.count = 0;
    PLI_TRY(find_body_pairs(world, &pairs, &count));
    PLI_TRY(pli_array_push(&world->body_pairs, &world->host, count, &room));
    for (int64_t i = 0; i < count; i++)
        ((PliantBodyPair *)room)[i] = (PliantBodyPair){pli_world_handle(world, pairs[i].a),
                                                       pli_world_handle(world, pairs[i].b)};
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
    PliantResult result = list_body_pairs(world);
    pli_fp_leave(caller);
    PLI_TRY(result);
    *pairs = world->body_pairs.items;
    *pair_count = world->body_pairs.count;
    return PLIANT_OK;
}
