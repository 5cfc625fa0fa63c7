/* What an approximate query does instead of the exact test. */
#ifndef PLI_APPROXIMATE_H
#define PLI_APPROXIMATE_H

#include "geom/geom.h"
#include "pose/pose.h"

/* Does the ball around a triangle reach the plane of another? Unknown if that has none. */
PliNearness pli_ball_overlaps_plane(const float *small, const float *large);

/* Gives the triangles of a leaf that are passed over no box. */
void pli_skip_rows(const PliPose *pose, int32_t leaf, PliLeafBoxes *boxes);

#endif
