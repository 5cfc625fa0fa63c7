/* A program that uses every record of the library, and prints what it is told.
 *
 * test_growth.py compiles it against one set of headers and runs it with another library, whose
 * records are longer or shorter. The output must be the same.
 *
 * Every record that the library sees ends where the next page cannot be touched: a library that
 * reads or writes past the struct_size of its caller stops the program.
 *
 * With LATER it is compiled against longer headers: run with "set", it sets the field that the
 * library does not know in one record after the other, and each call has to fail.
 */
#define _GNU_SOURCE
#include <pliant/pliant.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Records at the edge ----------------------------------------------------------------------
 */

static void *put(const void *record, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, page, PROT_NONE) != 0)
        exit(2);
    return memcpy(pages + page - size, record, size);
}

/* A record from its default function, at the edge. */
#define RECORD(Type, name, noun)                                                                   \
    const Type name##_default = pliant_##noun##_default();                                         \
    Type *name = put(&name##_default, sizeof name##_default)

static void must(PliantResult result, const char *call)
{
    if (result == PLIANT_OK)
        return;
    printf("%s: %s\n", call, pliant_result_name(result));
    exit(1);
}
#define MUST(call) must(call, #call)

/* ---- The host ----------------------------------------------------------------------------------
 */

static int64_t block_count;

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    block_count++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *block, size_t size, size_t alignment)
{
    (void)user, (void)size, (void)alignment;
    block_count--;
    free(block);
}

static void report(void *user, PliantResult result, const char *message)
{
    printf("%s: %s: %s\n", (const char *)user, pliant_result_name(result), message);
}

static PliantHost *make_host(void)
{
    RECORD(PliantHost, host, host);
    host->allocate = allocate;
    host->release = release;
    host->report = report;
    host->user = "host";
    return host;
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

enum { VERTICES = 12, TRIANGLES = 20 };

#define T 1.618034f
static const float vertices[VERTICES][3] = {{-1, T, 0}, {1, T, 0}, {-1, -T, 0}, {1, -T, 0},
                                            {0, -1, T}, {0, 1, T}, {0, -1, -T}, {0, 1, -T},
                                            {T, 0, -1}, {T, 0, 1}, {-T, 0, -1}, {-T, 0, 1}};
static const uint32_t triangles[TRIANGLES][3] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
static const float displacements[2][VERTICES][3] = {{{0, 0.5f, 0}}, {{0.25f}, {0.5f, 0, 1}}};

static PliantShapeDef *make_def(const PliantHost *host, bool is_posed)
{
    static const uint16_t joints[VERTICES][2] = {{0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 0},
                                                 {0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 0}};
    static float weights[VERTICES][2];
    static PliantTarget targets[2];
    RECORD(PliantShapeDef, def, shape_def);
    def->vertices.data = vertices[0];
    def->vertices.count = VERTICES;
    def->triangles.data = triangles[0];
    def->triangles.count = TRIANGLES;
    RECORD(PliantExperiments, experiments, experiments);
    experiments->tree_leaf_size = 2;
    def->experiments = experiments;
    def->host = host;
    if (!is_posed)
        return def;
    for (int v = 0; v < VERTICES; v++) {
        weights[v][0] = 0.75f;
        weights[v][1] = 0.25f;
    }
    for (int t = 0; t < 2; t++) {
        targets[t].vertices.data = displacements[t][0];
        targets[t].vertices.count = VERTICES;
    }
    def->targets = targets;
    def->target_count = 2;
    RECORD(PliantSkin, skin, skin);
    skin->joint_count = 2;
    skin->influence_count = 2;
    skin->joints = joints[0];
    skin->weights = weights[0];
    def->skin = skin;
    return def;
}

static void show_shape(const PliantShape *shape)
{
    RECORD(PliantShapeInfo, info, shape_info);
    MUST(pliant_shape_info(shape, info));
    printf("shape %zu bytes, %d vertices, %d triangles, %d nonfinite, %d targets, %d joints, "
           "%d pieces, %d leaves, %d nodes, %d levels, closed %d\n",
           info->byte_size, info->vertex_count, info->triangle_count, info->nonfinite_count,
           info->target_count, info->joint_count, info->piece_count, info->leaf_count,
           info->node_count, info->level_count, info->is_closed);
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

static void show_contacts(const char *name, const PliantContacts *contacts)
{
    printf("%s: %" PRId64 " contacts, limit %d, items %d\n", name, contacts->count,
           contacts->is_limit_reached, contacts->items != NULL);
    for (int64_t i = 0; contacts->items && i < contacts->count; i++)
        printf("  %u %u %d %d\n", contacts->items[i].body_a.index, contacts->items[i].body_b.index,
               contacts->items[i].triangle_a, contacts->items[i].triangle_b);
}

static void show_stats(const PliantStats *s)
{
    printf("stats %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
           " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
           " bytes %d\n",
           s->vertices_read, s->primitives_placed, s->nodes_updated, s->leaves_evaluated,
           s->vertices_evaluated, s->body_pairs, s->node_pairs, s->bound_tests, s->plane_tests,
           s->leaf_pairs, s->triangle_tests, s->undecided, s->exact_fallbacks, s->contacts,
           s->byte_size > 0);
}

static bool progress(void *user, int64_t done, int64_t total)
{
    printf("%s: %" PRId64 " of %" PRId64 "\n", (const char *)user, done, total);
    return done < 2;
}

static PliantWorld *make_world(const PliantHost *host, PliantShape *shape, PliantBody bodies[3])
{
    RECORD(PliantWorldDef, def, world_def);
    def->host = host;
    PliantWorld *world;
    MUST(pliant_world_create(def, &world));
    for (int i = 0; i < 2; i++)
        MUST(pliant_body_create(world, shape, &bodies[i]));
    PliantTransform moved = pliant_transform_identity();
    moved.rows[0][3] = 0.5f;
    MUST(pliant_body_set_transform(world, bodies[0], &moved));
    const float weights[2] = {0.5f, 0.25f};
    MUST(pliant_body_set_weights(world, bodies[0], weights, 2));
    PliantTransform joints[2] = {moved, pliant_transform_identity()};
    MUST(pliant_body_set_joints(world, bodies[0], joints, 2));

    RECORD(PliantSoupDef, soup_def, soup_def);
    RECORD(PliantExperiments, experiments, experiments);
    experiments->soup_kind = PLIANT_SOUP_SORTED;
    soup_def->experiments = experiments;
    MUST(pliant_body_create_soup(world, soup_def, &bodies[2]));
    RECORD(PliantPrimitives, primitives, primitives);
    primitives->vertices.data = vertices[0];
    primitives->vertices.count = VERTICES;
    primitives->corners = triangles[0];
    primitives->count = TRIANGLES;
    MUST(pliant_body_set_primitives(world, bodies[2], primitives));
    MUST(pliant_body_borrow_primitives(world, bodies[2], primitives));
    return world;
}

static void query(PliantWorld *world, const PliantBody bodies[3])
{
    RECORD(PliantContacts, contacts, contacts);
    RECORD(PliantCollideDef, def, collide_def);
    RECORD(PliantStats, stats, stats);
    MUST(pliant_world_collide(world, NULL, contacts));
    show_contacts("all", contacts);
    MUST(pliant_world_stats(world, stats));
    show_stats(stats);
    MUST(pliant_body_stats(world, bodies[0], stats));
    show_stats(stats);
    RECORD(PliantWorldMemory, memory, world_memory);
    MUST(pliant_world_memory(world, memory));
    printf("memory %d %d %d\n", memory->bodies > 0, memory->answers > 0,
           memory->total == stats->byte_size || stats->byte_size == 0);
    def->max_contact_count = 5;
    MUST(pliant_bodies_collide(world, bodies[0], bodies[1], def, contacts));
    show_contacts("two", contacts);
    def->count_only = true;
    def->max_contact_count = 0;
    RECORD(PliantExperiments, experiments, experiments);
    experiments->approximations = PLIANT_APPROXIMATE_EDGES;
    def->experiments = experiments;
    MUST(pliant_body_collide(world, bodies[1], def, contacts));
    show_contacts("one", contacts);
    def->experiments = NULL;
    def->kind = PLIANT_FIRST_PAIRS;
    MUST(pliant_bodies_collide(world, bodies[0], bodies[0], def, contacts));
    show_contacts("self", contacts);
    def->progress = progress;
    def->user = "progress";
    printf("%s\n", pliant_result_name(pliant_world_collide(world, def, contacts)));
    show_contacts("as it was", contacts);

    RECORD(PliantBodyInfo, info, body_info);
    MUST(pliant_body_set_user_data(world, bodies[1], 99));
    for (int i = 0; i < 3; i++) {
        MUST(pliant_body_info(world, bodies[i], info));
        printf("body %d, shape %d, user data %" PRIu64 ", x %g, %d vertices, "
               "%d triangles, filter %x %x\n",
               (int)info->kind, info->shape != NULL, info->user_data,
               (double)info->transform.rows[0][3], info->vertex_count, info->triangle_count,
               info->categories, info->collides_with);
    }
}

static void find_intersections(PliantWorld *world)
{
    RECORD(PliantContacts, contacts, contacts);
    RECORD(PliantIntersectionsDef, def, intersections_def);
    RECORD(PliantIntersections, found, intersections);
    MUST(pliant_world_collide(world, NULL, contacts));
    MUST(pliant_contacts_intersections(world, contacts, def, found));
    printf("intersections: %" PRId64 " %" PRId64 "\n", found->count, found->point_count);
    for (int64_t i = 0; i < found->point_count; i++)
        printf("  %d %d %a\n", found->points[i].corners_a, found->points[i].corners_b,
               (double)found->points[i].position[0]);
}

static void find_regions(PliantWorld *world)
{
    RECORD(PliantContacts, contacts, contacts);
    RECORD(PliantRegionsDef, def, regions_def);
    RECORD(PliantRegions, found, regions);
    MUST(pliant_world_collide(world, NULL, contacts));
    def->depth_tolerance = 0.25f;
    MUST(pliant_contacts_regions(world, contacts, def, found));
    printf("regions: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", found->count,
           found->curve_count, found->point_count, found->triangle_count, found->vertex_count);
    for (int64_t i = 0; i < found->count; i++)
        printf("  %a %a\n", found->items[i].parts[0].area, (double)found->items[i].parts[1].depth);
}

static void find_near(PliantWorld *world, const PliantBody bodies[3])
{
    RECORD(PliantNearDef, def, near_def);
    RECORD(PliantNearPairs, pairs, near_pairs);
    def->distance = 0.25f;
    def->margin = 0.125f;
    def->includes_self = true;
    MUST(pliant_world_near(world, def, pairs));
    printf("near: %" PRId64 "\n", pairs->count);
    MUST(pliant_bodies_near(world, bodies[0], bodies[1], def, pairs));
    for (int64_t i = 0; i < pairs->count; i++)
        printf("  %d %d %d %a\n", (int)pairs->items[i].kind, pairs->items[i].feature_a,
               pairs->items[i].feature_b, (double)pairs->items[i].distance);
}

static void find_closest(PliantWorld *world, const PliantBody bodies[3])
{
    static const float points[2][3] = {{0.1f, 0.2f, -9}, {9, 0, 0}};
    const PliantVertices given = {points[0], 2, sizeof points[0]};
    static const PliantBox half = {{-9, -9, -9}, {0, 9, 9}};
    RECORD(PliantBodyPairsDef, pairs_def, body_pairs_def);
    RECORD(PliantBodyPairs, pairs, body_pairs);
    RECORD(PliantBoxTrianglesDef, box_def, box_triangles_def);
    RECORD(PliantBoxTriangles, in_box, box_triangles);
    RECORD(PliantDistanceDef, def, distance_def);
    RECORD(PliantDistance, distance, distance);
    RECORD(PliantClosestDef, closest_def, closest_def);
    RECORD(PliantClosestPoints, closest, closest_points);
    RECORD(PliantWindingDef, winding_def, winding_def);
    RECORD(PliantWindingNumbers, windings, winding_numbers);
    def->max_distance = 99;
    MUST(pliant_bodies_distance(world, bodies[0], bodies[1], def, distance));
    printf("distance: %d %d %a\n", distance->is_found, (int)distance->pair.kind,
           (double)distance->pair.distance);
    pairs_def->distance = 0.25f;
    MUST(pliant_world_bodies_within(world, pairs_def, pairs));
    printf("within: %" PRId64 " %d\n", pairs->count, pairs->is_limit_reached);
    MUST(pliant_world_body_pairs(world, pairs_def, pairs));
    printf("pairs: %" PRId64 "\n", pairs->count);
    box_def->max_triangle_count = 3;
    MUST(pliant_body_triangles_in_boxes(world, bodies[0], &half, 1, box_def, in_box));
    printf("in box: %" PRId64 " %d\n", in_box->count, in_box->is_limit_reached);
    closest_def->max_distance = 99;
    MUST(pliant_body_closest_points(world, bodies[0], given, closest_def, closest));
    for (int i = 0; i < 2; i++)
        printf("  %u %d %a\n", closest->items[i].body.index, closest->items[i].triangle,
               (double)closest->items[i].distance);
    MUST(pliant_body_winding_numbers(world, bodies[0], given, winding_def, windings));
    printf("winding: %a %d\n", windings->items[0].number, windings->is_certain);
    MUST(pliant_world_closest_points(world, given, closest_def, closest));
    for (int i = 0; i < 2; i++)
        printf("  %u %d %a\n", closest->items[i].body.index, closest->items[i].triangle,
               (double)closest->items[i].distance);
}

/* What touches on the way of a body that has an end, and a pair of the caller's own. */
static void sweep(PliantWorld *world, const PliantBody *bodies, const PliantHost *host)
{
    static const float start[12] = {0, 0, 1, -1, -1, 0, 1, -1, 0, 0, 1, 0},
                       end[12] = {0, 0, -1, -1, -1, 0, 1, -1, 0, 0, 1, 0};
    static const uint32_t vertices[4] = {0, 1, 2, 3};
    RECORD(PliantSweepDef, def, sweep_def);
    RECORD(PliantImpacts, impacts, impacts);
    RECORD(PliantSweepPairs, pairs, sweep_pairs);
    RECORD(PliantSweepCounts, counts, sweep_counts);
    RECORD(PliantNearCandidates, candidates, near_candidates);
    PliantBody end_body;
    float time;
    MUST(pliant_body_create_end(world, bodies[0], &end_body));
    def->kind = PLIANT_FIRST_IMPACTS;
    MUST(pliant_world_sweep(world, def, impacts));
    printf("%" PRId64 " impacts\n", impacts->count);
    MUST(pliant_bodies_sweep(world, bodies[0], bodies[1], def, impacts));
    printf("%" PRId64 " impacts\n", impacts->count);
    const PliantTransform still = pliant_transform_identity();
    printf("slack %g\n", (double)pliant_joints_slack(&still, &still, (const float[]){0}, 1));
    pairs->start = start;
    pairs->end = end;
    pairs->vertex_count = 4;
    pairs->pairs = vertices;
    pairs->pair_count = 1;
    pairs->host = host;
    MUST(pliant_sweep_pairs(pairs, &time, 1, counts));
    printf("at %g, %" PRId64 " of %" PRId64 "\n", (double)time, counts->touching, counts->pairs);
    candidates->vertices = start;
    candidates->vertex_count = 4;
    candidates->pairs = vertices;
    candidates->pair_count = 1;
    candidates->distance = 2;
    candidates->host = host;
    MUST(pliant_near_pairs(candidates, &time, NULL, 1));
    printf("near, at %g\n", (double)time);
    MUST(pliant_body_destroy(world, end_body));
}

static void cast_rays(PliantWorld *world, const PliantBody bodies[3])
{
    static const PliantRay rays[2] = {{{0.1f, 0.2f, -9}, {0, 0, 1}, 99},
                                      {{9, 0, 0}, {-1, 0, 0}, 99}};
    RECORD(PliantRayDef, def, ray_def);
    RECORD(PliantRayHits, found, ray_hits);
    MUST(pliant_world_cast_rays(world, NULL, rays, 2, found));
    printf("rays: %" PRId64 "\n", found->count);
    def->kind = PLIANT_ALL_HITS;
    def->categories = 3;
    MUST(pliant_body_cast_rays(world, bodies[0], def, rays, 2, found));
    for (int64_t i = 0; i < found->count; i++)
        printf("  %" PRId64 " %u %d %a %d\n", found->items[i].ray, found->items[i].body.index,
               found->items[i].triangle, (double)found->items[i].t, found->items[i].side);
    RECORD(PliantDrawDef, draw_def, draw_def);
    MUST(pliant_world_draw(world, draw_def));
    RECORD(PliantHitPointsDef, points_def, hit_points_def);
    RECORD(PliantHitPoints, points, hit_points);
    MUST(pliant_hits_points(world, found, points_def, points));
    for (int64_t i = 0; i < points->count; i++) {
        int32_t joint;
        MUST(pliant_hit_joint(world, &found->items[i], &joint));
        printf("  joint %d, x %a, normal %a\n", joint, (double)points->items[i].position[0],
               (double)points->items[i].normal[0]);
    }
}

/* ---- Volumes and triangles ---------------------------------------------------------------------
 */

static void show_volume(const PliantVolume *volume)
{
    printf("volume %a, error %a, centroid %a %a %a, box %a %a, view %d x %d along %d, reached %d, "
           "bad %" PRId64 ", closed %d\n",
           volume->volume, volume->error, volume->centroid[0], volume->centroid[1],
           volume->centroid[2], (double)volume->box.low[0], (double)volume->box.high[2],
           volume->view.width, volume->view.height, (int)volume->view.axis, volume->is_reached,
           volume->bad_pixel_count, volume->is_closed);
}

static void measure(PliantWorld *world, const PliantBody bodies[3], const PliantHost *host)
{
    RECORD(PliantVolumeDef, def, volume_def);
    RECORD(PliantVolume, volume, volume);
    def->resolution = 16;
    def->axes = PLIANT_AXES_ALL;
    MUST(pliant_bodies_volume(world, bodies[0], bodies[1], def, volume));
    show_volume(volume);
    MUST(pliant_body_volume(world, bodies[2], def, volume));
    show_volume(volume);

    RECORD(PliantContainDef, contain_def, contain_def);
    RECORD(PliantContainment, containment, containment);
    MUST(pliant_bodies_contain(world, bodies[0], bodies[1], contain_def, containment));
    printf("contains %d, closed %d, stamp %d\n", containment->contains, containment->is_closed,
           containment->stamp != 0);

    RECORD(PliantLayersDef, layers_def, layers_def);
    layers_def->host = host;
    PliantLayers *layers;
    MUST(pliant_layers_create(layers_def, &layers));
    PliantView view;
    MUST(pliant_body_view(world, bodies[0], 16, &view));
    RECORD(PliantCaptureDef, capture_def, capture_def);
    MUST(pliant_layers_capture(layers, world, bodies[0], &view, capture_def));
    MUST(pliant_layers_volume(layers, volume));
    show_volume(volume);
    RECORD(PliantLayersInfo, info, layers_info);
    MUST(pliant_layers_info(layers, info));
    printf("layers %d x %d, %" PRId64 " fragments, %d deep, %" PRId64 " spans, %" PRId64
           " bad, closed %d, bytes %d\n",
           info->view.width, info->view.height, info->fragment_count, info->depth_complexity,
           info->span_count, info->bad_pixel_count, info->is_closed, info->byte_size > 0);
    pliant_layers_destroy(layers);
}

static void test_triangles(const PliantHost *host)
{
    static const float corners[3][9] = {
        {0, 0, 0, 1, 0, 0, 0, 1, 0}, {0.25f, 0.25f, -1, 0.25f, 0.25f, 1, 2, 2, 0}, {9}};
    static const uint32_t pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    uint8_t results[3];
    RECORD(PliantTrianglePairs, def, triangle_pairs);
    RECORD(PliantTriangleCounts, counts, triangle_counts);
    def->a = def->b = corners[0];
    def->a_count = def->b_count = 3;
    def->pairs = pairs[0];
    def->pair_count = 3;
    def->host = host;
    MUST(pliant_triangle_pairs_intersect(def, results, 3, counts));
    printf("pairs %d %d %d, %" PRId64 " tested, %" PRId64 " intersecting, %" PRId64
           " undecided, %" PRId64 " flat, %" PRId64 " nonfinite, %" PRId64 " %" PRId64 " %" PRId64
           " %" PRId64 "\n",
           results[0], results[1], results[2], counts->pairs, counts->intersecting,
           counts->undecided, counts->flat, counts->nonfinite, counts->exact3_narrow,
           counts->exact3_wide, counts->exact2_narrow, counts->exact2_wide);
}

/* ---- A field that the library does not know ----------------------------------------------------
 */

#ifdef LATER
static int failure_count;

static void refuse(PliantResult result, const char *call)
{
    failure_count += result != PLIANT_BAD_DEF;
    if (result != PLIANT_BAD_DEF)
        printf("%s is not refused: %s\n", call, pliant_result_name(result));
}
#define REFUSE(record, call)                                                                       \
    do {                                                                                           \
        (record)->later_field = 1;                                                                 \
        refuse(call, #call);                                                                       \
        (record)->later_field = 0;                                                                 \
    } while (0)

static int set_later_fields(PliantHost *host)
{
    PliantShape *shape = NULL, *other = NULL;
    PliantWorld *world = NULL, *second = NULL;
    PliantLayers *layers = NULL;
    PliantBody bodies[3], body;
    uint8_t result;
    size_t size;
    PliantShapeDef *def = make_def(host, true);
    MUST(pliant_shape_create(def, &shape));
    world = make_world(host, shape, bodies);
    PliantSkin *skin = put(def->skin, sizeof *skin);
    def->skin = skin;
    REFUSE(def, pliant_shape_create(def, &other));
    REFUSE(skin, pliant_shape_create(def, &other));
    PliantExperiments *experiments = put(def->experiments, sizeof *experiments);
    def->experiments = experiments;
    REFUSE(experiments, pliant_shape_create(def, &other));
    REFUSE(host, pliant_shape_create(def, &other));
    REFUSE(host, pliant_shape_map(pliant_shape_data(shape, &size), size, host, &other));
    RECORD(PliantWorldDef, world_def, world_def);
    world_def->host = host;
    REFUSE(world_def, pliant_world_create(world_def, &second));
    REFUSE(host, pliant_world_create(world_def, &second));
    world_def->experiments = experiments;
    REFUSE(experiments, pliant_world_create(world_def, &second));
    RECORD(PliantSoupDef, soup_def, soup_def);
    REFUSE(soup_def, pliant_body_create_soup(world, soup_def, &body));
    soup_def->experiments = experiments;
    REFUSE(experiments, pliant_body_create_soup(world, soup_def, &body));
    RECORD(PliantPrimitives, primitives, primitives);
    REFUSE(primitives, pliant_body_set_primitives(world, bodies[2], primitives));
    REFUSE(primitives, pliant_body_borrow_primitives(world, bodies[2], primitives));
    RECORD(PliantCollideDef, query_def, collide_def);
    RECORD(PliantContacts, contacts, contacts);
    REFUSE(query_def, pliant_world_collide(world, query_def, contacts));
    REFUSE(query_def, pliant_body_collide(world, bodies[0], query_def, contacts));
    REFUSE(query_def, pliant_bodies_collide(world, bodies[0], bodies[1], query_def, contacts));
    REFUSE(query_def, pliant_bodies_collide(world, bodies[0], bodies[0], query_def, contacts));
    query_def->experiments = experiments;
    REFUSE(experiments, pliant_world_collide(world, query_def, contacts));
    query_def->experiments = NULL;
    RECORD(PliantNearDef, near_def, near_def);
    RECORD(PliantNearPairs, near_pairs, near_pairs);
    REFUSE(near_def, pliant_world_near(world, near_def, near_pairs));
    REFUSE(near_def, pliant_bodies_near(world, bodies[0], bodies[1], near_def, near_pairs));
    RECORD(PliantRegionsDef, regions_def, regions_def);
    RECORD(PliantRegions, regions, regions);
    REFUSE(regions_def, pliant_contacts_regions(world, contacts, regions_def, regions));
    RECORD(PliantDistanceDef, distance_def, distance_def);
    RECORD(PliantDistance, distance, distance);
    REFUSE(distance_def,
           pliant_bodies_distance(world, bodies[0], bodies[1], distance_def, distance));
    static const float point[3] = {0, 0, -9};
    const PliantVertices points = {point, 1, sizeof point};
    RECORD(PliantClosestDef, closest_def, closest_def);
    RECORD(PliantClosestPoints, closest, closest_points);
    REFUSE(closest_def, pliant_body_closest_points(world, bodies[0], points, closest_def, closest));
    REFUSE(closest_def, pliant_world_closest_points(world, points, closest_def, closest));
    RECORD(PliantWindingDef, winding_def, winding_def);
    RECORD(PliantWindingNumbers, windings, winding_numbers);
    REFUSE(winding_def,
           pliant_body_winding_numbers(world, bodies[0], points, winding_def, windings));
    static const PliantBox box = {{-9, -9, -9}, {0, 9, 9}};
    RECORD(PliantBodyPairsDef, pairs_def, body_pairs_def);
    RECORD(PliantBodyPairs, bodies_found, body_pairs);
    REFUSE(pairs_def, pliant_world_body_pairs(world, pairs_def, bodies_found));
    REFUSE(pairs_def, pliant_world_bodies_within(world, pairs_def, bodies_found));
    RECORD(PliantBoxTrianglesDef, box_def, box_triangles_def);
    RECORD(PliantBoxTriangles, in_box, box_triangles);
    REFUSE(box_def, pliant_body_triangles_in_boxes(world, bodies[0], &box, 1, box_def, in_box));
    REFUSE(box_def,
           pliant_body_moving_triangles_in_boxes(world, bodies[0], &box, 1, box_def, in_box));
    static const PliantRay ray = {{0, 0, -9}, {0, 0, 1}, 99};
    RECORD(PliantRayDef, ray_def, ray_def);
    RECORD(PliantRayHits, found, ray_hits);
    REFUSE(ray_def, pliant_world_cast_rays(world, ray_def, &ray, 1, found));
    REFUSE(ray_def, pliant_body_cast_rays(world, bodies[0], ray_def, &ray, 1, found));
    RECORD(PliantVolumeDef, volume_def, volume_def);
    RECORD(PliantVolume, volume, volume);
    REFUSE(volume_def, pliant_body_volume(world, bodies[0], volume_def, volume));
    RECORD(PliantContainDef, contain_def, contain_def);
    RECORD(PliantContainment, containment, containment);
    REFUSE(contain_def,
           pliant_bodies_contain(world, bodies[0], bodies[1], contain_def, containment));
    const PliantView no_view = PLIANT_ZEROS;
    RECORD(PliantCaptureDef, capture_def, capture_def);
    PliantLayers *captured = NULL;
    MUST(pliant_layers_create(NULL, &captured));
    REFUSE(capture_def, pliant_layers_capture(captured, world, bodies[0], &no_view, capture_def));
    pliant_layers_destroy(captured);
    RECORD(PliantLayersDef, layers_def, layers_def);
    REFUSE(layers_def, pliant_layers_create(layers_def, &layers));
    RECORD(PliantTrianglePairs, pairs, triangle_pairs);
    REFUSE(pairs, pliant_triangle_pairs_intersect(pairs, &result, 1, NULL));
    RECORD(PliantPoolDef, pool_def, pool_def);
    PliantPool *pool = NULL;
    REFUSE(pool_def, pliant_pool_create(pool_def, &pool));
    failure_count += pool != NULL;

    /* What is written keeps a field that the library does not know, and is none to be refused. */
    contacts->later_field = 77;
    MUST(pliant_world_collide(world, query_def, contacts));
    failure_count += contacts->later_field != 77 || contacts->count == 0;
    RECORD(PliantStats, stats, stats);
    found->later_field = 77;
    MUST(pliant_world_cast_rays(world, ray_def, &ray, 1, found));
    failure_count += found->later_field != 77;
    distance->later_field = 77;
    MUST(pliant_bodies_distance(world, bodies[0], bodies[1], distance_def, distance));
    failure_count += distance->later_field != 77 || !distance->is_found;
    MUST(pliant_world_collide(world, query_def, contacts));
    stats->later_field = 77;
    MUST(pliant_world_stats(world, stats));
    failure_count += stats->later_field != 77 || stats->contacts == 0;
    pliant_world_destroy(world);
    pliant_shape_release(shape);
    failure_count += shape == NULL || other != NULL || second != NULL || layers != NULL;
    return failure_count > 0 || block_count != 0;
}
#endif

/* A pool, attached to the host: of one worker, so that what is printed does not depend on threads.
 */
static PliantPool *make_pool(PliantHost *host)
{
    RECORD(PliantPoolDef, def, pool_def);
    PliantPool *pool;
    def->host = host;
    def->worker_count = 1;
    MUST(pliant_pool_create(def, &pool));
    pliant_pool_attach(pool, host);
    printf("%" PRId32 " worker\n", host->worker_count);
    return pool;
}

int main(int argument_count, char **arguments)
{
    PliantHost *host = make_host();
#ifdef LATER
    if (argument_count > 1 && strcmp(arguments[1], "set") == 0)
        return set_later_fields(host);
#endif
    (void)argument_count, (void)arguments;
    PliantPool *pool = make_pool(host);
    PliantShape *shape, *plain;
    PliantBody bodies[3];
    MUST(pliant_shape_create(make_def(host, true), &shape));
    MUST(pliant_shape_create(make_def(host, false), &plain));
    show_shape(shape);
    show_shape(plain);
    size_t size;
    const void *data = pliant_shape_data(shape, &size);
    PliantShape *mapped;
    MUST(pliant_shape_map(data, size, host, &mapped));
    show_shape(mapped);
    PliantWorld *world = make_world(host, mapped, bodies);
    query(world, bodies);
    find_intersections(world);
    find_regions(world);
    find_near(world, bodies);
    find_closest(world, bodies);
    sweep(world, bodies, host);
    cast_rays(world, bodies);
    measure(world, bodies, host);
    test_triangles(host);
    (void)pliant_body_set_weights(world, bodies[0], NULL, 3); /* which the host hears */
    pliant_world_destroy(world);
    pliant_shape_release(mapped);
    pliant_shape_release(plain);
    pliant_shape_release(shape);
    pliant_pool_destroy(pool);
    printf("%" PRId64 " blocks left\n", block_count);
    return block_count != 0;
}
