/* Shapes with a skin: made, refused, saved, mapped, damaged. */
#include "ball.h"
#include "brute.h"
#include "calls.h"
#include "host.h"
#include "refuse.h"
#include "scenes.h"
#include "shape/shape.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { TARGETS = BALL_TARGETS, VERTICES = BALL_VERTICES, JOINTS = BALL_JOINTS };

typedef struct Fixture {
    TestHost host;
    Ball ball;
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    test_host_init(&f->host);
    ball_init(&f->ball);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    assert_int_equal(f->host.blocks, 0);
    assert_int_equal(f->host.bytes, 0);
    ball_free(&f->ball);
    free(f);
    return 0;
}

/* With targets, if there is a kind of them. */
enum { NO_TARGETS = -1 };

static PliantShapeDef def_of(Fixture *f, int morph_kind)
{
    PliantShapeDef def = ball_skin_def(&f->ball, &f->host.host);
    if (morph_kind != NO_TARGETS)
        def = ball_def(&f->ball, (PliantMorphKind)morph_kind, &f->host.host);
    def.skin = &f->ball.skin;
    return def;
}

static PliantShape *create_shape(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

static void test_mistakes_of_skins(void **state)
{
    Fixture *f = *state;
    PliantShape *shape = NULL;
#define REFUSE_SKIN(field, value, code, text)                                                      \
    do {                                                                                           \
        PliantShapeDef def = def_of(f, NO_TARGETS);                                                \
        PliantSkin skin = *def.skin;                                                               \
        skin.field = value;                                                                        \
        def.skin = &skin;                                                                          \
        REFUSE(f->host, pliant_shape_create(&def, &shape), code, "def.skin." text);                \
    } while (0)
    REFUSE_SKIN(struct_size, 8, PLIANT_BAD_DEF, "struct_size is 8");
    REFUSE_SKIN(joint_count, -1, PLIANT_BAD_ARGUMENT, "joint_count is -1");
    REFUSE_SKIN(joint_count, 0, PLIANT_BAD_ARGUMENT, "joint_count is 0");
    REFUSE_SKIN(joint_count, 65537, PLIANT_TOO_LARGE, "joint_count is 65537");
    REFUSE_SKIN(joint_count, INT32_MAX, PLIANT_TOO_LARGE, "joint_count is 2147483647");
    REFUSE_SKIN(influence_count, 0, PLIANT_BAD_ARGUMENT, "influence_count is 0");
    REFUSE_SKIN(influence_count, 9, PLIANT_BAD_ARGUMENT, "influence_count is 9");
    REFUSE_SKIN(influence_count, -1, PLIANT_BAD_ARGUMENT, "influence_count is -1");
    REFUSE_SKIN(joints, NULL, PLIANT_BAD_ARGUMENT, "joints is NULL");
    REFUSE_SKIN(weights, NULL, PLIANT_BAD_ARGUMENT, "weights is NULL");
    REFUSE_SKIN(joint_count, JOINTS - 1, PLIANT_BAD_INDEX, "joints[");
#undef REFUSE_SKIN
    assert_null(shape);
    assert_int_equal(f->host.bytes, 0);
}

/* One place of one vertex, or two. */
static void test_mistakes_of_influences(void **state)
{
    Fixture *f = *state;
    PliantShape *shape = NULL;
    static const float weights[] = {-1, -0x1p-149f, NAN, INFINITY, -INFINITY};
    const PliantShapeDef def = def_of(f, NO_TARGETS);
    uint16_t *joints = f->ball.joints[7];
    float *weight = f->ball.joint_weights[7];
    for (int i = 0; i < 5; i++) {
        for (int index = 0; index < 4; index += 3) {
            float kept = weight[index];
            weight[index] = weights[i];
            REFUSE(f->host, pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT,
                   index == 0 ? "def.skin.weights[28]" : "def.skin.weights[31]");
            weight[index] = kept;
        }
    }
    weight[0] = weight[2] = FLT_MAX; /* of which there is no sum */
    assert_int_equal(pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT);
    assert_non_null(strstr(f->host.message, "def.skin"));
    weight[0] = 1;
    joints[2] = JOINTS;
    weight[2] = 0x1p-149f;
    REFUSE(f->host, pliant_shape_create(&def, &shape), PLIANT_BAD_INDEX,
           "def.skin.joints[30] is 5");
    weight[2] = 0; /* then it is not used */
    shape = create_shape(&def);
    pliant_shape_release(shape);
    weight[2] = -0.0f;
    shape = create_shape(&def);
    pliant_shape_release(shape);
}

/* Without joints nothing else of a skin is read. */
static void test_no_skin(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f, NO_TARGETS);
    def.skin = NULL;
    PliantShape *shape = create_shape(&def);
    assert_int_equal(test_shape_info(shape).joint_count, 0);
    pliant_shape_release(shape);
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

static void test_what_is_in_it(void **state)
{
    Fixture *f = *state;
    for (int kind = NO_TARGETS; kind < 2; kind++) {
        PliantShapeDef def = def_of(f, kind);
        PliantShape *shape = create_shape(&def);
        PliantShapeInfo info = test_shape_info(shape);
        assert_int_equal(info.joint_count, JOINTS);
        assert_int_equal(info.target_count, kind == NO_TARGETS ? 0 : TARGETS);
        assert_int_equal(info.vertex_count, VERTICES);
        assert_memory_equal(pliant_shape_vertices(shape), f->ball.mesh.vertices, 12 * VERTICES);
        assert_int_equal(f->host.blocks, 2); /* nothing but the block and the handle */
        pliant_shape_release(shape);
        assert_int_equal(f->host.bytes, 0);
    }
}

/* What is borrowed is borrowed for the time of the call. */
static void test_skin_is_copied(void **state)
{
    Fixture *f = *state;
    PliantTransform joints[JOINTS];
    PliantShapeDef def = def_of(f, NO_TARGETS);
    PliantShape *shape = create_shape(&def);
    PliantWorld *world;
    PliantBody body;
    float wanted[VERTICES][3], got[VERTICES][3];
    ball_bend(1, joints);
    brute_skin(def.skin, joints, f->ball.mesh.vertices, VERTICES, wanted[0]);
    memset(f->ball.joints, 0, sizeof f->ball.joints);
    memset(f->ball.joint_weights, 0, sizeof f->ball.joint_weights);
    MUST(pliant_world_create(NULL, &world));
    MUST(pliant_body_create(world, shape, &body));
    MUST(pliant_body_set_joints(world, body, joints, JOINTS));
    MUST(test_body_vertices(world, body, got[0]));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(got[i / 3][i % 3] == wanted[i / 3][i % 3]);
    pliant_world_destroy(world);
    pliant_shape_release(shape);
}

/* ---- Saved and mapped -------------------------------------------------------------------------
 */

static unsigned char *saved(const PliantShapeDef *def, size_t *size)
{
    PliantShape *shape = create_shape(def);
    const void *data = pliant_shape_data(shape, size);
    unsigned char *copy = aligned_alloc(64, (*size + 63) / 64 * 64);
    memcpy(copy, data, *size);
    pliant_shape_release(shape);
    return copy;
}

enum { ANSWERS = 20000 };

/* What two bodies of a shape answer at some joints and weights, with the vertices of one. */
typedef struct Answers {
    int64_t count;
    int32_t triangles[ANSWERS][2];
    float vertices[VERTICES][3];
} Answers;

static void answer(PliantShape *shape, Answers *answers)
{
    const float weights[2][TARGETS] = {{0.5f, 0.5f, 0}, {0, 0.3f, 0.7f}};
    PliantTransform transform = pliant_transform_identity(), joints[JOINTS];
    PliantWorld *world;
    PliantBody bodies[2];
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_create(NULL, &world));
    for (int i = 0; i < 2; i++) {
        ball_bend(0.5 * i - 0.2, joints);
        MUST(pliant_body_create(world, shape, &bodies[i]));
        MUST(pliant_body_set_joints(world, bodies[i], joints, JOINTS));
        if (test_shape_info(shape).target_count > 0)
            MUST(pliant_body_set_weights(world, bodies[i], weights[i], TARGETS));
    }
    transform.rows[0][3] = 1.5f;
    MUST(pliant_body_set_transform(world, bodies[1], &transform));
    MUST(pliant_world_collide(world, NULL, &contacts));
    MUST(test_body_vertices(world, bodies[0], answers->vertices[0]));
    assert_in_range(contacts.count, 1, ANSWERS);
    answers->count = contacts.count;
    for (int64_t i = 0; i < contacts.count; i++) {
        answers->triangles[i][0] = contacts.items[i].triangle_a;
        answers->triangles[i][1] = contacts.items[i].triangle_b;
    }
    pliant_world_destroy(world);
}

static void assert_same_answers(PliantShape *one, PliantShape *other)
{
    static Answers of_one, of_other;
    answer(one, &of_one);
    answer(other, &of_other);
    assert_int_equal(of_one.count, of_other.count);
    assert_memory_equal(of_one.vertices, of_other.vertices, sizeof of_one.vertices);
    assert_memory_equal(of_one.triangles, of_other.triangles,
                        (size_t)of_one.count * sizeof *of_one.triangles);
}

static void test_mapped_is_the_same(void **state)
{
    Fixture *f = *state;
    for (int i = 0; i < 12; i++) {
        PliantShapeDef def = def_of(f, i % 3 - 1);
        size_t size;
        def.bound_kind = (PliantBoundKind)(i / 3);
        unsigned char *data = saved(&def, &size);
        PliantShape *made = create_shape(&def), *mapped = NULL;
        MUST(pliant_shape_map(data, size, &f->host.host, &mapped));
        assert_int_equal(test_shape_info(mapped).joint_count, JOINTS);
        assert_int_equal(test_shape_info(mapped).byte_size, size);
        assert_same_answers(made, mapped);
        pliant_shape_release(made);
        pliant_shape_release(mapped);
        free(data);
    }
}

/* A tetrahedron with three joints, and with a target or without: few enough bytes to damage each of
 * them. */
static unsigned char *saved_small(Fixture *f, int variant, size_t *size)
{
    static const uint16_t joints[4][3] = {{0, 1, 2}, {2, 0, 9}, {1, 9, 9}, {9, 9, 9}};
    static const float weights[4][3] = {{0.5f, 0.25f, 0.25f}, {0.75f, 0.5f, 0}, {1, 0, 0}, {0}};
    const PliantTarget target = {{f->ball.positions[1][0], 4, 0}, NULL};
    SceneMesh mesh = scene_sphere(SCENE_TETRAHEDRON, 0);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh.vertices, 4, 0};
    def.triangles = (PliantTriangles){mesh.triangles, 4};
    def.tree_leaf_size = 1;
    def.tree_child_count = 2;
    def.targets = &target;
    def.target_count = variant % 2;
    def.bound_kind = (PliantBoundKind)(variant / 2);
    def.skin = &(PliantSkin){sizeof(PliantSkin), 3, 3, joints[0], weights[0]};
    unsigned char *data = saved(&def, size);
    scene_mesh_free(&mesh);
    return data;
}

static void test_damaged_is_refused(void **state)
{
    Fixture *f = *state;
    for (int variant = 0; variant < 8; variant++) {
        size_t size;
        unsigned char *data = saved_small(f, variant, &size);
        PliantShape *shape = NULL;
        for (size_t i = 0; i < size; i++) {
            data[i] ^= 0x10;
            PliantResult result = pliant_shape_map(data, size, NULL, &shape);
            assert_true(result == PLIANT_BAD_DATA || result == PLIANT_BAD_VERSION);
            data[i] ^= 0x10;
        }
        for (size_t cut = 0; cut < size; cut += 7)
            assert_int_equal(pliant_shape_map(data, cut, NULL, &shape), PLIANT_BAD_DATA);
        assert_null(shape);
        free(data);
    }
}

/* Two bodies of a shape that was taken, one of which follows joints: as many pairs as brute force
 * finds? */
static void use_small(PliantShape *shape, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    PliantWorld *world;
    PliantBody a, b;
    PliantContacts contacts = pliant_contacts_default();
    PliantShapeInfo info = test_shape_info(shape);
    size_t joint_count = (size_t)info.joint_count;
    PliantTransform *joints = malloc((joint_count + 1) * sizeof *joints);
    float *x = malloc(12 * (size_t)info.vertex_count), *y = malloc(12 * (size_t)info.vertex_count);
    for (size_t j = 0; j < joint_count; j++) {
        joints[j] = pliant_transform_identity();
        joints[j].rows[j % 3][3] = 0.25f;
    }
    MUST(pliant_world_create(&def, &world));
    MUST(pliant_body_create(world, shape, &a));
    MUST(pliant_body_create(world, shape, &b));
    assert_int_equal(pliant_body_set_joints(world, a, joints, info.joint_count),
                     joint_count > 0 ? PLIANT_OK : PLIANT_BAD_ARGUMENT);
    MUST(pliant_world_collide(world, NULL, &contacts));
    MUST(test_body_vertices(world, a, x));
    MUST(test_body_vertices(world, b, y));
    BruteContacts expected = {0};
    BruteBody brute_a = {x, pliant_shape_triangles(shape), info.triangle_count}, brute_b = brute_a;
    brute_b.vertices = y;
    brute_force(&brute_a, &brute_b, &expected);
    assert_int_equal(contacts.count, expected.count);
    brute_free(&expected);
    pliant_world_destroy(world);
    free(joints);
    free(x);
    free(y);
}

/* Who makes the checksum right as well gets no further: what is wrong is refused, and what is taken
 * is a shape whose answers are right, though its weights may be others. */
static void test_hostile_is_refused(void **state)
{
    Fixture *f = *state;
    SceneRandom random = {5};
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        static const int32_t values[] = {0, 1, -1, INT32_MAX,  INT32_MIN,  2,
                                         3, 4, 8,  0x7fc00000, 0x7f800000, 0x3f000000};
        size_t size;
        unsigned char *data = saved_small(f, round % 8, &size);
        PliShapeHeader *header = (PliShapeHeader *)data;
        int32_t *words = (int32_t *)data;
        size_t at = 8 + scene_random_below(&random, (uint32_t)(size / 4) - 8);
        words[at] = scene_random_below(&random, 2) ? values[scene_random_below(&random, 12)]
                                                   : words[at] + 1;
        PliShapeHeader expected = *header;
        if (pli_shape_layout(&expected) && expected.byte_size <= size) {
            PliantShape *shape = NULL;
            header->byte_size = expected.byte_size;
            header->checksum = pli_shape_checksum(header);
            if (pliant_shape_map(data, size, NULL, &shape) == PLIANT_OK) {
                taken++;
                use_small(shape, round % 2 ? PLIANT_CPU_ALL : PLIANT_CPU_NONE);
                pliant_shape_release(shape);
            }
        }
        free(data);
    }
    assert_in_range(taken, 20, 15000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
        TEST(mistakes_of_skins),  TEST(mistakes_of_influences), TEST(no_skin),
        TEST(what_is_in_it),      TEST(skin_is_copied),         TEST(mapped_is_the_same),
        TEST(damaged_is_refused), TEST(hostile_is_refused),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
