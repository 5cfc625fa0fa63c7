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

/* Which sides of triangles count. */
typedef enum PliantRaySides {
    PLIANT_BOTH_SIDES,  /* all hits */
    PLIANT_FRONT_SIDES, /* hits whose `side` is 1: a ray goes into a closed body there, if its
                           triangles face outward */
    PLIANT_BACK_SIDES   /* hits whose `side` is -1 */
} PliantRaySides;

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
     * parameter by body.index, then by triangle. Each triangle is there once. A ray through an edge
     * or a vertex hits every triangle there, at the same parameter. */
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

    PliantRaySides sides; /* default PLIANT_BOTH_SIDES */

    /* Arrays with an entry for each ray, borrowed for the time of the call; NULL, the default:
     * none. Casts at one body ignore them. */
    const PliantBody *ignored; /* a body that the ray does not hit, such as the one that shoots; the
                                  null handle: none */
    const uint32_t *ray_categories, *ray_collides_with; /* in place of `categories` and of
                                                           `collides_with` */
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
 * out of its range, and with PLIANT_BAD_ID if a handle in `ignored` names no body of the world.
 * Changes the world. */
PLIANT_API PliantResult pliant_world_cast_rays(PliantWorld *world, const PliantRayDef *def,
                                               const PliantRay *rays, int64_t count,
                                               PliantRayHits *hits);

/* Casts rays at one body. Ignores filters, ignored bodies and loose boxes. Fails likewise, and with
 * PLIANT_BAD_ID if the handle names no body of the world. Changes the world. */
PLIANT_API PliantResult pliant_body_cast_rays(PliantWorld *world, PliantBody body,
                                              const PliantRayDef *def, const PliantRay *rays,
                                              int64_t count, PliantRayHits *hits);

/* ---- What is hit ----------------------------------------------------------------------------- */

/* Sets `joint` to the joint that the skin follows most at a hit: a head, a hand. The weight of a
 * joint there is (w0 * s0 + w1 * s1) + w2 * s2: `w` are the weights of the hit, `s` the weights of
 * the joint at the three corners, and all operations are in double. The joint with the greatest
 * weight counts; of several the lowest. -1 if the shape has no skin, if no joint has a weight above
 * 0 there, and of a soup.
 *
 * Reads body, triangle and weights of the hit, and the skin of the shape. The answer is the same in
 * every pose, so hits may be kept. O(1). Fails with PLIANT_BAD_INDEX if the body has no such
 * triangle, and with PLIANT_BAD_ARGUMENT if a weight is not finite. Reads the world. */
PLIANT_API PliantResult pliant_hit_joint(const PliantWorld *world, const PliantRayHit *hit,
                                         int32_t *joint);

/* A value: where a hit is, in world coordinates, and the smooth normal of the surface there. NaN if
 * the triangle of the hit is not finite. */
typedef struct PliantHitPoint {
    float position[3]; /* (w0 * p0 + w1 * p1) + w2 * p2: weights of the hit and corners of the
                          triangle, in double, then rounded to float */
    float normal[3];   /* length 1, up to rounding; on the front, from which the corners are
                          counter-clockwise */
} PliantHitPoint;

/* A record. Start from pliant_hit_points_def_default(). */
typedef struct PliantHitPointsDef {
    size_t struct_size;
    int64_t max_point_count; /* of the first so many hits; default 0: no limit */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantHitPointsDef;

static inline PliantHitPointsDef pliant_hit_points_def_default(void)
{
    PliantHitPointsDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* A record. Start from pliant_hit_points_default(). */
typedef struct PliantHitPoints {
    size_t struct_size;
    const PliantHitPoint
        *items; /* one for each hit, in their order; borrowed: see pliant/world.h */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
} PliantHitPoints;

static inline PliantHitPoints pliant_hit_points_default(void)
{
    PliantHitPoints points = PLIANT_ZEROS;
    points.struct_size = sizeof points;
    return points;
}

/* Returns the position and the smooth normal of each hit, in the pose that the bodies have now.
 * Pass the record of a cast. Or keep some of its items, and pass them in a record with the stamp 0:
 * each point then follows its triangle, as a decal does.
 *
 * The normal at a corner is the sum of the area vectors (b - a) x (c - a) of the triangles around
 * it, in the order of their numbers, divided by its length. Triangles are around a corner if one of
 * their corners is at the same place now and is the same vertex, or a vertex of the same group
 * (PliantShapeDef.groups). Triangles that are not finite do not count. The normal at the hit is the
 * sum of the three, by the weights of the hit, divided by its length. If that sum is zero, it is
 * the normal of the triangle; 0 if the triangle has no area. A hit on a soup has the normal of its
 * triangle. All is computed in double, each operation rounded, then rounded to float.
 *
 * Evaluates only the leaves of these triangles. The first call for a shape finds the triangles
 * around each of its vertices. A call for many hits is divided among the workers of the host.
 *
 * Steps of `progress` are hits. Fails with PLIANT_BAD_ID, PLIANT_BAD_INDEX or PLIANT_BAD_ARGUMENT
 * if a hit names no body or triangle of the world, or has a weight that is not finite; and with
 * PLIANT_STALE if the record has a stamp and a body was set since then. Changes of borrowed
 * vertices are not seen. Changes the world. */
PLIANT_API PliantResult pliant_hits_points(PliantWorld *world, const PliantRayHits *hits,
                                           const PliantHitPointsDef *def, PliantHitPoints *points);

#ifdef __cplusplus
}
#endif

#endif
