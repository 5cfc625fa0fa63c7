/* Queries: one frame of the library. See pliant/world.h. */
#include "base/cpu.h"
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
        pli_world_freshen(world, body);
        boxes[number] = body->pose.bounds.root;
        body->is_waiting = body->pose.is_borrowed;
        if (body->is_waiting)
            waiting[kept++] = number;
    }
    world->waiting.count = kept;
}

/* ---- Pairs of bodies ---------------------------------------------------------------------------
 */

static PliantResult find_body_pairs(PliantWorld *world, const PliBroadPair **pairs, int64_t *count)
{
    pli_world_start(world);
    refresh(world);
    PliBroadInput input = {.count = (int32_t)world->bodies.count,
                           .boxes = world->boxes.items,
                           .categories = world->categories.items,
                           .collides_with = world->collides_with.items,
                           .kind = world->broad_kind};
    return pli_broad_find(&world->broad, &input, pairs, count);
}

/* ---- Triangles of two bodies -------------------------------------------------------------------
 */

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

static PliantResult add_contacts(PliantWorld *world, int32_t a, int32_t b)
{
    const uint64_t *hits = world->narrow.hits.items;
    void *room;
    PliantResult result =
        pli_array_push(&world->contacts, &world->host, world->narrow.hits.count, &room);
    if (result != PLIANT_OK)
        return result;
    PliantBody name_a = pli_world_name(world, a), name_b = pli_world_name(world, b);
    for (int64_t i = 0; i < world->narrow.hits.count; i++)
        ((PliantContact *)room)[i] =
            (PliantContact){name_a, name_b, (int32_t)(hits[i] >> 32), (int32_t)hits[i]};
    return PLIANT_OK;
}

/* Adds the contacts of two bodies, a before b. */
static PliantResult collide_bodies(PliantWorld *world, int32_t a, int32_t b, PliantQuery query)
{
    PliBody *bodies = world->bodies.items;
    pli_world_freshen(world, &bodies[a]);
    pli_world_freshen(world, &bodies[b]);
    PliantStats before = counted(&world->narrow);
    const bool is_one_enough = query != PLIANT_ALL_PAIRS;
    PliantResult result =
        a == b ? pli_narrow_find_self(&world->narrow, &bodies[a].pose, &bodies[a].fan_state,
                                      is_one_enough)
               : pli_narrow_find(&world->narrow, &bodies[a].pose, &bodies[b].pose, is_one_enough);
    if (result == PLIANT_OK && world->narrow.hits.count > 0)
        result = add_contacts(world, a, b);
    PliantStats after = counted(&world->narrow);
    after.contacts = world->narrow.hits.count;
    pli_world_count(world, &bodies[a], PLI_SIDE_A);
    pli_world_count(world, &bodies[b], PLI_SIDE_B);
    add_work(&bodies[a].stats, &before, &after);
    if (a != b)
        add_work(&bodies[b].stats, &before, &after);
    add_work(&world->stats, &before, &after);
    return result;
}

/* ---- The public calls -------------------------------------------------------------------------
 */

static void hand_out(PliantWorld *world, PliantContacts *contacts)
{
    *contacts = (PliantContacts){world->contacts.items, world->contacts.count,
                                 world->narrow.approximations};
}

static PLI_NOINLINE PliantResult collide_world(PliantWorld *world, PliantQuery query)
{
    const PliBroadPair *pairs = NULL;
    int64_t pair_count = 0;
    world->contacts.count = 0;
    PliantResult result = find_body_pairs(world, &pairs, &pair_count);
    for (int64_t i = 0; i < pair_count && result == PLIANT_OK; i++) {
        result = collide_bodies(world, pairs[i].a, pairs[i].b, query);
        if (query == PLIANT_ANY_PAIR && world->contacts.count > 0)
            break;
    }
    return result;
}

#define CHECK_QUERY(call, world, query, contacts)                                                  \
    PLI_CHECK(call, (unsigned)(query) <= PLIANT_ANY_PAIR, PLIANT_BAD_ARGUMENT, "query is %d",      \
              (int)(query));                                                                       \
    PLI_CHECK(call, contacts, PLIANT_BAD_ARGUMENT, "contacts is NULL")

#define CHECK_HANDLE(call, world, label, handle)                                                   \
    PLI_CHECK(call, pli_world_body(world, handle), PLIANT_BAD_ID,                                  \
              label " is {%" PRIu32 ", %" PRIu32 "}: no such body in this world", (handle).index,  \
              (handle).generation)

static PliantResult collide(const PliCall *call, PliantWorld *world, PliantQuery query,
                            uint32_t approximations, PliantContacts *contacts)
{
    const uint32_t all = PLIANT_APPROXIMATE_PLANES | PLIANT_APPROXIMATE_EDGES;
    PLI_CHECK(call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    CHECK_QUERY(call, world, query, contacts);
    PLI_CHECK(call, (approximations & ~all) == 0, PLIANT_BAD_ARGUMENT,
              "approximations is %#" PRIx32, approximations);
    world->narrow.approximations = approximations;
    PliFpMode caller = pli_fp_enter();
    PliantResult result = collide_world(world, query);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        hand_out(world, contacts);
    return result;
}

PliantResult pliant_world_collide(PliantWorld *world, PliantQuery query, PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    return collide(&call, world, query, 0, contacts);
}

PliantResult pliant_world_collide_approximately(PliantWorld *world, PliantQuery query,
                                                uint32_t approximations, PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    return collide(&call, world, query, approximations, contacts);
}

static PLI_NOINLINE PliantResult collide_two(PliantWorld *world, int32_t a, int32_t b,
                                             PliantQuery query)
{
    world->contacts.count = 0;
    world->narrow.approximations = 0;
    pli_world_start(world);
    return collide_bodies(world, a < b ? a : b, a < b ? b : a, query);
}

PliantResult pliant_bodies_collide(PliantWorld *world, PliantBody a, PliantBody b,
                                   PliantQuery query, PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    CHECK_QUERY(&call, world, query, contacts);
    CHECK_HANDLE(&call, world, "a", a);
    CHECK_HANDLE(&call, world, "b", b);
    PLI_CHECK(&call, a.index != b.index, PLIANT_BAD_ARGUMENT, "a and b are one body");
    PliFpMode caller = pli_fp_enter();
    PliantResult result = collide_two(world, (int32_t)a.index - 1, (int32_t)b.index - 1, query);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        hand_out(world, contacts);
    return result;
}

PliantResult pliant_body_collide_itself(PliantWorld *world, PliantBody body, PliantQuery query,
                                        PliantContacts *contacts)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    CHECK_QUERY(&call, world, query, contacts);
    CHECK_HANDLE(&call, world, "body", body);
    PliFpMode caller = pli_fp_enter();
    PliantResult result =
        collide_two(world, (int32_t)body.index - 1, (int32_t)body.index - 1, query);
    pli_fp_leave(caller);
    if (result == PLIANT_OK)
        hand_out(world, contacts);
    return result;
}

static PLI_NOINLINE PliantResult list_body_pairs(PliantWorld *world)
{
    const PliBroadPair *pairs = NULL;
    int64_t count = 0;
    void *room;
    world->body_pairs.count = 0;
    PliantResult result = find_body_pairs(world, &pairs, &count);
    if (result == PLIANT_OK)
        result = pli_array_push(&world->body_pairs, &world->host, count, &room);
    if (result != PLIANT_OK)
        return result;
    for (int64_t i = 0; i < count; i++)
        ((PliantBodyPair *)room)[i] =
            (PliantBodyPair){pli_world_name(world, pairs[i].a), pli_world_name(world, pairs[i].b)};
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
    if (result != PLIANT_OK)
        return result;
    *pairs = world->body_pairs.items;
    *pair_count = world->body_pairs.count;
    return PLIANT_OK;
}
