/* What a cut is made of: for this folder alone. See cut.h. */
#ifndef TOOLS_CUT_DEPTH_H
#define TOOLS_CUT_DEPTH_H

#include "check/bodies.h"
#include "check/cut.h"
#include "check/found.h"

/* Two parts, or one twice, as they are posed. */
typedef struct CutWork {
    Bodies *bodies;
    const PartBody *sides[2];
    float *vertices[2]; /* posed; of a self-collision both are one array */
    FacePair news;      /* triangles of the pairs that count */
    bool is_all;        /* every pair counts */
    double spacing, depth_spacing;
    Cut *cut;
} CutWork;

static inline bool cut_is_self(const CutWork *work)
{
    return work->sides[0] == work->sides[1];
}

/* ---- cut.c ----------------------------------------------------------------------------------- */

/* The depths of vertices alone, from regions, with depths of vertices, of two of the bodies as they
 * are posed; parts of the query are bodies. False: the error says why, and nothing is held. */
bool cut_find_vertices(Bodies *bodies, const CutQuery *query, const PliantRegions *regions,
                       Cut *cut, char error[400]);

/* ---- cut_depth.c ----------------------------------------------------------------------------- */

/* Fills the depths and regions of the cut, from the regions of all contacts with the depths of
 * vertices. */
PliantResult cut_find_depths(const CutWork *work, const PliantRegions *regions);

/* How long edges of pieces are: of so many that pictures need, and no more. 0: there are none. Once
 * depths are found. */
double cut_piece_size(const CutWork *work, const PliantRegions *regions);

/* Adds the pieces of regions. */
PliantResult cut_read_pieces(const CutWork *work, const PliantRegions *regions);

/* ---- cut_regions.c --------------------------------------------------------------------------- */

/* Does a curve of a region go through a triangle of a pair that counts? */
bool cut_region_counts(const CutWork *work, const PliantRegions *regions,
                       const PliantRegion *region);

/* Is a side of it inside, or what pokes out through the one that is? */
bool cut_side_counts(const PliantRegion *region, int side);

/* Adds the regions that count to the cut; and one of the vertices that have a depth. */
PliantResult cut_add_regions(const CutWork *work, const PliantRegions *regions);
PliantResult cut_add_inside(const CutWork *work, int side);
void cut_sort_regions(Cut *cut);

#endif
