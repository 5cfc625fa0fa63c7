/* The triangles of a pose in a box. */
#ifndef PLI_OVERLAPS_H
#define PLI_OVERLAPS_H

#include "decide/points.h"

typedef struct PliOverlap {
    int32_t triangle;
    float corners[PLI_ROW_SIZE];
} PliOverlap;

/* Replaces `found`, of PliOverlap, by the triangles of the pose that is searched whose boxes have a
 * point in common with a box. Triangles that are not finite have none. In no order. */
PliantResult pli_point_search_overlaps(PliPointSearch *search, const PliBox *box, PliArray *found);

#endif
