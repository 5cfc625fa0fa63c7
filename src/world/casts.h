/* Ray casts: a batch of rays, and what is asked of its hits. */
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
    PliRayRules rules;
    bool is_limit_reached;
} PliCast;

/* Fills world->ray_hits. */
PliantResult pli_casts_find(PliCast *cast);

/* Fills world->hit_points with those of the first `total` hits, which have been checked. */
PliantResult pli_world_find_hit_points(PliantWorld *world, const PliantRayHits *hits,
                                       int64_t total);

#endif
