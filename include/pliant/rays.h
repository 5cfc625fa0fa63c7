/* Pliant: ray casts, at one body or at all bodies of a world.
 *
 *     PliantRay ray = {{0, 1.7f, 0}, {0, 0, -1}, 100};
 *     PliantRayHits hits = pliant_ray_hits_default();
 *     pliant_world_cast_rays(world, NULL, &ray, 1, &hits);
 *     if (hits.count > 0)
 *         printf("%g away\n", hits.items[0].t);
 *
 * Rays are cast at bodies of every kind as they are now: in their rest pose, morphed, skinned, with
 * caller-supplied vertices, and soups. A cast updates what was set since the last query, and
 * evaluates only the leaves that a ray comes to. Coordinates are those of the world.
 *
 * Exact: a ray and the triangles are taken as the real numbers that they are. A ray hits a triangle
 * if and only if it has a point in common with the closed triangle: with its inside, an edge or a
 * vertex, from either side or within its plane. So no ray slips through between two triangles. A
 * triangle without area is a segment or a point. A triangle with a NaN or an infinity is never hit.
 * Which hit is first is decided exactly too.
 *
 * Threads: as in pliant/world.h. Large batches use the workers of the host; the answer is the same,
 * bit for bit, with any number of workers and on every machine.
 */
#ifndef PLIANT_RAYS_H
#define PLIANT_RAYS_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value: the points origin + t * direction, 0 <= t <= max. The numbers are finite, but for max,
 * which may be infinity. The direction has any length but zero: with the length 1, t is a distance;
 * with the vector from one point to another, max = 1 ends the ray at the other. max is not below 0.
 */
typedef struct PliantRay {
    float origin[3], direction[3], max;
} PliantRay;

/* A value: a triangle that a ray hits, and the first point that they have in common. */
typedef struct PliantRayHit {
    int64_t ray;      /* its index in the batch */
    PliantBody body;  /* that the triangle is of */
    int32_t triangle; /* as in contacts: numbered as in its shape, or the index in a soup */
    float t;          /* parameter of the point: the nearest float to the exact one, ties to even;
                         infinity if that is beyond all floats */
    float weights[3]; /* barycentric coordinates of the point, each off by less than 2^-23. Of a
                         triangle without area, those of two of its corners */
    int32_t side;     /* 1: the ray hits the front, from which the corners are counter-clockwise;
                         -1: the back; 0: the ray is in the plane of the triangle, or the triangle
                         has no area */
} PliantRayHit;

/* Which hits are wanted. New kinds are added at the end. */
typedef enum PliantRayKind {
    /* Of each ray the first hit: that with the least exact parameter; of several, that of the body
     * with the least index, and of these the one with the least triangle. */
    PLIANT_FIRST_HIT,

    /* Of each ray one hit, if there is any: whether something is in the way takes less work than
     * what is first. Which one depends on the trees of the shapes and on the poses, and of a soup
     * on earlier frames; not on the machine or the number of workers. */
    PLIANT_ANY_HIT,

    /* Of each ray all hits: in the order in which the ray comes to them, exactly; at the same
     * parameter by body.index, then by triangle. */
    PLIANT_ALL_HITS
} PliantRayKind;

/* A record: what a cast is to find. Start from pliant_ray_def_default(). */
typedef struct PliantRayDef {
    size_t struct_size;
    PliantRayKind kind; /* default PLIANT_FIRST_HIT */

    /* The filter of the rays, as pliant_body_set_filter() sets that of a body: a body is tested if
     * `collides_with` of each has a bit of the `categories` of the other. Default: all bits. */
    uint32_t categories, collides_with;

    int64_t max_hit_count; /* the first so many hits, in the order of PliantRayHits; default 0: no
                              limit */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantRayDef;

static inline PliantRayDef pliant_ray_def_default(void)
{
    PliantRayDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.categories = def.collides_with = 0xffffffffu;
    return def;
}

/* A record. Start from pliant_ray_hits_default(). Hits are ordered by ray, and those of one ray as
 * PliantRayKind says. A ray that hits nothing is not there. */
typedef struct PliantRayHits {
    size_t struct_size;
    const PliantRayHit *items; /* borrowed: see pliant/world.h */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
} PliantRayHits;

static inline PliantRayHits pliant_ray_hits_default(void)
{
    PliantRayHits hits = PLIANT_ZEROS;
    hits.struct_size = sizeof hits;
    return hits;
}

/* Casts `count` rays at all bodies of a world whose filters allow it. A NULL def means the
 * defaults. `rays` is borrowed for the time of the call, and may be NULL if count is 0. A body with
 * a loose box is updated if a ray goes through that box; what is outside of the box may be missed.
 *
 * Rays that are close to each other should be close in the batch: leaves that one of them has
 * evaluated are found by the next. In PliantStats of the world, bound_tests are boxes and
 * triangle_tests triangles that rays were tested with, exact_fallbacks those that needed exact
 * arithmetic, and contacts the hits.
 *
 * Steps of `progress` are rays. Fails with PLIANT_BAD_ARGUMENT if a ray or a field of the def is
 * out of its range. Changes the world. */
PLIANT_API PliantResult pliant_world_cast_rays(PliantWorld *world, const PliantRayDef *def,
                                               const PliantRay *rays, int64_t count,
                                               PliantRayHits *hits);

/* Casts rays at one body. Ignores filters and loose boxes. Fails likewise, and with PLIANT_BAD_ID
 * if the handle names no body of the world. Changes the world. */
PLIANT_API PliantResult pliant_body_cast_rays(PliantWorld *world, PliantBody body,
                                              const PliantRayDef *def, const PliantRay *rays,
                                              int64_t count, PliantRayHits *hits);

#ifdef __cplusplus
}
#endif

#endif
