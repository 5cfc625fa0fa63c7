/* Pliant: where bodies are inside each other, and how deep.
 *
 * Intersecting triangles form curves, and curves cut off what is on the wrong side: the part of a
 * hand that is inside a table, and the part of the table that is inside the hand. A region is such
 * a place, with both of its parts. An artist wants its depth, and a simulator a direction:
 *
 *     pliant_world_collide(world, NULL, &contacts);
 *     PliantRegions regions = pliant_regions_default();
 *     pliant_contacts_regions(world, &contacts, NULL, &regions);
 *     for (int64_t i = 0; i < regions.count; i++)
 *         printf("%g\n", regions.items[i].parts[0].depth);
 *
 * Where curves go is decided exactly. What follows from that in numbers is rounded: areas, depths,
 * and which side of a loop within one triangle is its inner one. Threads and common failures: see
 * pliant/world.h.
 */
#ifndef PLIANT_REGIONS_H
#define PLIANT_REGIONS_H

#include <pliant/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A value: a point of a curve. An edge of one of the two bodies goes through a triangle of the
 * other there. Edges are numbered as in pliant_shape_edges(); of a soup as in PliantNearPair. */
typedef struct PliantCurvePoint {
    float position[3];
    int32_t edge;     /* -1: a vertex at which a surface begins to intersect itself */
    int32_t triangle; /* that the edge goes through; or the number of that vertex */
    uint8_t side;     /* 0: the edge is of body a and the triangle of body b; 1: the other way */
    uint8_t reserved[3];
} PliantCurvePoint;

/* A value: a curve in which two surfaces intersect. It goes along the cross product of the normals
 * of a and b, in this order, where both are oriented; its points are in that order. */
typedef struct PliantCurve {
    int64_t first_point; /* in PliantRegions.points */
    int64_t point_count; /* a closed curve does not repeat its first point */
    bool is_closed;      /* a loop; else an arc, which ends at a boundary of a surface */
} PliantCurve;

/* A value: what is on the wrong side, of one of the two bodies. Without any, all numbers are 0. */
typedef struct PliantRegionPart {
    int64_t first_triangle, triangle_count; /* in PliantRegions.triangles: whole and cut ones */
    int64_t first_vertex, vertex_count;     /* in PliantRegions.vertices */
    double area;           /* of the wrong side alone: of a cut triangle, what is cut off */
    double area_normal[3]; /* the sum of normals, each as long as the area that has it */
    double centroid[3];

    /* How far the deepest point of the part is from where one gets out of the other body: from the
     * closest point of its surface next to which one is outside. Walls between shells that overlap
     * do not count. Of a part that sticks out (is_inside is false), how far it is from the surface.
     * Only points that are inside have a depth; of a part that sticks out, only those outside.
     *
     * Within one body, what is inside of itself, as in a fold, has that depth too; and so has, of
     * an open body, what it winds around at least half a time, on both sides. Otherwise the surface
     * is all triangles that are in no part of a region, and those of the other part. Triangles that
     * are closer to this part than to the other one, counted along the surface, are left out if
     * there is another part: a hand is deep in a chest, not in its own wrist. */
    float depth;      /* at least this */
    float max_depth;  /* and at most this. The difference is at most def.depth_tolerance, or some
                         1e-6 of the greatest coordinate. It is larger if the search ended after
                         16,384 points (131,072 with a tolerance below 0.01), as it may where the
                         winding number of an open body is close to 1/2; or after 2^25 visits of
                         edges of the boundary of an open body, by the winding numbers of a part */
    float deepest[3]; /* a point of the part that is so deep, and */
    float closest[3]; /* the closest point to it of what that is from */
    int32_t deepest_triangle; /* which these points are on. -1: there is no depth. Then there is no
                                 part; or depth is not searched for; or no point of the part is
                                 known to be inside. The search for such a point ends after 1,024
                                 points, or after 256 if the other body is open */
    int32_t closest_triangle;
} PliantRegionPart;

/* A value: a small triangle of a part, for pictures of depth. A cut triangle is divided along the
 * cut, so pieces end there. A triangle in which curves cross, or with more than 4,096 points of
 * curves, or with a sliver, is not divided along the cut: all of it is there, and what is outside
 * of the part has a negative depth or that of another part. */
typedef struct PliantRegionPiece {
    int32_t region;   /* in PliantRegions.items */
    int32_t part;     /* of that region: 0 or 1 */
    int32_t triangle; /* of the body, that the piece is of */
    float corners[3][3];
    float depths[3]; /* of the corners, as PliantRegions.vertex_depths */
} PliantRegionPiece;

/* A value: a place where two bodies, or a body and itself, are inside each other. */
typedef struct PliantRegion {
    PliantBody body_a, body_b;
    int64_t first_curve, curve_count; /* in PliantRegions.curves */
    PliantRegionPart parts[2];        /* of body a and of body b; within one body, of the sheet with
                                         the lowest triangle, and of the others */
    float normal[3]; /* of length one: the direction that leads a out of b, from the area normals of
                        both parts; zeros if there is none. If the bodies are swapped, it is its
                        negative */
    bool is_inside[2]; /* of each part: it is inside the other body. Always so if that is closed. A
                          part of a leg that sticks out of its trousers is not. If the other body
                          has no inside there, and within one body: it is below the triangles of the
                          other sheet, along more than half of the length of its curves. A part
                          that an open body winds around is inside too */
    uint8_t reserved[2];
} PliantRegion;

/* A record. Start from pliant_regions_default(). Regions are in the order of contacts: by
 * body_a.index, body_b.index; then by the first contact of each. Triangles and vertices of a part
 * rise. */
typedef struct PliantRegions {
    size_t struct_size;
    const PliantRegion *items; /* borrowed, like all arrays here: see pliant/world.h */
    int64_t count;
    uint64_t stamp;
    bool is_limit_reached;
    const PliantCurve *curves;
    int64_t curve_count;
    const PliantCurvePoint *points;
    int64_t point_count;
    const int32_t *triangles;
    int64_t triangle_count;
    const int32_t *vertices;
    int64_t vertex_count;

    /* How deep each of `vertices` is, if the def asks for it; else NULL. It is the distance that
     * PliantRegionPart.depth is the greatest of. Negative: the vertex does not count, since it is
     * outside where the part is inside, or inside where the part sticks out. 0: the part has no
     * depth, or the vertex is not finite. */
    const float *vertex_depths;

    const PliantRegionPiece *pieces; /* if the def asks for them: by region and part */
    int64_t piece_count;
} PliantRegions;

static inline PliantRegions pliant_regions_default(void)
{
    PliantRegions regions = PLIANT_ZEROS;
    regions.struct_size = sizeof regions;
    return regions;
}

/* A record. Start from pliant_regions_def_default(). */
typedef struct PliantRegionsDef {
    size_t struct_size;
    float depth_tolerance;    /* relative, default 0.01, at least 0.0001; infinity: depth is not
                                 searched for */
    int64_t max_region_count; /* default 0: no limit */
    bool (*progress)(void *user, int64_t done, int64_t total);
    void *user;              /* passed to `progress` */
    bool with_vertex_depths; /* default false: see PliantRegions.vertex_depths */
    float piece_size;        /* default 0: no pieces; else no edge of a piece is longer, unless that
                                takes more than 2^20 pieces of a triangle */
} PliantRegionsDef;

static inline PliantRegionsDef pliant_regions_def_default(void)
{
    PliantRegionsDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    def.depth_tolerance = 0.01f;
    return def;
}

/* Joins contacts to regions. `contacts` is the answer of a query of this world for all pairs, exact
 * and without a limit.
 *
 * Curves. Pairs of triangles are joined where they share an edge that goes through a triangle.
 * Where surfaces only touch, or edges and vertices are exactly on triangles, vertices are thought
 * of as moved by infinitely little, so that every curve is a loop or an arc; pairs of triangles
 * that then do not intersect are in no region, and neither are curves all of whose points coincide.
 * Curves also end at edges of more than two triangles.
 *
 * The wrong side. A point is inside a body as pliant/world.h defines it: by winding numbers.
 *
 * - The other body is closed (PliantShapeInfo.is_closed), in one shell or in several that overlap:
 *   what is inside of it is wrong.
 * - The other body is open. Each curve has two sides. If most of the one, by the length of the
 *   curve, is inside and most of the other is not, the one inside is wrong: a sword in an open
 *   helmet. But if its area is more than four times that of the other one, the other body is a
 *   garment that goes around it, and what sticks out is wrong: a knee out of trousers. Otherwise
 *   the smaller side is wrong, and has no depth: two sheets. Whole triangles count with their area
 *   at rest. An arc that does not divide a surface has no wrong side there.
 * - Within one body that is closed, a piece between curves is wrong if the body is around a point
 *   in front of it. If it is not around what is below the triangles at a curve, but around the
 *   other side, that was turned inside out: a pocket. If the body is open, points of the pieces
 *   tell on which side of a curve the body is around both sides of them: that side is wrong. If
 *   they tell nothing, as of cloth, the smaller side is wrong. So it is, too, of a body whose
 * pieces times edges with one triangle are more than 2^23: thousands of leaves, say. They have the
 * depth of sheets.
 *
 * Curves that bound the same piece of a surface are in one region. A body that is inside another
 * without touching it is in no region: see pliant_bodies_contain().
 *
 * Limits. What gets into an open body through its opening, without a curve that cuts it off, is in
 * no part: an arm that comes up from the neck into a helmet, say. If the other body intersects
 * itself, curves can cross each other within a triangle, between their points: areas are then not
 * right, and may be negative. Depths are right. Shells that are less than some 2^-20 of the
 * coordinates apart are one, and so are pieces of a triangle between walls that are narrower than
 * 2^-16 of it. Within one body, vertices and edges that coincide exactly can make the right side
 * the wrong one. A closed body that is inside out is seen as such by the first of its triangles
 * that touch the other body: pieces of one body that face differently are not told apart. Within
 * one body, triangles face outward. Vertices of one group (PliantShapeDef.groups) are named by the
 * lowest, and if they are apart in this pose, triangles of that body share no edges here.
 *
 * Triangles with a NaN or an infinity have no area and no depth, and neither have triangles with
 * one vertex twice. A soup of points has no regions. Segments have no area: their contacts, and
 * they themselves, take no part.
 *
 * Depths of vertices and pieces take a search for each vertex, and for each corner of a piece.
 *
 * Fails with PLIANT_STALE if bodies have changed since the query. Fails with PLIANT_BAD_ARGUMENT if
 * a field of the def is out of its range, if depths of vertices or pieces are asked for and depth
 * is not searched for, if contacts were only counted, limited, approximate or made by the caller
 * (stamp 0), or if a contact names a triangle that does not exist. Changes the world. */
PLIANT_API PliantResult pliant_contacts_regions(PliantWorld *world, const PliantContacts *contacts,
                                                const PliantRegionsDef *def,
                                                PliantRegions *regions);

#ifdef __cplusplus
}
#endif

#endif
