/* A margin of near queries and of sweeps: the same bytes as without it, and when the candidates of
 * an earlier query serve again. */
#include "unit.h"

#include "asked.h"
#include "host.h"
#include "refuse.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- The stage ---------------------------------------------------------------------------------
 *
 * Two sheets of SIDE x SIDE vertices. In near queries the second lies above the first; in sweeps it
 * falls through the first. */

enum { SIDE = 8, COUNT = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

/* Bodies: in sweeps, the first lies still, and the second has an end. */
enum { STILL, START, END, MAX_LENT };

enum { X, Y, Z };

typedef struct Query {
    TestAsk *ask;
    const char *refusal; /* of a bad margin */
    size_t old_size;     /* of the def when it had none */
    int lent_count;
    float heights[MAX_LENT];
    float shear; /* x by height */
    float distance;
} Query;

static const Query near_query = {.ask = test_ask_near,
                                 .refusal = "pliant_world_near: def.margin is",
                                 .old_size = offsetof(PliantNearDef, margin),
                                 .lent_count = 2,
                                 .heights = {0, .25f},
                                 .distance = .25f};
static const Query sweep_query = {.ask = test_ask_sweep,
                                  .refusal = "pliant_world_sweep: def.margin is",
                                  .old_size = offsetof(PliantSweepDef, margin),
                                  .lent_count = MAX_LENT,
                                  .heights = {0, .75f, -.5f},
                                  .shear = .25f};

typedef struct Stage {
    const Query *query;
    TestHost host;
    PliantShape *shape;
    PliantWorld *world;
    PliantBody bodies[MAX_LENT];
    float vertices[MAX_LENT][COUNT][3]; /* that are borrowed */
    Asked asked;
    int64_t count; /* of the last answer */
} Stage;

static void fill_sheet(float (*vertices)[3], float z, float shear)
{
    for (int i = 0; i < COUNT; i++) {
        const int row = i / SIDE;
        vertices[i][0] = (float)(i % SIDE) + shear * z;
        vertices[i][1] = (float)row;
        vertices[i][2] = z;
    }
}

static PliantShape *make_sheet(const uint32_t *groups)
{
    float vertices[COUNT][3];
    uint32_t triangles[TRIANGLES][3];
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    fill_sheet(vertices, 0, 0);
    for (uint32_t i = 0; i < TRIANGLES / 2; i++) {
        const uint32_t v = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
        memcpy(triangles[2 * i], (const uint32_t[]){v, v + 1, v + SIDE}, 12);
        memcpy(triangles[2 * i + 1], (const uint32_t[]){v + 1, v + SIDE + 1, v + SIDE}, 12);
    }
    def.vertices = (PliantVertices){vertices[0], COUNT, 0};
    def.triangles = (PliantTriangles){triangles[0], TRIANGLES};
    def.groups = groups;
    MUST(pliant_shape_create(&def, &shape));
    return shape;
}

static Stage *lend(Stage *stage, int body)
{
    MUST(pliant_body_borrow_vertices(stage->world, stage->bodies[body],
                                     (PliantVertices){stage->vertices[body][0], COUNT, 0}));
    return stage;
}

static void start(Stage *stage, const Query *query, const uint32_t *groups)
{
    stage->query = query;
    test_host_init(&stage->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &stage->host.host;
    MUST(pliant_world_create(&def, &stage->world));
    stage->shape = make_sheet(groups);
    for (int i = 0; i < query->lent_count; i++) {
        fill_sheet(stage->vertices[i], query->heights[i], query->shear);
        if (i == END)
            MUST(pliant_body_create_end(stage->world, stage->bodies[START], &stage->bodies[END]));
        else
            MUST(pliant_body_create(stage->world, stage->shape, &stage->bodies[i]));
        lend(stage, i);
    }
    stage->asked = test_asked(stage->world, stage->bodies[0], stage->bodies[1], query->distance);
    stage->asked.numbers[ASKED_MARGIN] = .25f;
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
    pliant_shape_release(stage->shape);
}

static void restart(Stage *stage, const uint32_t *groups)
{
    end(stage);
    start(stage, stage->query, groups);
}

/* Compares the answer for the whole world, or for two bodies, with that without a margin. Returns
 * whether the query with a margin searched for nothing. */
static bool ask(Stage *stage, bool is_of_two)
{
    Answered found, plain;
    PliantStats stats = pliant_stats_default();
    Asked asked = stage->asked;
    asked.is_of_two = is_of_two;
    MUST(stage->query->ask(&asked, &found));
    MUST(pliant_world_stats(stage->world, &stats));
    const size_t size = (size_t)found.count * found.item_size;
    void *copy = malloc(size + 1);
    assert_non_null(copy);
    if (size > 0)
        memcpy(copy, found.items, size);
    asked.numbers[ASKED_MARGIN] = 0;
    MUST(stage->query->ask(&asked, &plain));
    assert_int_equal(plain.count, found.count);
    if (size > 0)
        assert_memory_equal(copy, plain.items, size);
    free(copy);
    stage->count = found.count;
    return stats.leaves_evaluated == 0;
}

static bool is_kept(Stage *stage)
{
    return ask(stage, false);
}

static bool is_kept_of_two(Stage *stage)
{
    return ask(stage, true);
}

/* ---- Changes before a question -----------------------------------------------------------------
 */

static Stage *set(Stage *stage, int number, float value)
{
    stage->asked.numbers[number] = value;
    return stage;
}

/* Along x and y the sheets stay near, along z not. */
static Stage *move(Stage *stage, int body, int axis, float by)
{
    for (int v = 0; v < COUNT; v++)
        stage->vertices[body][v][axis] += by;
    return stage;
}

/* Every other vertex moves the other way. */
static Stage *spread(Stage *stage, int body, int axis, float by)
{
    for (int v = 0; v < COUNT; v++)
        stage->vertices[body][v][axis] += v % 2 ? by : -by;
    return stage;
}

static Stage *move_diagonally(Stage *stage, int body, int vertex, float by)
{
    for (int k = 0; k < 3; k++)
        stage->vertices[body][vertex][k] += by;
    return stage;
}

/* ---- Both queries ------------------------------------------------------------------------------
 */

static void test_bad_margins(Stage *stage)
{
    const float bad[] = {-1, NAN, INFINITY};
    Answered found;
    for (int i = 0; i < 3; i++) {
        stage->asked.numbers[ASKED_MARGIN] = bad[i];
        REFUSE_UNNAMED(stage->host, stage->query->ask(&stage->asked, &found), PLIANT_BAD_ARGUMENT,
                       stage->query->refusal);
    }
    stage->asked.numbers[ASKED_DEF_SIZE] = (float)stage->query->old_size;
    MUST(stage->query->ask(&stage->asked, &found));
}

static bool stop_second(void *user, int64_t done, int64_t total)
{
    (void)total;
    (void)done;
    return --*(int *)user > 0;
}

/* A query that ends early keeps nothing, whether bodies have moved within the margin or not. */
static void test_cancelled(Stage *stage)
{
    for (int i = 0; i < 2; i++) {
        Answered found;
        int calls = 2;
        stage->asked.numbers[ASKED_SELF] = stage->query == &near_query;
        assert_false(is_kept(stage));
        move(stage, 0, Z, i * .125f);
        stage->asked.progress = stop_second;
        stage->asked.user = &calls;
        assert_int_equal(stage->query->ask(&stage->asked, &found), PLIANT_CANCELLED);
        stage->asked.progress = NULL;
        move(stage, 0, Z, i * .0625f);
        assert_false(is_kept(stage));
        assert_true(is_kept(stage));
        restart(stage, NULL);
    }
}

static bool cancel(void *user, int64_t done, int64_t total)
{
    (void)total;
    (void)done;
    pliant_world_cancel(user);
    return true;
}

/* A query without a margin ends between its search and its decisions, as if another thread had
 * cancelled it: what it has found does not get among the candidates that are kept. */
static void test_plain_cancelled(Stage *stage)
{
    Answered found;
    assert_false(is_kept(stage));
    set(stage, ASKED_MARGIN, 0);
    stage->asked.progress = cancel;
    stage->asked.user = stage->world;
    assert_int_equal(stage->query->ask(&stage->asked, &found), PLIANT_CANCELLED);
    stage->asked.progress = NULL;
    set(stage, ASKED_MARGIN, .25f);
    assert_true(is_kept(stage));
}

/* A failing allocation keeps nothing, or all: later answers are right. */
static void test_failures(Stage *stage)
{
    bool is_done = false;
    for (int64_t at = 1; !is_done; at++) {
        Answered found;
        stage->asked.numbers[ASKED_SELF] = 1;
        stage->host.fail_at = stage->host.calls + at;
        PliantResult result = stage->query->ask(&stage->asked, &found);
        move(stage, 0, Z, .0625f);
        if (result == PLIANT_OK) {
            stage->asked.numbers[ASKED_DISTANCE] = 1; /* more than before */
            result = stage->query->ask(&stage->asked, &found);
        }
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);
        is_done = stage->host.calls < stage->host.fail_at;
        stage->host.fail_at = 0;
        move(stage, 1, Z, .0625f);
        (void)is_kept(stage);
        assert_true(is_kept(stage));
        restart(stage, NULL);
    }
}

/* Once it has seen a frame, a world takes no memory for the next one like it. */
static void test_memory(Stage *stage)
{
    stage->asked.numbers[ASKED_SELF] = 1;
    (void)is_kept(stage);
    const int64_t calls = stage->host.calls;
    for (int i = 0; i < 20; i++) {
        move(stage, i % 3 == 0, Z, i % 2 ? .25f : -.25f);
        fill_sheet(stage->vertices[i % 2], i % 4 ? .25f : 8, stage->query->shear);
        (void)is_kept(stage);
        (void)ask(stage, true);
    }
    assert_int_equal(stage->host.calls, calls);
}

/* Many calls while all vertices wander. */
static void test_wandering(Stage *stage)
{
    SceneRandom random = {7};
    int kept_count = 0;
    stage->asked.numbers[ASKED_SELF] = 1;
    for (int call = 0; call < 200; call++) {
        const uint32_t body = scene_random_below(&random, (uint32_t)stage->query->lent_count);
        const float step = ldexpf(.125f, -(int)scene_random_below(&random, 6));
        for (int i = 0; i < 3 * COUNT; i++)
            stage->vertices[body][i / 3][i % 3] += step * (float)(scene_random(&random) - .5);
        stage->asked.numbers[ASKED_DISTANCE] = .25f + .0625f * (float)scene_random(&random);
        kept_count += ask(stage, scene_random_below(&random, 4) == 0);
    }
    assert_true(kept_count > 50 && kept_count < 190);
}

/* ---- Near queries ------------------------------------------------------------------------------
 */

/* The sum of distance and margin is no float. */
static void test_largest_distance(Stage *stage)
{
    set(set(stage, ASKED_MARGIN, FLT_MAX), ASKED_DISTANCE, FLT_MAX);
    assert_false(is_kept(stage));
    assert_true(is_kept(stage));
}

/* Both bodies count: half of the margin each, and what they move by is summed up. */
static void test_two_bodies(Stage *stage)
{
    assert_false(is_kept(stage));
    assert_true(is_kept(stage));
    move(stage, 0, X, -.0625f);
    assert_true(is_kept(move(stage, 1, X, .125f)));
    assert_false(is_kept(move(stage, 0, X, -.125f))); /* 0.3125 in all */
    assert_true(is_kept(stage));
    assert_false(is_kept(move(stage, 1, X, .28125f)));
    move(stage, 0, X, .1875f);
    assert_false(is_kept(move(stage, 1, X, -.40625f))); /* back */
}

/* One vertex counts as much as all, and along a diagonal as far as it is long. */
static void test_one_vertex(Stage *stage)
{
    assert_false(is_kept(stage));
    assert_true(is_kept(move_diagonally(stage, 1, COUNT - 1, .125f)));    /* 0.217 */
    assert_false(is_kept(move_diagonally(stage, 1, COUNT - 1, .03125f))); /* 0.271 */
}

/* Within a body, vertices move toward each other: by half of the margin. */
static void test_self(Stage *stage)
{
    stage->asked.bodies[1] = stage->bodies[0];
    assert_false(is_kept_of_two(set(stage, ASKED_DISTANCE, 1)));
    assert_true(is_kept_of_two(spread(stage, 0, X, .1171875f)));
    assert_false(is_kept_of_two(spread(stage, 0, X, .03125f)));
    assert_false(is_kept_of_two(set(stage, ASKED_REST_DISTANCE, 1.5f)));
    assert_true(is_kept_of_two(stage));
    const int64_t count = stage->count;
    assert_false(is_kept_of_two(set(stage, ASKED_REST_DISTANCE, 0)));
    assert_true(stage->count > count);
}

/* Candidates of one distance serve any other that leaves room. */
static void test_distances(Stage *stage)
{
    assert_false(is_kept_of_two(stage));
    assert_true(is_kept_of_two(set(stage, ASKED_DISTANCE, .5f)));
    assert_false(is_kept_of_two(set(stage, ASKED_DISTANCE, nextafterf(.5f, 1))));
    assert_true(is_kept_of_two(set(stage, ASKED_DISTANCE, 0)));
    set(stage, ASKED_MARGIN, 1e-30f);
    assert_true(is_kept_of_two(move(stage, 1, Z, -.25f)));
}

/* A vertex that becomes finite is not one that has moved; nor is one that ceases to be. */
static void test_nonfinite(Stage *stage)
{
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        stage->vertices[1][0][Y] = bad[i];
        assert_false(is_kept(stage));
        assert_true(is_kept(stage));
        stage->vertices[1][0][Y] = 0;
        assert_false(is_kept(stage));
        assert_true(is_kept(stage));
        stage->vertices[1][0][Z] = bad[i];
        assert_false(is_kept(stage));
        assert_true(is_kept(move(stage, 1, Z, .0625f)));
        restart(stage, NULL);
    }
}

/* After a great move, small ones still count as small. */
static void test_great_moves(Stage *stage)
{
    assert_false(is_kept(set(stage, ASKED_SELF, 1))); /* it is searched wherever it is */
    (void)is_kept(move(stage, 1, Z, 0x1p100f));
    fill_sheet(stage->vertices[1], .25f, 0);
    assert_false(is_kept(stage));
    assert_true(is_kept(move(stage, 1, X, .0625f)));
    assert_false(is_kept(move(stage, 1, X, .25f)));
}

/* Vertices of one group that come apart are a feature at two places. */
static void test_groups(Stage *stage)
{
    uint32_t groups[COUNT];
    for (uint32_t v = 0; v < COUNT; v++)
        groups[v] = v;
    groups[SIDE + 1] = 0; /* not in one triangle with 0 */
    restart(stage, groups);
    for (int i = 0; i < 2; i++)
        memcpy(stage->vertices[i][SIDE + 1], stage->vertices[i][0], 12);
    assert_false(is_kept(stage));
    assert_true(is_kept(stage));
    stage->vertices[1][SIDE + 1][0] += .03125f;
    assert_false(is_kept(stage)); /* apart */
    stage->vertices[1][SIDE + 1][0] += .03125f;
    stage->vertices[1][0][1] -= .03125f;
    assert_true(is_kept(stage)); /* still */
    memcpy(stage->vertices[1][SIDE + 1], stage->vertices[1][0], 12);
    assert_false(is_kept(stage)); /* together */
}

/* A body that takes the place of another one is another one. */
static void test_places(Stage *stage)
{
    assert_false(is_kept(stage));
    MUST(pliant_body_destroy(stage->world, stage->bodies[1]));
    MUST(pliant_body_create(stage->world, stage->shape, &stage->bodies[1]));
    assert_int_equal(stage->bodies[1].index, 2);
    assert_false(is_kept(lend(stage, 1)));
    assert_true(is_kept(stage));
    MUST(pliant_body_destroy(stage->world, stage->bodies[1]));
    assert_true(is_kept(stage)); /* there is nothing to search */
}

/* Transforms move vertices; a body at rest is followed, and caller's vertices in its place too. */
static void test_transforms(Stage *stage)
{
    PliantTransform transform = pliant_transform_identity();
    assert_false(is_kept(stage));
    transform.rows[2][3] = -.125f;
    MUST(pliant_body_set_transform(stage->world, stage->bodies[1], &transform));
    assert_true(is_kept(stage));
    transform.rows[0][0] = .875f;
    MUST(pliant_body_set_transform(stage->world, stage->bodies[1], &transform));
    assert_false(is_kept(stage));
    MUST(pliant_body_reset_pose(stage->world, stage->bodies[1]));
    assert_false(is_kept(stage)); /* .25 lower */
    assert_true(is_kept(stage));
    transform.rows[2][3] = -.0625f;
    MUST(pliant_body_set_transform(stage->world, stage->bodies[1], &transform));
    assert_true(is_kept(stage));
}

/* Pairs of bodies that filters exclude, and queries about two. */
static void test_pairs_of_bodies(Stage *stage)
{
    assert_false(is_kept(stage));
    MUST(pliant_body_set_filter(stage->world, stage->bodies[0], 1, 0));
    assert_true(is_kept(stage)); /* of none */
    assert_false(is_kept_of_two(stage));
    assert_true(is_kept_of_two(stage));
    MUST(pliant_body_set_filter(stage->world, stage->bodies[0], UINT32_MAX, UINT32_MAX));
    assert_true(is_kept(stage));
    assert_false(is_kept(set(stage, ASKED_SELF, 1)));
    assert_true(is_kept(stage));
    assert_true(is_kept_of_two(stage));
    stage->asked.bodies[1] = stage->bodies[0];
    assert_true(is_kept_of_two(stage));
    stage->asked.bodies[1] = stage->bodies[1];
    assert_false(is_kept_of_two(move(stage, 1, X, .5f)));
    assert_false(is_kept(stage)); /* within the second one */
    assert_true(is_kept(stage));
}

/* Loose boxes hide a body until something comes near; it has moved nevertheless. */
static void test_loose_boxes(Stage *stage)
{
    const PliantBox far = {{0, 0, 100}, {1, 1, 101}};
    assert_false(is_kept(stage));
    MUST(pliant_body_set_loose_box(stage->world, stage->bodies[1], &far));
    assert_true(is_kept(move(stage, 1, Z, 100)));
    MUST(pliant_body_set_loose_box(stage->world, stage->bodies[1], NULL));
    assert_false(is_kept(move(stage, 1, Z, -100.125f))); /* it was dropped meanwhile */
    assert_true(is_kept(stage));
}

/* ---- Sweeps ------------------------------------------------------------------------------------
 */

static void test_largest_margin(Stage *stage)
{
    assert_false(is_kept(set(stage, ASKED_MARGIN, FLT_MAX)));
    assert_true(is_kept(stage));
}

/* A line search asks again with a smaller `max_time`; what is later was not kept. */
static void test_max_time(Stage *stage)
{
    const PliantSweepKind kinds[] = {PLIANT_EARLIEST, PLIANT_FIRST_IMPACTS, PLIANT_ALL_IMPACTS};
    float *max_time = &stage->asked.numbers[ASKED_MAX_TIME];
    for (int i = 0; i < 3; i++) {
        stage->asked.numbers[ASKED_KIND] = (float)kinds[i];
        *max_time = 1;
        assert_int_equal(is_kept(stage), i > 0); /* of any kind */
        for (; *max_time > 1.f / 64; *max_time /= 2)
            assert_true(is_kept(stage));
    }
    *max_time = .75f;
    move(stage, END, Z, -1);
    assert_false(is_kept(stage)); /* of the time that is left */
    assert_true(is_kept(stage));
    *max_time = nextafterf(*max_time, 1);
    assert_false(is_kept(stage));
}

/* A ball at (100, 0, z), and where it is at the end. */
static PliantBody add_ball(Stage *stage, PliantShape *shape, float z, float end_z)
{
    PliantTransform transform = {{{1, 0, 0, 100}, {0, 1, 0, 0}, {0, 0, 1, z}}};
    PliantBody body, end;
    MUST(pliant_body_create(stage->world, shape, &body));
    MUST(pliant_body_set_transform(stage->world, body, &transform));
    MUST(pliant_body_create_end(stage->world, body, &end));
    transform.rows[2][3] = end_z;
    MUST(pliant_body_set_transform(stage->world, end, &transform));
    return body;
}

/* The sheets touch before two balls do. What the balls keep is all of the step, however early the
 * first impact so far is. */
static void test_earlier_pair(Stage *stage)
{
    SceneMesh mesh = scene_icosphere(4);
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *ball;
    def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
    MUST(pliant_shape_create(&def, &ball));
    add_ball(stage, ball, 0, 0);
    add_ball(stage, ball, 5, 1.875f);
    set(stage, ASKED_MARGIN, .0625f); /* few candidates */
    assert_false(is_kept(set(stage, ASKED_KIND, PLIANT_EARLIEST)));
    assert_int_equal(stage->count, 1);
    assert_true(is_kept(set(stage, ASKED_KIND, PLIANT_ALL_IMPACTS)));
    assert_true(stage->count > 100);
    pliant_shape_release(ball);
    scene_mesh_free(&mesh);
}

/* At each time, a vertex has moved by no more than its start or its end. */
static void test_both_ends(Stage *stage)
{
    assert_false(is_kept(stage));
    assert_true(is_kept(move(stage, START, X, .234375f)));
    assert_true(is_kept(move(stage, END, Y, .234375f))); /* not the sum of both */
    assert_false(is_kept(move(stage, END, Y, .03125f)));
    assert_false(is_kept(move(stage, START, Z, -.265625f)));
    move(stage, STILL, Z, .125f);
    assert_true(is_kept(move(stage, END, Z, -.109375f))); /* of two bodies the sum */
    assert_false(is_kept(move(stage, STILL, Z, .03125f)));
}

/* The second sheet stops above the first, and one corner of it goes through. */
static void stop_above(Stage *stage, float by)
{
    move(stage, END, Z, by);
    stage->vertices[END][COUNT - 1][Z] = -.125f;
    assert_false(is_kept(stage));
}

/* One vertex comes from afar. */
static void test_vertex_from_afar(Stage *stage)
{
    float *z = &stage->vertices[END][0][Z];
    stop_above(stage, .75f);
    *z -= .2421875f;
    assert_true(is_kept(stage));
    *z -= .5f; /* it goes through too */
    assert_false(is_kept(stage));
    *z = NAN;
    assert_false(is_kept(stage));
    assert_true(is_kept(stage));
    *z = -1;
    assert_false(is_kept(stage));
}

/* What did not touch was kept, since it may. */
static void test_new_impacts(Stage *stage)
{
    stop_above(stage, .625f);
    const int64_t count = stage->count;
    stage->vertices[END][0][Z] -= .1875f;
    assert_true(is_kept(stage));
    assert_true(stage->count > count);
}

/* Within a body, and conservatively within a distance. */
static void test_self_and_distance(Stage *stage)
{
    assert_false(is_kept(set(stage, ASKED_SELF, 1)));
    assert_true(is_kept(spread(stage, END, Z, .1171875f)));
    assert_false(is_kept(spread(stage, END, Z, .03125f)));
    assert_false(
        is_kept(set(stage, ASKED_DISTANCE, .25f))); /* less a little, since it is rounded up */
    assert_true(is_kept(stage));
    assert_true(is_kept(set(stage, ASKED_DISTANCE, .125f)));
    assert_true(is_kept(set(stage, ASKED_SLACK, .25f)));
    assert_false(is_kept(set(stage, ASKED_SLACK, .5f)));
}

/* An end that goes, or comes, is another place. */
static void test_ends_that_change(Stage *stage)
{
    assert_false(is_kept(stage));
    MUST(pliant_body_destroy(stage->world, stage->bodies[END]));
    assert_false(is_kept(move(stage, START, Z, -.75f))); /* it touches where it is */
    assert_true(is_kept(stage));
    MUST(pliant_body_create_end(stage->world, stage->bodies[START], &stage->bodies[END]));
    assert_false(is_kept(lend(stage, END)));
    MUST(pliant_body_create_end(stage->world, stage->bodies[STILL], &stage->bodies[STILL]));
    assert_false(is_kept(stage));
    assert_true(is_kept(stage));
}

/* Points with an end: soups are searched again if they change. */
static void test_soups(Stage *stage)
{
    PliantSoupDef soup_def = pliant_soup_def_default();
    PliantBody soup, soup_end;
    soup_def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(stage->world, &soup_def, &soup));
    MUST(pliant_body_create_end(stage->world, soup, &soup_end));
    float points[2][COUNT][3];
    for (int i = 0; i < 2; i++)
        fill_sheet(points[i], i == 0 ? -.25f : .25f, stage->query->shear);
    PliantPrimitives now = pliant_primitives_default(), next = now;
    now.count = next.count = COUNT;
    now.vertices = (PliantVertices){points[0][0], COUNT, 0};
    next.vertices = (PliantVertices){points[1][0], COUNT, 0};
    for (int frame = 0; frame < 3; frame++) {
        MUST(pliant_body_set_primitives(stage->world, soup, &now));
        MUST(pliant_body_set_primitives(stage->world, soup_end, &next));
        assert_false(is_kept(stage));
        points[1][frame][2] = -.5f;
    }
}

/* ---- The table ---------------------------------------------------------------------------------
 */

typedef struct Row {
    const char *name;
    const Query *query;
    void (*test)(Stage *stage);
} Row;

static Row rows[] = {
    {"near: bad margins", &near_query, test_bad_margins},
    {"near: cancelled", &near_query, test_cancelled},
    {"near: cancelled without a margin", &near_query, test_plain_cancelled},
    {"near: failures", &near_query, test_failures},
    {"near: memory", &near_query, test_memory},
    {"near: wandering", &near_query, test_wandering},
    {"near: largest distance", &near_query, test_largest_distance},
    {"near: two bodies", &near_query, test_two_bodies},
    {"near: one vertex", &near_query, test_one_vertex},
    {"near: self", &near_query, test_self},
    {"near: distances", &near_query, test_distances},
    {"near: nonfinite", &near_query, test_nonfinite},
    {"near: great moves", &near_query, test_great_moves},
    {"near: groups", &near_query, test_groups},
    {"near: places", &near_query, test_places},
    {"near: transforms", &near_query, test_transforms},
    {"near: pairs of bodies", &near_query, test_pairs_of_bodies},
    {"near: loose boxes", &near_query, test_loose_boxes},
    {"sweep: bad margins", &sweep_query, test_bad_margins},
    {"sweep: cancelled", &sweep_query, test_cancelled},
    {"sweep: cancelled without a margin", &sweep_query, test_plain_cancelled},
    {"sweep: failures", &sweep_query, test_failures},
    {"sweep: memory", &sweep_query, test_memory},
    {"sweep: wandering", &sweep_query, test_wandering},
    {"sweep: largest margin", &sweep_query, test_largest_margin},
    {"sweep: max time", &sweep_query, test_max_time},
    {"sweep: earlier pair", &sweep_query, test_earlier_pair},
    {"sweep: both ends", &sweep_query, test_both_ends},
    {"sweep: vertex from afar", &sweep_query, test_vertex_from_afar},
    {"sweep: new impacts", &sweep_query, test_new_impacts},
    {"sweep: self and distance", &sweep_query, test_self_and_distance},
    {"sweep: ends that change", &sweep_query, test_ends_that_change},
    {"sweep: soups", &sweep_query, test_soups},
};

static void run_row(void **state)
{
    const Row *row = *state;
    Stage stage;
    start(&stage, row->query, NULL);
    row->test(&stage);
    end(&stage);
}

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof *rows];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        tests[i] = (struct CMUnitTest){rows[i].name, run_row, NULL, NULL, &rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
