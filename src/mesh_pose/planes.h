/* The planes of divided triangles, transformed as the body is. */
#ifndef PLI_MESH_POSE_PLANES_H
#define PLI_MESH_POSE_PLANES_H

#include "pose/pose.h"
#include "shape/planes.h"

typedef struct PliShaped PliShaped;

/* The plane that the map makes of one, for all vertices that reach no farther along the axes. */
PliPlane pli_plane_moved(const PliPlane *plane, const PliMap *map, const float *reach);

PliantResult pli_pose_planes_init(PliShaped *pose, const PliantHost *host);
void pli_pose_planes_free(PliShaped *pose, const PliantHost *host);

/* A new frame of a body that is not given. */
void pli_pose_planes_update(PliShaped *pose);

#endif
