/* The generated models, read back: the same in every format, clean at rest, and not when bent. */
#include "calls.h"
#include "folder.h"
#include "models.h"
#include "scene/scene.h"
#include "unit.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { FRAMES = 9, MAX_PARTS = 4 };

/* A scene in a world; each part twice, so that it can be tested against its copy. */
typedef struct Stage {
    Scene *scene;
    ScenePose *pose;
    PliantWorld *world;
    PliantBody bodies[2][MAX_PARTS];
} Stage;

static char folder[64] = "test-models-XXXXXX";

static PliantShape *make_shape(const Scene *scene, const ScenePart *part)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantTarget targets[ARM_TARGETS] = {0};
    for (int32_t t = 0; t < part->target_count; t++)
        targets[t].vertices = (PliantVertices){
            part->targets + 3 * (size_t)t * (size_t)part->vertex_count, part->vertex_count, 0};
    def.vertices = (PliantVertices){part->vertices, part->vertex_count, 0};
    def.triangles = (PliantTriangles){part->triangles, part->triangle_count};
    def.targets = targets;
    def.target_count = part->target_count;
    PliantSkin skin = pliant_skin_default();
    if (part->skin >= 0) {
        skin.joint_count = scene->skins[part->skin].joint_count;
        skin.influence_count = part->influence_count;
        skin.joints = part->joints;
        skin.weights = part->joint_weights;
        def.skin = &skin;
    }
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(&def, &shape));
    return shape;
}

static void open_stage(Stage *stage, const char *name, bool is_welded)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    SceneOptions options = scene_options_default();
    options.is_welded = is_welded;
    options.fps = (FRAMES - 1) / 2.0;
    SceneError error = {""};
    stage->scene = scene_read(path, &options, &error);
    if (!stage->scene)
        fail_msg("%s: %s", name, error.text);
    stage->pose = scene_pose_create(stage->scene);
    assert_non_null(stage->pose);
    MUST(pliant_world_create(NULL, &stage->world));
    for (int32_t i = 0; i < stage->scene->part_count; i++) {
        PliantShape *shape = make_shape(stage->scene, &stage->scene->parts[i]);
        assert_int_equal(test_shape_info(shape).is_closed, is_welded);
        for (int copy = 0; copy < 2; copy++)
            MUST(pliant_body_create(stage->world, shape, &stage->bodies[copy][i]));
        pliant_shape_release(shape);
    }
}

static void close_stage(Stage *stage)
{
    pliant_world_destroy(stage->world);
    scene_pose_free(stage->pose);
    scene_free(stage->scene);
}

static void pose_body(Stage *stage, int32_t index, PliantBody body)
{
    const ScenePart *part = &stage->scene->parts[index];
    const PartPose *pose = scene_pose_part(stage->pose, index);
    if (pose->vertices)
        MUST(pliant_body_set_vertices(stage->world, body,
                                      (PliantVertices){pose->vertices, part->vertex_count, 0}));
    if (pose->weights)
        MUST(pliant_body_set_weights(stage->world, body, pose->weights, part->target_count));
    if (pose->joints)
        MUST(pliant_body_set_joints(stage->world, body, pose->joints,
                                    stage->scene->skins[part->skin].joint_count));
    MUST(pliant_body_set_transform(stage->world, body, &pose->transform));
}

static void pose_at(Stage *stage, int32_t clip, double time)
{
    SceneError error;
    assert_true(scene_pose_at(stage->pose, clip, time, &error));
    for (int32_t i = 0; i < stage->scene->part_count; i++)
        for (int copy = 0; copy < 2; copy++)
            pose_body(stage, i, stage->bodies[copy][i]);
}

static void fetch(const float *vertices, const uint32_t triangle[3], float corners[9])
{
    for (int k = 0; k < 3; k++)
        memcpy(corners + 3 * k, vertices + 3 * (size_t)triangle[k], 3 * sizeof(float));
}

/* Pairs of triangles; of a part and its copy without what neighbors have in common. */
static int64_t count_pairs(Stage *stage, int32_t a, int32_t b)
{
    PliantContacts expected = pliant_contacts_default();
    MUST(pliant_bodies_collide(stage->world, stage->bodies[0][a], stage->bodies[1][b], NULL,
                               &expected));
    if (a != b)
        return expected.count;
    const ScenePart *part = &stage->scene->parts[a];
    float *vertices = malloc((size_t)part->vertex_count * 3 * sizeof *vertices);
    assert_non_null(vertices);
    MUST(test_body_vertices(stage->world, stage->bodies[0][a], vertices));
    int64_t count = 0;
    for (int64_t i = 0; i < expected.count; i++) {
        const uint32_t *first = part->triangles + 3 * (size_t)expected.items[i].triangle_a;
        const uint32_t *second = part->triangles + 3 * (size_t)expected.items[i].triangle_b;
        float corners[2][9];
        fetch(vertices, first, corners[0]);
        fetch(vertices, second, corners[1]);
        count += first < second &&
                 pliant_triangles_intersect_beyond_shared(corners[0], first, corners[1], second);
    }
    free(vertices);
    return count;
}

/* Of the arm, of the arm with the sleeve, of the sleeve. */
static void expect_pairs(Stage *stage, int32_t clip, double time, const bool expected[3])
{
    static const int32_t pairs[3][2] = {{0, 0}, {0, 1}, {1, 1}};
    pose_at(stage, clip, time);
    for (int i = 0; i < 3; i++)
        assert_int_equal(count_pairs(stage, pairs[i][0], pairs[i][1]) > 0, expected[i]);
}

static const bool none[3] = {false}, all[3] = {true, true, true};

static void test_gltf(void **state)
{
    (void)state;
    static const char *const names[] = {"arm.glb", "arm_text.gltf", "arm_sparse.glb",
                                        "arm_quantized.glb", "arm_meshopt.glb"};
    for (int i = 0; i < 5; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        if (i == 4 && access(path, R_OK) != 0)
            continue; /* there is no meshoptimizer */
        Stage stage;
        open_stage(&stage, names[i], true);
        assert_int_equal(stage.scene->part_count, 2);
        assert_int_equal(stage.scene->clip_count, 3);
        assert_string_equal(stage.scene->clips[0].name, "bend");
        expect_pairs(&stage, -1, 0, none);
        expect_pairs(&stage, 0, 0, none);
        expect_pairs(&stage, 0, 1, all);
        expect_pairs(&stage, 1, 1, (const bool[3]){false, true, false}); /* swell */
        expect_pairs(&stage, 2, 0.4, none);                              /* step */
        expect_pairs(&stage, 2, 1.4, all);
        close_stage(&stage);
    }
}

/* Seams are open, and neighbors across them touch. */
static void test_unwelded(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, "arm.glb", false);
    expect_pairs(&stage, -1, 0, (const bool[3]){true, false, true});
    close_stage(&stage);
}

static void test_caches(void **state)
{
    (void)state;
    static const char *const names[] = {"arm.pc2", "arm_####.obj"};
    for (int i = 0; i < 2; i++) {
        Stage stage;
        open_stage(&stage, names[i], true);
        assert_int_equal(stage.scene->clips[0].frame_count, FRAMES);
        expect_pairs(&stage, -1, 0, none);
        expect_pairs(&stage, 0, 1, all);
        expect_pairs(&stage, 0, 2, none);
        close_stage(&stage);
    }
}

/* The clip of the GLB and the frames of the OBJs are of one motion: at their keys, to rounding. */
static void test_motion(void **state)
{
    (void)state;
    Stage joints, cache;
    open_stage(&joints, "arm.glb", true);
    open_stage(&cache, "arm.pc2", true);
    for (int key = 0; key < 5; key++) {
        pose_at(&joints, 0, 0.5 * key);
        pose_at(&cache, 0, 0.5 * key);
        for (int32_t i = 0; i < 2; i++) {
            const int32_t count = joints.scene->parts[i].vertex_count;
            assert_int_equal(cache.scene->parts[i].vertex_count, count);
            float *vertices = malloc((size_t)count * 6 * sizeof *vertices);
            assert_non_null(vertices);
            MUST(test_body_vertices(joints.world, joints.bodies[0][i], vertices));
            MUST(test_body_vertices(cache.world, cache.bodies[0][i], vertices + 3 * count));
            for (int32_t k = 0; k < 3 * count; k++)
                assert_true(fabsf(vertices[k] - vertices[3 * count + k]) < 1e-6f);
            free(vertices);
        }
    }
    close_stage(&joints);
    close_stage(&cache);
}

static void test_ply(void **state)
{
    (void)state;
    Stage stage;
    open_stage(&stage, "arm.ply", true);
    pose_at(&stage, -1, 0);
    assert_int_equal(count_pairs(&stage, 0, 0), 0);
    close_stage(&stage);
}

static int make_folder(void **state)
{
    (void)state;
    const ArmDetail detail = {28, 24, 14};
    return new_folder(folder) && models_write(folder, &detail, FRAMES) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"arm.glb",         "arm_text.gltf",    "arm_sparse.glb",
                                        "arm_meshopt.glb", "arm.obj",          "arm.pc2",
                                        "arm.ply",         "arm_quantized.glb"};
    char path[128];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    for (int i = 1; i <= FRAMES; i++) {
        snprintf(path, sizeof path, "%s/arm_%04d.obj", folder, i);
        remove(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gltf),   cmocka_unit_test(test_unwelded),
        cmocka_unit_test(test_caches), cmocka_unit_test(test_motion),
        cmocka_unit_test(test_ply),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
