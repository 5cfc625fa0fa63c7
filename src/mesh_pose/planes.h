/* The planes of divided triangles, transformed as the body is. */
#ifndef PLI_MESH_POSE_PLANES_H
#define PLI_MESH_POSE_PLANES_H

#include "pose/pose.h"
#include "shape/planes.h"

typedef struct PliMeshPose PliMeshPose;

/* The plane that the map makes of one, for all vertices that reach no farther along the axes. */
PliPlane pli_plane_moved(const PliPlane *plane, const PliTransform *transform, const float *reach);

PliantResult pli_pose_planes_init(PliMeshPose *pose, const PliantHost *host);
void pli_pose_planes_free(PliMeshPose *pose, const PliantHost *host);

/* A new frame of a body that is not given. */
void pli_pose_planes_update(PliMeshPose *pose);

#endif
