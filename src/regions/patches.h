/* Patches of surfaces between curves, and the regions that they form. */
#ifndef PLI_REGION_PATCHES_H
#define PLI_REGION_PATCHES_H

#include "regions/read.h"

/* Finds the patches at the curves, and which of them are on the wrong side. */
PliantResult pli_find_patches(PliRegions *regions);

/* The patch on the inner side of a segment, 0, or the outer one, 1; -1: it is not known. */
int32_t pli_patch_at(const PliRegions *regions, const PliSegment *segment, int side, int which);

/* Appends the regions of the curves from the first one on, with their parts. */
PliantResult pli_list_parts(PliRegions *regions, int64_t first_curve);

#endif
