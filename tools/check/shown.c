/* Rays from places: see shown.h. */
#include "check/shown.h"
#include "report/text.h"

#include <pliant/rays.h>

#include <math.h>
#include <string.h>

/* Rays begin this part of the model's size away from a point: it is on two surfaces. */
#define OFFSET 1e-4

/* Some points of a place: every stride-th of `all`. */
typedef struct Points {
    int64_t all, stride;
    float at[SHOWN_POINTS][3];
    int count;
} Points;

/* Two passes over all points of a place: one that counts them, and one that keeps some. */
static void begin_pass(Points *points)
{
    points->stride = (points->all + SHOWN_POINTS - 1) / SHOWN_POINTS;
    points->all = 0;
}

static void add_point(Points *points, const float *position)
{
    if (points->stride > 0 && points->all % points->stride == 0 && point_is_finite(position))
        memcpy(points->at[points->count++], position, sizeof *points->at);
    points->all++;
}

/* ---- Points of curves --------------------------------------------------------------------------
 */

static bool has_triangle(const PliantRegions *regions, const PliantRegionPart *part, int32_t number)
{
    for (int64_t i = 0; i < part->triangle_count; i++)
        if (regions->triangles[part->first_triangle + i] == number)
            return true;
    return false;
}

/* Is a region the place that was written? Of what has no triangle, as what vertices alone tell, all
 * that is new is. */
static bool is_of_place(const Measured *measured, const PliantRegions *regions,
                        const PliantRegion *region, const ReportRegion *place)
{
    if (place && place->deepest_triangle >= 0)
        return has_triangle(regions, &region->parts[place->inner], place->deepest_triangle);
    return !measured->known->a || measure_curve_has(measured->known, regions, region, false);
}

static void add_curves(const Measured *measured, const PliantRegions *regions,
                       const ReportRegion *place, Points *points)
{
    for (int64_t r = 0; r < regions->count; r++) {
        const PliantRegion *region = &regions->items[r];
        if (!is_of_place(measured, regions, region, place))
            continue;
        for (int64_t c = 0; c < region->curve_count; c++) {
            const PliantCurve *curve = &regions->curves[region->first_curve + c];
            for (int64_t i = 0; i < curve->point_count; i++)
                add_point(points, regions->points[curve->first_point + i].position);
        }
    }
}

/* ---- Points of triangles -----------------------------------------------------------------------
 */

static PliantResult add_middle(const Measured *measured, int side, int32_t triangle, Points *points)
{
    float corners[9], middle[3];
    if (points->stride == 0 || points->all % points->stride != 0) {
        points->all++;
        return PLIANT_OK;
    }
    const PliantResult result = pliant_body_corners(
        measured->bodies->world, measured_body(measured, side)->body, &triangle, 1, corners, 1);
    for (int k = 0; k < 3 && result == PLIANT_OK; k++)
        middle[k] = (corners[k] + corners[3 + k] + corners[6 + k]) / 3;
    if (result == PLIANT_OK)
        add_point(points, middle);
    return result;
}

/* What is contained has no curve: all of the part that is inside. What is coincident may have none:
 * all of the first part that touches the other. */
static PliantResult add_triangles(const Measured *measured, const PliantContacts *contacts,
                                  const ReportRow *row, Points *points)
{
    const int side = row->contained == CONTAINED_B ? 1 : 0;
    const bool is_part = row->contained != CONTAINED_NONE;
    const int64_t count =
        is_part ? measured_body(measured, side)->shape->part->triangle_count : contacts->count;
    PliantResult result = PLIANT_OK;
    for (int64_t i = 0; i < count && result == PLIANT_OK; i++) {
        const int32_t triangle = is_part ? (int32_t)i : contacts->items[i].triangle_a;
        if (is_part || !found_is_known(measured->known, triangle, contacts->items[i].triangle_b))
            result = add_middle(measured, side, triangle, points);
    }
    return result;
}

/* ---- Rays --------------------------------------------------------------------------------------
 */

static int64_t add_rays(const Measured *measured, const float point[3], PliantRay *rays)
{
    int64_t count = 0;
    for (int d = 0; d < 27; d++) {
        const int steps[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
        const double length = sqrt(steps[0] * steps[0] + steps[1] * steps[1] + steps[2] * steps[2]);
        const double offset = length > 0 ? OFFSET * measured->report->size / length : 0;
        PliantRay *ray = &rays[count];
        if (length == 0)
            continue;
        for (int k = 0; k < 3; k++) {
            ray->direction[k] = (float)steps[k];
            ray->origin[k] = (float)(point[k] + offset * steps[k]);
        }
        ray->max = INFINITY;
        count++;
    }
    return count;
}

/* The share of points of which some ray hits nothing; -1: there are none. */
static PliantResult cast(const Measured *measured, const Points *points, double *shown)
{
    PliantRay rays[SHOWN_POINTS * SHOWN_DIRECTIONS] = {0};
    int hit_counts[SHOWN_POINTS] = {0}, seen = 0;
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    int64_t count = 0;
    def.kind = PLIANT_ANY_HIT;
    for (int p = 0; p < points->count; p++)
        count += add_rays(measured, points->at[p], rays + count);
    const PliantResult result =
        pliant_world_cast_rays(measured->bodies->world, &def, rays, count, &hits);
    for (int64_t i = 0; i < hits.count && result == PLIANT_OK; i++)
        hit_counts[hits.items[i].ray / SHOWN_DIRECTIONS]++;
    for (int p = 0; p < points->count; p++)
        seen += hit_counts[p] < SHOWN_DIRECTIONS;
    *shown = points->count > 0 ? text_round((double)seen / points->count, 4, 0) : -1;
    return result;
}

/* ---- Rows --------------------------------------------------------------------------------------
 */

/* Takes alternatives away, or brings them back. */
static PliantResult hide_others(const Measured *measured, bool is_hidden)
{
    const Report *report = measured->report;
    PliantResult result = PLIANT_OK;
    for (int32_t p = 0; p < report->part_count && result == PLIANT_OK; p++)
        if (report->parts[p].list > 0 && p != measured->pair->a && p != measured->pair->b)
            result =
                pliant_body_set_filter(measured->bodies->world, measured->bodies->items[p].body,
                                       is_hidden ? 0 : UINT32_MAX, UINT32_MAX);
    return result;
}

static PliantResult find_place(const Measured *measured, const PliantContacts *contacts,
                               const PliantRegions *regions, const ReportRegion *place,
                               const ReportRow *row, double *shown)
{
    Points points = {.count = 0};
    PliantResult result = PLIANT_OK;
    for (int pass = 0; pass < 2; pass++, begin_pass(&points))
        add_curves(measured, regions, place, &points);
    if (points.count == 0) {
        points = (Points){.count = 0};
        for (int pass = 0; pass < 2 && result == PLIANT_OK; pass++, begin_pass(&points))
            result = add_triangles(measured, contacts, row, &points);
    }
    return result == PLIANT_OK ? cast(measured, &points, shown) : result;
}

/* The row's share is that of the place of the greatest depth that shows. */
static PliantResult find_places(const Measured *measured, const PliantContacts *contacts,
                                const PliantRegions *regions, ReportRow *row)
{
    PliantResult result = PLIANT_OK;
    double most = 0;
    if (row->region_count == 0)
        return find_place(measured, contacts, regions, NULL, row, &row->shown);
    for (int32_t i = 0; i < row->region_count && i < SHOWN_PLACES && result == PLIANT_OK; i++) {
        ReportRegion *place = &row->regions[i];
        result = find_place(measured, contacts, regions, place, row, &place->shown);
        if (i == 0 || place->depth * place->shown > most) {
            row->shown = place->shown;
            most = place->depth * place->shown;
        }
    }
    return result;
}

bool shown_measure(const Measured *measured, const PliantContacts *contacts, ReportRow *row,
                   char error[400])
{
    PliantRegionsDef def = pliant_regions_def_default();
    PliantRegions regions = pliant_regions_default();
    def.depth_tolerance = INFINITY;
    PliantResult result =
        pliant_contacts_regions(measured->bodies->world, contacts, &def, &regions);
    if (result == PLIANT_OK)
        result = hide_others(measured, true);
    if (result == PLIANT_OK)
        result = find_places(measured, contacts, &regions, row);
    const PliantResult last = hide_others(measured, false);
    result = result == PLIANT_OK ? last : result;
    return result == PLIANT_OK || measured_fail(measured, result, error);
}
