/* How deep the vertices of a part are, and small pieces of it: see samples.h.
 *
 * Each vertex is in one task: within one body that of the lowest patch that has it. So workers
 * write to different vertices.
 *
 * A piece is a triangle that is divided evenly: a whole one, or one of those that a face is divided
 * into. Faces end at the cut, and so do pieces. Where curves cross in a triangle, faces are not
 * told apart: then all of the triangle is divided, and winding numbers tell which corners count. */
#include "regions/samples.h"
#include "geom/vector.h"
#include "regions/faces.h"
#include "regions/outline.h"
#include "regions/sides.h"

#include <string.h>

/* What samples are taken of. */
typedef struct Sampler {
    const PliRegions *regions;
    PliRegionScratch *scratch;
    const PliPartTriangles *triangles;
    PliRegionTask *task;
} Sampler;

static PliantResult depth_at(const Sampler *sampler, const float *point, float *depth)
{
    return pli_find_depth_at(sampler->regions, sampler->scratch, sampler->triangles, point, depth);
}

/* ---- Vertices -------------------------------------------------------------------------------- */

bool pli_has_corner(const PliRegions *regions, const PliRanked *entry, int k)
{
    if (entry->item < 0)
        return true;
    const PliFace *faces = regions->faces.items;
    const PliEdgePiece *pieces = regions->pieces.items;
    const PliCut *cut = (const PliCut *)regions->cuts.items + faces[entry->item].cut;
    return pli_same_face(regions, pieces[cut->first_pieces[k]].face) == entry->item;
}

PliantResult pli_prepare_vertices(PliRegions *regions, const PliantRegionPart *part,
                                  const uint64_t *keys)
{
    void *depths, *owners;
    PLI_TRY(pli_array_push(&regions->depths, regions->host, part->vertex_count, &depths));
    PLI_TRY(pli_array_push(&regions->owners, regions->host, part->vertex_count, &owners));
    for (int64_t i = 0; i < part->vertex_count; i++) {
        ((float *)depths)[i] = NAN; /* not known */
        ((int32_t *)owners)[i] = pli_is_self(regions) ? (int32_t)(keys[i] & 0xffffffff) : -1;
    }
    return PLIANT_OK;
}

/* Where a vertex is among those of a part, which rise. */
static int64_t find_vertex(const PliRegions *regions, const PliantRegionPart *part, int32_t vertex)
{
    const int32_t *vertices = regions->vertices.items;
    int64_t first = part->first_vertex, end = first + part->vertex_count;
    while (first + 1 < end) {
        const int64_t middle = first + (end - first) / 2;
        if (vertices[middle] <= vertex)
            first = middle;
        else
            end = middle;
    }
    return first;
}

static PliantResult find_vertex_depths(const Sampler *sampler)
{
    const PliRegions *regions = sampler->regions;
    const PliRegionTask *task = sampler->task;
    const PliSurface *surface = regions->surfaces[task->number];
    const PliantRegionPart *part =
        &((const PliantRegion *)regions->regions.items)[task->region].parts[task->number];
    const int32_t *owners = regions->owners.items;
    float *depths = regions->depths.items;
    for (int64_t i = 0; i < 3 * sampler->triangles->count; i++) {
        const PliRanked *entry = &sampler->triangles->entries[i / 3];
        const int32_t triangle = (int32_t)(entry->key & 0xffffffff);
        if (!pli_has_corner(regions, entry, (int)(i % 3)))
            continue;
        const int64_t at =
            find_vertex(regions, part, pli_surface_vertex(surface, triangle, (int)(i % 3)));
        if (owners[at] == task->patch && isnan(depths[at]))
            PLI_TRY(depth_at(sampler, sampler->triangles->rows + 3 * i, &depths[at]));
    }
    return PLIANT_OK;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

enum { MAX_STEPS = 1024 };

static int count_steps(const Sampler *sampler, double corners[3][3])
{
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        double edge[3];
        for (int k = 0; k < 3; k++)
            edge[k] = corners[(i + 1) % 3][k] - corners[i][k];
        longest = fmax(longest, pli_dot3(edge, edge));
    }
    const double steps = ceil(sqrt(longest) / sampler->regions->piece_size);
    return steps > MAX_STEPS ? MAX_STEPS : steps > 1 ? (int)steps : 1;
}

/* A corner of pieces: so many steps from the first corner of a triangle to the second and third. */
static PliantResult find_corner(const Sampler *sampler, double corners[3][3], int steps, int i,
                                int j, float row[4])
{
    for (int k = 0; k < 3; k++)
        row[k] = (float)(((steps - i - j) * corners[0][k] + i * corners[1][k] + j * corners[2][k]) /
                         steps);
    return depth_at(sampler, row, &row[3]);
}

static PliantResult add_piece(const Sampler *sampler, int32_t triangle, const float *a,
                              const float *b, const float *c)
{
    const float *const rows[3] = {a, b, c};
    PliantRegionPiece piece = {
        .region = sampler->task->region, .part = sampler->task->number, .triangle = triangle};
    for (int i = 0; i < 3; i++) {
        memcpy(piece.corners[i], rows[i], sizeof piece.corners[i]);
        piece.depths[i] = rows[i][3];
    }
    sampler->task->piece_count++;
    return pli_append(&sampler->scratch->pieces, sampler->scratch->worker->host, &piece);
}

/* Row after row: of each row of corners, and the one before it. */
static PliantResult divide(const Sampler *sampler, int32_t triangle, double corners[3][3])
{
    const int steps = count_steps(sampler, corners);
    float rows[2][MAX_STEPS + 1][4];
    for (int i = 0; i <= steps; i++) {
        float(*row)[4] = rows[i % 2], (*last)[4] = rows[1 - i % 2];
        PLI_TRY(pli_worker_check(sampler->scratch->worker));
        for (int j = 0; j <= steps - i; j++)
            PLI_TRY(find_corner(sampler, corners, steps, i, j, row[j]));
        for (int j = 0; j <= steps - i && i > 0; j++) {
            PLI_TRY(add_piece(sampler, triangle, last[j], row[j], last[j + 1]));
            if (j < steps - i)
                PLI_TRY(add_piece(sampler, triangle, last[j + 1], row[j], row[j + 1]));
        }
    }
    return PLIANT_OK;
}

static PliantResult divide_row(const Sampler *sampler, int32_t triangle, const float *row)
{
    double corners[3][3];
    for (int k = 0; k < 9; k++)
        corners[k / 3][k % 3] = row[k];
    return divide(sampler, triangle, corners);
}

/* A face, by the triangles that it is divided into; *is_done is false if that cannot be done. */
static PliantResult divide_face(const Sampler *sampler, const PliRanked *entry, bool *is_done)
{
    const PliRegions *regions = sampler->regions;
    PliRegionScratch *scratch = sampler->scratch;
    const PliFace *faces = regions->faces.items;
    const PliCut *cut = (const PliCut *)regions->cuts.items + faces[entry->item].cut;
    int u, v;
    *is_done = false;
    if (sampler->triangles->other->is_closed && pli_is_mixed(&faces[entry->item]))
        return PLIANT_OK;
    pli_normal_axes(pli_triangle_moments(cut->corners).normal, &u, &v);
    PLI_TRY(pli_face_outline(regions, scratch, entry->item));
    PLI_TRY(pli_triangulate_outline(regions, scratch, u, v, is_done));
    for (int64_t i = 0; i < scratch->ears.count && *is_done; i += 3) {
        const int32_t *ear = (const int32_t *)scratch->ears.items + i;
        double corners[3][3];
        for (int k = 0; k < 9; k++)
            corners[k / 3][k % 3] = ((const double(*)[3])scratch->outline.items)[ear[k / 3]][k % 3];
        PLI_TRY(divide(sampler, cut->triangle, corners));
    }
    return PLIANT_OK;
}

static PliantResult find_pieces(const Sampler *sampler)
{
    PliRegionScratch *scratch = sampler->scratch;
    if (scratch->pieces_pass != sampler->regions->pass)
        scratch->pieces.count = 0;
    scratch->pieces_pass = sampler->regions->pass;
    sampler->task->pieces = &scratch->pieces;
    sampler->task->first_piece = scratch->pieces.count;
    int32_t last = -1, whole = -1; /* the last triangle; one all of which is there */
    int64_t first = 0;             /* its first piece */
    for (int64_t i = 0; i < sampler->triangles->count; i++) {
        const PliRanked *entry = &sampler->triangles->entries[i];
        const float *row = sampler->triangles->rows + 9 * i;
        const int32_t triangle = (int32_t)(entry->key & 0xffffffff);
        bool is_done = false;
        if (!pli_is_finite(row, 9) || triangle == whole)
            continue;
        if (triangle != last)
            first = scratch->pieces.count;
        last = triangle;
        if (entry->item >= 0)
            PLI_TRY(divide_face(sampler, entry, &is_done));
        if (is_done)
            continue;
        sampler->task->piece_count -= scratch->pieces.count - first; /* of other faces of it */
        scratch->pieces.count = first;
        PLI_TRY(divide_row(sampler, triangle, row));
        whole = triangle;
    }
    return PLIANT_OK;
}

/* ---- Both ------------------------------------------------------------------------------------ */

PliantResult pli_find_samples(const PliRegions *regions, PliRegionScratch *scratch,
                              const PliPartTriangles *triangles, PliRegionTask *task)
{
    const Sampler sampler = {regions, scratch, triangles, task};
    if (regions->with_vertex_depths)
        PLI_TRY(find_vertex_depths(&sampler));
    return regions->piece_size > 0 && triangles->deepness != PLI_DEEP_NOWHERE
               ? find_pieces(&sampler)
               : PLIANT_OK;
}

PliantResult pli_add_pieces(PliRegions *regions, const PliRegionTask *task)
{
    void *room;
    if (task->piece_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&regions->all_pieces, regions->host, task->piece_count, &room));
    memcpy(room, (const PliantRegionPiece *)task->pieces->items + task->first_piece,
           (size_t)task->piece_count * sizeof(PliantRegionPiece));
    return PLIANT_OK;
}
