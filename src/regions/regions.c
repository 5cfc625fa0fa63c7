/* Regions of two surfaces: see regions.h. */
#include "base/sort.h"
#include "regions/faces.h"
#include "regions/nodes.h"
#include "regions/patches.h"

#include <string.h>

/* All arrays, with the sizes of their items. */
typedef struct Member {
    size_t offset, item_size;
} Member;

#define MEMBER(name, size)                                                                         \
    {                                                                                              \
        offsetof(PliRegions, name), size                                                           \
    }
static const Member members[] = {
    MEMBER(pairs, sizeof(uint64_t)),
    MEMBER(keys[0], sizeof(uint64_t)),
    MEMBER(keys[1], sizeof(uint64_t)),
    MEMBER(ranked[0], sizeof(PliRanked)),
    MEMBER(ranked[1], sizeof(PliRanked)),
    MEMBER(numbers, sizeof(int32_t)),
    MEMBER(rows, 9 * sizeof(float)),
    MEMBER(cuts, sizeof(PliCut)),
    MEMBER(segments, sizeof(PliSegment)),
    MEMBER(nodes, sizeof(PliNode)),
    MEMBER(along, sizeof(int32_t)),
    MEMBER(edge_nodes, sizeof(PliEdgeNodes)),
    MEMBER(node_events, sizeof(int32_t)),
    MEMBER(sides, sizeof(int32_t)),
    MEMBER(events, sizeof(PliEvent)),
    MEMBER(pieces, sizeof(PliEdgePiece)),
    MEMBER(faces, sizeof(PliFace)),
    MEMBER(loops, sizeof(PliLoop)),
    MEMBER(patches, sizeof(PliPatch)),
    MEMBER(patch_faces, sizeof(int32_t)),
    MEMBER(wholes, sizeof(int32_t)),
    MEMBER(waiting, sizeof(int32_t)),
    MEMBER(states[0], sizeof(int32_t)),
    MEMBER(states[1], sizeof(int32_t)),
    MEMBER(curve_regions, sizeof(int32_t)),
    MEMBER(region_segments, sizeof(uint64_t)),
    MEMBER(patch_segments, sizeof(uint64_t)),
    MEMBER(entries, sizeof(PliRanked)),
    MEMBER(outline, 3 * sizeof(double)),
    MEMBER(cycles, sizeof(int32_t)),
    MEMBER(ears, sizeof(int32_t)),
    MEMBER(heap, sizeof(PliDepthPiece)),
    MEMBER(skips, sizeof(uint8_t)),
    MEMBER(sheets, sizeof(uint8_t)),
    MEMBER(patch_entries, sizeof(PliRanked)),
    MEMBER(lengths, sizeof(double)),
    MEMBER(regions, sizeof(PliantRegion)),
    MEMBER(curves, sizeof(PliantCurve)),
    MEMBER(points, sizeof(PliantCurvePoint)),
    MEMBER(triangles, sizeof(int32_t)),
    MEMBER(vertices, sizeof(int32_t)),
};
enum { MEMBER_COUNT = sizeof members / sizeof *members };

static PliArray *member(PliRegions *regions, int i)
{
    return (PliArray *)(void *)((char *)regions + members[i].offset);
}

void pli_regions_init(PliRegions *regions, const PliantHost *host, PliControl *control)
{
    *regions = (PliRegions){.host = host, .control = control, .max_corners = 4096};
    for (int i = 0; i < MEMBER_COUNT; i++)
        member(regions, i)->item_size = members[i].item_size;
}

void pli_regions_free(PliRegions *regions)
{
    for (int i = 0; i < MEMBER_COUNT; i++)
        pli_array_free(member(regions, i), regions->host);
}

void pli_regions_start(PliRegions *regions, float tolerance)
{
    PliArray *const answers[5] = {&regions->regions, &regions->curves, &regions->points,
                                  &regions->triangles, &regions->vertices};
    for (size_t i = 0; i < 5; i++)
        answers[i]->count = 0;
    regions->tolerance = tolerance;
}

/* No triangle is cut or in a patch any more. */
static void clear_states(PliRegions *regions)
{
    const PliCut *cuts = regions->cuts.items;
    const PliPatch *patches = regions->patches.items;
    const int32_t *wholes = regions->wholes.items;
    for (int64_t i = 0; i < regions->cuts.count; i++)
        ((int32_t *)regions->states[cuts[i].surface].items)[cuts[i].triangle] = 0;
    for (int64_t i = 0; i < regions->patches.count; i++) {
        int32_t *states = regions->states[patches[i].surface].items;
        const int64_t end =
            i + 1 < regions->patches.count ? patches[i + 1].first_whole : regions->wholes.count;
        for (int64_t j = patches[i].first_whole; j < end; j++)
            states[wholes[j]] = 0;
    }
    PliArray *const done[9] = {&regions->cuts,   &regions->events,      &regions->pieces,
                               &regions->faces,  &regions->loops,       &regions->patches,
                               &regions->wholes, &regions->patch_faces, &regions->segments};
    for (size_t i = 0; i < 9; i++)
        done[i]->count = 0;
}

static PliantResult find_steps(PliRegions *regions, int64_t first_curve)
{
    typedef PliantResult Step(PliRegions *);
    static Step *const steps[] = {pli_find_nodes, pli_join_curves, pli_find_faces,
                                  pli_find_patches};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        PLI_TRY(steps[i](regions));
        PLI_TRY(pli_control_check(regions->control));
    }
    return pli_list_parts(regions, first_curve);
}

PliantResult pli_regions_find(PliRegions *regions, const PliSurface *a, const PliSurface *b,
                              PliantBody body_a, PliantBody body_b)
{
    enum { MAX_PAIRS = 1 << 28 }; /* numbers of what comes of them are int32_t */
    const int64_t first_curve = regions->curves.count;
    if (regions->pairs.count > MAX_PAIRS || first_curve > MAX_PAIRS)
        return PLIANT_TOO_LARGE;
    regions->stamp = 0;
    regions->surfaces[0] = a;
    regions->surfaces[1] = b ? b : a;
    regions->bodies[0] = body_a;
    regions->bodies[1] = body_b;
    const PliantResult result = find_steps(regions, first_curve);
    clear_states(regions);
    return result;
}
