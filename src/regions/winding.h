/* Winding numbers of patches.
 *
 * Where a closed body intersects itself, a patch can be inside of one curve and outside of another:
 * a hand in a chest that another hand goes through. It is inside if the surface winds around it. */
#ifndef PLI_REGION_WINDING_H
#define PLI_REGION_WINDING_H

#include "regions/read.h"

/* Is a patch inside the other surface, or the rest of its own? *is_inside stays as it is if no
 * point of the patch is found. Takes time in proportion to all triangles. */
PliantResult pli_is_wound(PliRegions *regions, const PliPatch *patch, bool *is_inside);

#endif
