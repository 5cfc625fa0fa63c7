/* Regions of contacts: see pliant/regions.h. */
#include "api/checks.h"
#include "world/crew.h"
#include "world/surfaces.h"

#include <inttypes.h>
#include <math.h>

#define CONTACTS_SIZE PLI_RECORD_SIZE(PliantContacts, is_limit_reached)
#define DEF_SIZE PLI_RECORD_SIZE(PliantRegionsDef, user)
#define REGIONS_SIZE PLI_RECORD_SIZE(PliantRegions, vertex_count)

static PliantResult check_contacts(const PliCall *call, PliantWorld *world,
                                   const PliantContacts *contacts)
{
    PLI_CHECK(call, contacts->count >= 0, PLIANT_BAD_ARGUMENT, "contacts.count is %" PRId64,
              contacts->count);
    PLI_CHECK(call, contacts->items || contacts->count == 0, PLIANT_BAD_ARGUMENT,
              "contacts.items is NULL: the query has only counted");
    PLI_CHECK(
        call, contacts->stamp != 0, PLIANT_BAD_ARGUMENT,
        "contacts.stamp is 0: no query has filled this record, or an approximate one; the exact "
        "contacts of a query are needed");
    PLI_CHECK(call, !contacts->is_limit_reached, PLIANT_BAD_ARGUMENT,
              "contacts are limited: all are needed");
    for (int64_t i = 0; i < contacts->count; i++) {
        const PliantContact *contact = &contacts->items[i];
        PLI_CHECK_BODY(call, world, "a body of contacts", contact->body_a, a);
        PLI_CHECK_BODY(call, world, "a body of contacts", contact->body_b, b);
        PLI_CHECK(call,
                  contact->triangle_a >= 0 && contact->triangle_a < a->pose.number_count &&
                      contact->triangle_b >= 0 && contact->triangle_b < b->pose.number_count,
                  PLIANT_BAD_ARGUMENT,
                  "contacts.items[%" PRId64 "] has triangles %" PRId32 " and %" PRId32, i,
                  contact->triangle_a, contact->triangle_b);
    }
    PLI_CHECK(call, pli_stamp_has_hashes(contacts->stamp), PLIANT_BAD_ARGUMENT,
              "contacts are those of PLIANT_FIRST_PAIRS or PLIANT_ANY_PAIR: all are needed");
    return pli_contacts_check_stamp(call, world, contacts);
}

/* What is asked. */
typedef struct Asked {
    const PliCall *call;
    PliantWorld *world;
    const PliantContacts *contacts;
    PliantRegionsDef def;
} Asked;

static PliantResult find(void *data)
{
    const Asked *asked = data;
    PLI_TRY(check_contacts(asked->call, asked->world, asked->contacts));
    return pli_world_find_regions(asked->world, asked->contacts, &asked->def);
}

/* Those of the regions that the limit leaves. */
static int64_t count_pieces(const PliRegions *found, const PliantRegionsDef *def)
{
    const PliantRegionPiece *pieces = found->all_pieces.items;
    int64_t count = found->all_pieces.count;
    while (count > 0 && def->max_region_count > 0 &&
           pieces[count - 1].region >= def->max_region_count)
        count--;
    return count;
}

PliantResult pliant_contacts_regions(PliantWorld *world, const PliantContacts *contacts,
                                     const PliantRegionsDef *given, PliantRegions *regions)
{
    PLI_ASK_WORLD(world);
    Asked asked = {&call, world, contacts, pliant_regions_def_default()};
    const PliantRegionsDef *def = &asked.def;
    PLI_CHECK_OUTPUT(&call, "contacts", "pliant_contacts_default", contacts, CONTACTS_SIZE);
    PLI_CHECK_OUTPUT(&call, "regions", "pliant_regions_default", regions, REGIONS_SIZE);
    PLI_READ_DEF(&call, "pliant_regions_def_default", given, &asked.def, DEF_SIZE);
    PLI_CHECK(&call, def->depth_tolerance >= 0.0001f, PLIANT_BAD_ARGUMENT,
              "def.depth_tolerance is %g: at least 0.0001 is needed", (double)def->depth_tolerance);
    PLI_CHECK_LIMIT(&call, "def.max_region_count", def->max_region_count);
    PLI_CHECK(&call, def->piece_size >= 0 && isfinite(def->piece_size), PLIANT_BAD_ARGUMENT,
              "def.piece_size is %g: 0 or more is needed", (double)def->piece_size);
    PLI_CHECK(&call,
              def->depth_tolerance < INFINITY || (!def->with_vertex_depths && def->piece_size == 0),
              PLIANT_BAD_ARGUMENT, "def.depth_tolerance is infinity: def.%s needs depth",
              def->with_vertex_depths ? "with_vertex_depths" : "piece_size");
    PLI_TRY(pli_world_ask(world, def->progress, def->user, find, &asked));
    const PliRegions *found = &world->regions;
    const bool is_limit_reached =
        def->max_region_count > 0 && found->regions.count > def->max_region_count;
    const PliantRegions answer = {
        .items = found->regions.items,
        .count = is_limit_reached ? def->max_region_count : found->regions.count,
        .stamp = pli_world_stamp(world),
        .is_limit_reached = is_limit_reached,
        .curves = found->curves.items,
        .curve_count = found->curves.count,
        .points = found->points.items,
        .point_count = found->points.count,
        .triangles = found->triangles.items,
        .triangle_count = found->triangles.count,
        .vertices = found->vertices.items,
        .vertex_count = found->vertices.count,
        .vertex_depths = def->with_vertex_depths ? found->depths.items : NULL,
        .pieces = found->all_pieces.items,
        .piece_count = count_pieces(found, def)};
    pli_record_write(regions, REGIONS_SIZE, &answer, sizeof answer);
    return PLIANT_OK;
}
