/* Depths of vertices, and pieces, from the regions of two parts: see cut.h. */
#include "check/cut_depth.h"
#include "check/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces are larger if there would be more of them than this. */
#define MAX_PIECES 1000000.0

static void deepen(float *depth, float distance)
{
    *depth = distance > *depth ? distance : *depth;
}

/* ---- Vertices and pieces ----------------------------------------------------------------------
 */

static bool part_counts(const CutWork *work, const PliantRegions *regions, int64_t index, int side)
{
    const PliantRegion *region = &regions->items[index];
    return cut_side_counts(region, side) && cut_region_counts(work, regions, region);
}

static void read_vertices(const CutWork *work, const PliantRegions *regions)
{
    for (int64_t i = 0; i < 2 * regions->count; i++) {
        const PliantRegionPart *part = &regions->items[i / 2].parts[i % 2];
        if (!part_counts(work, regions, i / 2, (int)(i % 2)))
            continue;
        for (int64_t k = part->first_vertex; k < part->first_vertex + part->vertex_count; k++)
            deepen(&work->cut->depths[i % 2][regions->vertices[k]], regions->vertex_depths[k]);
    }
}

/* Appends one. */
static PliantResult add_piece(Cut *cut, int side, const float corners[3][3], const float depths[3])
{
    const int64_t count = cut->piece_count; /* which is the capacity if it is a power of two */
    if ((count & (count - 1)) == 0) {
        CutPiece *larger = realloc(cut->pieces, (size_t)(count ? 2 * count : 1) * sizeof *larger);
        if (!larger)
            return PLIANT_OUT_OF_MEMORY;
        cut->pieces = larger;
    }
    CutPiece *piece = &cut->pieces[cut->piece_count++];
    piece->side = side;
    memcpy(piece->corners, corners, sizeof piece->corners);
    memcpy(piece->depths, depths, sizeof piece->depths);
    return PLIANT_OK;
}

PliantResult cut_read_pieces(const CutWork *work, const PliantRegions *regions)
{
    PliantResult result = PLIANT_OK;
    for (int64_t i = 0; i < regions->piece_count && result == PLIANT_OK; i++) {
        const PliantRegionPiece *piece = &regions->pieces[i];
        const bool is_deep = piece->depths[0] > 0 || piece->depths[1] > 0 || piece->depths[2] > 0;
        if (is_deep && part_counts(work, regions, piece->region, piece->part))
            result = add_piece(work->cut, cut_is_self(work) ? 0 : piece->part, piece->corners,
                               piece->depths);
    }
    return result;
}

/* ---- What no region tells --------------------------------------------------------------------
 *
 * As measure_row() does: a part that touches another from inside, or is wholly inside of it, or
 * whose curves cross each other, still has vertices inside a part that is closed. */

/* How long edges of pieces are, if nothing limits that; 0: there are none. */
static double spacing_of(const CutWork *work)
{
    double depth = 0;
    for (int64_t i = 0; i < work->cut->region_count; i++)
        depth = fmax(depth, work->cut->regions[i].depth);
    return work->spacing > 0 ? work->spacing : work->depth_spacing * depth;
}

/* Whole triangles of one side, by the depths of their corners: negative outside. */
static PliantResult add_wholes(const CutWork *work, int side, const float *distances)
{
    const ScenePart *part = work->sides[side]->shape->part;
    PliantResult result = PLIANT_OK;
    for (int32_t t = 0; t < part->triangle_count && result == PLIANT_OK; t++) {
        float corners[3][3], depths[3];
        bool is_deep = false, is_finite = true;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = part->triangles[3 * (size_t)t + (size_t)k];
            memcpy(corners[k], work->vertices[side] + 3 * (size_t)v, sizeof corners[k]);
            depths[k] = -distances[v];
            is_deep |= depths[k] > 0;
            is_finite &= !isinf(depths[k]);
        }
        if (is_deep && is_finite)
            result = add_piece(work->cut, side, (const float(*)[3])corners, depths);
    }
    return result;
}

/* Vertices that are inside the other part. */
static PliantResult read_inside(const CutWork *work, int side)
{
    const int32_t count = work->sides[side]->shape->part->vertex_count;
    float *distances = malloc(((size_t)count + 1) * sizeof *distances);
    PliantResult result = distances
                              ? bodies_distances(work->bodies, work->sides[1 - side], INFINITY,
                                                 work->vertices[side], count, distances, NULL)
                              : PLIANT_OUT_OF_MEMORY;
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++)
        deepen(&work->cut->depths[side][i], -distances[i]);
    if (result == PLIANT_OK)
        result = cut_add_inside(work, side);
    if (result == PLIANT_OK && spacing_of(work) > 0)
        result = add_wholes(work, side, distances);
    free(distances);
    return result;
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

/* A triangle that is not a sliver has less than 4 pieces for each square of their size. */
double cut_piece_size(const CutWork *work, const PliantRegions *regions)
{
    const double spacing = spacing_of(work);
    double area = 0;
    for (int64_t i = 0; i < 2 * regions->count && spacing > 0; i++)
        area += part_counts(work, regions, i / 2, (int)(i % 2))
                    ? regions->items[i / 2].parts[i % 2].area
                    : 0;
    return spacing > 0 ? fmax(spacing, sqrt(4 * fmax(area, 0) / MAX_PIECES)) : 0;
}

PliantResult cut_find_depths(const CutWork *work, const PliantRegions *regions)
{
    const bool has_inside = !cut_is_self(work) && is_vague(work, regions);
    PliantResult result = cut_add_regions(work, regions);
    if (result == PLIANT_OK)
        read_vertices(work, regions);
    for (int k = 0; k < 2 && result == PLIANT_OK && has_inside; k++)
        if (work->sides[1 - k]->shape->is_closed)
            result = read_inside(work, k);
    cut_sort_regions(work->cut);
    work->cut->depth = work->cut->region_count > 0 ? work->cut->regions[0].depth : 0;
    return result;
}
