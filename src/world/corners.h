/* Corner positions of some triangles of a body. */
#ifndef PLI_CORNERS_H
#define PLI_CORNERS_H

#include "world/world.h"

/* Writes the corner positions of triangles of a body, nine floats each. There is room for twice as
 * many keys as triangles. `reader` can fetch leaves of this body. Allocates nothing but once for a
 * shape. */
PliantResult pli_world_fetch_corners(PliBody *body, const int32_t *triangles, int32_t count,
                                     uint64_t *keys, PliWorker *reader, float *corners);

/* The same by a worker of its own, in the modes of the library. */
PliantResult pli_body_fetch_corners(const PliantWorld *world, PliBody *body,
                                    const int32_t *triangles, int32_t count, float *corners);

#endif
