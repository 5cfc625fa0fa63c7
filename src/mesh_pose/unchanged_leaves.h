/* Unchanged leaves: which leaves of a mesh are where they were at the last look.
 *
 * Where the triangles of a leaf are follows from the shape, from the joints and the weights that
 * have a part in the leaf, and from the transform. If all of these are the same bits as last time,
 * the triangles are where they were.
 */
#ifndef PLI_UNCHANGED_LEAVES_H
#define PLI_UNCHANGED_LEAVES_H

#include "pose/pose.h"

/* PliPoseKind.snapshot_size and PliPoseKind.compare, of meshes. */
size_t pli_mesh_snapshot_size(const PliPose *pose);
void pli_mesh_compare(const PliPose *pose, void *snapshot, uint8_t *changed_leaves);

#endif
