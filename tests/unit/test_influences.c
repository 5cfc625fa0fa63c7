/* Shapes with influences, which are targets, a skin or both: made, refused, saved, mapped, damaged.
 * Most tests run over the ways to pose the ball; mistakes are listed for each kind of influence. */
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

enum { TARGETS = BALL_TARGETS, VERTICES = BALL_VERTICES, JOINTS = BALL_JOINTS, BOUNDS = 4 };

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

static PliantShapeDef def_of(Fixture *f, int drive)
{
    return ball_driven_def(&f->ball, (BallDrive)drive, &f->host.host);
}

static PliantShape *create_shape(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

static void refuse(Fixture *f, const PliantShapeDef *def, PliantResult code, const char *text)
{
    PliantShape *shape = NULL;
    REFUSE(f->host, pliant_shape_create(def, &shape), code, text);
    assert_null(shape);
    assert_int_equal(f->host.bytes, 0);
}

static void test_mistakes_of_shapes(void **state)
{
    Fixture *f = *state;
    const float good_weights[TARGETS] = {0.5f, 0, 1}, bad_weights[TARGETS] = {0, INFINITY, 0};
#define REFUSE_DEF(drive, field, value, text)                                                      \
    do {                                                                                           \
        PliantShapeDef def = def_of(f, BALL_BY_##drive);                                           \
        def.tree_weights = good_weights;                                                           \
        def.field = value;                                                                         \
        refuse(f, &def, PLIANT_BAD_ARGUMENT, "def." text);                                         \
    } while (0)
    REFUSE_DEF(WEIGHTS, morph_kind, (PliantMorphKind)2, "morph_kind is 2");
    REFUSE_DEF(WEIGHTS, morph_kind, (PliantMorphKind)-1, "morph_kind is -1");
    REFUSE_DEF(WEIGHTS, target_count, -1, "target_count is -1");
    REFUSE_DEF(WEIGHTS, targets, NULL, "targets is NULL");
    REFUSE_DEF(WEIGHTS, tree_weights, bad_weights, "tree_weights[1]");
    REFUSE_DEF(REFERENCES, between_count, -1, "between_count is -1");
    REFUSE_DEF(REFERENCES, between_count, 16, "between_count is 16");
    REFUSE_DEF(WEIGHTS, between_count, 1, "between_count is 1");
#undef REFUSE_DEF
}

static void test_mistakes_of_targets(void **state)
{
    Fixture *f = *state;
    float bad[VERTICES][3] = {{0}};
    bad[5][1] = NAN;
    const uint32_t falling[] = {4, 6, 5}, twice[] = {4, 4, 5}, outside[] = {1, 2, VERTICES};
    uint32_t all[VERTICES + 1];
    for (uint32_t i = 0; i <= VERTICES; i++)
        all[i] = i;
    const float *data = f->ball.data[0][0];
    enum { MOVES = BALL_BY_WEIGHTS, PLACES = BALL_BY_REFERENCES, N = VERTICES };
    enum { ARGUMENT = PLIANT_BAD_ARGUMENT, INDEX = PLIANT_BAD_INDEX };
    const struct {
        int drive, code;
        const char *text;
        PliantTarget target;
    } mistakes[] = {
        {MOVES, ARGUMENT, "def.targets[1].vertices.data is NULL", {{NULL, N, 0}, NULL}},
        {MOVES, ARGUMENT, "def.targets[1].vertices.count is 641", {{data, N - 1, 0}, NULL}},
        {PLACES, ARGUMENT, "def.targets[1].vertices.count is 643", {{data, N + 1, 0}, NULL}},
        {MOVES, ARGUMENT, "def.targets[1].vertices.count is -1", {{data, -1, 0}, falling}},
        {MOVES, INDEX, "def.targets[1].indices[642] is 642", {{data, N + 1, 0}, all}},
        {MOVES, ARGUMENT, "def.targets[1].vertices.stride is 8", {{data, N, 8}, NULL}},
        {PLACES, ARGUMENT, "def.targets[1].vertices.stride is 13", {{data, N, 13}, NULL}},
        {MOVES, ARGUMENT, "def.targets[1].vertices.data[", {{bad[0], N, 0}, NULL}},
        {PLACES, ARGUMENT, "def.targets[1].vertices.data[", {{bad[0], N, 0}, NULL}},
        {MOVES, ARGUMENT, "def.targets[1].vertices.data[", {{bad[3], 3, 0}, all}},
        {MOVES, INDEX, "def.targets[1].indices[2] is 5", {{data, 3, 0}, falling}},
        {MOVES, INDEX, "def.targets[1].indices[1] is 4", {{data, 3, 0}, twice}},
        {MOVES, INDEX, "def.targets[1].indices[2] is 642", {{data, 3, 0}, outside}},
        {PLACES, ARGUMENT, "def.targets[1].indices", {{data, N, 0}, all}},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        PliantShapeDef def = def_of(f, mistakes[i].drive);
        PliantTarget targets[TARGETS];
        memcpy(targets, def.targets, sizeof targets);
        targets[1] = mistakes[i].target;
        def.targets = targets;
        refuse(f, &def, (PliantResult)mistakes[i].code, mistakes[i].text);
    }
}

static void test_mistakes_of_skins(void **state)
{
    Fixture *f = *state;
#define REFUSE_SKIN(field, value, code, text)                                                      \
    do {                                                                                           \
        PliantShapeDef def = def_of(f, BALL_BY_JOINTS);                                            \
        PliantSkin skin = *def.skin;                                                               \
        skin.field = value;                                                                        \
        def.skin = &skin;                                                                          \
        refuse(f, &def, code, "def.skin." text);                                                   \
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
}

/* In one or two of the four influences of a vertex. */
static void test_mistakes_of_skin_weights(void **state)
{
    Fixture *f = *state;
    static const float bad[] = {-1, -0x1p-149f, NAN, INFINITY, -INFINITY};
    const PliantShapeDef def = def_of(f, BALL_BY_JOINTS);
    float *weight = f->ball.joint_weights[7];
    for (int i = 0; i < 5 * 2; i++) {
        const int index = i % 2 ? 3 : 0;
        const float kept = weight[index];
        weight[index] = bad[i / 2];
        refuse(f, &def, PLIANT_BAD_ARGUMENT,
               index == 0 ? "def.skin.weights[28]" : "def.skin.weights[31]");
        weight[index] = kept;
    }
    weight[0] = weight[2] = FLT_MAX; /* their sum overflows */
    refuse(f, &def, PLIANT_BAD_ARGUMENT, "def.skin");
    weight[0] = 1;
    f->ball.joints[7][2] = JOINTS;
    weight[2] = 0x1p-149f;
    refuse(f, &def, PLIANT_BAD_INDEX, "def.skin.joints[30] is 5");
    for (int i = 0; i < 2; i++) { /* a weight of zero: the joint is not used */
        weight[2] = i ? -0.0f : 0;
        pliant_shape_release(create_shape(&def));
    }
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

static void test_contents(void **state)
{
    Fixture *f = *state;
    for (int drive = 0; drive <= BALL_DRIVES; drive++) {
        PliantShapeDef def = def_of(f, drive == BALL_DRIVES ? BALL_BY_JOINTS : drive);
        if (drive == BALL_DRIVES)
            def.skin = NULL; /* then there are no influences at all */
        PliantShape *shape = create_shape(&def);
        PliantShapeInfo info = test_shape_info(shape);
        assert_int_equal(info.joint_count, def.skin ? JOINTS : 0);
        assert_int_equal(info.target_count, def.targets ? TARGETS : 0);
        assert_int_equal(info.vertex_count, VERTICES);
        assert_int_equal(info.nonfinite_count, 0);
        assert_memory_equal(pliant_shape_vertices(shape), f->ball.mesh.vertices, 12 * VERTICES);
        assert_int_equal(f->host.blocks, 2); /* only the block and the handle */
        pliant_shape_release(shape);
        assert_int_equal(f->host.bytes, 0);
    }
}

/* Poses a body of a shape with its targets, its joints or both. */
static void pose(PliantWorld *world, PliantBody body, const PliantShape *shape,
                 const float *weights, double angle)
{
    PliantTransform joints[JOINTS];
    ball_bend(angle, joints);
    if (test_shape_info(shape).target_count > 0)
        MUST(pliant_body_set_weights(world, body, weights, TARGETS));
    if (test_shape_info(shape).joint_count > 0)
        MUST(pliant_body_set_joints(world, body, joints, JOINTS));
}

/* Influences are borrowed for the time of the call only. */
static void test_influences_are_copied(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {0.5f, 0.25f, 0.25f};
    for (int drive = 0; drive < BALL_DRIVES; drive++) {
        PliantShapeDef def = def_of(f, drive);
        PliantShape *shape = create_shape(&def);
        PliantWorld *world;
        PliantBody body;
        PliantTransform joints[JOINTS];
        static float wanted[VERTICES][3], got[VERTICES][3];
        BruteMorph morph = {def.morph_kind, def.targets, def.target_count};
        ball_bend(1, joints);
        memcpy(wanted, f->ball.mesh.vertices, sizeof wanted);
        if (def.targets)
            brute_blend(&morph, f->ball.mesh.vertices, VERTICES, weights, wanted[0]);
        if (def.skin)
            brute_skin(def.skin, joints, wanted[0], VERTICES, wanted[0]);
        memset(f->ball.joints, 0, sizeof f->ball.joints);
        memset(f->ball.joint_weights, 0, sizeof f->ball.joint_weights);
        memset(f->ball.data, 0, sizeof f->ball.data);
        memset(f->ball.indices, 0, sizeof f->ball.indices);
        memset(f->ball.positions, 0, sizeof f->ball.positions);
        MUST(pliant_world_create(NULL, &world));
        MUST(pliant_body_create(world, shape, &body));
        pose(world, body, shape, weights, 1);
        MUST(test_body_vertices(world, body, got[0]));
        for (int i = 0; i < 3 * VERTICES; i++)
            assert_true(got[i / 3][i % 3] == wanted[i / 3][i % 3]);
        pliant_world_destroy(world);
        pliant_shape_release(shape);
        ball_free(&f->ball);
        ball_init(&f->ball);
    }
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

/* The contacts of two posed bodies of a shape, and the vertices of one. */
typedef struct Answers {
    int64_t count;
    int32_t triangles[ANSWERS][2];
    float vertices[VERTICES][3];
} Answers;

static void answer(PliantShape *shape, Answers *answers)
{
    const float weights[2][TARGETS] = {{0.5f, 0.5f, 0}, {0, 0.3f, 0.7f}};
    PliantTransform transform = pliant_transform_identity();
    PliantWorld *world;
    PliantBody bodies[2];
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_create(NULL, &world));
    for (int i = 0; i < 2; i++) {
        MUST(pliant_body_create(world, shape, &bodies[i]));
        pose(world, bodies[i], shape, weights[i], 0.5 * i - 0.2);
    }
    transform.rows[0][3] = test_shape_info(shape).joint_count > 0 ? 1.5f : 1.9f;
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
    for (int i = 0; i < BALL_DRIVES * BOUNDS; i++) {
        const int drive = i / BOUNDS, bound = i % BOUNDS;
        PliantShapeDef def = def_of(f, drive);
        PliantExperiments experiments = pliant_experiments_default();
        def.experiments = &experiments;
        size_t size;
        experiments.bound_kind = (PliantBoundKind)bound;
        def.between_count = drive == BALL_BY_REFERENCES ? bound : 0;
        unsigned char *data = saved(&def, &size);
        PliantShape *made = create_shape(&def), *mapped = NULL;
        MUST(pliant_shape_map(data, size, &f->host.host, &mapped));
        assert_int_equal(test_shape_info(mapped).target_count, def.target_count);
        assert_int_equal(test_shape_info(mapped).joint_count, def.skin ? JOINTS : 0);
        assert_int_equal(test_shape_info(mapped).byte_size, size);
        assert_same_answers(made, mapped);
        pliant_shape_release(made);
        pliant_shape_release(mapped);
        free(data);
    }
}

enum { SMALL_VARIANTS = 16 };

/* A tetrahedron, few enough bytes to damage each of them. Even variants have two targets of either
 * kind, odd ones have three joints, with a target or without. */
static unsigned char *saved_small(Fixture *f, int variant, size_t *size)
{
    static const uint16_t joints[4][3] = {{0, 1, 2}, {2, 0, 9}, {1, 9, 9}, {9, 9, 9}};
    static const float weights[4][3] = {{0.5f, 0.25f, 0.25f}, {0.75f, 0.5f, 0}, {1, 0, 0}, {0}};
    static const uint32_t two[] = {1, 3};
    const PliantSkin skin = {sizeof(PliantSkin), 3, 3, joints[0], weights[0]};
    const bool has_skin = variant % 2, is_other = variant / 2 % 2;
    const PliantTarget targets[] = {
        {{f->ball.positions[1][0], 4, 0}, NULL},
        {{f->ball.positions[2][0], is_other ? 4 : 2, 0}, is_other ? NULL : two}};
    SceneMesh mesh = scene_sphere(SCENE_TETRAHEDRON, 0);
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){mesh.vertices, 4, 0};
    def.triangles = (PliantTriangles){mesh.triangles, 4};
    experiments.tree_leaf_size = 1;
    experiments.tree_child_count = 2;
    experiments.bound_kind = (PliantBoundKind)(variant / 4);
    def.targets = targets;
    if (has_skin) {
        def.target_count = is_other;
        def.skin = &skin;
    } else {
        def.target_count = 2;
        def.morph_kind = (PliantMorphKind)is_other;
        def.between_count = is_other;
    }
    unsigned char *data = saved(&def, size);
    scene_mesh_free(&mesh);
    return data;
}

static void test_damaged_is_refused(void **state)
{
    Fixture *f = *state;
    for (int variant = 0; variant < SMALL_VARIANTS; variant++) {
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

/* Two bodies of an accepted shape, one posed by joints and one by weights, where it has them: as
 * many pairs as brute force finds. */
static void use_small(PliantShape *shape, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    PliantWorld *world;
    PliantBody a, b;
    PliantContacts contacts = pliant_contacts_default();
    PliantShapeInfo info = test_shape_info(shape);
    PliantTransform *joints = calloc((size_t)info.joint_count + 1, sizeof *joints);
    float *weights = calloc((size_t)info.target_count + 1, sizeof *weights);
    float *x = malloc(12 * (size_t)info.vertex_count), *y = malloc(12 * (size_t)info.vertex_count);
    for (int32_t j = 0; j < info.joint_count; j++) {
        joints[j] = pliant_transform_identity();
        joints[j].rows[j % 3][3] = 0.25f;
    }
    for (int32_t i = 0; i < info.target_count; i++)
        weights[i] = 0.25f + (float)i;
    MUST(pliant_world_create(&def, &world));
    MUST(pliant_body_create(world, shape, &a));
    MUST(pliant_body_create(world, shape, &b));
    if (info.joint_count > 0)
        MUST(pliant_body_set_joints(world, a, joints, info.joint_count));
    if (info.target_count > 0)
        MUST(pliant_body_set_weights(world, b, weights, info.target_count));
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
    free(weights);
    free(x);
    free(y);
}

/* Changes one word of a block and makes the checksum right: a wrong shape is still refused, and the
 * answers of an accepted one are right, though its influences may be others. Returns whether it was
 * accepted. */
static bool try_word(const unsigned char *block, size_t size, size_t at, int32_t value,
                     uint32_t cpu_mask)
{
    unsigned char *data = aligned_alloc(64, (size + 63) / 64 * 64);
    PliShapeHeader *header = (PliShapeHeader *)data;
    PliantShape *shape = NULL;
    memcpy(data, block, size);
    ((int32_t *)data)[at] = value;
    PliShapeHeader expected = *header;
    if (pli_shape_layout(&expected) && expected.byte_size <= size) {
        header->byte_size = expected.byte_size;
        header->checksum = pli_shape_checksum(header);
        if (pliant_shape_map(data, size, NULL, &shape) == PLIANT_OK)
            use_small(shape, cpu_mask);
    }
    const bool is_accepted = shape;
    pliant_shape_release(shape);
    free(data);
    return is_accepted;
}

enum { HOSTILE_VALUES = 14 };
static const int32_t hostile_values[HOSTILE_VALUES] = {
    0, 1, 2, 3, 4, 5, 8, 64, -1, INT32_MAX, INT32_MIN, 0x7fc00000, 0x7f800000, 0x3f000000};

/* All values in each word between two places, in bytes. */
static void try_words(const unsigned char *block, size_t size, size_t from, size_t to)
{
    for (size_t at = from / 4; at < to / 4; at++) {
        const uint32_t word = ((const uint32_t *)block)[at];
        for (int i = 0; i < HOSTILE_VALUES; i++)
            try_word(block, size, at, hostile_values[i], PLIANT_CPU_ALL);
        try_word(block, size, at, (int32_t)(word + 1), PLIANT_CPU_ALL);
        try_word(block, size, at, (int32_t)(word - 1), PLIANT_CPU_ALL);
    }
}

/* All words of the header and of the influences, and some of all others. */
static void test_hostile_is_refused(void **state)
{
    Fixture *f = *state;
    enum { ROUNDS = 2500 };
    SceneRandom random = {5};
    for (int variant = 0; variant < SMALL_VARIANTS; variant++) {
        size_t size;
        unsigned char *block = saved_small(f, variant, &size);
        const PliShapeHeader *header = (const PliShapeHeader *)block;
        const uint32_t first = offsetof(PliShapeHeader, vertex_count) / 4;
        int accepted = 0;
        try_words(block, size, 4 * first, sizeof *header);
        try_words(block, size, (size_t)header->sections[PLI_SECTION_target_firsts],
                  (size_t)header->sections[PLI_SECTION_skin_weights + 1]);
        for (int round = 0; round < ROUNDS; round++) {
            size_t at = first + scene_random_below(&random, (uint32_t)(size / 4) - first);
            int32_t value = scene_random_below(&random, 2)
                                ? hostile_values[scene_random_below(&random, HOSTILE_VALUES)]
                                : ((const int32_t *)block)[at] + 1;
            accepted +=
                try_word(block, size, at, value, round % 2 ? PLIANT_CPU_ALL : PLIANT_CPU_NONE);
        }
        assert_in_range(accepted, 50, ROUNDS / 2);
        free(block);
    }
}

/* A block whose header says that there are many targets of a mesh of one vertex. All of them are
 * right, but the tables that follow from them are not there. */
static unsigned char *saved_greedy(int32_t target_count, int32_t between_count,
                                   int32_t triangle_count, size_t *size)
{
    const float vertex[3] = {0};
    uint32_t *triangles = calloc(3 * (size_t)triangle_count, sizeof *triangles);
    const PliantTarget target = {{vertex, 1, 0}, NULL};
    PliantShapeDef def = pliant_shape_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    def.vertices = (PliantVertices){vertex, 1, 0};
    def.triangles = (PliantTriangles){triangles, triangle_count};
    def.morph_kind = PLIANT_MORPH_REFERENCES;
    def.targets = &target;
    def.target_count = 1;
    experiments.tree_leaf_size = 1;
    experiments.tree_child_count = 2;
    PliantShape *shape = create_shape(&def);
    const char *from = (const char *)shape->header;
    PliShapeHeader header = *shape->header;
    header.target_count = header.move_count = target_count;
    header.between_count = between_count;
    header.word_count = pli_word_count(pli_term_count(target_count, between_count));
    header.point_count = header.bound_count = 0;
    assert_true(pli_shape_layout(&header));
    *size = (size_t)header.byte_size;
    unsigned char *data = aligned_alloc(64, *size);
    memset(data, 0, *size);
    memcpy(data, &header, sizeof header);
    for (int i = 0; i < PLI_SECTION_target_firsts; i++)
        memcpy(data + header.sections[i], from + shape->header->sections[i],
               (size_t)(shape->header->sections[i + 1] - shape->header->sections[i]));
    int32_t *firsts = (int32_t *)(data + header.sections[PLI_SECTION_target_firsts]);
    for (int32_t t = 0; t <= target_count; t++)
        firsts[t] = t;
    ((PliShapeHeader *)data)->checksum = pli_shape_checksum((PliShapeHeader *)data);
    pliant_shape_release(shape);
    free(triangles);
    return data;
}

/* A block cannot make the library ask for more memory than in proportion to the block. */
static void test_greedy_is_refused(void **state)
{
    Fixture *f = *state;
    static const int32_t counts[][3] = {
        {100, 15, 100}, {1000, 15, 100}, {PLI_MAX_TARGETS, PLI_MAX_BETWEEN, 16}, {1000, 0, 1000}};
    for (int i = 0; i < 4; i++) {
        size_t size;
        unsigned char *data = saved_greedy(counts[i][0], counts[i][1], counts[i][2], &size);
        PliantShape *shape = NULL;
        f->host.largest = f->host.total = 0;
        assert_int_equal(pliant_shape_map(data, size, &f->host.host, &shape), PLIANT_BAD_DATA);
        assert_null(shape);
        assert_int_equal(f->host.blocks, 0);
        assert_true(f->host.largest <= (int64_t)size);
        assert_true(f->host.total <= 3 * (int64_t)size);
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
        TEST(mistakes_of_shapes), TEST(mistakes_of_targets),
        TEST(mistakes_of_skins),  TEST(mistakes_of_skin_weights),
        TEST(contents),           TEST(influences_are_copied),
        TEST(mapped_is_the_same), TEST(damaged_is_refused),
        TEST(hostile_is_refused), TEST(greedy_is_refused),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
