/* From pairs of triangles to segments between nodes, on to curves, and to faces of cut triangles.
 */
#ifndef PLI_REGION_FACES_H
#define PLI_REGION_FACES_H

#include "regions/regions.h"

/* Makes cuts, segments and nodes of the pairs. */
PliantResult pli_find_nodes(PliRegions *regions);

/* Appends the curves that the segments form. */
PliantResult pli_join_curves(PliRegions *regions);

/* A side of a segment that is followed, from one of its ends to the other. */
typedef struct PliStep {
    int32_t side, end;
} PliStep;

typedef enum PliStop {
    PLI_GOES_ON,
    PLI_AT_BOUNDARY, /* of the triangle: at a node, or at a corner */
    PLI_AT_END,      /* the curve ends here, within the triangle */
} PliStop;

/* From the end of a segment to the next one in the same triangle. */
PliStop pli_next_step(const PliRegions *regions, PliStep *step);

/* Divides all cut triangles into faces. */
PliantResult pli_find_faces(PliRegions *regions);

/* The representative of a face. */
int32_t pli_same_face(const PliRegions *regions, int32_t face);

#endif
