/* Segments: rods, in shapes and in soups. What they are in each query, how answers number them, and
 * what has no area. The random comparison with brute force is test_brute's and test_sweeps'. */
#include "calls.h"
#include "host.h"
#include "scenes.h"
#include "shape/format.h"
#include <pliant/pliant.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MUST(call) assert_int_equal(call, PLIANT_OK)

typedef struct Fixture {
    TestHost host;
    PliantWorld *world;
} Fixture;

static int setup(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    test_host_init(&f->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &f->host.host;
    MUST(pliant_world_create(&def, &f->world));
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    Fixture *f = *state;
    pliant_world_destroy(f->world);
    const int64_t blocks = f->host.blocks;
    free(f);
    return blocks != 0;
}

/* ---- Bodies ------------------------------------------------------------------------------------
 */

static PliantShapeDef def_of(const Fixture *f, const float *vertices, int32_t vertex_count,
                             const uint32_t *triangles, int32_t triangle_count,
                             const uint32_t *segments, int32_t segment_count)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.host = &f->host.host;
    def.vertices = (PliantVertices){vertices, vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, triangle_count};
    def.segments = (PliantSegments){segments, segment_count};
    return def;
}

static PliantBody body_of(Fixture *f, const PliantShapeDef *def)
{
    PliantShape *shape;
    PliantBody body;
    MUST(pliant_shape_create(def, &shape));
    MUST(pliant_body_create(f->world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

static const uint32_t first_two[2] = {0, 1};

/* A shape of one segment. */
static PliantBody rod(Fixture *f, const float ends[6])
{
    const PliantShapeDef def = def_of(f, ends, 2, NULL, 0, first_two, 1);
    return body_of(f, &def);
}

static PliantBody soup_of(Fixture *f, PliantPrimitiveKind kind)
{
    PliantSoupDef def = pliant_soup_def_default();
    PliantBody body;
    def.primitive_kind = kind;
    MUST(pliant_body_create_soup(f->world, &def, &body));
    return body;
}

static PliantPrimitives primitives_of(const float *vertices, int32_t vertex_count,
                                      const uint32_t *corners, int32_t count)
{
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){vertices, vertex_count, 0};
    primitives.corners = corners;
    primitives.count = count;
    return primitives;
}

static void set(Fixture *f, PliantBody soup, const float *vertices, int32_t vertex_count,
                const uint32_t *corners, int32_t count)
{
    const PliantPrimitives primitives = primitives_of(vertices, vertex_count, corners, count);
    MUST(pliant_body_set_primitives(f->world, soup, &primitives));
}

static PliantNearPairs near_of(Fixture *f, PliantBody a, PliantBody b, float distance)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    def.distance = distance;
    MUST(pliant_bodies_near(f->world, a, b, &def, &pairs));
    return pairs;
}

static int64_t count_contacts(Fixture *f, PliantBody a, PliantBody b)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(f->world, a, b, NULL, &contacts));
    return contacts.count;
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

static const float tetrahedron[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 0, 0, 6, 0, 0};
static const uint32_t faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void refuse(Fixture *f, const PliantShapeDef *def, PliantResult code, const char *text)
{
    PliantShape *shape = NULL;
    assert_int_equal(pliant_shape_create(def, &shape), code);
    assert_null(shape);
    assert_non_null(strstr(f->host.message, text));
}

static void test_mistakes(void **state)
{
    Fixture *f = *state;
    static const uint32_t segments[] = {0, 4, 4, 6};
    PliantShapeDef def = def_of(f, tetrahedron, 6, faces, 4, segments, 2);
    refuse(f, &def, PLIANT_BAD_INDEX, "def.segments.data[3] is 6, def.vertices.count is 6");
    def.segments.count = -1;
    refuse(f, &def, PLIANT_BAD_ARGUMENT, "def.segments.count is -1");
    def.segments = (PliantSegments){NULL, 1};
    refuse(f, &def, PLIANT_BAD_ARGUMENT, "def.segments.data is NULL");
    def.segments = (PliantSegments){segments, INT32_MAX / 3 - 3};
    refuse(f, &def, PLIANT_TOO_LARGE, "def.segments.count is ");
    def.segments.count = 1;
    def.triangles.count = -1;
    refuse(f, &def, PLIANT_BAD_ARGUMENT, "def.triangles.count is -1");
    def.triangles = (PliantTriangles){NULL, 1};
    refuse(f, &def, PLIANT_BAD_ARGUMENT, "def.triangles.data is NULL");
    def.triangles = (PliantTriangles){NULL, 0};
    def.segments.count = 0;
    refuse(f, &def, PLIANT_BAD_ARGUMENT, "def.triangles.data is NULL");
    const PliantBody soup = soup_of(f, PLIANT_SEGMENTS);
    PliantPrimitives primitives = primitives_of(tetrahedron, 6, segments, 2);
    assert_int_equal(pliant_body_set_primitives(f->world, soup, &primitives), PLIANT_BAD_INDEX);
    assert_non_null(strstr(f->host.message, "primitives.corners[3] is 6"));
    primitives = primitives_of(tetrahedron, 5, NULL, 2);
    assert_int_equal(pliant_body_set_primitives(f->world, soup, &primitives), PLIANT_BAD_ARGUMENT);
    assert_non_null(strstr(f->host.message, "primitives.vertices.count is 5, not 2 for each of 2"));
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

/* Numbers, corners and edges: an edge that a triangle has too is there once. */
static void test_shape(void **state)
{
    Fixture *f = *state;
    static const uint32_t segments[] = {4, 5, 3, 4, 1, 0};
    static const uint32_t rows[] = {4, 5, 5, 3, 4, 4, 1, 0, 0};
    static const uint32_t wanted[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 3, 4, 4, 5};
    const PliantShapeDef def = def_of(f, tetrahedron, 6, faces, 4, segments, 3);
    PliantShape *shape;
    MUST(pliant_shape_create(&def, &shape));
    const PliantShapeInfo info = test_shape_info(shape);
    assert_int_equal(info.triangle_count, 7);
    assert_int_equal(info.segment_count, 3);
    assert_true(info.is_closed);
    assert_memory_equal(pliant_shape_triangles(shape), faces, sizeof faces);
    assert_memory_equal(pliant_shape_triangles(shape) + 12, rows, sizeof rows);
    const uint32_t *edges;
    int32_t edge_count;
    MUST(pliant_shape_edges(shape, &edges, &edge_count));
    assert_int_equal(edge_count, 8);
    assert_memory_equal(edges, wanted, sizeof wanted);
    pliant_shape_release(shape);
    const PliantShapeDef alone = def_of(f, tetrahedron, 6, NULL, 0, segments, 3);
    MUST(pliant_shape_create(&alone, &shape));
    assert_false(test_shape_info(shape).is_closed);
    assert_int_equal(test_shape_info(shape).segment_count, 3);
    pliant_shape_release(shape);
}

static void *copy_of(const PliantShape *shape, size_t *size)
{
    const void *data = pliant_shape_data(shape, size);
    void *copy = aligned_alloc(64, *size);
    memcpy(copy, data, *size);
    return copy;
}

static void refuse_data(const Fixture *f, PliShapeHeader *header, size_t size, PliantResult code)
{
    PliantShape *shape = NULL;
    header->checksum = pli_shape_checksum(header);
    assert_int_equal(pliant_shape_map(header, size, &f->host.host, &shape), code);
    assert_null(shape);
}

/* Saved with groups and without: versions 9 and 8; older ones have no segments. */
static void test_saved(void **state)
{
    Fixture *f = *state;
    static const uint32_t segments[] = {4, 5, 3, 4}, groups[] = {0, 1, 2, 3, 4, 4};
    PliantShapeDef def = def_of(f, tetrahedron, 6, faces, 4, segments, 2);
    for (int with_groups = 0; with_groups < 2; with_groups++) {
        PliantShape *shape, *mapped;
        size_t size;
        def.groups = with_groups ? groups : NULL;
        MUST(pliant_shape_create(&def, &shape));
        PliShapeHeader *header = copy_of(shape, &size);
        assert_int_equal(header->version, 8 + with_groups);
        MUST(pliant_shape_map(header, size, &f->host.host, &mapped));
        assert_int_equal(test_shape_info(mapped).segment_count, 2);
        assert_true(test_shape_info(mapped).is_closed);
        pliant_shape_release(mapped);
        header->segment_count = 0;
        refuse_data(f, header, size, PLIANT_BAD_DATA);
        header->segment_count = 3; /* a triangle is none */
        refuse_data(f, header, size, PLIANT_BAD_DATA);
        header->segment_count = 7;
        refuse_data(f, header, size, PLIANT_BAD_DATA);
        header->segment_count = 2;
        header->version -= 2;
        refuse_data(f, header, size, PLIANT_BAD_DATA);
        header->version = 10;
        refuse_data(f, header, size, PLIANT_BAD_VERSION);
        header->version = 5;
        refuse_data(f, header, size, PLIANT_BAD_VERSION);
        free(header);
        pliant_shape_release(shape);
    }
}

/* ---- Contacts, rays, closest points, boxes -----------------------------------------------------
 */

/* What a rod along x from (0, 0, 0) to (4, 0, 0) answers, however it was made: as triangle 0. */
static void check_rod(Fixture *f, PliantBody body)
{
    static const float wall[] = {1, -1, -1, 1, -1, 3, 1, 3, -1}, point[] = {3, 2, 0},
                       touching[] = {4, 0, 0, 9, 9, 9}, beside[] = {5, 0, 0, 9, 0, 0};
    static const uint32_t corners[] = {0, 1, 2};
    const PliantShapeDef def = def_of(f, wall, 3, corners, 1, NULL, 0);
    const PliantBody a = body_of(f, &def), b = rod(f, touching), c = rod(f, beside);
    assert_int_equal(count_contacts(f, body, a), 1);
    assert_int_equal(count_contacts(f, body, b), 1);
    assert_int_equal(count_contacts(f, body, c), 0);
    const PliantRay rays[2] = {{{2, 5, 0}, {0, -1, 0}, 100}, {{2, 5, 1e-6f}, {0, -1, 0}, 100}};
    PliantRayDef ray_def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    MUST(pliant_body_cast_rays(f->world, body, &ray_def, rays, 2, &hits));
    assert_int_equal(hits.count, 1);
    assert_int_equal(hits.items[0].ray, 0);
    assert_int_equal(hits.items[0].triangle, 0);
    assert_true(hits.items[0].t == 5);
    PliantClosestPoints closest = pliant_closest_points_default();
    MUST(pliant_body_closest_points(f->world, body, (PliantVertices){point, 1, 0}, NULL, &closest));
    assert_int_equal(closest.items[0].triangle, 0);
    assert_true(closest.items[0].distance == 2);
    assert_true(closest.items[0].position[0] == 3 && closest.items[0].position[1] == 0);
    PliantDistance distance = pliant_distance_default();
    MUST(pliant_bodies_distance(f->world, body, c, NULL, &distance));
    assert_true(distance.pair.distance == 1);
    assert_int_equal(distance.pair.kind, PLIANT_EDGE_EDGE);
    MUST(pliant_body_destroy(f->world, a));
    MUST(pliant_body_destroy(f->world, b));
    MUST(pliant_body_destroy(f->world, c));
}

static void test_rods_of_all_kinds(void **state)
{
    Fixture *f = *state;
    static const float ends[] = {0, 0, 0, 4, 0, 0}, moved[] = {0, 7, 0, 2, 7, 0},
                       shift[] = {0, -7, 0, 2, -7, 0};
    static const uint16_t joints[] = {0, 1};
    static const float weights[] = {1, 1}, one = 1;
    static const uint32_t turned[] = {1, 0};
    check_rod(f, rod(f, ends));
    PliantShapeDef def = def_of(f, ends, 2, NULL, 0, turned, 1);
    check_rod(f, body_of(f, &def));
    PliantBody body = rod(f, moved);
    MUST(pliant_body_set_vertices(f->world, body, (PliantVertices){ends, 2, 0}));
    check_rod(f, body);
    body = rod(f, moved);
    MUST(pliant_body_borrow_vertices(f->world, body, (PliantVertices){ends, 2, 0}));
    check_rod(f, body);
    const PliantTarget target = {{shift, 2, 0}, NULL};
    def = def_of(f, moved, 2, NULL, 0, first_two, 1);
    def.targets = &target;
    def.target_count = 1;
    body = body_of(f, &def);
    MUST(pliant_body_set_weights(f->world, body, &one, 1));
    check_rod(f, body);
    PliantSkin skin = pliant_skin_default();
    skin.joint_count = 2;
    skin.influence_count = 1;
    skin.joints = joints;
    skin.weights = weights;
    def = def_of(f, moved, 2, NULL, 0, first_two, 1);
    def.skin = &skin;
    body = body_of(f, &def);
    PliantTransform transforms[2] = {pliant_transform_identity(), pliant_transform_identity()};
    transforms[0].rows[1][3] = transforms[1].rows[1][3] = -7;
    transforms[1].rows[0][3] = 2;
    MUST(pliant_body_set_joints(f->world, body, transforms, 2));
    check_rod(f, body);
    for (int way = 0; way < 4; way++) {
        const PliantPrimitives primitives = primitives_of(ends, 2, way % 2 ? turned : NULL, 1);
        body = soup_of(f, PLIANT_SEGMENTS);
        MUST(way < 2 ? pliant_body_set_primitives(f->world, body, &primitives)
                     : pliant_body_borrow_primitives(f->world, body, &primitives));
        check_rod(f, body);
    }
}

/* Contacts have the number behind the triangles. */
static void test_numbers(void **state)
{
    Fixture *f = *state;
    static const float ends[] = {5.5f, -1, 0, 5.5f, 1, 0};
    static const uint32_t segments[] = {3, 4, 4, 5};
    const PliantShapeDef def = def_of(f, tetrahedron, 6, faces, 4, segments, 2);
    const PliantBody a = body_of(f, &def), b = rod(f, ends);
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(f->world, a, b, NULL, &contacts));
    assert_int_equal(contacts.count, 1);
    assert_int_equal(contacts.items[0].triangle_a, 5);
    assert_int_equal(contacts.items[0].triangle_b, 0);
    const int32_t number = 5;
    float corners[9];
    static const float wanted[] = {5, 0, 0, 6, 0, 0, 6, 0, 0};
    MUST(pliant_body_corners(f->world, a, &number, 1, corners, 1));
    assert_memory_equal(corners, wanted, sizeof wanted);
    const PliantNearPairs pairs = near_of(f, a, b, 0.25f);
    assert_int_equal(pairs.count, 1);
    assert_int_equal(pairs.items[0].kind, PLIANT_EDGE_EDGE);
    assert_int_equal(pairs.items[0].feature_a, 7); /* (4, 5) is the last edge */
    assert_int_equal(pairs.items[0].feature_b, 0);
    PliantIntersections found = pliant_intersections_default();
    MUST(pliant_bodies_collide(f->world, a, b, NULL, &contacts));
    MUST(pliant_contacts_intersections(f->world, &contacts, NULL, &found));
    assert_int_equal(found.point_count, 1);
    assert_true(found.points[0].position[0] == 5.5f && found.points[0].position[1] == 0);
}

/* ---- Near and sweep ----------------------------------------------------------------------------
 */

/* Two rods: their edges, however they lie. */
static void test_rod_and_rod(void **state)
{
    Fixture *f = *state;
    static const float along[] = {0, 0, 0, 4, 0, 0}, across[] = {2, -1, 1, 2, 1, 1},
                       upright[] = {2, 0, 1, 2, 0, 3}, behind[] = {5, 0, 0, 7, 0, 0};
    const PliantBody a = rod(f, along);
    const float *const others[] = {across, upright, behind};
    for (int i = 0; i < 3; i++) {
        const PliantNearPairs pairs = near_of(f, a, rod(f, others[i]), 1);
        assert_int_equal(pairs.count, 1);
        assert_int_equal(pairs.items[0].kind, PLIANT_EDGE_EDGE);
        assert_true(pairs.items[0].distance == 1);
    }
    /* At a joint of two segments both edges are as near. */
    static const float bent[] = {0, 3, 1, 2, 0, 1, 4, 3, 1};
    static const uint32_t segments[] = {0, 1, 1, 2};
    const PliantShapeDef def = def_of(f, bent, 3, NULL, 0, segments, 2);
    const PliantBody chain = body_of(f, &def);
    assert_int_equal(near_of(f, a, chain, 1).count, 2);
    assert_int_equal(near_of(f, chain, chain, 100).count, 0); /* a vertex in common */
}

/* A rod and a triangle: its vertices and the triangle, its edge and the edges. The triangle's
 * vertices are near it by their edges alone. */
static void test_rod_and_triangle(void **state)
{
    Fixture *f = *state;
    static const float large[] = {-9, -9, 0, 9, -9, 0, 0, 9, 0}, upright[] = {0, 0, 1, 0, 0, 3},
                       corner[] = {-2, 10, 0, 2, 10, 0};
    static const uint32_t corners[] = {0, 1, 2};
    const PliantShapeDef def = def_of(f, large, 3, corners, 1, NULL, 0);
    const PliantBody a = body_of(f, &def);
    PliantNearPairs pairs = near_of(f, a, rod(f, upright), 1);
    assert_int_equal(pairs.count, 1);
    assert_int_equal(pairs.items[0].kind, PLIANT_TRIANGLE_VERTEX);
    assert_int_equal(pairs.items[0].feature_b, 0);
    pairs = near_of(f, a, rod(f, corner), 1);
    assert_int_equal(pairs.count, 2);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pairs.items[i].kind, PLIANT_EDGE_EDGE);
    PliantDistance distance = pliant_distance_default();
    MUST(pliant_bodies_distance(f->world, a, rod(f, corner), NULL, &distance));
    assert_int_equal(distance.pair.kind, PLIANT_EDGE_EDGE);
    assert_true(distance.pair.distance == 1);
}

/* What has no edge is near to a segment by its vertex: a point of a soup, a segment or a triangle
 * of one vertex. */
static void test_rod_and_point(void **state)
{
    Fixture *f = *state;
    static const float along[] = {0, 0, 0, 4, 0, 0}, point[] = {2, 1, 0};
    static const uint32_t zeros[3] = {0};
    const PliantBody a = rod(f, along), soup = soup_of(f, PLIANT_SEGMENTS);
    PliantBody points[4];
    points[0] = soup_of(f, PLIANT_POINTS);
    set(f, points[0], point, 1, NULL, 1);
    const PliantShapeDef of_triangle = def_of(f, point, 1, zeros, 1, NULL, 0),
                         of_segment = def_of(f, point, 1, NULL, 0, zeros, 1);
    points[1] = body_of(f, &of_triangle);
    points[2] = body_of(f, &of_segment);
    points[3] = soup_of(f, PLIANT_SEGMENTS);
    set(f, points[3], point, 1, zeros, 1);
    set(f, soup, along, 2, NULL, 1);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            const PliantNearPairs pairs = near_of(f, k == 0 ? a : soup, points[i], 1);
            assert_int_equal(pairs.count, 1);
            const PliantNearPair *pair = &pairs.items[0];
            const bool is_first = pair->kind == PLIANT_VERTEX_TRIANGLE;
            assert_true(is_first || pair->kind == PLIANT_TRIANGLE_VERTEX);
            assert_true(pair->distance == 1);
            const uint32_t *corners = pair->vertices + is_first;
            assert_true(corners[0] == 0 && corners[1] == 1 && corners[2] == 1);
            PliantDistance distance = pliant_distance_default();
            MUST(pliant_bodies_distance(f->world, k == 0 ? a : soup, points[i], NULL, &distance));
            assert_int_equal(distance.pair.kind, pair->kind);
            assert_true(distance.pair.distance == 1);
        }
}

static PliantImpacts sweep_of(Fixture *f, PliantBody a, PliantBody b)
{
    PliantSweepDef def = pliant_sweep_def_default();
    PliantImpacts impacts = pliant_impacts_default();
    def.kind = PLIANT_ALL_IMPACTS;
    MUST(pliant_bodies_sweep(f->world, a, b, &def, &impacts));
    return impacts;
}

static void test_sweep(void **state)
{
    Fixture *f = *state;
    static const float along[] = {0, 0, 0, 4, 0, 0}, above[] = {2, -1, 1, 2, 1, 1},
                       below[] = {2, -1, -1, 2, 1, -1}, point[] = {1, 0, 3}, under[] = {1, 0, -1};
    const PliantBody a = rod(f, along), b = rod(f, above), soup = soup_of(f, PLIANT_POINTS);
    PliantBody end;
    MUST(pliant_body_create_end(f->world, b, &end));
    MUST(pliant_body_set_vertices(f->world, end, (PliantVertices){below, 2, 0}));
    PliantImpacts impacts = sweep_of(f, a, b);
    assert_int_equal(impacts.count, 1);
    assert_int_equal(impacts.items[0].kind, PLIANT_EDGE_EDGE);
    assert_true(impacts.items[0].time == 0.5f);
    set(f, soup, point, 1, NULL, 1);
    MUST(pliant_body_create_end(f->world, soup, &end));
    set(f, end, under, 1, NULL, 1);
    impacts = sweep_of(f, a, soup);
    assert_int_equal(impacts.count, 1);
    assert_int_equal(impacts.items[0].kind, PLIANT_TRIANGLE_VERTEX);
    assert_true(impacts.items[0].time == 0.75f);
    const PliantBody rods = soup_of(f, PLIANT_SEGMENTS);
    set(f, rods, above, 2, NULL, 1);
    MUST(pliant_body_create_end(f->world, rods, &end));
    set(f, end, below, 2, NULL, 1);
    impacts = sweep_of(f, a, rods);
    assert_int_equal(impacts.count, 1);
    assert_int_equal(impacts.items[0].kind, PLIANT_EDGE_EDGE);
    assert_true(impacts.items[0].time == 0.5f);
}

/* Edges of a soup in turn have the numbers of their segments; with corners those of their vertices.
 */
static void test_edges_of_soups(void **state)
{
    Fixture *f = *state;
    static const float vertices[] = {0, 9, 0, 4, 9, 0, 0, 5, 0, 4, 5, 0, 0, 1, 0, 4, 1, 0},
                       along[] = {0, 0, 0, 4, 0, 0};
    static const uint32_t corners[] = {5, 4, PLIANT_NO_VERTEX, 7, 0, 1, 1, 0};
    const PliantBody a = rod(f, along), soup = soup_of(f, PLIANT_SEGMENTS);
    set(f, soup, vertices, 6, NULL, 3);
    PliantNearPairs pairs = near_of(f, a, soup, 1);
    assert_int_equal(pairs.count, 1);
    assert_int_equal(pairs.items[0].feature_b, 2);
    set(f, soup, vertices, 6, corners, 4);
    pairs = near_of(f, a, soup, 9);
    assert_int_equal(pairs.count, 2);
    assert_int_equal(pairs.items[0].feature_b, 0); /* (0, 1), which two segments have */
    assert_int_equal(pairs.items[1].feature_b, 1); /* (4, 5) */
    static const uint32_t ends[] = {4, 5};
    assert_memory_equal(pairs.items[1].vertices + 2, ends, sizeof ends);
}

/* More and fewer segments, from frame to frame, lent and copied. */
static void test_topology(void **state)
{
    Fixture *f = *state;
    enum { COUNT = 200 };
    static float vertices[3 * (COUNT + 1)];
    static uint32_t corners[2 * COUNT];
    static const float below[] = {-1, 0, -1, COUNT + 1, 0, -1};
    for (uint32_t v = 0; v <= COUNT; v++)
        vertices[3 * v] = (float)v;
    for (uint32_t i = 0; i < COUNT; i++) {
        corners[2 * i] = i;
        corners[2 * i + 1] = i + 1;
    }
    const PliantBody a = rod(f, below), soup = soup_of(f, PLIANT_SEGMENTS);
    static const int32_t counts[] = {3, COUNT, 1, 0, 64, COUNT};
    for (int frame = 0; frame < 6; frame++) {
        PliantPrimitives primitives = primitives_of(vertices, COUNT + 1, corners, counts[frame]);
        MUST(frame % 2 ? pliant_body_set_primitives(f->world, soup, &primitives)
                       : pliant_body_borrow_primitives(f->world, soup, &primitives));
        assert_int_equal(near_of(f, a, soup, 1).count, counts[frame]);
        assert_int_equal(near_of(f, soup, soup, 0).count, 0);
        assert_int_equal(count_contacts(f, soup, soup), 0);
    }
    corners[4] = PLIANT_NO_VERTEX; /* one is cut out */
    vertices[3 * 100] = NAN;       /* and the two at a vertex */
    set(f, soup, vertices, COUNT + 1, corners, COUNT);
    assert_int_equal(near_of(f, a, soup, 1).count, COUNT - 3);
}

/* ---- Within one body ---------------------------------------------------------------------------
 */

typedef struct Whole {
    int32_t x[3];
} Whole;

static Whole from_to(const int32_t *p, const int32_t *q)
{
    return (Whole){{q[0] - p[0], q[1] - p[1], q[2] - p[2]}};
}

static Whole cross(Whole a, Whole b)
{
    return (Whole){{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
                    a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static int32_t dot(Whole a, Whole b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* Have two segments from one vertex more than that in common? Their directions are the same. */
static bool do_fold(const int32_t *p, const int32_t *q, const int32_t *r)
{
    const Whole a = from_to(p, q), b = from_to(p, r), n = cross(a, b);
    return dot(n, n) == 0 && dot(a, b) > 0;
}

/* Has a segment from p to q more in common with the triangle p r s? Its direction is in the corner
 * at p. The triangle has an area. */
static bool does_enter(const int32_t *p, const int32_t *q, const int32_t *r, const int32_t *s)
{
    const Whole d = from_to(p, q), a = from_to(p, r), b = from_to(p, s), n = cross(a, b);
    return dot(d, d) > 0 && dot(d, n) == 0 && dot(cross(a, d), n) >= 0 && dot(cross(d, b), n) >= 0;
}

enum { GRID_VERTICES = 7, GRID_TRIANGLES = 3, GRID_SEGMENTS = 9 };

typedef struct Grid {
    int32_t whole[GRID_VERTICES][3];
    float vertices[GRID_VERTICES][3];
    uint32_t corners[3 * (GRID_TRIANGLES + GRID_SEGMENTS)]; /* of triangles, and of segments */
    uint32_t segments[2 * GRID_SEGMENTS];
} Grid;

static bool has_area(const Grid *grid, const uint32_t *t)
{
    const Whole n = cross(from_to(grid->whole[t[0]], grid->whole[t[1]]),
                          from_to(grid->whole[t[0]], grid->whole[t[2]]));
    return dot(n, n) > 0;
}

static void make_grid(SceneRandom *random, Grid *grid)
{
    for (int v = 0; v < GRID_VERTICES; v++)
        for (int k = 0; k < 3; k++)
            grid->vertices[v][k] =
                (float)(grid->whole[v][k] = (int32_t)scene_random_below(random, 4));
    for (int t = 0; t < GRID_TRIANGLES; t++) {
        uint32_t *corners = grid->corners + 3 * t;
        do
            for (int k = 0; k < 3; k++)
                corners[k] = scene_random_below(random, GRID_VERTICES);
        while (!has_area(grid, corners));
    }
    for (int s = 0; s < GRID_SEGMENTS; s++) {
        uint32_t *corners = grid->corners + 3 * (GRID_TRIANGLES + s);
        for (int k = 0; k < 2; k++)
            corners[k] = grid->segments[2 * s + k] = scene_random_below(random, GRID_VERTICES);
        corners[2] = corners[1];
    }
}

static int shared_count(const uint32_t *a, const uint32_t *b)
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const bool is_first = i == 0 || (a[i] != a[0] && (i == 1 || a[i] != a[1]));
        count += is_first && (a[i] == b[0] || a[i] == b[1] || a[i] == b[2]);
    }
    return count;
}

/* Is a segment in contact with triangle `other`, or another segment? By whole numbers, unless they
 * have no vertex in common. */
static bool is_contact(const Grid *grid, int other, int segment)
{
    const uint32_t *a = grid->corners + 3 * other, *b = grid->corners + 3 * segment;
    float points[2][9];
    for (int i = 0; i < 3; i++) {
        memcpy(points[0] + 3 * i, grid->vertices[a[i]], 12);
        memcpy(points[1] + 3 * i, grid->vertices[b[i]], 12);
    }
    const int shared = shared_count(a, b);
    if (shared == 0)
        return pliant_triangles_intersect(points[0], points[1]);
    if (shared > 1 || b[0] == b[1])
        return false; /* a segment and its own edge, or a vertex */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            if (a[i] != b[j])
                continue;
            const int32_t *p = grid->whole[a[i]], *q = grid->whole[b[1 - j]],
                          *r = grid->whole[a[(i + 1) % 3]], *s = grid->whole[a[(i + 2) % 3]];
            if (other < GRID_TRIANGLES)
                return does_enter(p, q, r, s);
            return do_fold(p, q, grid->whole[a[0] == a[i] ? a[1] : a[0]]);
        }
    return false;
}

static void check_self(Fixture *f, const Grid *grid, PliantBody body, int first)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(f->world, body, body, NULL, &contacts));
    int64_t at = 0;
    for (int a = first; a < GRID_TRIANGLES + GRID_SEGMENTS; a++)
        for (int b = a + 1; b < GRID_TRIANGLES + GRID_SEGMENTS; b++) {
            const bool is_there = at < contacts.count &&
                                  contacts.items[at].triangle_a == a - first &&
                                  contacts.items[at].triangle_b == b - first;
            if (b >= GRID_TRIANGLES)
                assert_int_equal(is_there, is_contact(grid, a, b));
            at += is_there;
        }
    assert_int_equal(at, contacts.count);
}

static void test_self(void **state)
{
    Fixture *f = *state;
    SceneRandom random = {11};
    for (int i = 0; i < 3000; i++) {
        Grid grid;
        make_grid(&random, &grid);
        const PliantShapeDef def = def_of(f, grid.vertices[0], GRID_VERTICES, grid.corners,
                                          GRID_TRIANGLES, grid.segments, GRID_SEGMENTS);
        const PliantBody body = body_of(f, &def), soup = soup_of(f, PLIANT_SEGMENTS);
        check_self(f, &grid, body, 0);
        set(f, soup, grid.vertices[0], GRID_VERTICES, grid.segments, GRID_SEGMENTS);
        check_self(f, &grid, soup, GRID_TRIANGLES);
        MUST(pliant_body_destroy(f->world, body));
        MUST(pliant_body_destroy(f->world, soup));
    }
}

/* ---- What has no area --------------------------------------------------------------------------
 */

enum { HAIRS = 40 };

/* A ball with hair, some of which goes through it, and beyond it. */
static PliantBody hairy_ball(Fixture *f, const SceneMesh *ball, float x, bool has_hair)
{
    const int32_t count = ball->vertex_count;
    float *vertices = malloc(12 * (size_t)(count + HAIRS));
    uint32_t segments[2 * HAIRS];
    memcpy(vertices, ball->vertices, 12 * (size_t)count);
    for (uint32_t i = 0; i < HAIRS; i++) {
        const float *root = ball->vertices + 3 * i;
        const float length = i % 2 ? 1.5f : -1.25f;
        segments[2 * i] = i;
        segments[2 * i + 1] = (uint32_t)count + i;
        for (int k = 0; k < 3; k++)
            vertices[3 * ((uint32_t)count + i) + (uint32_t)k] = length * root[k];
    }
    const PliantShapeDef def = def_of(f, vertices, count + HAIRS, ball->triangles,
                                      ball->triangle_count, segments, has_hair ? HAIRS : 0);
    const PliantBody body = body_of(f, &def);
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    MUST(pliant_body_set_transform(f->world, body, &transform));
    free(vertices);
    return body;
}

static double volume_of(Fixture *f, PliantBody body)
{
    PliantVolume volume = pliant_volume_default();
    MUST(pliant_body_volume(f->world, body, NULL, &volume));
    return volume.volume;
}

/* Regions of two balls, and depths, are the same with hair and without; so is what is inside. */
static void test_no_area(void **state)
{
    Fixture *f = *state;
    SceneMesh ball = scene_icosphere(2);
    static const float points[] = {0.25f, 0, 0, 1.125f, 0, 0, 0, 0, 0.875f};
    float depths[2][2], areas[2][2];
    int32_t triangle_counts[2][2];
    double numbers[2][3], volumes[2];
    for (int with = 0; with < 2; with++) {
        const PliantBody a = hairy_ball(f, &ball, 0, with), b = hairy_ball(f, &ball, 1.7f, with);
        PliantContacts contacts = pliant_contacts_default();
        PliantRegions regions = pliant_regions_default();
        PliantRegionsDef def = pliant_regions_def_default();
        MUST(pliant_bodies_collide(f->world, a, b, NULL, &contacts));
        bool has_hair = false;
        for (int64_t i = 0; i < contacts.count; i++)
            has_hair |= contacts.items[i].triangle_a >= ball.triangle_count;
        assert_int_equal(has_hair, with);
        MUST(pliant_contacts_regions(f->world, &contacts, &def, &regions));
        assert_int_equal(regions.count, 1);
        for (int side = 0; side < 2; side++) {
            depths[with][side] = regions.items[0].parts[side].depth;
            areas[with][side] = (float)regions.items[0].parts[side].area;
            triangle_counts[with][side] = (int32_t)regions.items[0].parts[side].triangle_count;
        }
        PliantWindingNumbers winding = pliant_winding_numbers_default();
        MUST(pliant_body_winding_numbers(f->world, a, (PliantVertices){points, 3, 0}, NULL,
                                         &winding));
        for (int i = 0; i < 3; i++) {
            assert_true(winding.items[i].error == 0); /* the ball is closed */
            numbers[with][i] = winding.items[i].number;
        }
        volumes[with] = volume_of(f, a);
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
    assert_memory_equal(depths[0], depths[1], sizeof depths[0]);
    assert_memory_equal(areas[0], areas[1], sizeof areas[0]);
    assert_memory_equal(triangle_counts[0], triangle_counts[1], sizeof triangle_counts[0]);
    assert_memory_equal(numbers[0], numbers[1], sizeof numbers[0]);
    assert_true(fabs(volumes[0] - volumes[1]) < 0.02 * volumes[0]); /* another view */
    scene_mesh_free(&ball);
}

/* Rods alone bound nothing. */
static void test_rods_bound_nothing(void **state)
{
    Fixture *f = *state;
    static const float triangle[] = {-1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 1, 0, 1, -1},
                       point[] = {0, 1, 0};
    static const uint32_t segments[] = {0, 1, 1, 2, 2, 0, 3, 4};
    const PliantShapeDef def = def_of(f, triangle, 5, NULL, 0, segments, 4);
    const PliantBody body = body_of(f, &def), soup = soup_of(f, PLIANT_SEGMENTS);
    set(f, soup, triangle, 5, segments, 4);
    const PliantBody both[] = {body, soup};
    for (int i = 0; i < 2; i++) {
        PliantWindingNumbers winding = pliant_winding_numbers_default();
        PliantContacts contacts = pliant_contacts_default();
        PliantRegions regions = pliant_regions_default();
        MUST(pliant_body_winding_numbers(f->world, both[i], (PliantVertices){point, 1, 0}, NULL,
                                         &winding));
        assert_true(winding.items[0].number == 0 && winding.items[0].error == 0);
        assert_true(volume_of(f, both[i]) == 0);
        MUST(pliant_bodies_collide(f->world, body, soup, NULL, &contacts));
        assert_true(contacts.count > 0);
        MUST(pliant_contacts_regions(f->world, &contacts, NULL, &regions));
        assert_int_equal(regions.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_mistakes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shape, setup, teardown),
        cmocka_unit_test_setup_teardown(test_saved, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rods_of_all_kinds, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rod_and_rod, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rod_and_triangle, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rod_and_point, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sweep, setup, teardown),
        cmocka_unit_test_setup_teardown(test_edges_of_soups, setup, teardown),
        cmocka_unit_test_setup_teardown(test_topology, setup, teardown),
        cmocka_unit_test_setup_teardown(test_self, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_area, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rods_bound_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
