/* Flooding: faces and whole triangles -> patches. See floods.h. */
#include "regions/floods.h"
#include "regions/faces.h"

static PliantResult reach_face(PliRegions *regions, int32_t face, int32_t patch)
{
    PliFace *faces = regions->faces.items;
    face = pli_same_face(regions, face);
    if (faces[face].patch >= 0)
        return PLIANT_OK;
    faces[face].patch = patch;
    PLI_TRY(pli_push_number(regions, &regions->patch_faces, face));
    return pli_push_number(regions, &regions->scratch->waiting, face);
}

PliantResult pli_reach_whole(PliRegions *regions, int surface, int32_t triangle, int32_t patch)
{
    PLI_TRY(pli_push_number(regions, &regions->wholes, triangle));
    ((int32_t *)regions->states[surface].items)[triangle] = -1 - patch;
    return pli_push_number(regions, &regions->scratch->waiting, -1 - triangle);
}

/* A part of an edge: `index` counts from the lower vertex. */
typedef struct Gap {
    int32_t triangle, k, index, count;
} Gap;

/* Goes over part of an edge to a cut triangle, of which this is edge k. */
static PliantResult cross_to(PliRegions *regions, const PliCut *cut, int k, const Gap *gap,
                             int32_t patch)
{
    const int32_t count = cut->first_pieces[k + 1] - cut->first_pieces[k];
    if (count != gap->count)
        return PLIANT_OK; /* a triangle that is not finite has no nodes */
    const int32_t index = pli_edge_rises(cut, k) ? gap->index : count - 1 - gap->index;
    const PliEdgePiece *piece =
        (const PliEdgePiece *)regions->pieces.items + cut->first_pieces[k] + index;
    return reach_face(regions, piece->face, patch);
}

/* Goes over part of an edge to all other triangles that have it. */
static PliantResult cross(PliRegions *regions, int surface, const Gap *gap, int32_t patch)
{
    const PliFeatures *features = regions->surfaces[surface]->features;
    const int32_t *states = regions->states[surface].items, own = 3 * gap->triangle + gap->k;
    const int32_t edge = features ? features->triangle_edges[own] : -1;
    if (edge < 0)
        return PLIANT_OK;
    const int32_t end = features->edge_firsts[edge + 1];
    for (int32_t i = features->edge_firsts[edge]; i < end; i++) {
        const int32_t side = features->edge_sides[i], state = states[side / 3];
        if (state > 0 && side != own)
            PLI_TRY(cross_to(regions, (const PliCut *)regions->cuts.items + (state - 1), side % 3,
                             gap, patch));
        else if (state == 0 && gap->count == 1)
            PLI_TRY(pli_reach_whole(regions, surface, side / 3, patch));
    }
    return PLIANT_OK;
}

static PliantResult leave_face(PliRegions *regions, int surface, int32_t face, int32_t patch)
{
    const PliFace *faces = regions->faces.items;
    for (int32_t i = faces[face].first_piece; i >= 0;) {
        const PliEdgePiece *piece = (const PliEdgePiece *)regions->pieces.items + i;
        const PliCut *cut = (const PliCut *)regions->cuts.items + piece->cut;
        Gap gap = {.triangle = cut->triangle,
                   .k = piece->edge,
                   .count = cut->first_pieces[piece->edge + 1] - cut->first_pieces[piece->edge]};
        gap.index = pli_edge_rises(cut, piece->edge) ? piece->index : gap.count - 1 - piece->index;
        i = piece->next;
        PLI_TRY(cross(regions, surface, &gap, patch));
    }
    return PLIANT_OK;
}

/* Goes over the three edges of a whole triangle: most of a flood is this. */
static PliantResult leave_whole(PliRegions *regions, int surface, int32_t triangle, int32_t patch)
{
    const PliFeatures *features = regions->surfaces[surface]->features;
    const int32_t *states = regions->states[surface].items;
    for (int k = 0; k < 3 && features; k++) {
        const int32_t edge = features->triangle_edges[3 * triangle + k];
        const int32_t *side = features->edge_sides + (edge < 0 ? 0 : features->edge_firsts[edge]);
        const int32_t *end =
            features->edge_sides + (edge < 0 ? 0 : features->edge_firsts[edge + 1]);
        for (; side < end; side++) {
            const int32_t other = *side / 3, state = states[other];
            if (state == 0)
                PLI_TRY(pli_reach_whole(regions, surface, other, patch));
            else if (state > 0)
                PLI_TRY(cross_to(regions, (const PliCut *)regions->cuts.items + (state - 1),
                                 *side % 3, &(Gap){.count = 1}, patch));
        }
    }
    return PLIANT_OK;
}

PliantResult pli_add_patch(PliRegions *regions, int surface)
{
    const PliPatch empty = {.surface = surface,
                            .first_whole = regions->wholes.count,
                            .first_face = regions->patch_faces.count,
                            .same = (int32_t)regions->patches.count,
                            .curve = -1,
                            .region = -1,
                            .part = -1};
    regions->scratch->waiting.count = 0;
    return pli_append(&regions->patches, regions->host, &empty);
}

PliantResult pli_fill_patch(PliRegions *regions)
{
    const int32_t number = (int32_t)regions->patches.count - 1;
    const int surface = ((const PliPatch *)regions->patches.items)[number].surface;
    while (regions->scratch->waiting.count > 0) {
        const int32_t next =
            ((const int32_t *)regions->scratch->waiting.items)[--regions->scratch->waiting.count];
        if (next >= 0)
            PLI_TRY(leave_face(regions, surface, next, number));
        else
            PLI_TRY(leave_whole(regions, surface, -1 - next, number));
    }
    PliPatch *patch = (PliPatch *)regions->patches.items + number;
    patch->whole_count = regions->wholes.count - patch->first_whole;
    patch->face_count = regions->patch_faces.count - patch->first_face;
    return PLIANT_OK;
}

PliantResult pli_flood(PliRegions *regions, int32_t face)
{
    const PliFace *faces = regions->faces.items;
    face = pli_same_face(regions, face);
    if (faces[face].patch >= 0)
        return PLIANT_OK;
    PLI_TRY(pli_add_patch(regions, ((const PliCut *)regions->cuts.items)[faces[face].cut].surface));
    PLI_TRY(reach_face(regions, face, (int32_t)regions->patches.count - 1));
    return pli_fill_patch(regions);
}
