/* Pliant: the least distance of two bodies, and the closest points of bodies to given points.
 *
 *     PliantDistance distance = pliant_distance_default();
 *     pliant_bodies_distance(world, hand, cup, NULL, &distance);
 *     printf("%g\n", distance.pair.distance);
 *
 * Both are exact, for every kind of body, and evaluate only what may be closest. Several features
 * or triangles may be equally close: the rule for which one is returned is the same on every
 * machine. Threads and common failures: see pliant/world.h.
 */
#ifndef PLIANT_DISTANCE_H
#define PLIANT_DISTANCE_H

#include <math.h>
#include <pliant/near.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The distance of two bodies -------------------------------------------------------------- */

/* A record. Start from pliant_distance_def_default(). */
typedef struct PliantDistanceDef {
    size_t struct_size;
    float max_distance; /* at least 0; default infinity. Nothing farther is searched for */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantDistanceDef;

static inline PliantDistanceDef pliant_distance_def_default(void)
{
    PliantDistanceDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.max_distance = INFINITY;
    return def;
}

/* A record. Start from pliant_distance_default(). */
typedef struct PliantDistance {
    size_t struct_size;
    bool is_found;       /* the bodies are no farther from each other than def.max_distance: */
    PliantNearPair pair; /* their closest features; zeros if there are none */
    uint64_t stamp;
} PliantDistance;

static inline PliantDistance pliant_distance_default(void)
{
    PliantDistance distance = PLIANT_ZEROS;
    distance.struct_size = sizeof distance;
    return distance;
}

/* Finds the closest features of two bodies: those with the least PliantNearPair.distance. If
 * several have it, the one with the lowest kind is returned, and of these the first in the order of
 * PliantNearPairs. If `a` and `b` are the same body, finds its two closest features that have no
 * vertex in common.
 *
 * If triangles of the two bodies intersect or touch, the distance is 0, the kind is
 * PLIANT_TRIANGLE_TRIANGLE, and the features are two triangles that do: those that
 * pliant_bodies_collide() returns for PLIANT_ANY_PAIR. Normal, weights and region are zeros then,
 * and each of `vertices` is PLIANT_NO_VERTEX. A body that is inside another and touches nothing has
 * a distance of more than 0.
 *
 * Whether the bodies are within def.max_distance is decided exactly. The distance is that of
 * surfaces: triangles with a NaN or an infinity take no part. Vertices, edges and triangles are
 * numbered, and groups of vertices are treated, as in pliant/near.h. If a body has no finite
 * triangle, nothing is found.
 *
 * The world remembers where the last closest features of some hundred pairs of bodies were, and
 * begins there. This affects speed only.
 *
 * Fails with PLIANT_BAD_ARGUMENT if max_distance is negative or NaN. The first call for a shape
 * finds its edges. Changes the world. */
PLIANT_API PliantResult pliant_bodies_distance(PliantWorld *world, PliantBody a, PliantBody b,
                                               const PliantDistanceDef *def,
                                               PliantDistance *distance);

/* Returns the pairs of bodies whose distance, as above, is at most def.distance, and whose filters
 * allow it. The decision is exact. A distance of 0, the default, returns bodies that intersect or
 * touch. Fails with PLIANT_BAD_ARGUMENT if a field of the def is out of its range. Changes the
 * world. */
PLIANT_API PliantResult pliant_world_bodies_within(PliantWorld *world,
                                                   const PliantBodyPairsDef *def,
                                                   PliantBodyPairs *pairs);

/* ---- The closest points to given points ------------------------------------------------------ */

/* A record. Start from pliant_closest_def_default(). */
typedef struct PliantClosestDef {
    size_t struct_size;
    float max_distance; /* at least 0; default infinity. Nothing farther is searched for */
    bool is_signed;     /* distances are negative inside the body whose triangle is closest */

    /* The filter of the points, as pliant_body_set_filter() sets that of a body: a body is searched
     * if `collides_with` of each has a bit of the `categories` of the other. Default: all bits. */
    uint32_t categories, collides_with;

    /* Called at least every 10 ms of work. `done` of `total` steps are finished: searches for one
     * point in one body, and signs. Returning false ends the call with PLIANT_CANCELLED: outputs
     * are as they were, and everything stays usable. Must not use the world. NULL, the default: not
     * called. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantClosestDef;

static inline PliantClosestDef pliant_closest_def_default(void)
{
    PliantClosestDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.max_distance = INFINITY;
    def.categories = def.collides_with = 0xffffffffu;
    return def;
}

/* Bits of PliantClosestPoint.flags. New ones are added. */
enum {
    PLIANT_CLOSEST_UNDECIDED = 1 /* the sign is not certain: PLIANT_WINDING_UNDECIDED */
};

/* A value: the closest point of a surface to a given point. */
typedef struct PliantClosestPoint {
    PliantBody body;   /* the null handle if nothing is within the distance */
    int32_t triangle;  /* or segment, or point of a soup; -1 if nothing is within the distance */
    float distance;    /* within one ulp; infinity if nothing is within the distance */
    float weights[3];  /* of the corners; their sum is 1 but for rounding */
    float position[3]; /* the sum of the corners by these weights, rounded; zeros if nothing is
                          within the distance */
    uint8_t flags;     /* PLIANT_CLOSEST_* */
    uint8_t reserved[3];
} PliantClosestPoint;

/* A record. Start from pliant_closest_points_default(). */
typedef struct PliantClosestPoints {
    size_t struct_size;
    const PliantClosestPoint *items; /* one for each point, in the order of the points; borrowed:
                                        see pliant/world.h */
    int64_t count;                   /* points.count */
    bool is_limit_reached;           /* false: no answer is left out */
    bool is_certain;                 /* no item has PLIANT_CLOSEST_UNDECIDED */
    uint64_t stamp;
} PliantClosestPoints;

static inline PliantClosestPoints pliant_closest_points_default(void)
{
    PliantClosestPoints closest = PLIANT_ZEROS;
    closest.struct_size = sizeof closest;
    return closest;
}

/* Finds the closest point of a body to each of the given points: on the triangle with the least
 * distance, as it is returned; if several have it, on the one with the lowest number. Whether it is
 * within def.max_distance is decided exactly. Triangles with a NaN or an infinity take no part.
 * Ignores filters and loose boxes.
 *
 * With def.is_signed the distance is negative if the point is inside the body: see
 * pliant_body_winding_numbers(). A point on the surface has no sign.
 *
 * Points may come in any order: they are searched for along a curve, and those that are close to
 * each other share what was evaluated.
 *
 * Fails with PLIANT_OUT_OF_MEMORY or PLIANT_CANCELLED; with PLIANT_BAD_ARGUMENT if a point is not
 * finite, a count is negative, a stride is not valid, or max_distance is negative or NaN. `closest`
 * is then as it was, and items of an earlier call are no longer valid. Once a world has seen its
 * worst frame, nothing is allocated. Changes the world. */
PLIANT_API PliantResult pliant_body_closest_points(PliantWorld *world, PliantBody body,
                                                   PliantVertices points,
                                                   const PliantClosestDef *def,
                                                   PliantClosestPoints *closest);

/* The same for all bodies of a world whose filters allow it. If triangles of several bodies have
 * the least distance, that of the body with the lowest index is returned. Changes the world. */
PLIANT_API PliantResult pliant_world_closest_points(PliantWorld *world, PliantVertices points,
                                                    const PliantClosestDef *def,
                                                    PliantClosestPoints *closest);

/* ---- Winding numbers of given points ----------------------------------------------------------
 */

/* A record. Start from pliant_winding_def_default(). */
typedef struct PliantWindingDef {
    size_t struct_size;

    /* Called at least every 10 ms of work. `done` of `total` points are finished. Returning false
     * ends the call with PLIANT_CANCELLED: outputs are as they were, and everything stays usable.
     * Must not use the world. NULL, the default: not called. */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantWindingDef;

static inline PliantWindingDef pliant_winding_def_default(void)
{
    PliantWindingDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Bits of PliantWindingNumber.flags. New ones are added. */
enum {
    PLIANT_WINDING_UNDECIDED = 1 /* `number` is within `error` of 1/2, -1/2, 3/2, ...: is_inside is
                                    not certain */
};

/* A value: how often a surface winds around a point. */
typedef struct PliantWindingNumber {
    double number;  /* an integer if the surface is closed */
    double error;   /* `number` is off by at most this; 0 if the surface is closed; infinity if the
                       point is on an edge of the boundary */
    bool is_inside; /* the number is at least 1/2 or at most -1/2 */
    uint8_t flags;  /* PLIANT_WINDING_* */
    uint8_t reserved[6];
} PliantWindingNumber;

/* A record. Start from pliant_winding_numbers_default(). */
typedef struct PliantWindingNumbers {
    size_t struct_size;
    const PliantWindingNumber *items; /* one for each point, in the order of the points; borrowed:
                                         see pliant/world.h */
    int64_t count;                    /* points.count */
    bool is_limit_reached;            /* false: no answer is left out */
    bool is_certain;                  /* no item has PLIANT_WINDING_UNDECIDED */
    uint64_t stamp;
} PliantWindingNumbers;

static inline PliantWindingNumbers pliant_winding_numbers_default(void)
{
    PliantWindingNumbers numbers = PLIANT_ZEROS;
    numbers.struct_size = sizeof numbers;
    return numbers;
}

/* Finds the winding number of a body's surface around each of the given points: the solid angle of
 * the surface, seen from the point, divided by 4 pi. It is positive behind triangles. Ask this to
 * tell what is inside, also of a surface with holes: a number near 1 is well inside, and one near
 * 1/2 is in an opening.
 *
 * Closed surfaces have an integer, which is counted exactly: an edge has to have as many triangles
 * on one side as on the other. Several closed shells that overlap add up. A point on the surface
 * gets the number of one of its sides. Open surfaces have an integer plus a part that depends on
 * the edges of the boundary alone; it is off by at most `error`, about 10^-15 for each of these
 * edges. Without corner indices, a soup has the edges that are equal to the bit in common. Segments
 * have no area and do not count: rods alone have the number 0 everywhere.
 *
 * Evaluates the leaves that a line from each point upward reaches, and the vertices of the
 * boundary. Triangles with a NaN or an infinity are holes. Ignores filters and loose boxes.
 *
 * Fails with PLIANT_BAD_ARGUMENT if a point is not finite, a count is negative or a stride is not
 * valid. `numbers` is then as it was. Changes the world. */
PLIANT_API PliantResult pliant_body_winding_numbers(PliantWorld *world, PliantBody body,
                                                    PliantVertices points,
                                                    const PliantWindingDef *def,
                                                    PliantWindingNumbers *numbers);

#ifdef __cplusplus
}
#endif

#endif
