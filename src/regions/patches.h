/* Patches of surfaces between curves, and the regions that they form. */
#ifndef PLI_REGION_PATCHES_H
#define PLI_REGION_PATCHES_H

#include "regions/regions.h"

/* Finds the patches at the curves, and which of them are on the wrong side. */
PliantResult pli_find_patches(PliRegions *regions);

/* Appends the regions of the curves from the first one on, with their parts. */
PliantResult pli_list_parts(PliRegions *regions, int64_t first_curve);

#endif
