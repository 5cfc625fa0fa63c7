/* The library for JavaScript: what JavaScript cannot do itself.
 *
 * JavaScript calls the functions of include/pliant/ directly where numbers and pointers are enough.
 * A struct that C passes by value is a pointer in WebAssembly. Records are filled here, so that
 * only C knows their layout: JavaScript writes 32-bit words into `arguments`, and reads words from
 * `answer` or numbers from `numbers`. Values never change, and JavaScript reads them where they
 * are; the assertions below hold their layout.
 */
#include "threads.h"
#include <pliant/pliant.h>

#include <stdio.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define IS_LAYOUT(type, size, last, offset)                                                        \
    _Static_assert(sizeof(type) == (size) && offsetof(type, last) == (offset), #type)

IS_LAYOUT(PliantBody, 8, serial, 4);
IS_LAYOUT(PliantVertices, 12, stride, 8);
IS_LAYOUT(PliantVertices64, 12, stride, 8);
IS_LAYOUT(PliantTarget, 16, indices, 12);
IS_LAYOUT(PliantContact, 24, triangle_b, 20);
IS_LAYOUT(PliantBodyPair, 16, body_b, 8);
IS_LAYOUT(PliantNearPair, 88, region, 80);
IS_LAYOUT(PliantImpact, 88, vertices, 60);
IS_LAYOUT(PliantRay, 28, max, 24);
IS_LAYOUT(PliantRayHit, 40, side, 36);
IS_LAYOUT(PliantHitPoint, 24, normal, 12);
IS_LAYOUT(PliantClosestPoint, 44, flags, 40);
IS_LAYOUT(PliantWindingNumber, 24, flags, 17);
IS_LAYOUT(PliantIntersection, 16, point_count, 8);
IS_LAYOUT(PliantIntersectionPoint, 40, weights_b, 28);
IS_LAYOUT(PliantCurve, 24, is_closed, 16);
IS_LAYOUT(PliantCurvePoint, 24, side, 20);
IS_LAYOUT(PliantRegionPart, 128, closest_triangle, 124);
IS_LAYOUT(PliantRegion, 304, is_inside, 300);

/* ---- Words in, words out --------------------------------------------------------------------- */

static union {
    uint32_t words[32];
    PliantBody bodies[2];
} arguments;
static uint32_t answer[20];
static double numbers[16];
static char message[512];

void *EXPORT(web_arguments)(void)
{
    return &arguments;
}

void *EXPORT(web_answer)(void)
{
    return answer;
}

void *EXPORT(web_numbers)(void)
{
    return numbers;
}

/* The sentence about the last failure. JavaScript empties it when it has read it. */
char *EXPORT(web_message)(void)
{
    return message;
}

static void report(void *user, PliantResult result, const char *text)
{
    (void)user;
    (void)result;
    snprintf(message, sizeof message, "%s", text);
}

static PliantHost host(void)
{
    PliantHost made = pliant_host_default();
    made.report = report;
    web_threads_attach(&made);
    return made;
}

/* The words with which every answer begins; others follow from answer[OTHERS] on. */
enum { OTHERS = 5 };

static PliantResult answer_items(PliantResult result, const void *items, int64_t count,
                                 uint64_t stamp, bool is_limit_reached)
{
    if (result == PLIANT_OK) {
        answer[0] = (uint32_t)(uintptr_t)items;
        answer[1] = (uint32_t)count; /* items are in a memory of 4 GiB */
        answer[2] = is_limit_reached;
        answer[3] = (uint32_t)stamp;
        answer[4] = (uint32_t)(stamp >> 32);
    }
    return result;
}

/* For every record that a query fills. */
#define ANSWER(result, record)                                                                     \
    answer_items(result, (record).items, (record).count, (record).stamp, (record).is_limit_reached)

/* ---- Shapes ---------------------------------------------------------------------------------- */

typedef struct WebShapeDef {
    PliantVertices vertices;
    PliantTriangles triangles;
    const PliantTarget *targets;
    int32_t target_count;
    PliantMorphKind morph_kind;
    int32_t joint_count, influence_count;
    const uint16_t *joints;
    const float *weights;
    uint32_t *groups; /* room for one for each vertex: written if is_welded */
    int32_t is_welded;
    PliantTreeKind tree_kind;
    int32_t tree_child_count, tree_leaf_size;
    PliantBoundKind bound_kind;
    PliantDivideKind divide_kind;
    const float *tree_weights;
    PliantSegments segments;
} WebShapeDef;
_Static_assert(sizeof(WebShapeDef) <= sizeof arguments, "WebShapeDef");

PliantResult EXPORT(web_shape_create)(const WebShapeDef *from, PliantShape **shape)
{
    const PliantHost own = host();
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = from->joint_count;
    skin.influence_count = from->influence_count;
    skin.joints = from->joints;
    skin.weights = from->weights;
    PliantShapeDef def = pliant_shape_def_default();
    def.host = &own;
    def.vertices = from->vertices;
    def.triangles = from->triangles;
    def.segments = from->segments;
    def.targets = from->targets;
    def.target_count = from->target_count;
    def.morph_kind = from->morph_kind;
    def.tree_weights = from->tree_weights;
    def.skin = from->joint_count > 0 ? &skin : NULL;
    PliantExperiments experiments = pliant_experiments_default();
    experiments.tree_kind = from->tree_kind;
    experiments.tree_child_count = from->tree_child_count;
    experiments.tree_leaf_size = from->tree_leaf_size;
    experiments.bound_kind = from->bound_kind;
    def.experiments = &experiments;
    def.divide_kind = from->divide_kind;
    if (from->is_welded) {
        const PliantResult welded =
            pliant_mesh_weld(&def, from->groups, from->vertices.count, NULL);
        if (welded != PLIANT_OK)
            return welded;
    }
    def.groups = from->groups;
    return pliant_shape_create(&def, shape);
}

PliantResult EXPORT(web_shape_map)(const void *data, size_t byte_size, PliantShape **shape)
{
    const PliantHost own = host();
    return pliant_shape_map(data, byte_size, &own, shape);
}

PliantResult EXPORT(web_shape_info)(const PliantShape *shape)
{
    PliantShapeInfo info = pliant_shape_info_default();
    const PliantResult result = pliant_shape_info(shape, &info);
    const uint32_t words[] = {
        info.byte_size,
        (uint32_t)info.vertex_count,
        (uint32_t)info.triangle_count,
        (uint32_t)info.nonfinite_count,
        (uint32_t)info.target_count,
        (uint32_t)info.joint_count,
        (uint32_t)info.leaf_count,
        (uint32_t)info.node_count,
        info.is_closed,
        (uint32_t)info.segment_count,
    };
    memcpy(answer, words, sizeof words);
    return result;
}

/* ---- Worlds ---------------------------------------------------------------------------------- */

/* Module.mayPair(): which world asks, it knows. */
__attribute__((import_module("env"), import_name("web_may_pair"))) int32_t
web_may_pair(uint32_t a, uint32_t a_serial, uint32_t b, uint32_t b_serial);

static bool may_pair(void *user, PliantBody a, PliantBody b)
{
    (void)user;
    return web_may_pair(a.index, a.serial, b.index, b.serial) != 0;
}

PliantResult EXPORT(web_world_create)(uint32_t cpu_mask, PliantBroadKind broad_kind,
                                      int32_t asks_may_pair, PliantWorld **world)
{
    const PliantHost own = host();
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    PliantExperiments experiments = pliant_experiments_default();
    experiments.broad_kind = broad_kind;
    def.experiments = &experiments;
    def.host = &own;
    def.may_pair = asks_may_pair ? may_pair : NULL;
    return pliant_world_create(&def, world);
}

PliantResult EXPORT(web_world_stats)(const PliantWorld *world)
{
    PliantStats stats = pliant_stats_default();
    const PliantResult result = pliant_world_stats(world, &stats);
    const double all[] = {
        (double)stats.vertices_read,      (double)stats.primitives_placed,
        (double)stats.nodes_updated,      (double)stats.leaves_evaluated,
        (double)stats.vertices_evaluated, (double)stats.body_pairs,
        (double)stats.node_pairs,         (double)stats.bound_tests,
        (double)stats.leaf_pairs,         (double)stats.triangle_tests,
        (double)stats.undecided,          (double)stats.exact_fallbacks,
        (double)stats.contacts,           (double)stats.byte_size,
    };
    memcpy(numbers, all, sizeof all);
    return result;
}

PliantResult EXPORT(web_world_memory)(const PliantWorld *world)
{
    PliantWorldMemory memory = pliant_world_memory_default();
    const PliantResult result = pliant_world_memory(world, &memory);
    const double all[] = {
        (double)memory.bodies,  (double)memory.broad_phase, (double)memory.workers,
        (double)memory.answers, (double)memory.candidates,  (double)memory.total,
    };
    memcpy(numbers, all, sizeof all);
    return result;
}

PliantResult EXPORT(web_soup_create)(PliantWorld *world, PliantPrimitiveKind primitive_kind,
                                     PliantBody *body)
{
    PliantSoupDef def = pliant_soup_def_default();
    def.primitive_kind = primitive_kind;
    return pliant_body_create_soup(world, &def, body);
}

PliantResult EXPORT(web_borrow_primitives)(PliantWorld *world, const PliantBody *body,
                                           const float *vertices, int32_t vertex_count,
                                           const uint32_t *corners, int32_t count)
{
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){vertices, vertex_count, 0};
    primitives.count = count;
    primitives.corners = corners;
    return pliant_body_borrow_primitives(world, *body, &primitives);
}

/* ---- Queries: of the world (no body), of one body, of two bodies, or within one ----------------
 */

static PliantResult collide(PliantWorld *world, const PliantBody *a, const PliantBody *b,
                            const PliantCollideDef *def, PliantContacts *contacts)
{
    if (!a)
        return pliant_world_collide(world, def, contacts);
    if (!b)
        return pliant_body_collide(world, *a, def, contacts);
    return pliant_bodies_collide(world, *a, *b, def, contacts);
}

PliantResult EXPORT(web_collide)(PliantWorld *world, const PliantBody *a, const PliantBody *b,
                                 PliantCollideKind kind, int32_t includes_self,
                                 int64_t max_contact_count)
{
    PliantCollideDef def = pliant_collide_def_default();
    def.kind = kind;
    def.includes_self = includes_self;
    def.max_contact_count = max_contact_count;
    PliantContacts contacts = pliant_contacts_default();
    const PliantResult result = collide(world, a, b, &def, &contacts);
    return ANSWER(result, contacts);
}

typedef PliantResult FindPairs(PliantWorld *, const PliantBodyPairsDef *, PliantBodyPairs *);

static PliantResult find_pairs(FindPairs *find, PliantWorld *world, float distance,
                               int64_t max_pair_count)
{
    PliantBodyPairsDef def = pliant_body_pairs_def_default();
    def.distance = distance;
    def.max_pair_count = max_pair_count;
    PliantBodyPairs pairs = pliant_body_pairs_default();
    const PliantResult result = find(world, &def, &pairs);
    return ANSWER(result, pairs);
}

PliantResult EXPORT(web_body_pairs)(PliantWorld *world, float distance, int64_t max_pair_count)
{
    return find_pairs(pliant_world_body_pairs, world, distance, max_pair_count);
}

PliantResult EXPORT(web_bodies_within)(PliantWorld *world, float distance, int64_t max_pair_count)
{
    return find_pairs(pliant_world_bodies_within, world, distance, max_pair_count);
}

PliantResult EXPORT(web_exclude_vertices)(PliantWorld *world, const PliantBody *a,
                                          const PliantBody *b, const uint32_t *pairs,
                                          int64_t pair_count)
{
    return pliant_bodies_exclude_vertices(world, *a, *b, pairs, pair_count);
}

PliantResult EXPORT(web_near)(PliantWorld *world, const PliantBody *a, const PliantBody *b,
                              float distance, int32_t includes_self, float rest_distance,
                              float margin, int64_t max_pair_count, int32_t is_unique)
{
    PliantNearDef def = pliant_near_def_default();
    def.distance = distance;
    def.includes_self = includes_self;
    def.rest_distance = rest_distance;
    def.margin = margin;
    def.max_pair_count = max_pair_count;
    def.is_unique = is_unique;
    PliantNearPairs pairs = pliant_near_pairs_default();
    const PliantResult result = a ? pliant_bodies_near(world, *a, *b, &def, &pairs)
                                  : pliant_world_near(world, &def, &pairs);
    return ANSWER(result, pairs);
}

/* ---- Pairs of the caller -----------------------------------------------------------------------
 */

PliantResult EXPORT(web_near_pairs)(PliantFeatures kind, const float *vertices,
                                    int32_t vertex_count, const uint32_t *pairs, int32_t count,
                                    float distance, const float *each, float *distances,
                                    PliantNearPair *details)
{
    const PliantHost own = host();
    PliantNearCandidates def = pliant_near_candidates_default();
    def.kind = kind;
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.pairs = pairs;
    def.pair_count = count;
    def.distance = distance;
    def.distances = each;
    def.host = &own;
    return pliant_near_pairs(&def, distances, details, count);
}

PliantResult EXPORT(web_sweep_pairs)(PliantFeatures kind, const float *start, const float *end,
                                     int32_t vertex_count, const uint32_t *pairs, int32_t count,
                                     float distance, const float *each, float max_time,
                                     float *times)
{
    const PliantHost own = host();
    PliantSweepPairs def = pliant_sweep_pairs_default();
    def.kind = kind;
    def.start = start;
    def.end = end;
    def.vertex_count = vertex_count;
    def.pairs = pairs;
    def.pair_count = count;
    def.distance = distance;
    def.distances = each;
    def.max_time = max_time;
    def.host = &own;
    return pliant_sweep_pairs(&def, times, count, NULL);
}

/* Of four points. */
double EXPORT(web_mollifier_threshold)(const float *points)
{
    return pliant_edge_edge_mollifier_threshold(points, points + 3, points + 6, points + 9);
}

/* The pair, or nothing. */
PliantResult EXPORT(web_distance)(PliantWorld *world, const PliantBody *a, const PliantBody *b,
                                  float max_distance)
{
    static PliantDistance distance;
    distance = pliant_distance_default();
    PliantDistanceDef def = pliant_distance_def_default();
    def.max_distance = max_distance;
    const PliantResult result = pliant_bodies_distance(world, *a, *b, &def, &distance);
    return answer_items(result, &distance.pair, distance.is_found, distance.stamp, false);
}

PliantResult EXPORT(web_closest_points)(PliantWorld *world, const PliantBody *body,
                                        const float *points, int32_t count, float max_distance,
                                        int32_t is_signed, uint32_t categories,
                                        uint32_t collides_with)
{
    PliantClosestDef def = pliant_closest_def_default();
    def.max_distance = max_distance;
    def.is_signed = is_signed;
    def.categories = categories;
    def.collides_with = collides_with;
    const PliantVertices given = {points, count, 0};
    PliantClosestPoints closest = pliant_closest_points_default();
    const PliantResult result =
        body ? pliant_body_closest_points(world, *body, given, &def, &closest)
             : pliant_world_closest_points(world, given, &def, &closest);
    answer[OTHERS] = closest.is_certain;
    return ANSWER(result, closest);
}

PliantResult EXPORT(web_winding_numbers)(PliantWorld *world, const PliantBody *body,
                                         const float *points, int32_t count)
{
    PliantWindingNumbers numbers = pliant_winding_numbers_default();
    const PliantResult result = pliant_body_winding_numbers(
        world, *body, (PliantVertices){points, count, 0}, NULL, &numbers);
    answer[OTHERS] = numbers.is_certain;
    return ANSWER(result, numbers);
}

PliantResult EXPORT(web_sweep)(PliantWorld *world, const PliantBody *a, const PliantBody *b,
                               PliantSweepKind kind, float max_time, int32_t includes_self,
                               float distance, float slack, float margin, float rest_distance,
                               int64_t max_impact_count)
{
    PliantSweepDef def = pliant_sweep_def_default();
    def.kind = kind;
    def.max_time = max_time;
    def.includes_self = includes_self;
    def.distance = distance;
    def.slack = slack;
    def.rest_distance = rest_distance;
    def.margin = margin;
    def.max_impact_count = max_impact_count;
    PliantImpacts impacts = pliant_impacts_default();
    const PliantResult result = a ? pliant_bodies_sweep(world, *a, *b, &def, &impacts)
                                  : pliant_world_sweep(world, &def, &impacts);
    answer[OTHERS] = impacts.is_conservative;
    return ANSWER(result, impacts);
}

PliantResult EXPORT(web_cast_rays)(PliantWorld *world, const PliantBody *body,
                                   const PliantRay *rays, const PliantBody *ignored,
                                   const uint32_t *ray_categories,
                                   const uint32_t *ray_collides_with, int32_t count,
                                   PliantRayKind kind, PliantRaySides sides, uint32_t categories,
                                   uint32_t collides_with, int64_t max_hit_count)
{
    PliantRayDef def = pliant_ray_def_default();
    def.sides = sides;
    def.ignored = ignored;
    def.ray_categories = ray_categories;
    def.ray_collides_with = ray_collides_with;
    def.kind = kind;
    def.categories = categories;
    def.collides_with = collides_with;
    def.max_hit_count = max_hit_count;
    PliantRayHits hits = pliant_ray_hits_default();
    const PliantResult result = body ? pliant_body_cast_rays(world, *body, &def, rays, count, &hits)
                                     : pliant_world_cast_rays(world, &def, rays, count, &hits);
    return ANSWER(result, hits);
}

/* What JavaScript hands back: a copy of an answer, or some of its items with the stamp 0. */
static PliantRayHits hits_of(const PliantRayHit *items, int32_t count, uint64_t stamp,
                             int32_t is_limit_reached)
{
    PliantRayHits hits = pliant_ray_hits_default();
    hits.items = items;
    hits.count = count;
    hits.stamp = stamp;
    hits.is_limit_reached = is_limit_reached;
    return hits;
}

PliantResult EXPORT(web_hit_points)(PliantWorld *world, const PliantRayHit *items, int32_t count,
                                    uint64_t stamp, int32_t is_limit_reached,
                                    int64_t max_point_count)
{
    const PliantRayHits hits = hits_of(items, count, stamp, is_limit_reached);
    PliantHitPointsDef def = pliant_hit_points_def_default();
    def.max_point_count = max_point_count;
    PliantHitPoints points = pliant_hit_points_default();
    const PliantResult result = pliant_hits_points(world, &hits, &def, &points);
    return ANSWER(result, points);
}

/* The joints take the places of the rays, one word for each hit, from the first on. */
PliantResult EXPORT(web_hit_joints)(const PliantWorld *world, PliantRayHit *items, int32_t count)
{
    PliantResult result = PLIANT_OK;
    for (int32_t i = 0; i < count && result == PLIANT_OK; i++) {
        int32_t joint = -1;
        result = pliant_hit_joint(world, &items[i], &joint);
        memcpy((int32_t *)(void *)items + i, &joint, sizeof joint);
    }
    return result;
}

/* ---- What contacts are made of -----------------------------------------------------------------
 */

/* What JavaScript hands back: a copy of an answer, or a list of the caller's with the stamp 0. */
static PliantContacts contacts_of(const PliantContact *items, int32_t count, uint64_t stamp,
                                  int32_t is_limit_reached)
{
    PliantContacts contacts = pliant_contacts_default();
    contacts.items = items;
    contacts.count = count;
    contacts.stamp = stamp;
    contacts.is_limit_reached = is_limit_reached;
    return contacts;
}

PliantResult EXPORT(web_intersections)(PliantWorld *world, const PliantContact *items,
                                       int32_t count, uint64_t stamp, int32_t is_limit_reached,
                                       int64_t max_intersection_count)
{
    const PliantContacts contacts = contacts_of(items, count, stamp, is_limit_reached);
    PliantIntersectionsDef def = pliant_intersections_def_default();
    def.max_intersection_count = max_intersection_count;
    PliantIntersections found = pliant_intersections_default();
    const PliantResult result = pliant_contacts_intersections(world, &contacts, &def, &found);
    answer[OTHERS] = (uint32_t)(uintptr_t)found.points;
    answer[OTHERS + 1] = (uint32_t)found.point_count;
    return ANSWER(result, found);
}

PliantResult EXPORT(web_regions)(PliantWorld *world, const PliantContact *items, int32_t count,
                                 uint64_t stamp, int32_t is_limit_reached, float depth_tolerance,
                                 int64_t max_region_count, int32_t with_vertex_depths,
                                 float piece_size)
{
    const PliantContacts contacts = contacts_of(items, count, stamp, is_limit_reached);
    PliantRegionsDef def = pliant_regions_def_default();
    def.depth_tolerance = depth_tolerance;
    def.max_region_count = max_region_count;
    def.with_vertex_depths = with_vertex_depths != 0;
    def.piece_size = piece_size;
    PliantRegions regions = pliant_regions_default();
    const PliantResult result = pliant_contacts_regions(world, &contacts, &def, &regions);
    const uint32_t words[] = {
        (uint32_t)(uintptr_t)regions.curves,
        (uint32_t)regions.curve_count,
        (uint32_t)(uintptr_t)regions.points,
        (uint32_t)regions.point_count,
        (uint32_t)(uintptr_t)regions.triangles,
        (uint32_t)regions.triangle_count,
        (uint32_t)(uintptr_t)regions.vertices,
        (uint32_t)regions.vertex_count,
        (uint32_t)(uintptr_t)regions.pieces,
        (uint32_t)regions.piece_count,
        (uint32_t)(uintptr_t)regions.vertex_depths,
        with_vertex_depths ? (uint32_t)regions.vertex_count : 0,
    };
    _Static_assert(sizeof words <= sizeof answer - 4 * OTHERS, "answer");
    memcpy(answer + OTHERS, words, sizeof words);
    return ANSWER(result, regions);
}

/* ---- Volumes -----------------------------------------------------------------------------------
 */

PliantResult EXPORT(web_volume)(PliantWorld *world, const PliantBody *a, const PliantBody *b,
                                int32_t resolution, int32_t max_resolution, PliantAxes axes,
                                double error, double relative_error)
{
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = resolution;
    def.max_resolution = max_resolution;
    def.axes = axes;
    def.error = error;
    def.relative_error = relative_error;
    PliantVolume volume = pliant_volume_default();
    const PliantResult result = b ? pliant_bodies_volume(world, *a, *b, &def, &volume)
                                  : pliant_body_volume(world, *a, &def, &volume);
    const double all[] = {
        volume.volume,
        volume.error,
        volume.centroid[0],
        volume.centroid[1],
        volume.centroid[2],
        volume.box.low[0],
        volume.box.low[1],
        volume.box.low[2],
        volume.box.high[0],
        volume.box.high[1],
        volume.box.high[2],
        volume.is_reached,
        (double)volume.bad_pixel_count,
        volume.is_closed,
    };
    memcpy(numbers, all, sizeof all);
    return result;
}

PliantResult EXPORT(web_containment)(PliantWorld *world, const PliantBody *outer,
                                     const PliantBody *inner)
{
    PliantContainment containment = pliant_containment_default();
    const PliantResult result = pliant_bodies_contain(world, *outer, *inner, NULL, &containment);
    answer[0] = containment.contains;
    answer[1] = containment.is_closed;
    return result;
}
