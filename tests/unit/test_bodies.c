/* What bodies are: handles and worlds, infos, boxes, iteration, the rest pose, buffers. */
#include "ball.h"
#include "calls.h"
#include "refuse.h"
#include "room.h"
#include "unit.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* ---- Handles -----------------------------------------------------------------------------------
 */

/* A handle of one world names no body of another, though the index is right. */
static void test_handles_of_another_world(void **state)
{
    (void)state;
    Room rooms[2];
    PliantBody bodies[2];
    for (int i = 0; i < 2; i++) {
        room_open(&rooms[i]);
        bodies[i] = room_add(&rooms[i], scene_icosphere(0));
    }
    assert_int_equal(sizeof(PliantBody), 8);
    assert_int_equal(bodies[0].index, bodies[1].index);
    assert_true(bodies[0].serial != 0 && bodies[1].serial != 0);
    for (int i = 0; i < 2; i++) {
        assert_true(pliant_body_is_alive(rooms[i].world, bodies[i]));
        assert_false(pliant_body_is_alive(rooms[i].world, bodies[1 - i]));
        REFUSE(rooms[i].host, pliant_body_destroy(rooms[i].world, bodies[1 - i]), PLIANT_BAD_ID,
               "body is {index 1, ");
    }
    assert_true(room_close(&rooms[0]) && room_close(&rooms[1]));
}

/* However many worlds and bodies come and go, a handle names the one body that it was given for. */
static void test_handles_of_many_worlds(void **state)
{
    enum { WORLDS = 140000 };
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody body = room_add(&room, scene_icosphere(0));
    PliantBodyInfo info = pliant_body_info_default();
    PliantBody last = body;
    MUST(pliant_body_info(room.world, body, &info));
    for (int i = 0; i < WORLDS; i++) {
        PliantWorld *world;
        PliantBody other;
        MUST(pliant_world_create(NULL, &world));
        MUST(pliant_body_create(world, info.shape, &other));
        assert_true(other.index == body.index && other.serial != 0);
        assert_false(pliant_body_is_alive(world, body) || pliant_body_is_alive(world, last));
        assert_false(pliant_body_is_alive(room.world, other));
        pliant_world_destroy(world);
        last = other;
    }
    assert_true(room_close(&room));
}

static void test_iteration(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody none = {0};
    assert_int_equal(pliant_world_body_count(NULL), 0);
    assert_int_equal(pliant_world_next_body(NULL, none).index, 0);
    assert_int_equal(pliant_world_next_body(room.world, none).index, 0);
    PliantBody bodies[5];
    for (int i = 0; i < 5; i++)
        bodies[i] = room_add(&room, scene_icosphere(0));
    MUST(pliant_body_destroy(room.world, bodies[0]));
    MUST(pliant_body_destroy(room.world, bodies[3]));
    assert_int_equal(pliant_world_body_count(room.world), 3);
    const int wanted[] = {1, 2, 4};
    int count = 0;
    for (PliantBody body = pliant_world_next_body(room.world, none); body.index != 0;
         body = pliant_world_next_body(room.world, body)) {
        assert_memory_equal(&body, &bodies[wanted[count]], sizeof body);
        assert_true(count < 3);
        count++;
    }
    assert_int_equal(count, 3);

    /* From a body that was destroyed, it goes on. */
    assert_int_equal(pliant_world_next_body(room.world, bodies[3]).index, 5);

    /* All are destroyed on the way. */
    for (PliantBody body = none; (body = pliant_world_next_body(room.world, body)).index != 0;)
        MUST(pliant_body_destroy(room.world, body));
    assert_int_equal(pliant_world_body_count(room.world), 0);
    assert_true(room_close(&room));
}

/* ---- Infos -------------------------------------------------------------------------------------
 */

static void test_info_of_a_mesh(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(1);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    PliantShape *shape;
    MUST(pliant_shape_create(&def, &shape));
    PliantBody body;
    MUST(pliant_body_create(room.world, shape, &body));
    PliantBodyInfo info = pliant_body_info_default();
    MUST(pliant_body_info(room.world, body, &info));
    const PliantTransform identity = pliant_transform_identity();
    assert_int_equal(info.struct_size, sizeof info);
    assert_int_equal(info.kind, PLIANT_BODY_MESH);
    assert_ptr_equal(info.shape, shape);
    assert_int_equal(info.user_data, 0);
    assert_memory_equal(&info.transform, &identity, sizeof identity);
    assert_int_equal(info.vertex_count, mesh.vertex_count);
    assert_int_equal(info.triangle_count, mesh.triangle_count);
    assert_int_equal(info.categories, UINT32_MAX);
    assert_int_equal(info.collides_with, UINT32_MAX);
    assert_true(info.has_self);

    const PliantTransform moved = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
    MUST(pliant_body_set_transform(room.world, body, &moved));
    MUST(pliant_body_set_filter(room.world, body, 3, 5));
    MUST(pliant_body_set_self(room.world, body, false));
    MUST(pliant_body_set_update_kind(room.world, body, PLIANT_UPDATE_TOP_DOWN));
    MUST(pliant_body_set_user_data(room.world, body, UINT64_C(0x123456789abcdef0)));
    MUST(pliant_body_info(room.world, body, &info));
    assert_memory_equal(&info.transform, &moved, sizeof moved);
    assert_int_equal(info.categories, 3);
    assert_int_equal(info.collides_with, 5);
    assert_false(info.has_self);
    assert_int_equal(info.user_data, UINT64_C(0x123456789abcdef0));

    /* A later body with the same index has none of it. */
    MUST(pliant_body_destroy(room.world, body));
    REFUSE(room.host, pliant_body_info(room.world, body, &info), PLIANT_BAD_ID,
           "body is {index 1, ");
    MUST(pliant_body_create(room.world, shape, &body));
    MUST(pliant_body_info(room.world, body, &info));
    assert_int_equal(info.user_data, 0);
    assert_int_equal(info.categories, UINT32_MAX);
    assert_true(info.has_self);

    REFUSE(room.host, pliant_body_info(room.world, body, NULL), PLIANT_BAD_ARGUMENT,
           "info is NULL");
    info.struct_size = 8;
    REFUSE(room.host, pliant_body_info(room.world, body, &info), PLIANT_BAD_DEF,
           "info.struct_size is 8");
    REFUSE(room.host, pliant_body_set_user_data(room.world, (PliantBody){0}, 1), PLIANT_BAD_ID,
           "body is {index 0, serial 0}");
    pliant_shape_release(shape);
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

static void test_info_of_a_soup(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(1);
    const PliantBody body = room_add_soup(&room, &mesh);
    PliantBodyInfo info = pliant_body_info_default();
    MUST(pliant_body_info(room.world, body, &info));
    assert_int_equal(info.kind, PLIANT_BODY_SOUP);
    assert_null(info.shape);
    assert_int_equal(info.vertex_count, mesh.vertex_count);
    assert_int_equal(info.triangle_count, mesh.triangle_count);
    const PliantPrimitives few = {
        .struct_size = sizeof few, .vertices = {mesh.vertices, 6, 0}, .count = 2};
    MUST(pliant_body_set_primitives(room.world, body, &few));
    MUST(pliant_body_info(room.world, body, &info));
    assert_int_equal(info.vertex_count, 6);
    assert_int_equal(info.triangle_count, 2);
    REFUSE(room.host, pliant_body_reset_pose(room.world, body), PLIANT_BAD_ARGUMENT,
           "the body is a soup");
    PliantBody empty;
    MUST(pliant_body_create_soup(room.world, NULL, &empty));
    MUST(pliant_body_info(room.world, empty, &info));
    assert_int_equal(info.vertex_count, 0);
    assert_int_equal(info.triangle_count, 0);
    MUST(pliant_body_vertices(room.world, empty, NULL, 0));
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

/* ---- Boxes -------------------------------------------------------------------------------------
 */

static void assert_box(Room *room, PliantBody body, float x0, float x1, float slack)
{
    PliantBox box;
    MUST(pliant_body_box(room->world, body, &box));
    assert_true(box.low[0] <= x0 && box.low[0] >= x0 - slack);
    assert_true(box.high[0] >= x1 && box.high[0] <= x1 + slack);
}

static void test_boxes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody body = room_add_box(&room, -1, -2, -3, 4, 5, 6);
    assert_box(&room, body, -1, 4, 0);
    PliantTransform moved = pliant_transform_identity();
    moved.rows[0][3] = 10;
    MUST(pliant_body_set_transform(room.world, body, &moved));
    assert_box(&room, body, 9, 14, 0);
    const PliantBox loose = {{0, 0, 0}, {1, 1, 1}}; /* does not count here */
    MUST(pliant_body_set_loose_box(room.world, body, &loose));
    assert_box(&room, body, 9, 14, 0);

    /* Vertices that are borrowed are read each time. */
    PliantBodyInfo info = pliant_body_info_default();
    MUST(pliant_body_info(room.world, body, &info));
    float *vertices = calloc((size_t)info.vertex_count, 3 * sizeof *vertices);
    const PliantVertices borrowed = {vertices, info.vertex_count, 0};
    MUST(pliant_body_borrow_vertices(room.world, body, borrowed));
    assert_box(&room, body, 10, 10, 0);
    vertices[0] = -7;
    assert_box(&room, body, 3, 10, 0);

    /* Without finite triangles there is no box. */
    for (int32_t i = 0; i < 3 * info.vertex_count; i++)
        vertices[i] = NAN;
    PliantBody nothing;
    MUST(pliant_body_create_soup(room.world, NULL, &nothing));
    const PliantBody both[2] = {body, nothing};
    for (int i = 0; i < 2; i++) {
        PliantBox box;
        MUST(pliant_body_box(room.world, both[i], &box));
        for (int k = 0; k < 3; k++)
            assert_true(box.low[k] == INFINITY && box.high[k] == -INFINITY);
    }
    REFUSE(room.host, pliant_body_box(room.world, body, NULL), PLIANT_BAD_ARGUMENT, "box is NULL");
    PliantBox kept = {{1, 2, 3}, {4, 5, 6}}, box = kept;
    REFUSE(room.host, pliant_body_box(room.world, (PliantBody){0}, &box), PLIANT_BAD_ID, "body is");
    assert_memory_equal(&box, &kept, sizeof kept);
    free(vertices);
    assert_true(room_close(&room));
}

/* ---- The rest pose -----------------------------------------------------------------------------
 */

typedef struct Answer {
    float vertices[BALL_VERTICES][3];
    int64_t count;
    uint64_t hash;
} Answer;

/* All vertices, contacts with another body, and self-intersections. */
static Answer answer_of(Room *room, PliantBody body, PliantBody other)
{
    Answer answer = {.hash = 1};
    MUST(pliant_body_vertices(room->world, body, answer.vertices[0], BALL_VERTICES));
    for (int self = 0; self < 2; self++) {
        PliantContacts contacts = pliant_contacts_default();
        MUST(self ? pliant_bodies_collide(room->world, body, body, NULL, &contacts)
                  : pliant_bodies_collide(room->world, body, other, NULL, &contacts));
        answer.count += contacts.count;
        for (int64_t i = 0; i < contacts.count; i++)
            answer.hash = 31 * answer.hash + 7 * (uint64_t)contacts.items[i].triangle_a +
                          (uint64_t)contacts.items[i].triangle_b;
    }
    return answer;
}

static void assert_rests(Room *room, PliantBody body, PliantBody other, const Answer *rest)
{
    MUST(pliant_body_reset_pose(room->world, body));
    const Answer now = answer_of(room, body, other);
    assert_memory_equal(now.vertices, rest->vertices, sizeof now.vertices);
    assert_int_equal(now.count, rest->count);
    assert_true(now.hash == rest->hash);
}

static void test_rest_pose(void **state)
{
    (void)state;
    static Ball ball;
    ball_init(&ball);
    for (int variant = 0; variant < 8; variant++) {
        Room room;
        room_open(&room);
        PliantShapeDef def = ball_def(&ball, (PliantMorphKind)(variant % 2), NULL);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        def.skin = &ball.skin;
        experiments.bound_kind = (PliantBoundKind)(variant / 2);
        const PliantBody body = room_add_def(&room, &def), other = room_add_def(&room, &def);
        PliantTransform moved = pliant_transform_identity(), joints[BALL_JOINTS];
        moved.rows[2][3] = 0.75f;
        MUST(pliant_body_set_transform(room.world, body, &moved));
        const Answer rest = answer_of(&room, body, other);
        assert_true(rest.count > 0);

        /* From any pose, with what had been set before in any order. */
        const float weights[BALL_TARGETS] = {0.5f, 1.25f, -1};
        MUST(pliant_body_set_weights(room.world, body, weights, BALL_TARGETS));
        const Answer morphed = answer_of(&room, body, other);
        assert_memory_not_equal(morphed.vertices, rest.vertices, sizeof rest.vertices);
        assert_rests(&room, body, other, &rest);
        ball_bend(1, joints);
        MUST(pliant_body_set_joints(room.world, body, joints, BALL_JOINTS));
        (void)answer_of(&room, body, other);
        assert_rests(&room, body, other, &rest);
        MUST(pliant_body_set_joints(room.world, body, joints, BALL_JOINTS));
        MUST(pliant_body_set_weights(room.world, body, weights, BALL_TARGETS));
        (void)answer_of(&room, body, other);
        assert_rests(&room, body, other, &rest);
        PliantVertices supplied = {ball.positions[2][0], BALL_VERTICES, 0};
        MUST(pliant_body_borrow_vertices(room.world, body, supplied));
        (void)answer_of(&room, body, other);
        assert_rests(&room, body, other, &rest);
        MUST(pliant_body_set_vertices(room.world, body, supplied));
        assert_rests(&room, body, other, &rest);
        assert_rests(&room, body, other, &rest); /* and twice */

        /* And back to what it was. */
        MUST(pliant_body_set_weights(room.world, body, weights, BALL_TARGETS));
        const Answer again = answer_of(&room, body, other);
        assert_memory_equal(again.vertices, morphed.vertices, sizeof again.vertices);
        assert_true(again.hash == morphed.hash);
        assert_true(room_close(&room));
    }
    ball_free(&ball);
}

/* ---- Buffers -----------------------------------------------------------------------------------
 */

static void test_capacities(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(0);
    const PliantBody body = room_add_mesh(&room, &mesh);
    float vertices[13][3], corners[3][9];
    vertices[12][0] = corners[2][0] = 77;
    REFUSE(room.host, pliant_body_vertices(room.world, body, vertices[0], 11), PLIANT_BAD_ARGUMENT,
           "capacity is 11, the body has 12 vertices");
    REFUSE(room.host, pliant_body_vertices(room.world, body, vertices[0], -1), PLIANT_BAD_ARGUMENT,
           "capacity is -1");
    REFUSE(room.host, pliant_body_vertices(room.world, body, NULL, 12), PLIANT_BAD_ARGUMENT,
           "vertices is NULL");
    MUST(pliant_body_vertices(room.world, body, vertices[0], 12));
    assert_memory_equal(vertices, mesh.vertices, 12 * sizeof *vertices);
    assert_true(vertices[12][0] == 77);
    MUST(pliant_body_vertices(room.world, body, vertices[0], INT64_MAX));

    const int32_t triangles[] = {3, 0};
    REFUSE(room.host, pliant_body_corners(room.world, body, triangles, 2, corners[0], 1),
           PLIANT_BAD_ARGUMENT, "capacity is 1, count is 2");
    MUST(pliant_body_corners(room.world, body, triangles, 2, corners[0], 2));
    assert_memory_equal(corners[1], mesh.vertices + 3 * (size_t)mesh.triangles[0], 12);
    assert_true(corners[2][0] == 77);
    MUST(pliant_body_corners(room.world, body, NULL, 0, NULL, 0));

    int64_t count = -1;
    MUST(pliant_body_nonfinite_count(room.world, body, &count));
    assert_int_equal(count, 0);
    REFUSE(room.host, pliant_body_nonfinite_count(room.world, body, NULL), PLIANT_BAD_ARGUMENT,
           "count is NULL");
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

/* ---- Statistics --------------------------------------------------------------------------------
 */

/* The bytes of a world are known without visiting its bodies: they are as many as its host has
 * given out, at any time, and failed allocations count nothing. */
static void test_bytes_are_counted(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(3);
    PliantStats stats = pliant_stats_default();
    for (int i = 0; i < 40; i++) {
        MUST(pliant_world_stats(room.world, &stats));
        assert_int_equal(stats.byte_size, room.host.bytes);
        if (i % 3 == 2)
            MUST(pliant_body_destroy(room.world,
                                     pliant_world_next_body(room.world, (PliantBody){0})));
        else if (i % 2)
            room_add_soup(&room, &mesh);
        else
            room_add_mesh(&room, &mesh);
        PliantContacts contacts = pliant_contacts_default();
        room.host.fail_at = i % 4 == 3 ? room.host.calls + 1 : 0;
        const PliantResult result = pliant_world_collide(room.world, NULL, &contacts);
        room.host.fail_at = 0;
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
    }
    stats.struct_size = 24;
    REFUSE(room.host, pliant_world_stats(room.world, &stats), PLIANT_BAD_DEF,
           "stats.struct_size is 24");
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_handles_of_another_world),
        cmocka_unit_test(test_handles_of_many_worlds),
        cmocka_unit_test(test_iteration),
        cmocka_unit_test(test_info_of_a_mesh),
        cmocka_unit_test(test_info_of_a_soup),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_rest_pose),
        cmocka_unit_test(test_capacities),
        cmocka_unit_test(test_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
