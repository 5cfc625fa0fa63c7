/* How much deeper a place is than it was in the baseline: for this folder alone.
 *
 * A place is a region. If none of the triangles that its curve goes through was touched in the
 * baseline, all of its depth is new. Else it is joined to an old place, and each point counts for
 * how much deeper it is than the same point of the same part was. How deep that was is not known
 * for every point: from a vertex it falls by the distance at most, since depth is a distance, and
 * so it does from the deepest point to other vertices of the same side. */
#ifndef TOOLS_ADDED_H
#define TOOLS_ADDED_H

#include "check/cut.h"
#include "check/found.h"
#include "check/measure.h"

/* Room for the depths of the vertices of a pair, all 0, if there is none yet. */
bool added_make(FacePair *known, int32_t a_count, int32_t b_count, bool is_self);

/* Keeps how deep vertices are where the bodies are now, which is the baseline. Regions here have
 * depths of vertices. False: the error says why. */
bool added_read_pose(const Measured *measured, const PliantRegions *regions, FacePair *known,
                     char error[400]);

/* Keeps the depth of a place of a stored report: of all vertices of its inner side that are moved
 * most by one of its joints that has at least a third of the share of the first; or by none, as the
 * place is. */
void added_read_place(const Scene *scene, const ScenePart *part, const Report *baseline,
                      const ReportRegion *region, bool is_self, float *depths);

/* The depths of vertices now, of one row: found when they are needed. */
typedef struct Added {
    const Measured *measured;
    const PliantRegions *regions;
    bool is_found;
    Cut cut;
} Added;

void added_free(Added *added);

/* Reduces the depth of a region to what is new; to 0 if nothing is, and moves its deepest point
 * there. `out->known_depth` is what was there. */
bool added_reduce(Added *added, const PliantRegion *region, ReportRegion *out, char error[400]);

/* The diagonal of the box of what is new of a region's curves. */
double added_extent(const Measured *measured, const PliantRegions *regions,
                    const PliantRegion *region);

/* How deep a vertex of a side was. */
static inline float added_was(const Measured *measured, int side, int32_t vertex)
{
    const float *depths =
        measured->known->depths[measured->pair->a == measured->pair->b ? 0 : side];
    return depths ? depths[vertex] : 0;
}

/* Is what is this deep, and so much deeper than it was, more than a rounding of both? */
bool added_is_more(const Measured *measured, double more, double depth);

#endif
