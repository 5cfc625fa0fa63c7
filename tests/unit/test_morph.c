/* Bodies that morph: mistakes, vertices, answers, freshness, memory, statistics. */
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

enum { TARGETS = BALL_TARGETS, VERTICES = BALL_VERTICES };

typedef struct Fixture {
    TestHost host, shape_host; /* of the world, and of the shapes */
    Ball ball;
    PliantWorld *world;
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    test_host_init(&f->host);
    test_host_init(&f->shape_host);
    ball_init(&f->ball);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &f->host.host;
    MUST(pliant_world_create(&def, &f->world));
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

static PliantShapeDef def_of(Fixture *f, PliantMorphKind kind)
{
    return ball_def(&f->ball, kind, &f->shape_host.host);
}

static PliantShape *create_shape(const PliantShapeDef *def)
{
    PliantShape *shape = NULL;
    MUST(pliant_shape_create(def, &shape));
    return shape;
}

static PliantShape *create(Fixture *f, PliantMorphKind kind)
{
    PliantShapeDef def = def_of(f, kind);
    return create_shape(&def);
}

/* A body; the shape stays the caller's. */
static PliantBody create_body(Fixture *f, PliantShape *shape)
{
    PliantBody body = {0};
    MUST(pliant_body_create(f->world, shape, &body));
    return body;
}

/* A body that is the only one to have its shape. */
static PliantBody create_own(Fixture *f, const PliantShapeDef *def)
{
    PliantShape *shape = create_shape(def);
    PliantBody body = create_body(f, shape);
    pliant_shape_release(shape);
    return body;
}

static void shift(Fixture *f, PliantBody body, float x)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][3] = x;
    MUST(pliant_body_set_transform(f->world, body, &transform));
}

static void set_weights(Fixture *f, PliantBody body, float w0, float w1, float w2)
{
    const float weights[TARGETS] = {w0, w1, w2};
    MUST(pliant_body_set_weights(f->world, body, weights, TARGETS));
}

static PliantContacts collide(Fixture *f, PliantQueryKind query)
{
    PliantContacts contacts = pliant_contacts_default();
    contacts.count = -1;
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

/* The vertices of a body without a transform are those of the documented expression. */
static void assert_blended(Fixture *f, PliantBody body, const PliantShapeDef *def,
                           const float *weights)
{
    static float got[VERTICES][3], wanted[VERTICES][3];
    BruteMorph morph = {def->morph_kind, def->targets, def->target_count};
    brute_blend(&morph, def->vertices.data, def->vertices.count, weights, wanted[0]);
    MUST(test_body_vertices(f->world, body, got[0]));
    for (int32_t i = 0; i < 3 * def->vertices.count; i++)
        assert_true(got[i / 3][i % 3] == wanted[i / 3][i % 3]);
}

/* ---- Mistakes ----------------------------------------------------------------------------------
 */

/* A call that is refused leaves the body as it was. */
static void test_mistakes_of_weights(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
    PliantBody body = create_own(f, &def), dead = create_own(f, &def);
    float weights[TARGETS] = {0.5f, -1, 2};
    const float good[TARGETS] = {0.5f, -1, 2};
    def.target_count = 0;
    PliantBody rigid = create_own(f, &def);
    MUST(pliant_body_destroy(f->world, dead));
    MUST(pliant_body_set_weights(f->world, body, weights, TARGETS));
    REFUSE(f->host, pliant_body_set_weights(f->world, body, NULL, TARGETS), PLIANT_BAD_ARGUMENT,
           "weights is NULL");
    REFUSE(f->host, pliant_body_set_weights(f->world, body, weights, TARGETS - 1),
           PLIANT_BAD_ARGUMENT, "count is 2");
    REFUSE(f->host, pliant_body_set_weights(f->world, body, weights, TARGETS + 1),
           PLIANT_BAD_ARGUMENT, "count is 4");
    REFUSE(f->host, pliant_body_set_weights(f->world, rigid, weights, TARGETS), PLIANT_BAD_ARGUMENT,
           "the shape has no targets");
    REFUSE(f->host, pliant_body_set_weights(f->world, dead, weights, TARGETS), PLIANT_BAD_ID,
           "body is {");
    weights[2] = NAN;
    REFUSE(f->host, pliant_body_set_weights(f->world, body, weights, TARGETS), PLIANT_BAD_ARGUMENT,
           "weights[2]");
    weights[0] = -INFINITY;
    REFUSE(f->host, pliant_body_set_weights(f->world, body, weights, TARGETS), PLIANT_BAD_ARGUMENT,
           "weights[0]");
    def.target_count = TARGETS;
    assert_blended(f, body, &def, good);
}

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
    PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS), plain = def;
    def.targets = targets;
    PliantBody body = create_own(f, &def);
    MUST(pliant_body_set_weights(f->world, body, weights, TARGETS));
    assert_blended(f, body, &plain, weights);
}

/* ---- Vertices and answers ---------------------------------------------------------------------
 */

static void test_weights_of_zero_are_rest(void **state)
{
    Fixture *f = *state;
    float got[VERTICES][3];
    PliantShape *shape = create(f, PLIANT_MORPH_DISPLACEMENTS);
    PliantBody a = create_body(f, shape), b = create_body(f, shape);
    shift(f, b, 1.9f);
    int64_t count = assert_right(f, a, b);
    assert_true(count > 0);
    set_weights(f, a, 0, -0.0f, 0);
    set_weights(f, b, 0, 0, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    assert_memory_equal(got, f->ball.mesh.vertices, sizeof got);
    assert_int_equal(assert_right(f, a, b), count);
    pliant_shape_release(shape);
}

/* No reference at all is the sum of nothing. */
static void test_references_of_weight_zero(void **state)
{
    Fixture *f = *state;
    PliantShape *shape = create(f, PLIANT_MORPH_REFERENCES);
    PliantBody a = create_body(f, shape);
    float got[VERTICES][3];
    set_weights(f, a, 0, 0, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(got[i / 3][i % 3] == 0);
    set_weights(f, a, 1, 0, 0);
    MUST(test_body_vertices(f->world, a, got[0]));
    for (int i = 0; i < 3 * VERTICES; i++)
        assert_true(got[i / 3][i % 3] == f->ball.positions[0][i / 3][i % 3]);
    pliant_shape_release(shape);
}

/* Before weights are set a body is in its rest pose, whatever its targets are. */
static void test_rest_without_weights(void **state)
{
    Fixture *f = *state;
    float got[VERTICES][3];
    for (int kind = 0; kind < 2; kind++) {
        PliantShapeDef def = def_of(f, (PliantMorphKind)kind);
        PliantBody a = create_own(f, &def);
        MUST(test_body_vertices(f->world, a, got[0]));
        assert_memory_equal(got, f->ball.mesh.vertices, sizeof got);
    }
}

/* A pair of bodies of a shape, over weights that make them touch and part. */
static void run_pair(Fixture *f, const PliantShapeDef *def)
{
    static const float weights[][TARGETS] = {
        {1, 0, 0},  {0, 0, 0},       {0.25f, 0.75f, 0}, {0, 0.3f, 0.7f},
        {-1, 2, 0}, {0.5f, 0.5f, 0}, {0, 0.25f, 0.75f}, {0.3f, 0.3f, 0.4f}};
    PliantShape *shape = create_shape(def);
    PliantBody a = create_body(f, shape), b = create_body(f, shape);
    int64_t count = 0;
    for (int i = 0; i < 8; i++) {
        MUST(pliant_body_set_weights(f->world, a, weights[i], TARGETS));
        MUST(pliant_body_set_weights(f->world, b, weights[(i + 2) % 8], TARGETS));
        shift(f, b, i % 2 ? 1.9f : 2.6f);
        assert_blended(f, a, def, weights[i]);
        count += assert_right(f, a, b);
    }
    assert_true(count > 0);
    MUST(pliant_body_destroy(f->world, a));
    MUST(pliant_body_destroy(f->world, b));
    pliant_shape_release(shape);
}

static void test_bounds_and_trees(void **state)
{
    Fixture *f = *state;
    const float tree_weights[TARGETS] = {0.5f, 0.25f, 0.25f};
    for (int i = 0; i < 2 * 4 * 4; i++) {
        PliantShapeDef def = def_of(f, (PliantMorphKind)(i % 2));
        def.bound_kind = (PliantBoundKind)(i / 2 % 4);
        def.tree_kind = (PliantTreeKind)(i / 8);
        def.tree_child_count = 2 << i % 3;
        def.tree_leaf_size = 1 + 5 * (i % 4);
        def.between_count = i % 2 ? i / 2 % 5 : 0;
        def.tree_weights = i % 3 ? tree_weights : NULL;
        run_pair(f, &def);
    }
}

/* Fewer triangles than make a node: the box of the body is that of its only leaf. */
static void test_single_triangles(void **state)
{
    Fixture *f = *state;
    const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const float up[1][3] = {{0, 0, 2}};
    const uint32_t triangle[] = {0, 1, 2}, last[] = {2};
    const PliantTarget target = {{up[0], 1, 0}, last};
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = (PliantVertices){corners[0], 3, 0};
        def.triangles = (PliantTriangles){triangle, 1};
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody rigid = create_own(f, &def);
        def.targets = &target;
        def.target_count = 1;
        PliantBody body = create_own(f, &def);
        for (int step = -4; step <= 4; step++) {
            PliantTransform transform = pliant_transform_identity();
            float weight = 0.25f * (float)step;
            transform.rows[1][3] = 0.5f;
            transform.rows[2][3] = -weight; /* the middle of its edges stays at z = 0 */
            MUST(pliant_body_set_weights(f->world, body, &weight, 1));
            MUST(pliant_body_set_transform(f->world, body, &transform));
            assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 1);
            transform.rows[1][3] = 1.25f;
            MUST(pliant_body_set_transform(f->world, body, &transform));
            assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 0);
        }
        MUST(pliant_body_destroy(f->world, rigid));
        MUST(pliant_body_destroy(f->world, body));
    }
}

/* What a product or a sum takes beyond all numbers is in no pair, and is counted. */
static void test_overflow(void **state)
{
    Fixture *f = *state;
    int64_t around = 0;
    const float huge[1][3] = {{3e38f, 0, 0}};
    const uint32_t vertex[] = {7};
    const PliantTarget target = {{huge[0], 1, 0}, vertex};
    for (int32_t i = 0; i < 3 * f->ball.mesh.triangle_count; i++)
        around += f->ball.mesh.triangles[i] == vertex[0];
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
        def.targets = &target;
        def.target_count = 1;
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        int64_t all = assert_right(f, a, b);
        float weight = 2;
        MUST(pliant_body_set_weights(f->world, a, &weight, 1));
        assert_true(assert_right(f, a, b) < all);
        assert_int_equal(test_nonfinite_count(f->world, a), around);
        assert_int_equal(test_nonfinite_count(f->world, b), 0);
        weight = 0.5f; /* and back: far away, but a number */
        MUST(pliant_body_set_weights(f->world, a, &weight, 1));
        assert_right(f, a, b);
        assert_int_equal(test_nonfinite_count(f->world, a), 0);
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
}

/* All of it beyond all numbers: no pair, and no body pair of use. */
static void test_all_overflows(void **state)
{
    Fixture *f = *state;
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f, PLIANT_MORPH_REFERENCES);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        set_weights(f, a, 3e38f, 3e38f, 3e38f);
        set_weights(f, b, 1, 0, 0);
        assert_right(f, a, b);
        set_weights(f, a, 1, 0, 0);
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
}

/* NaN and infinity at rest stay, whatever the weights are. */
static void test_odd_numbers_at_rest(void **state)
{
    Fixture *f = *state;
    const float weights[TARGETS] = {1, -0.5f, 2};
    f->ball.mesh.vertices[30] = NAN;
    f->ball.mesh.vertices[90] = INFINITY;
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
        assert_true(assert_right(f, a, b) > 0);
        assert_true(test_nonfinite_count(f->world, a) >= 10);
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
}

/* ---- Never stale ------------------------------------------------------------------------------
 */

static void test_switching(void **state)
{
    Fixture *f = *state;
    PliantShape *shape = create(f, PLIANT_MORPH_DISPLACEMENTS);
    PliantBody a = create_body(f, shape), b = create_body(f, shape);
    PliantVertices vertices = {f->ball.positions[1][0], VERTICES, 0};
    shift(f, b, 2.2f);
    assert_int_equal(assert_right(f, a, b), 0);
    for (int round = 0; round < 3; round++) {
        set_weights(f, a, 0, 1, 0);
        assert_true(assert_right(f, a, b) > 0);
        MUST(pliant_body_set_vertices(f->world, a, vertices));
        assert_true(assert_right(f, a, b) > 0);
        set_weights(f, a, 0, 0, 1);
        assert_int_equal(assert_right(f, a, b), 0);
        MUST(pliant_body_borrow_vertices(f->world, a, vertices));
        assert_true(assert_right(f, a, b) > 0);
        set_weights(f, a, 0, 0, 0);
        assert_int_equal(assert_right(f, a, b), 0);
        set_weights(f, b, 0, 0, round == 1 ? 2 : 1); /* the other one reaches out */
        assert_true(assert_right(f, a, b) > 0);
        set_weights(f, b, 0, 0, 0);
        assert_int_equal(assert_right(f, a, b), 0);
    }
    pliant_shape_release(shape);
}

/* The same weights as before vertices were given, which put each part of the ball on the other
 * side: bounds of these do not pass for theirs. */
static void test_same_weights_again(void **state)
{
    Fixture *f = *state;
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        float mirrored[VERTICES][3];
        for (int i = 0; i < 3 * VERTICES; i++)
            mirrored[i / 3][i % 3] = -f->ball.mesh.vertices[i];
        shift(f, b, 1.9f);
        for (int round = 0; round < 3; round++) {
            set_weights(f, a, 0.25f, 0, 0);
            assert_true(assert_right(f, a, b) > 0);
            MUST(pliant_body_set_vertices(f->world, a, (PliantVertices){mirrored[0], VERTICES, 0}));
            assert_true(assert_right(f, a, b) > 0);
        }
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
}

/* What was lent is not read any more once there are weights. */
static void test_lent_is_given_back(void **state)
{
    Fixture *f = *state;
    PliantShape *shape = create(f, PLIANT_MORPH_DISPLACEMENTS);
    PliantBody a = create_body(f, shape), b = create_body(f, shape);
    float *lent = malloc(12 * VERTICES);
    memcpy(lent, f->ball.mesh.vertices, 12 * VERTICES);
    MUST(pliant_body_borrow_vertices(f->world, a, (PliantVertices){lent, VERTICES, 0}));
    shift(f, b, 1.5f);
    assert_true(assert_right(f, a, b) > 0);
    set_weights(f, a, 0.5f, 0, 0);
    free(lent);
    assert_true(assert_right(f, a, b) > 0);
    pliant_shape_release(shape);
}

/* Weights are copied; the same ones again change nothing. */
static void test_weights_are_copied(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
    PliantBody a = create_own(f, &def);
    float weights[TARGETS] = {0.5f, 0.25f, 0};
    const float kept[TARGETS] = {0.5f, 0.25f, 0};
    MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
    weights[0] = 9;
    assert_blended(f, a, &def, kept);
    MUST(pliant_body_set_weights(f->world, a, kept, TARGETS));
    assert_blended(f, a, &def, kept);
}

static void test_rounding_modes(void **state)
{
    Fixture *f = *state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const float weights[TARGETS] = {0.3f, 0.7f, -0.1f};
    float wanted[VERTICES][3], got[VERTICES][3];
    for (int kind = 0; kind < 2; kind++) {
        PliantShape *shape = create(f, (PliantMorphKind)kind);
        PliantBody a = create_body(f, shape), b = create_body(f, shape);
        MUST(pliant_body_set_weights(f->world, a, weights, TARGETS));
        int64_t count = assert_right(f, a, b);
        MUST(test_body_vertices(f->world, a, wanted[0]));
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            fesetround(modes[i]);
            PliantResult set = pliant_body_set_weights(f->world, a, weights, TARGETS);
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
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
        pliant_shape_release(shape);
    }
}

#if defined(__x86_64__)
/* Weights that are not zero, for a caller to whom tiny numbers are, or are a trap. */
static void test_flush_and_trap_modes(void **state)
{
    Fixture *f = *state;
    static const unsigned modes[] = {0x1f80 | 0x8040, 0};
    const float far[1][3] = {{0, 0x1p120f, 0}}, weight = 0x1p-140f;
    const uint32_t vertex[] = {3};
    const PliantTarget target = {{far[0], 1, 0}, vertex};
    PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
    def.targets = &target;
    def.target_count = 1;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        __builtin_ia32_ldmxcsr(modes[i]);
        PliantShape *shape = NULL;
        PliantBody a = {0};
        PliantResult results[] = {pliant_shape_create(&def, &shape),
                                  pliant_body_create(f->world, shape, &a),
                                  pliant_body_set_weights(f->world, a, &weight, 1)};
        __builtin_ia32_ldmxcsr(0x1f80);
        for (int r = 0; r < 3; r++)
            assert_int_equal(results[r], PLIANT_OK);
        assert_blended(f, a, &def, &weight);
        pliant_shape_release(shape);
    }
}
#endif

/* ---- Many targets -----------------------------------------------------------------------------
 */

enum { MANY = 200 };

/* Each displaces one vertex: bits of all words of a set of targets are in use. */
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
    for (int bound = 0; bound < 4; bound++) {
        PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
        def.targets = targets;
        def.target_count = MANY;
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        memset(weights, 0, sizeof weights);
        shift(f, b, 1.5f);
        for (int t = 0; t < MANY; t += 3) {
            weights[t] = t % 2 ? 1 : -1;
            weights[(t + 100) % MANY] = 0;
            MUST(pliant_body_set_weights(f->world, a, weights, MANY));
            assert_blended(f, a, &def, weights);
            assert_true(assert_right(f, a, b) > 0);
        }
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
}

/* ---- Memory -----------------------------------------------------------------------------------
 */

static void play_frame(Fixture *f, const PliantBody *bodies, int body_count, int frame)
{
    for (int i = 0; i < body_count; i++) {
        float w = 0.2f * (float)((frame + i) % 5);
        set_weights(f, bodies[i], 1 - w, w, 0.1f * (float)(frame % 2));
        shift(f, bodies[i], 1.5f * (float)i);
    }
    collide(f, PLIANT_ALL_PAIRS);
    collide(f, PLIANT_FIRST_PAIRS);
    collide(f, PLIANT_ANY_PAIR);
}

static void test_warm_frames_allocate_nothing(void **state)
{
    Fixture *f = *state;
    PliantBody bodies[8];
    for (int i = 0; i < 8; i++) {
        PliantShapeDef def = def_of(f, (PliantMorphKind)(i % 2));
        def.bound_kind = (PliantBoundKind)(i / 2);
        def.between_count = i % 2;
        bodies[i] = create_own(f, &def);
    }
    for (int frame = 0; frame < 10; frame++)
        play_frame(f, bodies, 8, frame);
    int64_t calls = f->host.calls;
    for (int frame = 0; frame < 20; frame++)
        play_frame(f, bodies, 8, frame);
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
        PliantShapeDef def = def_of(f, PLIANT_MORPH_DISPLACEMENTS);
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        set_weights(f, a, 1, 0.5f, 0.5f);
        set_weights(f, b, 1, 0.5f, 0.5f);
        shift(f, b, 5);
        assert_int_equal(collide(f, PLIANT_ALL_PAIRS).count, 0);
        assert_int_equal(stats_of(f, a).vertices_evaluated, 0);
        assert_int_equal(stats_of(f, a).leaves_evaluated, 0);
        assert_int_equal(stats_of(f, a).vertices_read, 0);
        assert_int_equal(stats_of(f, b).vertices_evaluated, 0);
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
}

/* Two large spheres that touch in one place: a small part of them is evaluated. */
static void test_little_is_evaluated_for_one_contact(void **state)
{
    Fixture *f = *state;
    SceneMesh mesh = scene_icosphere(5);
    size_t count = (size_t)mesh.vertex_count;
    float *larger = malloc(12 * count);
    for (size_t i = 0; i < 3 * count; i++)
        larger[i] = 1.1f * mesh.vertices[i];
    const PliantTarget targets[] = {{{mesh.vertices, mesh.vertex_count, 0}, NULL},
                                    {{larger, mesh.vertex_count, 0}, NULL}};
    const float weights[] = {0.5f, 0.5f};
    PliantShapeDef def = def_of(f, PLIANT_MORPH_REFERENCES);
    def.vertices = targets[0].vertices;
    def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    def.targets = targets;
    def.target_count = 2;
    for (int bound = 0; bound < 4; bound++) {
        def.bound_kind = (PliantBoundKind)bound;
        PliantBody a = create_own(f, &def), b = create_own(f, &def);
        MUST(pliant_body_set_weights(f->world, a, weights, 2));
        MUST(pliant_body_set_weights(f->world, b, weights, 2));
        shift(f, b, 2.099f);
        assert_true(collide(f, PLIANT_ALL_PAIRS).count > 0);
        size_t most = bound == PLIANT_BOUND_SPHERE ? count / 8 : count / 50; /* balls stand out */
        assert_in_range(stats_of(f, a).vertices_evaluated, 1, most);
        assert_in_range(stats_of(f, b).vertices_evaluated, 1, most);
        MUST(pliant_body_destroy(f->world, a));
        MUST(pliant_body_destroy(f->world, b));
    }
    free(larger);
    scene_mesh_free(&mesh);
}

/* The only weight that changes is of a bump on the other side: what was known still holds. */
static void test_untouched_nodes_are_kept(void **state)
{
    Fixture *f = *state;
    PliantShape *shape = create(f, PLIANT_MORPH_DISPLACEMENTS);
    PliantBody a = create_body(f, shape), b = create_body(f, shape);
    shift(f, b, 1.95f);
    set_weights(f, a, 0.5f, 0, 0);
    set_weights(f, b, 0.5f, 0, 0);
    assert_true(assert_right(f, a, b) > 0);
    set_weights(f, a, 0.5f, 0, 0.5f);
    assert_true(collide(f, PLIANT_ALL_PAIRS).count > 0);
    assert_in_range(stats_of(f, a).nodes_updated, 0, 3); /* those above both sides */
    assert_int_equal(stats_of(f, b).nodes_updated, 0);
    set_weights(f, a, 0.5f, 0.5f, 0.5f); /* and on this side */
    assert_true(assert_right(f, a, b) > 0);
    collide(f, PLIANT_ALL_PAIRS);
    assert_int_equal(stats_of(f, a).nodes_updated, 0);
    set_weights(f, a, 0.5f, 0.25f, 0.5f);
    collide(f, PLIANT_ALL_PAIRS);
    assert_true(stats_of(f, a).nodes_updated > 0);
    pliant_shape_release(shape);
}

/* One shape, many bodies, each with weights of its own. */
static void test_bodies_share_a_shape(void **state)
{
    Fixture *f = *state;
    PliantShapeDef def = def_of(f, PLIANT_MORPH_REFERENCES);
    def.between_count = 2;
    PliantShape *shape = create_shape(&def);
    PliantBody bodies[6];
    float weights[6][TARGETS];
    for (int i = 0; i < 6; i++) {
        bodies[i] = create_body(f, shape);
        for (int t = 0; t < TARGETS; t++)
            weights[i][t] = t == i % 3 ? 0.75f : t == (i + 1) % 3 ? 0.25f : 0;
        MUST(pliant_body_set_weights(f->world, bodies[i], weights[i], TARGETS));
    }
    pliant_shape_release(shape);
    for (int i = 0; i < 6; i++) {
        assert_blended(f, bodies[i], &def, weights[i]);
        shift(f, bodies[i], 0.3f * (float)i);
    }
    assert_int_equal(collide(f, PLIANT_FIRST_PAIRS).count, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
        TEST(mistakes_of_weights),
        TEST(strides),
        TEST(weights_of_zero_are_rest),
        TEST(references_of_weight_zero),
        TEST(rest_without_weights),
        TEST(bounds_and_trees),
        TEST(single_triangles),
        TEST(overflow),
        TEST(all_overflows),
        TEST(odd_numbers_at_rest),
        TEST(switching),
        TEST(same_weights_again),
        TEST(lent_is_given_back),
        TEST(weights_are_copied),
        TEST(rounding_modes),
#if defined(__x86_64__)
        TEST(flush_and_trap_modes),
#endif
        TEST(many_targets),
        TEST(warm_frames_allocate_nothing),
        TEST(nothing_is_evaluated_far_away),
        TEST(little_is_evaluated_for_one_contact),
        TEST(untouched_nodes_are_kept),
        TEST(bodies_share_a_shape),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
