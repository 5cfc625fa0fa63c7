/* Least distances and closest points: what the public calls take, and small meshes whose answers
 * are known. */
#include "unit.h"

#include "refuse.h"
#include "room.h"
#include "workers.h"

#include <math.h>
#include <string.h>

#define WITHIN(d)                                                                                  \
    (&(const PliantBodyPairsDef){.struct_size = sizeof(PliantBodyPairsDef), .distance = (d)})

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
           "a is {index 0, serial 0}");
    REFUSE(room.host, pliant_bodies_distance(room.world, a, none, NULL, &distance), PLIANT_BAD_ID,
           "b is {index 0, serial 0}");
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
    PliantBodyPairs pairs = pliant_body_pairs_default();
    REFUSE(room.host, pliant_world_bodies_within(room.world, WITHIN(-1), &pairs),
           PLIANT_BAD_ARGUMENT, "def.distance is -1");
    REFUSE(room.host, pliant_world_bodies_within(room.world, WITHIN(INFINITY), &pairs),
           PLIANT_BAD_ARGUMENT, "def.distance is inf");
    REFUSE(room.host, pliant_world_bodies_within(room.world, NULL, NULL), PLIANT_BAD_ARGUMENT,
           "pairs is NULL");
    assert_true(room_close(&room));
}

static void test_bad_points(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 1, 1, 1), none = {0};
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoints found = {.struct_size = sizeof found, .count = -5}, *closest = &found;
    float points[2][3] = {{0, 0, 0}, {0, NAN, 0}};
    const PliantVertices one = {points[0], 1, 0}, two = {points[0], 2, 0};
    REFUSE(room.host, pliant_body_closest_points(room.world, none, one, NULL, closest),
           PLIANT_BAD_ID, "body is {index 0, serial 0}");
    REFUSE(room.host, pliant_body_closest_points(room.world, a, two, NULL, closest),
           PLIANT_BAD_ARGUMENT, "point 1 is not finite");
    points[1][1] = INFINITY;
    REFUSE(room.host, pliant_world_closest_points(room.world, two, NULL, closest),
           PLIANT_BAD_ARGUMENT, "point 1 is not finite");
    REFUSE(room.host, pliant_world_closest_points(room.world, one, NULL, NULL), PLIANT_BAD_ARGUMENT,
           "closest is NULL");
    REFUSE(room.host,
           pliant_world_closest_points(room.world, (PliantVertices){NULL, 1, 0}, NULL, closest),
           PLIANT_BAD_ARGUMENT, "points.data is NULL");
    REFUSE(
        room.host,
        pliant_world_closest_points(room.world, (PliantVertices){points[0], -1, 0}, NULL, closest),
        PLIANT_BAD_ARGUMENT, "points.count is -1");
    REFUSE(
        room.host,
        pliant_world_closest_points(room.world, (PliantVertices){points[0], 1, 7}, NULL, closest),
        PLIANT_BAD_ARGUMENT, "points.stride is 7");
    def.max_distance = -1;
    REFUSE(room.host, pliant_body_closest_points(room.world, a, one, &def, closest),
           PLIANT_BAD_ARGUMENT, "def.max_distance is -1");
    def.struct_size = 3;
    REFUSE(room.host, pliant_body_closest_points(room.world, a, one, &def, closest), PLIANT_BAD_DEF,
           "def.struct_size is 3");
    assert_int_equal(found.count, -5);
    MUST(pliant_body_closest_points(room.world, a, (PliantVertices){NULL, 0, 0}, NULL, closest));
    assert_true(found.count == 0 && found.is_certain);
    found.struct_size = 3;
    REFUSE(room.host, pliant_world_closest_points(room.world, one, NULL, closest), PLIANT_BAD_DEF,
           "closest.struct_size is 3");
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
    PliantBodyPairs pairs = pliant_body_pairs_default();
    MUST(pliant_world_bodies_within(room.world, WITHIN(2), &pairs));
    assert_int_equal(pairs.count, 2);
    assert_memory_equal(&pairs.items[0].body_a, &a, sizeof a);
    assert_memory_equal(&pairs.items[0].body_b, &b, sizeof a);
    assert_memory_equal(&pairs.items[1].body_b, &c, sizeof a);
    MUST(pliant_world_bodies_within(room.world, WITHIN(nextafterf(2, 0)), &pairs));
    assert_int_equal(pairs.count, 1);
    MUST(pliant_world_bodies_within(room.world, WITHIN(0), &pairs));
    assert_int_equal(pairs.count, 0);
    MUST(pliant_body_set_filter(room.world, b, 1, 0));
    MUST(pliant_world_bodies_within(room.world, WITHIN(3.5f), &pairs));
    assert_int_equal(pairs.count, 1);
    assert_memory_equal(&pairs.items[0].body_b, &c, sizeof a);
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
    PliantClosestPoints found = pliant_closest_points_default();
    const PliantVertices batch = {points[0], 4, 0};
    MUST(pliant_world_closest_points(room.world, batch, NULL, &found));
    const PliantClosestPoint *closest = found.items;
    assert_true(found.count == 4 && found.is_certain && !found.is_limit_reached);
    assert_true(closest[0].distance == .5f && closest[0].position[2] == 4);
    assert_true(closest[1].distance == 1 && closest[1].position[0] == 4);
    assert_memory_equal(&closest[1].body, &a, sizeof a);
    assert_true(closest[2].distance == 1);
    assert_memory_equal(&closest[2].body, &b, sizeof b);
    assert_true(closest[3].distance == 5 && closest[3].position[1] == 0);
    def.max_distance = 1;
    def.is_signed = true;
    MUST(pliant_world_closest_points(room.world, batch, &def, &found));
    closest = found.items;
    assert_true(found.is_certain && closest[0].flags == 0);
    assert_true(closest[0].distance == -.5f && closest[1].distance == 1 &&
                closest[2].distance == -1);
    assert_true(closest[3].triangle == -1 && closest[3].distance == INFINITY &&
                closest[3].body.index == 0);
    MUST(pliant_body_closest_points(room.world, b, batch, &def, &found));
    closest = found.items;
    assert_int_equal(closest[0].triangle, -1);
    assert_true(closest[1].distance == 1 && closest[1].position[0] == 6);
    assert_true(room_close(&room));
}

/* Which body the first of two points finds: in the middle between two boxes. */
static PliantBody closest_of(Room *room, const PliantClosestDef *def)
{
    static const float points[2][3] = {{4.5f, 2, 2}, {1, 2, 2}};
    PliantClosestPoints found = pliant_closest_points_default();
    MUST(pliant_world_closest_points(room->world, (PliantVertices){points[0], 2, 0}, def, &found));
    assert_int_equal(found.count, 2);
    return found.items[0].body;
}

/* Filters count for all bodies of a world, both ways, and not for one body. */
static void test_filters(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 4, 4, 4);
    const PliantBody b = room_add_box(&room, 6, 0, 0, 8, 4, 4);
    static const float point[3] = {4.5f, 2, 2};
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoints found = pliant_closest_points_default();
    assert_int_equal(closest_of(&room, NULL).index, a.index);
    MUST(pliant_body_set_filter(room.world, a, 2, 0xffffffffu));
    def.collides_with = ~2u;
    assert_int_equal(closest_of(&room, &def).index, b.index);
    def = pliant_closest_def_default();
    MUST(pliant_body_set_filter(room.world, a, 2, 4));
    def.categories = ~4u;
    assert_int_equal(closest_of(&room, &def).index, b.index);
    MUST(pliant_body_closest_points(room.world, a, (PliantVertices){point, 1, 0}, &def, &found));
    assert_true(found.items[0].distance == .5f);
    def.collides_with = 0;
    assert_int_equal(closest_of(&room, &def).index, 0);
    assert_true(room_close(&room));
}

/* A body whose triangles all face inward has the inside of one whose triangles face outward. */
static void test_inside_out(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(2);
    for (int32_t t = 0; t < mesh.triangle_count; t++) {
        const uint32_t first = mesh.triangles[3 * t];
        mesh.triangles[3 * t] = mesh.triangles[3 * t + 1];
        mesh.triangles[3 * t + 1] = first;
    }
    const PliantBody body = room_add(&room, mesh);
    static const float points[2][3] = {{.25f, .125f, 0}, {3, 0, 0}};
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoints found = pliant_closest_points_default();
    def.is_signed = true;
    MUST(pliant_body_closest_points(room.world, body, (PliantVertices){points[0], 2, 0}, &def,
                                    &found));
    assert_true(found.is_certain && found.items[0].distance < -.5f &&
                found.items[1].distance > 1.9f);
    assert_true(room_close(&room));
}

/* Triangles with a NaN are holes, also of a shape that is closed. */
static void test_nonfinite(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    enum { COUNT = 162 };
    float vertices[3 * COUNT];
    SceneMesh mesh = scene_icosphere(2);
    assert_int_equal(mesh.vertex_count, COUNT);
    memcpy(vertices, mesh.vertices, sizeof vertices);
    vertices[5] = NAN;
    PliantWindingNumbers numbers = pliant_winding_numbers_default();
    const float center[3] = {0, 0, 0};
    const PliantBody body = room_add(&room, mesh);
    MUST(pliant_body_set_vertices(room.world, body, (PliantVertices){vertices, COUNT, 0}));
    MUST(pliant_body_winding_numbers(room.world, body, (PliantVertices){center, 1, 0}, NULL,
                                     &numbers));
    assert_true(numbers.items[0].is_inside && numbers.items[0].number < 0.99);
    assert_true(numbers.items[0].number > 0.9 && numbers.items[0].error > 0);
    assert_true(room_close(&room));
}

static bool count_calls(void *user, int64_t done, int64_t total)
{
    assert_true(done <= total);
    return ++*(int *)user < 1000;
}

/* Triangles by nine floats each, whose vertices are their own. */
static PliantBody add_triangles(Room *room, const float *corners, int32_t count, float divide_size)
{
    enum { MOST = 8 };
    static const uint32_t numbers[3 * MOST] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                               12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
    PliantShapeDef def = pliant_shape_def_default();
    assert_true(count <= MOST);
    def.vertices = (PliantVertices){corners, 3 * count, 0};
    def.triangles = (PliantTriangles){numbers, count};
    def.divide_kind = divide_size > 0 ? PLIANT_DIVIDE_QUARTERS : PLIANT_DIVIDE_NONE;
    def.divide_size = divide_size;
    return room_add_def(room, &def);
}

/* Distances are compared as they are returned, and no plane takes a float for the next one. Two
 * pairs of triangles, the first at the distance 5, which is found first, as boxes overlap; the
 * second a quarter of an ulp above the float before that. */
static void test_rounded_distances(void **state)
{
    (void)state;
    const float x = 0.6f * 0x0.cp-21f, y = 0.8f * 0x0.cp-21f;
    const float a[18] = {3, 4, 0, -1, 7, 0, 3, 4, 4, 3, 4, 90, 3, 4, 91, 3, 4, 92};
    const float b[18] = {0, 0, 0, 4, -3, 0, 0, 0, 4, x, y, 90, x, y, 91, x, y, 92};
    Room room;
    room_open(&room);
    const PliantBody a_body = add_triangles(&room, a, 2, 0), b_body = add_triangles(&room, b, 2, 0);
    const PliantDistance distance = distance_of(&room, a_body, b_body, INFINITY);
    assert_true(distance.pair.distance == nextafterf(5, 0));
    assert_int_equal(distance.pair.feature_a, 3);
    assert_int_equal(distance.pair.feature_b, 1);
    assert_true(room_close(&room));
}

/* A flat sheet of 2 x SIDE x SIDE triangles around the origin. */
enum { SIDE = 24 };
static PliantBody add_sheet(Room *room)
{
    static float vertices[3 * (SIDE + 1) * (SIDE + 1)];
    static uint32_t triangles[6 * SIDE * SIDE];
    PliantShapeDef def = pliant_shape_def_default();
    for (uint32_t v = 0; v < (SIDE + 1) * (SIDE + 1); v++) {
        const uint32_t row = v / (SIDE + 1), column = v % (SIDE + 1);
        vertices[3 * v] = (float)column - SIDE / 2.0f;
        vertices[3 * v + 1] = (float)row - SIDE / 2.0f;
        vertices[3 * v + 2] = 0;
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t a = i / SIDE * (SIDE + 1) + i % SIDE, c = a + SIDE + 1;
        memcpy(triangles + 6 * (size_t)i, (const uint32_t[]){a, a + 1, c, a + 1, c + 1, c}, 24);
    }
    def.vertices = (PliantVertices){vertices, (SIDE + 1) * (SIDE + 1), 0};
    def.triangles = (PliantTriangles){triangles, 2 * SIDE * SIDE};
    return room_add_def(room, &def);
}

/* Of many pairs at one distance the first is returned, wherever the search begins. */
static void test_equal_distances(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = add_sheet(&room), b = add_sheet(&room);
    PliantTransform up = pliant_transform_identity();
    for (int turn = 0; turn < 4; turn++) {
        up.rows[0][0] = turn & 1 ? -1 : 1;
        up.rows[1][1] = turn & 2 ? -1 : 1;
        up.rows[2][3] = 2 + (float)turn;
        MUST(pliant_body_set_transform(room.world, b, &up));
        PliantNearDef def = pliant_near_def_default();
        PliantNearPairs pairs = pliant_near_pairs_default();
        const PliantDistance distance = distance_of(&room, a, b, INFINITY);
        def.distance = 2 + (float)turn;
        MUST(pliant_bodies_near(room.world, a, b, &def, &pairs));
        assert_true(pairs.count > 100);
        assert_memory_equal(&distance.pair, &pairs.items[0], sizeof distance.pair);
    }
    assert_true(room_close(&room));
}

static bool cancel(void *user, int64_t done, int64_t total)
{
    (void)done, (void)total;
    return --*(int *)user > 0;
}

/* All pieces of two triangles without area are in few places: each two triangles are compared once,
 * and the query is asked all along. */
static void test_pieces(void **state)
{
    (void)state;
    enum { LEAST_CALLS = 16 };
    const float a[9] = {0, 0, 0, 1, 0.5f, 0.25f, 2, 1, 0.5f};
    const float b[9] = {0, 0, 0.5f, 1, 0.5f, 0.75f, 2, 1, 1};
    Room room;
    room_open(&room);
    const PliantBody a_body = add_triangles(&room, a, 1, 0.04f),
                     b_body = add_triangles(&room, b, 1, 0.04f);
    PliantDistanceDef def = pliant_distance_def_default();
    PliantDistance distance = pliant_distance_default();
    int calls = 0;
    def.progress = count_calls;
    def.user = &calls;
    MUST(pliant_bodies_distance(room.world, a_body, b_body, &def, &distance));
    assert_true(distance.is_found && calls >= LEAST_CALLS);
    assert_true(fabsf(distance.pair.distance - 0.4879500f) < 1e-6f);
    def.progress = cancel;
    calls = LEAST_CALLS;
    assert_int_equal(pliant_bodies_distance(room.world, a_body, b_body, &def, &distance),
                     PLIANT_CANCELLED);
    assert_true(room_close(&room));
}

/* A query for many points is asked all along. */
static void test_many_points(void **state)
{
    (void)state;
    enum { POINTS = 4096, POINTS_OF_A_TURN = 16 };
    Room room;
    room_open(&room);
    const PliantBody body = room_add(&room, scene_icosphere(2));
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoints found = pliant_closest_points_default();
    float *points = scene_allocate(3 * (size_t)POINTS, sizeof *points);
    int calls = 0;
    for (int i = 0; i < 3 * POINTS; i++)
        points[i] = 2 + 0.25f * (float)(i % 7);
    def.progress = count_calls;
    def.user = &calls;
    MUST(pliant_body_closest_points(room.world, body, (PliantVertices){points, POINTS, 0}, &def,
                                    &found));
    assert_true(calls >= POINTS / POINTS_OF_A_TURN);
    free(points);
    assert_true(room_close(&room));
}

/* Of separate triangles all edges are boundary. One point takes long then, and the query is asked
 * meanwhile. */
static void test_long_boundary(void **state)
{
    (void)state;
    enum { TRIANGLES = 30000, CALLS = 9 * TRIANGLES / 4096 / 2 };
    Room room;
    room_open(&room);
    PliantBody soup;
    PliantPrimitives primitives = pliant_primitives_default();
    PliantWindingDef def = pliant_winding_def_default();
    PliantWindingNumbers numbers = pliant_winding_numbers_default();
    float *corners = scene_allocate(9 * (size_t)TRIANGLES, sizeof *corners);
    const float point[3] = {0, 0, -1};
    int calls = 0;
    for (int32_t i = 0; i < 9 * TRIANGLES; i++)
        corners[i] = (float)i + (i % 9 == 4 ? 0.5f : 0);
    primitives.vertices = (PliantVertices){corners, 3 * TRIANGLES, 0};
    primitives.count = TRIANGLES;
    MUST(pliant_body_create_soup(room.world, NULL, &soup));
    MUST(pliant_body_set_primitives(room.world, soup, &primitives));
    def.progress = count_calls;
    def.user = &calls;
    MUST(pliant_body_winding_numbers(room.world, soup, (PliantVertices){point, 1, 0}, &def,
                                     &numbers));
    assert_true(calls > CALLS && !numbers.items[0].is_inside);
    free(corners);
    assert_true(room_close(&room));
}

/* A cube without its top is inside up to its opening, and a point on the rim is undecided. */
static void test_open(void **state)
{
    (void)state;
    static const float corners[8][3] = {{0, 0, -4}, {4, 0, -4}, {0, 4, -4}, {4, 4, -4},
                                        {0, 0, 0},  {4, 0, 0},  {0, 4, 0},  {4, 4, 0}};
    static const uint32_t triangles[10][3] = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4},
                                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6},
                                              {1, 3, 5}, {3, 7, 5}};
    Room room;
    room_open(&room);
    PliantShapeDef shape = pliant_shape_def_default();
    shape.vertices = (PliantVertices){corners[0], 8, 0};
    shape.triangles = (PliantTriangles){triangles[0], 10};
    const PliantBody body = room_add_def(&room, &shape);
    PliantClosestDef def = pliant_closest_def_default();
    PliantClosestPoints found = pliant_closest_points_default();
    const float points[5][3] = {{2, 2, -3}, {2, 2, -0.5f}, {2, 2, 1}, {1, 0, -4}, {1, 0, 0}};
    def.is_signed = true;
    MUST(pliant_body_closest_points(room.world, body, (PliantVertices){points[0], 5, 0}, &def,
                                    &found));
    assert_true(found.is_certain);
    assert_true(found.items[0].distance == -1 && found.items[1].distance == -2);
    assert_true(found.items[2].distance > 2 && found.items[3].distance == 0 &&
                found.items[4].distance == 0);
    PliantWindingNumbers numbers = pliant_winding_numbers_default();
    MUST(pliant_body_winding_numbers(room.world, body, (PliantVertices){points[0], 5, 0}, NULL,
                                     &numbers));
    assert_true(numbers.count == 5 && !numbers.is_certain);
    const PliantWindingNumber *w = numbers.items;
    assert_true(w[0].is_inside && w[1].is_inside && !w[2].is_inside);
    assert_true(w[0].number > w[1].number && w[1].number > 0.5 && w[2].number > 0);
    assert_true(w[0].error < 1e-13 && w[0].flags == 0);
    assert_true(w[4].error == INFINITY && w[4].flags == PLIANT_WINDING_UNDECIDED);
    const float rim[2][3] = {{4 + 0x1p-21f, 2, 0}, {2, -0x1p-100f, 0}}; /* next to the rim */
    MUST(
        pliant_body_closest_points(room.world, body, (PliantVertices){rim[0], 2, 0}, &def, &found));
    assert_true(found.items[0].distance > 0 && found.items[0].flags == 0);
    assert_true(found.items[1].flags == PLIANT_CLOSEST_UNDECIDED && !found.is_certain);
    def.is_signed = false;
    MUST(pliant_body_closest_points(room.world, body, (PliantVertices){points[0], 5, 0}, &def,
                                    &found));
    assert_true(found.is_certain && found.items[0].flags == 0 && found.items[0].distance == 1);
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
    PliantClosestPoints closest = pliant_closest_points_default();
    const float point[3] = {1.5f, .25f, .125f};
    const PliantVertices one = {point, 1, 0};
    PliantStats stats = pliant_stats_default();
    PliantBodyPairs pairs = pliant_body_pairs_default();
    int64_t calls = 0;
    for (int i = 0; i < 3; i++) {
        calls = i < 2 ? 0 : room.host.calls;
        assert_true(fabsf(distance_of(&room, a, b, INFINITY).pair.distance - 1) < .01f);
        MUST(pliant_world_stats(room.world, &stats));
        assert_true(stats.leaves_evaluated > 1 && stats.leaves_evaluated < 100);
        MUST(pliant_body_closest_points(room.world, a, one, NULL, &closest));
        MUST(pliant_world_stats(room.world, &stats));
        assert_true(stats.leaves_evaluated > 0 && stats.leaves_evaluated < 30);
        MUST(pliant_world_closest_points(room.world, one, NULL, &closest));
        MUST(pliant_world_bodies_within(room.world, WITHIN(1.5f), &pairs));
        assert_int_equal(pairs.count, 1);
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

/* Spheres in a row, each 0.25 from the next, with an open one and a soup at the end; and points. */
enum { CROWD = 9, CROWD_POINTS = 300 };

static void add_crowd(Room *room, float points[CROWD_POINTS][3])
{
    SceneRandom random = {3};
    for (int i = 0; i < CROWD; i++) {
        SceneMesh mesh = scene_icosphere(2);
        for (int32_t v = 0; v < mesh.vertex_count; v++)
            mesh.vertices[3 * v] += 2.25f * (float)i;
        mesh.triangle_count -= i == CROWD - 2;
        if (i < CROWD - 1)
            room_add_mesh(room, &mesh);
        else
            room_add_soup(room, &mesh);
        scene_mesh_free(&mesh);
    }
    for (int i = 0; i < CROWD_POINTS; i++)
        for (int k = 0; k < 3; k++)
            points[i][k] = (float)(scene_random(&random) * (k == 0 ? 2.25 * CROWD : 1));
}

/* Bodies within a distance and signs are the same with any number of workers. */
static void test_workers(void **state)
{
    static const char *const ways[] = {"forward:1", "forward:2", "reversed:3", "random:7",
                                       "greedy:2"};
    static float points[CROWD_POINTS][3];
    static PliantClosestPoint first[CROWD_POINTS];
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        Room room;
        TestWorkers workers;
        PliantWorldDef def = pliant_world_def_default();
        PliantClosestDef signs = pliant_closest_def_default();
        PliantClosestPoints closest = pliant_closest_points_default();
        signs.is_signed = true;
        assert_true(test_workers_start(&workers, ways[i]));
        test_host_init(&room.host);
        test_workers_attach(&workers, &room.host.host);
        def.host = &room.host.host;
        MUST(pliant_world_create(&def, &room.world));
        test_workers_divide_everything(room.world);
        add_crowd(&room, points);
        for (int again = 0; again < 3; again++) {
            PliantBodyPairs pairs = pliant_body_pairs_default();
            MUST(pliant_world_bodies_within(room.world, WITHIN(0.3f), &pairs));
            assert_int_equal(pairs.count, CROWD - 1);
            for (int k = 0; k < CROWD - 1; k++) {
                assert_int_equal(pairs.items[k].body_a.index, k + 1);
                assert_int_equal(pairs.items[k].body_b.index, k + 2);
            }
            MUST(pliant_world_bodies_within(room.world, WITHIN(0.2f), &pairs));
            assert_int_equal(pairs.count, 0);
        }
        MUST(pliant_world_closest_points(room.world, (PliantVertices){points[0], CROWD_POINTS, 0},
                                         &signs, &closest));
        for (int k = 0; k < CROWD_POINTS; k++) {
            PliantClosestPoint point = closest.items[k];
            point.body.serial = 0; /* of the world */
            first[k] = i == 0 ? point : first[k];
            assert_memory_equal(&point, &first[k], sizeof point);
        }
        assert_true(room_close(&room));
        test_workers_end(&workers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_arguments),
        cmocka_unit_test(test_bad_points),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_within),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_inside_out),
        cmocka_unit_test(test_nonfinite),
        cmocka_unit_test(test_long_boundary),
        cmocka_unit_test(test_rounded_distances),
        cmocka_unit_test(test_equal_distances),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_many_points),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_lazy),
        cmocka_unit_test(test_scattered_points),
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
