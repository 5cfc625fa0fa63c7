/* A margin of sweeps: the same bytes as without it, and when what was kept is used. */
#include "unit.h"

#include "host.h"
#include "refuse.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Two sheets of SIDE x SIDE vertices. The one lies still, and the other falls through it. */
enum { SIDE = 6, COUNT = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

/* What is lent: the sheet that lies still, and the start and the end of the other one. */
enum { STILL, START, END, LENT };

typedef struct Stage {
    TestHost host;
    PliantShape *shape;
    PliantWorld *world;
    PliantBody bodies[LENT];
    float vertices[LENT][COUNT][3];
    PliantSweepDef def;
} Stage;

static void fill_sheet(float (*vertices)[3], float z)
{
    for (int i = 0; i < COUNT; i++) {
        const int row = i / SIDE;
        vertices[i][0] = (float)(i % SIDE) + .25f * z;
        vertices[i][1] = (float)row;
        vertices[i][2] = z;
    }
}

static PliantShape *make_sheet(void)
{
    float vertices[COUNT][3];
    uint32_t triangles[TRIANGLES][3];
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    fill_sheet(vertices, 0);
    for (uint32_t i = 0; i < TRIANGLES / 2; i++) {
        const uint32_t v = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
        memcpy(triangles[2 * i], (const uint32_t[]){v, v + 1, v + SIDE}, 12);
        memcpy(triangles[2 * i + 1], (const uint32_t[]){v + 1, v + SIDE + 1, v + SIDE}, 12);
    }
    def.vertices = (PliantVertices){vertices[0], COUNT, 0};
    def.triangles = (PliantTriangles){triangles[0], TRIANGLES};
    MUST(pliant_shape_create(&def, &shape));
    return shape;
}

static void lend(Stage *stage, int i)
{
    MUST(pliant_body_borrow_vertices(stage->world, stage->bodies[i],
                                     (PliantVertices){stage->vertices[i][0], COUNT, 0}));
}

static void start(Stage *stage)
{
    const float heights[LENT] = {0, .75f, -.5f};
    test_host_init(&stage->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &stage->host.host;
    MUST(pliant_world_create(&def, &stage->world));
    stage->shape = make_sheet();
    MUST(pliant_body_create(stage->world, stage->shape, &stage->bodies[STILL]));
    MUST(pliant_body_create(stage->world, stage->shape, &stage->bodies[START]));
    MUST(pliant_body_create_end(stage->world, stage->bodies[START], &stage->bodies[END]));
    for (int i = 0; i < LENT; i++) {
        fill_sheet(stage->vertices[i], heights[i]);
        lend(stage, i);
    }
    stage->def = pliant_sweep_def_default();
    stage->def.kind = PLIANT_ALL_IMPACTS;
    stage->def.margin = .25f;
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
    pliant_shape_release(stage->shape);
}

/* Compares the impacts with those without a margin. Returns whether the sweep with a margin
 * searched for nothing. */
static bool is_kept(Stage *stage)
{
    PliantImpacts impacts = pliant_impacts_default(), plain = impacts;
    PliantStats stats = pliant_stats_default();
    PliantSweepDef def = stage->def;
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    MUST(pliant_world_stats(stage->world, &stats));
    const size_t size = (size_t)impacts.count * sizeof *impacts.items;
    PliantImpact *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, impacts.items, size);
    def.margin = 0;
    MUST(pliant_world_sweep(stage->world, &def, &plain));
    assert_int_equal(plain.count, impacts.count);
    if (size > 0)
        assert_memory_equal(copy, plain.items, size);
    free(copy);
    return stats.leaves_evaluated == 0;
}

static void move(Stage *stage, int i, int axis, float by)
{
    for (int v = 0; v < COUNT; v++)
        stage->vertices[i][v][axis] += by;
}

static void test_bad_margins(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantImpacts impacts = pliant_impacts_default();
    const float bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        stage.def.margin = bad[i];
        REFUSE(stage.host, pliant_world_sweep(stage.world, &stage.def, &impacts),
               PLIANT_BAD_ARGUMENT, "def.margin is");
    }
    stage.def.struct_size = offsetof(PliantSweepDef, margin); /* it had none once */
    MUST(pliant_world_sweep(stage.world, &stage.def, &impacts));
    stage.def.struct_size = sizeof stage.def;
    stage.def.margin = FLT_MAX;
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    end(&stage);
}

/* A line search asks again with a smaller `until`; what is later was not kept. */
static void test_until(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    const PliantSweepKind queries[] = {PLIANT_EARLIEST, PLIANT_FIRST_IMPACTS, PLIANT_ALL_IMPACTS};
    for (int i = 0; i < 3; i++) {
        stage.def.kind = queries[i];
        stage.def.max_time = 1;
        assert_int_equal(is_kept(&stage), i > 0); /* whatever the query was */
        assert_true(is_kept(&stage));
        for (; stage.def.max_time > 1.f / 64; stage.def.max_time /= 2)
            assert_true(is_kept(&stage));
    }
    stage.def.max_time = .75f;
    move(&stage, END, 2, -1);
    assert_false(is_kept(&stage)); /* of the time that is left */
    assert_true(is_kept(&stage));
    stage.def.max_time = nextafterf(stage.def.max_time, 1);
    assert_false(is_kept(&stage));
    end(&stage);
}

/* At each time, a vertex has moved by no more than its start or its end. */
static void test_both_ends(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_false(is_kept(&stage));
    move(&stage, START, 0, .234375f);
    assert_true(is_kept(&stage));
    move(&stage, END, 1, .234375f);
    assert_true(is_kept(&stage)); /* not the sum of both */
    move(&stage, END, 1, .03125f);
    assert_false(is_kept(&stage));
    move(&stage, START, 2, -.265625f);
    assert_false(is_kept(&stage));
    move(&stage, STILL, 2, .125f);
    move(&stage, END, 2, -.109375f);
    assert_true(is_kept(&stage)); /* of two bodies the sum */
    move(&stage, STILL, 2, .03125f);
    assert_false(is_kept(&stage));
    end(&stage);
}

/* One vertex comes from afar. */
static void test_one_vertex(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    move(&stage, END, 2, .75f);
    stage.vertices[END][COUNT - 1][2] = -.125f; /* it touches there alone */
    assert_false(is_kept(&stage));
    stage.vertices[END][0][2] -= .2421875f;
    assert_true(is_kept(&stage));
    stage.vertices[END][0][2] -= .5f; /* and here */
    assert_false(is_kept(&stage));
    stage.vertices[END][0][2] = NAN;
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    stage.vertices[END][0][2] = -1;
    assert_false(is_kept(&stage));
    end(&stage);
}

/* What did not touch was kept, since it may. */
static void test_new_impacts(void **state)
{
    (void)state;
    Stage stage;
    PliantImpacts impacts = pliant_impacts_default();
    start(&stage);
    move(&stage, END, 2, .625f);
    stage.vertices[END][COUNT - 1][2] = -.125f; /* it touches there alone */
    assert_false(is_kept(&stage));
    MUST(pliant_world_sweep(stage.world, &stage.def, &impacts));
    const int64_t count = impacts.count;
    stage.vertices[END][0][2] -= .1875f;
    assert_true(is_kept(&stage));
    MUST(pliant_world_sweep(stage.world, &stage.def, &impacts));
    assert_true(impacts.count > count);
    end(&stage);
}

/* Within a body, and conservatively within a distance. */
static void test_self_and_distance(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    stage.def.includes_self = true;
    assert_false(is_kept(&stage));
    for (int v = 0; v < COUNT; v++)
        stage.vertices[END][v][2] += v % 2 ? .1171875f : -.1171875f;
    assert_true(is_kept(&stage));
    for (int v = 0; v < COUNT; v++)
        stage.vertices[END][v][2] += v % 2 ? .03125f : -.03125f;
    assert_false(is_kept(&stage));
    stage.def.distance = .25f; /* less a little, since it is rounded up */
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    stage.def.distance = .125f;
    assert_true(is_kept(&stage));
    stage.def.slack = .25f;
    assert_true(is_kept(&stage));
    stage.def.slack = .5f;
    assert_false(is_kept(&stage));
    end(&stage);
}

/* An end that goes, or comes, is another place. */
static void test_ends_that_change(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_false(is_kept(&stage));
    MUST(pliant_body_destroy(stage.world, stage.bodies[END]));
    move(&stage, START, 2, -.75f); /* it touches where it is */
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    MUST(pliant_body_create_end(stage.world, stage.bodies[START], &stage.bodies[END]));
    lend(&stage, END);
    assert_false(is_kept(&stage));
    MUST(pliant_body_create_end(stage.world, stage.bodies[STILL], &stage.bodies[STILL]));
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    end(&stage);
}

/* Two balls of points, one of them with an end: soups are searched again if they change. */
static void test_soups(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantSoupDef soup_def = pliant_soup_def_default();
    PliantBody soup, soup_end;
    soup_def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(stage.world, &soup_def, &soup));
    MUST(pliant_body_create_end(stage.world, soup, &soup_end));
    float points[2][COUNT][3];
    for (int i = 0; i < 2; i++)
        fill_sheet(points[i], i == 0 ? -.25f : .25f);
    PliantPrimitives now = pliant_primitives_default(), next = now;
    now.count = next.count = COUNT;
    now.vertices = (PliantVertices){points[0][0], COUNT, 0};
    next.vertices = (PliantVertices){points[1][0], COUNT, 0};
    for (int frame = 0; frame < 3; frame++) {
        MUST(pliant_body_set_primitives(stage.world, soup, &now));
        MUST(pliant_body_set_primitives(stage.world, soup_end, &next));
        assert_false(is_kept(&stage));
        points[1][frame][2] = -.5f;
    }
    end(&stage);
}

static bool stop_second(void *user, int64_t done, int64_t total)
{
    (void)total;
    (void)done;
    return --*(int *)user > 0;
}

/* A sweep that ends early keeps nothing. */
static void test_cancelled(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantImpacts impacts = pliant_impacts_default();
    int calls = 2;
    assert_false(is_kept(&stage));
    stage.def.progress = stop_second;
    stage.def.user = &calls;
    assert_int_equal(pliant_world_sweep(stage.world, &stage.def, &impacts), PLIANT_CANCELLED);
    stage.def.progress = NULL;
    assert_false(is_kept(&stage));
    assert_true(is_kept(&stage));
    end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_margins),      cmocka_unit_test(test_until),
        cmocka_unit_test(test_both_ends),        cmocka_unit_test(test_one_vertex),
        cmocka_unit_test(test_new_impacts),      cmocka_unit_test(test_self_and_distance),
        cmocka_unit_test(test_ends_that_change), cmocka_unit_test(test_soups),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
