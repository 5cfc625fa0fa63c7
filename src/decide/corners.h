/* Corner positions of some triangles of a pose. */
#ifndef PLI_CORNERS_H
#define PLI_CORNERS_H

#include "pose/pose.h"

/* Writes the corner positions of triangles, nine floats each. There is room for twice as many keys
 * as triangles. `reader` can fetch leaves of this pose. Allocates nothing but once for a shape. */
PliantResult pli_fetch_corners(PliPose *pose, const int32_t *triangles, int32_t count,
                               uint64_t *keys, PliWorker *reader, float *corners);

#endif
