/* What the triangles of contacts have in common: see pliant/intersections.h. */
#include "api/checks.h"
#include "world/crew.h"
#include "world/surfaces.h"

#include <inttypes.h>

#define CONTACTS_SIZE PLI_RECORD_SIZE(PliantContacts, is_limit_reached)
#define DEF_SIZE PLI_RECORD_SIZE(PliantIntersectionsDef, user)
#define INTERSECTIONS_SIZE PLI_RECORD_SIZE(PliantIntersections, point_count)

static PliantResult check_side(const PliCall *call, const PliantWorld *world, int64_t contact,
                               const char *name, PliantBody handle, int32_t triangle)
{
    const PliBody *body = pli_world_body(world, handle);
    PLI_CHECK(call, body, PLIANT_BAD_ID,
              "contacts.items[%" PRId64 "].body_%s is {index %" PRIu32 ", serial %" PRIu32
              "}: no such body in "
              "this world",
              contact, name, handle.index, handle.serial);
    PLI_CHECK(call, triangle >= 0 && triangle < body->pose.number_count, PLIANT_BAD_INDEX,
              "contacts.items[%" PRId64 "].triangle_%s is %" PRId32 ", the body has %" PRId32
              " triangles",
              contact, name, triangle, body->pose.number_count);
    return PLIANT_OK;
}

static PliantResult check_contacts(const PliCall *call, PliantWorld *world,
                                   const PliantContacts *contacts)
{
    PLI_CHECK(call, contacts->count >= 0, PLIANT_BAD_ARGUMENT, "contacts.count is %" PRId64,
              contacts->count);
    PLI_CHECK(call, contacts->items || contacts->count == 0, PLIANT_BAD_ARGUMENT,
              "contacts.items is NULL: contacts were only counted");
    for (int64_t i = 0; i < contacts->count; i++) {
        const PliantContact *contact = &contacts->items[i];
        PLI_TRY(check_side(call, world, i, "a", contact->body_a, contact->triangle_a));
        PLI_TRY(check_side(call, world, i, "b", contact->body_b, contact->triangle_b));
    }
    return pli_contacts_check_stamp(call, world, contacts);
}

/* What is asked. */
typedef struct Asked {
    const PliCall *call;
    PliantWorld *world;
    const PliantContacts *contacts;
    int64_t total; /* of contacts that are taken */
} Asked;

static PliantResult find(void *data)
{
    const Asked *asked = data;
    PLI_TRY(check_contacts(asked->call, asked->world, asked->contacts));
    return pli_world_intersect(asked->call, asked->world, asked->contacts, asked->total);
}

PliantResult pliant_contacts_intersections(PliantWorld *world, const PliantContacts *contacts,
                                           const PliantIntersectionsDef *given,
                                           PliantIntersections *intersections)
{
    PLI_ASK_WORLD(world);
    PliantIntersectionsDef def = pliant_intersections_def_default();
    PLI_CHECK_OUTPUT(&call, "contacts", "pliant_contacts_default", contacts, CONTACTS_SIZE);
    PLI_CHECK_OUTPUT(&call, "intersections", "pliant_intersections_default", intersections,
                     INTERSECTIONS_SIZE);
    PLI_READ_DEF(&call, "pliant_intersections_def_default", given, &def, DEF_SIZE);
    PLI_CHECK_LIMIT(&call, "def.max_intersection_count", def.max_intersection_count);
    const bool is_limit_reached =
        def.max_intersection_count > 0 && contacts->count > def.max_intersection_count;
    Asked asked = {&call, world, contacts,
                   is_limit_reached ? def.max_intersection_count : contacts->count};
    PLI_TRY(pli_world_ask(world, def.progress, def.user, find, &asked));
    const PliantIntersections found = {.items = world->intersections.items,
                                       .count = world->intersections.count,
                                       .stamp = pli_world_stamp(world),
                                       .is_limit_reached = is_limit_reached,
                                       .points = world->intersection_points.items,
                                       .point_count = world->intersection_points.count};
    pli_record_write(intersections, INTERSECTIONS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}
