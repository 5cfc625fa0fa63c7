/* What a tree is made over, triangles or pieces of them: see shape.h. */
#include "shape/items.h"

#include <string.h>

PliantResult pli_items_make(const PliDivision *division, const PliMeshView *mesh, PliArena *arena,
                            PliItems *items)
{
    *items = (PliItems){.count = mesh->triangle_count};
    if (division->kind == PLIANT_DIVIDE_NONE)
        return PLIANT_OK;
    int64_t count = pli_count_pieces(division, mesh);
    if (count > INT32_MAX / 3)
        return PLIANT_TOO_LARGE;
    items->count = (int32_t)count;
    items->items = pli_arena_cut(arena, (size_t)count, sizeof *items->items);
    items->corners = pli_arena_cut(arena, 3 * (size_t)count, sizeof *items->corners);
    PLI_TRY(arena->failure);
    pli_make_pieces(division, mesh, items->items);
    for (size_t i = 0; i < (size_t)count; i++)
        memcpy(items->corners + 3 * i, mesh->triangles + 3 * (size_t)items->items[i].triangle,
               3 * sizeof *items->corners);
    return PLIANT_OK;
}

PliantResult pli_items_order(const PliItems *items, const PliTree *tree, PliArena *arena,
                             const PliPiece **pieces)
{
    const size_t count = items->items ? (size_t)items->count : 0;
    PliPiece *ordered = pli_arena_cut(arena, count, sizeof *ordered);
    PLI_TRY(arena->failure);
    for (size_t i = 0; i < count; i++)
        ordered[i] = items->items[tree->order[i]];
    *pieces = ordered;
    return PLIANT_OK;
}

PliBox pli_item_box(const PliItems *items, const PliMeshView *mesh, const float *vertices,
                    int32_t item)
{
    static const PliPiece whole = {0, {{0, 0}, {PLI_PIECE_UNIT, 0}, {0, PLI_PIECE_UNIT}}};
    const PliPiece *piece = items->items ? &items->items[item] : &whole;
    const uint32_t *corners = (items->items ? items->corners : mesh->triangles) + 3 * (size_t)item;
    PliBox box = pli_box_empty();
    for (int c = 0; c < 3; c++) {
        PliFloat4 point = {0};
        for (int k = 0; k < 3; k++)
            point[k] =
                pli_is_whole(piece)
                    ? vertices[3 * (size_t)corners[c] + (size_t)k]
                    : (float)pli_piece_along(piece, c, vertices[3 * (size_t)corners[0] + (size_t)k],
                                             vertices[3 * (size_t)corners[1] + (size_t)k],
                                             vertices[3 * (size_t)corners[2] + (size_t)k]);
        pli_box_add_point(&box, point);
    }
    return box;
}
