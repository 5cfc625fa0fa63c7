/* The planes that divided triangles lie in, in the rest pose. */
#ifndef PLI_SHAPE_PLANES_H
#define PLI_SHAPE_PLANES_H

#include "shape/pieces.h"
#include "tree/planes.h"
#include "tree/tree.h"

#include <math.h>

typedef struct PliPlanes {
    int32_t count;
    const PliPlane *planes;
    const int32_t *leaf_planes; /* of each leaf: the plane of all that it has, or -1 */
    const int32_t *node_planes; /* of each node, likewise */
} PliPlanes;

/* Makes them, for a tree of these pieces. The arrays are allocated: pli_planes_free(). */
PliantResult pli_planes_build(const PliDivision *division, const PliMeshView *mesh,
                              const PliTree *tree, const PliPiece *pieces, const PliantHost *host,
                              PliPlanes *planes);
/* Before there is a tree: which plane each triangle lies in, or -1. Returns how many there are. */
int32_t pli_planes_number(const PliDivision *division, const PliMeshView *mesh, int32_t *numbers);
void pli_planes_free(PliPlanes *planes, const PliTree *tree, const PliantHost *host);

/* Sets the normal to a direction, scaled so that its largest number is below 1 and at least a half;
 * false if the direction is zero. */
bool pli_plane_set_normal(const double direction[3], PliPlane *plane);

#endif
