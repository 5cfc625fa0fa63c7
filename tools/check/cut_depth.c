/* Depths of vertices: see cut.h. */
#include "check/cut_depth.h"
#include "check/measure.h"
#include "check/sheet.h"

#include <math.h>
#include <stdlib.h>

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
    PliantClosestPoints closest = pliant_closest_points_default();
    float *points = malloc((3 * (size_t)count + 1) * sizeof *points);
    PliantResult result = points ? PLIANT_OK : PLIANT_OUT_OF_MEMORY;
    for (size_t i = 0; i < 3 * (size_t)count && result == PLIANT_OK; i++)
        points[i] = positions[3 * (size_t)vertices->items[i / 3] + i % 3];
    if (result == PLIANT_OK)
        result = pliant_body_closest_points(work->bodies->world, from,
                                            (PliantVertices){points, count, 0}, NULL, &closest);
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
        if (closest.items[i].triangle >= 0)
            deepen(&depths[vertices->items[i]],
                   fminf(closest.items[i].distance, vertices->max_depth));
    free(points);
    return result;
}

/* A side of two parts: its distance is from the other part. */
static PliantResult read_side(const CutWork *work, const PliantRegions *regions,
                              const PliantRegion *region, int side)
{
    const PliantRegionPart *part = &region->parts[side];
    if (part->vertex_count == 0)
        return PLIANT_OK;
    const SideVertices vertices = {side, part->max_depth, regions->vertices + part->first_vertex,
                                   (int32_t)part->vertex_count};
    return keep_distances(work, work->sides[1 - side]->body, &vertices);
}

/* All triangles and vertices of one side, of the regions that count. */
static PliantResult divide_side(const CutWork *work, const PliantRegions *regions, int side)
{
    const ScenePart *part = work->sides[side]->shape->part;
    bool *is_inside = calloc((size_t)part->vertex_count + 1, sizeof *is_inside);
    int32_t *triangles = malloc(((size_t)regions->triangle_count + 1) * sizeof *triangles);
    PieceSide pieces = {side, work->sides[1 - side]->body, false, 0, is_inside, triangles, 0};
    for (int64_t i = 0; i < regions->count && is_inside && triangles; i++) {
        const PliantRegionPart *of = &regions->items[i].parts[side];
        if (!cut_side_counts(&regions->items[i], side) ||
            !cut_region_counts(work, regions, &regions->items[i]))
            continue;
        for (int64_t k = 0; k < of->vertex_count; k++)
            is_inside[regions->vertices[of->first_vertex + k]] = true;
        for (int64_t k = 0; k < of->triangle_count; k++)
            triangles[pieces.count++] = regions->triangles[of->first_triangle + k];
        pieces.max_depth = fmaxf(pieces.max_depth, of->max_depth);
    }
    const PliantResult result =
        is_inside && triangles ? cut_add_pieces(work, &pieces) : PLIANT_OUT_OF_MEMORY;
    free(is_inside);
    free(triangles);
    return result;
}

/* ---- Self-collisions -------------------------------------------------------------------------
 */

static PliantResult divide_patch(const CutWork *work, const Patches *patches, int32_t number,
                                 const Sheet *sheet)
{
    const ScenePart *part = work->sides[0]->shape->part;
    const Patch *patch = &patches->items[number];
    bool *is_inside = calloc((size_t)part->vertex_count + 1, sizeof *is_inside);
    int32_t *triangles = malloc(((size_t)part->triangle_count + 1) * sizeof *triangles);
    PieceSide pieces = {0,         sheet->body, false, patch->region->parts[patch->side].max_depth,
                        is_inside, triangles,   0};
    for (int64_t i = 0; i < patch->count && is_inside; i++)
        is_inside[patches->vertices[patch->first + i]] = true;
    for (int32_t t = 0; t < part->triangle_count && triangles; t++)
        if (patches->of_triangles[t] == number)
            triangles[pieces.count++] = t;
    const PliantResult result =
        is_inside && triangles ? cut_add_pieces(work, &pieces) : PLIANT_OUT_OF_MEMORY;
    free(is_inside);
    free(triangles);
    return result;
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
    if (result == PLIANT_OK && sheet.shape && cut_spacing(work) > 0)
        result = divide_patch(work, patches, number, &sheet);
    sheet_free(work, &sheet);
    return result;
}

static PliantResult read_patches(const CutWork *work, const PliantRegions *regions)
{
    Patches patches;
    PliantResult result = patches_make(work, regions, &patches);
    for (int32_t i = 0; i < patches.count && result == PLIANT_OK; i++)
        if (cut_side_counts(patches.items[i].region, patches.items[i].side) &&
            cut_region_counts(work, regions, patches.items[i].region))
            result = read_patch(work, &patches, i);
    patches_free(&patches);
    return result;
}

/* ---- What no region tells --------------------------------------------------------------------
 *
 * As measure_row() does: a part that touches another from inside, or is wholly inside of it, or
 * whose curves cross each other, still has vertices inside a part that is closed. */

static PliantResult divide_inside(const CutWork *work, int side)
{
    const ScenePart *part = work->sides[side]->shape->part;
    const float *depths = work->cut->depths[side];
    int32_t *triangles = malloc(((size_t)part->triangle_count + 1) * sizeof *triangles);
    PieceSide pieces = {side, work->sides[1 - side]->body, true, 0, NULL, triangles, 0};
    for (int32_t t = 0; t < part->triangle_count && triangles; t++) {
        const uint32_t *corners = part->triangles + 3 * (size_t)t;
        if (depths[corners[0]] > 0 || depths[corners[1]] > 0 || depths[corners[2]] > 0)
            triangles[pieces.count++] = t;
    }
    const PliantResult result = triangles ? cut_add_pieces(work, &pieces) : PLIANT_OUT_OF_MEMORY;
    free(triangles);
    return result;
}

/* Vertices that are inside the other part. */
static PliantResult read_inside(const CutWork *work, int side)
{
    const int32_t count = work->sides[side]->shape->part->vertex_count;
    PliantClosestPoints closest = pliant_closest_points_default();
    PliantClosestDef def = pliant_closest_def_default();
    def.is_signed = true;
    PliantResult result = pliant_body_closest_points(
        work->bodies->world, work->sides[1 - side]->body,
        (PliantVertices){work->vertices[side], count, 0}, &def, &closest);
    if (result != PLIANT_OK)
        return result;
    for (int32_t i = 0; i < count; i++)
        if (closest.items[i].triangle >= 0 && closest.items[i].distance < 0)
            deepen(&work->cut->depths[side][i], -closest.items[i].distance);
    result = cut_add_inside(work, side);
    return result == PLIANT_OK ? divide_inside(work, side) : result;
}

/* Has one of the regions no side, of an extent that is larger than all depths? */
static bool is_vague(const CutWork *work, const PliantRegions *regions)
{
    double cut = 0, depth = 0;
    for (int64_t i = 0; i < regions->count; i++) {
        const PliantRegion *region = &regions->items[i];
        const int inner = measure_inner_side(region);
        if (!cut_region_counts(work, regions, region))
            continue;
        cut = inner < 0 ? fmax(cut, measure_extent(regions, region)) : cut;
        depth = inner < 0 ? depth : fmax(depth, region->parts[inner].depth);
    }
    return depth == 0 || cut > depth;
}

/* ---- All of it -------------------------------------------------------------------------------
 */

static PliantResult read_sides(const CutWork *work, const PliantRegions *regions)
{
    PliantResult result = PLIANT_OK;
    for (int64_t i = 0; i < 2 * regions->count && result == PLIANT_OK; i++)
        if (cut_side_counts(&regions->items[i / 2], (int)(i % 2)) &&
            cut_region_counts(work, regions, &regions->items[i / 2]))
            result = read_side(work, regions, &regions->items[i / 2], (int)(i % 2));
    for (int k = 0; k < 2 && result == PLIANT_OK && cut_spacing(work) > 0; k++)
        result = divide_side(work, regions, k);
    return result;
}

PliantResult cut_find_depths(const CutWork *work, const PliantRegions *regions)
{
    const bool has_inside = !cut_is_self(work) && is_vague(work, regions);
    PliantResult result = cut_add_regions(work, regions);
    if (result == PLIANT_OK)
        result = cut_is_self(work) ? read_patches(work, regions) : read_sides(work, regions);
    for (int k = 0; k < 2 && result == PLIANT_OK && has_inside; k++)
        if (work->sides[1 - k]->shape->is_closed)
            result = read_inside(work, k);
    cut_sort_regions(work->cut);
    work->cut->depth = work->cut->region_count > 0 ? work->cut->regions[0].depth : 0;
    return result;
}
