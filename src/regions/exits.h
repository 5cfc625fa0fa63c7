/* Where one gets out of a surface: the closest place next to which one is outside. */
#ifndef PLI_REGION_EXITS_H
#define PLI_REGION_EXITS_H

#include "regions/regions.h"

/* Nothing is known of any triangle of a surface that has so many of them. */
PliantResult pli_exits_start(PliRegionScratch *scratch, int32_t triangle_count);

/* May some of a surface be no exit? Not if it is one shell; within one body, always. */
static inline bool pli_has_walls(const PliSurface *surface, bool is_self)
{
    return is_self || !surface->features || surface->features->shell_count > 1;
}

/* The closest exit to a point. nearest->corners are of a triangle all of which is an exit: of a
 * part of nearest->triangle if that is crossed. */
PliantResult pli_find_exit(const PliSurface *surface, bool is_self, PliRegionScratch *scratch,
                           const float *point, PliNearest *nearest);

#endif
