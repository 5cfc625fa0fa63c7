/* The winding number at one point, exactly. */
#ifndef PLI_WINDING_H
#define PLI_WINDING_H

#include "volume/see.h"

typedef struct PliWinding {
    int64_t above; /* how often the surface winds around the point: crossings above it */
    int64_t all;   /* of the whole line: zero if the surface is closed */
} PliWinding;

/* Is the point inside: is the winding number at least 1/2 or at most -1/2? It is an integer. */
static inline bool pli_winding_is_inside(const PliWinding *winding)
{
    return winding->above != 0;
}

/* For a point that is not on the surface. */
PliantResult pli_winding_at(PliSeeing *seeing, PliPose *pose, const float *point, PliWorker *worker,
                            PliWinding *winding);

#endif
