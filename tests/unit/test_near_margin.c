/* A margin of near queries: the same bytes as without it, and when what was kept is used. */
#include "unit.h"

#include "host.h"
#include "refuse.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Two sheets of SIDE x SIDE vertices, one above the other. */
enum { SIDE = 8, COUNT = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct Stage {
    TestHost host;
    PliantShape *shape;
    PliantWorld *world;
    PliantBody bodies[2];
    float vertices[2][COUNT][3]; /* that are borrowed */
    PliantNearDef def;
} Stage;

static void fill_sheet(float (*vertices)[3], float z)
{
    for (int i = 0; i < COUNT; i++) {
        const int row = i / SIDE;
        vertices[i][0] = (float)(i % SIDE);
        vertices[i][1] = (float)row;
        vertices[i][2] = z;
    }
}

static void fill_triangles(uint32_t (*triangles)[3])
{
    for (uint32_t i = 0; i < (SIDE - 1) * (SIDE - 1); i++) {
        const uint32_t v = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
        memcpy(triangles[2 * i], (const uint32_t[]){v, v + 1, v + SIDE}, 12);
        memcpy(triangles[2 * i + 1], (const uint32_t[]){v + 1, v + SIDE + 1, v + SIDE}, 12);
    }
}

static PliantShape *make_sheet(const uint32_t *groups)
{
    float vertices[COUNT][3];
    uint32_t triangles[TRIANGLES][3];
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    fill_sheet(vertices, 0);
    fill_triangles(triangles);
    def.vertices = (PliantVertices){vertices[0], COUNT, 0};
    def.triangles = (PliantTriangles){triangles[0], TRIANGLES};
    def.groups = groups;
    MUST(pliant_shape_create(&def, &shape));
    return shape;
}

static void lend(Stage *stage, int i)
{
    MUST(pliant_body_create(stage->world, stage->shape, &stage->bodies[i]));
    MUST(pliant_body_borrow_vertices(stage->world, stage->bodies[i],
                                     (PliantVertices){stage->vertices[i][0], COUNT, 0}));
}

static void start_with(Stage *stage, const uint32_t *groups)
{
    test_host_init(&stage->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &stage->host.host;
    MUST(pliant_world_create(&def, &stage->world));
    stage->shape = make_sheet(groups);
    for (int i = 0; i < 2; i++) {
        fill_sheet(stage->vertices[i], .25f * (float)i);
        lend(stage, i);
    }
    stage->def = pliant_near_def_default();
    stage->def.distance = .25f;
    stage->def.margin = .25f;
}

static void start(Stage *stage)
{
    start_with(stage, NULL);
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
    pliant_shape_release(stage->shape);
}

/* Compares the pairs of the whole world, or of two bodies, with those without a margin. Returns
 * whether the query with a margin searched for nothing. */
static bool ask(Stage *stage, bool is_of_two)
{
    PliantNearPairs pairs = pliant_near_pairs_default(), plain = pairs;
    PliantStats stats = pliant_stats_default();
    PliantNearDef def = stage->def;
    if (is_of_two)
        MUST(pliant_bodies_near(stage->world, stage->bodies[0], stage->bodies[1], &def, &pairs));
    else
        MUST(pliant_world_near(stage->world, &def, &pairs));
    MUST(pliant_world_stats(stage->world, &stats));
    const size_t size = (size_t)pairs.count * sizeof *pairs.items;
    PliantNearPair *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, pairs.items, size);
    def.margin = 0;
    if (is_of_two)
        MUST(pliant_bodies_near(stage->world, stage->bodies[0], stage->bodies[1], &def, &plain));
    else
        MUST(pliant_world_near(stage->world, &def, &plain));
    assert_int_equal(plain.count, pairs.count);
    if (size > 0)
        assert_memory_equal(copy, plain.items, size);
    free(copy);
    return stats.leaves_evaluated == 0;
}

static bool is_kept(Stage *stage)
{
    return ask(stage, false);
}

static void move(Stage *stage, int i, int axis, float by)
{
    for (int v = 0; v < COUNT; v++)
        stage->vertices[i][v][axis] += by;
}

/* Along the sheets, so that they stay near. */
static void shift(Stage *stage, int i, float by)
{
    move(stage, i, 0, by);
}

/* Away from the other one, or toward it. */
static void lift(Stage *stage, int i, float by)
{
    move(stage, i, 2, by);
}

static void test_bad_margins(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    const float bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        stage.def.margin = bad[i];
        REFUSE(stage.host, pliant_world_near(stage.world, &stage.def, &pairs), PLIANT_BAD_ARGUMENT,
               "def.margin is");
    }
    stage.def.struct_size = offsetof(PliantNearDef, margin); /* it had none once */
    MUST(pliant_world_near(stage.world, &stage.def, &pairs));
    stage.def.struct_size = sizeof stage.def;
    stage.def.margin = stage.def.distance = FLT_MAX; /* the sum is no float */
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    end(&stage);
}

/* Both bodies count: half of the margin each, and what they move by is summed up. */
static void test_two_bodies(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    shift(&stage, 0, -.0625f);
    shift(&stage, 1, .125f);
    assert_true(is_kept(&stage));
    shift(&stage, 0, -.125f); /* 0.3125 in all */
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    shift(&stage, 1, .28125f);
    assert_false(is_kept(&stage));
    shift(&stage, 0, .1875f);
    shift(&stage, 1, -.40625f); /* back */
    assert_false(is_kept(&stage));
    end(&stage);
}

/* One vertex counts as much as all, and along a diagonal as far as it is long. */
static void test_one_vertex(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_false(is_kept(&stage));
    for (int k = 0; k < 3; k++)
        stage.vertices[1][COUNT - 1][k] += .125f; /* 0.217 */
    assert_true(is_kept(&stage));
    for (int k = 0; k < 3; k++)
        stage.vertices[1][COUNT - 1][k] += .03125f; /* 0.271 */
    assert_false(is_kept(&stage));
    end(&stage);
}

/* Within a body, vertices move toward each other: by half of the margin. */
static void test_self(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    stage.bodies[1] = stage.bodies[0];
    stage.def.distance = 1;
    assert_false(ask(&stage, true));
    for (int v = 0; v < COUNT; v++)
        stage.vertices[0][v][0] += v % 2 ? .1171875f : -.1171875f;
    assert_true(ask(&stage, true));
    for (int v = 0; v < COUNT; v++)
        stage.vertices[0][v][0] += v % 2 ? .03125f : -.03125f;
    assert_false(ask(&stage, true));
    stage.def.rest_distance = 1.5f;
    assert_false(ask(&stage, true));
    assert_true(ask(&stage, true));
    MUST(pliant_bodies_near(stage.world, stage.bodies[0], stage.bodies[0], &stage.def, &pairs));
    const int64_t count = pairs.count;
    stage.def.rest_distance = 0;
    assert_false(ask(&stage, true));
    MUST(pliant_bodies_near(stage.world, stage.bodies[0], stage.bodies[0], &stage.def, &pairs));
    assert_true(pairs.count > count);
    end(&stage);
}

/* What was kept for one distance serves any other that leaves room. */
static void test_distances(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_false(ask(&stage, true));
    stage.def.distance = .5f;
    assert_true(ask(&stage, true));
    stage.def.distance = nextafterf(.5f, 1);
    assert_false(ask(&stage, true));
    stage.def.distance = 0;
    assert_true(ask(&stage, true));
    stage.def.margin = 1e-30f;
    lift(&stage, 1, -.25f);
    assert_true(ask(&stage, true));
    end(&stage);
}

/* A vertex that becomes finite is not one that has moved; nor is one that ceases to be. */
static void test_nonfinite(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        Stage stage;
        start(&stage);
        stage.vertices[1][0][1] = bad[i];
        assert_false(is_kept(&stage));
        assert_true(is_kept(&stage));
        stage.vertices[1][0][1] = 0;
        assert_false(is_kept(&stage));
        assert_true(is_kept(&stage));
        stage.vertices[1][0][2] = bad[i];
        assert_false(is_kept(&stage));
        lift(&stage, 1, .0625f);
        assert_true(is_kept(&stage));
        end(&stage);
    }
}

/* After a great move, small ones still count as small. */
static void test_great_moves(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    stage.def.includes_self = true; /* it is searched wherever it is */
    assert_false(is_kept(&stage));
    lift(&stage, 1, 0x1p100f);
    (void)is_kept(&stage);
    fill_sheet(stage.vertices[1], .25f);
    assert_false(is_kept(&stage));
    shift(&stage, 1, .0625f);
    assert_true(is_kept(&stage));
    shift(&stage, 1, .25f);
    assert_false(is_kept(&stage));
    end(&stage);
}

/* Vertices of one group that come apart are a feature at two places. */
static void test_groups(void **state)
{
    (void)state;
    Stage stage;
    uint32_t groups[COUNT];
    for (uint32_t v = 0; v < COUNT; v++)
        groups[v] = v;
    groups[SIDE + 1] = 0; /* not in one triangle with 0 */
    start_with(&stage, groups);
    for (int i = 0; i < 2; i++)
        memcpy(stage.vertices[i][SIDE + 1], stage.vertices[i][0], 12);
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    stage.vertices[1][SIDE + 1][0] += .03125f;
    assert_false(is_kept(&stage)); /* apart */
    stage.vertices[1][SIDE + 1][0] += .03125f;
    stage.vertices[1][0][1] -= .03125f;
    assert_true(is_kept(&stage)); /* still */
    memcpy(stage.vertices[1][SIDE + 1], stage.vertices[1][0], 12);
    assert_false(is_kept(&stage)); /* together */
    end(&stage);
}

/* A body that takes the place of another one is another one. */
static void test_places(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_false(is_kept(&stage));
    MUST(pliant_body_destroy(stage.world, stage.bodies[1]));
    lend(&stage, 1);
    assert_int_equal(stage.bodies[1].index, 2);
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    MUST(pliant_body_destroy(stage.world, stage.bodies[1]));
    assert_true(is_kept(&stage)); /* there is nothing to search */
    end(&stage);
}

/* Transforms move vertices; a body at rest is followed, and caller's vertices in its place too. */
static void test_transforms(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantTransform transform = pliant_transform_identity();
    assert_false(is_kept(&stage));
    transform.rows[2][3] = -.125f;
    MUST(pliant_body_set_transform(stage.world, stage.bodies[1], &transform));
    assert_true(is_kept(&stage));
    transform.rows[0][0] = .875f;
    MUST(pliant_body_set_transform(stage.world, stage.bodies[1], &transform));
    assert_false(is_kept(&stage));
    MUST(pliant_body_reset_pose(stage.world, stage.bodies[1]));
    assert_false(is_kept(&stage)); /* .25 lower */
    assert_true(is_kept(&stage));
    transform.rows[2][3] = -.0625f;
    MUST(pliant_body_set_transform(stage.world, stage.bodies[1], &transform));
    assert_true(is_kept(&stage));
    end(&stage);
}

/* Pairs of bodies that filters exclude, and queries about two. */
static void test_pairs_of_bodies(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_false(is_kept(&stage));
    MUST(pliant_body_set_filter(stage.world, stage.bodies[0], 1, 0));
    assert_true(is_kept(&stage)); /* of none */
    assert_false(ask(&stage, true));
    assert_true(ask(&stage, true));
    MUST(pliant_body_set_filter(stage.world, stage.bodies[0], UINT32_MAX, UINT32_MAX));
    assert_true(is_kept(&stage));
    stage.def.includes_self = true;
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    assert_true(ask(&stage, true));
    const PliantBody other = stage.bodies[1];
    stage.bodies[1] = stage.bodies[0];
    assert_true(ask(&stage, true));
    stage.bodies[1] = other;
    shift(&stage, 1, .5f);
    assert_false(ask(&stage, true));
    assert_false(is_kept(&stage)); /* within the second one */
    assert_true(is_kept(&stage));
    end(&stage);
}

/* Loose boxes hide a body until something comes near; it has moved nevertheless. */
static void test_loose_boxes(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantBox far = {{0, 0, 100}, {1, 1, 101}};
    assert_false(is_kept(&stage));
    lift(&stage, 1, 100);
    MUST(pliant_body_set_loose_box(stage.world, stage.bodies[1], &far));
    assert_true(is_kept(&stage));
    lift(&stage, 1, -100.125f);
    MUST(pliant_body_set_loose_box(stage.world, stage.bodies[1], NULL));
    assert_false(is_kept(&stage)); /* it was dropped meanwhile */
    assert_true(is_kept(&stage));
    end(&stage);
}

static bool stop_second(void *user, int64_t done, int64_t total)
{
    (void)total;
    (void)done;
    return --*(int *)user > 0;
}

/* A query that ends early keeps nothing. */
static void test_cancelled(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    int calls = 2;
    stage.def.includes_self = true;
    assert_false(is_kept(&stage));
    lift(&stage, 0, .125f);
    PliantNearDef def = stage.def;
    def.progress = stop_second;
    def.user = &calls;
    assert_int_equal(pliant_world_near(stage.world, &def, &pairs), PLIANT_CANCELLED);
    lift(&stage, 0, .0625f);
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    end(&stage);
}

/* A failing allocation keeps nothing, or all: later answers are right. */
static void test_failures(void **state)
{
    (void)state;
    bool is_done = false;
    for (int64_t at = 1; !is_done; at++) {
        Stage stage;
        start(&stage);
        PliantNearPairs pairs = pliant_near_pairs_default();
        stage.def.includes_self = true;
        stage.host.fail_at = stage.host.calls + at;
        PliantResult result = pliant_world_near(stage.world, &stage.def, &pairs);
        lift(&stage, 0, .0625f);
        if (result == PLIANT_OK) {
            stage.def.distance = 1; /* more than before */
            result = pliant_world_near(stage.world, &stage.def, &pairs);
        }
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
        is_done = stage.host.calls < stage.host.fail_at;
        stage.host.fail_at = 0;
        lift(&stage, 1, .0625f);
        (void)is_kept(&stage);
        assert_true(is_kept(&stage));
        end(&stage);
    }
}

/* Once it has seen a frame, a world takes no memory for the next one like it. */
static void test_memory(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    stage.def.includes_self = true;
    (void)is_kept(&stage);
    const int64_t calls = stage.host.calls;
    for (int i = 0; i < 20; i++) {
        lift(&stage, i % 3 == 0, i % 2 ? .25f : -.25f);
        fill_sheet(stage.vertices[i % 2], i % 4 ? .25f : 8);
        (void)is_kept(&stage);
        (void)ask(&stage, true);
    }
    assert_int_equal(stage.host.calls, calls);
    end(&stage);
}

/* Many calls while all vertices wander. */
static void test_wandering(void **state)
{
    (void)state;
    Stage stage;
    SceneRandom random = {7};
    int kept_count = 0;
    start(&stage);
    stage.def.includes_self = true;
    for (int call = 0; call < 200; call++) {
        const uint32_t body = scene_random_below(&random, 2);
        const float step = ldexpf(.125f, -(int)scene_random_below(&random, 6));
        for (int i = 0; i < 3 * COUNT; i++)
            stage.vertices[body][i / 3][i % 3] += step * (float)(scene_random(&random) - .5);
        stage.def.distance = .25f + .0625f * (float)scene_random(&random);
        kept_count += ask(&stage, scene_random_below(&random, 4) == 0);
    }
    assert_true(kept_count > 50 && kept_count < 190);
    end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_margins),     cmocka_unit_test(test_two_bodies),
        cmocka_unit_test(test_one_vertex),      cmocka_unit_test(test_self),
        cmocka_unit_test(test_distances),       cmocka_unit_test(test_nonfinite),
        cmocka_unit_test(test_great_moves),     cmocka_unit_test(test_groups),
        cmocka_unit_test(test_places),          cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_pairs_of_bodies), cmocka_unit_test(test_loose_boxes),
        cmocka_unit_test(test_cancelled),       cmocka_unit_test(test_failures),
        cmocka_unit_test(test_memory),          cmocka_unit_test(test_wandering),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
