/* The segments at each patch, and in each region, so that no patch goes over all of them. */
#ifndef PLI_REGION_SEGMENTS_AT_H
#define PLI_REGION_SEGMENTS_AT_H

#include "regions/read.h"

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

#endif
