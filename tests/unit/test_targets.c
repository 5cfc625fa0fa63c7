/* Shapes with targets: made, refused, saved, mapped, damaged. */
#include "ball.h"
#include "brute.h"
#include "calls.h"
#include "host.h"
#include "refuse.h"
#include "scenes.h"
#include "shape/shape.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { TARGETS = BALL_TARGETS, VERTICES = BALL_VERTICES };

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

static PliantShapeDef def_of(Fixture *f, PliantMorphKind kind)
{
    return ball_def(&f->ball, kind, &f->host.host);
}

static PliantShape *create_shape(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

static void test_mistakes_of_shapes(void **state)
{
    Fixture *f = *state;
    const float good_weights[TARGETS] = {0.5f, 0, 1}, bad_weights[TARGETS] = {0, INFINITY, 0};
    PliantShape *shape = NULL;
#define REFUSE_DEF(kind, field, value, text)                                                       \
    do {                                                                                           \
        PliantShapeDef def = def_of(f, PLIANT_MORPH_##kind);                                       \
        def.tree_weights = good_weights;                                                           \
        def.field = value;                                                                         \
        REFUSE(f->host, pliant_shape_create(&def, &shape), PLIANT_BAD_ARGUMENT, text);             \
    } while (0)
    REFUSE_DEF(DISPLACEMENTS, morph_kind, (PliantMorphKind)2, "def.morph_kind is 2");
    REFUSE_DEF(DISPLACEMENTS, morph_kind, (PliantMorphKind)-1, "def.morph_kind is -1");
    REFUSE_DEF(DISPLACEMENTS, target_count, -1, "def.target_count is -1");
    REFUSE_DEF(DISPLACEMENTS, targets, NULL, "def.targets is NULL");
    REFUSE_DEF(DISPLACEMENTS, tree_weights, bad_weights, "def.tree_weights[1]");
    REFUSE_DEF(DISPLACEMENTS, bound_kind, (PliantBoundKind)4, "def.bound_kind is 4");
    REFUSE_DEF(REFERENCES, bound_kind, (PliantBoundKind)-1, "def.bound_kind is -1");
    REFUSE_DEF(REFERENCES, between_count, -1, "def.between_count is -1");
    REFUSE_DEF(REFERENCES, between_count, 16, "def.between_count is 16");
    REFUSE_DEF(DISPLACEMENTS, between_count, 1, "def.between_count is 1");
#undef REFUSE_DEF
    assert_null(shape);
    assert_int_equal(f->host.bytes, 0);
}

static void test_mistakes_of_targets(void **state)
{
    Fixture *f = *state;
    PliantShape *shape = NULL;
    float bad[VERTICES][3] = {{0}};
    bad[5][1] = NAN;
    const uint32_t falling[] = {4, 6, 5}, twice[] = {4, 4, 5}, outside[] = {1, 2, VERTICES};
    uint32_t all[VERTICES + 1];
    for (uint32_t i = 0; i <= VERTICES; i++)
        all[i] = i;
#define REFUSE_TARGET(kind, code, text, ...)                                                       \
    do {                                                                                           \
        PliantShapeDef def = def_of(f, PLIANT_MORPH_##kind);                                       \
        PliantTarget targets[TARGETS];                                                             \
        memcpy(targets, def.targets, sizeof targets);                                              \
        targets[1] = (PliantTarget)__VA_ARGS__;                                                    \
        def.targets = targets;                                                                     \
        REFUSE(f->host, pliant_shape_create(&def, &shape), code, "def.targets[1]." text);          \
    } while (0)
    const float *data = f->ball.data[0][0];
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_ARGUMENT, "vertices.data is NULL",
                  {{NULL, VERTICES, 0}, NULL});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_ARGUMENT, "vertices.count is 641",
                  {{data, VERTICES - 1, 0}, NULL});
    REFUSE_TARGET(REFERENCES, PLIANT_BAD_ARGUMENT, "vertices.count is 643",
                  {{data, VERTICES + 1, 0}, NULL});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_ARGUMENT, "vertices.count is -1",
                  {{data, -1, 0}, falling});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_INDEX, "indices[642] is 642",
                  {{data, VERTICES + 1, 0}, all});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_ARGUMENT, "vertices.stride is 8",
                  {{data, VERTICES, 8}, NULL});
    REFUSE_TARGET(REFERENCES, PLIANT_BAD_ARGUMENT, "vertices.stride is 13",
                  {{data, VERTICES, 13}, NULL});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_ARGUMENT, "vertices.data[",
                  {{bad[0], VERTICES, 0}, NULL});
    REFUSE_TARGET(REFERENCES, PLIANT_BAD_ARGUMENT, "vertices.data[", {{bad[0], VERTICES, 0}, NULL});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_ARGUMENT, "vertices.data[", {{bad[3], 3, 0}, all});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_INDEX, "indices[2] is 5", {{data, 3, 0}, falling});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_INDEX, "indices[1] is 4", {{data, 3, 0}, twice});
    REFUSE_TARGET(DISPLACEMENTS, PLIANT_BAD_INDEX, "indices[2] is 642", {{data, 3, 0}, outside});
    REFUSE_TARGET(REFERENCES, PLIANT_BAD_ARGUMENT, "indices", {{data, VERTICES, 0}, all});
#undef REFUSE_TARGET
    assert_null(shape);
    assert_int_equal(f->host.bytes, 0);
}

/* ---- Shapes ------------------------------------------------------------------------------------
 */

static void test_what_is_in_it(void **state)
{
    Fixture *f = *state;
    for (int kind = 0; kind < 2; kind++) {
        PliantShapeDef def = def_of(f, (PliantMorphKind)kind);
        PliantShape *shape = create_shape(&def);
        PliantShapeInfo info = test_shape_info(shape);
        assert_int_equal(info.target_count, TARGETS);
        assert_int_equal(info.vertex_count, VERTICES);
        assert_int_equal(info.nonfinite_count, 0);
        assert_memory_equal(pliant_shape_vertices(shape), f->ball.mesh.vertices, 12 * VERTICES);
        assert_int_equal(f->host.blocks, 2); /* nothing but the block and the handle */
        pliant_shape_release(shape);
        assert_int_equal(f->host.bytes, 0);
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

/* What two bodies of a shape answer at some weights, with the vertices of one. */
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
        MUST(pliant_body_set_weights(world, bodies[i], weights[i], TARGETS));
    }
    transform.rows[0][3] = 1.9f;
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
    for (int i = 0; i < 8; i++) {
        PliantShapeDef def = def_of(f, (PliantMorphKind)(i % 2));
        size_t size;
        def.bound_kind = (PliantBoundKind)(i / 2);
        def.between_count = i % 2 ? i / 2 : 0;
        unsigned char *data = saved(&def, &size);
        PliantShape *made = create_shape(&def), *mapped = NULL;
        MUST(pliant_shape_map(data, size, &f->host.host, &mapped));
        assert_int_equal(test_shape_info(mapped).target_count, TARGETS);
        assert_int_equal(test_shape_info(mapped).byte_size, size);
        assert_same_answers(made, mapped);
        pliant_shape_release(made);
        pliant_shape_release(mapped);
        free(data);
    }
}

/* A tetrahedron with two targets: few enough bytes to damage each of them. */
static unsigned char *saved_small(Fixture *f, int variant, size_t *size)
{
    static const uint32_t two[] = {1, 3};
    const PliantTarget targets[] = {
        {{f->ball.positions[1][0], 4, 0}, NULL},
        {{f->ball.positions[2][0], variant % 2 ? 4 : 2, 0}, variant % 2 ? NULL : two}};
    SceneMesh mesh = scene_sphere(SCENE_TETRAHEDRON, 0);
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh.vertices, 4, 0};
    def.triangles = (PliantTriangles){mesh.triangles, 4};
    def.tree_leaf_size = 1;
    def.tree_child_count = 2;
    def.targets = targets;
    def.target_count = 2;
    def.morph_kind = (PliantMorphKind)(variant % 2);
    def.bound_kind = (PliantBoundKind)(variant / 2);
    def.between_count = variant % 2;
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

/* Two bodies of a shape that was taken: as many pairs as brute force finds? */
static void use_small(PliantShape *shape, uint32_t cpu_mask)
{
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    PliantWorld *world;
    PliantBody a, b;
    PliantContacts contacts = pliant_contacts_default();
    PliantShapeInfo info = test_shape_info(shape);
    float *weights = calloc((size_t)info.target_count + 1, sizeof *weights);
    float *x = malloc(12 * (size_t)info.vertex_count), *y = malloc(12 * (size_t)info.vertex_count);
    for (int32_t i = 0; i < info.target_count; i++)
        weights[i] = 0.25f + (float)i;
    MUST(pliant_world_create(&def, &world));
    MUST(pliant_body_create(world, shape, &a));
    MUST(pliant_body_create(world, shape, &b));
    assert_int_equal(pliant_body_set_weights(world, a, weights, info.target_count),
                     info.target_count > 0 ? PLIANT_OK : PLIANT_BAD_ARGUMENT);
    MUST(pliant_world_collide(world, NULL, &contacts));
    MUST(test_body_vertices(world, a, x));
    MUST(test_body_vertices(world, b, y));
    BruteHits hits = {0};
    BruteBody brute_a = {x, pliant_shape_triangles(shape), info.triangle_count}, brute_b = brute_a;
    brute_b.vertices = y;
    brute_force(&brute_a, &brute_b, &hits);
    assert_int_equal(contacts.count, hits.count);
    brute_free(&hits);
    pliant_world_destroy(world);
    free(weights);
    free(x);
    free(y);
}

/* Who makes the checksum right as well gets no further: what is wrong is refused, and what is taken
 * is a shape whose answers are right, though its targets may be others. */
static void test_hostile_is_refused(void **state)
{
    Fixture *f = *state;
    SceneRandom random = {4};
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        static const int32_t values[] = {0, 1, -1, INT32_MAX, INT32_MIN, 2,
                                         3, 4, 5,  64,        0x7fc00000};
        size_t size;
        unsigned char *data = saved_small(f, round % 8, &size);
        PliShapeHeader *header = (PliShapeHeader *)data;
        int32_t *words = (int32_t *)data;
        size_t at = 8 + scene_random_below(&random, (uint32_t)(size / 4) - 8);
        words[at] = scene_random_below(&random, 2) ? values[scene_random_below(&random, 11)]
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
    assert_in_range(taken, 50, 15000);
}

/* A block whose header says that there are many targets, all of which are right, of a mesh of one
 * vertex; what would follow from them is left out. */
static unsigned char *saved_greedy(int32_t target_count, int32_t between_count,
                                   int32_t triangle_count, size_t *size)
{
    const float vertex[3] = {0};
    uint32_t *triangles = calloc(3 * (size_t)triangle_count, sizeof *triangles);
    const PliantTarget target = {{vertex, 1, 0}, NULL};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){vertex, 1, 0};
    def.triangles = (PliantTriangles){triangles, triangle_count};
    def.morph_kind = PLIANT_MORPH_REFERENCES;
    def.targets = &target;
    def.target_count = 1;
    def.tree_leaf_size = 1;
    def.tree_child_count = 2;
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

/* A block cannot make one ask for more memory than is in proportion to itself. */
static void test_greedy_is_refused(void **state)
{
    Fixture *f = *state;
    static const int32_t counts[][3] = {
        {100, 15, 100}, {1000, 15, 100}, {PLI_MOST_TARGETS, PLI_MOST_BETWEEN, 16}, {1000, 0, 1000}};
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
        TEST(mistakes_of_shapes), TEST(mistakes_of_targets), TEST(what_is_in_it),
        TEST(mapped_is_the_same), TEST(damaged_is_refused),  TEST(hostile_is_refused),
        TEST(greedy_is_refused),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
