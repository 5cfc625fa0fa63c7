/* What the triangles of contacts have in common: see pliant/intersections.h.
 *
 * Contacts come by pairs of bodies. Those of one pair are taken in portions: the corners of their
 * triangles are fetched by leaves (corners.c), and each two are intersected (geom/common.h).
 */
#include "base/cpu.h"
#include "geom/common.h"
#include "world/corners.h"

#include <inttypes.h>

static bool is_same_body(PliantBody a, PliantBody b)
{
    return a.index == b.index && a.serial == b.serial;
}

/* How many of the contacts that are left are taken together. */
static int32_t portion_at(const PliantContact *items, int64_t left)
{
    int32_t count = 1;
    while (count < left && count < PLI_INTERSECTION_PORTION &&
           is_same_body(items[count].body_a, items->body_a) &&
           is_same_body(items[count].body_b, items->body_b))
        count++;
    return count;
}

static PliantResult fetch_side(PliantWorld *world, const PliantContact *items, int32_t count,
                               PliSide side, PliIntersectionScratch *scratch)
{
    PliBody *body = pli_world_body(world, side == PLI_SIDE_A ? items->body_a : items->body_b);
    for (int32_t i = 0; i < count; i++)
        scratch->triangles[i] = side == PLI_SIDE_A ? items[i].triangle_a : items[i].triangle_b;
    return pli_world_fetch_corners(body, scratch->triangles, count, scratch->keys,
                                   &world->first.worker, scratch->corners[side][0]);
}

static PliantIntersectionPoint rounded(const PliCommonPoint *point)
{
    PliantIntersectionPoint result = {.corners_a = point->a_corners, .corners_b = point->b_corners};
    for (int k = 0; k < 3; k++) {
        result.position[k] = (float)point->position[k];
        result.weights_a[k] = (float)point->a_weights[k];
        result.weights_b[k] = (float)point->b_weights[k];
    }
    return result;
}

/* Appends the intersection of two triangles. If there is none, the answer of a query is stale. */
static PliantResult intersect(const PliCall *call, PliantWorld *world, const float *a,
                              const float *b, int64_t contact, bool has_stamp)
{
    PliCommon common;
    PliCounts counts = {0};
    void *memory;
    pli_triangles_common(a, b, &common, &counts);
    PLI_CHECK(call, common.count > 0, has_stamp ? PLIANT_STALE : PLIANT_BAD_ARGUMENT,
              "contacts.items[%" PRId64 "]: the triangles have nothing in common", contact);
    PliantIntersection *intersection =
        (PliantIntersection *)world->intersections.items + world->intersections.count++;
    *intersection = (PliantIntersection){world->intersection_points.count, common.count, 0};
    PLI_TRY(pli_array_push(&world->intersection_points, &world->host, common.count, &memory));
    PliantIntersectionPoint *points = memory;
    for (int i = 0; i < common.count; i++)
        points[i] = rounded(&common.points[i]);
    return PLIANT_OK;
}

/* The first `total` contacts. */
static PLI_NOINLINE PliantResult intersect_all(const PliCall *call, PliantWorld *world,
                                               const PliantContacts *contacts, int64_t total)
{
    world->intersections.count = world->intersection_points.count = 0;
    world->control.total = total;
    PLI_TRY(pli_array_reserve(&world->intersection_scratch, &world->host, 1));
    PLI_TRY(pli_array_reserve(&world->intersections, &world->host, total));
    PliIntersectionScratch *scratch = world->intersection_scratch.items;
    for (int64_t first = 0; first < total;) {
        const PliantContact *items = contacts->items + first;
        const int32_t count = portion_at(contacts->items + first, total - first);
        PLI_TRY(pli_control_check(&world->control));
        PLI_TRY(fetch_side(world, items, count, PLI_SIDE_A, scratch));
        PLI_TRY(fetch_side(world, items, count, PLI_SIDE_B, scratch));
        for (int32_t i = 0; i < count; i++)
            PLI_TRY(intersect(call, world, scratch->corners[PLI_SIDE_A][i],
                              scratch->corners[PLI_SIDE_B][i], first + i, contacts->stamp != 0));
        first += count;
        pli_control_count(&world->control, count);
    }
    return PLIANT_OK;
}

/* ---- The public call ------------------------------------------------------------------------ */

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

PliantResult pliant_contacts_intersections(PliantWorld *world, const PliantContacts *contacts,
                                           const PliantIntersectionsDef *given,
                                           PliantIntersections *intersections)
{
    PLI_ASK_WORLD(world);
    PliantIntersectionsDef def = pliant_intersections_def_default();
    PLI_CHECK_OUTPUT(&call, "contacts", "pliant_contacts_default", contacts, CONTACTS_SIZE);
    PLI_CHECK_OUTPUT(&call, "intersections", "pliant_intersections_default", intersections,
                     INTERSECTIONS_SIZE);
    PLI_CHECK(
        &call, !given || pli_record_read(&def, sizeof def, DEF_SIZE, given, given->struct_size),
        PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_intersections_def_default()",
        given->struct_size);
    PLI_CHECK(&call, def.max_intersection_count >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_intersection_count is %" PRId64 ": 0, or a number above 0",
              def.max_intersection_count);
    const bool is_limit_reached =
        def.max_intersection_count > 0 && contacts->count > def.max_intersection_count;
    pli_world_start(world, def.progress, def.user);
    PLI_TRY(check_contacts(&call, world, contacts));
    const PliFpMode caller = pli_fp_enter();
    const PliantResult result = intersect_all(
        &call, world, contacts, is_limit_reached ? def.max_intersection_count : contacts->count);
    pli_fp_leave(caller);
    PLI_TRY(result);
    const PliantIntersections found = {.items = world->intersections.items,
                                       .count = world->intersections.count,
                                       .stamp = pli_world_stamp(world),
                                       .is_limit_reached = is_limit_reached,
                                       .points = world->intersection_points.items,
                                       .point_count = world->intersection_points.count};
    pli_record_write(intersections, INTERSECTIONS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}
