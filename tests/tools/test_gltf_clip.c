/* Clips and poses: what tracks say between their keys, and what bodies are told. */
#include "scene/arc.h"
#include "scene/reader.h"
#include "small_gltf.h"
#include "unit.h"

#include <math.h>
#include <string.h>

static void expect_near(double found, double wanted)
{
    if (!(fabs(found - wanted) < 1e-6))
        print_error("%.9g, not %.9g\n", found, wanted);
    assert_true(fabs(found - wanted) < 1e-6);
}

/* ---- Angles ---------------------------------------------------------------------------------- */

/* As a C library has them, but for the last two bits, in which these differ among each other. */
static void test_arc(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    double sine_error = 0, angle_error = 0;
    for (int i = 1; i <= COUNT; i++) {
        const double angle = 1.5707963267948966 * i / COUNT, cosine = (double)(COUNT - i) / COUNT;
        sine_error = fmax(sine_error, fabs(arc_sine(angle) / sin(angle) - 1));
        angle_error = fmax(angle_error, fabs(arc_angle(cosine) / acos(cosine) - 1));
    }
    assert_true(sine_error < 6e-16 && angle_error < 6e-16);
    assert_true(arc_sine(0) == 0 && arc_angle(1) == 0);
}

/* ---- Tracks ---------------------------------------------------------------------------------- */

static void expect_track(const SceneTrack *track, double time, const double *wanted)
{
    double found[4];
    scene_track_at(track, time, found);
    for (int32_t i = 0; i < track->width; i++)
        expect_near(found[i], wanted[i]);
}

static void test_step_and_linear(void **state)
{
    (void)state;
    float times[] = {1, 2, 4}, values[] = {0, 10, 1, 20, 5, 60};
    SceneTrack track = {.path = SCENE_WEIGHTS, .ease = SCENE_LINEAR, .key_count = 3, .width = 2};
    track.times = times;
    track.values = values;
    expect_track(&track, 0, (double[]){0, 10}); /* held before the first and after the last key */
    expect_track(&track, 9, (double[]){5, 60});
    expect_track(&track, 1, (double[]){0, 10});
    expect_track(&track, 1.25, (double[]){0.25, 12.5});
    expect_track(&track, 3, (double[]){3, 40});
    track.ease = SCENE_STEP;
    expect_track(&track, 1.999, (double[]){0, 10});
    expect_track(&track, 2, (double[]){1, 20});
}

/* Along the shorter way, at an even speed. */
static void test_slerp(void **state)
{
    (void)state;
    double third = acos(-1) / 3;
    float times[] = {0, 1};
    float values[] = {0, 0, 0, 1, 0, 0, (float)-sin(third), (float)-cos(third)};
    SceneTrack track = {.path = SCENE_ROTATION, .ease = SCENE_LINEAR, .key_count = 2, .width = 4};
    track.times = times;
    track.values = values;
    for (int i = 0; i < 100; i++) {
        double t = i / 100.0;
        expect_track(&track, t, (double[]){0, 0, sin(t * third), cos(t * third)});
    }
    /* So near to each other that the arc is a line. */
    values[6] = (float)sin(0.01);
    values[7] = (float)cos(0.01);
    expect_track(&track, 0.5, (double[]){0, 0, sin(0.005), cos(0.005)});
    /* Alike but for rounding: as it is. */
    memcpy(values, (float[]){0, 0, 0.6f, 0.6f, 0, 0, 0.6f, 0.6f}, sizeof values);
    expect_track(&track, 0.5, (double[]){0, 0, 0.6, 0.6});
}

/* A cubic through keys of its own values and slopes is itself. */
static void test_cubic(void **state)
{
    (void)state;
    float times[] = {1, 3}, values[6];
    for (int k = 0; k < 2; k++) {
        float t = times[k], slope = 3 * t * t - 4 * t;
        values[3 * k] = values[3 * k + 2] = slope;
        values[3 * k + 1] = t * t * t - 2 * t * t + 5;
    }
    SceneTrack track = {.path = SCENE_WEIGHTS, .ease = SCENE_CUBIC, .key_count = 2, .width = 1};
    track.times = times;
    track.values = values;
    for (int i = 8; i <= 24; i++) {
        double t = i / 8.0;
        expect_track(&track, t, (double[]){t * t * t - 2 * t * t + 5});
    }
    expect_track(&track, 0, (double[]){4});
    expect_track(&track, 5, (double[]){14});
}

static void test_cubic_rotation(void **state)
{
    (void)state;
    float times[] = {0, 1};
    float values[24] = {[7] = 1, [16] = 0, [18] = 1}; /* flat: half a turn about z */
    SceneTrack track = {.path = SCENE_ROTATION, .ease = SCENE_CUBIC, .key_count = 2, .width = 4};
    track.times = times;
    track.values = values;
    expect_track(&track, 0.5, (double[]){0, 0, sqrt(0.5), sqrt(0.5)});
}

/* ---- Rates ----------------------------------------------------------------------------------- */

static double rate_of(double rate, int32_t count, int32_t step)
{
    float times[100], values[100] = {0};
    SceneTrack track = {.path = SCENE_WEIGHTS, .key_count = count, .width = 1};
    track.times = times;
    track.values = values;
    for (int32_t i = 0; i < count; i++)
        times[i] = (float)(i * step / rate);
    return scene_tracks_rate(&(SceneClip){.track_count = 1, .tracks = &track});
}

static void test_rates(void **state)
{
    (void)state;
    static const double rates[] = {24, 25, 30, 48, 50, 60, 120};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        assert_true(rate_of(rates[i], 100, 1) == rates[i]);
    assert_true(rate_of(30, 50, 2) == 30);
    assert_true(rate_of(29.97, 100, 1) == 0);
    assert_true(rate_of(1, 3, 1) == 0); /* whole seconds show no rate */
    assert_true(rate_of(30, 1, 1) == 0);
    double rate;
    SceneClip clip = {.start = 0, .end = 31 / 30.0, .fps = 0};
    assert_int_equal(scene_clip_frames(&clip, 0, &rate), 32);
    assert_true(rate == 30);
    clip.end = (double)(float)clip.end; /* rounded up or down, it is the same frame */
    assert_int_equal(scene_clip_frames(&clip, 0, &rate), 32);
    clip.end = nextafter(clip.end, 2);
    assert_int_equal(scene_clip_frames(&clip, 30, &rate), 32);
    assert_int_equal(scene_clip_frames(&clip, 10, &rate), 12); /* the last is beyond the end */
    clip.fps = 60;
    assert_int_equal(scene_clip_frames(&clip, 0, &rate), 63);
    clip.end = 0;
    assert_int_equal(scene_clip_frames(&clip, 0, &rate), 1);
    clip.end = 1e300;
    assert_int_equal(scene_clip_frames(&clip, 0, &rate), INT32_MAX);
}

/* ---- Poses ----------------------------------------------------------------------------------- */

static ScenePose *pose_of(const Scene *scene)
{
    assert_non_null(scene);
    ScenePose *pose = scene_pose_create(scene);
    assert_non_null(pose);
    return pose;
}

static void must_pose(ScenePose *pose, int32_t clip, double time)
{
    SceneError error = {""};
    assert_true(scene_pose_at(pose, clip, time, &error));
}

static void expect_rows(const PliantTransform *transform, const float wanted[12])
{
    for (int i = 0; i < 12; i++)
        expect_near((double)transform->rows[i / 4][i % 4], (double)wanted[i]);
}

static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static void test_pose(void **state)
{
    (void)state;
    SceneError error = {""};
    Scene *scene = small_read_with("\"STEP\"", "\"LINEAR\"", &error);
    ScenePose *pose = pose_of(scene);
    const PartPose *part = scene_pose_part(pose, 0);
    must_pose(pose, -1, 0);
    expect_rows(&part->transform, identity);
    expect_rows(&part->joints[0], identity);
    expect_rows(&part->joints[1], identity);
    assert_true(part->weights[0] == 0.25f);
    /* A quarter turn about z of what stands at (0, 1, 0). */
    must_pose(pose, 0, 1);
    expect_rows(&part->joints[0], identity);
    expect_rows(&part->joints[1], (float[]){0, -1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0});
    expect_near((double)part->weights[0], 0.625);
    must_pose(pose, 0, 0); /* before the first key */
    expect_rows(&part->joints[1], identity);
    assert_true(part->weights[0] == 0.5f);
    must_pose(pose, 0, 1.5);
    must_pose(pose, -1, 0); /* and back at rest */
    expect_rows(&part->joints[1], identity);
    assert_true(part->weights[0] == 0.25f);
    assert_false(scene_pose_at(pose, 1, 0, &error));
    scene_pose_free(pose);
    scene_free(scene);
}

/* What stands on a node that moves moves with it, at every time. */
static void test_children(void **state)
{
    (void)state;
    SceneError error = {""};
    Scene *scene = small_read_with("\"node\":2,\"path\":\"rotation\"",
                                   "\"node\":1,\"path\":\"rotation\"", &error);
    ScenePose *pose = pose_of(scene);
    const PartPose *part = scene_pose_part(pose, 0);
    must_pose(pose, 0, 0);
    must_pose(pose, 0, 1);
    for (int j = 0; j < 2; j++)
        expect_rows(&part->joints[j], (float[]){0, -1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0});
    scene_pose_free(pose);
    scene_free(scene);
}

static void test_morphs_by_hand(void **state)
{
    (void)state;
    SceneError error = {""};
    Scene *scene = small_read_with("\"STEP\"", "\"LINEAR\"", &error);
    ScenePose *pose = pose_of(scene);
    const PartPose *part = scene_pose_part(pose, 0);
    assert_int_equal(scene_pose_set_morph(pose, "frown", 1), 0);
    assert_int_equal(scene_pose_set_morph(pose, "smile", 2), 1);
    must_pose(pose, 0, 1);
    assert_true(part->weights[0] == 2);
    assert_int_equal(scene_pose_set_morph(pose, "smile", NAN), 1);
    must_pose(pose, 0, 1);
    expect_near((double)part->weights[0], 0.625);
    scene_pose_free(pose);
    scene_free(scene);
}

/* A part without a skin, in a node in a node: scaled by -2, then turned and moved. */
static void test_nodes(void **state)
{
    (void)state;
    SceneError error = {""};
    Scene *scene =
        small_read_with("{\"name\":\"tip\",\"rotation\":[0,0,0,1]}",
                        "{\"mesh\":0,\"rotation\":[0,0,1,0],\"scale\":[-2,0,1]}", &error);
    ScenePose *pose = pose_of(scene);
    assert_int_equal(scene->part_count, 2);
    must_pose(pose, -1, 0);
    expect_rows(&scene_pose_part(pose, 1)->transform,
                (float[]){2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0});
    assert_null(scene_pose_part(pose, 1)->joints);
    scene_pose_free(pose);
    scene_free(scene);
    scene = small_read_with("\"translation\":[0,1,0]",
                            "\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,7,8,9,1]", &error);
    pose = pose_of(scene);
    must_pose(pose, -1, 0);
    expect_rows(&scene_pose_part(pose, 0)->joints[0],
                (float[]){0, -1, 0, 8, 1, 0, 0, 8, 0, 0, 1, 9});
    scene_pose_free(pose);
    scene_free(scene);
}

/* Numbers of a file that are finite, and whose product is not. */
static void test_overflow(void **state)
{
    (void)state;
    SceneError error = {""};
    Scene *scene = small_read_with("\"translation\":[0,1,0]",
                                   "\"translation\":[0,1,0],\"scale\":[3e38,3e38,3e38]", &error);
    ScenePose *pose = pose_of(scene);
    must_pose(pose, -1, 0);
    scene_pose_free(pose);
    scene->nodes[2].scale[0] = 100;
    pose = pose_of(scene);
    assert_false(scene_pose_at(pose, -1, 0, &error));
    assert_string_equal(error.text, "the joint \"tip\" is not at a finite place");
    scene_pose_free(pose);
    scene_free(scene);
}

/* Parts of a cache: the nearest frame, and the vertices at rest without one. */
static void test_cache(void **state)
{
    (void)state;
    float rest[3] = {9, 9, 9}, frames[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    ScenePart part = {.node = -1, .skin = -1, .cached = 0, .vertex_count = 1, .vertices = rest};
    SceneClip clip = {.frame_count = 3, .fps = 10, .end = 0.2};
    Scene scene = {.part_count = 1, .parts = &part, .clip_count = 1, .clips = &clip};
    scene.cache = (SceneCache){.vertex_count = 1, .frame_count = 3, .vertices = frames};
    ScenePose *pose = pose_of(&scene);
    must_pose(pose, 0, 0.101);
    assert_true(scene_pose_part(pose, 0)->vertices[0] == 1);
    must_pose(pose, 0, 5);
    assert_true(scene_pose_part(pose, 0)->vertices[0] == 2);
    must_pose(pose, 0, -5);
    assert_true(scene_pose_part(pose, 0)->vertices[0] == 0);
    must_pose(pose, -1, 0);
    assert_ptr_equal(scene_pose_part(pose, 0)->vertices, rest);
    scene_pose_free(pose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_and_linear), cmocka_unit_test(test_slerp),
        cmocka_unit_test(test_cubic),           cmocka_unit_test(test_cubic_rotation),
        cmocka_unit_test(test_rates),           cmocka_unit_test(test_pose),
        cmocka_unit_test(test_children),        cmocka_unit_test(test_morphs_by_hand),
        cmocka_unit_test(test_nodes),           cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_cache),           cmocka_unit_test(test_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
