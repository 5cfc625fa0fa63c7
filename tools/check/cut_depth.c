/* Depths of vertices: see cut.h. */
#include "check/cut_depth.h"
#include "check/measure.h"
#include "check/sheet.h"

#include <math.h>
#include <stdlib.h>

/* What pokes out through a side that is inside may be this much deeper than it. The library takes
 * the smaller side of a curve for the wrong one, and where that is a mistake it is a deep one. */
#define MAX_POKING 2.0

static bool side_counts(const PliantRegion *region, int side)
{
    const int inner = measure_inner_side(region);
    const PliantRegionPart *parts = region->parts;
    return inner >= 0 && (side == inner || region->is_inside[side] ||
                          (parts[side].triangle_count > 0 &&
                           parts[side].depth <= MAX_POKING * parts[inner].depth));
}

/* Does a curve of it go through a triangle of a pair that counts? */
static bool region_counts(const CutWork *work, const PliantRegions *regions,
                          const PliantRegion *region)
{
    for (int64_t c = 0; c < region->curve_count && !work->is_all; c++) {
        const PliantCurve *curve = &regions->curves[region->first_curve + c];
        for (int64_t i = 0; i < curve->point_count; i++) {
            const PliantCurvePoint *point = &regions->points[curve->first_point + i];
            if (point->edge >= 0 &&
                faces_have(point->side == 0 ? work->news.b : work->news.a, point->triangle))
                return true;
        }
    }
    return work->is_all;
}

/* ---- Distances -------------------------------------------------------------------------------
 */

static void deepen(float *depth, float distance)
{
    *depth = distance > *depth ? distance : *depth;
}

/* Some vertices of a side of a region. */
typedef struct SideVertices {
    int side;
    float max_depth; /* of the region's side: no vertex is deeper */
    const int32_t *items;
    int32_t count;
} SideVertices;

/* Keeps their distances from a body as their depths, where these are greater. */
static PliantResult keep_distances(const CutWork *work, PliantBody from,
                                   const SideVertices *vertices)
{
    const int32_t count = vertices->count;
    const float *positions = work->vertices[vertices->side];
    float *depths = work->cut->depths[vertices->side];
    PliantClosestPoint *closest = malloc(((size_t)count + 1) * sizeof *closest);
    float *points = malloc((3 * (size_t)count + 1) * sizeof *points);
    PliantResult result = closest && points ? PLIANT_OK : PLIANT_OUT_OF_MEMORY;
    for (size_t i = 0; i < 3 * (size_t)count && result == PLIANT_OK; i++)
        points[i] = positions[3 * (size_t)vertices->items[i / 3] + i % 3];
    if (result == PLIANT_OK)
        result = pliant_body_closest_points(
            work->bodies->world, from, (PliantVertices){points, count, 0}, NULL, closest, count);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
        if (closest[i].triangle >= 0)
            deepen(&depths[vertices->items[i]], fminf(closest[i].distance, vertices->max_depth));
    free(points);
    free(closest);
    return result;
}

/* A side of two parts: its distance is from the other part. */
static PliantResult read_side(const CutWork *work, const PliantRegions *regions,
                              const PliantRegion *region, int side)
{
    const PliantRegionPart *part = &region->parts[side];
    const SideVertices vertices = {side, part->max_depth, regions->vertices + part->first_vertex,
                                   (int32_t)part->vertex_count};
    return keep_distances(work, work->sides[1 - side]->body, &vertices);
}

/* A patch of a self-collision: its distance is from its sheet. */
static PliantResult read_patch(const CutWork *work, const Patches *patches, int32_t number)
{
    const Patch *patch = &patches->items[number];
    const SideVertices vertices = {0, patch->region->parts[patch->side].max_depth,
                                   patches->vertices + patch->first, (int32_t)patch->count};
    Sheet sheet;
    PliantResult result = sheet_make(work, patches, number, &sheet);
    if (result == PLIANT_OK && sheet.shape)
        result = keep_distances(work, sheet.body, &vertices);
    sheet_free(work, &sheet);
    return result;
}

static PliantResult read_patches(const CutWork *work, const PliantRegions *regions)
{
    Patches patches;
    PliantResult result = patches_make(work, regions, &patches);
    for (int32_t i = 0; i < patches.count && result == PLIANT_OK; i++)
        if (side_counts(patches.items[i].region, patches.items[i].side) &&
            region_counts(work, regions, patches.items[i].region))
            result = read_patch(work, &patches, i);
    patches_free(&patches);
    return result;
}

/* ---- What no region tells --------------------------------------------------------------------
 *
 * As measure_row() does: a part that touches another from inside, or is wholly inside of it, or
 * whose curves cross each other, still has vertices inside a part that is closed. */

static PliantResult read_inside(const CutWork *work, int side)
{
    const int32_t count = work->sides[side]->shape->part->vertex_count;
    PliantClosestPoint *closest = malloc(((size_t)count + 1) * sizeof *closest);
    PliantClosestDef def = pliant_closest_def_default();
    def.is_signed = true;
    if (!closest)
        return PLIANT_OUT_OF_MEMORY;
    const PliantResult result = pliant_body_closest_points(
        work->bodies->world, work->sides[1 - side]->body,
        (PliantVertices){work->vertices[side], count, 0}, &def, closest, count);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
        if (closest[i].triangle >= 0 && closest[i].distance < 0) {
            deepen(&work->cut->depths[side][i], -closest[i].distance);
            if (-closest[i].distance > work->cut->depth)
                work->cut->depth = -closest[i].distance;
        }
    free(closest);
    return result == PLIANT_NOT_CLOSED ? PLIANT_OK : result;
}

/* Reads all regions that count. *is_vague: one of them has no side, or none has a depth. */
static PliantResult read_regions(const CutWork *work, const PliantRegions *regions, bool *is_vague)
{
    PliantResult result = PLIANT_OK;
    double cut = 0;
    for (int64_t i = 0; i < regions->count && result == PLIANT_OK; i++) {
        const PliantRegion *region = &regions->items[i];
        const int inner = measure_inner_side(region);
        if (!region_counts(work, regions, region))
            continue;
        if (inner < 0)
            cut = fmax(cut, measure_extent(regions, region));
        else
            work->cut->depth = fmax(work->cut->depth, region->parts[inner].depth);
        for (int k = 0; k < 2 && result == PLIANT_OK && !cut_is_self(work); k++)
            if (side_counts(region, k))
                result = read_side(work, regions, region, k);
    }
    *is_vague = work->cut->depth == 0 || cut > work->cut->depth;
    return result;
}

PliantResult cut_find_depths(const CutWork *work, const PliantRegions *regions)
{
    bool is_vague;
    PliantResult result = read_regions(work, regions, &is_vague);
    if (result == PLIANT_OK && cut_is_self(work))
        result = read_patches(work, regions);
    for (int k = 0; k < 2 && result == PLIANT_OK && is_vague && !cut_is_self(work); k++)
        if (work->sides[1 - k]->shape->is_closed)
            result = read_inside(work, k);
    return result;
}
