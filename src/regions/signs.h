/* Which patches are wrong where the other surface is open. */
#ifndef PLI_REGION_SIGNS_H
#define PLI_REGION_SIGNS_H

#include "regions/regions.h"

/* Finds on which side of the other surface each patch is, and marks those that are wrong. */
PliantResult pli_choose_signs(PliRegions *regions);

#endif
