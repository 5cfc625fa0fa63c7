/* Rays: which triangles a ray hits.
 *
 * One ray is walked through a tree of bodies, and from each body that it reaches through the tree
 * of that body: eight boxes at a time, the nearest first. Its one idea: a box test says from which
 * parameter on a part can be hit, so that what lies behind the first hit is never opened, and its
 * vertices are never evaluated. Box tests are conservative (kernels/ray.h); triangles and the order
 * of hits are exact (geom/ray.h). So the answer does not depend on the trees.
 */
#ifndef PLI_RAYS_H
#define PLI_RAYS_H

#include "decide/hit_order.h"
#include "query/leaf_cache.h"
#include "query/scene.h"
#include "tree/visit.h"

typedef enum PliRayKind {
    PLI_RAY_FIRST, /* the first hit */
    PLI_RAY_ANY,   /* one hit: of the first leaf that has one, that of the least triangle */
    PLI_RAY_ALL,
} PliRayKind;

/* What a walk took. */
typedef struct PliRayStats {
    int64_t bound_count;    /* boxes that were tested */
    int64_t triangle_count; /* triangles that were tested */
} PliRayStats;

/* What one worker needs to cast rays. Several casters may walk one scene if the bounds of its
 * bodies are shared. */
typedef struct PliCaster {
    PliArray stack;     /* of PliVisitPart */
    PliLeafCache cache; /* of leaves of many bodies */
    PliArray hits;      /* of PliRayHit: of the last ray, in order */
    PliArray scratch;   /* of PliRayHit */
    PliArray counts;    /* of PliPoseCounts, by body of the scene */
    PliCounts exact;
    PliRayStats stats;
} PliCaster;

void pli_caster_init(PliCaster *caster);
void pli_caster_free(PliCaster *caster, const PliantHost *host);

/* Begins a batch of so many rays in a scene: counts are zero, no leaf is fetched. */
PliantResult pli_caster_start(PliCaster *caster, const PliScene *scene, int64_t ray_count,
                              const PliantHost *host);

/* Marks the bodies of a scene whose boxes the ray goes through. */
PliantResult pli_rays_reach(PliCaster *caster, PliScene *scene, const PliRay *ray,
                            PliWorker *worker);

/* Finds hits: caster->hits. The bodies that the ray goes through are up to date. */
PliantResult pli_ray_cast(PliCaster *caster, const PliScene *scene, const PliRay *ray,
                          PliRayKind kind, PliWorker *worker);

#endif
