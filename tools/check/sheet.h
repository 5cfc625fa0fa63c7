/* What a part that intersects itself is deep in: for this folder alone.
 *
 * A hand in the chest is deep in the chest, and not in its own wrist. So the vertices that are
 * inside are divided into patches, which the surface connects, and the depth of a patch is its
 * distance from a sheet: a body of some of the part's triangles. The rule is that of
 * PliantRegionPart.depth. */
#ifndef TOOLS_SHEET_H
#define TOOLS_SHEET_H

#include "check/cut_depth.h"

enum { NO_PATCH = -1, NO_CORNER = -2 };

/* The vertices of one side of a region that are connected. */
typedef struct Patch {
    int64_t first, count; /* in Patches.vertices */
    const PliantRegion *region;
    int side;
} Patch;

/* Of all regions of a part and itself. */
typedef struct Patches {
    Patch *items;
    int32_t count;
    int32_t *vertices;     /* by patch */
    int32_t *of_vertices;  /* or NO_PATCH */
    int32_t *of_triangles; /* that of a corner; NO_CORNER: none of these is in a patch, but it is in
                              a region; or NO_PATCH */
    int32_t *firsts, *fans; /* triangles around each vertex v: firsts[v] to firsts[v + 1] */
} Patches;

/* Patches refer to the regions. */
PliantResult patches_make(const CutWork *work, const PliantRegions *regions, Patches *patches);
void patches_free(Patches *patches);

/* A body of the triangles that a patch is deep in, as they are posed now. All zeros: there are
 * none. */
typedef struct Sheet {
    PliantShape *shape;
    PliantBody body;
} Sheet;

PliantResult sheet_make(const CutWork *work, const Patches *patches, int32_t patch, Sheet *sheet);
void sheet_free(const CutWork *work, Sheet *sheet);

#endif
