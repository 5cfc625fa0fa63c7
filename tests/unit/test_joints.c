/* Bodies that follow joints: mistakes, vertices, answers, freshness, memory, statistics. */
#include "ball.h"
#include "brute.h"
#include "calls.h"
#include "host.h"
#include "refuse.h"
#include "scenes.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- A ball and a world ------------------------------------------------------------------------
 */

enum { TARGETS = BALL_TARGETS, VERTICES = BALL_VERTICES, JOINTS = BALL_JOINTS };

typedef struct Fixture {
    TestHost host, shape_host; /* of the world, and of the shapes */
    Ball ball;
    PliantWorld *world;
} Fixture;

static PliantWorld *create_world(Fixture *f, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    PliantWorld *world = NULL;
    def.host = &f->host.host;
    def.cpu_mask = cpu_mask;
    MUST(pliant_world_create(&def, &world));
    return world;
}

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    test_host_init(&f->host);
    test_host_init(&f->shape_host);
    ball_init(&f->ball);
    f->world = create_world(f, PLIANT_CPU_ALL);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    pliant_world_destroy(f->world);
    assert_int_equal(f->host.blocks, 0);
    assert_int_equal(f->host.bytes, 0);
    assert_int_equal(f->shape_host.bytes, 0);
    ball_free(&f->ball);
    free(f);
    return 0;
}

/* With the skin, and with targets too. */
static PliantShapeDef def_of(Fixture *f)
{
    return ball_skin_def(&f->ball, &f->shape_host.host);
}

static PliantShapeDef morph_def_of(Fixture *f, PliantMorphKind kind)
{
    PliantShapeDef def = ball_def(&f->ball, kind, &f->shape_host.host);
    def.skin = &f->ball.skin;
    return def;
}

/* A body that is the only one to have its shape. */
static PliantBody create_own(Fixture *f, const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    PliantBody body = {0};
    MUST(pliant_shape_create(def, &shape));
    MUST(pliant_body_create(f->world, shape, &body));
    pliant_shape_release(shape);
    return body;
}

static void destroy_two(Fixture *f, PliantBody a, PliantBody b)
{
    MUST(pliant_body_destroy(f->world, a));
    MUST(pliant_body_destroy(f->world, b));
}

static void shift(Fixture *f, PliantBody body, float x)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    MUST(pliant_body_set_transform(f->world, body, &transform));
}

static void bend(Fixture *f, PliantBody body, double angle)
{
    PliantTransform joints[JOINTS];
    ball_bend(angle, joints);
    MUST(pliant_body_set_joints(f->world, body, joints, JOINTS));
}

static PliantContacts collide(Fixture *f, PliantQueryKind query)
{
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(f->world, TEST_QUERY(query), &contacts));
    return contacts;
}

static PliantStats stats_of(Fixture *f, PliantBody body)
{
    PliantStats stats = pliant_stats_default();
    MUST(pliant_body_stats(f->world, body, &stats));
    return stats;
}

/* The world's answer is that of brute force; returns how many pairs there are. */
static int64_t assert_right(Fixture *f, PliantBody a, PliantBody b)
{
    static float x[VERTICES][3], y[VERTICES][3];
    if (a.index > b.index)
        return assert_right(f, b, a);
    MUST(test_body_vertices(f->world, a, x[0]));
    MUST(test_body_vertices(f->world, b, y[0]));
    BruteContacts expected = {0};
    BruteBody brute_a = {x[0], f->ball.mesh.triangles, f->ball.mesh.triangle_count},
              brute_b = brute_a;
    brute_b.vertices = y[0];
    brute_force(&brute_a, &brute_b, &expected);
    PliantContacts contacts = collide(f, PLIANT_ALL_PAIRS);
    assert_int_equal(contacts.count, expected.count);
    for (int64_t i = 0; i < expected.count; i++) {
        assert_int_equal(contacts.items[i].triangle_a, expected.items[i].a);
        assert_int_equal(contacts.items[i].triangle_b, expected.items[i].b);
    }
    int64_t count = expected.count;
    brute_free(&expected);
    assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, count > 0);
    assert_int_equal(collide(f, PLIANT_ANY_PAIR).count, count > 0);
    return count;
}

/* The vertices of a body without a transform are those of the documented expression; without
 * weights or joints, that of the mesh at rest. */
static void assert_posed(Fixture *f, PliantBody body, const PliantShapeDef *def,
                         const float *weights, const PliantTransform *joints)
{
    static float got[VERTICES][3], wanted[VERTICES][3];
    const int32_t count = def->vertices.count;
    BruteMorph morph = {def->morph_kind, def->targets, def->target_count};
    memcpy(wanted, def->vertices.data, 12 * (size_t)count);
    if (weights)
        brute_blend(&morph, def->vertices.data, count, weights, wanted[0]);
    if (joints)
        brute_skin(def->skin, joints, wanted[0], count, wanted[0]);
    MUST(test_body_vertices(f->world, body, got[0]));
    for (int32_t i = 0; i < 3 * count; i++)
        assert_true(got[i / 3][i % 3] == wanted[i / 3][i % 3] ||
                    (isnan(got[i / 3][i % 3]) && isnan(wanted[i / 3][i % 3])));
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

/* A call that is refused leaves the body as it was. */
static void test_mistakes_of_joints(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f), plain = def;
    PliantTransform joints[JOINTS + 1], good[JOINTS];
    ball_bend(1, good);
    memcpy(joints, good, sizeof good);
    joints[JOINTS] = pliant_transform_identity();
    PliantBody body = create_own(f, &def), dead = create_own(f, &def);
    plain.skin = NULL;
    PliantBody rigid = create_own(f, &plain);
    MUST(pliant_body_destroy(f->world, dead));
    MUST(pliant_body_set_joints(f->world, body, joints, JOINTS));
#define REFUSE_JOINTS(body, joints, count, code, text)                                             \
    REFUSE(f->host, pliant_body_set_joints(f->world, body, joints, count), code, text)
    REFUSE_JOINTS(body, NULL, JOINTS, PLIANT_BAD_ARGUMENT, "joints is NULL");
    REFUSE_JOINTS(body, joints, JOINTS - 1, PLIANT_BAD_ARGUMENT, "count is 4");
    REFUSE_JOINTS(body, joints, JOINTS + 1, PLIANT_BAD_ARGUMENT, "count is 6");
    REFUSE_JOINTS(body, joints, -1, PLIANT_BAD_ARGUMENT, "count is -1");
    REFUSE_JOINTS(rigid, joints, JOINTS, PLIANT_BAD_ARGUMENT, "the shape has no ");
    REFUSE_JOINTS(rigid, joints, 0, PLIANT_BAD_ARGUMENT, "the shape has no ");
    REFUSE_JOINTS(dead, joints, JOINTS, PLIANT_BAD_ID, "body is {");
    for (int i = 0; i < 12; i++) {
        memcpy(joints, good, sizeof good);
        joints[3].rows[i / 4][i % 4] = i % 2 ? NAN : -INFINITY;
        REFUSE_JOINTS(body, joints, JOINTS, PLIANT_BAD_ARGUMENT, "joints[3]");
    }
#undef REFUSE_JOINTS
    assert_posed(f, body, &def, NULL, good);
}

/* ---- Vertices ----------------------------------------------------------------------------------
 */

/* Until joints are set a body is as if it had no skin. */
static void test_rest_without_joints(void **state)
{
    Fixture *f = *state;
    float got[VERTICES][3];
    const float weights[TARGETS] = {0.5f, 1, -1};
    PliantShapeDef def = def_of(f), morph = morph_def_of(f, PLIANT_MORPH_DISPLACEMENTS);
    for (int bound = 0; bound < 4; bound++) {
        def.bound_kind = morph.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &morph);
        MUST(test_body_vertices(f->world, a, got[0]));
        assert_memory_equal(got, f->ball.mesh.vertices, sizeof got);
        shift(f, b, 1.9f);
        assert_true(assert_right(f, a, b) > 0);
        shift(f, b, 0);
        MUST(pliant_body_set_weights(f->world, b, weights, TARGETS));
        assert_posed(f, b, &morph, weights, NULL);
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
}

/* All joints as at rest and weights of sum one: where it is at rest, but for rounding. */
static void test_joints_at_rest(void **state)
{
    Fixture *f = *state;
    float got[VERTICES][3];
    PliantShapeDef def = def_of(f);
    PliantBody a = create_own(f, &def);
    bend(f, a, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(fabsf(got[i / 3][i % 3] - f->ball.mesh.vertices[i]) <= 0x1p-23f);
}

/* Weights of any size and sum, for `influence_count` places. */
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
        PliantShapeDef def = def_of(f);
        int32_t influence_count = 1 + i / 5;
        make_any_skin(&any, influence_count, influence_count == 8 ? 40 : 7, (uint64_t)i / 5);
        def.skin = &any.skin;
        def.bound_kind = (PliantBoundKind)(i / 5 % 4);
        def.tree_leaf_size = 1 + 3 * (i / 5 % 6);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, any.transforms, any.skin.joint_count));
        assert_posed(f, a, &def, NULL, any.transforms);
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
    float got[2][3];
    MUST(pliant_body_set_joints(f->world, a, joints, 3));
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int v = 0; v < 2; v++) {
        assert_true(got[v][0] == 1);            /* (1 + 2^-24) + 2^-24 */
        assert_true(got[v][1] == 1 + 0x1p-23f); /* (2^-24 + 2^-24) + 1 */
        assert_true(got[v][2] == 0x1p-24f);     /* (1 - 1) + 2^-24 */
    }
    assert_posed(f, a, &def, NULL, joints);
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
    float got[2][3];
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
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = points_def(f, points, 4, &skin);
        float got[4][3];
        def.bound_kind = (PliantBoundKind)bound;
        def.tree_leaf_size = 1;
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

/* A joint that takes a vertex beyond all numbers: only those that follow it are lost. */
static void test_overflow(void **state)
{
    Fixture *f = *state;
    PliantTransform joints[JOINTS];
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        ball_bend(0.5, joints);
        for (int i = 0; i < 4; i++)
            joints[0].rows[2][i] = 3e38f;
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        assert_posed(f, a, &def, NULL, joints);
        assert_true(assert_right(f, a, b) > 0);
        int64_t lost = test_nonfinite_count(f->world, a);
        assert_in_range(lost, 1, f->ball.mesh.triangle_count / 2);
        for (int j = 1; j < JOINTS; j++)
            joints[j].rows[0][0] = joints[j].rows[0][1] = joints[j].rows[0][3] = 3e38f;
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        assert_posed(f, a, &def, NULL, joints);
        assert_right(f, a, b);
        bend(f, a, 0.5); /* and back */
        assert_true(assert_right(f, a, b) > 0);
        assert_int_equal(test_nonfinite_count(f->world, a), 0);
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
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = points_def(f, points, 2, &skin);
        def.bound_kind = (PliantBoundKind)bound;
        def.tree_leaf_size = 1;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, &joint, 1));
        MUST(pliant_body_set_transform(f->world, a, &transform));
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 2);
        destroy_two(f, a, b);
    }
}

/* NaN and infinity at rest stay with their vertices. */
static void test_odd_numbers_at_rest(void **state)
{
    Fixture *f = *state;
    PliantTransform joints[JOINTS];
    ball_bend(0.5, joints);
    f->ball.mesh.vertices[30] = NAN;
    f->ball.mesh.vertices[91] = INFINITY;
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        assert_true(assert_right(f, a, b) > 0);
        assert_in_range(test_nonfinite_count(f->world, a), 10, 12);
        destroy_two(f, a, b);
    }
}

/* ---- Answers -----------------------------------------------------------------------------------
 */

/* Two bodies of a shape, over joints that make them touch and part. */
static void run_pair(Fixture *f, const PliantShapeDef *def)
{
    static const float weights[TARGETS] = {0.5f, 0.25f, 0.25f};
    PliantBody a = create_own(f, def), b = create_own(f, def);
    const bool has_targets = def->target_count > 0;
    int64_t count = 0;
    for (int i = 0; i < 6; i++) {
        PliantTransform joints[JOINTS];
        ball_bend(0.6 * (i - 2), joints);
        if (i == 4) /* of any size, sheared and mirrored */
            for (int j = 0; j < JOINTS; j++) {
                joints[j].rows[0][0] = -1e3f;
                joints[j].rows[1][2] = 1.5f;
                joints[j].rows[2][2] = 1e-3f;
            }
        if (i == 5)
            joints[2] = (PliantTransform){{{0}}};
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        if (has_targets && i > 1)
            MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
        bend(f, b, -0.4 * i);
        assert_posed(f, a, def, has_targets && i > 1 ? weights : NULL, joints);
        shift(f, b, i % 2 ? 1.2f : 1.9f);
        count += assert_right(f, a, b);
    }
    assert_true(count > 0);
    destroy_two(f, a, b);
}

static void test_bounds_and_trees(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 3 * 4 * 4; i++) {
        PliantShapeDef def = i % 3 ? morph_def_of(f, (PliantMorphKind)(i % 3 - 1)) : def_of(f);
        def.bound_kind = (PliantBoundKind)(i / 3 % 4);
        def.tree_kind = (PliantTreeKind)(i / 12);
        def.tree_child_count = 2 << i % 3;
        def.tree_leaf_size = 1 + 5 * (i % 4);
        def.between_count = i % 3 == 2 ? i / 3 % 3 : 0;
        run_pair(f, &def);
    }
}

/* A body that follows one joint gives the pairs of the same body moved by its transform. */
static void test_rigid_is_moved(void **state)
{
    Fixture *f = *state;
    static uint16_t names[VERTICES];
    static float ones[VERTICES];
    static PliantContact kept[20000];
    SceneRandom random = {3};
    for (int v = 0; v < VERTICES; v++)
        ones[v] = 1;
    for (int round = 0; round < 12; round++) {
        PliantShapeDef def = def_of(f);
        PliantTransform moved;
        const PliantTransform identity = pliant_transform_identity();
        def.skin = &(PliantSkin){sizeof(PliantSkin), 1, 1, names, ones};
        def.bound_kind = (PliantBoundKind)(round % 4);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        for (int i = 0; i < 12; i++)
            moved.rows[i / 4][i % 4] = (float)(i % 5 == 0) + (float)scene_random(&random) - 0.5f;
        MUST(pliant_body_set_transform(f->world, b, &moved));
        PliantContacts contacts = collide(f, PLIANT_ALL_PAIRS);
        int64_t count = contacts.count;
        assert_in_range(count, 1, 20000);
        memcpy(kept, contacts.items, (size_t)count * sizeof *kept);
        MUST(pliant_body_set_transform(f->world, b, &identity));
        MUST(pliant_body_set_joints(f->world, b, &moved, 1));
        contacts = collide(f, PLIANT_ALL_PAIRS);
        assert_int_equal(contacts.count, count);
        assert_memory_equal(contacts.items, kept, (size_t)count * sizeof *kept);
        destroy_two(f, a, b);
    }
}

/* Far from the origin, by joints or by the transform. */
static void test_far_away(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 4 * 3 * 2; i++) {
        static const float distances[] = {1e4f, 1e5f, 1e6f};
        PliantTransform joints[JOINTS];
        float far = distances[i / 4 % 3];
        PliantShapeDef def = def_of(f);
        def.bound_kind = (PliantBoundKind)(i % 4);
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        ball_bend(0.5, joints);
        for (int j = 0; j < JOINTS; j++)
            joints[j].rows[0][3] += far;
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        bend(f, b, i / 12 ? 0.5 : -0.5);
        shift(f, b, far + 1.5f);
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
}

/* Fewer triangles than make a node: the box of the body is that of its only leaf. */
static void test_single_triangles(void **state)
{
    Fixture *f = *state;
    const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t triangle[] = {0, 1, 2};
    const uint16_t names[3] = {0, 0, 1};
    const float weights[3] = {1, 1, 1};
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = (PliantVertices){corners[0], 3, 0};
        def.triangles = (PliantTriangles){triangle, 1};
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody rigid = create_own(f, &def);
        def.skin = &(PliantSkin){sizeof(PliantSkin), 2, 1, names, weights};
        PliantBody body = create_own(f, &def);
        for (int step = -4; step <= 4; step++) {
            PliantTransform transform = pliant_transform_identity();
            PliantTransform joints[2] = {transform, transform};
            float z =
                0.5f * (float)step; /* of the last corner; the middle of its edges stays at 0 */
            joints[1].rows[2][3] = z;
            transform.rows[1][3] = 0.5f;
            transform.rows[2][3] = -0.5f * z;
            MUST(pliant_body_set_joints(f->world, body, joints, 2));
            MUST(pliant_body_set_transform(f->world, body, &transform));
            assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 1);
            transform.rows[1][3] = 1.25f;
            MUST(pliant_body_set_transform(f->world, body, &transform));
            assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 0);
        }
        destroy_two(f, rigid, body);
    }
}

/* ---- Never stale ------------------------------------------------------------------------------
 */

/* Weights and joints hold together, in whatever order they are set; caller-supplied vertices hold
 * until one of them is set again, and then both do. */
static void test_weights_and_supplied(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {0.25f, 0.5f, 0}, others[TARGETS] = {0, 0, 1};
    PliantTransform joints[JOINTS], turned[JOINTS];
    PliantVertices given = {f->ball.positions[1][0], VERTICES, 0};
    float got[VERTICES][3];
    ball_bend(1, joints);
    ball_bend(-0.5, turned);
    for (int i = 0; i < 8; i++) {
        PliantShapeDef def = morph_def_of(f, (PliantMorphKind)(i % 2));
        def.bound_kind = (PliantBoundKind)(i / 2);
        PliantBody a = create_own(f, &def), b = create_own(f, &def), c = create_own(f, &def);
        MUST(pliant_body_destroy(f->world, c));
        MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
        assert_posed(f, a, &def, weights, NULL);
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        assert_posed(f, a, &def, weights, joints);
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_set_weights(f->world, a, others, TARGETS));
        assert_posed(f, a, &def, others, joints);
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_set_vertices(f->world, a, given));
        MUST(test_body_vertices(f->world, a, got[0]));
        assert_memory_equal(got, f->ball.positions[1], sizeof got);
        assert_right(f, a, b);
        MUST(pliant_body_set_joints(f->world, a, turned, JOINTS));
        assert_posed(f, a, &def, others, turned);
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_borrow_vertices(f->world, a, given));
        assert_right(f, a, b);
        MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
        assert_posed(f, a, &def, weights, turned);
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_set_joints(f->world, b, joints, JOINTS)); /* without weights */
        assert_posed(f, b, &def, NULL, joints);
        assert_right(f, a, b);
        destroy_two(f, a, b);
    }
}

/* The same joints as before vertices were given, which put each part of the ball on the other side:
 * bounds of these do not pass for theirs. */
static void test_same_joints_again(void **state)
{
    Fixture *f = *state;
    float mirrored[VERTICES][3];
    for (int i = 0; i < 3 * VERTICES; i++)
        mirrored[i / 3][i % 3] = -f->ball.mesh.vertices[i];
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        shift(f, b, 1.9f);
        for (int round = 0; round < 3; round++) {
            bend(f, a, 0.1);
            assert_true(assert_right(f, a, b) > 0);
            MUST(pliant_body_set_vertices(f->world, a, (PliantVertices){mirrored[0], VERTICES, 0}));
            assert_true(assert_right(f, a, b) > 0);
        }
        destroy_two(f, a, b);
    }
}

/* One joint changes, frame by frame, and the transform in between. */
static void test_one_joint_changes(void **state)
{
    Fixture *f = *state;
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f);
        PliantTransform joints[JOINTS];
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        ball_bend(0.2, joints);
        bend(f, b, 0);
        shift(f, b, 1.9f);
        for (int frame = 0; frame < 20; frame++) {
            joints[frame % JOINTS].rows[frame % 3][3] += frame % 2 ? 0.25f : -0.5f;
            MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
            assert_posed(f, a, &def, NULL, joints);
            assert_right(f, a, b);
            if (frame % 4 == 3)
                shift(f, b, 0.1f * (float)(frame % 19));
        }
        destroy_two(f, a, b);
    }
}

/* Joints are copied; the same ones again change nothing, and nothing is made anew. */
static void test_joints_are_copied(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f);
    PliantBody a = create_own(f, &def), b = create_own(f, &def);
    PliantTransform joints[JOINTS], kept[JOINTS];
    ball_bend(0.5, joints);
    memcpy(kept, joints, sizeof kept);
    MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
    joints[0] = joints[4] = goes_to(9, 9, 9);
    assert_posed(f, a, &def, NULL, kept);
    shift(f, b, 1.5f);
    int64_t count = assert_right(f, a, b);
    MUST(pliant_body_set_joints(f->world, a, kept, JOINTS));
    assert_posed(f, a, &def, NULL, kept);
    assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, count);
    assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, count);
    assert_int_equal(stats_of(f, a).nodes_updated, 0);
    assert_int_equal(stats_of(f, b).nodes_updated, 0);
}

static void test_rounding_modes(void **state)
{
    Fixture *f = *state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    PliantTransform joints[JOINTS];
    float wanted[VERTICES][3], got[VERTICES][3];
    ball_bend(0.7, joints);
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, joints, JOINTS));
        int64_t count = assert_right(f, a, b);
        MUST(test_body_vertices(f->world, a, wanted[0]));
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            fesetround(modes[i]);
            PliantResult set = pliant_body_set_joints(f->world, a, joints, JOINTS);
            PliantResult result = test_body_vertices(f->world, a, got[0]);
            int64_t here = collide(f, PLIANT_ALL_PAIRS).count;
            int mode = fegetround();
            fesetround(FE_TONEAREST);
            assert_int_equal(set, PLIANT_OK);
            assert_int_equal(result, PLIANT_OK);
            assert_int_equal(mode, modes[i]);
            assert_memory_equal(got, wanted, sizeof got);
            assert_int_equal(here, count);
        }
        destroy_two(f, a, b);
    }
}

#if defined(__x86_64__)
/* Weights and joints that are not zero, for a caller to whom tiny numbers are, or are a trap. */
static void test_flush_and_trap_modes(void **state)
{
    Fixture *f = *state;
    static const unsigned modes[] = {0x1f80 | 0x8040, 0};
    const float points[2][3] = {{0x1p120f, 1, 1}, {0x1p-140f, 0, 0}};
    const uint16_t names[2] = {0, 0};
    const float weights[2] = {0x1p-140f, 1};
    const PliantSkin skin = {sizeof(PliantSkin), 1, 1, names, weights};
    const PliantTransform joint = {{{1, 0, 0, 0x1p-149f}, {0, 1, 0, 0}, {0, 0, 0x1p-130f, 0}}};
    PliantShapeDef def = points_def(f, points, 2, &skin);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        PliantShape *shape = NULL;
        PliantBody a = {0};
        __builtin_ia32_ldmxcsr(modes[i]);
        PliantResult results[] = {pliant_shape_create(&def, &shape),
                                  pliant_body_create(f->world, shape, &a),
                                  pliant_body_set_joints(f->world, a, &joint, 1)};
        __builtin_ia32_ldmxcsr(0x1f80);
        for (int r = 0; r < 3; r++)
            assert_int_equal(results[r], PLIANT_OK);
        assert_posed(f, a, &def, NULL, &joint);
        pliant_shape_release(shape);
    }
}
#endif

/* ---- Many joints ------------------------------------------------------------------------------
 */

/* As many as there can be: each vertex has one of its own, the last the last. */
static void test_max_joints(void **state)
{
    Fixture *f = *state;
    enum { MAX_VALUE = 65536 };
    static uint16_t names[VERTICES];
    static float ones[VERTICES];
    PliantTransform *joints = malloc(MAX_VALUE * sizeof *joints);
    for (int v = 0; v < VERTICES; v++) {
        names[v] = (uint16_t)(MAX_VALUE - 1 - 102 * (VERTICES - 1 - v));
        ones[v] = 1;
    }
    for (int j = 0; j < MAX_VALUE; j++) {
        joints[j] = pliant_transform_identity();
        joints[j].rows[0][3] = (float)(j % 1024) * 0x1p-12f;
    }
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f);
        def.skin = &(PliantSkin){sizeof(PliantSkin), MAX_VALUE, 1, names, ones};
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, joints, MAX_VALUE));
        assert_posed(f, a, &def, NULL, joints);
        assert_true(assert_right(f, a, b) > 0);
        joints[MAX_VALUE - 1].rows[1][3] += 1;
        MUST(pliant_body_set_joints(f->world, a, joints, MAX_VALUE));
        assert_posed(f, a, &def, NULL, joints);
        assert_true(assert_right(f, a, b) > 0);
        destroy_two(f, a, b);
    }
    free(joints);
}

/* ---- Memory -----------------------------------------------------------------------------------
 */

static void play_frame(Fixture *f, const PliantBody *bodies, int body_count, int frame)
{
    for (int i = 0; i < body_count; i++) {
        const float w = 0.2f * (float)((frame + i) % 5), weights[TARGETS] = {1 - w, w, 0};
        bend(f, bodies[i], 0.3 * ((frame + i) % 5));
        if (i % 3)
            MUST(pliant_body_set_weights(f->world, bodies[i], weights, TARGETS));
        shift(f, bodies[i], 1.5f * (float)i);
    }
    collide(f, PLIANT_ALL_PAIRS);
    collide(f, PLIANT_FIRST_PAIRS);
    collide(f, PLIANT_ANY_PAIR);
}

static void test_warm_frames_allocate_nothing(void **state)
{
    Fixture *f = *state;
    PliantBody bodies[12];
    for (int i = 0; i < 12; i++) {
        PliantShapeDef def = i % 3 ? morph_def_of(f, (PliantMorphKind)(i % 3 - 1)) : def_of(f);
        def.bound_kind = (PliantBoundKind)(i / 3);
        bodies[i] = create_own(f, &def);
    }
    for (int frame = 0; frame < 10; frame++)
        play_frame(f, bodies, 12, frame);
    int64_t calls = f->host.calls;
    for (int frame = 0; frame < 20; frame++)
        play_frame(f, bodies, 12, frame);
    assert_int_equal(f->host.calls, calls);
    PliantStats stats = pliant_stats_default();
    MUST(pliant_world_stats(f->world, &stats));
    assert_int_equal(stats.byte_size, f->host.bytes);
}

/* ---- Statistics: work only where it is close --------------------------------------------------
 */

static void test_nothing_is_evaluated_far_away(void **state)
{
    Fixture *f = *state;
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        bend(f, a, 0.5);
        bend(f, b, 0.5);
        shift(f, b, 8);
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 0);
        assert_int_equal(stats_of(f, a).vertices_evaluated, 0);
        assert_int_equal(stats_of(f, a).leaves_evaluated, 0);
        assert_int_equal(stats_of(f, a).vertices_read, 0);
        assert_int_equal(stats_of(f, b).vertices_evaluated, 0);
        destroy_two(f, a, b);
    }
}

/* Two large spheres that touch in one place: a small part of them is evaluated. */
static void test_little_is_evaluated_for_one_contact(void **state)
{
    Fixture *f = *state;
    SceneMesh mesh = scene_icosphere(5);
    size_t count = (size_t)mesh.vertex_count;
    uint16_t *names = malloc(2 * count * sizeof *names);
    float *weights = malloc(2 * count * sizeof *weights);
    const PliantTransform joints[2] = {pliant_transform_identity(), pliant_transform_identity()};
    for (size_t v = 0; v < count; v++) {
        names[2 * v] = 0;
        names[2 * v + 1] = 1;
        weights[2 * v] = 0.5f * (mesh.vertices[3 * v] + 1);
        weights[2 * v + 1] = 1 - weights[2 * v];
    }
    PliantShapeDef def = def_of(f);
    def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    def.skin = &(PliantSkin){sizeof(PliantSkin), 2, 2, names, weights};
    for (int bound = 0; bound < 4; bound++) {
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_joints(f->world, a, joints, 2));
        MUST(pliant_body_set_joints(f->world, b, joints, 2));
        shift(f, b, 1.999f);
        assert_true(collide(f, PLIANT_ALL_PAIRS).count > 0);
        size_t most = bound == PLIANT_BOUND_SPHERE ? count / 8 : count / 50; /* balls stand out */
        assert_in_range(stats_of(f, a).vertices_evaluated, 1, most);
        assert_in_range(stats_of(f, b).vertices_evaluated, 1, most);
        destroy_two(f, a, b);
    }
    free(names);
    free(weights);
    scene_mesh_free(&mesh);
}

/* One shape, many bodies, each with joints of its own. */
static void test_bodies_share_a_shape(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f);
    PliantShape *shape = NULL;
    PliantBody bodies[6];
    MUST(pliant_shape_create(&def, &shape));
    for (int i = 0; i < 6; i++) {
        MUST(pliant_body_create(f->world, shape, &bodies[i]));
        bend(f, bodies[i], 0.2 * i);
    }
    pliant_shape_release(shape);
    for (int i = 0; i < 6; i++) {
        PliantTransform joints[JOINTS];
        ball_bend(0.2 * i, joints);
        assert_posed(f, bodies[i], &def, NULL, joints);
    }
    assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
        TEST(mistakes_of_joints),
        TEST(rest_without_joints),
        TEST(joints_at_rest),
        TEST(instruction_sets),
        TEST(order_of_joints),
        TEST(joints_named_twice),
        TEST(sums_of_weights),
        TEST(overflow),
        TEST(tiny_weights),
        TEST(odd_numbers_at_rest),
        TEST(bounds_and_trees),
        TEST(rigid_is_moved),
        TEST(far_away),
        TEST(single_triangles),
        TEST(weights_and_supplied),
        TEST(same_joints_again),
        TEST(one_joint_changes),
        TEST(joints_are_copied),
        TEST(rounding_modes),
#if defined(__x86_64__)
        TEST(flush_and_trap_modes),
#endif
        TEST(max_joints),
        TEST(warm_frames_allocate_nothing),
        TEST(nothing_is_evaluated_far_away),
        TEST(little_is_evaluated_for_one_contact),
        TEST(bodies_share_a_shape),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
