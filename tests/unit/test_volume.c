/* volumes: views, volumes of all kinds of bodies, bodies that are not closed, memory. How good
 * volumes and estimates are is in tests/property/test_volumes.c. */
#include "ball.h"
#include "calls.h"
#include "refuse.h"
#include "room.h"
#include "solids.h"
#include "test_layers.h"
#include "unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

static PliantVolumeDef along(PliantAxes axes, int32_t resolution)
{
    PliantVolumeDef def = pliant_volume_def_default();
    def.axes = axes;
    def.resolution = resolution;
    return def;
}

static void assert_same_bits(double x, double y)
{
    uint64_t bits[2];
    memcpy(&bits[0], &x, sizeof x);
    memcpy(&bits[1], &y, sizeof y);
    if (bits[0] != bits[1])
        fail_msg("%.17g is not %.17g", x, y);
}

/* Of the same spans in the same view. */
static void assert_same_spans(const PliantVolume *x, const PliantVolume *y)
{
    assert_same_bits(x->volume, y->volume);
    for (int k = 0; k < 3; k++)
        assert_same_bits(x->centroid[k], y->centroid[k]);
    assert_memory_equal(&x->box, &y->box, sizeof x->box);
    assert_memory_equal(&x->view, &y->view, sizeof x->view);
    assert_int_equal(x->bad_pixel_count, y->bad_pixel_count);
}

/* And of the same walls: those of two bodies are not those of one. */
static void assert_same_volume(const PliantVolume *x, const PliantVolume *y)
{
    assert_same_spans(x, y);
    assert_same_bits(x->error, y->error);
}

/* ---- Views -------------------------------------------------------------------------------------
 */

static void test_views(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 1, 2, 3),
                     b = room_add_box(&room, 0.5f, 1, 2.5f, 4, 4, 4);
    const PliantBody c = room_add_box(&room, 1.5f, 0, 0, 2, 1, 1);
    PliantView view;
    MUST(pliant_body_view(room.world, a, 64, &view));
    const PliantView of_a = {{{0, 0, 0}, {1, 2, 3}}, PLIANT_AXIS_X, 64, 64};
    assert_memory_equal(&view, &of_a, sizeof view);
    MUST(pliant_body_view(room.world, b, 5, &view));
    assert_true(view.axis == PLIANT_AXIS_Z && view.width == 5 && view.height == 5);
    MUST(pliant_bodies_view(room.world, a, b, 1, &view));
    PliantView of_both = {{{0.5f, 1, 2.5f}, {1, 2, 3}}, PLIANT_AXIS_X, 1, 1};
    of_both.axis = view.axis; /* x and z are as short */
    assert_true(view.axis == PLIANT_AXIS_X || view.axis == PLIANT_AXIS_Z);
    assert_memory_equal(&view, &of_both, sizeof view);
    MUST(pliant_bodies_view(room.world, b, a, 1, &view));
    assert_memory_equal(&view, &of_both, sizeof view);
    MUST(pliant_bodies_view(room.world, a, a, 64, &view));
    assert_memory_equal(&view, &of_a, sizeof view);

    MUST(pliant_bodies_view(room.world, a, c, 16, &view)); /* apart */
    assert_true(view.width == 0 && view.height == 0);
    PliantBody nothing;
    MUST(pliant_body_create_soup(room.world, NULL, &nothing));
    MUST(pliant_body_view(room.world, nothing, 16, &view));
    assert_true(view.width == 0 && view.height == 0);
    MUST(pliant_bodies_view(room.world, nothing, a, 16, &view));
    assert_true(view.width == 0 && view.height == 0);
    assert_true(room_close(&room));
}

/* A view of nothing can be used like any other. */
static void test_nothing(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 1, 1, 1),
                     b = room_add_box(&room, 2, 0, 0, 3, 1, 1);
    PliantBody nothing;
    MUST(pliant_body_create_soup(room.world, NULL, &nothing));
    for (int axes = PLIANT_AXES_SHORTEST; axes <= PLIANT_AXES_ALL; axes++) {
        PliantVolumeDef def = along((PliantAxes)axes, 16);
        def.relative_error = axes % 2 ? 0.01 : 0;
        PliantVolume volume = pliant_volume_default();
        for (int i = 0; i < 3; i++) {
            memset(&volume, 0xee, sizeof volume);
            volume.struct_size = sizeof volume;
            if (i == 0)
                MUST_CLOSED(pliant_bodies_volume(room.world, a, b, &def, &volume), volume);
            else if (i == 1)
                MUST_CLOSED(pliant_body_volume(room.world, nothing, &def, &volume), volume);
            else
                MUST_CLOSED(pliant_bodies_volume(room.world, nothing, a, &def, &volume), volume);
            assert_true(volume.volume == 0 && volume.error == 0 && volume.bad_pixel_count == 0);
            assert_true(volume.centroid[0] == 0 && volume.centroid[2] == 0);
            assert_true(volume.box.low[0] > volume.box.high[0]);
            assert_true(volume.is_reached);
        }
    }
    assert_true(room_close(&room));
}

/* ---- Volumes that are known --------------------------------------------------------------------
 */

static void test_cube(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody cube = room_add_box(&room, 0, 0, 0, 1, 1, 1);
    for (int axes = PLIANT_AXES_SHORTEST; axes <= PLIANT_AXES_ALL; axes++)
        for (int32_t resolution = 1; resolution <= 256; resolution *= 4) {
            const PliantVolumeDef def = along((PliantAxes)axes, resolution);
            PliantVolume volume = pliant_volume_default();
            MUST_CLOSED(pliant_body_volume(room.world, cube, &def, &volume), volume);
            assert_true(volume.volume == 1);
            assert_true(volume.error >= 0 && isfinite(volume.error));
            for (int k = 0; k < 3; k++) {
                assert_true(volume.centroid[k] == 0.5);
                assert_true(volume.box.low[k] == 0 && volume.box.high[k] == 1);
            }
            assert_int_equal(volume.bad_pixel_count, 0);
            assert_int_equal(volume.view.width, resolution);
            assert_true(volume.is_reached);
        }
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_body_volume(room.world, cube, NULL, &volume), volume);
    assert_true(volume.volume == 1 && volume.view.width == 128 && volume.view.height == 128);
    assert_true(room_close(&room));
}

static void test_boxes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add_box(&room, 0, 0, 0, 1, 2, 3);
    const PliantBody b = room_add_box(&room, 0.5f, 1.25f, -1, 4, 4, 2.5f);
    for (int axes = PLIANT_AXES_SHORTEST; axes <= PLIANT_AXES_ALL; axes++) {
        const PliantVolumeDef def = along((PliantAxes)axes, 32);
        PliantVolume volume = pliant_volume_default();
        MUST_CLOSED(pliant_bodies_volume(room.world, a, b, &def, &volume), volume);
        assert_true(volume.volume == 0.5 * 0.75 * 2.5);
        assert_true(volume.centroid[0] == 0.75 && volume.centroid[1] == 1.625);
        assert_true(volume.centroid[2] == 1.25);
        assert_true(volume.box.low[1] == 1.25f && volume.box.high[1] == 2);
    }
    assert_true(room_close(&room));
}

/* Two spheres in one mesh, which reach into each other: counted once where they do. */
static void test_overlapping_self(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh first = scene_icosphere(3), second = scene_icosphere(3), both = scene_icosphere(3);
    solid_place(&second, 0.8, (const double[3]){0.9, 0.3, 0.2});
    const double truth =
        solid_volume(&first) + solid_volume(&second) - solid_common_volume(&first, &second);
    scene_mesh_free(&first);
    scene_mesh_append(&both, second, false);
    const PliantBody body = room_add(&room, both);
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_body_volume(room.world, body, NULL, &volume), volume);
    assert_true(fabs(volume.volume - truth) <= volume.error && volume.error < 0.1);
    assert_true(room_close(&room));
}

static void turn_over(SceneMesh *mesh)
{
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t first = mesh->triangles[3 * t];
        mesh->triangles[3 * t] = mesh->triangles[3 * t + 1];
        mesh->triangles[3 * t + 1] = first;
    }
}

static void test_inside_out(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = solid_torus(1, 0.4, 40, 20);
    const PliantBody body = room_add_mesh(&room, &mesh);
    turn_over(&mesh);
    const PliantBody other = room_add(&room, mesh);
    PliantVolume volume = pliant_volume_default(), out = pliant_volume_default(),
                 common = pliant_volume_default();
    MUST_CLOSED(pliant_body_volume(room.world, body, NULL, &volume), volume);
    MUST_CLOSED(pliant_body_volume(room.world, other, NULL, &out), out);
    MUST_CLOSED(pliant_bodies_volume(room.world, body, other, NULL, &common), common);
    assert_true(fabs(volume.volume - out.volume) < 1e-6);
    assert_true(fabs(volume.volume - common.volume) < 1e-6);
    assert_true(room_close(&room));
}

/* Bodies without an inside: of one plane, along the axes or not, of one line, of one point. */
static void test_flat_bodies(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody body = room_add(&room, scene_icosphere(2)),
                     other = room_add(&room, scene_icosphere(2));
    for (int how = 0; how < 6; how++)
        for (int axes = PLIANT_AXES_SHORTEST; axes <= PLIANT_AXES_ALL; axes++) {
            const PliantVolumeDef def = along((PliantAxes)axes, 20);
            PliantTransform flat = pliant_transform_identity();
            for (int i = 0; i < 4; i++)
                for (int k = 0; k < 3; k++)
                    flat.rows[k][i] = how == 5 || how == k || (how == 4 && k != 1) ? 0
                                      : how == 3 && k == 2 ? flat.rows[0][i] + flat.rows[1][i]
                                                           : flat.rows[k][i];
            PliantVolume volume = pliant_volume_default();
            MUST(pliant_body_set_transform(room.world, body, &flat));
            MUST_CLOSED(pliant_body_volume(room.world, body, &def, &volume), volume);
            assert_true(fabs(volume.volume) < 1e-5 && volume.bad_pixel_count == 0);
            MUST_CLOSED(pliant_bodies_volume(room.world, other, body, &def, &volume), volume);
            assert_true(fabs(volume.volume) < 1e-5 && volume.bad_pixel_count == 0);
            assert_true(volume.error >= 0 && volume.error < 4);
        }
    assert_true(room_close(&room));
}

/* ---- Bodies of all kinds -----------------------------------------------------------------------
 */

enum { KINDS = 7 };

/* A ball: at rest, moved, given, morphed, blended, skinned, divided. */
static PliantBody add_ball(Room *room, const Ball *ball, int kind)
{
    const PliantTransform moved = {
        {{0.9f, 0.3f, -0.1f, 0.1f}, {-0.2f, 1.1f, 0.2f, 0}, {0.1f, 0, 0.8f, -0.2f}}};
    const float weights[BALL_TARGETS] = {0.5f, 0.25f, 0.75f},
                shares[BALL_TARGETS] = {0.5f, 0, 0.5f};
    PliantTransform joints[BALL_JOINTS];
    PliantShapeDef def = kind == 3   ? ball_def(ball, PLIANT_MORPH_DISPLACEMENTS, NULL)
                         : kind == 4 ? ball_def(ball, PLIANT_MORPH_REFERENCES, NULL)
                                     : ball_skin_def(ball, NULL);
    if (kind != 5)
        def.skin = NULL;
    if (kind == 6) {
        def.divide_kind = PLIANT_DIVIDE_QUARTERS;
        def.divide_size = 0.1f;
    }
    const PliantBody body = room_add_def(room, &def);
    if (kind == 1 || kind == 5)
        MUST(pliant_body_set_transform(room->world, body, &moved));
    if (kind == 2)
        MUST(pliant_body_set_vertices(room->world, body,
                                      (PliantVertices){ball->positions[2][0], BALL_VERTICES, 0}));
    if (kind == 3 || kind == 4)
        MUST(
            pliant_body_set_weights(room->world, body, kind == 3 ? weights : shares, BALL_TARGETS));
    ball_bend(1, joints);
    if (kind == 5)
        MUST(pliant_body_set_joints(room->world, body, joints, BALL_JOINTS));
    return body;
}

/* The same triangles as a soup, in turn or by corners. */
static PliantBody add_copy(Room *room, const Ball *ball, PliantBody body, bool is_loose)
{
    static float vertices[BALL_VERTICES][3];
    PliantBody soup;
    MUST(test_body_vertices(room->world, body, vertices[0]));
    MUST(pliant_body_create_soup(room->world, NULL, &soup));
    float *corners = scene_allocate(9 * (size_t)ball->mesh.triangle_count, sizeof *corners);
    scene_corners(&ball->mesh, vertices[0], corners);
    const PliantPrimitives loose = {.struct_size = sizeof(PliantPrimitives),
                                    .vertices = {corners, 3 * ball->mesh.triangle_count, 0},
                                    .corners = NULL,
                                    .count = ball->mesh.triangle_count};
    const PliantPrimitives indexed = {.struct_size = sizeof(PliantPrimitives),
                                      .vertices = {vertices[0], BALL_VERTICES, 0},
                                      .corners = ball->mesh.triangles,
                                      .count = ball->mesh.triangle_count};
    MUST(pliant_body_set_primitives(room->world, soup, is_loose ? &loose : &indexed));
    free(corners);
    return soup;
}

static PliantVolume volume_of(Room *room, PliantBody body, const PliantVolumeDef *def)
{
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_body_volume(room->world, body, def, &volume), volume);
    return volume;
}

static PliantVolume common_of(Room *room, PliantBody a, PliantBody b, const PliantVolumeDef *def)
{
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_bodies_volume(room->world, a, b, def, &volume), volume);
    return volume;
}

/* Of a body and of soups of the same triangles, in one view: the same spans, so the same bits. */
static void check_copies(Room *room, const Ball *ball, PliantBody body, const PliantView *view)
{
    PliantLayers *layers = room_layers(room);
    PliantVolume volumes[4];
    for (int i = 0; i < 4; i++)
        volumes[i] = pliant_volume_default();
    MUST_CLOSED(pliant_layers_capture(layers, room->world, body, view, NULL),
                test_layers_info(layers));
    MUST_CLOSED(pliant_layers_volume(layers, &volumes[0]), volumes[0]);
    for (int how = 0; how < 2; how++) {
        const PliantBody copy = add_copy(room, ball, body, how);
        MUST_CLOSED(pliant_layers_capture(layers, room->world, copy, view, NULL),
                    test_layers_info(layers));
        MUST_CLOSED(pliant_layers_volume(layers, &volumes[1]), volumes[1]);
        MUST_CLOSED(pliant_layers_capture_common(layers, room->world, copy, body, view, NULL),
                    test_layers_info(layers));
        MUST_CLOSED(pliant_layers_volume(layers, &volumes[2]), volumes[2]);
        MUST_CLOSED(pliant_layers_capture_common(layers, room->world, body, copy, view, NULL),
                    test_layers_info(layers));
        MUST_CLOSED(pliant_layers_volume(layers, &volumes[3]), volumes[3]);
        for (int i = 1; i < 4; i++)
            assert_same_spans(&volumes[i], &volumes[0]);
        MUST(pliant_body_destroy(room->world, copy));
    }
    pliant_layers_destroy(layers);
}

static void test_all_kinds(void **state)
{
    (void)state;
    static Ball ball;
    Room room;
    room_open(&room);
    ball_init(&ball);
    PliantBody bodies[KINDS], twins[KINDS];
    for (int i = 0; i < KINDS; i++) {
        bodies[i] = add_ball(&room, &ball, i);
        twins[i] = add_ball(&room, &ball, i);
    }
    for (int axes = PLIANT_AXES_SHORTEST; axes <= PLIANT_AXES_ALL; axes++) {
        const PliantVolumeDef def = along((PliantAxes)axes, 40 + 7 * axes);
        for (int i = 0; i < KINDS; i++) {
            const PliantVolume own = volume_of(&room, bodies[i], &def);
            assert_true(own.volume > 3 && own.volume < 7);
            const PliantVolume same = common_of(&room, bodies[i], bodies[i], &def);
            assert_same_volume(&same, &own);
            const PliantVolume twin = common_of(&room, bodies[i], twins[i], &def);
            if (axes != PLIANT_AXES_ALL) /* there are more walls, and another axis may be best */
                assert_same_spans(&twin, &own);
            check_copies(&room, &ball, bodies[i], &own.view);
            for (int j = 0; j < i; j++) {
                const PliantVolume x = common_of(&room, bodies[i], bodies[j], &def);
                const PliantVolume y = common_of(&room, bodies[j], bodies[i], &def);
                assert_same_volume(&x, &y);
                assert_true(x.volume > 2 && x.volume <= own.volume + own.error + x.error);
            }
        }
    }
    ball_free(&ball);
    assert_true(room_close(&room));
}

/* Walls are found by pieces, and are still one triangle each. */
static void test_divided(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = solid_box((const float[3]){-1, -2, -3}, (const float[3]){3, 2, 1});
    double rows[3][3];
    SceneRandom random = {5};
    solid_random_rotation(&random, rows);
    scene_mesh_move(&mesh, rows, (const double[3]){0.1, 0.2, 0.3});
    const PliantBody ball = room_add(&room, scene_icosphere(3));
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    def.divide_kind = PLIANT_DIVIDE_NONE;
    PliantBody bodies[3] = {room_add_def(&room, &def)};
    def.divide_size = 0.2f;
    def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    bodies[1] = room_add_def(&room, &def);
    def.divide_kind = PLIANT_DIVIDE_CORNERS;
    bodies[2] = room_add_def(&room, &def);
    PliantLayers *layers = room_layers(&room);
    for (int axis = 0; axis < 3; axis++)
        for (int32_t resolution = 10; resolution < 300; resolution *= 3) {
            PliantVolume whole = pliant_volume_default(), common = pliant_volume_default(),
                         other = pliant_volume_default();
            PliantView view;
            MUST(pliant_body_view(room.world, bodies[1], resolution, &view));
            view.axis = (PliantAxis)axis;
            MUST_CLOSED(pliant_layers_capture(layers, room.world, bodies[0], &view, NULL),
                        test_layers_info(layers));
            MUST_CLOSED(pliant_layers_volume(layers, &whole), whole);
            assert_true(fabs(whole.volume - 64) <= whole.error);
            MUST_CLOSED(
                pliant_layers_capture_common(layers, room.world, bodies[0], ball, &view, NULL),
                test_layers_info(layers));
            MUST_CLOSED(pliant_layers_volume(layers, &common), common);
            for (int i = 1; i < 3; i++) {
                MUST_CLOSED(pliant_layers_capture(layers, room.world, bodies[i], &view, NULL),
                            test_layers_info(layers));
                MUST_CLOSED(pliant_layers_volume(layers, &other), other);
                assert_same_spans(&other, &whole);
                MUST_CLOSED(
                    pliant_layers_capture_common(layers, room.world, ball, bodies[i], &view, NULL),
                    test_layers_info(layers));
                MUST_CLOSED(pliant_layers_volume(layers, &other), other);
                assert_same_spans(&other, &common);
                other = volume_of(&room, bodies[i], NULL);
                assert_true(fabs(other.volume - 64) <= other.error);
            }
        }
    pliant_layers_destroy(layers);
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

/* ---- How fine ----------------------------------------------------------------------------------
 */

static void test_until_good_enough(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(3);
    const double truth = solid_volume(&mesh);
    const PliantBody ball = room_add(&room, mesh);
    PliantVolumeDef def = along(PLIANT_AXES_SHORTEST, 8);
    PliantVolume volume = volume_of(&room, ball, &def);
    assert_true(volume.is_reached && volume.view.width == 8);
    const double coarse = volume.error;

    def.error = coarse / 20;
    volume = volume_of(&room, ball, &def);
    assert_true(volume.is_reached && volume.error <= def.error && volume.view.width > 8);
    assert_true(fabs(volume.volume - truth) <= volume.error);
    assert_true(volume.view.width <= 256); /* not much finer than it has to be */

    def.error = 0;
    def.relative_error = 0.001;
    volume = volume_of(&room, ball, &def);
    assert_true(volume.is_reached && volume.error <= 0.001 * volume.volume);

    def.error = coarse; /* either one is enough */
    volume = volume_of(&room, ball, &def);
    assert_true(volume.is_reached && volume.view.width == 8);

    def.error = 1e-9;
    def.relative_error = 0;
    def.max_resolution = 50;
    volume = volume_of(&room, ball, &def);
    assert_true(!volume.is_reached && volume.error > 1e-9 && volume.view.width == 50);
    assert_true(room_close(&room));
}

/* Walls along x, but for one direction: all axes are better than the worst of them. */
static void test_all_axes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneRandom random = {3};
    SceneMesh mesh = solid_random(SOLID_step, &random);
    const PliantBody step = room_add_mesh(&room, &mesh), ball = room_add(&room, scene_icosphere(2));
    double greatest = 0, least = INFINITY;
    PliantVolume each[3];
    for (int axes = PLIANT_AXES_X; axes <= PLIANT_AXES_Z; axes++) {
        const PliantVolumeDef def = along((PliantAxes)axes, 33);
        each[axes - PLIANT_AXES_X] = common_of(&room, step, ball, &def);
        const PliantVolume *volume = &each[axes - PLIANT_AXES_X];
        assert_int_equal(volume->view.axis, axes - PLIANT_AXES_X);
        greatest = fmax(greatest, volume->error);
        least = fmin(least, volume->error);
    }
    const PliantVolumeDef def = along(PLIANT_AXES_ALL, 33);
    const PliantVolume volume = common_of(&room, step, ball, &def);
    assert_true(volume.error < greatest);
    assert_true(each[volume.view.axis].error == least);
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

/* ---- Not closed --------------------------------------------------------------------------------
 */

/* A hole that lies along an axis is not seen along it: but along one of the others it is. */
static void refuse_open(Room *room, PliantBody open, PliantBody ball)
{
    int refused_count = 0;
    for (int axes = PLIANT_AXES_SHORTEST; axes <= PLIANT_AXES_ALL; axes++) {
        const PliantVolumeDef def = along((PliantAxes)axes, 100);
        PliantVolume volumes[3] = {pliant_volume_default(), pliant_volume_default(),
                                   pliant_volume_default()};
        PliantResult results[3] = {
            pliant_body_volume(room->world, open, &def, &volumes[0]),
            pliant_bodies_volume(room->world, open, ball, &def, &volumes[1]),
            pliant_bodies_volume(room->world, ball, open, &def, &volumes[2]),
        };
        for (int i = 0; i < 3; i++) {
            const bool is_bad = volumes[i].bad_pixel_count > 0;
            MUST(results[i]);
            assert_int_equal(volumes[i].is_closed, !is_bad);
            assert_true(volumes[i].bad_pixel_count < 5000);
            assert_true(volumes[i].volume > 2 && volumes[i].volume < 4.3);
            assert_true(is_bad || axes != PLIANT_AXES_ALL);
            refused_count += is_bad;
        }
    }
    assert_true(refused_count >= 9);
}

static void test_open(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(2);
    const PliantBody ball = room_add_mesh(&room, &mesh);
    const uint32_t count = (uint32_t)mesh.triangle_count;
    for (uint32_t hole = 5; hole < count; hole += 97) {
        uint32_t *corners = mesh.triangles + (size_t)3 * hole, kept[3];
        memcpy(kept, corners, sizeof kept);
        corners[0] = kept[1];
        corners[1] = kept[0]; /* flipped */
        PliantBody body = room_add_mesh(&room, &mesh);
        refuse_open(&room, body, ball);
        MUST(pliant_body_destroy(room.world, body));
        corners[0] = corners[1]; /* gone */
        body = room_add_mesh(&room, &mesh);
        refuse_open(&room, body, ball);
        MUST(pliant_body_destroy(room.world, body));
        memcpy(corners, kept, sizeof kept);
    }
    for (int how = 0; how < 2; how++) {
        const float kept = mesh.vertices[3];
        mesh.vertices[3] = how ? NAN : INFINITY;
        const PliantBody body = room_add_mesh(&room, &mesh);
        refuse_open(&room, body, ball);
        MUST(pliant_body_destroy(room.world, body));
        mesh.vertices[3] = kept;
    }
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

/* What was closed is not, once a vertex is not finite, wherever that is; and then is again. */
static void test_opens_and_closes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    PliantLayers *layers = room_layers(&room);
    SceneMesh mesh = scene_icosphere(2);
    const PliantBody body = room_add_mesh(&room, &mesh);
    const PliantVertices vertices = {mesh.vertices, mesh.vertex_count, 0};
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            PliantView view = {{{-1, -1, -1}, {1, 1, 1}}, (PliantAxis)axis, 60, 60};
            *(side ? &view.box.low[axis] : &view.box.high[axis]) = 0; /* one half of it */
            int32_t farthest = 0; /* the vertex that is the farthest from that half */
            for (int32_t v = 0; v < mesh.vertex_count; v++)
                if ((mesh.vertices[3 * v + axis] < mesh.vertices[3 * farthest + axis]) == side)
                    farthest = v;
            MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &view, NULL),
                        test_layers_info(layers));
            const int64_t span_count = test_layers_info(layers).span_count;
            const float kept = mesh.vertices[3 * farthest];
            mesh.vertices[3 * farthest] = NAN;
            MUST(pliant_body_set_vertices(room.world, body, vertices));
            MUST(pliant_layers_capture(layers, room.world, body, &view, NULL));
            assert_false(test_layers_info(layers).is_closed);
            mesh.vertices[3 * farthest] = kept;
            MUST(pliant_body_set_vertices(room.world, body, vertices));
            MUST_CLOSED(pliant_layers_capture(layers, room.world, body, &view, NULL),
                        test_layers_info(layers));
            assert_int_equal(test_layers_info(layers).span_count, span_count);
        }
    scene_mesh_free(&mesh);
    pliant_layers_destroy(layers);
    assert_true(room_close(&room));
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

static void ask_all(Room *room, PliantBody a, PliantBody b, double volumes[4])
{
    PliantVolumeDef def = along(PLIANT_AXES_ALL, 60);
    volumes[0] = volume_of(room, a, NULL).volume;
    volumes[1] = common_of(room, a, b, &def).volume;
    def.relative_error = 0.005;
    volumes[2] = common_of(room, b, a, &def).volume;
    PliantContainment contains = pliant_containment_default();
    MUST(pliant_bodies_contain(room->world, a, b, NULL, &contains));
    volumes[3] = contains.contains;
}

static void test_warm_queries(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add(&room, scene_icosphere(4)),
                     b = room_add(&room, solid_torus(1, 0.3, 80, 40));
    double cold[4], warm[4];
    ask_all(&room, a, b, cold);
    const int64_t calls = room.host.calls, bytes = room.host.bytes;
    for (int i = 0; i < 3; i++) {
        ask_all(&room, a, b, warm);
        assert_memory_equal(cold, warm, sizeof cold);
    }
    assert_int_equal(room.host.calls, calls);
    assert_int_equal(room.host.bytes, bytes);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(room.world, &stats));
    assert_int_equal(stats.byte_size, bytes);
    assert_true(room_close(&room));
}

/* Volumes and contacts do not get into each other's way. */
static void test_between_other_queries(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add(&room, scene_icosphere(3)),
                     b = room_add(&room, solid_torus(1, 0.3, 40, 20));
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(room.world, NULL, &contacts));
    const int64_t count = contacts.count;
    assert_true(count > 0);
    const PliantVolume first = common_of(&room, a, b, NULL);
    MUST(pliant_world_collide(room.world, NULL, &contacts));
    assert_int_equal(contacts.count, count);
    const PliantVolume second = common_of(&room, a, b, NULL);
    assert_same_volume(&first, &second);
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_cube),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_overlapping_self),
        cmocka_unit_test(test_inside_out),
        cmocka_unit_test(test_flat_bodies),
        cmocka_unit_test(test_all_kinds),
        cmocka_unit_test(test_divided),
        cmocka_unit_test(test_until_good_enough),
        cmocka_unit_test(test_all_axes),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_opens_and_closes),
        cmocka_unit_test(test_warm_queries),
        cmocka_unit_test(test_between_other_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
