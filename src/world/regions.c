/* Regions of contacts: see surfaces.h. */
#include "decide/corners.h"
#include "regions/outline.h"
#include "regions/patches.h"
#include "world/crew.h"
#include "world/surfaces.h"

/* A body as src/regions sees it. */
typedef struct Subject {
    PliantWorld *world;
    PliBody *body;
    PliPoseFeatures features;
    PliSurface surface;
    PliPosedBoundary *boundary;
} Subject;

/* PliSurface.fetch. */
static PliantResult fetch(void *user, PliRegionScratch *scratch, const int32_t *triangles,
                          int64_t count, float *corners)
{
    const Subject *subject = user;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_worker_check(scratch->worker));
    PLI_TRY(pli_array_reserve_spare(&scratch->keys, scratch->worker->host, 2 * count));
    return pli_fetch_corners(&subject->body->pose, triangles, (int32_t)count, scratch->keys.items,
                             scratch->worker, corners);
}

/* Searches the pose of the subject from now on. */
static PliantResult search_for(const Subject *subject, PliPointSearch *search)
{
    PliPose *pose = &subject->body->pose;
    return search->pose == pose
               ? PLIANT_OK
               : pli_point_search_set_pose(
                     search, pose,
                     pli_world_handle(subject->world,
                                      pli_world_number(subject->world, subject->body)));
}

/* PliSurface.find_nearest. */
static PliantResult find_nearest(void *user, PliRegionScratch *scratch, const float *point,
                                 const uint8_t *skips, PliNearest *nearest)
{
    enum { CHECK_PERIOD = 64 };
    const Subject *subject = user;
    if (++scratch->search_count % CHECK_PERIOD == 0)
        PLI_TRY(pli_worker_check(scratch->worker));
    PliPointSearch *search = scratch->points;
    PLI_TRY(search_for(subject, search));
    PliantClosestPoint found = pli_point_search_nothing();
    search->skips = skips;
    search->triangle_end = subject->features.first_segment;
    const PliantResult result = pli_point_search_find(search, point, &found);
    search->skips = NULL;
    search->triangle_end = INT32_MAX;
    PLI_TRY(result);
    *nearest = (PliNearest){.triangle = found.triangle, .distance = found.distance};
    memcpy(nearest->position, found.position, sizeof nearest->position);
    memcpy(nearest->corners, search->corners, sizeof nearest->corners);
    return PLIANT_OK;
}

/* PliSurface.wind. */
static PliantResult wind(void *user, PliRegionScratch *scratch, const float *point,
                         PliWinding *winding)
{
    const Subject *subject = user;
    PLI_TRY(pli_worker_check(scratch->worker));
    PLI_TRY(search_for(subject, scratch->points));
    return pli_point_search_wind(scratch->points, subject->boundary, point, winding);
}

/* PliSurface.is_inside. */
static PliantResult is_inside(void *user, PliRegionScratch *scratch, const float *point,
                              int32_t shell, bool *is_so)
{
    const Subject *subject = user;
    PliPointSearch *search = scratch->points;
    PLI_TRY(pli_worker_check(scratch->worker));
    PLI_TRY(search_for(subject, search));
    search->features = shell >= 0 ? subject->surface.features : NULL;
    search->shell = shell;
    const PliantResult result = pli_point_search_is_inside(search, subject->boundary, point, is_so);
    search->features = NULL;
    return result;
}

/* PliSurface.wind_change. */
static PliantResult wind_change(void *user, PliRegionScratch *scratch, const float *point,
                                double radius, double *change)
{
    const Subject *subject = user;
    return pli_posed_boundary_change(subject->boundary, scratch->worker, point, radius, change);
}

/* PliSurface.find_overlaps. */
static PliantResult find_overlaps(void *user, PliRegionScratch *scratch, const PliBox *box,
                                  PliArray *overlaps)
{
    const Subject *subject = user;
    PLI_TRY(pli_worker_check(scratch->worker));
    PLI_TRY(search_for(subject, scratch->points));
    scratch->points->triangle_end = subject->features.first_segment;
    const PliantResult result = pli_point_search_overlaps(scratch->points, box, overlaps);
    scratch->points->triangle_end = INT32_MAX;
    return result;
}

/* Is a closed body inside out? Then its winding number is -1 in front of its triangles, and 0
 * behind them. Some of the triangles that touch the other body tell: the first at which one side is
 * outside. */
static PliantResult find_inside_out(Subject *subject, const uint64_t *pairs, int64_t count,
                                    int which)
{
    enum { SAMPLES = 8 };
    PliantWorld *world = subject->world;
    PliSurface *surface = &subject->surface;
    if (!surface->is_closed)
        return PLIANT_OK;
    for (int64_t i = 0; i < SAMPLES && i < count; i++) {
        const uint64_t pair = pairs[i * count / (count < SAMPLES ? count : SAMPLES)];
        const int32_t triangle = (int32_t)(which == 0 ? pair >> 32 : pair & UINT32_MAX);
        float corners[PLI_ROW_SIZE], point[3];
        PliWinding winding;
        PLI_TRY(fetch(subject, &world->first.regions, &triangle, 1, corners));
        if (!pli_is_finite(corners, PLI_ROW_SIZE) ||
            !pli_find_beside(corners, false, pli_triangle_moments(corners).centroid, point))
            continue;
        PLI_TRY(wind(subject, &world->first.regions, point, &winding));
        surface->is_inside_out = winding.nearest == -1;
        if (winding.nearest == 0 || surface->is_inside_out)
            break;
    }
    pli_world_count(world, subject->body, PLI_SIDE_A);
    return PLIANT_OK;
}

static PliantResult set_subject(Subject *subject, PliantWorld *world, PliBody *body, int which)
{
    PliPose *pose = &body->pose;
    *subject = (Subject){.world = world, .body = body, .boundary = &world->boundaries[which]};
    pli_world_update_body(world, body);
    PLI_TRY(pose->kind->features(pose, &world->body_host, &subject->features));
    const bool is_apart = subject->features.are_apart; /* nothing is shared where seams are open */
    subject->surface = (PliSurface){.features = is_apart ? NULL : subject->features.shared,
                                    .corners = subject->features.corners,
                                    .rest = subject->features.rest,
                                    .triangle_count = pose->number_count,
                                    .is_closed = pli_pose_is_closed(pose),
                                    .user = subject,
                                    .fetch = fetch,
                                    .find_nearest = find_nearest,
                                    .wind = wind,
                                    .is_inside = is_inside,
                                    .wind_change = wind_change,
                                    .find_overlaps = find_overlaps};
    PLI_TRY(
        pli_posed_boundary_find(subject->boundary, pose, &subject->features, &world->first.worker));
    subject->surface.boundary_count = subject->boundary->edges.count;
    return pli_posed_boundary_chain(subject->boundary, world->first.worker.host);
}

/* Lets all workers read a body. Which nodes of a soup are reached depends on the point that was
 * searched for before, and a soup keeps their order: one worker searches it. */
static PliantResult share(Subject *subject)
{
    PliantWorld *world = subject->world;
    if (pli_worker_crew_count(&world->first.worker) == 1 || pli_soup_of(&subject->body->pose))
        world->regions.min_divided = INT64_MAX;
    return world->regions.min_divided == INT64_MAX
               ? PLIANT_OK
               : pli_bounds_share(&subject->body->pose.bounds, &world->body_host);
}

/* The regions of the pairs, by all workers if there are enough. */
static PliantResult find_shared(Subject *subjects, int count, PliantBody a, PliantBody b)
{
    enum { MIN_DIVIDED = 256 }; /* triangles, or pairs of them */
    PliantWorld *world = subjects->world;
    PliantResult result = PLIANT_OK;
    world->regions.min_divided = world->divides_everything ? 0 : MIN_DIVIDED;
    for (int i = 0; i < count && result == PLIANT_OK; i++)
        result = share(&subjects[i]);
    if (result == PLIANT_OK)
        result = pli_regions_find(&world->regions, &subjects[0].surface,
                                  count == 1 ? NULL : &subjects[1].surface, a, b);
    for (int i = 0; i < count; i++)
        pli_bounds_unshare(&subjects[i].body->pose.bounds);
    return result;
}

/* Lists contacts of triangles: segments, which have no area, bound no region. */
static PliantResult list_pairs(PliRegions *regions, const PliantContact *contacts, int64_t count,
                               int32_t a_end, int32_t b_end)
{
    PLI_TRY(pli_array_reserve_spare(&regions->pairs, regions->host, count));
    uint64_t *end = regions->pairs.items;
    for (int64_t i = 0; i < count; i++)
        if (contacts[i].triangle_a < a_end && contacts[i].triangle_b < b_end)
            *end++ = (uint64_t)contacts[i].triangle_a << 32 | (uint32_t)contacts[i].triangle_b;
    regions->pairs.count = end - (uint64_t *)regions->pairs.items;
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
        PLI_TRY(set_subject(&subjects[i], world, bodies[i], i));
        if (subjects[i].features.are_points)
            return PLIANT_OK;
    }
    PLI_TRY(list_pairs(regions, contacts, count, subjects[0].features.first_segment,
                       subjects[is_self ? 0 : 1].features.first_segment));
    if (regions->pairs.count == 0)
        return PLIANT_OK;
    for (int i = 0; i < 2 && !is_self; i++)
        PLI_TRY(find_inside_out(&subjects[i], regions->pairs.items, regions->pairs.count, i));
    const PliantResult result = find_shared(subjects, is_self ? 1 : 2, a, b);
    for (int i = 0; i < (is_self ? 1 : 2); i++)
        pli_world_count(world, bodies[i], i == 0 ? PLI_SIDE_A : PLI_SIDE_B);
    return result;
}

static bool are_same_bodies(const PliantContact *a, const PliantContact *b)
{
    return a->body_a.index == b->body_a.index && a->body_b.index == b->body_b.index;
}

/* Pairs of bodies one after the other. */
PliantResult pli_world_find_regions(PliantWorld *world, const PliantContacts *contacts,
                                    const PliantRegionsDef *def)
{
    const PliantContact *items = contacts->items;
    const int64_t most = def->max_region_count > 0 ? def->max_region_count : INT64_MAX;
    pli_regions_start(&world->regions, def);
    for (int32_t i = 0; i < pli_worker_crew_count(&world->first.worker); i++)
        pli_point_search_start(i == 0 ? &world->first.points : &world->others[i - 1].points,
                               INFINITY);
    world->control.total = contacts->count;
    for (int64_t i = 0, end; i < contacts->count && world->regions.regions.count <= most; i = end) {
        for (end = i + 1; end < contacts->count && are_same_bodies(&items[i], &items[end]);)
            end++;
        PLI_TRY(pli_control_check(&world->control));
        PLI_TRY(find_regions(world, items + i, end - i));
        pli_control_count(&world->control, end - i);
    }
    return PLIANT_OK;
}
