/* The order of hits: by their parameters, exactly, then by body and triangle. */
#ifndef PLI_HIT_ORDER_H
#define PLI_HIT_ORDER_H

#include "base/memory.h"
#include "geom/geom.h"

/* A triangle that a ray hits. */
typedef struct PliRayHit {
    PliRaySpan span;
    int32_t body, triangle; /* of the scene, and its number */
    float corners[9];
} PliRayHit;

/* Negative, zero or positive, as a comes before b or after it. Zero: they are the same. */
int pli_ray_hits_compare(const PliRay *ray, const PliRayHit *a, const PliRayHit *b);

/* Sorts hits. `scratch` gets room for as many. A triangle that is there several times, as it is
 * divided, is then there once. */
PliantResult pli_ray_hits_sort(const PliRay *ray, PliArray *hits, PliArray *scratch,
                               const PliantHost *host);

#endif
