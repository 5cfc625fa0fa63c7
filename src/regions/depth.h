/* How deep a part of a surface is. */
#ifndef PLI_REGION_DEPTH_H
#define PLI_REGION_DEPTH_H

#include "base/sort.h"
#include "regions/regions.h"

/* The triangles of a part, of which some are cut, and where they are. */
typedef struct PliPartTriangles {
    const PliSurface *other;  /* from which the depth is */
    PliDeepness deepness;     /* between two bodies: which points have one */
    const uint8_t *skips;     /* within one body: triangles from which it is not; NULL: all but
                                 exits, as between two bodies */
    const PliRanked *entries; /* of which `item` is the face, or -1: the whole triangle */
    int64_t count;
    const float *rows; /* of each entry */
} PliPartTriangles;

/* Finds the greatest distance of a part. */
PliantResult pli_find_depth(const PliRegions *regions, PliRegionScratch *scratch,
                            const PliPartTriangles *triangles, PliantRegionPart *part);

/* How deep a point of the part is; negative if it does not count. Right after pli_find_depth(). */
PliantResult pli_find_depth_at(const PliRegions *regions, PliRegionScratch *scratch,
                               const PliPartTriangles *triangles, const float *point, float *depth);

#endif
