/* Regions of a cut, as points: see cut_depth.h. */
#include "check/cut_depth.h"
#include "check/measure.h"

#include <stdlib.h>
#include <string.h>

/* What pokes out through a side that is inside may be this much deeper than it: more is a mistake,
 * and no depth that a user should see. */
#define MAX_POKING 2.0

bool cut_side_counts(const PliantRegion *region, int side)
{
    const int inner = measure_inner_side(region);
    const PliantRegionPart *parts = region->parts;
    return inner >= 0 && (side == inner || region->is_inside[side] ||
                          (parts[side].triangle_count > 0 &&
                           parts[side].depth <= MAX_POKING * parts[inner].depth));
}

bool cut_region_counts(const CutWork *work, const PliantRegions *regions,
                       const PliantRegion *region)
{
    return work->is_all || measure_curve_has(&work->news, regions, region, true);
}

/* ---- Points ----------------------------------------------------------------------------------
 */

/* Room for one more region, of so many points. */
static bool make_room(Cut *cut, int64_t point_count)
{
    CutRegion *regions =
        realloc(cut->regions, ((size_t)cut->region_count + 1) * sizeof *cut->regions);
    cut->regions = regions ? regions : cut->regions;
    float(*points)[3] =
        realloc(cut->points, ((size_t)cut->point_count + (size_t)point_count + 1) * sizeof *points);
    cut->points = points ? points : cut->points;
    return regions && points;
}

static void add_point(Cut *cut, const float *position)
{
    memcpy(cut->points[cut->point_count++], position, sizeof *cut->points);
    cut->regions[cut->region_count - 1].point_count++;
}

static void add_curves(Cut *cut, const PliantRegions *regions, const PliantRegion *region)
{
    for (int64_t c = 0; c < region->curve_count; c++) {
        const PliantCurve *curve = &regions->curves[region->first_curve + c];
        for (int64_t i = 0; i < curve->point_count; i++)
            add_point(cut, regions->points[curve->first_point + i].position);
    }
}

static int64_t count_points(const PliantRegions *regions, const PliantRegion *region)
{
    int64_t count = region->parts[0].vertex_count + region->parts[1].vertex_count;
    for (int64_t c = 0; c < region->curve_count; c++)
        count += regions->curves[region->first_curve + c].point_count;
    return count;
}

static PliantResult add_region(const CutWork *work, const PliantRegions *regions,
                               const PliantRegion *region)
{
    Cut *cut = work->cut;
    const int inner = measure_inner_side(region);
    if (!make_room(cut, count_points(regions, region)))
        return PLIANT_OUT_OF_MEMORY;
    cut->regions[cut->region_count++] = (CutRegion){
        .depth = inner < 0 ? 0 : region->parts[inner].depth, .first_point = cut->point_count};
    if (inner >= 0)
        memcpy(cut->regions[cut->region_count - 1].deepest, region->parts[inner].deepest,
               sizeof region->parts[inner].deepest);
    add_curves(cut, regions, region);
    for (int k = 0; k < 2; k++) {
        const PliantRegionPart *part = &region->parts[k];
        for (int64_t i = 0; i < part->vertex_count && cut_side_counts(region, k); i++)
            add_point(cut,
                      work->vertices[k] + 3 * (size_t)regions->vertices[part->first_vertex + i]);
    }
    return PLIANT_OK;
}

PliantResult cut_add_regions(const CutWork *work, const PliantRegions *regions)
{
    PliantResult result = PLIANT_OK;
    for (int64_t i = 0; i < regions->count && result == PLIANT_OK; i++)
        if (cut_region_counts(work, regions, &regions->items[i]))
            result = add_region(work, regions, &regions->items[i]);
    return result;
}

PliantResult cut_add_inside(const CutWork *work, int side)
{
    Cut *cut = work->cut;
    const int32_t count = work->sides[side]->shape->part->vertex_count;
    if (!make_room(cut, count))
        return PLIANT_OUT_OF_MEMORY;
    CutRegion *region = &cut->regions[cut->region_count++];
    *region = (CutRegion){.first_point = cut->point_count};
    for (int32_t v = 0; v < count; v++) {
        const float *position = work->vertices[side] + 3 * (size_t)v;
        if (!(cut->depths[side][v] > 0))
            continue;
        add_point(cut, position);
        if (cut->depths[side][v] > region->depth) {
            region->depth = cut->depths[side][v];
            memcpy(region->deepest, position, sizeof region->deepest);
        }
    }
    if (region->depth == 0)
        cut->region_count--;
    return PLIANT_OK;
}

static int compare(const void *a, const void *b)
{
    const CutRegion *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    return (x->first_point > y->first_point) - (x->first_point < y->first_point);
}

void cut_sort_regions(Cut *cut)
{
    if (cut->region_count > 0)
        qsort(cut->regions, (size_t)cut->region_count, sizeof *cut->regions, compare);
}
