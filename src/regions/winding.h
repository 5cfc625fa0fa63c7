/* Winding numbers of patches.
 *
 * Where a closed body intersects itself, a patch can be inside of one curve and outside of another:
 * a hand in a chest that another hand goes through. It is inside if the surface winds around it. */
#ifndef PLI_REGION_WINDING_H
#define PLI_REGION_WINDING_H

#include "regions/read.h"

/* A point in front of a triangle at a point of it, so close that little can be between them; false:
 * it has no front. */
bool pli_find_front(const float *corners, const double at[3], float point[3]);

/* Is a patch inside the other surface, or the rest of its own, which is closed? *is_inside stays as
 * it is if no point of the patch is found. */
PliantResult pli_is_wound(PliRegions *regions, const PliPatch *patch, bool *is_inside);

#endif
