/* containment: inside, outside, touching, crossing; of several parts; of what is not closed. */
#include "refuse.h"
#include "room.h"
#include "solids.h"
#include "test_layers.h"
#include "unheard.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>

static bool contains(Room *room, PliantBody outer, PliantBody inner)
{
    PliantContainment answers[2] = {pliant_containment_default(), pliant_containment_default()};
    answers[1].contains = true; /* whatever it was before */
    for (int i = 0; i < 2; i++)
        MUST(pliant_bodies_contain(room->world, outer, inner, NULL, &answers[i]));
    assert_int_equal(answers[0].contains, answers[1].contains);
    assert_true(answers[0].is_closed && answers[1].is_closed);
    return answers[0].contains;
}

static SceneMesh ball(double radius, double x, double y, double z)
{
    SceneMesh mesh = scene_icosphere(2);
    solid_place(&mesh, radius, (const double[3]){x, y, z});
    return mesh;
}

static void turn_over(SceneMesh *mesh)
{
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t first = mesh->triangles[3 * t];
        mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
        mesh->triangles[3 * t + 1] = first;
    }
}

static void test_boxes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody large = room_add_box(&room, 0, 0, 0, 4, 4, 4);
    const PliantBody inside = room_add_box(&room, 1, 1, 1, 3, 3, 3);
    const PliantBody outside = room_add_box(&room, 5, 1, 1, 6, 2, 2);
    const PliantBody crossing = room_add_box(&room, 3, 1, 1, 5, 2, 2);
    const PliantBody touching = room_add_box(&room, 0, 1, 1, 2, 2, 2);
    const PliantBody corner = room_add_box(&room, 3, 3, 3, 4, 4, 4);
    const PliantBody near = room_add_box(&room, 0x1p-140f, 1, 1, 2, 2, nextafterf(4, 0));
    assert_true(contains(&room, large, inside) && !contains(&room, inside, large));
    assert_false(contains(&room, large, outside) || contains(&room, outside, large));
    assert_false(contains(&room, large, crossing) || contains(&room, crossing, large));
    assert_false(contains(&room, large, touching) || contains(&room, touching, large));
    assert_false(contains(&room, large, corner) || contains(&room, inside, corner));
    assert_true(contains(&room, large, near));
    assert_true(room_close(&room));
}

/* Through two faces, with all vertices outside of the other; and a box around. */
static void test_all_vertices_outside(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody box = room_add_box(&room, 0, 0, 0, 4, 4, 4);
    const PliantBody bar = room_add_box(&room, -1, 1, 1, 5, 2, 2);
    const PliantBody ring = room_add(&room, solid_torus(2, 0.2, 30, 12)); /* crosses, too */
    assert_false(contains(&room, box, bar) || contains(&room, bar, box));
    assert_false(contains(&room, box, ring) || contains(&room, ring, box));
    assert_true(room_close(&room));
}

/* In the hole of a ring, and in the ring. */
static void test_ring(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody ring = room_add(&room, solid_torus(2, 0.5, 40, 20));
    const PliantBody hole = room_add(&room, ball(0.5, 0, 0, 0));
    const PliantBody within = room_add(&room, ball(0.3, 2, 0, 0));
    const PliantBody thin = room_add(&room, solid_torus(2, 0.1, 40, 8));
    assert_false(contains(&room, ring, hole));
    assert_true(contains(&room, ring, within) && contains(&room, ring, thin));
    assert_true(room_close(&room));
}

static void test_parts(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh shells = ball(4, 0, 0, 0), cave = ball(2, 0, 0, 0);
    turn_over(&cave);
    scene_mesh_append(&shells, cave, false);
    const PliantBody hollow = room_add(&room, shells);
    const PliantBody solid = room_add(&room, ball(4, 0, 0, 0));
    const PliantBody in_cave = room_add(&room, ball(0.5, 0, 0, 0));
    const PliantBody in_wall = room_add(&room, ball(0.5, 3, 0, 0));
    assert_true(contains(&room, hollow, in_wall) && !contains(&room, hollow, in_cave));
    assert_true(contains(&room, solid, in_cave) && contains(&room, solid, in_wall));
    assert_false(contains(&room, in_cave, hollow));

    SceneMesh both = ball(0.5, 3, 0, 0), one_out = ball(0.5, 3, 0, 0), split = ball(0.5, 3, 0, 0);
    scene_mesh_append(&both, ball(0.4, -3, 0, 0.1), false);
    scene_mesh_append(&one_out, ball(0.5, 6, 0, 0), false);
    scene_mesh_append(&split, ball(0.5, 0, 0, 0), false);
    const PliantBody both_body = room_add(&room, both), one_out_body = room_add(&room, one_out);
    const PliantBody split_body = room_add(&room, split);
    assert_true(contains(&room, hollow, both_body));
    assert_false(contains(&room, hollow, one_out_body)); /* one part is out */
    assert_false(contains(&room, hollow, split_body));   /* one is in the cave */
    assert_true(contains(&room, solid, split_body));
    assert_true(room_close(&room));
}

/* Shells both the same way round: the surface winds twice around the middle, which is inside. */
static void test_windings(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh shells = ball(4, 0, 0, 0), out = ball(4, 0, 0, 0);
    scene_mesh_append(&shells, ball(2, 0, 0, 0), false);
    turn_over(&out);
    const PliantBody twice = room_add(&room, shells), inside_out = room_add(&room, out);
    const PliantBody small = room_add(&room, ball(0.5, 0, 0, 0));
    assert_true(contains(&room, twice, small) && contains(&room, inside_out, small));
    assert_true(room_close(&room));
}

/* Of which some vertices or triangles do not count. */
static void test_soups(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = ball(1, 0, 0, 0), small = ball(0.4, 0, 0, 0);
    const PliantBody outer = room_add_soup(&room, &mesh), inner = room_add_soup(&room, &small);
    PliantBody nothing, empty;
    MUST(pliant_body_create_soup(room.world, NULL, &nothing));
    MUST(pliant_body_create_soup(room.world, NULL, &empty));
    const uint32_t none[3] = {PLIANT_NO_VERTEX, 0, 0};
    const PliantPrimitives holes = {.struct_size = sizeof(PliantPrimitives),
                                    .vertices = {mesh.vertices, mesh.vertex_count, 0},
                                    .corners = none,
                                    .count = 1};
    MUST(pliant_body_set_primitives(room.world, empty, &holes));
    assert_true(contains(&room, outer, inner) && !contains(&room, inner, outer));
    assert_false(contains(&room, outer, nothing) || contains(&room, nothing, outer));
    assert_false(contains(&room, outer, empty) || contains(&room, empty, outer));
    assert_false(contains(&room, nothing, empty));
    scene_mesh_free(&mesh);
    scene_mesh_free(&small);
    assert_true(room_close(&room));
}

/* A triangle that is not finite counts neither way, nor do those beside it count less for it. */
static void test_not_finite(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody outer = room_add(&room, ball(1, 0, 0, 0));
    for (int from = 0; from < 2; from++) {
        const float at = from ? 5 : 0;
        const float vertices[4][3] = {{at, 0, 0}, {NAN, 0, 0}, {at, 0.1f, 0}, {at, 0.1f, 0.1f}};
        const uint32_t corners[2][3] = {{1, 0, 2}, {0, 2, 3}};
        const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                             .vertices = {vertices[0], 4, 0},
                                             .corners = corners[0],
                                             .count = 2};
        PliantBody inner;
        MUST(pliant_body_create_soup(room.world, NULL, &inner));
        MUST(pliant_body_set_primitives(room.world, inner, &primitives));
        assert_int_equal(contains(&room, outer, inner), from == 0);
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = primitives.vertices;
        def.triangles = (PliantTriangles){corners[0], 2};
        inner = room_add_def(&room, &def);
        assert_int_equal(contains(&room, outer, inner), from == 0);
        def.triangles = (PliantTriangles){corners[0], 1}; /* that alone is nothing */
        assert_false(contains(&room, outer, room_add_def(&room, &def)));
    }
    assert_true(room_close(&room));
}

/* However they move. */
static void test_moved(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody outer = room_add(&room, ball(1, 0, 0, 0));
    const PliantBody inner = room_add(&room, ball(0.4, 0, 0, 0));
    PliantTransform transform = pliant_transform_identity();
    for (int i = -8; i <= 8; i++) {
        transform.rows[1][3] = 0.1f * (float)i;
        MUST(pliant_body_set_transform(room.world, inner, &transform));
        assert_int_equal(contains(&room, outer, inner), i >= -5 && i <= 5);
    }
    assert_true(room_close(&room));
}

/* Filters and loose boxes say nothing about it. */
static void test_filters(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody outer = room_add(&room, ball(1, 0, 0, 0));
    const PliantBody inner = room_add(&room, ball(0.4, 0, 0, 0));
    MUST(pliant_body_set_filter(room.world, inner, 0, 0));
    const PliantBox elsewhere = {{50, 50, 50}, {51, 51, 51}};
    MUST(pliant_body_set_loose_box(room.world, inner, &elsewhere));
    assert_true(contains(&room, outer, inner));
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_bodies_volume(room.world, outer, inner, NULL, &volume), volume);
    assert_true(volume.volume > 0.2);
    assert_true(room_close(&room));
}

/* A tetrahedron from a point that is inside the jar up through its opening. */
static SceneMesh spike(void)
{
    static const float vertices[4][3] = {
        {0, 0, 0.3f}, {0.1f, 0, 2}, {-0.05f, 0.08f, 2}, {-0.05f, -0.08f, 2}};
    static const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    SceneMesh mesh = {.vertex_count = 4, .triangle_count = 4};
    mesh.vertices = scene_allocate(12, sizeof(float));
    mesh.triangles = scene_allocate(12, sizeof(uint32_t));
    memcpy(mesh.vertices, vertices, sizeof vertices);
    memcpy(mesh.triangles, triangles, sizeof triangles);
    return mesh;
}

/* A ball without its top contains what is below its opening, and not what sticks out of it. */
static void test_open(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh jar = ball(1, 0, 0, 0);
    for (int32_t t = 0; t < jar.triangle_count; t++) {
        uint32_t *corners = jar.triangles + (size_t)3 * (size_t)t;
        if (jar.vertices[3 * corners[0] + 2] > 0.7f)
            corners[0] = corners[1] = corners[2];
    }
    SceneMesh bottom = ball(0.2, 0, 0, -0.5);
    scene_mesh_append(&bottom, ball(0.1, 0, 0, 0.9), false);
    const PliantBody outer = room_add(&room, jar);
    const PliantBody within = room_add(&room, ball(0.3, 0.1, 0.2, 0.05));
    const PliantBody through = room_add(&room, ball(0.3, 0, 0, 0.7));
    const PliantBody above = room_add(&room, ball(0.3, 0, 0, 1.5));
    const PliantBody both = room_add(&room, bottom), pointed = room_add(&room, spike());
    PliantContainment answer = pliant_containment_default();
    MUST(pliant_bodies_contain(room.world, outer, within, NULL, &answer));
    assert_true(answer.contains && !answer.is_closed);
    const PliantBody others[4] = {through, above, both, pointed};
    for (int i = 0; i < 4; i++) {
        MUST(pliant_bodies_contain(room.world, outer, others[i], NULL, &answer));
        assert_true(!answer.contains && !answer.is_closed);
    }
    MUST(pliant_bodies_contain(room.world, within, outer, NULL, &answer));
    assert_true(!answer.contains && answer.is_closed);
    assert_true(room_close(&room));
}

static void test_mistakes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add(&room, ball(1, 0, 0, 0)), b = room_add(&room, ball(2, 0, 0, 0));
    PliantContainment answer = pliant_containment_default();
    answer.contains = true;
    REFUSE(room.host, pliant_bodies_contain(room.world, a, b, NULL, NULL), PLIANT_BAD_ARGUMENT,
           "containment is NULL");
    REFUSE(room.host, pliant_bodies_contain(room.world, (PliantBody){0}, b, NULL, &answer),
           PLIANT_BAD_ID, "outer is {");
    REFUSE(room.host, pliant_bodies_contain(room.world, a, (PliantBody){0}, NULL, &answer),
           PLIANT_BAD_ID, "inner is {");
    REFUSE(room.host, pliant_bodies_contain(room.world, a, a, NULL, &answer), PLIANT_BAD_ARGUMENT,
           "outer and inner are one body");
    const PliantContainDef short_def = {.struct_size = 8};
    REFUSE(room.host, pliant_bodies_contain(room.world, b, a, &short_def, &answer), PLIANT_BAD_DEF,
           "def.struct_size is 8");
    REFUSE_UNHEARD(pliant_bodies_contain(NULL, a, b, NULL, &answer), PLIANT_BAD_ARGUMENT);
    assert_true(answer.contains && !answer.is_closed);
    answer.struct_size = 8;
    REFUSE(room.host, pliant_bodies_contain(room.world, b, a, NULL, &answer), PLIANT_BAD_DEF,
           "containment.struct_size is 8");
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),      cmocka_unit_test(test_all_vertices_outside),
        cmocka_unit_test(test_ring),       cmocka_unit_test(test_parts),
        cmocka_unit_test(test_windings),   cmocka_unit_test(test_soups),
        cmocka_unit_test(test_not_finite), cmocka_unit_test(test_moved),
        cmocka_unit_test(test_filters),    cmocka_unit_test(test_open),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
