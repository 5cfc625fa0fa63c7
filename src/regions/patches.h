/* Patches of surfaces between curves, and the regions that they form. */
#ifndef PLI_REGION_PATCHES_H
#define PLI_REGION_PATCHES_H

#include "regions/regions.h"

/* Finds the patches at the curves, and which of them are on the wrong side. */
PliantResult pli_find_patches(PliRegions *regions);

/* The patch on the inner side of a segment, 0, or the outer one, 1; -1: it is not known. */
int32_t pli_patch_at(const PliRegions *regions, const PliSegment *segment, int side, int which);

/* A point in front of a triangle at a point of it, so close that little can be between them; false:
 * it has no front. */
bool pli_find_front(const float *corners, const double at[3], float point[3]);

/* Appends the regions of the curves from the first one on, with their parts. */
PliantResult pli_list_parts(PliRegions *regions, int64_t first_curve);

#endif
