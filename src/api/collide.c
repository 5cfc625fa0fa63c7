/* Contacts and pairs of bodies: see pliant/world.h. */
#include "api/checks.h"
#include "world/contacts.h"
#include "world/crew.h"

#include <inttypes.h>

#define DEF_SIZE PLI_RECORD_SIZE(PliantCollideDef, experiments)
#define CONTACTS_SIZE PLI_RECORD_SIZE(PliantContacts, is_limit_reached)

static PliantResult read_def(const PliCall *call, const PliantCollideDef *given,
                             PliantCollideDef *def, uint32_t *approximations)
{
    PliantExperiments experiments;
    *def = pliant_collide_def_default();
    PLI_READ_DEF(call, "pliant_collide_def_default", given, def, DEF_SIZE);
    PLI_CHECK(call, (unsigned)def->kind <= PLIANT_ANY_PAIR, PLIANT_BAD_ARGUMENT,
              "def.kind is %d: one of PliantCollideKind is needed", (int)def->kind);
    PLI_TRY(pli_experiments_read(call, def->experiments, &experiments));
    *approximations = experiments.approximations;
    PLI_CHECK_LIMIT(call, "def.max_contact_count", def->max_contact_count);
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

/* Which bodies a query is about. */
typedef struct Asked {
    PliCollide query;
    PliCollideBodies *collide;
    int32_t a, b;
} Asked;

static PliantResult find(void *data)
{
    Asked *asked = data;
    asked->query.base.world->hashes_borrowed = needs_hash(&asked->query);
    return asked->collide(&asked->query, asked->a, asked->b);
}

/* Runs a query, and hands out what was found. */
static PliantResult run_query(Asked *asked, PliantContacts *contacts)
{
    PliCollide *query = &asked->query;
    PliantWorld *world = query->base.world;
    query->base.question = &pli_collide_question;
    query->base.is_any_enough = query->def.kind == PLIANT_ANY_PAIR;
    query->base.answers = query->def.count_only ? NULL : &world->contacts;
    query->base.room = &world->merged;
    world->contacts.count = 0;
    PLI_TRY(pli_world_ask(world, query->def.progress, query->def.user, find, asked));
    const PliantContacts found = {.items = query->def.count_only ? NULL : world->contacts.items,
                                  .count = query->base.answer_count,
                                  .stamp = query->approximations == 0 ? pli_world_stamp(world) : 0,
                                  .is_limit_reached = query->is_limit_reached};
    pli_record_write(contacts, CONTACTS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_collide(PliantWorld *world, const PliantCollideDef *def,
                                  PliantContacts *contacts)
{
    PLI_ASK_WORLD(world);
    Asked asked = {.query = {.base = {.world = world}}, .collide = pli_collide_world};
    PLI_TRY(open_query(&call, def, contacts, &asked.query));
    PLI_TRY(check_self(&call, &asked.query, asked.query.def.includes_self));
    return run_query(&asked, contacts);
}

PliantResult pliant_body_collide(PliantWorld *world, PliantBody handle, const PliantCollideDef *def,
                                 PliantContacts *contacts)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    Asked asked = {.query = {.base = {.world = world}},
                   .collide = pli_collide_body,
                   .a = pli_world_number(world, body)};
    PLI_TRY(open_query(&call, def, contacts, &asked.query));
    PLI_TRY(check_self(&call, &asked.query, asked.query.def.includes_self));
    return run_query(&asked, contacts);
}

PliantResult pliant_bodies_collide(PliantWorld *world, PliantBody a, PliantBody b,
                                   const PliantCollideDef *def, PliantContacts *contacts)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    Asked asked = {.query = {.base = {.world = world}},
                   .collide = pli_collide_two,
                   .a = pli_world_number(world, body_a),
                   .b = pli_world_number(world, body_b)};
    PLI_TRY(open_query(&call, def, contacts, &asked.query));
    PLI_TRY(check_self(&call, &asked.query, body_a == body_b));
    return run_query(&asked, contacts);
}

/* What is asked of pairs of bodies. */
typedef struct AskedPairs {
    PliantWorld *world;
    PliantBodyPairsDef def;
    bool is_limit_reached;
} AskedPairs;

static PliantResult list_pairs(void *data)
{
    AskedPairs *asked = data;
    return pli_world_list_pairs(asked->world, &asked->def, &asked->is_limit_reached);
}

PliantResult pliant_world_body_pairs(PliantWorld *world, const PliantBodyPairsDef *given,
                                     PliantBodyPairs *pairs)
{
    PLI_ASK_WORLD(world);
    AskedPairs asked = {.world = world};
    PLI_TRY(pli_body_pairs_open(&call, given, pairs, &asked.def));
    PLI_TRY(pli_world_ask(world, asked.def.progress, asked.def.user, list_pairs, &asked));
    pli_body_pairs_close(world, &world->body_pairs, asked.is_limit_reached, pairs);
    return PLIANT_OK;
}
