/* Regions of two surfaces: see regions.h. */
#include "regions/regions.h"
#include "base/tasks.h"
#include "regions/faces.h"
#include "regions/patches.h"

#include <string.h>

/* All arrays, with the sizes of their items. */
typedef struct Member {
    size_t offset, item_size;
} Member;

#define MEMBER(Type, name, Item)                                                                   \
    {                                                                                              \
        offsetof(Type, name), sizeof(Item)                                                         \
    }
#define OF_CALL(name, Item) MEMBER(PliRegions, name, Item)
#define OF_WORKER(name, Item) MEMBER(PliRegionScratch, name, Item)
#define OF_EXITS(name, Item) MEMBER(PliRegionScratch, exits.name, Item)
static const Member members[] = {OF_CALL(pairs, uint64_t),
                                 OF_CALL(keys[0], uint64_t),
                                 OF_CALL(keys[1], uint64_t),
                                 OF_CALL(ranked[0], PliRanked),
                                 OF_CALL(ranked[1], PliRanked),
                                 OF_CALL(cuts, PliCut),
                                 OF_CALL(segments, PliSegment),
                                 OF_CALL(nodes, PliNode),
                                 OF_CALL(along, int32_t),
                                 OF_CALL(edge_nodes, PliEdgeNodes),
                                 OF_CALL(node_events, int32_t),
                                 OF_CALL(sides, int32_t),
                                 OF_CALL(events, PliEvent),
                                 OF_CALL(pieces, PliEdgePiece),
                                 OF_CALL(faces, PliFace),
                                 OF_CALL(loops, PliLoop),
                                 OF_CALL(lefts, double),
                                 OF_CALL(patches, PliPatch),
                                 OF_CALL(signs, PliPatchSigns),
                                 OF_CALL(patch_faces, int32_t),
                                 OF_CALL(wholes, int32_t),
                                 OF_CALL(states[0], int32_t),
                                 OF_CALL(states[1], int32_t),
                                 OF_CALL(curve_regions, int32_t),
                                 OF_CALL(region_segments, uint64_t),
                                 OF_CALL(patch_segments, uint64_t),
                                 OF_CALL(entries, PliRanked),
                                 OF_CALL(lengths, double),
                                 OF_CALL(deepnesses, PliDeepness),
                                 OF_CALL(regions, PliantRegion),
                                 OF_CALL(curves, PliantCurve),
                                 OF_CALL(points, PliantCurvePoint),
                                 OF_CALL(triangles, int32_t),
                                 OF_CALL(vertices, int32_t),
                                 OF_CALL(depths, float),
                                 OF_CALL(owners, int32_t),
                                 OF_CALL(all_pieces, PliantRegionPiece),
                                 OF_CALL(tasks, PliRegionTask),
                                 OF_CALL(skips, uint8_t)};
static const Member scratch_members[] = {
    OF_WORKER(numbers, int32_t),     OF_WORKER(keys, uint64_t),
    OF_WORKER(rows, float[9]),       OF_WORKER(outline, double[3]),
    OF_WORKER(cycles, int32_t),      OF_WORKER(ears, int32_t),
    OF_WORKER(heap, PliDepthPiece),  OF_WORKER(entries, PliRanked),
    OF_WORKER(skips, uint8_t),       OF_WORKER(sheets, uint8_t),
    OF_WORKER(waiting, int32_t),     OF_EXITS(states, int32_t),
    OF_EXITS(skips, uint8_t),        OF_EXITS(touched, int32_t),
    OF_EXITS(waiting, int32_t),      OF_EXITS(ranges, PliExitRange),
    OF_EXITS(rims, PliExitRim),      OF_EXITS(kept_segments, PliExitLine),
    OF_EXITS(segments, PliExitLine), OF_EXITS(overlaps, PliOverlap),
    OF_EXITS(cuts, double),          OF_EXITS(cells, PliExitCell),
    OF_EXITS(beside, PliOverlap),    OF_WORKER(pieces, PliantRegionPiece),
};
enum {
    MEMBER_COUNT = sizeof members / sizeof *members,
    SCRATCH_COUNT = sizeof scratch_members / sizeof *scratch_members
};

static PliArray *array_of(void *owner, const Member *member)
{
    return (PliArray *)(void *)((char *)owner + member->offset);
}

static void init_arrays(void *owner, const Member *all, int count)
{
    for (int i = 0; i < count; i++)
        array_of(owner, &all[i])->item_size = all[i].item_size;
}

static void free_arrays(void *owner, const Member *all, int count, const PliantHost *host)
{
    for (int i = 0; i < count; i++)
        pli_array_free(array_of(owner, &all[i]), host);
}

void pli_region_scratch_init(PliRegionScratch *scratch, PliWorker *worker, PliPointSearch *points)
{
    *scratch = (PliRegionScratch){.worker = worker, .points = points};
    init_arrays(scratch, scratch_members, SCRATCH_COUNT);
}

void pli_region_scratch_free(PliRegionScratch *scratch)
{
    free_arrays(scratch, scratch_members, SCRATCH_COUNT, scratch->worker->host);
}

void pli_regions_init(PliRegions *regions, PliRegionScratch *scratch,
                      PliRegionScratch *(*scratch_of)(PliWorker *worker))
{
    *regions = (PliRegions){.host = scratch->worker->host,
                            .control = scratch->worker->control,
                            .scratch = scratch,
                            .scratch_of = scratch_of,
                            .max_corners = 4096};
    init_arrays(regions, members, MEMBER_COUNT);
}

void pli_regions_free(PliRegions *regions)
{
    free_arrays(regions, members, MEMBER_COUNT, regions->host);
}

void pli_regions_start(PliRegions *regions, const PliantRegionsDef *def)
{
    PliArray *const answers[8] = {&regions->regions,   &regions->curves,    &regions->points,
                                  &regions->triangles, &regions->vertices,  &regions->depths,
                                  &regions->owners,    &regions->all_pieces};
    for (size_t i = 0; i < 8; i++)
        answers[i]->count = 0;
    regions->tolerance = def->depth_tolerance;
    regions->with_vertex_depths = def->with_vertex_depths;
    regions->piece_size = def->piece_size;
}

/* Some items, in portions of the same number. */
typedef struct Division {
    PliRegions *regions;
    PliRegionWork *work;
    int64_t count;
    int32_t portion_count;
} Division;

/* PliWork. */
static void do_portion(void *data, int32_t index, PliWorker *worker)
{
    const Division *all = data;
    all->work(all->regions, pli_part_begin(index, all->portion_count, all->count),
              pli_part_begin(index + 1, all->portion_count, all->count),
              all->regions->scratch_of(worker));
}

void pli_regions_divide(PliRegions *regions, PliRegionWork *work, int64_t count, int64_t amount)
{
    enum { PORTIONS_PER_WORKER = 64 };
    PliWorker *worker = regions->scratch->worker;
    const int64_t most = (int64_t)PORTIONS_PER_WORKER * pli_worker_crew_count(worker);
    Division division = {regions, work, count, 1};
    if (amount >= regions->min_divided)
        division.portion_count = (int32_t)(count < most ? count : most);
    if (count > 0)
        pli_worker_divide(worker, do_portion, &division, division.portion_count);
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
    regions->pass++;
    regions->surfaces[0] = a;
    regions->surfaces[1] = b ? b : a;
    regions->bodies[0] = body_a;
    regions->bodies[1] = body_b;
    const PliantResult result = find_steps(regions, first_curve);
    clear_states(regions);
    return result;
}
