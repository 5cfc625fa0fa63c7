/* Regions of two surfaces: see regions.h. */
#include "regions/regions.h"
#include "base/tasks.h"
#include "regions/faces.h"
#include "regions/nodes.h"
#include "regions/patches.h"

#include <string.h>

/* All arrays, with the sizes of their items. */
typedef struct Member {
    size_t offset, item_size;
} Member;

#define MEMBER(Type, name, size)                                                                   \
    {                                                                                              \
        offsetof(Type, name), size                                                                 \
    }
static const Member members[] = {
    MEMBER(PliRegions, pairs, sizeof(uint64_t)),
    MEMBER(PliRegions, keys[0], sizeof(uint64_t)),
    MEMBER(PliRegions, keys[1], sizeof(uint64_t)),
    MEMBER(PliRegions, ranked[0], sizeof(PliRanked)),
    MEMBER(PliRegions, ranked[1], sizeof(PliRanked)),
    MEMBER(PliRegions, cuts, sizeof(PliCut)),
    MEMBER(PliRegions, segments, sizeof(PliSegment)),
    MEMBER(PliRegions, nodes, sizeof(PliNode)),
    MEMBER(PliRegions, along, sizeof(int32_t)),
    MEMBER(PliRegions, edge_nodes, sizeof(PliEdgeNodes)),
    MEMBER(PliRegions, node_events, sizeof(int32_t)),
    MEMBER(PliRegions, sides, sizeof(int32_t)),
    MEMBER(PliRegions, events, sizeof(PliEvent)),
    MEMBER(PliRegions, pieces, sizeof(PliEdgePiece)),
    MEMBER(PliRegions, faces, sizeof(PliFace)),
    MEMBER(PliRegions, loops, sizeof(PliLoop)),
    MEMBER(PliRegions, patches, sizeof(PliPatch)),
    MEMBER(PliRegions, patch_faces, sizeof(int32_t)),
    MEMBER(PliRegions, wholes, sizeof(int32_t)),
    MEMBER(PliRegions, states[0], sizeof(int32_t)),
    MEMBER(PliRegions, states[1], sizeof(int32_t)),
    MEMBER(PliRegions, curve_regions, sizeof(int32_t)),
    MEMBER(PliRegions, region_segments, sizeof(uint64_t)),
    MEMBER(PliRegions, patch_segments, sizeof(uint64_t)),
    MEMBER(PliRegions, entries, sizeof(PliRanked)),
    MEMBER(PliRegions, lengths, sizeof(double)),
    MEMBER(PliRegions, regions, sizeof(PliantRegion)),
    MEMBER(PliRegions, curves, sizeof(PliantCurve)),
    MEMBER(PliRegions, points, sizeof(PliantCurvePoint)),
    MEMBER(PliRegions, triangles, sizeof(int32_t)),
    MEMBER(PliRegions, vertices, sizeof(int32_t)),
    MEMBER(PliRegions, tasks, sizeof(PliRegionTask)),
    MEMBER(PliRegions, skips, sizeof(uint8_t)),
};
static const Member scratch_members[] = {
    MEMBER(PliRegionScratch, numbers, sizeof(int32_t)),
    MEMBER(PliRegionScratch, keys, sizeof(uint64_t)),
    MEMBER(PliRegionScratch, rows, 9 * sizeof(float)),
    MEMBER(PliRegionScratch, outline, 3 * sizeof(double)),
    MEMBER(PliRegionScratch, cycles, sizeof(int32_t)),
    MEMBER(PliRegionScratch, ears, sizeof(int32_t)),
    MEMBER(PliRegionScratch, heap, sizeof(PliDepthPiece)),
    MEMBER(PliRegionScratch, entries, sizeof(PliRanked)),
    MEMBER(PliRegionScratch, skips, sizeof(uint8_t)),
    MEMBER(PliRegionScratch, sheets, sizeof(uint8_t)),
    MEMBER(PliRegionScratch, waiting, sizeof(int32_t)),
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

void pli_regions_start(PliRegions *regions, float tolerance)
{
    PliArray *const answers[5] = {&regions->regions, &regions->curves, &regions->points,
                                  &regions->triangles, &regions->vertices};
    for (size_t i = 0; i < 5; i++)
        answers[i]->count = 0;
    regions->tolerance = tolerance;
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
