/* The triangles of a pose in a box. */
#ifndef PLI_OVERLAPS_H
#define PLI_OVERLAPS_H

#include "decide/points.h"

typedef struct PliOverlap {
    int32_t triangle;
    float corners[PLI_ROW_SIZE];
} PliOverlap;

/* Takes a triangle, whose corners are the row. A divided triangle comes once for each leaf that it
 * is in. */
typedef PliantResult PliTakeOverlap(void *data, const float *row, int32_t triangle);

/* Gives each triangle of the pose that is searched whose box has a point in common with a box. The
 * box may be infinite. Triangles that are not finite have none. The order is that of the tree. */
PliantResult pli_point_search_visit_box(PliPointSearch *search, const PliBox *box,
                                        PliTakeOverlap *take, void *data);

/* Replaces `found`, of PliOverlap, by what that gives. */
PliantResult pli_point_search_overlaps(PliPointSearch *search, const PliBox *box, PliArray *found);

#endif
