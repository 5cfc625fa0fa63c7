/* Which triangles of a body a patch is deep in: see sheets.h.
 *
 * A flood over edges, from all cut triangles at the curves of the patch at once, outside of what is
 * skipped already. */
#include "regions/sheets.h"
#include "regions/patches.h"

#include <string.h>

/* What is known of a triangle: nothing; it is of a sheet that the patch is inside of, or of another
 * one; and of those, the ones that are skipped, or no longer skipped. */
enum { UNKNOWN, AROUND, BESIDE, SKIPPED, UNSKIPPED };

static PliantResult reach(PliRegions *regions, int32_t triangle, uint8_t sheet)
{
    uint8_t *sheets = regions->sheets.items;
    void *room;
    if (sheets[triangle] != UNKNOWN)
        return PLIANT_OK;
    PLI_TRY(pli_array_push(&regions->waiting, regions->host, 1, &room));
    *(int32_t *)room = triangle;
    sheets[triangle] = sheet;
    return PLIANT_OK;
}

static PliantResult reach_neighbors(PliRegions *regions, int32_t triangle)
{
    const PliSurface *surface = regions->surfaces[0];
    const uint8_t *skips = regions->skips.items;
    const uint8_t sheet = ((const uint8_t *)regions->sheets.items)[triangle];
    for (int k = 0; k < 3; k++) {
        const int32_t edge = pli_surface_edge(surface, triangle, k);
        if (edge < 0)
            continue;
        const int32_t end = surface->features->edge_firsts[edge + 1];
        for (int32_t i = surface->features->edge_firsts[edge]; i < end; i++)
            if (!skips[surface->features->edge_sides[i] / 3])
                PLI_TRY(reach(regions, surface->features->edge_sides[i] / 3, sheet));
    }
    return PLIANT_OK;
}

/* Whether a patch is at the inner, 0, or outer, 1, side of a segment in one of its triangles. */
static bool is_at(const PliRegions *regions, const PliSegment *segment, int side, int which,
                  int32_t patch)
{
    return pli_patch_at(regions, segment, side, which) == patch;
}

/* Shows the patch that is inside of this one's sheet: it is of a sheet around it. */
static PliantResult unskip_patch(PliRegions *regions, int32_t patch)
{
    const PliPatch *item = (const PliPatch *)regions->patches.items + patch;
    const int32_t *wholes = pli_array_from(&regions->wholes, item->first_whole);
    uint8_t *skips = regions->skips.items, *sheets = regions->sheets.items;
    for (int64_t i = 0; i < item->whole_count; i++) {
        if (sheets[wholes[i]] != UNKNOWN || !skips[wholes[i]])
            continue;
        PLI_TRY(reach(regions, wholes[i], UNSKIPPED));
        skips[wholes[i]] = 0;
    }
    return PLIANT_OK;
}

static PliantResult start(PliRegions *regions, int32_t patch)
{
    const PliSegment *segments = regions->segments.items;
    const PliCut *cuts = regions->cuts.items;
    for (int64_t i = 0; i < regions->segments.count; i++)
        for (int side = 0; side < 2; side++) {
            const bool is_in = is_at(regions, &segments[i], side, 0, patch);
            const int32_t within = pli_patch_at(regions, &segments[i], 1 - side, 0);
            if (!is_in && !is_at(regions, &segments[i], side, 1, patch))
                continue;
            PLI_TRY(reach(regions, cuts[segments[i].cuts[side]].triangle, BESIDE));
            PLI_TRY(
                reach(regions, cuts[segments[i].cuts[1 - side]].triangle, is_in ? AROUND : BESIDE));
            if (is_in && within >= 0 && within != patch)
                PLI_TRY(unskip_patch(regions, within));
        }
    return PLIANT_OK;
}

bool pli_has_sheets(const PliRegions *regions, int32_t patch)
{
    const PliSegment *segments = regions->segments.items;
    bool is_in_any = false;
    for (int64_t i = 0; i < regions->segments.count; i++) {
        const bool is_in_first = is_at(regions, &segments[i], 0, 0, patch);
        const bool is_in_second = is_at(regions, &segments[i], 1, 0, patch);
        if (is_in_first && is_in_second)
            return false;
        is_in_any |= is_in_first || is_in_second;
    }
    return is_in_any && regions->surfaces[0]->features;
}

static PliantResult flood(PliRegions *regions, int32_t patch)
{
    PLI_TRY(start(regions, patch));
    const uint8_t *sheets = regions->sheets.items;
    for (int64_t i = 0; i < regions->waiting.count; i++) {
        const int32_t triangle = ((const int32_t *)regions->waiting.items)[i];
        if (sheets[triangle] != UNSKIPPED)
            PLI_TRY(reach_neighbors(regions, triangle));
    }
    return PLIANT_OK;
}

PliantResult pli_skip_sheets(PliRegions *regions, int32_t patch)
{
    PliArray *sheets = &regions->sheets;
    const int64_t wanted = regions->surfaces[0]->triangle_count, had = sheets->count;
    regions->waiting.count = 0;
    if (had < wanted) {
        PLI_TRY(pli_array_reserve_spare(sheets, regions->host, wanted));
        memset((uint8_t *)sheets->items + had, UNKNOWN, (size_t)(wanted - had));
        sheets->count = wanted;
    }
    const PliantResult result = flood(regions, patch);
    const int32_t *reached = regions->waiting.items;
    uint8_t *states = sheets->items, *skips = regions->skips.items;
    for (int64_t i = 0; i < regions->waiting.count && result == PLIANT_OK; i++)
        if (states[reached[i]] == BESIDE && !skips[reached[i]]) {
            states[reached[i]] = SKIPPED;
            skips[reached[i]] = 1;
        }
    if (result != PLIANT_OK)
        pli_unskip_sheets(regions);
    return result;
}

void pli_unskip_sheets(PliRegions *regions)
{
    const int32_t *reached = regions->waiting.items;
    uint8_t *sheets = regions->sheets.items, *skips = regions->skips.items;
    for (int64_t i = 0; i < regions->waiting.count; i++) {
        if (sheets[reached[i]] >= SKIPPED)
            skips[reached[i]] = sheets[reached[i]] == UNSKIPPED;
        sheets[reached[i]] = UNKNOWN;
    }
    regions->waiting.count = 0;
}
