/* Which triangles of a body a patch is deep in: see sheets.h.
 *
 * A flood over edges, from all cut triangles at the curves of the patch at once, outside of what is
 * skipped already. Most patches are small, and what is closest to them is near their curves: so the
 * flood begins with a few triangles, and goes on when one is closest that it has not reached. Until
 * then triangles that it has not reached are not skipped. What is closest of these and the right
 * ones together, and is a right one, is the closest of the right ones. */
#include "regions/sheets.h"
#include "base/sort.h"
#include "regions/sides.h"

#include <string.h>

/* ---- Segments at patches and regions -------------------------------------------------------- */

static PliantResult sort(PliRegions *regions, PliArray *list)
{
    PliArray *scratch = &regions->keys[0];
    PLI_TRY(pli_array_reserve_spare(scratch, regions->host, list->count));
    pli_sort_keys(list->items, scratch->items, list->count, 64);
    return PLIANT_OK;
}

static PliantResult list_of_regions(PliRegions *regions, int64_t first_curve)
{
    const PliSegment *segments = regions->segments.items;
    const int32_t *curve_regions = regions->curve_regions.items;
    void *room;
    regions->region_segments.count = 0;
    PLI_TRY(
        pli_array_push(&regions->region_segments, regions->host, regions->segments.count, &room));
    for (int64_t i = 0; i < regions->segments.count; i++)
        ((uint64_t *)room)[i] =
            (uint64_t)curve_regions[segments[i].curve - first_curve] << 32 | (uint64_t)i;
    return sort(regions, &regions->region_segments);
}

/* A segment may be at a patch several times, and is then listed so often: who goes over them twice
 * finds nothing new. */
static PliantResult list_of_patches(PliRegions *regions)
{
    PliArray *list = &regions->patch_segments;
    const PliSegment *segments = regions->segments.items;
    void *room;
    list->count = 0;
    PLI_TRY(pli_array_push(list, regions->host, 4 * regions->segments.count, &room));
    list->count = 0;
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int k = 0; k < 4; k++) {
            const int32_t patch = pli_patch_at(regions, &segments[i], k / 2, k % 2);
            if (patch >= 0)
                ((uint64_t *)room)[list->count++] = (uint64_t)patch << 32 | (uint64_t)i;
        }
    return sort(regions, list);
}

PliantResult pli_list_segments(PliRegions *regions, int64_t first_curve)
{
    PLI_TRY(list_of_regions(regions, first_curve));
    return list_of_patches(regions);
}

/* The first key that is not less. */
static int64_t find(const PliArray *list, uint64_t key)
{
    const uint64_t *keys = list->items;
    int64_t first = 0, end = list->count;
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;
        if (keys[middle] < key)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

PliSegmentsAt pli_segments_at(const PliArray *list, int32_t number)
{
    const int64_t first = find(list, (uint64_t)number << 32);
    const int64_t end = find(list, (uint64_t)(number + 1) << 32);
    return (PliSegmentsAt){(const uint64_t *)list->items + first, end - first};
}

/* ---- Sheets --------------------------------------------------------------------------------- */

/* What is known of a triangle: nothing; it is of a sheet that the patch is inside of, or of another
 * one; and of those, the ones that are skipped, or no longer skipped. */
enum { UNKNOWN, AROUND, BESIDE, SKIPPED, UNSKIPPED };

static PliantResult reach(PliRegionScratch *scratch, int32_t triangle, uint8_t sheet)
{
    uint8_t *sheets = scratch->sheets.items;
    if (sheets[triangle] != UNKNOWN)
        return PLIANT_OK;
    PLI_TRY(pli_append(&scratch->waiting, scratch->worker->host, &triangle));
    sheets[triangle] = sheet;
    return PLIANT_OK;
}

static PliantResult reach_neighbors(const PliRegions *regions, PliRegionScratch *scratch,
                                    int32_t triangle)
{
    const PliSurface *surface = regions->surfaces[0];
    const uint8_t *skips = scratch->skips.items;
    const uint8_t state = ((const uint8_t *)scratch->sheets.items)[triangle];
    const uint8_t sheet = state == SKIPPED ? BESIDE : state;
    for (int k = 0; k < 3; k++) {
        const int32_t edge = pli_surface_edge(surface, triangle, k);
        if (edge < 0)
            continue;
        const int32_t end = surface->features->edge_firsts[edge + 1];
        for (int32_t i = surface->features->edge_firsts[edge]; i < end; i++)
            if (!skips[surface->features->edge_sides[i] / 3])
                PLI_TRY(reach(scratch, surface->features->edge_sides[i] / 3, sheet));
    }
    return PLIANT_OK;
}

/* Shows the patch that is inside of this one's sheet: it is of a sheet around it. */
static PliantResult unskip_patch(const PliRegions *regions, PliRegionScratch *scratch,
                                 int32_t patch)
{
    const PliPatch *item = (const PliPatch *)regions->patches.items + patch;
    const int32_t *wholes = pli_array_from(&regions->wholes, item->first_whole);
    uint8_t *skips = scratch->skips.items, *sheets = scratch->sheets.items;
    for (int64_t i = 0; i < item->whole_count; i++) {
        if (sheets[wholes[i]] != UNKNOWN || !skips[wholes[i]])
            continue;
        PLI_TRY(reach(scratch, wholes[i], UNSKIPPED));
        skips[wholes[i]] = 0;
    }
    return PLIANT_OK;
}

static PliantResult start(const PliRegions *regions, PliRegionScratch *scratch, int32_t patch)
{
    const PliSegmentsAt at = pli_segments_at(&regions->patch_segments, patch);
    const PliCut *cuts = regions->cuts.items;
    for (int64_t i = 0; i < at.count; i++)
        for (int side = 0; side < 2; side++) {
            const PliSegment *segment = pli_segment_at(regions, &at, i);
            const bool is_in = pli_patch_at(regions, segment, side, 0) == patch;
            const int32_t within = pli_patch_at(regions, segment, 1 - side, 0);
            if (!is_in && pli_patch_at(regions, segment, side, 1) != patch)
                continue;
            PLI_TRY(reach(scratch, cuts[segment->cuts[side]].triangle, BESIDE));
            PLI_TRY(
                reach(scratch, cuts[segment->cuts[1 - side]].triangle, is_in ? AROUND : BESIDE));
            if (is_in && within >= 0 && within != patch)
                PLI_TRY(unskip_patch(regions, scratch, within));
        }
    return PLIANT_OK;
}

bool pli_has_sheets(const PliRegions *regions, int32_t patch)
{
    const PliSegmentsAt at = pli_segments_at(&regions->patch_segments, patch);
    bool is_in_any = false;
    for (int64_t i = 0; i < at.count; i++) {
        const PliSegment *segment = pli_segment_at(regions, &at, i);
        const bool is_in_first = pli_patch_at(regions, segment, 0, 0) == patch;
        const bool is_in_second = pli_patch_at(regions, segment, 1, 0) == patch;
        if (is_in_first && is_in_second)
            return false;
        is_in_any |= is_in_first || is_in_second;
    }
    return is_in_any && regions->surfaces[0]->features;
}

/* Skips the triangles beside that were reached from the first on. */
static void skip_beside(PliRegionScratch *scratch, int64_t first)
{
    const int32_t *reached = scratch->waiting.items;
    uint8_t *sheets = scratch->sheets.items, *skips = scratch->skips.items;
    for (int64_t i = first; i < scratch->waiting.count; i++)
        if (sheets[reached[i]] == BESIDE && !skips[reached[i]]) {
            sheets[reached[i]] = SKIPPED;
            skips[reached[i]] = 1;
        }
}

/* Leaves triangles until it has left so many in all, and has reached this one, or -1. */
static PliantResult flood(const PliRegions *regions, PliRegionScratch *scratch, int64_t end,
                          int32_t wanted)
{
    const uint8_t *sheets = scratch->sheets.items;
    const int64_t first = scratch->waiting.count;
    int64_t *left = &scratch->flooded;
    for (; *left < scratch->waiting.count; (*left)++) {
        if (*left >= end && (wanted < 0 || sheets[wanted] != UNKNOWN))
            break;
        const int32_t triangle = ((const int32_t *)scratch->waiting.items)[*left];
        if (sheets[triangle] != UNSKIPPED)
            PLI_TRY(reach_neighbors(regions, scratch, triangle));
    }
    skip_beside(scratch, first);
    return PLIANT_OK;
}

enum { FIRST_FLOOD = 64 };

static PliantResult start_flood(const PliRegions *regions, PliRegionScratch *scratch, int32_t patch)
{
    PLI_TRY(start(regions, scratch, patch));
    skip_beside(scratch, 0);
    return flood(regions, scratch, FIRST_FLOOD, -1);
}

PliantResult pli_skip_sheets(const PliRegions *regions, PliRegionScratch *scratch, int32_t patch)
{
    PliArray *sheets = &scratch->sheets;
    const int64_t wanted = regions->surfaces[0]->triangle_count, had = sheets->count;
    scratch->waiting.count = scratch->flooded = 0;
    if (had < wanted) {
        PLI_TRY(pli_array_reserve_spare(sheets, scratch->worker->host, wanted));
        memset((uint8_t *)sheets->items + had, UNKNOWN, (size_t)(wanted - had));
        sheets->count = wanted;
    }
    const PliantResult result = start_flood(regions, scratch, patch);
    if (result != PLIANT_OK)
        pli_unskip_sheets(scratch);
    return result;
}

PliantResult pli_reach_sheet(const PliRegions *regions, PliRegionScratch *scratch, int32_t triangle,
                             bool *is_reached)
{
    const uint8_t *sheets = scratch->sheets.items;
    *is_reached = scratch->flooded < scratch->waiting.count && sheets[triangle] == UNKNOWN;
    return *is_reached ? flood(regions, scratch, 2 * scratch->flooded, triangle) : PLIANT_OK;
}

void pli_unskip_sheets(PliRegionScratch *scratch)
{
    const int32_t *reached = scratch->waiting.items;
    uint8_t *sheets = scratch->sheets.items, *skips = scratch->skips.items;
    for (int64_t i = 0; i < scratch->waiting.count; i++) {
        if (sheets[reached[i]] >= SKIPPED)
            skips[reached[i]] = sheets[reached[i]] == UNSKIPPED;
        sheets[reached[i]] = UNKNOWN;
    }
    scratch->waiting.count = scratch->flooded = 0;
}
