/* What follows from a shape's topology and is not always needed: made on first need, once for each
 * shape, and shared by all of its bodies.
 *
 * Any thread may ask. Two threads that ask at the same time may both build; one result is kept and
 * the other one released, so that nobody waits. Memory comes from the shape's host and is released
 * with the shape.
 */
#ifndef PLI_TOPOLOGY_H
#define PLI_TOPOLOGY_H

#include "shape/fans.h"
#include "shape/features.h"
#include "shape/shape.h"

/* For each triangle a leaf that it is in: the only one, unless the triangle is divided. */
PliantResult pli_topology_triangle_leaves(PliantShape *shape, const int32_t **triangle_leaves);

/* The seams of a mesh whose vertices have groups, else NULL. */
PliantResult pli_topology_seams(PliantShape *shape, const PliSeams **seams);

/* The fans of the mesh; NULL if triangles are divided, since a piece does not know its neighbors.
 */
PliantResult pli_topology_fans(PliantShape *shape, const PliFans **fans);

/* The vertices and edges of the mesh, and which triangle owns each: of whole triangles, also where
 * they are divided. */
PliantResult pli_topology_features(PliantShape *shape, const PliFeatures **features);

/* The same by leaves; NULL if triangles are divided. */
PliantResult pli_topology_leaf_features(PliantShape *shape, const PliLeafFeatures **leaf_features);

/* The corners of triangles at each vertex; those of a group are at its lowest one. */
PliantResult pli_topology_rings(PliantShape *shape, const PliRings **rings);

void pli_topology_free(PliantShape *shape);

#endif
