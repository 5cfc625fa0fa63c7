/* Meshes whose vertices are supplied by the caller: boxes are taken from the vertices. */
#ifndef PLI_SUPPLIED_H
#define PLI_SUPPLIED_H

#include "mesh_pose/mesh_pose.h"

/* Makes the bounds of a new frame right, as far as the update kind says, and returns the box of
 * all, which is transformed. */
PliBox pli_supplied_update(PliMeshPose *pose, PliWorker *worker);

/* PliBounds.open. */
bool pli_supplied_open(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *worker,
                       PliBoxes *boxes, float *extra);

#endif
