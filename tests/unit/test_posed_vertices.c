/* Where the vertices of a driven body are: the documented expression to the last bit, at rest, for
 * odd weights and joints, in every mode of the processor, for many targets and joints. */
#include "driven.h"
#include <pliant/pliant.h>

#include <fenv.h>

/* ---- Rest --------------------------------------------------------------------------------------
 */

/* Until weights or joints are set a body is in its rest pose; until joints are, it is as if it had
 * no skin. */
static void test_rest(void **state)
{
    Fixture *f = *state;
    float got[VERTICES][3] = {{0}};
    const float weights[TARGETS] = {0.5f, 1, -1};
    for (int i = 0; i < BALL_DRIVES * BOUNDS; i++) {
        PliantShapeDef def = def_of(f, i / BOUNDS, i % BOUNDS);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(test_body_vertices(f->world, a, got[0]));
        assert_memory_equal(got, f->ball.mesh.vertices, sizeof got);
        shift(f, b, 1.9f);
        assert_true(assert_right(f, a, b) > 0);
        shift(f, b, 0);
        set_pose(f, b, &def, (Pose){weights, NULL});
        assert_posed(f, b, &def, (Pose){weights, NULL});
        shift(f, b, 0.5f);
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
}

/* Weights of zero, of displacements: the rest pose. */
static void test_weights_of_zero_are_rest(void **state)
{
    Fixture *f = *state;
    float got[VERTICES][3] = {{0}};
    PliantShapeDef def = def_of(f, BALL_BY_WEIGHTS, 0);
    PliantBody a = create_own(f, &def), b = create_own(f, &def);
    shift(f, b, 1.9f);
    int64_t count = assert_right(f, a, b);
    assert_true(count > 0);
    set_weights(f, a, 0, -0.0f, 0);
    set_weights(f, b, 0, 0, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    assert_memory_equal(got, f->ball.mesh.vertices, sizeof got);
    assert_int_equal(assert_right(f, a, b), count);
}

/* Weights of zero, of references: the empty sum. */
static void test_references_of_weight_zero(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f, BALL_BY_REFERENCES, 0);
    PliantBody a = create_own(f, &def);
    float got[VERTICES][3] = {{0}};
    set_weights(f, a, 0, 0, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(got[i / 3][i % 3] == 0);
    set_weights(f, a, 1, 0, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(got[i / 3][i % 3] == f->ball.positions[0][i / 3][i % 3]);
}

/* Joints at rest whose weights sum to one: the rest pose, but for rounding. */
static void test_joints_at_rest(void **state)
{
    Fixture *f = *state;
    float got[VERTICES][3] = {{0}};
    PliantShapeDef def = def_of(f, BALL_BY_JOINTS, 0);
    PliantBody a = create_own(f, &def);
    bend(f, a, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(fabsf(got[i / 3][i % 3] - f->ball.mesh.vertices[i]) <= 0x1p-23f);
}

/* ---- Sums ---------------------------------------------------------------------------------------
 */

/* Targets with gaps between their vertices are the same. */
static void test_strides(void **state)
{
    Fixture *f = *state;
    static float padded[TARGETS][VERTICES][5];
    PliantTarget targets[TARGETS];
    for (int t = 0; t < TARGETS; t++) {
        for (int v = 0; v < VERTICES; v++) {
            memcpy(padded[t][v], f->ball.data[t][v], 12);
            padded[t][v][3] = padded[t][v][4] = NAN;
        }
        targets[t] = f->ball.displacements[t];
        targets[t].vertices.data = padded[t][0];
        targets[t].vertices.stride = sizeof padded[t][0];
    }
    const float weights[TARGETS] = {-0.3f, 0.7f, 1.1f};
    PliantShapeDef def = def_of(f, BALL_BY_WEIGHTS, 0), plain = def;
    def.targets = targets;
    PliantBody body = create_own(f, &def);
    MUST(pliant_body_set_weights(f->world, body, weights, TARGETS));
    assert_posed(f, body, &plain, (Pose){weights, NULL});
}

/* Weights of any size and sum, for up to 8 influences a vertex. */
typedef struct AnySkin {
    uint16_t joints[8 * VERTICES];
    float weights[8 * VERTICES];
    PliantSkin skin;
    PliantTransform transforms[40];
} AnySkin;

static void make_any_skin(AnySkin *any, int32_t influence_count, int32_t joint_count, uint64_t seed)
{
    SceneRandom random = {seed};
    for (int32_t i = 0; i < VERTICES * influence_count; i++) {
        bool is_used = scene_random_below(&random, 4) > 0;
        any->joints[i] = (uint16_t)scene_random_below(&random, (uint32_t)joint_count);
        any->weights[i] = is_used ? (float)scene_random(&random) : 0;
    }
    for (int32_t i = 0; i < 12 * joint_count; i++) {
        float diagonal = i % 12 % 5 == 0;
        any->transforms[i / 12].rows[i % 12 / 4][i % 4] =
            diagonal + (float)scene_random(&random) - 0.5f;
    }
    any->skin =
        (PliantSkin){sizeof(PliantSkin), joint_count, influence_count, any->joints, any->weights};
}

/* The same vertices and the same answers on every instruction set. */
static void test_instruction_sets(void **state)
{
    Fixture *f = *state;
    static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512, PLIANT_CPU_ALL};
    static AnySkin any;
    for (int i = 0; i < 5 * 8; i++) {
        pliant_world_destroy(f->world);
        f->world = create_world(f, masks[i % 5]);
        PliantShapeDef def = def_of(f, BALL_BY_JOINTS, i / 5 % BOUNDS);
        PliantExperiments experiments = *def.experiments;
        def.experiments = &experiments;
        int32_t influence_count = 1 + i / 5;
        make_any_skin(&any, influence_count, influence_count == 8 ? 40 : 7, (uint64_t)i / 5);
        def.skin = &any.skin;
        experiments.tree_leaf_size = 1 + 3 * (i / 5 % 6);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, any.transforms, any.skin.joint_count));
        assert_posed(f, a, &def, (Pose){NULL, any.transforms});
        assert_true(assert_right(f, a, b) > 0);
    }
}

/* The skin of a few vertices, one behind the other in a row of triangles that are points. */
static PliantShapeDef points_def(Fixture *f, const float (*points)[3], int32_t count,
                                 const PliantSkin *skin)
{
    static const uint32_t triangles[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){points[0], count, 0};
    def.triangles = (PliantTriangles){triangles, count};
    def.host = &f->shape_host.host;
    def.skin = skin;
    return def;
}

/* Joints that take everything to x, y, z. */
static PliantTransform goes_to(float x, float y, float z)
{
    return (PliantTransform){{{0, 0, 0, x}, {0, 0, 0, y}, {0, 0, 0, z}}};
}

/* Joints are summed by their numbers, and not in the order in which a vertex names them. */
static void test_order_of_joints(void **state)
{
    Fixture *f = *state;
    const float points[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const uint16_t names[2][3] = {{2, 1, 0}, {1, 2, 0}};
    const float weights[2][3] = {{1, 1, 1}, {1, 1, 1}};
    const PliantSkin skin = {sizeof(PliantSkin), 3, 3, names[0], weights[0]};
    const PliantTransform joints[] = {goes_to(1, 0x1p-24f, 1), goes_to(0x1p-24f, 0x1p-24f, -1),
                                      goes_to(0x1p-24f, 1, 0x1p-24f)};
    PliantShapeDef def = points_def(f, points, 2, &skin);
    PliantBody a = create_own(f, &def);
    float got[2][3] = {{0}};
    MUST(pliant_body_set_joints(f->world, a, joints, 3));
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int v = 0; v < 2; v++) {
        assert_true(got[v][0] == 1);            /* (1 + 2^-24) + 2^-24 */
        assert_true(got[v][1] == 1 + 0x1p-23f); /* (2^-24 + 2^-24) + 1 */
        assert_true(got[v][2] == 0x1p-24f);     /* (1 - 1) + 2^-24 */
    }
    assert_posed(f, a, &def, (Pose){NULL, joints});
}

/* Weights of a joint that is named several times are added in the order given. */
static void test_joints_named_twice(void **state)
{
    Fixture *f = *state;
    const float points[2][3] = {{1, 2, 3}, {1, 2, 3}};
    const uint16_t names[2][4] = {{1, 0, 1, 1}, {1, 1, 0, 1}};
    const float weights[2][4] = {{1, 0, 0x1p-24f, 0x1p-24f}, {0x1p-24f, 0x1p-24f, 0, 1}};
    const PliantSkin skin = {sizeof(PliantSkin), 2, 4, names[0], weights[0]};
    const PliantTransform joints[] = {goes_to(7, 7, 7), pliant_transform_identity()};
    PliantShapeDef def = points_def(f, points, 2, &skin);
    PliantBody a = create_own(f, &def);
    float got[2][3] = {{0}};
    MUST(pliant_body_set_joints(f->world, a, joints, 2));
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int k = 0; k < 3; k++) {
        assert_true(got[0][k] == points[0][k]);
        assert_true(got[1][k] == points[0][k] * (1 + 0x1p-23f));
    }
}

/* Sums of weights from nothing to more than one; what has none is at the origin, and then moved. */
static void test_sums_of_weights(void **state)
{
    Fixture *f = *state;
    const float points[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const uint16_t names[4][2] = {{0, 1}, {0, 1}, {9, 9}, {1, 9}};
    const float weights[4][2] = {{0.25f, 0}, {1, 0.75f}, {0, -0.0f}, {0x1p-149f, 0}};
    const PliantSkin skin = {sizeof(PliantSkin), 2, 2, names[0], weights[0]};
    const PliantTransform joints[] = {pliant_transform_identity(), goes_to(8, 8, -8)};
    const float wanted[4][3] = {
        {0.25f, 0.5f, 0.75f}, {7, 8, -3}, {0, 0, 0}, {0x1p-146f, 0x1p-146f, -0x1p-146f}};
    for (int bound = 0; bound < BOUNDS; bound++) {
        PliantShapeDef def = points_def(f, points, 4, &skin);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        float got[4][3] = {{0}};
        experiments.bound_kind = (PliantBoundKind)bound;
        experiments.tree_leaf_size = 1;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, joints, 2));
        MUST(pliant_body_set_vertices(f->world, b, (PliantVertices){wanted[0], 4, 0}));
        MUST(test_body_vertices(f->world, a, got[0]));
        for (int i = 0; i < 12; i++)
            assert_true(got[i / 3][i % 3] == wanted[i / 3][i % 3]);
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 4);
        shift(f, a, 1);
        shift(f, b, 1);
        MUST(test_body_vertices(f->world, a, got[0]));
        assert_true(got[2][0] == 1 && got[2][1] == 0 && got[2][2] == 0);
        assert_true(collide(f, PLIANT_ALL_PAIRS).count >= 4);
        destroy_two(f, a, b);
    }
}

/* Tiny weights, and a transform that makes up for them: only on the way are numbers beyond all
 * floats, and no vertex is. */
static void test_tiny_weights(void **state)
{
    Fixture *f = *state;
    const float points[2][3] = {{0x1p40f, 0, 0}, {0x1p40f, 0x1p40f, 0}};
    const uint16_t names[2] = {0, 0};
    const float weights[2] = {0x1p-100f, 0x1p-100f};
    const PliantSkin skin = {sizeof(PliantSkin), 1, 1, names, weights};
    const PliantTransform joint = pliant_transform_identity(),
                          transform = {
                              {{0x1p100f, 0, 0, 0}, {0, 0x1p100f, 0, 0}, {0, 0, 0x1p100f, 0}}};
    for (int bound = 0; bound < BOUNDS; bound++) {
        PliantShapeDef def = points_def(f, points, 2, &skin);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        experiments.bound_kind = (PliantBoundKind)bound;
        experiments.tree_leaf_size = 1;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, &joint, 1));
        MUST(pliant_body_set_transform(f->world, a, &transform));
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 2);
        destroy_two(f, a, b);
    }
}

/* ---- Modes of the processor --------------------------------------------------------------------
 */

static void test_rounding_modes(void **state)
{
    Fixture *f = *state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const float weights[TARGETS] = {0.3f, 0.7f, -0.1f};
    PliantTransform joints[JOINTS];
    float wanted[VERTICES][3] = {{0}}, got[VERTICES][3] = {{0}};
    ball_bend(0.7, joints);
    const Pose pose = {weights, joints};
    for (int i = 0; i < BALL_DRIVES * BOUNDS; i++) {
        PliantShapeDef def = def_of(f, i / BOUNDS, i % BOUNDS);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        set_pose(f, a, &def, pose);
        int64_t count = assert_right(f, a, b);
        MUST(test_body_vertices(f->world, a, wanted[0]));
        for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
            fesetround(modes[m]);
            set_pose(f, a, &def, pose);
            PliantResult result = test_body_vertices(f->world, a, got[0]);
            int64_t here = collide(f, PLIANT_ALL_PAIRS).count;
            int mode = fegetround();
            fesetround(FE_TONEAREST);
            assert_int_equal(result, PLIANT_OK);
            assert_int_equal(mode, modes[m]);
            assert_memory_equal(got, wanted, sizeof got);
            assert_int_equal(here, count);
        }
        destroy_two(f, a, b);
    }
}

#if defined(__x86_64__)
/* Tiny numbers, for a caller whose processor flushes them to zero or traps on them. */
static void test_flush_and_trap_modes(void **state)
{
    Fixture *f = *state;
    static const unsigned modes[] = {0x1f80 | 0x8040, 0};
    const float far[1][3] = {{0, 0x1p120f, 0}}, weight = 0x1p-140f;
    const uint32_t vertex[] = {3};
    const PliantTarget target = {{far[0], 1, 0}, vertex};
    const float points[2][3] = {{0x1p120f, 1, 1}, {0x1p-140f, 0, 0}};
    const uint16_t names[2] = {0, 0};
    const float joint_weights[2] = {0x1p-140f, 1};
    const PliantSkin skin = {sizeof(PliantSkin), 1, 1, names, joint_weights};
    const PliantTransform joint = {{{1, 0, 0, 0x1p-149f}, {0, 1, 0, 0}, {0, 0, 0x1p-130f, 0}}};
    PliantShapeDef defs[] = {def_of(f, BALL_BY_WEIGHTS, 0), points_def(f, points, 2, &skin)};
    defs[0].targets = &target;
    defs[0].target_count = 1;
    for (int i = 0; i < 2 * PLAIN_DRIVES; i++) {
        const PliantShapeDef *def = &defs[i / 2];
        PliantShape *shape = NULL;
        PliantBody a = {0};
        __builtin_ia32_ldmxcsr(modes[i % 2]);
        PliantResult created = pliant_shape_create(def, &shape);
        PliantResult added = pliant_body_create(f->world, shape, &a);
        PliantResult set = i / 2 == BALL_BY_JOINTS
                               ? pliant_body_set_joints(f->world, a, &joint, 1)
                               : pliant_body_set_weights(f->world, a, &weight, 1);
        __builtin_ia32_ldmxcsr(0x1f80);
        MUST(created);
        MUST(added);
        MUST(set);
        assert_posed(f, a, def, (Pose){&weight, &joint});
        pliant_shape_release(shape);
    }
}
#endif

/* ---- Many targets, many joints ------------------------------------------------------------------
 */

enum { MANY = 200 };

/* Each target displaces one vertex: bits of all words of a set of targets are in use. */
static void test_many_targets(void **state)
{
    Fixture *f = *state;
    static PliantTarget targets[MANY];
    static uint32_t vertices[MANY];
    static float weights[MANY];
    const float out[1][3] = {{0.5f, 0.25f, -0.5f}};
    for (int t = 0; t < MANY; t++) {
        vertices[t] = (uint32_t)(3 * t);
        targets[t] = (PliantTarget){{out[0], 1, 0}, &vertices[t]};
    }
    for (int bound = 0; bound < BOUNDS; bound++) {
        PliantShapeDef def = def_of(f, BALL_BY_WEIGHTS, bound);
        def.targets = targets;
        def.target_count = MANY;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        memset(weights, 0, sizeof weights);
        shift(f, b, 1.5f);
        for (int t = 0; t < MANY; t += 3) {
            weights[t] = t % 2 ? 1 : -1;
            weights[(t + 100) % MANY] = 0;
            MUST(pliant_body_set_weights(f->world, a, weights, MANY));
            assert_posed(f, a, &def, (Pose){weights, NULL});
            assert_true(assert_right(f, a, b) > 0);
        }
        destroy_two(f, a, b);
    }
}

/* As many joints as a shape can have: each vertex has one of its own, the last one the last. */
static void test_max_joints(void **state)
{
    Fixture *f = *state;
    enum { MAX_JOINTS = 65536 };
    static uint16_t names[VERTICES];
    static float ones[VERTICES];
    PliantTransform *joints = malloc(MAX_JOINTS * sizeof *joints);
    for (int v = 0; v < VERTICES; v++) {
        names[v] = (uint16_t)(MAX_JOINTS - 1 - 102 * (VERTICES - 1 - v));
        ones[v] = 1;
    }
    for (int j = 0; j < MAX_JOINTS; j++) {
        joints[j] = pliant_transform_identity();
        joints[j].rows[0][3] = (float)(j % 1024) * 0x1p-12f;
    }
    for (int bound = 0; bound < BOUNDS; bound++) {
        PliantShapeDef def = def_of(f, BALL_BY_JOINTS, bound);
        def.skin = &(PliantSkin){sizeof(PliantSkin), MAX_JOINTS, 1, names, ones};
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, joints, MAX_JOINTS));
        assert_posed(f, a, &def, (Pose){NULL, joints});
        assert_true(assert_right(f, a, b) > 0);
        joints[MAX_JOINTS - 1].rows[1][3] += 1;
        MUST(pliant_body_set_joints(f->world, a, joints, MAX_JOINTS));
        assert_posed(f, a, &def, (Pose){NULL, joints});
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
    free(joints);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
        TEST(rest),
        TEST(weights_of_zero_are_rest),
        TEST(references_of_weight_zero),
        TEST(joints_at_rest),
        TEST(strides),
        TEST(instruction_sets),
        TEST(order_of_joints),
        TEST(joints_named_twice),
        TEST(sums_of_weights),
        TEST(tiny_weights),
        TEST(rounding_modes),
        TEST(many_targets),
        TEST(max_joints),
#if defined(__x86_64__)
        TEST(flush_and_trap_modes),
#endif
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
