/* The sides of segments: the faces on the inner and the outer side, and what is beside them. */
#ifndef PLI_REGION_SIDES_H
#define PLI_REGION_SIDES_H

#include "regions/regions.h"

/* Is the other surface of a side closed? */
static inline bool pli_is_other_closed(const PliRegions *regions, int side)
{
    return regions->surfaces[1 - side]->is_closed;
}

/* Which of the two faces of a side is inside the other surface: below its triangles, or above them
 * if it is inside out. */
static inline int pli_inner_face(const PliRegions *regions, int side)
{
    return regions->surfaces[1 - side]->is_inside_out ? 1 - side : side;
}

/* Do curves have a face on both of their sides? Then it is asked on which it is. */
static inline bool pli_is_mixed(const PliFace *face)
{
    return face->is_inner && face->is_outer;
}

/* The patch on the inner side of a segment, 0, or the outer one, 1; -1: it is not known. */
int32_t pli_patch_at(const PliRegions *regions, const PliSegment *segment, int side, int which);

double pli_segment_length(const PliRegions *regions, const PliSegment *segment);

/* Notes on which sides of segments faces are. */
void pli_mark_faces(PliRegions *regions);

/* Is one of the two faces of a side mixed? */
bool pli_is_mixed_side(const PliRegions *regions, const PliSegment *segment, int side);

/* Is the other surface around a point beside the middle of a segment, on its inner side, 0, or the
 * outer one, 1? *is_known: there is such a point. */
PliantResult pli_look_beside(const PliRegions *regions, const PliSegment *segment, int side,
                             int which, bool *is_known, bool *is_inside);

/* Counts the segments of each curve: each call gives how many came before. */
PliantResult pli_start_counts(PliRegions *regions);
int32_t pli_count_segment(PliRegions *regions, const PliSegment *segment);

/* Of a long curve, each segment whose count is a multiple of this is looked beside. */
enum { PLI_LOOK_PERIOD = 16 };

#endif
