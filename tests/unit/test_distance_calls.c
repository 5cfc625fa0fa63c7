/* Least distances and closest points: what the public calls take, and small meshes whose answers
 * are known. */
#include "unit.h"

#include "refuse.h"
#include "room.h"

#include <math.h>
#include <string.h>

static PliantDistance distance_of(Room *room, PliantBody a, PliantBody b, float max_distance)
{
    PliantDistanceDef def = pliant_distance_def_default();
    PliantDistance distance = pliant_distance_default();
    def.max_distance = max_distance;
    MUST(pliant_bodies_distance(room->world, a, b, &def, &distance));
    return distance;
}

static void test_bad_arguments(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 1, 1, 1), none = {0};
    const PliantBody b = room_add_box(&room, 3, 0, 0, 4, 1, 1);
    PliantDistanceDef def = pliant_distance_def_default();
    PliantDistance distance = pliant_distance_default();
    REFUSE(room.host, pliant_bodies_distance(room.world, none, b, NULL, &distance), PLIANT_BAD_ID,
           "a is {0, 0, 0}");
    REFUSE(room.host, pliant_bodies_distance(room.world, a, none, NULL, &distance), PLIANT_BAD_ID,
           "b is {0, 0, 0}");
    REFUSE(room.host, pliant_bodies_distance(room.world, a, a, NULL, &distance),
           PLIANT_BAD_ARGUMENT, "a and b are one body");
    REFUSE(room.host, pliant_bodies_distance(room.world, a, b, NULL, NULL), PLIANT_BAD_ARGUMENT,
           "distance is NULL");
    def.max_distance = -1;
    REFUSE(room.host, pliant_bodies_distance(room.world, a, b, &def, &distance),
           PLIANT_BAD_ARGUMENT, "def.max_distance is -1");
    def.max_distance = NAN;
    REFUSE(room.host, pliant_bodies_distance(room.world, a, b, &def, &distance),
           PLIANT_BAD_ARGUMENT, "def.max_distance is");
    def.struct_size = 3;
    REFUSE(room.host, pliant_bodies_distance(room.world, a, b, &def, &distance), PLIANT_BAD_DEF,
           "def.struct_size is 3");
    distance.struct_size = 3;
    REFUSE(room.host, pliant_bodies_distance(room.world, a, b, NULL, &distance), PLIANT_BAD_DEF,
           "distance.struct_size is 3");
    const PliantBodyPair *pairs;
    int64_t count;
    REFUSE(room.host, pliant_world_bodies_within(room.world, -1, &pairs, &count),
           PLIANT_BAD_ARGUMENT, "distance is -1");
    REFUSE(room.host, pliant_world_bodies_within(room.world, INFINITY, &pairs, &count),
           PLIANT_BAD_ARGUMENT, "distance is inf");
    REFUSE(room.host, pliant_world_bodies_within(room.world, 1, NULL, &count), PLIANT_BAD_ARGUMENT,
           "pairs is NULL");
    REFUSE(room.host, pliant_world_bodies_within(room.world, 1, &pairs, NULL), PLIANT_BAD_ARGUMENT,
           "pair_count is NULL");
    assert_true(room_close(&room));
}

static void test_bad_points(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 1, 1, 1), none = {0};
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoint closest[2];
    float points[2][3] = {{0, 0, 0}, {0, NAN, 0}};
    const PliantVertices one = {points[0], 1, 0}, two = {points[0], 2, 0};
    REFUSE(room.host, pliant_body_closest_points(room.world, none, one, NULL, closest, 2),
           PLIANT_BAD_ID, "body is {0, 0, 0}");
    REFUSE(room.host, pliant_body_closest_points(room.world, a, two, NULL, closest, 2),
           PLIANT_BAD_ARGUMENT, "point 1 is not finite");
    points[1][1] = INFINITY;
    REFUSE(room.host, pliant_world_closest_points(room.world, two, NULL, closest, 2),
           PLIANT_BAD_ARGUMENT, "point 1 is not finite");
    REFUSE(room.host, pliant_world_closest_points(room.world, two, NULL, closest, 1),
           PLIANT_BAD_ARGUMENT, "capacity is 1, points.count is 2");
    REFUSE(room.host, pliant_world_closest_points(room.world, one, NULL, NULL, 1),
           PLIANT_BAD_ARGUMENT, "closest is NULL");
    REFUSE(room.host,
           pliant_world_closest_points(room.world, (PliantVertices){NULL, 1, 0}, NULL, closest, 1),
           PLIANT_BAD_ARGUMENT, "points.data is NULL");
    REFUSE(room.host,
           pliant_world_closest_points(room.world, (PliantVertices){points[0], -1, 0}, NULL,
                                       closest, 1),
           PLIANT_BAD_ARGUMENT, "points.count is -1");
    REFUSE(room.host,
           pliant_world_closest_points(room.world, (PliantVertices){points[0], 1, 7}, NULL, closest,
                                       1),
           PLIANT_BAD_ARGUMENT, "points.stride is 7");
    def.max_distance = -1;
    REFUSE(room.host, pliant_body_closest_points(room.world, a, one, &def, closest, 1),
           PLIANT_BAD_ARGUMENT, "def.max_distance is -1");
    def.struct_size = 3;
    REFUSE(room.host, pliant_body_closest_points(room.world, a, one, &def, closest, 1),
           PLIANT_BAD_DEF, "def.struct_size is 3");
    MUST(pliant_body_closest_points(room.world, a, (PliantVertices){NULL, 0, 0}, NULL, NULL, 0));
    assert_true(room_close(&room));
}

/* Boxes at a distance of 2, touching, crossing, and one in another. */
static void test_boxes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 4, 4, 4);
    const PliantBody beside = room_add_box(&room, 6, 1, 1, 7, 2, 2);
    const PliantBody touching = room_add_box(&room, 4, 4, 4, 5, 5, 5);
    const PliantBody crossing = room_add_box(&room, 1, 1, -1, 2, 2, 9);
    const PliantBody inside = room_add_box(&room, 1, 1, 1, 3.5f, 2, 2);
    PliantDistance distance = distance_of(&room, beside, a, INFINITY);
    assert_true(distance.is_found && distance.pair.distance == 2);
    assert_int_equal(distance.pair.kind, PLIANT_TRIANGLE_VERTEX);
    assert_memory_equal(&distance.pair.body_a, &a, sizeof a);
    assert_true(distance.pair.normal[0] == -1);
    assert_true(distance_of(&room, a, beside, 2).is_found);
    distance = distance_of(&room, a, beside, nextafterf(2, 0));
    assert_true(!distance.is_found && distance.pair.body_a.index == 0);
    distance = distance_of(&room, a, touching, 0);
    assert_true(distance.is_found && distance.pair.distance == 0);
    assert_int_equal(distance.pair.kind, PLIANT_TRIANGLE_TRIANGLE);
    distance = distance_of(&room, a, crossing, INFINITY);
    assert_true(distance.is_found && distance.pair.distance == 0);
    assert_int_equal(distance.pair.kind, PLIANT_TRIANGLE_TRIANGLE);
    distance = distance_of(&room, a, inside, INFINITY);
    assert_true(distance.is_found && distance.pair.distance == .5f);
    assert_true(room_close(&room));
}

/* Filters count for bodies within a distance, and not for two bodies. */
static void test_within(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 4, 4, 4);
    const PliantBody b = room_add_box(&room, 6, 1, 1, 7, 2, 2);
    const PliantBody c = room_add_box(&room, 7.5f, 1, 1, 8, 2, 2);
    const PliantBodyPair *pairs;
    int64_t count;
    MUST(pliant_world_bodies_within(room.world, 2, &pairs, &count));
    assert_int_equal(count, 2);
    assert_memory_equal(&pairs[0].body_a, &a, sizeof a);
    assert_memory_equal(&pairs[0].body_b, &b, sizeof a);
    assert_memory_equal(&pairs[1].body_b, &c, sizeof a);
    MUST(pliant_world_bodies_within(room.world, nextafterf(2, 0), &pairs, &count));
    assert_int_equal(count, 1);
    MUST(pliant_world_bodies_within(room.world, 0, &pairs, &count));
    assert_int_equal(count, 0);
    MUST(pliant_body_set_filter(room.world, b, 1, 0));
    MUST(pliant_world_bodies_within(room.world, 3.5f, &pairs, &count));
    assert_int_equal(count, 1);
    assert_memory_equal(&pairs[0].body_b, &c, sizeof a);
    assert_true(distance_of(&room, a, b, INFINITY).pair.distance == 2);
    assert_true(room_close(&room));
}

static void test_points(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 4, 4, 4);
    const PliantBody b = room_add_box(&room, 6, 0, 0, 8, 4, 4);
    static const float points[4][3] = {{1, 2, 3.5f}, {5, 1, 2}, {7, 2, 3}, {-3, -4, 2}};
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoint closest[5];
    memset(closest, 0xcd, sizeof closest);
    const PliantClosestPoint untouched = closest[4];
    const PliantVertices batch = {points[0], 4, 0};
    MUST(pliant_world_closest_points(room.world, batch, NULL, closest, 5));
    assert_memory_equal(&closest[4], &untouched, sizeof untouched);
    assert_true(closest[0].distance == .5f && closest[0].position[2] == 4);
    assert_true(closest[1].distance == 1 && closest[1].position[0] == 4);
    assert_memory_equal(&closest[1].body, &a, sizeof a);
    assert_true(closest[2].distance == 1);
    assert_memory_equal(&closest[2].body, &b, sizeof b);
    assert_true(closest[3].distance == 5 && closest[3].position[1] == 0);
    def.max_distance = 1;
    def.is_signed = true;
    MUST(pliant_world_closest_points(room.world, batch, &def, closest, 4));
    assert_true(closest[0].distance == -.5f && closest[1].distance == 1 &&
                closest[2].distance == -1);
    assert_true(closest[3].triangle == -1 && closest[3].distance == INFINITY &&
                closest[3].body.index == 0);
    MUST(pliant_body_closest_points(room.world, b, batch, &def, closest, 4));
    assert_int_equal(closest[0].triangle, -1);
    assert_true(closest[1].distance == 1 && closest[1].position[0] == 6);
    assert_true(room_close(&room));
}

/* One triangle has no inside. */
static void test_open(void **state)
{
    (void)state;
    static const float corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    static const uint32_t triangle[3] = {0, 1, 2};
    Room room;
    room_open(&room);
    PliantShapeDef shape = pliant_shape_def_default();
    shape.vertices = (PliantVertices){corners, 3, 0};
    shape.triangles = (PliantTriangles){triangle, 1};
    const PliantBody body = room_add_def(&room, &shape);
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoint closest;
    const float points[2][3] = {{1, 1, 1}, {1, 1, 0}};
    def.is_signed = true;
    REFUSE(room.host,
           pliant_body_closest_points(room.world, body, (PliantVertices){points[0], 1, 0}, &def,
                                      &closest, 1),
           PLIANT_NOT_CLOSED, "body {");
    MUST(pliant_body_closest_points(room.world, body, (PliantVertices){points[1], 1, 0}, &def,
                                    &closest, 1));
    assert_true(closest.distance == 0);
    assert_true(room_close(&room));
}

/* Few leaves are evaluated, and once a frame was seen, nothing is allocated. */
static void test_lazy(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(5);
    const PliantBody a = room_add_mesh(&room, &mesh);
    for (int32_t i = 0; i < mesh.vertex_count; i++)
        mesh.vertices[3 * i] += 3;
    const PliantBody b = room_add(&room, mesh);
    PliantClosestPoint closest;
    const float point[3] = {1.5f, .25f, .125f};
    const PliantVertices one = {point, 1, 0};
    PliantStats stats = pliant_stats_default();
    const PliantBodyPair *pairs;
    int64_t count, calls = 0;
    for (int i = 0; i < 3; i++) {
        calls = i < 2 ? 0 : room.host.calls;
        assert_true(fabsf(distance_of(&room, a, b, INFINITY).pair.distance - 1) < .01f);
        MUST(pliant_world_stats(room.world, &stats));
        assert_true(stats.leaves_evaluated > 1 && stats.leaves_evaluated < 100);
        MUST(pliant_body_closest_points(room.world, a, one, NULL, &closest, 1));
        MUST(pliant_world_stats(room.world, &stats));
        assert_true(stats.leaves_evaluated > 0 && stats.leaves_evaluated < 30);
        MUST(pliant_world_closest_points(room.world, one, NULL, &closest, 1));
        MUST(pliant_world_bodies_within(room.world, 1.5f, &pairs, &count));
        assert_int_equal(count, 1);
    }
    assert_int_equal(room.host.calls, calls);
    assert_true(room_close(&room));
}

/* Points that are elsewhere in each frame: leaves of the last frame say nothing. The closest one
 * has the least x. */
static void test_scattered_points(void **state)
{
    (void)state;
    enum { COUNT = 3000, FRAMES = 20 };
    static float points[COUNT][3];
    Room room;
    SceneRandom random = {5};
    room_open(&room);
    const PliantBody box = room_add_box(&room, -2, 0, 0, -1, 1, 1);
    PliantSoupDef def = pliant_soup_def_default();
    PliantBody soup;
    def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(room.world, &def, &soup));
    for (int frame = 0; frame < FRAMES; frame++) {
        int32_t first = 0;
        for (int32_t i = 0; i < COUNT; i++) {
            points[i][0] = (float)scene_random(&random);
            points[i][1] = points[i][2] = .5f;
            first = points[i][0] < points[first][0] ? i : first;
        }
        PliantPrimitives primitives = pliant_primitives_default();
        primitives.vertices = (PliantVertices){points[0], COUNT, 0};
        primitives.count = COUNT;
        MUST(pliant_body_set_primitives(room.world, soup, &primitives));
        const PliantNearPair pair = distance_of(&room, box, soup, INFINITY).pair;
        assert_true(pair.distance == points[first][0] + 1);
        assert_int_equal(pair.feature_b, first);
    }
    assert_true(room_close(&room));
}

/* An edge that two triangles share by groups, and which is at two places: the one with the closer
 * box is farther. */
static void test_apart(void **state)
{
    (void)state;
    static const float rest[6][3] = {{0}, {1}, {0, 1, 0}, {0}, {1}, {0, -1, 0}};
    static const float moved[6][3] = {{10.4f, 30, 0.9f}, {40, 4.9f, 0.9f}, {40, 30, 0.9f},
                                      {10, 0, 0},        {11, 0, 0},       {10.5f, 0, -3}};
    static const float other[3][3] = {{10.5f, -5, 1}, {10.5f, 5, 1}, {10.5f, 0, 9}};
    static const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5}, groups[6] = {0, 1, 2, 0, 1, 5};
    Room room;
    room_open(&room);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){rest[0], 6, 0};
    def.triangles = (PliantTriangles){triangles, 2};
    def.groups = groups;
    const PliantBody a = room_add_def(&room, &def);
    def = pliant_shape_def_default();
    def.vertices = (PliantVertices){other[0], 3, 0};
    def.triangles = (PliantTriangles){triangles, 1};
    const PliantBody b = room_add_def(&room, &def);
    MUST(pliant_body_set_vertices(room.world, a, (PliantVertices){moved[0], 6, 0}));
    const PliantDistance distance = distance_of(&room, a, b, INFINITY);
    assert_int_equal(distance.pair.kind, PLIANT_EDGE_EDGE);
    assert_true(distance.pair.distance == 1);
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_arguments), cmocka_unit_test(test_bad_points),
        cmocka_unit_test(test_boxes),         cmocka_unit_test(test_within),
        cmocka_unit_test(test_points),        cmocka_unit_test(test_open),
        cmocka_unit_test(test_lazy),          cmocka_unit_test(test_scattered_points),
        cmocka_unit_test(test_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
