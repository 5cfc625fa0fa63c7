/* What touches on the way: what the public calls take, ends, and small scenes whose answers are
 * known. */
#include "unit.h"

#include "host.h"
#include "refuse.h"
#include "unheard.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

/* A triangle in the plane z = 0, and a small one above it: its lowest corner at 1, others at 2. */
static const float floor_corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
static const float above_corners[9] = {1, 1, 1, 1.5f, 1, 2, 1, 1.5f, 2};
static const uint32_t one_triangle[3] = {0, 1, 2};

typedef struct Stage {
    TestHost host;
    PliantShape *shapes[2];
    PliantWorld *world;
    PliantBody bodies[2];
    PliantBody end; /* of the second one */
} Stage;

static PliantShape *shape_of(const float *vertices, int32_t vertex_count, const uint32_t *triangles,
                             int32_t triangle_count)
{
    PliantShapeDef def = pliant_shape_def_default();
    PliantShape *shape;
    def.vertices = (PliantVertices){vertices, vertex_count, 0};
    def.triangles = (PliantTriangles){triangles, triangle_count};
    MUST(pliant_shape_create(&def, &shape));
    return shape;
}

static void start(Stage *stage)
{
    test_host_init(&stage->host);
    PliantWorldDef def = pliant_world_def_default();
    def.host = &stage->host.host;
    MUST(pliant_world_create(&def, &stage->world));
    stage->shapes[0] = shape_of(floor_corners, 3, one_triangle, 1);
    stage->shapes[1] = shape_of(above_corners, 3, one_triangle, 1);
    for (int i = 0; i < 2; i++)
        MUST(pliant_body_create(stage->world, stage->shapes[i], &stage->bodies[i]));
    MUST(pliant_body_create_end(stage->world, stage->bodies[1], &stage->end));
}

static void finish(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
    for (int i = 0; i < 2; i++)
        pliant_shape_release(stage->shapes[i]);
}

/* Moves a body, or an end, along z. */
static void lift(const Stage *stage, PliantBody body, float z)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[2][3] = z;
    MUST(pliant_body_set_transform(stage->world, body, &transform));
}

static PliantSweepDef sweep_def(PliantSweepKind query, float until)
{
    PliantSweepDef def = pliant_sweep_def_default();
    def.kind = query;
    def.max_time = until;
    return def;
}

static PliantImpacts sweep(const Stage *stage, PliantSweepKind query, float until)
{
    const PliantSweepDef def = sweep_def(query, until);
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    return impacts;
}

static bool never(void *user, int64_t done, int64_t total)
{
    assert_true(done >= 0 && done <= total);
    ++*(int *)user;
    return false;
}

/* ---- What is refused ---------------------------------------------------------------------------
 */

static void test_bad_queries(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    const PliantBody none = {0};
    const PliantImpacts before = {.struct_size = sizeof before,
                                  .items = (const PliantImpact *)&before,
                                  .count = -5,
                                  .is_conservative = true};
    PliantImpacts impacts = before;
    PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    REFUSE_UNHEARD(pliant_world_sweep(NULL, &def, &impacts), PLIANT_BAD_ARGUMENT);
    REFUSE_UNHEARD(pliant_bodies_sweep(NULL, none, none, &def, &impacts), PLIANT_BAD_ARGUMENT);
    REFUSE(stage.host, pliant_world_sweep(stage.world, &def, NULL), PLIANT_BAD_ARGUMENT,
           "impacts is NULL");
    static const float wrong[] = {-1, 1.5f, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        def.max_time = wrong[i];
        REFUSE(stage.host, pliant_world_sweep(stage.world, &def, &impacts), PLIANT_BAD_ARGUMENT,
               "def.max_time is");
    }
    def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    def.distance = -1;
    REFUSE(stage.host, pliant_world_sweep(stage.world, &def, &impacts), PLIANT_BAD_ARGUMENT,
           "def.distance is -1");
    def.distance = 0;
    def.slack = INFINITY;
    REFUSE(stage.host, pliant_world_sweep(stage.world, &def, &impacts), PLIANT_BAD_ARGUMENT,
           "def.slack is inf");
    def = sweep_def((PliantSweepKind)3, 1);
    REFUSE(stage.host, pliant_world_sweep(stage.world, &def, &impacts), PLIANT_BAD_ARGUMENT,
           "def.kind is 3");
    def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    def.struct_size = 3;
    REFUSE(stage.host, pliant_world_sweep(stage.world, &def, &impacts), PLIANT_BAD_DEF,
           "def.struct_size is 3: start from pliant_sweep_def_default()");
    def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    REFUSE(stage.host, pliant_bodies_sweep(stage.world, none, stage.bodies[0], &def, &impacts),
           PLIANT_BAD_ID, "a is {index 0, serial 0}");
    REFUSE(stage.host, pliant_bodies_sweep(stage.world, stage.bodies[0], none, &def, &impacts),
           PLIANT_BAD_ID, "b is {index 0, serial 0}");
    REFUSE(stage.host,
           pliant_bodies_sweep(stage.world, stage.bodies[0], stage.bodies[1], &def, NULL),
           PLIANT_BAD_ARGUMENT, "impacts is NULL");
    assert_memory_equal(&impacts, &before, sizeof before);
    impacts.struct_size = 2;
    REFUSE(stage.host, pliant_world_sweep(stage.world, &def, &impacts), PLIANT_BAD_DEF,
           "impacts.struct_size is 2");
    finish(&stage);
}

static void test_bad_ends(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    const PliantBody none = {0}, before = {7, 8};
    PliantBody end = before;
    REFUSE_UNHEARD(pliant_body_create_end(NULL, stage.bodies[0], &end), PLIANT_BAD_ARGUMENT);
    REFUSE(stage.host, pliant_body_create_end(stage.world, none, &end), PLIANT_BAD_ID,
           "body is {index 0, serial 0}");
    REFUSE(stage.host, pliant_body_create_end(stage.world, stage.bodies[0], NULL),
           PLIANT_BAD_ARGUMENT, "end is NULL");
    REFUSE(stage.host, pliant_body_create_end(stage.world, stage.bodies[1], &end),
           PLIANT_BAD_ARGUMENT, "the body has an end");
    REFUSE(stage.host, pliant_body_create_end(stage.world, stage.end, &end), PLIANT_BAD_ARGUMENT,
           "the body is an end itself");
    assert_memory_equal(&end, &before, sizeof before);
    finish(&stage);
}

/* A soup and its end have as many primitives and vertices. */
static void test_bad_soups(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantBody soup, end;
    const PliantImpacts before = {.struct_size = sizeof before,
                                  .items = (const PliantImpact *)&before,
                                  .count = -5,
                                  .is_conservative = true};
    PliantImpacts impacts = before;
    PliantPrimitives primitives = {.struct_size = sizeof primitives,
                                   .vertices = {floor_corners, 3, 0},
                                   .corners = one_triangle,
                                   .count = 1};
    MUST(pliant_body_create_soup(stage.world, NULL, &soup));
    MUST(pliant_body_create_end(stage.world, soup, &end));
    MUST(pliant_body_set_primitives(stage.world, soup, &primitives));
    REFUSE(stage.host, pliant_world_sweep(stage.world, NULL, &impacts), PLIANT_BAD_ARGUMENT,
           "a soup has 1 primitives and 3 vertices, its end 0 and 0");
    primitives.count = 0;
    MUST(pliant_body_set_primitives(stage.world, end, &primitives));
    REFUSE(stage.host, pliant_bodies_sweep(stage.world, soup, stage.bodies[0], NULL, &impacts),
           PLIANT_BAD_ARGUMENT, "a soup has 1 primitives and 3 vertices, its end 0 and 3");
    assert_memory_equal(&impacts, &before, sizeof before);
    primitives.count = 1;
    MUST(pliant_body_set_primitives(stage.world, end, &primitives));
    MUST(pliant_world_sweep(stage.world, NULL, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == 0);
    finish(&stage);
}

static void test_bad_pairs(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    static const uint32_t pairs[4] = {0, 1, 2, 3};
    static const float points[12] = {0};
    float times[2] = {7, 8};
    PliantSweepCounts counts = pliant_sweep_counts_default();
    PliantSweepPairs right = pliant_sweep_pairs_default(), def;
    right.start = right.end = points;
    right.vertex_count = 4;
    right.pairs = pairs;
    right.pair_count = 1;
    right.host = &host.host;
    REFUSE_UNHEARD(pliant_sweep_pairs(NULL, times, 1, NULL), PLIANT_BAD_ARGUMENT);
#define REFUSE_PAIRS(field, value, code, text)                                                     \
    def = right;                                                                                   \
    def.field = value;                                                                             \
    REFUSE(host, pliant_sweep_pairs(&def, times, 1, &counts), code, text)
    REFUSE_PAIRS(kind, PLIANT_TRIANGLE_VERTEX, PLIANT_BAD_ARGUMENT, "def.kind is 1");
    REFUSE_PAIRS(kind, PLIANT_TRIANGLE_TRIANGLE, PLIANT_BAD_ARGUMENT, "def.kind is 3");
    REFUSE_PAIRS(start, NULL, PLIANT_BAD_ARGUMENT, "def.start is NULL");
    REFUSE_PAIRS(end, NULL, PLIANT_BAD_ARGUMENT, "def.end is NULL");
    REFUSE_PAIRS(pairs, NULL, PLIANT_BAD_ARGUMENT, "def.pairs is NULL");
    REFUSE_PAIRS(vertex_count, -1, PLIANT_BAD_ARGUMENT, "def.vertex_count is -1");
    REFUSE_PAIRS(vertex_count, 3, PLIANT_BAD_INDEX, "def.pairs[3] is 3, def.vertex_count is 3");
    REFUSE_PAIRS(pair_count, -1, PLIANT_BAD_ARGUMENT, "def.pair_count is -1");
    REFUSE_PAIRS(pair_count, 2, PLIANT_BAD_ARGUMENT, "capacity is 1, def.pair_count is 2");
    REFUSE_PAIRS(pair_count, INT64_MAX, PLIANT_TOO_LARGE, "def.pair_count is");
#undef REFUSE_PAIRS
    REFUSE(host, pliant_sweep_pairs(&right, NULL, 1, &counts), PLIANT_BAD_ARGUMENT,
           "times is NULL");
    counts.struct_size = 5;
    REFUSE(host, pliant_sweep_pairs(&right, times, 1, &counts), PLIANT_BAD_DEF,
           "counts.struct_size is 5");
    def = right;
    def.struct_size = 4;
    REFUSE_UNHEARD(pliant_sweep_pairs(&def, times, 1, NULL), PLIANT_BAD_DEF);
    assert_true(times[0] == 7 && times[1] == 8);
    counts = pliant_sweep_counts_default();
    MUST(pliant_sweep_pairs(&right, times, 2, &counts));
    assert_true(times[0] == 0 && times[1] == 8);
    assert_int_equal(counts.pairs, 1);
    assert_int_equal(counts.touching, 1);
    right.pair_count = 0;
    MUST(pliant_sweep_pairs(&right, NULL, 0, NULL));
    assert_int_equal(host.calls, 0);
}

/* ---- Ends --------------------------------------------------------------------------------------
 */

/* They are destroyed alone or with their body, and are none that is counted or listed. */
static void test_ends(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantBody listed = {0}, end, soup;
    assert_int_equal(pliant_world_body_count(stage.world), 2);
    for (int i = 0; i < 2; i++) {
        listed = pliant_world_next_body(stage.world, listed);
        assert_memory_equal(&listed, &stage.bodies[i], sizeof listed);
    }
    assert_int_equal(pliant_world_next_body(stage.world, listed).index, 0);
    assert_true(pliant_body_is_alive(stage.world, stage.end));
    MUST(pliant_body_destroy(stage.world, stage.end));
    assert_false(pliant_body_is_alive(stage.world, stage.end));
    assert_true(pliant_body_is_alive(stage.world, stage.bodies[1]));
    assert_int_equal(pliant_world_body_count(stage.world), 2);
    MUST(pliant_body_create_end(stage.world, stage.bodies[1], &end));
    MUST(pliant_body_destroy(stage.world, stage.bodies[1]));
    assert_false(pliant_body_is_alive(stage.world, end));
    assert_int_equal(pliant_world_body_count(stage.world), 1);
    MUST(pliant_body_create_soup(stage.world, NULL, &soup));
    MUST(pliant_body_create_end(stage.world, soup, &end));
    assert_int_equal(pliant_world_body_count(stage.world), 2);
    MUST(pliant_body_destroy(stage.world, soup));
    assert_false(pliant_body_is_alive(stage.world, end));
    finish(&stage);
}

/* An end in the middle of a body is seen by no query. */
static void test_unseen(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    lift(&stage, stage.end, -1.5f);
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(stage.world, NULL, &contacts));
    assert_int_equal(contacts.count, 0);
    PliantNearDef near_def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    near_def.distance = 0.5f;
    near_def.includes_self = true;
    MUST(pliant_world_near(stage.world, &near_def, &pairs));
    assert_int_equal(pairs.count, 0);
    PliantBodyPairsDef within = pliant_body_pairs_def_default();
    PliantBodyPairs body_pairs = pliant_body_pairs_default();
    within.distance = 0.5f;
    MUST(pliant_world_bodies_within(stage.world, &within, &body_pairs));
    assert_int_equal(body_pairs.count, 0);
    MUST(pliant_world_body_pairs(stage.world, NULL, &body_pairs));
    assert_int_equal(body_pairs.count, 0);
    const PliantRay ray = {{1.1f, 1.1f, -5}, {0, 0, 1}, 100};
    PliantRayHits hits = pliant_ray_hits_default();
    PliantRayDef ray_def = pliant_ray_def_default();
    MUST(pliant_world_cast_rays(stage.world, &ray_def, &ray, 1, &hits));
    assert_int_equal(hits.count, 1);
    assert_memory_equal(&hits.items[0].body, &stage.bodies[0], sizeof stage.bodies[0]);
    const float point[3] = {1, 1, -1};
    PliantClosestPoints closest = pliant_closest_points_default();
    MUST(pliant_world_closest_points(stage.world, (PliantVertices){point, 1, 0}, NULL, &closest));
    assert_memory_equal(&closest.items[0].body, &stage.bodies[0], sizeof stage.bodies[0]);
    assert_true(closest.items[0].distance == 1);
    finish(&stage);
}

/* ---- Known answers -----------------------------------------------------------------------------
 */

/* The lowest corner goes through at half of the time, the others touch in the end. */
static void test_through(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    lift(&stage, stage.end, -2);
    PliantImpacts impacts = sweep(&stage, PLIANT_ALL_IMPACTS, 1);
    assert_int_equal(impacts.count, 3);
    for (int i = 0; i < 3; i++) {
        const PliantImpact *impact = &impacts.items[i];
        assert_int_equal(impact->kind, PLIANT_TRIANGLE_VERTEX);
        assert_memory_equal(&impact->body_a, &stage.bodies[0], sizeof impact->body_a);
        assert_memory_equal(&impact->body_b, &stage.bodies[1], sizeof impact->body_b);
        assert_int_equal(impact->feature_a, 0);
        assert_int_equal(impact->feature_b, i);
        assert_true(impact->time == (i == 0 ? .5f : 1));
        assert_true(impact->normal[0] == 0 && impact->normal[1] == 0 && impact->normal[2] == -1);
    }
    const PliantImpact first = impacts.items[0];
    assert_true(first.weights[0] == .5f && first.weights[1] == .25f && first.weights[2] == .25f &&
                first.weights[3] == -1);
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, nextafterf(1, 0)).count, 1);
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, .5f).count, 1);
    for (int query = PLIANT_EARLIEST; query <= PLIANT_ALL_IMPACTS; query++) {
        assert_int_equal(sweep(&stage, (PliantSweepKind)query, nextafterf(.5f, 0)).count, 0);
        assert_int_equal(sweep(&stage, (PliantSweepKind)query, 0).count, 0);
    }
    for (int query = PLIANT_EARLIEST; query <= PLIANT_FIRST_IMPACTS; query++) {
        impacts = sweep(&stage, (PliantSweepKind)query, 1);
        assert_int_equal(impacts.count, 1);
        assert_memory_equal(impacts.items, &first, sizeof first);
    }
    finish(&stage);
}

/* At the very start, at the very end, and before it. */
static void test_ends_of_time(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    lift(&stage, stage.bodies[1], -1);
    lift(&stage, stage.end, 3);
    PliantImpacts impacts = sweep(&stage, PLIANT_ALL_IMPACTS, 0);
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == 0);
    lift(&stage, stage.bodies[1], 3);
    lift(&stage, stage.end, -1);
    impacts = sweep(&stage, PLIANT_ALL_IMPACTS, 1);
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == 1);
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, nextafterf(1, 0)).count, 0);
    lift(&stage, stage.end, nextafterf(-1, 0));
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    finish(&stage);
}

/* Far above now and far below in the next frame: no frame shows it. */
static void test_between_frames(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    lift(&stage, stage.bodies[1], 99);
    lift(&stage, stage.end, -101);
    PliantContacts contacts = pliant_contacts_default();
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_world_collide(stage.world, NULL, &contacts));
    assert_int_equal(contacts.count, 0);
    MUST(pliant_world_sweep(stage.world, NULL, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == .5f);
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 3);
    MUST(pliant_body_set_filter(stage.world, stage.bodies[0], 1, 1));
    MUST(pliant_body_set_filter(stage.world, stage.bodies[1], 2, 2));
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    MUST(pliant_bodies_sweep(stage.world, stage.bodies[1], stage.bodies[0], NULL, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_memory_equal(&impacts.items[0].body_a, &stage.bodies[0], sizeof stage.bodies[0]);
    finish(&stage);
}

/* Bodies that stand still touch now or never, with an end or without. */
static void test_standing(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    lift(&stage, stage.bodies[1], -1);
    lift(&stage, stage.end, -1);
    for (int i = 0; i < 2; i++) {
        const PliantImpacts impacts = sweep(&stage, PLIANT_ALL_IMPACTS, 1);
        assert_int_equal(impacts.count, 1);
        assert_true(impacts.items[0].time == 0);
        if (i == 0)
            MUST(pliant_body_destroy(stage.world, stage.end));
    }
    finish(&stage);
}

/* Both triangles in one body: they count if that is asked for, or if it is the body of a call. */
static void test_self(void **state)
{
    (void)state;
    static const uint32_t two_triangles[6] = {0, 1, 2, 3, 4, 5};
    Stage stage;
    start(&stage);
    float now[18], next[18];
    memcpy(now, floor_corners, sizeof floor_corners);
    memcpy(now + 9, above_corners, sizeof above_corners);
    memcpy(next, now, sizeof next);
    for (int i = 3; i < 6; i++) {
        now[3 * i + 2] += 100;
        next[3 * i + 2] -= 102;
    }
    PliantShape *shape = shape_of(now, 6, two_triangles, 2);
    PliantBody body, end;
    PliantImpacts impacts = pliant_impacts_default();
    PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    for (int i = 0; i < 2; i++)
        MUST(pliant_body_destroy(stage.world, stage.bodies[i]));
    MUST(pliant_body_create(stage.world, shape, &body));
    MUST(pliant_body_create_end(stage.world, body, &end));
    MUST(pliant_body_borrow_vertices(stage.world, end, (PliantVertices){next, 6, 0}));
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    assert_int_equal(impacts.count, 0);
    def.includes_self = true;
    for (int i = 0; i < 2; i++) {
        MUST(i == 0 ? pliant_world_sweep(stage.world, &def, &impacts)
                    : pliant_bodies_sweep(stage.world, body, body, &def, &impacts));
        assert_int_equal(impacts.count, 3);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(impacts.items[k].kind, PLIANT_VERTEX_TRIANGLE);
            assert_int_equal(impacts.items[k].feature_a, 3 + k);
            assert_int_equal(impacts.items[k].feature_b, 0);
            assert_true(impacts.items[k].normal[2] == 1);
        }
        assert_true(impacts.items[0].time == .5f);
        def.includes_self = false;
    }
    pliant_shape_release(shape);
    finish(&stage);
}

/* Not finite at the end: the triangle touches nothing. */
static void test_nan(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    float next[9];
    memcpy(next, above_corners, sizeof next);
    for (int i = 0; i < 3; i++)
        next[3 * i + 2] -= 2;
    MUST(pliant_body_borrow_vertices(stage.world, stage.end, (PliantVertices){next, 3, 0}));
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 3);
    next[8] = NAN;
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    next[8] = -INFINITY;
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    finish(&stage);
}

/* A point of a soup, which its end takes through the floor; the other one stays above. */
static void test_points(void **state)
{
    (void)state;
    static const float now[6] = {1, 1, 1, 1, 1, 5}, next[6] = {1, 1, -3, 1, 1, 4};
    Stage stage;
    start(&stage);
    PliantSoupDef soup_def = pliant_soup_def_default();
    PliantPrimitives primitives = {
        .struct_size = sizeof primitives, .vertices = {now, 2, 0}, .corners = NULL, .count = 2};
    PliantBody soup, end;
    soup_def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(stage.world, &soup_def, &soup));
    MUST(pliant_body_create_end(stage.world, soup, &end));
    MUST(pliant_body_set_primitives(stage.world, soup, &primitives));
    primitives.vertices.data = next;
    MUST(pliant_body_set_primitives(stage.world, end, &primitives));
    const PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_bodies_sweep(stage.world, soup, stage.bodies[0], &def, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_int_equal(impacts.items[0].kind, PLIANT_TRIANGLE_VERTEX);
    assert_int_equal(impacts.items[0].feature_b, 0);
    assert_true(impacts.items[0].time == .25f);
    primitives.vertices.data = now; /* the same by a transform: then both go through */
    MUST(pliant_body_set_primitives(stage.world, end, &primitives));
    lift(&stage, end, -8);
    MUST(pliant_body_destroy(stage.world, stage.bodies[1]));
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    assert_int_equal(impacts.count, 2);
    assert_true(impacts.items[0].time == .125f && impacts.items[1].time == .625f);
    finish(&stage);
}

/* ---- Queries as calls --------------------------------------------------------------------------
 */

static void test_cancelled(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    lift(&stage, stage.end, -2);
    const PliantImpacts before = {.struct_size = sizeof before,
                                  .items = (const PliantImpact *)&before,
                                  .count = -5,
                                  .is_conservative = true};
    PliantImpacts impacts = before;
    PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    int calls = 0;
    def.progress = never;
    def.user = &calls;
    assert_int_equal(pliant_world_sweep(stage.world, &def, &impacts), PLIANT_CANCELLED);
    assert_int_equal(calls, 1);
    assert_memory_equal(&impacts, &before, sizeof before);
    assert_int_equal(
        pliant_bodies_sweep(stage.world, stage.bodies[0], stage.bodies[1], &def, &impacts),
        PLIANT_CANCELLED);
    assert_int_equal(calls, 2);
    assert_int_equal(sweep(&stage, PLIANT_ALL_IMPACTS, 1).count, 3);
    finish(&stage);
}

/* A floor that is not along an axis, of many pieces that know their plane. What goes through it
 * crosses that plane, and what stops above it comes within a distance, as if it were one piece; no
 * matter which of both is body a. */
static void test_divided(void **state)
{
    (void)state;
    static const float slope_corners[9] = {-8, -8, -8, 8, -8, 8, 0, 8, 0};
    Stage stage;
    start(&stage);
    PliantShapeDef shape_def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody slope, bodies[2] = {stage.bodies[1]}, ends[2] = {stage.end};
    shape_def.vertices = (PliantVertices){slope_corners, 3, 0};
    shape_def.triangles = (PliantTriangles){one_triangle, 1};
    shape_def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    shape_def.divide_size = .5f;
    MUST(pliant_shape_create(&shape_def, &shape));
    MUST(pliant_body_create(stage.world, shape, &slope));
    MUST(pliant_body_create(stage.world, stage.shapes[1], &bodies[1]));
    MUST(pliant_body_create_end(stage.world, bodies[1], &ends[1]));
    for (int i = 0; i < 2; i++) {
        PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
        PliantImpacts impacts = pliant_impacts_default();
        lift(&stage, bodies[i], 3);
        lift(&stage, ends[i], -3); /* the corner at (1, 1) goes from 4 to -2, through 1 */
        MUST(pliant_bodies_sweep(stage.world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 3);
        assert_true(impacts.items[0].time == .5f);
        lift(&stage, ends[i], 2); /* it ends at 3: two units up, and 1.41 away */
        MUST(pliant_bodies_sweep(stage.world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 0);
        def.distance = 1.5f;
        MUST(pliant_bodies_sweep(stage.world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 1);
        def.distance = 1.25f;
        MUST(pliant_bodies_sweep(stage.world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 0);
    }
    pliant_shape_release(shape);
    finish(&stage);
}

/* The end of a soup is a body too, that stands still, and its own body comes to it. */
static void test_soup_and_its_end(void **state)
{
    (void)state;
    static const float now[9] = {0, 0, 1, 1, 0, 1, 0, 1, 1}, next[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    PliantWorld *world;
    PliantBody body, end;
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = (PliantVertices){now, 3, 0};
    primitives.count = 1;
    MUST(pliant_world_create(NULL, &world));
    MUST(pliant_body_create_soup(world, NULL, &body));
    MUST(pliant_body_create_end(world, body, &end));
    MUST(pliant_body_set_primitives(world, body, &primitives));
    primitives.vertices.data = next;
    MUST(pliant_body_set_primitives(world, end, &primitives));
    const PliantSweepDef def = sweep_def(PLIANT_EARLIEST, 1);
    PliantImpacts impacts = pliant_impacts_default();
    for (int i = 0; i < 2; i++) {
        MUST(pliant_bodies_sweep(world, i ? end : body, i ? body : end, &def, &impacts));
        assert_int_equal(impacts.count, 1);
        assert_true(impacts.items[0].time == 1);
    }
    pliant_world_destroy(world);
}

/* ---- Conservatively ----------------------------------------------------------------------------
 */

/* The lowest corner is 1 above the floor and goes down by 2: it is within a quarter at 3 / 8. */
static void test_distance(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    lift(&stage, stage.end, -2);
    PliantSweepDef def = sweep_def(PLIANT_EARLIEST, 1);
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    assert_false(impacts.is_conservative);
    def.distance = .125f;
    def.slack = .125f;
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    assert_true(impacts.is_conservative);
    assert_int_equal(impacts.count, 1);
    const PliantImpact impact = impacts.items[0];
    assert_true(impact.time <= .375f && impact.time > .37f);
    assert_int_equal(impact.kind, PLIANT_TRIANGLE_VERTEX);
    assert_true(impact.normal[2] < -.999f && impact.weights[3] == -1);
    def.max_time = .37f;
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    assert_int_equal(impacts.count, 0);
    /* It stops half a unit above: near enough for one distance and not for another. */
    lift(&stage, stage.end, -.5f);
    def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    def.distance = .5f;
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    assert_int_equal(impacts.count, 1);
    def.distance = .49f;
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    assert_int_equal(impacts.count, 0);
    finish(&stage);
}

static PliantTransform turned(double angle)
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][0] = transform.rows[1][1] = (float)cos(angle);
    transform.rows[1][0] = (float)sin(angle);
    transform.rows[0][1] = -(float)sin(angle);
    return transform;
}

/* Points at the radius are no farther from their chord than the slack, and not much less far. */
static void test_slack(void **state)
{
    (void)state;
    const PliantTransform start = turned(.3);
    const float radius = 2;
    for (int i = 1; i <= 31; i++) {
        const double angle = .1 * i;
        const PliantTransform end = turned(.3 + angle);
        const float slack = pliant_joints_slack(&start, &end, &radius, 1);
        double most = 0;
        for (int k = 0; k <= 1000; k++) {
            const double t = k / 1000.0, x = cos(angle * t) - ((1 - t) + t * cos(angle)),
                         y = sin(angle * t) - t * sin(angle);
            most = fmax(most, radius * sqrt(x * x + y * y));
        }
        assert_true(slack >= most);
        assert_true(angle > 1 || slack <= 1.2 * radius * angle * angle / 8);
    }
    const PliantTransform both[2] = {start, start};
    const float radii[2] = {1, -1}, nan = NAN;
    assert_true(pliant_joints_slack(both, both, &radius, 1) < 1e-10f);
    assert_true(pliant_joints_slack(both, both, radii, 2) == INFINITY);
    assert_true(pliant_joints_slack(both, both, &nan, 1) == INFINITY);
    assert_true(pliant_joints_slack(NULL, both, &radius, 1) == INFINITY);
    assert_true(pliant_joints_slack(both, both, &radius, -1) == INFINITY);
    assert_true(pliant_joints_slack(both, both, &radius, 0) == 0);
}

/* Once it has seen a frame, a world takes no memory for the next one like it. */
static void test_memory(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    lift(&stage, stage.end, -2);
    PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    PliantImpacts impacts = pliant_impacts_default();
    def.includes_self = true;
    MUST(pliant_world_sweep(stage.world, &def, &impacts));
    const int64_t calls = stage.host.calls;
    for (int i = 0; i < 10; i++) {
        lift(&stage, stage.end, -2 - (float)i);
        def.kind = (PliantSweepKind)(i % 3);
        MUST(pliant_world_sweep(stage.world, &def, &impacts));
        assert_true(impacts.count > 0);
    }
    assert_int_equal(stage.host.calls, calls);
    finish(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_queries),    cmocka_unit_test(test_bad_ends),
        cmocka_unit_test(test_bad_soups),      cmocka_unit_test(test_bad_pairs),
        cmocka_unit_test(test_ends),           cmocka_unit_test(test_unseen),
        cmocka_unit_test(test_through),        cmocka_unit_test(test_ends_of_time),
        cmocka_unit_test(test_between_frames), cmocka_unit_test(test_standing),
        cmocka_unit_test(test_self),           cmocka_unit_test(test_nan),
        cmocka_unit_test(test_points),         cmocka_unit_test(test_cancelled),
        cmocka_unit_test(test_memory),         cmocka_unit_test(test_distance),
        cmocka_unit_test(test_slack),          cmocka_unit_test(test_soup_and_its_end),
        cmocka_unit_test(test_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
