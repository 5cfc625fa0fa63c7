/* What each kind of record is made of: the fields of the library's structs, with their names in
 * Python.
 */
#include "record_kinds.h"

#include <stddef.h>

/* One number, a row of numbers, one number for each body, a row for each body. */
#define ONE(type, name, format, member, doc)                                                       \
    {                                                                                              \
        name, NULL, format, offsetof(type, member), {0, 0}, {0, 0}, doc                            \
    }
#define ROW(type, name, format, member, count, size, doc)                                          \
    {                                                                                              \
        name, NULL, format, offsetof(type, member), {count, 0}, {size, 0}, doc                     \
    }
#define TWO(type, name, stem, format, member, step, doc)                                           \
    {                                                                                              \
        name, stem, format, offsetof(type, member), {2, 0}, {step, 0}, doc                         \
    }
#define TWO_ROWS(type, name, stem, format, member, step, count, size, doc)                         \
    {                                                                                              \
        name, stem, format, offsetof(type, member), {2, count}, {step, size}, doc                  \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, NULL, NULL, 0, {0, 0}, {0, 0}, NULL                                                  \
    }

#define BODIES(type)                                                                               \
    TWO(type, "bodies", "body", "u4", body_a, sizeof(PliantBody), "Body.index of both, (n, 2)")

static const Field contact_fields[] = {
    BODIES(PliantContact),
    ROW(PliantContact, "triangles", "i4", triangle_a, 2, 4, "a triangle of each body, (n, 2)"),
    END,
};

static const Field body_pair_fields[] = {BODIES(PliantBodyPair), END};

static const Field near_pair_fields[] = {
    BODIES(PliantNearPair),
    ONE(PliantNearPair, "kinds", "u4", kind,
        "0: vertex and triangle, 1: triangle and vertex, 2: two edges, 3: two triangles, 4: two "
        "vertices, 5: vertex and edge, 6: edge and vertex, (n,)"),
    ROW(PliantNearPair, "features", "i4", feature_a, 2, 4, "a feature of each body, (n, 2)"),
    ONE(PliantNearPair, "distances", "f4", distance, "within one ulp, (n,)"),
    ROW(PliantNearPair, "normals", "f4", normal, 3, 4, "from b to a, (n, 3)"),
    ROW(PliantNearPair, "weights", "f4", weights, 4, 4, "of the four vertices, (n, 4)"),
    ROW(PliantNearPair, "vertices", "u4", vertices, 4, 4, "of body a and then of body b, (n, 4)"),
    ONE(PliantNearPair, "pair_counts", "u4", pair_count, "pairs that each stands for, (n,)"),
    ONE(PliantNearPair, "regions", "u1", region, "a bit for each vertex that is needed, (n,)"),
    ONE(PliantNearPair, "flags", "u1", flags,
        "1: of float64 vertices, which may be farther than asked, (n,)"),
    END,
};

static const Field impact_fields[] = {
    BODIES(PliantImpact),
    ONE(PliantImpact, "kinds", "u4", kind, "as in NearPairs, (n,)"),
    ROW(PliantImpact, "features", "i4", feature_a, 2, 4, "a feature of each body, (n, 2)"),
    ONE(PliantImpact, "times", "f4", time, "from 0 to 1, never late, (n,)"),
    ROW(PliantImpact, "weights", "f4", weights, 4, 4, "of the four vertices, (n, 4)"),
    ROW(PliantImpact, "normals", "f4", normal, 3, 4, "against the motion of a, (n, 3)"),
    ROW(PliantImpact, "vertices", "u4", vertices, 4, 4, "of body a and then of body b, (n, 4)"),
    ONE(PliantImpact, "pair_counts", "u4", pair_count, "pairs that each stands for, (n,)"),
    END,
};

static const Field ray_hit_fields[] = {
    ONE(PliantRayHit, "rays", "i8", ray, "index of the ray, (n,)"),
    ONE(PliantRayHit, "bodies", "u4", body, "Body.index, (n,)"),
    ONE(PliantRayHit, "triangles", "i4", triangle, "(n,)"),
    ONE(PliantRayHit, "t", "f4", t, "parameter along the ray, (n,)"),
    ROW(PliantRayHit, "weights", "f4", weights, 3, 4, "barycentric coordinates, (n, 3)"),
    ONE(PliantRayHit, "sides", "i4", side, "1: front, -1: back, 0: in the plane, (n,)"),
    END,
};

static const Field hit_point_fields[] = {
    ROW(PliantHitPoint, "positions", "f4", position, 3, 4, "in the world, (n, 3)"),
    ROW(PliantHitPoint, "normals", "f4", normal, 3, 4, "smooth, of length 1, (n, 3)"),
    END,
};

static const Field closest_point_fields[] = {
    ONE(PliantClosestPoint, "bodies", "u4", body, "Body.index, 0 if nothing is near, (n,)"),
    ONE(PliantClosestPoint, "triangles", "i4", triangle, "-1 if nothing is near, (n,)"),
    ONE(PliantClosestPoint, "distances", "f4", distance, "infinity if nothing is near, (n,)"),
    ROW(PliantClosestPoint, "weights", "f4", weights, 3, 4, "of the corners, (n, 3)"),
    ROW(PliantClosestPoint, "positions", "f4", position, 3, 4, "(n, 3)"),
    ONE(PliantClosestPoint, "flags", "u1", flags, "1: the sign is not certain; else 0, (n,)"),
    END,
};

static const Field winding_number_fields[] = {
    ONE(PliantWindingNumber, "numbers", "f8", number, "an integer if the surface is closed, (n,)"),
    ONE(PliantWindingNumber, "errors", "f8", error, "numbers are off by at most this, (n,)"),
    ONE(PliantWindingNumber, "is_inside", "?", is_inside,
        "the number is at least 1/2 or at most -1/2, (n,)"),
    ONE(PliantWindingNumber, "flags", "u1", flags, "1: is_inside is not certain; else 0, (n,)"),
    END,
};

enum { PART = sizeof(PliantRegionPart) };

#define PART_NUMBER(name, stem, format, member, doc)                                               \
    TWO(PliantRegion, name, stem, format, parts[0].member, PART, doc)
#define PART_POINT(name, stem, format, member, size, doc)                                          \
    TWO_ROWS(PliantRegion, name, stem, format, parts[0].member, PART, 3, size, doc)

static const Field region_fields[] = {
    BODIES(PliantRegion),
    ROW(PliantRegion, "is_inside", "?", is_inside, 2, 1,
        "the part is inside the other body, (n, 2)"),
    ROW(PliantRegion, "curve_ranges", "i8", first_curve, 2, 8, "first and count in curves, (n, 2)"),
    PART_NUMBER("first_triangles", "first_triangle", "i8", first_triangle, "in triangles, (n, 2)"),
    PART_NUMBER("triangle_counts", "triangle_count", "i8", triangle_count, "(n, 2)"),
    PART_NUMBER("first_vertices", "first_vertex", "i8", first_vertex, "in vertices, (n, 2)"),
    PART_NUMBER("vertex_counts", "vertex_count", "i8", vertex_count, "(n, 2)"),
    PART_NUMBER("areas", "area", "f8", area, "of the wrong side of each body, (n, 2)"),
    PART_POINT("area_normals", "area_normal", "f8", area_normal, 8, "(n, 2, 3)"),
    PART_POINT("centroids", "centroid", "f8", centroid, 8, "(n, 2, 3)"),
    PART_NUMBER("depths", "depth", "f4", depth,
                "how far the deepest point is from where it gets out, at least, (n, 2)"),
    PART_NUMBER("max_depths", "max_depth", "f4", max_depth, "the same, at most, (n, 2)"),
    PART_POINT("deepest", "deepest", "f4", deepest, 4, "a deepest point, (n, 2, 3)"),
    PART_POINT("closest", "closest", "f4", closest, 4, "of the other surface to it, (n, 2, 3)"),
    PART_NUMBER("deepest_triangles", "deepest_triangle", "i4", deepest_triangle,
                "-1: no depth is known, (n, 2)"),
    PART_NUMBER("closest_triangles", "closest_triangle", "i4", closest_triangle, "(n, 2)"),
    ROW(PliantRegion, "normals", "f4", normal, 3, 4, "leads a out of b, (n, 3)"),
    END,
};

static const Field region_piece_fields[] = {
    ONE(PliantRegionPiece, "regions", "i4", region, "(n,)"),
    ONE(PliantRegionPiece, "parts", "i4", part, "of the region: 0 or 1, (n,)"),
    ONE(PliantRegionPiece, "triangles", "i4", triangle, "of the body, (n,)"),
    ROW(PliantRegionPiece, "corners", "f4", corners, 9, 4, "three points, (n, 9)"),
    ROW(PliantRegionPiece, "depths", "f4", depths, 3, 4, "of the corners, (n, 3)"),
    END,
};

static const Field curve_fields[] = {
    ROW(PliantCurve, "point_ranges", "i8", first_point, 2, 8, "first and count in points, (n, 2)"),
    ONE(PliantCurve, "is_closed", "?", is_closed, "(n,)"),
    END,
};

static const Field curve_point_fields[] = {
    ROW(PliantCurvePoint, "positions", "f4", position, 3, 4, "(n, 3)"),
    ONE(PliantCurvePoint, "edges", "i4", edge, "(n,)"),
    ONE(PliantCurvePoint, "triangles", "i4", triangle, "(n,)"),
    ONE(PliantCurvePoint, "sides", "u1", side, "0: the edge is of body a, 1: of body b, (n,)"),
    END,
};

static const Field intersection_fields[] = {
    ONE(PliantIntersection, "first_points", "i8", first_point, "in points, (n,)"),
    ONE(PliantIntersection, "point_counts", "i4", point_count, "1 to 6, (n,)"),
    END,
};

static const Field intersection_point_fields[] = {
    ROW(PliantIntersectionPoint, "corners", "u1", corners_a, 2, 1, "bits of both, (n, 2)"),
    ROW(PliantIntersectionPoint, "positions", "f4", position, 3, 4, "(n, 3)"),
    ROW(PliantIntersectionPoint, "weights_a", "f4", weights_a, 3, 4, "(n, 3)"),
    ROW(PliantIntersectionPoint, "weights_b", "f4", weights_b, 3, 4, "(n, 3)"),
    END,
};

#define NO_ATTRIBUTE                                                                               \
    {                                                                                              \
        NULL, NULL                                                                                 \
    }

static const Field no_fields[] = {END};

const Kind record_kinds[RECORD_KINDS] = {
    [RECORD_CONTACTS] = {"Contacts",
                         sizeof(PliantContact),
                         contact_fields,
                         true,
                         NO_ATTRIBUTE,
                         {NO_ATTRIBUTE},
                         "Pairs of triangles that share a point, in order."},
    [RECORD_BODY_PAIRS] = {"BodyPairs",
                           sizeof(PliantBodyPair),
                           body_pair_fields,
                           true,
                           NO_ATTRIBUTE,
                           {NO_ATTRIBUTE},
                           "Pairs of bodies, in order."},
    [RECORD_NEAR_PAIRS] = {"NearPairs",
                           sizeof(PliantNearPair),
                           near_pair_fields,
                           true,
                           NO_ATTRIBUTE,
                           {NO_ATTRIBUTE},
                           "Pairs of features within a distance, in order."},
    [RECORD_IMPACTS] = {"Impacts",
                        sizeof(PliantImpact),
                        impact_fields,
                        true,
                        {"is_conservative",
                         "the query had a distance, a slack or radii, and is safe, not exact"},
                        {NO_ATTRIBUTE},
                        "Pairs of features that touch on their way, in order."},
    [RECORD_RAY_HITS] = {"RayHits",
                         sizeof(PliantRayHit),
                         ray_hit_fields,
                         true,
                         NO_ATTRIBUTE,
                         {NO_ATTRIBUTE},
                         "Triangles that rays hit, by ray."},
    [RECORD_HIT_POINTS] = {"HitPoints",
                           sizeof(PliantHitPoint),
                           hit_point_fields,
                           true,
                           NO_ATTRIBUTE,
                           {NO_ATTRIBUTE},
                           "Where hits are, in the order of the hits."},
    [RECORD_CLOSEST_POINTS] = {"ClosestPoints",
                               sizeof(PliantClosestPoint),
                               closest_point_fields,
                               true,
                               {"is_certain", "no sign is uncertain: see flags"},
                               {NO_ATTRIBUTE},
                               "The closest point of a surface to each given point."},
    [RECORD_WINDING_NUMBERS] = {"WindingNumbers",
                                sizeof(PliantWindingNumber),
                                winding_number_fields,
                                true,
                                {"is_certain", "all of is_inside is certain: see flags"},
                                {NO_ATTRIBUTE},
                                "How often a surface winds around each given point."},
    [RECORD_REGIONS] = {"Regions",
                        sizeof(PliantRegion),
                        region_fields,
                        true,
                        NO_ATTRIBUTE,
                        {{"curves", "of all regions"},
                         {"points", "of all curves"},
                         {"triangles", "on the wrong side, of all regions"},
                         {"vertices", "likewise"},
                         {"vertex_depths", "of vertices, or None; negative: it does not count"},
                         {"pieces", "of all regions: small triangles with depths"}},
                        "Places where bodies are inside each other."},
    [RECORD_CURVES] = {"Curves",
                       sizeof(PliantCurve),
                       curve_fields,
                       false,
                       NO_ATTRIBUTE,
                       {NO_ATTRIBUTE},
                       "Curves in which two surfaces intersect."},
    [RECORD_CURVE_POINTS] = {"CurvePoints",
                             sizeof(PliantCurvePoint),
                             curve_point_fields,
                             false,
                             NO_ATTRIBUTE,
                             {NO_ATTRIBUTE},
                             "Points of curves."},
    [RECORD_REGION_PIECES] = {"RegionPieces",
                              sizeof(PliantRegionPiece),
                              region_piece_fields,
                              false,
                              NO_ATTRIBUTE,
                              {NO_ATTRIBUTE},
                              "Small triangles of regions, with the depth of each corner."},
    [RECORD_INTERSECTIONS] = {"Intersections",
                              sizeof(PliantIntersection),
                              intersection_fields,
                              true,
                              NO_ATTRIBUTE,
                              {{"points", "of all intersections"}},
                              "What the triangles of each contact share."},
    [RECORD_INTERSECTION_POINTS] = {"IntersectionPoints",
                                    sizeof(PliantIntersectionPoint),
                                    intersection_point_fields,
                                    false,
                                    NO_ATTRIBUTE,
                                    {NO_ATTRIBUTE},
                                    "Extreme points of intersections."},
    [RECORD_NUMBERS] =
        {"Numbers", 1, no_fields, false, NO_ATTRIBUTE, {NO_ATTRIBUTE}, "Memory of a plain array."},
};
