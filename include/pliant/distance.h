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

#include <pliant/near.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The distance of two bodies -------------------------------------------------------------- */

/* A record. Start from pliant_distance_def_default(). */
typedef struct PliantDistanceDef {
    size_t struct_size;
    float max_distance; /* at least 0; default infinity. Nothing farther is searched for */
} PliantDistanceDef;

static inline PliantDistanceDef pliant_distance_def_default(void)
{
    PliantDistanceDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.max_distance = __builtin_inff();
    return def;
}

/* A record. Start from pliant_distance_default(). */
typedef struct PliantDistance {
    size_t struct_size;
    bool is_found;       /* the bodies are no farther from each other than def.max_distance: */
    PliantNearPair pair; /* their closest features; zeros if there are none */
} PliantDistance;

static inline PliantDistance pliant_distance_default(void)
{
    PliantDistance distance = PLIANT_ZEROS;
    distance.struct_size = sizeof distance;
    return distance;
}

/* Finds the closest features of two bodies: those with the least PliantNearPair.distance. If
 * several have it, the one with the lowest kind is returned, and of these the first in the order of
 * PliantNearPairs.
 *
 * If triangles of the two bodies intersect or touch, the distance is 0, the kind is
 * PLIANT_TRIANGLE_TRIANGLE, and the features are two triangles that do: those that
 * pliant_bodies_collide() returns for PLIANT_ANY_PAIR. Normal, weights and region are zeros then. A
 * body that is inside another and touches nothing has a distance of more than 0.
 *
 * Whether the bodies are within def.max_distance is decided exactly. The distance is that of
 * surfaces: triangles with a NaN or an infinity take no part. Vertices, edges and triangles are
 * numbered, and groups of vertices are treated, as in pliant/near.h. If a body has no finite
 * triangle, nothing is found. Ignores filters and loose boxes.
 *
 * The world remembers where the last closest features of some hundred pairs of bodies were, and
 * begins there. This affects speed only.
 *
 * Fails with PLIANT_OUT_OF_MEMORY or PLIANT_TOO_LARGE; with PLIANT_BAD_ARGUMENT if the bodies are
 * one, or max_distance is negative or NaN. The first call for a shape finds its edges. Once a world
 * has seen its worst frame, nothing is allocated. Changes the world. */
PLIANT_API PliantResult pliant_bodies_distance(PliantWorld *world, PliantBody a, PliantBody b,
                                               const PliantDistanceDef *def,
                                               PliantDistance *distance);

/* Returns the pairs of bodies whose distance, as above, is at most `distance`, and whose filters
 * allow it, ordered by body_a.index, body_b.index. The decision is exact. A distance of 0 returns
 * bodies that intersect or touch. Borrowed: until the next call of this function with this world.
 *
 * Fails with PLIANT_OUT_OF_MEMORY or PLIANT_TOO_LARGE; with PLIANT_BAD_ARGUMENT if the distance is
 * negative or not finite. Changes the world. */
PLIANT_API PliantResult pliant_world_bodies_within(PliantWorld *world, float distance,
                                                   const PliantBodyPair **pairs,
                                                   int64_t *pair_count);

/* ---- The closest points to given points ------------------------------------------------------ */

/* A record. Start from pliant_closest_def_default(). */
typedef struct PliantClosestDef {
    size_t struct_size;
    float max_distance; /* at least 0; default infinity. Nothing farther is searched for */
    bool is_signed;     /* distances are negative inside of the body whose triangle is closest */
} PliantClosestDef;

static inline PliantClosestDef pliant_closest_def_default(void)
{
    PliantClosestDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.max_distance = __builtin_inff();
    return def;
}

/* A value: the closest point of a surface to a given point. */
typedef struct PliantClosestPoint {
    PliantBody body;   /* the null handle if nothing is within the distance */
    int32_t triangle;  /* or point of a soup; -1 if nothing is within the distance */
    float distance;    /* within one ulp; infinity if nothing is within the distance */
    float weights[3];  /* of the corners; their sum is 1 but for rounding */
    float position[3]; /* the sum of the corners by these weights, rounded; zeros if nothing is
                          within the distance */
} PliantClosestPoint;

/* Finds the closest point of a body to each of the given points, and writes points.count of them to
 * `closest`: on the triangle with the least distance, as it is returned; if several have it, on the
 * one with the lowest number. Whether it is within def.max_distance is decided exactly. Triangles
 * with a NaN or an infinity take no part. `capacity` is the length of `closest`, at least
 * points.count; further entries are left as they are.
 *
 * With def.is_signed the distance is negative if the surface winds around the point, which is
 * decided exactly along a line through the point. The body must be closed: fails with
 * PLIANT_NOT_CLOSED if such a line does not leave it as often as it enters. On failure `closest` is
 * undefined.
 *
 * Points may come in any order: they are searched for along a curve, and those that are close to
 * each other share what was evaluated.
 *
 * Fails with PLIANT_OUT_OF_MEMORY; with PLIANT_BAD_ARGUMENT if a point is not finite, a capacity is
 * too small, a count is negative, a stride is not valid, or max_distance is negative or NaN. Once a
 * world has seen its worst frame, nothing is allocated. Changes the world. */
PLIANT_API PliantResult pliant_body_closest_points(PliantWorld *world, PliantBody body,
                                                   PliantVertices points,
                                                   const PliantClosestDef *def,
                                                   PliantClosestPoint *closest, int64_t capacity);

/* The same for all bodies of a world, whatever their filters. If triangles of several bodies have
 * the least distance, that of the body with the lowest index is returned. Changes the world. */
PLIANT_API PliantResult pliant_world_closest_points(PliantWorld *world, PliantVertices points,
                                                    const PliantClosestDef *def,
                                                    PliantClosestPoint *closest, int64_t capacity);

#ifdef __cplusplus
}
#endif

#endif
