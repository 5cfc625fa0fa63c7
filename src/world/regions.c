/* Regions of contacts: see pliant/regions.h. */
#include "base/cpu.h"
#include "world/corners.h"

/* A body as src/regions sees it. */
typedef struct Subject {
    PliantWorld *world;
    PliBody *body;
    PliPoseFeatures features;
    PliSurface surface;
} Subject;

/* PliSurface.fetch. */
static PliantResult fetch(void *user, const int32_t *triangles, int64_t count, float *corners)
{
    const Subject *subject = user;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PliArray *keys = &subject->world->corner_keys;
    PLI_TRY(pli_array_reserve_spare(keys, &subject->world->host, 2 * count));
    return pli_world_fetch_corners(subject->body, triangles, (int32_t)count, keys->items,
                                   &subject->world->first.worker, corners);
}

/* PliSurface.find_nearest. */
static PliantResult find_nearest(void *user, const float *point, const uint8_t *skips,
                                 PliNearest *nearest)
{
    const Subject *subject = user;
    PliPointSearch *search = &subject->world->point_search;
    PliPose *pose = &subject->body->pose;
    if (search->pose != pose) {
        const PliantBody handle =
            pli_world_handle(subject->world, pli_world_number(subject->world, subject->body));
        PLI_TRY(pli_point_search_set_pose(search, pose, handle));
    }
    PliantClosestPoint found = pli_point_search_nothing();
    search->skips = skips;
    PLI_TRY(pli_point_search_find(search, point, &found));
    *nearest = (PliNearest){.triangle = found.triangle, .distance = found.distance};
    memcpy(nearest->position, found.position, sizeof nearest->position);
    memcpy(nearest->corners, search->corners, sizeof nearest->corners);
    return PLIANT_OK;
}

static PliantResult set_subject(Subject *subject, PliantWorld *world, PliBody *body)
{
    PliPose *pose = &body->pose;
    *subject = (Subject){.world = world, .body = body};
    pli_world_update_body(world, body);
    PLI_TRY(pose->kind->features(pose, &world->host, &subject->features));
    const bool is_apart = subject->features.are_apart; /* nothing is shared where seams are open */
    subject->surface = (PliSurface){.features = is_apart ? NULL : subject->features.shared,
                                    .corners = subject->features.corners,
                                    .rest = subject->features.rest,
                                    .triangle_count = pose->number_count,
                                    .is_closed = pli_pose_is_closed(pose),
                                    .user = subject,
                                    .fetch = fetch,
                                    .find_nearest = find_nearest};
    return PLIANT_OK;
}

/* The regions of two bodies, or of one. */
static PliantResult find_regions(PliantWorld *world, const PliantContact *contacts, int64_t count)
{
    const PliantBody a = contacts->body_a, b = contacts->body_b;
    const bool is_self = a.index == b.index;
    PliBody *bodies[2] = {pli_world_body(world, a), pli_world_body(world, b)};
    PliRegions *regions = &world->regions;
    Subject subjects[2];
    for (int i = 0; i < (is_self ? 1 : 2); i++) {
        PLI_TRY(set_subject(&subjects[i], world, bodies[i]));
        if (subjects[i].features.are_points)
            return PLIANT_OK;
    }
    PLI_TRY(pli_array_reserve_spare(&regions->pairs, &world->host, count));
    regions->pairs.count = count;
    uint64_t *pairs = regions->pairs.items;
    for (int64_t i = 0; i < count; i++)
        pairs[i] = (uint64_t)contacts[i].triangle_a << 32 | (uint32_t)contacts[i].triangle_b;
    const PliantResult result = pli_regions_find(regions, &subjects[0].surface,
                                                 is_self ? NULL : &subjects[1].surface, a, b);
    for (int i = 0; i < (is_self ? 1 : 2); i++)
        pli_world_count(world, bodies[i], i == 0 ? PLI_SIDE_A : PLI_SIDE_B);
    return result;
}

static bool are_same_bodies(const PliantContact *a, const PliantContact *b)
{
    return a->body_a.index == b->body_a.index && a->body_b.index == b->body_b.index;
}

/* Pairs of bodies one after the other. */
static PLI_NOINLINE PliantResult find_all(PliantWorld *world, const PliantContacts *contacts,
                                          float tolerance)
{
    const PliantContact *items = contacts->items;
    pli_world_start(world);
    pli_regions_start(&world->regions, tolerance);
    pli_point_search_start(&world->point_search, INFINITY);
    for (int64_t i = 0, end; i < contacts->count; i = end) {
        for (end = i + 1; end < contacts->count && are_same_bodies(&items[i], &items[end]);)
            end++;
        PLI_TRY(find_regions(world, items + i, end - i));
    }
    return PLIANT_OK;
}

/* ---- The public call --------------------------------------------------------------------------
 */

#define CONTACTS_SIZE PLI_RECORD_SIZE(PliantContacts, is_limit_reached)
#define DEF_SIZE PLI_RECORD_SIZE(PliantRegionsDef, depth_tolerance)
#define REGIONS_SIZE PLI_RECORD_SIZE(PliantRegions, vertex_count)

static PliantResult check_contacts(const PliCall *call, const PliantWorld *world,
                                   const PliantContacts *contacts)
{
    PLI_CHECK(call, contacts->count >= 0, PLIANT_BAD_ARGUMENT, "contacts.count is %" PRId64,
              contacts->count);
    PLI_CHECK(call, contacts->items || contacts->count == 0, PLIANT_BAD_ARGUMENT,
              "contacts.items is NULL: the query has only counted");
    PLI_CHECK(call, contacts->approximations == 0 && !contacts->is_limit_reached,
              PLIANT_BAD_ARGUMENT, "contacts are approximate or limited: all are needed");
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
    return PLIANT_OK;
}

PliantResult pliant_contacts_regions(PliantWorld *world, const PliantContacts *contacts,
                                     const PliantRegionsDef *given, PliantRegions *regions)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PliantRegionsDef def = pliant_regions_def_default();
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_CHECK_OUTPUT(&call, "contacts", contacts, CONTACTS_SIZE);
    PLI_CHECK_OUTPUT(&call, "regions", regions, REGIONS_SIZE);
    PLI_CHECK(&call,
              !given || pli_record_read(&def, sizeof def, DEF_SIZE, given, given->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_regions_def_default()",
              given->struct_size);
    PLI_CHECK(&call, def.depth_tolerance >= 0.0001f, PLIANT_BAD_ARGUMENT,
              "def.depth_tolerance is %g: at least 0.0001 is needed", (double)def.depth_tolerance);
    PLI_TRY(check_contacts(&call, world, contacts));
    const PliFpMode caller = pli_fp_enter();
    const PliantResult result = find_all(world, contacts, def.depth_tolerance);
    world->point_search.skips = NULL;
    pli_fp_leave(caller);
    PLI_TRY(result);
    const PliRegions *found = &world->regions;
    const PliantRegions answer = {.items = found->regions.items,
                                  .count = found->regions.count,
                                  .curves = found->curves.items,
                                  .curve_count = found->curves.count,
                                  .points = found->points.items,
                                  .point_count = found->points.count,
                                  .triangles = found->triangles.items,
                                  .triangle_count = found->triangles.count,
                                  .vertices = found->vertices.items,
                                  .vertex_count = found->vertices.count};
    pli_record_write(regions, REGIONS_SIZE, &answer, sizeof answer);
    return PLIANT_OK;
}
