/* Rays: which triangles a ray hits.
 *
 * One ray is walked through a tree of bodies, and from each body that it reaches through the tree
 * of that body: eight boxes at a time, the nearest first. Its one idea: a box test says from which
 * parameter on a part can be hit, so that what lies behind the first hit is never opened, and its
 * vertices are never evaluated. Many rays are walked together (ray_batch.c): each part is visited
 * once for all of them. Box tests are conservative (kernels/ray.h); triangles and the order
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

/* Which bodies and triangles the rays of a batch may hit. Arrays of rays are by their numbers in
 * the batch, or NULL; those of bodies are by PliSceneBody.number. */
typedef struct PliRayRules {
    const PliantBody *ignored;
    const uint32_t *ray_categories, *ray_collides_with;
    uint32_t categories, collides_with; /* of rays, in place of an array that is NULL */
    const uint32_t *body_categories, *body_collides_with;
    bool are_by_ray; /* one of the arrays of rays is there; otherwise each body may be hit */
    int side;        /* 1 or -1: only hits from there count; 0: all */
} PliRayRules;

/* May a ray hit a body? */
static inline bool pli_ray_may_hit(const PliRayRules *rules, int64_t ray, int32_t number)
{
    const uint32_t categories =
        rules->ray_categories ? rules->ray_categories[ray] : rules->categories;
    const uint32_t collides_with =
        rules->ray_collides_with ? rules->ray_collides_with[ray] : rules->collides_with;
    return !(rules->ignored && rules->ignored[ray].index == (uint32_t)number + 1) &&
           (rules->body_categories[number] & collides_with) &&
           (rules->body_collides_with[number] & categories);
}

/* What a walk took. */
typedef struct PliRayStats {
    int64_t bound_count;    /* boxes that were tested */
    int64_t triangle_count; /* triangles that were tested */
} PliRayStats;

/* A part that waits in a batch: the rays that go through it are the next `count` items. */
typedef struct PliRayPart {
    int32_t part, tag; /* as in PliVisitPart */
    int64_t first, count;
    int64_t hit_count; /* of the caster, when the part was put there */
} PliRayPart;

/* What one worker needs to cast rays. Several casters may walk one scene if the bounds of its
 * bodies are shared. */
typedef struct PliCaster {
    PliArray stack;     /* of PliVisitPart */
    PliLeafCache cache; /* of leaves of many bodies */
    PliArray hits;      /* of PliRayHit: of the last ray, in order; the first ones of a batch */
    PliArray scratch;   /* of PliRayHit */
    PliArray counts;    /* of PliPoseCounts, by body of the scene */
    PliCounts exact;
    PliRayStats stats;
    PliRayRules rules;

    /* Of a batch; rays are in the order of their octants. */
    PliArray rays, lines, firsts; /* of PliRay, PliRayLine, and int32_t: which hit, or -1 */
    PliArray places;              /* of int32_t: where each ray of the batch is in these */
    PliArray numbers;             /* of int64_t: of each ray here, its number; if rules need it */
    PliArray parts, items;        /* of PliRayPart and PliRayItem: a stack, and the rays of each */
    int64_t hit_count;            /* how often a ray's end has come closer */
} PliCaster;

void pli_caster_init(PliCaster *caster);
void pli_caster_free(PliCaster *caster, const PliantHost *host);

/* Begins a batch of so many rays in a scene: counts are zero, no leaf is fetched. What the rules
 * point at stays until the end of the batch. */
PliantResult pli_caster_start(PliCaster *caster, const PliScene *scene, const PliRayRules *rules,
                              int64_t ray_count, const PliantHost *host);

/* A ray has a number: the one that it has in the rules. */

/* Marks the bodies of a scene whose boxes the ray goes through, and that it may hit. */
PliantResult pli_rays_reach(PliCaster *caster, PliScene *scene, const PliRay *ray, int64_t number,
                            PliWorker *worker);

/* Finds hits: caster->hits. The bodies that the ray goes through are up to date. */
PliantResult pli_ray_cast(PliCaster *caster, const PliScene *scene, const PliRay *ray,
                          int64_t number, PliRayKind kind, PliWorker *worker);

/* Finds the first hits of many rays in a scene with a body: pli_batch_hit(). `rays` are PliRay, at
 * most PLI_MAX_RAY_BATCH, with numbers from `first_number` on. */
enum { PLI_MAX_RAY_BATCH = 1 << 16 };
PliantResult pli_ray_batch(PliCaster *caster, const PliScene *scene, const void *rays,
                           int64_t first_number, int32_t count, PliWorker *worker);

/* The first hit of a ray of the last batch; NULL if it has none. */
static inline const PliRayHit *pli_batch_hit(const PliCaster *caster, int32_t ray)
{
    const int32_t first =
        ((const int32_t *)caster->firsts.items)[((const int32_t *)caster->places.items)[ray]];
    return first < 0 ? NULL : (const PliRayHit *)caster->hits.items + first;
}

/* ---- Within src/decide ---------------------------------------------------------------------- */

/* Sets the line of a ray: see kernels/ray.h. */
void pli_ray_line(const PliRay *ray, PliRayLine *line);

/* A parameter of a ray as its line has it. */
float pli_ray_line_parameter(const PliRay *ray, double t);

/* Moves what a part took from the worker to the body. */
void pli_caster_count_for(const PliCaster *caster, int32_t body, PliWorker *worker);

#endif
