/* Flooding: faces and whole triangles that are connected, without crossing a segment, are a patch.
 */
#ifndef PLI_REGION_FLOODS_H
#define PLI_REGION_FLOODS_H

#include "regions/regions.h"

/* Floods the patch that a face is in, unless it has one. */
PliantResult pli_flood(PliRegions *regions, int32_t face);

/* The same by steps: a new patch with nothing in it, which is the last one; a whole triangle that
 * it begins with; and all that is reached from there. */
PliantResult pli_add_patch(PliRegions *regions, int surface);
PliantResult pli_reach_whole(PliRegions *regions, int surface, int32_t triangle, int32_t patch);
PliantResult pli_fill_patch(PliRegions *regions);

/* Appends one number. Each triangle of an open surface comes here twice: once there is room, this
 * is a store. */
static inline PliantResult pli_push_number(const PliRegions *regions, PliArray *array,
                                           int32_t number)
{
    if (array->count == array->capacity)
        PLI_TRY(pli_array_reserve(array, regions->host, array->count + 1));
    ((int32_t *)array->items)[array->count++] = number;
    return PLIANT_OK;
}

#endif
