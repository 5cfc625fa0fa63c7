/* volumes: calls that are given something wrong, and triangles for backends that make fragments. */
#include "ball.h"
#include "calls.h"
#include "refuse.h"
#include "room.h"
#include "solids.h"
#include "test_layers.h"
#include "unheard.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

static void test_mistakes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add(&room, scene_icosphere(1)),
                     b = room_add(&room, scene_icosphere(1));
    PliantView view, kept_view;
    memset(&view, 0xee, sizeof view);
    kept_view = view;
    REFUSE(room.host, pliant_body_view(room.world, a, 16, NULL), PLIANT_BAD_ARGUMENT,
           "view is NULL");
    REFUSE(room.host, pliant_body_view(room.world, a, 0, &view), PLIANT_BAD_ARGUMENT,
           "resolution is 0");
    REFUSE(room.host, pliant_body_view(room.world, a, 4097, &view), PLIANT_BAD_ARGUMENT,
           "resolution is 4097");
    REFUSE(room.host, pliant_body_view(room.world, (PliantBody){0}, 16, &view), PLIANT_BAD_ID,
           "body is {");
    REFUSE(room.host, pliant_bodies_view(room.world, a, b, -1, &view), PLIANT_BAD_ARGUMENT,
           "resolution is -1");
    REFUSE(room.host, pliant_bodies_view(room.world, a, b, 16, NULL), PLIANT_BAD_ARGUMENT,
           "view is NULL");
    REFUSE(room.host, pliant_bodies_view(room.world, (PliantBody){0}, b, 16, &view), PLIANT_BAD_ID,
           "a is {");
    REFUSE(room.host, pliant_bodies_view(room.world, a, (PliantBody){7, 7}, 16, &view),
           PLIANT_BAD_ID, "b is {");
    assert_memory_equal(&view, &kept_view, sizeof view);
    REFUSE_UNHEARD(pliant_body_view(NULL, a, 16, &view), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_bodies_view(NULL, a, b, 16, &view), PLIANT_BAD_ARGUMENT);
    assert_true(room_close(&room));
}

#define REFUSE_VOLUME(field, value, code, text)                                                    \
    do {                                                                                           \
        PliantVolumeDef wrong = pliant_volume_def_default();                                       \
        wrong.field = value;                                                                       \
        REFUSE(room.host, pliant_body_volume(room.world, a, &wrong, &volume), code, text);         \
        REFUSE(room.host, pliant_bodies_volume(room.world, a, b, &wrong, &volume), code, text);    \
    } while (0)

static void test_mistakes_of_volumes(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add(&room, scene_icosphere(1)),
                     b = room_add(&room, scene_icosphere(1));
    PliantVolume volume, kept;
    memset(&volume, 0xee, sizeof volume);
    volume.struct_size = sizeof volume;
    kept = volume;
    REFUSE_VOLUME(resolution, 0, PLIANT_BAD_ARGUMENT, "def.resolution is 0");
    REFUSE_VOLUME(resolution, 4097, PLIANT_BAD_ARGUMENT, "def.resolution is 4097");
    REFUSE_VOLUME(axes, (PliantAxes)5, PLIANT_BAD_ARGUMENT, "def.axes is 5");
    REFUSE_VOLUME(axes, (PliantAxes)-1, PLIANT_BAD_ARGUMENT, "def.axes is");
    REFUSE_VOLUME(error, -1, PLIANT_BAD_ARGUMENT, "def.error is -1");
    REFUSE_VOLUME(error, (double)NAN, PLIANT_BAD_ARGUMENT, "def.error is");
    REFUSE_VOLUME(relative_error, -0.5, PLIANT_BAD_ARGUMENT, "def.relative_error is -0.5");
    REFUSE_VOLUME(relative_error, (double)NAN, PLIANT_BAD_ARGUMENT, "def.relative_error is");
    REFUSE_VOLUME(max_resolution, 0, PLIANT_BAD_ARGUMENT, "def.max_resolution is 0");
    REFUSE_VOLUME(max_resolution, 5000, PLIANT_BAD_ARGUMENT, "def.max_resolution is 5000");
    REFUSE_VOLUME(struct_size, 4, PLIANT_BAD_DEF, "def.struct_size is 4");
    REFUSE(room.host, pliant_body_volume(room.world, a, NULL, NULL), PLIANT_BAD_ARGUMENT,
           "volume is NULL");
    REFUSE(room.host, pliant_bodies_volume(room.world, a, b, NULL, NULL), PLIANT_BAD_ARGUMENT,
           "volume is NULL");
    REFUSE(room.host, pliant_body_volume(room.world, (PliantBody){9, 1}, NULL, &volume),
           PLIANT_BAD_ID, "body is {");
    REFUSE(room.host, pliant_bodies_volume(room.world, (PliantBody){9, 1}, b, NULL, &volume),
           PLIANT_BAD_ID, "a is {");
    REFUSE(room.host, pliant_bodies_volume(room.world, a, (PliantBody){9, 1}, NULL, &volume),
           PLIANT_BAD_ID, "b is {");
    MUST(pliant_body_destroy(room.world, b));
    REFUSE(room.host, pliant_bodies_volume(room.world, a, b, NULL, &volume), PLIANT_BAD_ID,
           "b is {");
    assert_memory_equal(&volume, &kept, sizeof volume);
    REFUSE_UNHEARD(pliant_body_volume(NULL, a, NULL, &volume), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_bodies_volume(NULL, a, a, NULL, &volume), PLIANT_BAD_ARGUMENT);
    volume.struct_size = kept.struct_size = 16;
    REFUSE(room.host, pliant_body_volume(room.world, a, NULL, &volume), PLIANT_BAD_DEF,
           "volume.struct_size is 16");
    REFUSE(room.host, pliant_bodies_volume(room.world, a, a, NULL, &volume), PLIANT_BAD_DEF,
           "volume.struct_size is 16");
    assert_memory_equal(&volume, &kept, sizeof volume);
    assert_true(room_close(&room));
}

/* Callers with a newer header, whose records have more in them. */
static void test_records_of_a_newer_caller(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody a = room_add(&room, scene_icosphere(1));
    struct {
        PliantVolume volume;
        int64_t unknown;
    } newer = {pliant_volume_default(), 77};
    struct {
        PliantVolumeDef def;
        int64_t unknown;
    } newer_def = {pliant_volume_def_default(), 0};
    PliantVolume volume = pliant_volume_default();
    MUST_CLOSED(pliant_body_volume(room.world, a, NULL, &volume), volume);
    newer.volume.struct_size = sizeof newer;
    newer_def.def.struct_size = sizeof newer_def;
    MUST_CLOSED(pliant_body_volume(room.world, a, &newer_def.def, &newer.volume), newer.volume);
    assert_true(newer.volume.volume == volume.volume && newer.volume.error == volume.error);
    assert_memory_equal(&newer.volume.view, &volume.view, sizeof volume.view);
    assert_int_equal(newer.volume.struct_size, sizeof newer);
    assert_int_equal(newer.unknown, 77);
    newer_def.unknown = 1; /* it asks for something */
    REFUSE(room.host, pliant_body_volume(room.world, a, &newer_def.def, &newer.volume),
           PLIANT_BAD_DEF, "def.struct_size is");
    assert_true(room_close(&room));
}

/* ---- Not closed --------------------------------------------------------------------------------
 */

/* An open surface is no failure: the answer says so, and nothing is reported. */
static void test_not_closed(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    SceneMesh mesh = scene_icosphere(3);
    mesh.triangle_count -= 40;
    const PliantBody open = room_add_mesh(&room, &mesh), ball = room_add(&room, scene_icosphere(2));
    mesh.triangle_count += 40;
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = 64;
    def.axes = PLIANT_AXES_X;
    PliantVolume volume = pliant_volume_default();
    MUST(pliant_body_volume(room.world, open, &def, &volume));
    assert_true(!volume.is_closed && volume.bad_pixel_count > 5 && volume.volume > 2);
    for (int i = 0; i < 2; i++) {
        MUST(pliant_bodies_volume(room.world, i ? open : ball, i ? ball : open, &def, &volume));
        assert_true(!volume.is_closed && volume.bad_pixel_count > 5);
    }
    MUST_CLOSED(pliant_body_volume(room.world, ball, &def, &volume), volume);
    assert_true(volume.is_closed && volume.bad_pixel_count == 0);
    scene_mesh_free(&mesh);
    assert_true(room_close(&room));
}

/* A build that stops at mistakes does not stop at a surface that is not closed. */
static void test_not_closed_without_a_hook(void **state)
{
    (void)state;
    SceneMesh mesh = scene_icosphere(2);
    PliantWorld *world;
    PliantBody body;
    MUST(pliant_world_create(NULL, &world));
    mesh.triangle_count -= 40;
    PliantShape *shape = solid_shape(&mesh);
    mesh.triangle_count += 40;
    MUST(pliant_body_create(world, shape, &body));
    pliant_shape_release(shape);
    PliantVolume volume = pliant_volume_default();
    MUST(pliant_body_volume(world, body, NULL, &volume));
    assert_true(volume.bad_pixel_count > 0 && !volume.is_closed);
    pliant_world_destroy(world);
    scene_mesh_free(&mesh);
}

/* ---- Progress ----------------------------------------------------------------------------------
 */

/* The queries that are asked here, and what each is asked of. */
typedef enum Question { VOLUME, CAPTURE, CONTAIN, CLOSEST, QUESTIONS } Question;

typedef struct Watch {
    int64_t asked, end; /* how often, and at which time it is false */
    int64_t last;       /* `done` */
} Watch;

static bool watch(void *user, int64_t done, int64_t total)
{
    Watch *watch = user;
    assert_true(done >= watch->last && done <= total);
    watch->last = done;
    return ++watch->asked != watch->end;
}

typedef struct Answers {
    PliantVolume volume;
    PliantContainment containment;
    PliantClosestPoints closest;
    PliantLayersInfo info;
} Answers;

static PliantResult ask(Room *room, const PliantBody bodies[2], PliantLayers *layers,
                        Question question, Watch *user, Answers *answers)
{
    const PliantBody outer = bodies[0], inner = bodies[1];
    static float points[500][3];
    PliantVolumeDef volume = pliant_volume_def_default();
    PliantCaptureDef capture = pliant_capture_def_default();
    PliantContainDef contain = pliant_contain_def_default();
    PliantClosestDef closest = pliant_closest_def_default();
    volume.progress = capture.progress = contain.progress = closest.progress = watch;
    volume.user = capture.user = contain.user = closest.user = user;
    const PliantView view = {{{-1, -1, -1}, {1, 1, 1}}, PLIANT_AXIS_X, 300, 200};
    volume.resolution = 300;
    closest.is_signed = true;
    *user = (Watch){.end = user->end};
    switch (question) {
    case VOLUME:
        return pliant_bodies_volume(room->world, outer, inner, &volume, &answers->volume);
    case CAPTURE: {
        const PliantResult result =
            pliant_layers_capture(layers, room->world, outer, &view, &capture);
        answers->info = test_layers_info(layers);
        return result;
    }
    case CONTAIN:
        return pliant_bodies_contain(room->world, outer, inner, &contain, &answers->containment);
    default:
        return pliant_world_closest_points(room->world, (PliantVertices){points[0], 500, 0},
                                           &closest, &answers->closest);
    }
}

/* Stopped at any time, outputs are as they were, and the next call has the whole answer. */
static void test_progress(void **state)
{
    (void)state;
    for (int question = 0; question < QUESTIONS; question++) {
        Room room;
        room_open(&room);
        SceneMesh small = scene_icosphere(4);
        solid_place(&small, 0.5, (const double[3]){0, 0, 0});
        const PliantBody bodies[2] = {room_add(&room, scene_icosphere(4)), room_add(&room, small)};
        PliantLayers *layers = room_layers(&room);
        Answers whole = {pliant_volume_default(), pliant_containment_default(),
                         pliant_closest_points_default(), pliant_layers_info_default()};
        Watch user = {.end = 0};
        const Answers none = whole;
        for (int64_t end = 1, count = 1; end <= count; end += 1 + count / 7) {
            Answers answers = none;
            answers.info = test_layers_info(layers);
            Answers before;
            memcpy(&before, &answers, sizeof before); /* padding too */
            user.end = end;
            assert_int_equal(ask(&room, bodies, layers, (Question)question, &user, &answers),
                             PLIANT_CANCELLED);
            assert_int_equal(user.asked, end);
            before.info.byte_size = answers.info.byte_size;
            assert_memory_equal(&answers, &before,
                                offsetof(Answers, info.is_closed) + 1); /* without padding */
            user.end = 0;
            MUST(ask(&room, bodies, layers, (Question)question, &user, &whole));
            count = user.asked;
            assert_true(count >= 6);
        }
        assert_true(question != VOLUME || (whole.volume.volume > 0.4 && whole.volume.is_closed));
        assert_true(question != CAPTURE || whole.info.span_count > 1000);
        assert_true(question != CONTAIN || whole.containment.contains);
        assert_true(question != CLOSEST || whole.closest.items[499].distance < -0.4f);
        pliant_layers_destroy(layers);
        assert_true(room_close(&room));
    }
}

/* Few triangles over many pixels: each of the 64 tiles asks. */
static void test_progress_of_tiles(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody box = room_add_box(&room, 0, 0, 0, 1, 1, 1);
    PliantVolume volume = pliant_volume_default();
    PliantVolumeDef def = pliant_volume_def_default();
    Watch user = {0};
    def.resolution = 1024;
    def.progress = watch;
    def.user = &user;
    MUST_CLOSED(pliant_body_volume(room.world, box, &def, &volume), volume);
    assert_true(user.asked >= 64 && user.last >= 63);
    assert_true(room_close(&room));
}

/* ---- Triangles ---------------------------------------------------------------------------------
 */

/* How often a triangle is in the list, its corners in the same order. */
static int count_in(const float *list, int64_t count, const float corners[9])
{
    int found = 0;
    for (int64_t i = 0; i < count; i++, list += 9) {
        bool is_same = true;
        for (int c = 0; c < 9; c++)
            is_same &= list[c] == corners[c];
        found += is_same;
    }
    return found;
}

/* The picture shows a part of each body. */
static void check_triangles(Room *room, PliantBody body, const Ball *ball, int axis)
{
    static float vertices[BALL_VERTICES][3];
    const PliantView view = {{{0.1f, -0.3f, -0.2f}, {0.9f, 0.25f, 0.3f}}, (PliantAxis)axis, 8, 5};
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const float *list = NULL;
    int64_t count = 0, found_count = 0;
    float *corners = scene_allocate(9 * (size_t)ball->mesh.triangle_count, sizeof *corners);
    MUST(pliant_body_triangles(room->world, body, &view, &list, &count));
    assert_true(count > 0 && count < ball->mesh.triangle_count);
    MUST(test_body_vertices(room->world, body, vertices[0]));
    scene_corners(&ball->mesh, vertices[0], corners);
    for (int32_t t = 0; t < ball->mesh.triangle_count; t++) {
        const float *c = corners + 9 * (size_t)t;
        const int found = count_in(list, count, c);
        found_count += found;
        assert_true(found <= 1);
        bool is_over = false; /* a corner is, at least */
        for (int k = 0; k < 9; k += 3)
            is_over |= c[k + u] >= view.box.low[u] && c[k + u] <= view.box.high[u] &&
                       c[k + v] >= view.box.low[v] && c[k + v] <= view.box.high[v];
        if (is_over)
            assert_int_equal(found, 1);
    }
    assert_int_equal(found_count, count);
    free(corners);
}

/* No more than there are, and all over the picture, each once; of pieces too. */
static void test_triangles(void **state)
{
    (void)state;
    static Ball ball;
    Room room;
    room_open(&room);
    ball_init(&ball);
    PliantTransform joints[BALL_JOINTS];
    ball_bend(1, joints);
    PliantShapeDef def = ball_skin_def(&ball, NULL);
    const PliantBody skinned = room_add_def(&room, &def);
    MUST(pliant_body_set_joints(room.world, skinned, joints, BALL_JOINTS));
    def.skin = NULL;
    def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    def.divide_size = 0.05f;
    const PliantBody bodies[4] = {skinned, room_add_def(&room, &def),
                                  room_add_mesh(&room, &ball.mesh),
                                  room_add_soup(&room, &ball.mesh)};
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++)
            check_triangles(&room, bodies[i], &ball, axis);
    ball_free(&ball);
    assert_true(room_close(&room));
}

static void test_mistakes_of_triangles(void **state)
{
    (void)state;
    Room room;
    room_open(&room);
    const PliantBody body = room_add(&room, scene_icosphere(1));
    const PliantView view = {{{0, 0, 0}, {1, 1, 1}}, PLIANT_AXIS_Z, 4, 4};
    const float *list = NULL;
    int64_t count = -5;
    REFUSE(room.host, pliant_body_triangles(room.world, body, NULL, &list, &count),
           PLIANT_BAD_ARGUMENT, "view is NULL");
    REFUSE(room.host, pliant_body_triangles(room.world, body, &view, NULL, &count),
           PLIANT_BAD_ARGUMENT, "corners is NULL");
    REFUSE(room.host, pliant_body_triangles(room.world, body, &view, &list, NULL),
           PLIANT_BAD_ARGUMENT, "triangle_count is NULL");
    REFUSE(room.host, pliant_body_triangles(room.world, (PliantBody){5, 5}, &view, &list, &count),
           PLIANT_BAD_ID, "body is {");
    REFUSE_UNHEARD(pliant_body_triangles(NULL, body, &view, &list, &count), PLIANT_BAD_ARGUMENT);
    assert_true(list == NULL && count == -5);
    assert_true(room_close(&room));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_mistakes_of_volumes),
        cmocka_unit_test(test_records_of_a_newer_caller),
        cmocka_unit_test(test_not_closed),
        cmocka_unit_test(test_not_closed_without_a_hook),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_progress_of_tiles),
        cmocka_unit_test(test_triangles),
        cmocka_unit_test(test_mistakes_of_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
