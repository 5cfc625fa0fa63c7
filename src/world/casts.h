/* Ray casts: a batch of rays. */
#ifndef PLI_CASTS_H
#define PLI_CASTS_H

#include "world/world.h"

typedef struct PliCast {
    PliantWorld *world;
    PliBody *body; /* that rays are cast at; NULL: at all */
    PliantRayDef def;
    const PliantRay *rays;
    int64_t count;
    int64_t portion; /* rays of each portion but the last */
    bool is_limit_reached;
} PliCast;

/* Fills world->ray_hits. */
PliantResult pli_casts_find(PliCast *cast);

#endif
