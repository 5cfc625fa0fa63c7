/* The planes that divided triangles lie in, in the rest pose. */
#ifndef PLI_SHAPE_PLANES_H
#define PLI_SHAPE_PLANES_H

#include "shape/pieces.h"
#include "tree/planes.h"
#include "tree/tree.h"

#include <math.h>

typedef struct PliPlanes {
    int32_t plane_count;
    const PliPlane *planes;
    const int32_t *leaf_planes; /* of each leaf: the plane of all that it has, or -1 */
    const int32_t *node_planes; /* of each node, likewise */
} PliPlanes;

/* Finds them, if triangles are divided, and which one each triangle lies in, or -1. */
PliantResult pli_planes_find(const PliDivision *division, const PliMeshView *mesh, PliArena *arena,
                             PliPlanes *planes, const int32_t **numbers);

/* Once there are a tree and its pieces: which of them leaves and nodes lie in. */
PliantResult pli_planes_assign(const struct PliantShape *shape, const int32_t *numbers,
                               PliArena *arena, PliPlanes *planes);

/* Sets the normal to a direction, scaled so that its largest number is below 1 and at least a half;
 * false if the direction is zero. */
bool pli_plane_set_normal(const double direction[3], PliPlane *plane);

#endif
