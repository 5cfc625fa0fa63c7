/* Pliant: what the triangles of contacts have in common.
 *
 * A contact says that two triangles share a point. Where, is told by their intersection: mostly a
 * segment, whose ends are where an edge of one triangle goes through the other one.
 *
 *     PliantContacts contacts = pliant_contacts_default();
 *     PliantIntersections cuts = pliant_intersections_default();
 *     pliant_world_collide(world, NULL, &contacts);
 *     pliant_contacts_intersections(world, &contacts, NULL, &cuts);
 *     for (int64_t i = 0; i < cuts.count; i++)
 *         draw(&contacts.items[i], cuts.points + cuts.items[i].first_point,
 *              cuts.items[i].point_count);
 *
 * Which points there are is decided exactly, and each has a name: the least faces of both triangles
 * that it is on. A point of two neighboring pairs has the same name in both, and the same position,
 * bit for bit. So segments join to curves by names, without a tolerance. Threads and common
 * failures: see pliant/world.h.
 */
#ifndef PLIANT_INTERSECTIONS_H
#define PLIANT_INTERSECTIONS_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value: an extreme point of the intersection of two triangles.
 *
 * Its name is corners_a and corners_b, with bit k for corner k of the triangle: the corners of the
 * face that the point is inside of. One bit is a corner, two are an edge, three the whole triangle.
 * An edge of `a` that goes through `b` has two bits in corners_a and three in corners_b. A triangle
 * without area is the segment between its first corner and its last in lexicographic order of
 * coordinates, or a point; of corners at one place, the one with the lower number is named.
 *
 * Weights of the named corners are off by less than 2^-24, and may be rounded to zero; others are
 * zero. If a corner is named alone, the position is that of the corner. Otherwise a coordinate is
 * off by less than 2^-27 of the extent of the edge along that axis, and half of a unit in the last
 * place. For two edges that cross, that is the one whose lower end is less in lexicographic order.
 */
typedef struct PliantIntersectionPoint {
    uint8_t corners_a, corners_b;
    uint8_t reserved[2];
    float position[3];                /* in world coordinates */
    float weights_a[3], weights_b[3]; /* of the corners, from 0 to 1 */
} PliantIntersectionPoint;

/* A value: the intersection of the two triangles of a contact, as points[first_point] and those
 * after it.
 *
 * One point: they touch. Two points are a segment. If the triangles are not in one plane, it goes
 * from the first point to the second along n_a x n_b, where n is the normal from which the corners
 * of a triangle are counter-clockwise: seen on `a` from outside, what is inside of `b` is to the
 * left. Otherwise two points are ordered by corners_a, then by corners_b. Three to six points are a
 * convex polygon, which two triangles in one plane have in common: in order around, as the corners
 * of `a` are. */
typedef struct PliantIntersection {
    int64_t first_point;
    int32_t point_count; /* 1 to 6 */
    int32_t reserved;
} PliantIntersection;

/* A record. Start from pliant_intersections_def_default(). */
typedef struct PliantIntersectionsDef {
    size_t struct_size;
    int64_t max_intersection_count; /* of the first so many contacts; default 0: no limit */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user; /* passed to `progress` */
} PliantIntersectionsDef;

static inline PliantIntersectionsDef pliant_intersections_def_default(void)
{
    PliantIntersectionsDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* A record. Start from pliant_intersections_default(). */
typedef struct PliantIntersections {
    size_t struct_size;
    const PliantIntersection *items; /* one for each contact, in their order; borrowed, as `points`
                                        are: see pliant/world.h */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
    const PliantIntersectionPoint *points;
    int64_t point_count;
} PliantIntersections;

static inline PliantIntersections pliant_intersections_default(void)
{
    PliantIntersections intersections = PLIANT_ZEROS;
    intersections.struct_size = sizeof intersections;
    return intersections;
}

/* Returns the intersections of the triangles of contacts, for every kind of body. `contacts` is an
 * answer of a query of this world, or a record that the caller has filled with some of its items,
 * in any order, and with the stamp 0. Within one body, the intersection of triangles that share
 * vertices includes these. Evaluates only the leaves that these triangles are in.
 *
 * Fails with PLIANT_STALE if bodies have changed since the query. Fails with PLIANT_BAD_ID or
 * PLIANT_BAD_INDEX if a contact names something that does not exist. Fails with PLIANT_BAD_ARGUMENT
 * if contacts were only counted, or if the stamp is 0 and the triangles of a contact have no point
 * in common. Changes the world. */
PLIANT_API PliantResult pliant_contacts_intersections(PliantWorld *world,
                                                      const PliantContacts *contacts,
                                                      const PliantIntersectionsDef *def,
                                                      PliantIntersections *intersections);

#ifdef __cplusplus
}
#endif

#endif
