/* Hubs: leaves whose triangles all have one vertex in common.
 *
 * Around a vertex with thousands of triangles all boxes overlap, and each two triangles would be
 * tested. Seen from the vertex v they are apart as a rule: a point of the triangle v, a, b other
 * than v is in a direction between those of a and b. If the directions of two triangles that have v
 * are apart, they have nothing in common but v. So leaves with the same hub are compared by boxes
 * of directions.
 *
 * The directions of a triangle are an arc from a' to b', the unit vectors from v to a and b. A
 * point p of the chord from a' to b' is off the point p / |p| of the arc by 1 - |p|. That is at
 * most 1 - sqrt(1 - c^2 / 4) <= c^2 / 4, with c the length of the chord. So the box of a' and b',
 * wider by that, contains the arc. In double a' and b' are off by less than 2^-50; 2^-20 covers
 * this, the rounding of c^2 and that to float.
 */
#ifndef PLI_HUBS_H
#define PLI_HUBS_H

#include "query/leaf_cache.h"

/* For each slot of the cache that was asked for. */
typedef struct PliHubs {
    PliArray items; /* of PliHub */
    PliArray boxes; /* of PliLeafBoxes: of directions */
} PliHubs;

void pli_hubs_init(PliHubs *hubs);
void pli_hubs_free(PliHubs *hubs, const PliantHost *host);

/* Nothing is known. */
static inline void pli_hubs_forget(PliHubs *hubs)
{
    hubs->items.count = hubs->boxes.count = 0;
}

/* Have two leaves in slots of the cache the same hub? Then hubs->boxes has their directions. */
PliantResult pli_hubs_are_same(PliHubs *hubs, const PliLeafCache *cache, const PliPose *pose,
                               const uint32_t slots[2], const PliantHost *host, bool *are_same);

#endif
