/* Sheets of one body that intersects itself.
 *
 * A hand in the chest of the same body is deep in the chest, and neither in its own wrist nor in
 * the other hand next to it. So a patch of one body is deep in the sheets that it is inside of:
 * across the curves that have it on their inner side. A triangle is of the sheet from whose curve
 * the way to it is the shortest, along the surface, in triangles. */
#ifndef PLI_REGION_SHEETS_H
#define PLI_REGION_SHEETS_H

#include "regions/regions.h"

/* ---- The segments at each patch, and in each region, so that no patch goes over all of them - */

/* Some segments, in their order. */
typedef struct PliSegmentsAt {
    const uint64_t *keys; /* patch or region << 32 | segment */
    int64_t count;
} PliSegmentsAt;

/* Lists them: regions->region_segments and patch_segments, within one body. Which curve is in which
 * region is known. */
PliantResult pli_list_segments(PliRegions *regions, int64_t first_curve);

/* Those of a patch or a region, of the list of either. */
PliSegmentsAt pli_segments_at(const PliArray *list, int32_t number);

static inline const PliSegment *pli_segment_at(const PliRegions *regions, const PliSegmentsAt *at,
                                               int64_t i)
{
    return (const PliSegment *)regions->segments.items + (at->keys[i] & 0xffffffff);
}

/* ---- Sheets --------------------------------------------------------------------------------- */

/* Can they be told apart? Not if the patch is inside of itself. */
bool pli_has_sheets(const PliRegions *regions, int32_t patch);

/* Skips what is not of those sheets, outside of all patches that are wrong, until the next call of
 * pli_unskip_sheets(): sets scratch->skips. */
PliantResult pli_skip_sheets(const PliRegions *regions, PliRegionScratch *scratch, int32_t patch);

/* A triangle that is not skipped may be of another sheet if it is far away. If so, goes on to
 * it, skips more, and says that this was done: what is closest may be another one now. */
PliantResult pli_reach_sheet(const PliRegions *regions, PliRegionScratch *scratch, int32_t triangle,
                             bool *is_reached);

void pli_unskip_sheets(PliRegionScratch *scratch);

#endif
