/* Features within a distance, and features that touch on the way: what the public calls take, ends,
 * and small scenes whose answers are known. */
#include "unit.h"

#include "asked.h"
#include "host.h"
#include "refuse.h"
#include "unheard.h"
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
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

static PliantNearDef near_def(float distance)
{
    PliantNearDef def = pliant_near_def_default();
    def.distance = distance;
    return def;
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

/* ---- Both queries ------------------------------------------------------------------------------
 */

typedef struct Call {
    const char *name;
    TestAsk *ask;
    bool is_of_two;
    float distance;
    int64_t count; /* of items, if the small triangle falls by 2 */
} Call;

enum { WORLD_NEAR, BODIES_NEAR, WORLD_SWEEP, BODIES_SWEEP, CALLS };

static const Call calls[CALLS] = {
    {"pliant_world_near", test_ask_near, false, 1, 1},
    {"pliant_bodies_near", test_ask_near, true, 1, 1},
    {"pliant_world_sweep", test_ask_sweep, false, 0, 3},
    {"pliant_bodies_sweep", test_ask_sweep, true, 0, 3},
};

static Asked asked_of(const Stage *stage, const Call *call)
{
    Asked asked = test_asked(stage->world, stage->bodies[0], stage->bodies[1], call->distance);
    asked.is_of_two = call->is_of_two;
    return asked;
}

typedef struct Refusal {
    int call;
    int number; /* that is wrong: see asked.h */
    float value;
    PliantResult result;
    const char *text;
} Refusal;

static const Refusal refusals[] = {
    {WORLD_NEAR, ASKED_NO_ANSWER, 1, PLIANT_BAD_ARGUMENT, "pairs is NULL"},
    {WORLD_NEAR, ASKED_ANSWER_SIZE, 2, PLIANT_BAD_DEF, "pairs.struct_size is 2"},
    {WORLD_NEAR, ASKED_DISTANCE, -1, PLIANT_BAD_ARGUMENT, "def.distance is -1"},
    {WORLD_NEAR, ASKED_DISTANCE, NAN, PLIANT_BAD_ARGUMENT, "def.distance is"},
    {WORLD_NEAR, ASKED_DISTANCE, INFINITY, PLIANT_BAD_ARGUMENT, "def.distance is inf"},
    {WORLD_NEAR, ASKED_REST_DISTANCE, -INFINITY, PLIANT_BAD_ARGUMENT, "def.rest_distance is -inf"},
    {WORLD_NEAR, ASKED_DEF_SIZE, 3, PLIANT_BAD_DEF, "def.struct_size is 3"},
    {BODIES_NEAR, ASKED_NO_ANSWER, 1, PLIANT_BAD_ARGUMENT, "pairs is NULL"},
    {BODIES_NEAR, ASKED_NO_A, 1, PLIANT_BAD_ID, "a is {index 0, serial 0}"},
    {BODIES_NEAR, ASKED_NO_B, 1, PLIANT_BAD_ID, "b is {index 0, serial 0}"},
    {WORLD_SWEEP, ASKED_NO_ANSWER, 1, PLIANT_BAD_ARGUMENT, "impacts is NULL"},
    {WORLD_SWEEP, ASKED_ANSWER_SIZE, 2, PLIANT_BAD_DEF, "impacts.struct_size is 2"},
    {WORLD_SWEEP, ASKED_MAX_TIME, -1, PLIANT_BAD_ARGUMENT, "def.max_time is"},
    {WORLD_SWEEP, ASKED_MAX_TIME, 1.5f, PLIANT_BAD_ARGUMENT, "def.max_time is"},
    {WORLD_SWEEP, ASKED_MAX_TIME, NAN, PLIANT_BAD_ARGUMENT, "def.max_time is"},
    {WORLD_SWEEP, ASKED_MAX_TIME, INFINITY, PLIANT_BAD_ARGUMENT, "def.max_time is"},
    {WORLD_SWEEP, ASKED_DISTANCE, -1, PLIANT_BAD_ARGUMENT, "def.distance is -1"},
    {WORLD_SWEEP, ASKED_SLACK, INFINITY, PLIANT_BAD_ARGUMENT, "def.slack is inf"},
    {WORLD_SWEEP, ASKED_KIND, 3, PLIANT_BAD_ARGUMENT, "def.kind is 3"},
    {WORLD_SWEEP, ASKED_DEF_SIZE, 3, PLIANT_BAD_DEF,
     "def.struct_size is 3: start from pliant_sweep_def_default()"},
    {BODIES_SWEEP, ASKED_NO_ANSWER, 1, PLIANT_BAD_ARGUMENT, "impacts is NULL"},
    {BODIES_SWEEP, ASKED_NO_A, 1, PLIANT_BAD_ID, "a is {index 0, serial 0}"},
    {BODIES_SWEEP, ASKED_NO_B, 1, PLIANT_BAD_ID, "b is {index 0, serial 0}"},
};

static void test_refusals(Stage *stage)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const Refusal *refusal = &refusals[i];
        const Call *call = &calls[refusal->call];
        Asked asked = asked_of(stage, call);
        Answered found;
        char text[128];
        asked.numbers[refusal->number] = refusal->value;
        snprintf(text, sizeof text, "%s: %s", call->name, refusal->text);
        REFUSE_UNNAMED(stage->host, call->ask(&asked, &found), refusal->result, text);
    }
}

static void test_no_world(Stage *stage)
{
    for (int i = 0; i < CALLS; i++) {
        Asked asked = asked_of(stage, &calls[i]);
        Answered found;
        asked.world = NULL;
        REFUSE_UNHEARD(calls[i].ask(&asked, &found), PLIANT_BAD_ARGUMENT);
    }
}

static bool never(void *user, int64_t done, int64_t total)
{
    assert_true(done >= 0 && done <= total);
    ++*(int *)user;
    return false;
}

/* A query that is stopped at once; then the same query. */
static void test_cancelled(Stage *stage)
{
    lift(stage, stage->end, -2);
    for (int i = 0; i < CALLS; i++) {
        Asked asked = asked_of(stage, &calls[i]);
        Answered found;
        int count = 0;
        asked.progress = never;
        asked.user = &count;
        assert_int_equal(calls[i].ask(&asked, &found), PLIANT_CANCELLED);
        assert_int_equal(count, 1);
        asked.progress = NULL;
        MUST(calls[i].ask(&asked, &found));
        assert_int_equal(found.count, calls[i].count);
    }
}

/* Once it has seen a frame, a world takes no memory for the next one like it. */
static void test_memory(Stage *stage)
{
    for (int i = 0; i < CALLS; i++) {
        Asked asked = asked_of(stage, &calls[i]);
        Answered found;
        lift(stage, stage->end, -2);
        asked.numbers[ASKED_DISTANCE] *= 8;
        asked.numbers[ASKED_SELF] = 1;
        MUST(calls[i].ask(&asked, &found));
        const int64_t before = stage->host.calls;
        for (int k = 0; k < 10; k++) {
            lift(stage, stage->end, -2 - (float)k);
            asked.numbers[ASKED_KIND] = (float)(k % 3);
            MUST(calls[i].ask(&asked, &found));
            assert_true(found.count > 5 * calls[i].distance);
        }
        assert_int_equal(stage->host.calls, before);
    }
}

/* ---- Near queries ------------------------------------------------------------------------------
 */

/* The lowest corner is the only one within 1, and touches nothing. */
static void test_one_pair(Stage *stage)
{
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1);
    MUST(pliant_world_near(stage->world, &def, &pairs));
    assert_int_equal(pairs.count, 1);
    const PliantNearPair *pair = &pairs.items[0];
    assert_int_equal(pair->kind, PLIANT_TRIANGLE_VERTEX);
    assert_memory_equal(&pair->body_a, &stage->bodies[0], sizeof pair->body_a);
    assert_memory_equal(&pair->body_b, &stage->bodies[1], sizeof pair->body_b);
    assert_int_equal(pair->feature_a, 0);
    assert_int_equal(pair->feature_b, 0);
    assert_true(pair->distance == 1);
    assert_true(pair->normal[0] == 0 && pair->normal[1] == 0 && pair->normal[2] == -1);
    assert_true(pair->weights[0] == .5f && pair->weights[1] == .25f && pair->weights[2] == .25f &&
                pair->weights[3] == -1);
    assert_int_equal(pair->region, 15);
    def.distance = nextafterf(1, 0);
    MUST(pliant_bodies_near(stage->world, stage->bodies[1], stage->bodies[0], &def, &pairs));
    assert_int_equal(pairs.count, 0);
    MUST(pliant_world_near(stage->world, NULL, &pairs));
    assert_int_equal(pairs.count, 0);
}

/* The vertices of a pair of two bodies of one triangle each: numbers of floats in corners[body]. */
static void find_vertices(const Stage *stage, const PliantNearPair *pair, int bodies[4],
                          uint32_t firsts[4])
{
    const int a_count = pair->kind == PLIANT_VERTEX_TRIANGLE ? 1
                        : pair->kind == PLIANT_EDGE_EDGE     ? 2
                                                             : 3;
    for (int i = 0; i < 4; i++) {
        const int body = bodies[i] = i >= a_count, number = body ? i - a_count : i;
        const int count = body ? 4 - a_count : a_count;
        const int32_t feature = body ? pair->feature_b : pair->feature_a;
        const uint32_t *edges;
        int32_t edge_count;
        MUST(pliant_shape_edges(stage->shapes[body], &edges, &edge_count));
        firsts[i] = 3 * (count == 1   ? (uint32_t)feature
                         : count == 2 ? edges[2 * feature + number]
                                      : one_triangle[number]);
    }
}

/* The push of docs/near.md: the vertices of the bodies that move, of equal mass, move along the
 * normal by their weights, until the closest points are apart by `missing` more. */
static void push(const Stage *stage, const PliantNearPair *pair, float corners[2][9],
                 const bool moves[2], float missing)
{
    int bodies[4];
    uint32_t firsts[4];
    float sum = 0;
    find_vertices(stage, pair, bodies, firsts);
    for (int i = 0; i < 4; i++)
        sum += moves[bodies[i]] ? pair->weights[i] * pair->weights[i] : 0;
    for (int i = 0; i < 4; i++)
        for (uint32_t k = 0; moves[bodies[i]] && k < 3; k++)
            corners[bodies[i]][firsts[i] + k] += missing * pair->weights[i] / sum * pair->normal[k];
}

/* The vector between the points of a pair, along its normal. */
static double distance_along(const Stage *stage, const PliantNearPair *pair, float corners[2][9])
{
    int bodies[4];
    uint32_t firsts[4];
    double sum = 0;
    find_vertices(stage, pair, bodies, firsts);
    for (int i = 0; i < 4; i++)
        for (uint32_t k = 0; k < 3; k++)
            sum += (double)pair->weights[i] * (double)corners[bodies[i]][firsts[i] + k] *
                   (double)pair->normal[k];
    return sum;
}

/* Pushes the only pair within .26 by .005, with both bodies or one of them moving. The points of
 * the pair are then apart by exactly that much more, and so are the features if they do not tilt:
 * if weights of one body are equal. */
static void test_push(Stage *stage)
{
    static const float corners[][2][9] = {
        /* a vertex over the center of a triangle, two edges that cross in their middle, and a
         * vertex over another point: with weights of 1/2, 1/4, 1/4 the triangle tilts */
        {{0, 0, 0, 3, 0, 0, 0, 3, 0}, {1, 1, .005f, 1.5f, 1, .5f, 1, 1.5f, .5f}},
        {{-1, 0, 0, 1, 0, 0, 0, 0, -5}, {0, -1, .005f, 0, 1, .005f, 0, 0, 5}},
        {{0, 0, 0, 4, 0, 0, 0, 4, 0}, {1, 1, .25f, 1.5f, 1, .5f, 1, 1.5f, .5f}},
    };
    static const bool moves[][2] = {{true, true}, {false, true}, {true, false}};
    float now[2][9]; /* that are borrowed */
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < 3; m++) {
            memcpy(now, corners[c], sizeof now);
            for (int i = 0; i < 2; i++)
                MUST(pliant_body_borrow_vertices(stage->world, stage->bodies[i],
                                                 (PliantVertices){now[i], 3, 0}));
            PliantNearPairs pairs = pliant_near_pairs_default();
            PliantNearDef def = near_def(.26f);
            MUST(pliant_world_near(stage->world, &def, &pairs));
            assert_int_equal(pairs.count, 1);
            const PliantNearPair before = pairs.items[0];
            push(stage, &before, now, moves[m], .005f);
            assert_true(fabs(distance_along(stage, &before, now) - (double)before.distance - .005) <
                        1e-7);
            MUST(pliant_world_near(stage->world, &def, &pairs));
            assert_int_equal(pairs.count, 1);
            const double error = (double)pairs.items[0].distance - (double)before.distance - .005;
            assert_true(c < 2 ? fabs(error) < 1e-8 : error < 1e-7 && error > -1e-5);
        }
}

/* Filters count in a world, and not for two bodies. */
static void test_filters(Stage *stage)
{
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1);
    MUST(pliant_body_set_filter(stage->world, stage->bodies[0], 1, 1));
    MUST(pliant_body_set_filter(stage->world, stage->bodies[1], 2, 2));
    MUST(pliant_world_near(stage->world, &def, &pairs));
    assert_int_equal(pairs.count, 0);
    MUST(pliant_bodies_near(stage->world, stage->bodies[0], stage->bodies[1], &def, &pairs));
    assert_int_equal(pairs.count, 1);
}

/* A strip of three triangles, folded so that the first and the last are one above the other. They
 * have no vertex in common; neighbors have. */
static void test_near_self(Stage *stage)
{
    static const float strip[5][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, .5f}, {0, .5f, .5f}};
    static const uint32_t triangles[3][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}};
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(.5f);
    PliantShape *shape = shape_of(strip[0], 5, triangles[0], 3);
    PliantBody body;
    MUST(pliant_body_create(stage->world, shape, &body));
    MUST(pliant_bodies_near(stage->world, body, body, &def, &pairs));
    bool is_there = false;
    for (int64_t i = 0; i < pairs.count; i++) {
        const PliantNearPair *pair = &pairs.items[i];
        assert_int_not_equal(pair->kind, PLIANT_TRIANGLE_VERTEX);
        is_there |= pair->kind == PLIANT_VERTEX_TRIANGLE && pair->feature_a == 4 &&
                    pair->feature_b == 0 && pair->distance == .5f;
        for (int k = 0; k < 3 && pair->kind == PLIANT_VERTEX_TRIANGLE; k++)
            assert_true(triangles[pair->feature_b][k] != (uint32_t)pair->feature_a);
    }
    assert_true(is_there);
    const int64_t self_count = pairs.count;
    MUST(pliant_body_set_filter(stage->world, body, 1, 0));
    MUST(pliant_world_near(stage->world, &def, &pairs));
    const int64_t count = pairs.count;
    def.includes_self = true;
    MUST(pliant_world_near(stage->world, &def, &pairs));
    assert_int_equal(pairs.count, count + self_count);
    pliant_shape_release(shape);
}

/* A flat strip of four triangles, folded: what is near at rest is left out, what was folded is not.
 */
static void test_rest(Stage *stage)
{
    static const float flat[6][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0},
                                     {1, 1, 0}, {2, 0, 0}, {2, 1, 0}};
    static const uint32_t triangles[4][3] = {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}};
    static float folded[6][3] = {{0, 0, 0}, {0, 1, 0},    {1, 0, 0},
                                 {1, 1, 0}, {0, 0, .25f}, {0, 1, .25f}};
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1.3f);
    PliantShape *shape = shape_of(flat[0], 6, triangles[0], 4);
    PliantBody body;
    MUST(pliant_body_create(stage->world, shape, &body));
    MUST(pliant_bodies_near(stage->world, body, body, &def, &pairs));
    const int64_t all = pairs.count;
    def.rest_distance = 1.3f;
    MUST(pliant_bodies_near(stage->world, body, body, &def, &pairs));
    assert_true(all > 0);
    assert_int_equal(pairs.count, 0);
    MUST(pliant_body_borrow_vertices(stage->world, body, (PliantVertices){folded[0], 6, 0}));
    MUST(pliant_bodies_near(stage->world, body, body, &def, &pairs));
    assert_true(pairs.count > 0);
    bool is_there = false;
    for (int64_t i = 0; i < pairs.count; i++)
        is_there |= pairs.items[i].kind == PLIANT_VERTEX_TRIANGLE &&
                    pairs.items[i].feature_a == 5 && pairs.items[i].feature_b == 0 &&
                    pairs.items[i].distance == .25f;
    assert_true(is_there);
    pliant_shape_release(shape);
}

/* The least distance of each vertex, and where its pairs are, against the pairs themselves. */
static void test_vertices(Stage *stage)
{
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(8);
    MUST(pliant_world_near(stage->world, &def, &pairs));
    for (int body = 0; body < 2; body++) {
        float distances[3];
        int64_t offsets[4];
        MUST(pliant_near_vertex_distances(stage->world, &pairs, stage->bodies[body], distances, 3));
        MUST(pliant_near_vertex_offsets(stage->world, &pairs, stage->bodies[body],
                                        stage->bodies[1 - body], offsets, 4));
        for (int v = 0; v < 3; v++) {
            float least = INFINITY;
            for (int64_t i = 0; i < pairs.count; i++) {
                const PliantNearPair *pair = &pairs.items[i];
                const bool is_vertex =
                    pair->kind == (body == 0 ? PLIANT_VERTEX_TRIANGLE : PLIANT_TRIANGLE_VERTEX);
                const int32_t feature = body == 0 ? pair->feature_a : pair->feature_b;
                const bool is_in = is_vertex ? feature == v
                                   : pair->kind == PLIANT_EDGE_EDGE
                                       ? feature != 2 - v /* edges 01, 02, 12 */
                                       : true;
                least = is_in && pair->distance < least ? pair->distance : least;
                assert_int_equal(i >= offsets[v] && i < offsets[v + 1], is_vertex && feature == v);
            }
            assert_true(distances[v] == (least < INFINITY ? nextafterf(least, 0) : least));
        }
        REFUSE(
            stage->host,
            pliant_near_vertex_distances(stage->world, &pairs, stage->bodies[body], distances, 2),
            PLIANT_BAD_ARGUMENT, "capacity is 2: the body has 3 vertices");
        REFUSE(stage->host,
               pliant_near_vertex_offsets(stage->world, &pairs, stage->bodies[body],
                                          stage->bodies[1 - body], offsets, 3),
               PLIANT_BAD_ARGUMENT, "capacity is 3: the body has 3 vertices, and one more");
    }
    PliantNearPair wrong = pairs.items[0];
    PliantNearPairs one = pairs;
    float distances[3];
    wrong.vertices[0] = 7;
    one.items = &wrong;
    one.count = 1;
    REFUSE(stage->host,
           pliant_near_vertex_distances(stage->world, &one, stage->bodies[0], distances, 3),
           PLIANT_BAD_ARGUMENT, "pair 0 has vertex 7");
}

/* Two triangles of which edges 02 and 01 are 1 apart, one above the other: 4 of the pairs have the
 * same two vertices. Distances of vertices need all pairs. */
static void test_unique(Stage *stage)
{
    static const float below[3][3] = {{0, 0, 0}, {0, -2, 0}, {2, 0, 0}},
                       above[3][3] = {{-1, 0, 1}, {-2, 0, 1}, {-1, 2, 1}};
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1.5f);
    PliantBody bodies[2];
    const float(*corners[2])[3] = {below, above};
    float distances[3];
    for (int i = 0; i < 2; i++) {
        PliantShape *shape = shape_of(corners[i][0], 3, one_triangle, 1);
        MUST(pliant_body_create(stage->world, shape, &bodies[i]));
        pliant_shape_release(shape);
    }
    MUST(pliant_bodies_near(stage->world, bodies[0], bodies[1], &def, &pairs));
    const int64_t all = pairs.count;
    MUST(pliant_near_vertex_distances(stage->world, &pairs, bodies[0], distances, 3));
    def.is_unique = true;
    MUST(pliant_bodies_near(stage->world, bodies[0], bodies[1], &def, &pairs));
    int64_t sum = 0;
    for (int64_t i = 0; i < pairs.count; i++)
        sum += pairs.items[i].pair_count;
    assert_int_equal(sum, all);
    assert_int_equal(pairs.count, 1);
    const PliantNearPair *pair = &pairs.items[0];
    assert_int_equal(pair->kind, PLIANT_VERTEX_VERTEX);
    assert_int_equal(pair->feature_a, 0);
    assert_int_equal(pair->feature_b, 0);
    assert_int_equal(pair->region, 3);
    assert_int_equal(pair->vertices[1], 0);
    assert_int_equal(pair->vertices[2], PLIANT_NO_VERTEX);
    assert_true(pair->weights[0] == 1 && pair->weights[1] == -1 && pair->weights[2] == 0 &&
                pair->weights[3] == 0);
    REFUSE(stage->host, pliant_near_vertex_distances(stage->world, &pairs, bodies[0], distances, 3),
           PLIANT_BAD_ARGUMENT, "pair 0 has kind 4");
}

/* Of two bodies: the pair that is near and that touches has vertex 0 of b. */
static void test_exclusions(Stage *stage)
{
    const PliantBody a = stage->bodies[0], b = stage->bodies[1];
    const uint32_t apart[] = {2, 1}, pinned[] = {1, 1, 2, 0}, wrong[] = {0, 3},
                   both[] = {0, 2, 1, 1};
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1);
    const PliantBody end = stage->end;
    MUST(pliant_bodies_exclude_vertices(stage->world, a, b, apart, 1));
    MUST(pliant_world_near(stage->world, &def, &pairs));
    assert_int_equal(pairs.count, 1);
    MUST(pliant_bodies_exclude_vertices(stage->world, a, b, pinned, 2));
    for (int margin = 0; margin < 3; margin++) {
        def.margin = (float)margin;
        MUST(pliant_world_near(stage->world, &def, &pairs));
        assert_int_equal(pairs.count, 0);
    }
    lift(stage, end, -2);
    const PliantImpacts some = sweep(stage, PLIANT_ALL_IMPACTS, 1);
    assert_true(some.count < 3);
    for (int64_t i = 0; i < some.count; i++)
        assert_false(some.items[i].kind == PLIANT_TRIANGLE_VERTEX && some.items[i].feature_b == 0);
    MUST(pliant_bodies_exclude_vertices(stage->world, b, a, NULL, 0));
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 3);
    MUST(pliant_world_near(stage->world, &def, &pairs));
    assert_int_equal(pairs.count, 1);
    REFUSE(stage->host, pliant_bodies_exclude_vertices(stage->world, a, b, wrong, 1),
           PLIANT_BAD_INDEX, "pairs[1] is 3: the body has 3 vertices");
    REFUSE(stage->host, pliant_bodies_exclude_vertices(stage->world, a, end, both, 1),
           PLIANT_BAD_ARGUMENT, "b is the end of another body");
    REFUSE(stage->host, pliant_bodies_exclude_vertices(stage->world, a, b, NULL, 1),
           PLIANT_BAD_ARGUMENT, "pairs is NULL");
    REFUSE(stage->host, pliant_bodies_exclude_vertices(stage->world, a, b, both, -1),
           PLIANT_BAD_ARGUMENT, "pair_count is -1");
    REFUSE(stage->host, pliant_body_set_patches(stage->world, a, both, 4), PLIANT_BAD_ARGUMENT,
           "count is 4: the body has 3 vertices");
    REFUSE(stage->host, pliant_body_set_patches(stage->world, end, both, 3), PLIANT_BAD_ARGUMENT,
           "body is the end of another body");
    REFUSE(stage->host, pliant_body_set_patches(stage->world, a, NULL, 3), PLIANT_BAD_ARGUMENT,
           "patches is NULL");

    /* A body that gets the index of another one has nothing of what was set for that. */
    MUST(pliant_bodies_exclude_vertices(stage->world, a, b, pinned, 2));
    MUST(pliant_body_destroy(stage->world, b));
    MUST(pliant_body_create(stage->world, stage->shapes[1], &stage->bodies[1]));
    assert_int_equal(stage->bodies[1].index, b.index);
    MUST(pliant_world_near(stage->world, &def, &pairs));
    assert_int_equal(pairs.count, 1);
}

/* Two triangles of one body, 1 apart: of one patch, of two, and with a vertex in none. */
static void test_patches(Stage *stage)
{
    static const float layers[6][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0},
                                       {0, 0, 1}, {4, 0, 1}, {0, 4, 1}};
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
    const uint32_t one[6] = {7, 7, 7, 7, 7, 7}, two[6] = {7, 7, 7, 8, 8, 8},
                   some[6] = {7, 7, 7, 7, 7, PLIANT_NO_PATCH},
                   none[6] = {PLIANT_NO_PATCH, PLIANT_NO_PATCH, PLIANT_NO_PATCH,
                              PLIANT_NO_PATCH, PLIANT_NO_PATCH, PLIANT_NO_PATCH};
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1.5f);
    PliantShape *shape = shape_of(layers[0], 6, triangles[0], 2);
    PliantBody body;
    MUST(pliant_body_create(stage->world, shape, &body));
    MUST(pliant_bodies_near(stage->world, body, body, &def, &pairs));
    const int64_t all = pairs.count;
    assert_true(all > 0);
    const struct {
        const uint32_t *patches;
        bool leaves_all, leaves_none;
    } cases[] = {{one, false, true}, {two, true, false}, {some, false, false}, {none, true, false}};
    for (int i = 0; i < 4; i++) {
        MUST(pliant_body_set_patches(stage->world, body, cases[i].patches, 6));
        MUST(pliant_bodies_near(stage->world, body, body, &def, &pairs));
        assert_int_equal(pairs.count == all, cases[i].leaves_all);
        assert_int_equal(pairs.count == 0, cases[i].leaves_none);
        for (int64_t k = 0; k < pairs.count && i == 2; k++) { /* all that are left have vertex 5 */
            bool has = false;
            for (int v = 0; v < 4; v++)
                has |= pairs.items[k].vertices[v] == 5;
            assert_true(has);
        }
    }
    MUST(pliant_body_set_patches(stage->world, body, one, 6));
    MUST(pliant_body_set_patches(stage->world, body, NULL, 0));
    MUST(pliant_bodies_near(stage->world, body, body, &def, &pairs));
    assert_int_equal(pairs.count, all);
    pliant_shape_release(shape);
}

/* Which pairs a filter was asked for, in order. */
typedef struct Asking {
    PliantBodyPair pairs[64];
    int count;
    uint32_t refused; /* index of a body */
} Asking;

static bool may_pair(void *user, PliantBody a, PliantBody b)
{
    Asking *asking = user;
    assert_true(a.index < b.index && asking->count < 64);
    asking->pairs[asking->count++] = (PliantBodyPair){a, b};
    return a.index != asking->refused && b.index != asking->refused;
}

static void test_may_pair(Stage *stage)
{
    Asking asking = {.refused = 0};
    PliantWorldDef world_def = pliant_world_def_default();
    PliantWorld *world;
    PliantBody bodies[4];
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantImpacts impacts = pliant_impacts_default();
    PliantContacts contacts = pliant_contacts_default();
    PliantBodyPairs within = pliant_body_pairs_default();
    PliantNearDef def = near_def(1);
    PliantBodyPairsDef within_def = pliant_body_pairs_def_default();
    world_def.may_pair = may_pair;
    world_def.user = &asking;
    MUST(pliant_world_create(&world_def, &world));
    for (int i = 0; i < 4; i++)
        MUST(pliant_body_create(world, stage->shapes[0], &bodies[i]));
    for (int refused = 0; refused < 2; refused++) {
        asking.refused = refused ? bodies[1].index : 0;
        for (int query = 0; query < 6; query++) {
            asking.count = 0;
            if (query == 0)
                MUST(pliant_world_near(world, &def, &pairs));
            else if (query == 1)
                MUST(pliant_world_sweep(world, NULL, &impacts));
            else if (query == 2)
                MUST(pliant_world_collide(world, NULL, &contacts));
            else if (query == 3)
                MUST(pliant_world_body_pairs(world, &within_def, &within));
            else if (query == 4)
                MUST(pliant_world_bodies_within(world, &within_def, &within));
            else
                MUST(pliant_body_collide(world, bodies[1], NULL, &contacts));
            assert_int_equal(asking.count, query == 5 ? 3 : 6);
            for (int i = 1; i < asking.count; i++) {
                const PliantBodyPair *one = &asking.pairs[i - 1], *next = &asking.pairs[i];
                assert_true(one->body_a.index < next->body_a.index ||
                            (one->body_a.index == next->body_a.index &&
                             one->body_b.index < next->body_b.index));
            }
            assert_true(query < 3 || query > 4 || within.count == (refused ? 3 : 6));
            assert_true(query != 5 || (contacts.count == 0) == (refused == 1));
            for (int64_t i = 0; query == 2 && refused && i < contacts.count; i++)
                assert_true(contacts.items[i].body_a.index != asking.refused &&
                            contacts.items[i].body_b.index != asking.refused);
            for (int64_t i = 0; query == 0 && refused && i < pairs.count; i++)
                assert_true(pairs.items[i].body_a.index != asking.refused &&
                            pairs.items[i].body_b.index != asking.refused);
        }
    }
    asking.count = 0;
    MUST(pliant_bodies_near(world, bodies[0], bodies[1], &def, &pairs));
    assert_true(pairs.count > 0 && asking.count == 0);
    pliant_world_destroy(world);
}

/* A thousandth of both lengths, to the fourth power; exact up to the last product. */
static void test_mollifier(Stage *stage)
{
    (void)stage;
    static const float a0[3] = {1, 2, 3}, a1[3] = {1, 2, 5}, b0[3] = {0, 0, 0}, b1[3] = {3, 4, 0},
                       far[3] = {3e38f, 0, 0}, away[3] = {-3e38f, 0, 0}, nan[3] = {NAN, 0, 0};
    assert_true(pliant_edge_edge_mollifier_threshold(a0, a1, b0, b1) == 1e-3 * 4 * 25);
    assert_true(pliant_edge_edge_mollifier_threshold(a1, a0, b0, b1) == 1e-3 * 4 * 25);
    assert_true(pliant_edge_edge_mollifier_threshold(b0, b1, a0, a0) == 0);
    const double most = pliant_edge_edge_mollifier_threshold(far, away, away, far);
    assert_true(most > 1e152 && most < 1e153);
    assert_true(isnan(pliant_edge_edge_mollifier_threshold(nan, a1, b0, b1)));
}

/* ---- Sweeps: what is refused -------------------------------------------------------------------
 */

static void test_bad_ends(Stage *stage)
{
    const PliantBody none = {0}, before = {7, 8};
    PliantBody end = before;
    REFUSE_UNHEARD(pliant_body_create_end(NULL, stage->bodies[0], &end), PLIANT_BAD_ARGUMENT);
    REFUSE(stage->host, pliant_body_create_end(stage->world, none, &end), PLIANT_BAD_ID,
           "body is {index 0, serial 0}");
    REFUSE(stage->host, pliant_body_create_end(stage->world, stage->bodies[0], NULL),
           PLIANT_BAD_ARGUMENT, "end is NULL");
    REFUSE(stage->host, pliant_body_create_end(stage->world, stage->bodies[1], &end),
           PLIANT_BAD_ARGUMENT, "the body has an end");
    REFUSE(stage->host, pliant_body_create_end(stage->world, stage->end, &end), PLIANT_BAD_ARGUMENT,
           "the body is an end itself");
    assert_memory_equal(&end, &before, sizeof before);
}

/* A soup and its end have as many primitives and vertices. */
static void test_bad_soups(Stage *stage)
{
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
    MUST(pliant_body_create_soup(stage->world, NULL, &soup));
    MUST(pliant_body_create_end(stage->world, soup, &end));
    MUST(pliant_body_set_primitives(stage->world, soup, &primitives));
    REFUSE(stage->host, pliant_world_sweep(stage->world, NULL, &impacts), PLIANT_BAD_ARGUMENT,
           "a soup has 1 primitives and 3 vertices, its end 0 and 0");
    primitives.count = 0;
    MUST(pliant_body_set_primitives(stage->world, end, &primitives));
    REFUSE(stage->host, pliant_bodies_sweep(stage->world, soup, stage->bodies[0], NULL, &impacts),
           PLIANT_BAD_ARGUMENT, "a soup has 1 primitives and 3 vertices, its end 0 and 3");
    assert_memory_equal(&impacts, &before, sizeof before);
    primitives.count = 1;
    MUST(pliant_body_set_primitives(stage->world, end, &primitives));
    MUST(pliant_world_sweep(stage->world, NULL, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == 0);
}

static void test_bad_pairs(Stage *stage)
{
    (void)stage;
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
static void test_ends(Stage *stage)
{
    PliantBody listed = {0}, end, soup;
    assert_int_equal(pliant_world_body_count(stage->world), 2);
    for (int i = 0; i < 2; i++) {
        listed = pliant_world_next_body(stage->world, listed);
        assert_memory_equal(&listed, &stage->bodies[i], sizeof listed);
    }
    assert_int_equal(pliant_world_next_body(stage->world, listed).index, 0);
    assert_true(pliant_body_is_alive(stage->world, stage->end));
    MUST(pliant_body_destroy(stage->world, stage->end));
    assert_false(pliant_body_is_alive(stage->world, stage->end));
    assert_true(pliant_body_is_alive(stage->world, stage->bodies[1]));
    assert_int_equal(pliant_world_body_count(stage->world), 2);
    MUST(pliant_body_create_end(stage->world, stage->bodies[1], &end));
    MUST(pliant_body_destroy(stage->world, stage->bodies[1]));
    assert_false(pliant_body_is_alive(stage->world, end));
    assert_int_equal(pliant_world_body_count(stage->world), 1);
    MUST(pliant_body_create_soup(stage->world, NULL, &soup));
    MUST(pliant_body_create_end(stage->world, soup, &end));
    assert_int_equal(pliant_world_body_count(stage->world), 2);
    MUST(pliant_body_destroy(stage->world, soup));
    assert_false(pliant_body_is_alive(stage->world, end));
}

/* An end in the middle of a body is seen by no query. */
static void test_unseen(Stage *stage)
{
    lift(stage, stage->end, -1.5f);
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_world_collide(stage->world, NULL, &contacts));
    assert_int_equal(contacts.count, 0);
    PliantNearDef near_def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    near_def.distance = 0.5f;
    near_def.includes_self = true;
    MUST(pliant_world_near(stage->world, &near_def, &pairs));
    assert_int_equal(pairs.count, 0);
    PliantBodyPairsDef within = pliant_body_pairs_def_default();
    PliantBodyPairs body_pairs = pliant_body_pairs_default();
    within.distance = 0.5f;
    MUST(pliant_world_bodies_within(stage->world, &within, &body_pairs));
    assert_int_equal(body_pairs.count, 0);
    MUST(pliant_world_body_pairs(stage->world, NULL, &body_pairs));
    assert_int_equal(body_pairs.count, 0);
    const PliantRay ray = {{1.1f, 1.1f, -5}, {0, 0, 1}, 100};
    PliantRayHits hits = pliant_ray_hits_default();
    PliantRayDef ray_def = pliant_ray_def_default();
    MUST(pliant_world_cast_rays(stage->world, &ray_def, &ray, 1, &hits));
    assert_int_equal(hits.count, 1);
    assert_memory_equal(&hits.items[0].body, &stage->bodies[0], sizeof stage->bodies[0]);
    const float point[3] = {1, 1, -1};
    PliantClosestPoints closest = pliant_closest_points_default();
    MUST(pliant_world_closest_points(stage->world, (PliantVertices){point, 1, 0}, NULL, &closest));
    assert_memory_equal(&closest.items[0].body, &stage->bodies[0], sizeof stage->bodies[0]);
    assert_true(closest.items[0].distance == 1);
}

/* ---- Sweeps: known answers ---------------------------------------------------------------------
 */

/* The lowest corner goes through at half of the time, the others touch in the end. */
static void test_through(Stage *stage)
{
    lift(stage, stage->end, -2);
    PliantImpacts impacts = sweep(stage, PLIANT_ALL_IMPACTS, 1);
    assert_int_equal(impacts.count, 3);
    for (int i = 0; i < 3; i++) {
        const PliantImpact *impact = &impacts.items[i];
        assert_int_equal(impact->kind, PLIANT_TRIANGLE_VERTEX);
        assert_memory_equal(&impact->body_a, &stage->bodies[0], sizeof impact->body_a);
        assert_memory_equal(&impact->body_b, &stage->bodies[1], sizeof impact->body_b);
        assert_int_equal(impact->feature_a, 0);
        assert_int_equal(impact->feature_b, i);
        assert_true(impact->time == (i == 0 ? .5f : 1));
        assert_true(impact->normal[0] == 0 && impact->normal[1] == 0 && impact->normal[2] == -1);
    }
    const PliantImpact first = impacts.items[0];
    assert_true(first.weights[0] == .5f && first.weights[1] == .25f && first.weights[2] == .25f &&
                first.weights[3] == -1);
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, nextafterf(1, 0)).count, 1);
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, .5f).count, 1);
    for (int query = PLIANT_EARLIEST; query <= PLIANT_ALL_IMPACTS; query++) {
        assert_int_equal(sweep(stage, (PliantSweepKind)query, nextafterf(.5f, 0)).count, 0);
        assert_int_equal(sweep(stage, (PliantSweepKind)query, 0).count, 0);
    }
    for (int query = PLIANT_EARLIEST; query <= PLIANT_FIRST_IMPACTS; query++) {
        impacts = sweep(stage, (PliantSweepKind)query, 1);
        assert_int_equal(impacts.count, 1);
        assert_memory_equal(impacts.items, &first, sizeof first);
    }
}

/* At the very start, at the very end, and before it. */
static void test_ends_of_time(Stage *stage)
{
    lift(stage, stage->bodies[1], -1);
    lift(stage, stage->end, 3);
    PliantImpacts impacts = sweep(stage, PLIANT_ALL_IMPACTS, 0);
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == 0);
    lift(stage, stage->bodies[1], 3);
    lift(stage, stage->end, -1);
    impacts = sweep(stage, PLIANT_ALL_IMPACTS, 1);
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == 1);
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, nextafterf(1, 0)).count, 0);
    lift(stage, stage->end, nextafterf(-1, 0));
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 0);
}

/* Far above now and far below in the next frame: no frame shows it. */
static void test_between_frames(Stage *stage)
{
    lift(stage, stage->bodies[1], 99);
    lift(stage, stage->end, -101);
    PliantContacts contacts = pliant_contacts_default();
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_world_collide(stage->world, NULL, &contacts));
    assert_int_equal(contacts.count, 0);
    MUST(pliant_world_sweep(stage->world, NULL, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_true(impacts.items[0].time == .5f);
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 3);
    MUST(pliant_body_set_filter(stage->world, stage->bodies[0], 1, 1));
    MUST(pliant_body_set_filter(stage->world, stage->bodies[1], 2, 2));
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    MUST(pliant_bodies_sweep(stage->world, stage->bodies[1], stage->bodies[0], NULL, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_memory_equal(&impacts.items[0].body_a, &stage->bodies[0], sizeof stage->bodies[0]);
}

/* Bodies that stand still touch now or never, with an end or without. */
static void test_standing(Stage *stage)
{
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    lift(stage, stage->bodies[1], -1);
    lift(stage, stage->end, -1);
    for (int i = 0; i < 2; i++) {
        const PliantImpacts impacts = sweep(stage, PLIANT_ALL_IMPACTS, 1);
        assert_int_equal(impacts.count, 1);
        assert_true(impacts.items[0].time == 0);
        if (i == 0)
            MUST(pliant_body_destroy(stage->world, stage->end));
    }
}

/* Both triangles in one body: they count if that is asked for, or if it is the body of a call. */
static void test_sweep_self(Stage *stage)
{
    static const uint32_t two_triangles[6] = {0, 1, 2, 3, 4, 5};
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
        MUST(pliant_body_destroy(stage->world, stage->bodies[i]));
    MUST(pliant_body_create(stage->world, shape, &body));
    MUST(pliant_body_create_end(stage->world, body, &end));
    MUST(pliant_body_borrow_vertices(stage->world, end, (PliantVertices){next, 6, 0}));
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    assert_int_equal(impacts.count, 0);
    def.includes_self = true;
    for (int i = 0; i < 2; i++) {
        MUST(i == 0 ? pliant_world_sweep(stage->world, &def, &impacts)
                    : pliant_bodies_sweep(stage->world, body, body, &def, &impacts));
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
}

/* Not finite at the end: the triangle touches nothing. */
static void test_nan(Stage *stage)
{
    float next[9];
    memcpy(next, above_corners, sizeof next);
    for (int i = 0; i < 3; i++)
        next[3 * i + 2] -= 2;
    MUST(pliant_body_borrow_vertices(stage->world, stage->end, (PliantVertices){next, 3, 0}));
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 3);
    next[8] = NAN;
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 0);
    next[8] = -INFINITY;
    assert_int_equal(sweep(stage, PLIANT_ALL_IMPACTS, 1).count, 0);
}

/* A point of a soup, which its end takes through the floor; the other one stays above. */
static void test_points(Stage *stage)
{
    static const float now[6] = {1, 1, 1, 1, 1, 5}, next[6] = {1, 1, -3, 1, 1, 4};
    PliantSoupDef soup_def = pliant_soup_def_default();
    PliantPrimitives primitives = {
        .struct_size = sizeof primitives, .vertices = {now, 2, 0}, .corners = NULL, .count = 2};
    PliantBody soup, end;
    soup_def.primitive_kind = PLIANT_POINTS;
    MUST(pliant_body_create_soup(stage->world, &soup_def, &soup));
    MUST(pliant_body_create_end(stage->world, soup, &end));
    MUST(pliant_body_set_primitives(stage->world, soup, &primitives));
    primitives.vertices.data = next;
    MUST(pliant_body_set_primitives(stage->world, end, &primitives));
    const PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_bodies_sweep(stage->world, soup, stage->bodies[0], &def, &impacts));
    assert_int_equal(impacts.count, 1);
    assert_int_equal(impacts.items[0].kind, PLIANT_TRIANGLE_VERTEX);
    assert_int_equal(impacts.items[0].feature_b, 0);
    assert_true(impacts.items[0].time == .25f);
    primitives.vertices.data = now; /* the same by a transform: then both go through */
    MUST(pliant_body_set_primitives(stage->world, end, &primitives));
    lift(stage, end, -8);
    MUST(pliant_body_destroy(stage->world, stage->bodies[1]));
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    assert_int_equal(impacts.count, 2);
    assert_true(impacts.items[0].time == .125f && impacts.items[1].time == .625f);
}

/* A floor that is not along an axis, of many pieces that know their plane. What goes through it
 * crosses that plane, and what stops above it comes within a distance, as if it were one piece; no
 * matter which of both is body a. */
static void test_divided(Stage *stage)
{
    static const float slope_corners[9] = {-8, -8, -8, 8, -8, 8, 0, 8, 0};
    PliantShapeDef shape_def = pliant_shape_def_default();
    PliantShape *shape;
    PliantBody slope, bodies[2] = {stage->bodies[1]}, ends[2] = {stage->end};
    shape_def.vertices = (PliantVertices){slope_corners, 3, 0};
    shape_def.triangles = (PliantTriangles){one_triangle, 1};
    shape_def.divide_kind = PLIANT_DIVIDE_QUARTERS;
    shape_def.divide_size = .5f;
    MUST(pliant_shape_create(&shape_def, &shape));
    MUST(pliant_body_create(stage->world, shape, &slope));
    MUST(pliant_body_create(stage->world, stage->shapes[1], &bodies[1]));
    MUST(pliant_body_create_end(stage->world, bodies[1], &ends[1]));
    for (int i = 0; i < 2; i++) {
        PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
        PliantImpacts impacts = pliant_impacts_default();
        lift(stage, bodies[i], 3);
        lift(stage, ends[i], -3); /* the corner at (1, 1) goes from 4 to -2, through 1 */
        MUST(pliant_bodies_sweep(stage->world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 3);
        assert_true(impacts.items[0].time == .5f);
        lift(stage, ends[i], 2); /* it ends at 3: two units up, and 1.41 away */
        MUST(pliant_bodies_sweep(stage->world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 0);
        def.distance = 1.5f;
        MUST(pliant_bodies_sweep(stage->world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 1);
        def.distance = 1.25f;
        MUST(pliant_bodies_sweep(stage->world, bodies[i], slope, &def, &impacts));
        assert_int_equal(impacts.count, 0);
    }
    pliant_shape_release(shape);
}

/* The end of a soup is a body too, that stands still, and its own body comes to it. */
static void test_soup_and_its_end(Stage *stage)
{
    (void)stage;
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

/* ---- Sweeps: as early ---------------------------------------------------------------------------
 */

/* Two flat sheets in one mesh, each of 2 x SIDE x SIDE triangles. */
enum { SIDE = 12, CORNERS = (SIDE + 1) * (SIDE + 1), CELLS = SIDE * SIDE };
typedef struct Sheets {
    float vertices[2][3 * CORNERS];
    uint32_t triangles[2][6 * CELLS];
} Sheets;

static void set_sheet(Sheets *sheets, int number, const PliantTransform *transform)
{
    for (uint32_t v = 0; v < CORNERS; v++) {
        const uint32_t row = v / (SIDE + 1), column = v % (SIDE + 1);
        const float x = (float)column - SIDE / 2.0f, y = (float)row - SIDE / 2.0f;
        for (int k = 0; k < 3; k++)
            sheets->vertices[number][3 * v + (uint32_t)k] =
                transform->rows[k][0] * x + transform->rows[k][1] * y + transform->rows[k][3];
    }
    for (uint32_t i = 0; i < CELLS; i++) {
        const uint32_t a = (uint32_t)number * CORNERS + i / SIDE * (SIDE + 1) + i % SIDE,
                       c = a + SIDE + 1;
        memcpy(sheets->triangles[number] + 6 * (size_t)i,
               (const uint32_t[]){a, a + 1, c, a + 1, c + 1, c}, 24);
    }
}

/* Of all impacts the first one. */
static PliantImpact first_of(PliantWorld *world, PliantBody a, PliantBody b)
{
    const PliantSweepDef def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    PliantImpacts all = pliant_impacts_default();
    MUST(pliant_bodies_sweep(world, a, b, &def, &all));
    assert_true(all.count > 100);
    PliantImpact first = all.items[0];
    for (int64_t i = 1; i < all.count; i++)
        first = all.items[i].time < first.time ? all.items[i] : first;
    return first;
}

static void check_first(PliantWorld *world, PliantBody a, PliantBody b)
{
    const PliantImpact first = first_of(world, a, b);
    for (int kind = PLIANT_EARLIEST; kind <= PLIANT_FIRST_IMPACTS; kind++) {
        const PliantSweepDef def = sweep_def((PliantSweepKind)kind, 1);
        PliantImpacts found = pliant_impacts_default();
        MUST(pliant_bodies_sweep(world, a, b, &def, &found));
        assert_int_equal(found.count, 1);
        assert_memory_equal(&found.items[0], &first, sizeof first);
    }
}

/* How the second sheet is placed: its scale, its slope, and where it starts and ends. */
typedef struct Slide {
    float turn[4], start[3], end[3];
} Slide;

static PliantTransform placed(const float turn[4], const float at[3])
{
    PliantTransform transform = pliant_transform_identity();
    transform.rows[0][0] = turn[0];
    transform.rows[1][1] = turn[1];
    transform.rows[2][0] = turn[2];
    transform.rows[2][1] = turn[3];
    for (int k = 0; k < 3; k++)
        transform.rows[k][3] = at[k];
    return transform;
}

/* Many pairs touch at one time: in one plane, from the start or later, as one mesh or two, and
 * nearly so. The first of them in canonical order is returned. */
static void test_as_early(Stage *stage)
{
    (void)stage;
    static const Slide slides[] = {
        {{1, 1, 0, 0}, {0, 0, 0}, {0.25f, 0.5f, 0}},
        {{-1, 1, 0, 0}, {0, 0, 0}, {0.25f, 0.5f, 0}},
        {{1, -1, 0, 0}, {0.25f, 0.25f, 1}, {0.5f, 0.25f, -1}},
        {{-1, -1, 0, 0}, {0, 0, 1}, {0, 0, -1}},
        {{1, 1, 0, 0}, {0.1f, 0.3f, 0.7f}, {0.2f, 0.1f, -1.1f}},
        {{1, -1, 1e-7f, 2e-7f}, {0.1f, 0.3f, 0.7f}, {0.2f, 0.1f, -1.1f}},
        {{0.9f, 1.1f, -1e-6f, 1e-7f}, {0.1f, 0.3f, -0.7f}, {0.2f, 0.1f, 1.1f}},
        {{1, 1, 0.1f, -0.2f}, {0, 0, 2}, {0, 0, -2}},
    };
    static Sheets now, next;
    const float none[3] = {0, 0, 0}, plain[4] = {1, 1, 0, 0};
    const PliantTransform still = placed(plain, none);
    for (size_t i = 0; i < sizeof slides / sizeof *slides; i++) {
        const Slide *slide = &slides[i];
        const PliantTransform at_start = placed(slide->turn, slide->start),
                              at_end = placed(slide->turn, slide->end);
        PliantWorld *world;
        PliantBody bodies[3], ends[3];
        PliantShape *shapes[3];
        MUST(pliant_world_create(NULL, &world));
        for (int s = 0; s < 2; s++) {
            set_sheet(&now, s, s ? &at_start : &still);
            set_sheet(&next, s, s ? &at_end : &still);
        }
        shapes[2] = shape_of(now.vertices[0], 2 * CORNERS, now.triangles[0], 4 * CELLS);
        shapes[0] = shape_of(now.vertices[0], CORNERS, now.triangles[0], 2 * CELLS);
        shapes[1] = shape_of(now.vertices[1], CORNERS, now.triangles[0], 2 * CELLS);
        for (int b = 0; b < 3; b++) {
            const PliantVertices vertices = {next.vertices[b % 2], b < 2 ? CORNERS : 2 * CORNERS,
                                             0};
            MUST(pliant_body_create(world, shapes[b], &bodies[b]));
            MUST(pliant_body_create_end(world, bodies[b], &ends[b]));
            MUST(pliant_body_borrow_vertices(world, ends[b], vertices));
            pliant_shape_release(shapes[b]);
        }
        check_first(world, bodies[0], bodies[1]);
        check_first(world, bodies[1], bodies[0]);
        check_first(world, bodies[2], bodies[2]);
        pliant_world_destroy(world);
    }
}

/* Many triangles in a row: flat parts, which touch at different times, and between them inclined
 * ones whose boxes overlap from the start, so that very many pairs are decided. */
static PliantShape *make_parts(float side, const float heights[7])
{
    enum { PART = 32, ALL = 7 * PART };
    float vertices[9 * ALL];
    uint32_t triangles[3 * ALL];
    for (int i = 0; i < ALL; i++) {
        const int part = i / PART;
        const float x = side * (float)(part - 3), z = heights[part];
        const float corners[9] = {x, 0, z, x + 1, 0, z, x, 1, part % 2 ? z + 1 : z};
        memcpy(vertices + 9 * (size_t)i, corners, sizeof corners);
    }
    for (uint32_t i = 0; i < 3 * ALL; i++)
        triangles[i] = i;
    return shape_of(vertices, 3 * ALL, triangles, ALL);
}

/* What touches last in the order of the search, but first in time, is not taken for late. */
static void test_early_at_last(Stage *stage)
{
    (void)stage;
    static const float heights[2][7] = {{0}, {0.45f, 0.5f, 0.44f, 0.5f, 0.42f, 0.5f, 0.4f}};
    for (int turn = 0; turn < 2; turn++) {
        const float side = turn ? 100 : -100;
        PliantTransform down = pliant_transform_identity();
        PliantWorld *world;
        PliantBody bodies[2], end;
        MUST(pliant_world_create(NULL, &world));
        for (int b = 0; b < 2; b++) {
            PliantShape *shape = make_parts(side, heights[b]);
            MUST(pliant_body_create(world, shape, &bodies[b]));
            pliant_shape_release(shape);
        }
        down.rows[2][3] = -1;
        MUST(pliant_body_create_end(world, bodies[1], &end));
        MUST(pliant_body_set_transform(world, end, &down));
        check_first(world, bodies[0], bodies[1]);
        pliant_world_destroy(world);
    }
}

/* ---- Sweeps: conservatively --------------------------------------------------------------------
 */

/* The lowest corner is 1 above the floor and goes down by 2: it is within a quarter at 3 / 8. */
static void test_distance(Stage *stage)
{
    lift(stage, stage->end, -2);
    PliantSweepDef def = sweep_def(PLIANT_EARLIEST, 1);
    PliantImpacts impacts = pliant_impacts_default();
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    assert_false(impacts.is_conservative);
    def.distance = .125f;
    def.slack = .125f;
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    assert_true(impacts.is_conservative);
    assert_int_equal(impacts.count, 1);
    const PliantImpact impact = impacts.items[0];
    assert_true(impact.time <= .375f && impact.time > .37f);
    assert_int_equal(impact.kind, PLIANT_TRIANGLE_VERTEX);
    assert_true(impact.normal[2] < -.999f && impact.weights[3] == -1);
    def.max_time = .37f;
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    assert_int_equal(impacts.count, 0);
    /* It stops half a unit above: near enough for one distance and not for another. */
    lift(stage, stage->end, -.5f);
    def = sweep_def(PLIANT_ALL_IMPACTS, 1);
    def.distance = .5f;
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    assert_int_equal(impacts.count, 1);
    def.distance = .49f;
    MUST(pliant_world_sweep(stage->world, &def, &impacts));
    assert_int_equal(impacts.count, 0);
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
static void test_slack(Stage *stage)
{
    (void)stage;
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

/* ---- The table ---------------------------------------------------------------------------------
 */

typedef struct Row {
    const char *name;
    void (*test)(Stage *stage);
} Row;

static Row rows[] = {
    {"refusals", test_refusals},
    {"no world", test_no_world},
    {"cancelled", test_cancelled},
    {"memory", test_memory},
    {"one pair", test_one_pair},
    {"push", test_push},
    {"filters", test_filters},
    {"near self", test_near_self},
    {"rest", test_rest},
    {"vertices", test_vertices},
    {"unique", test_unique},
    {"mollifier", test_mollifier},
    {"exclusions", test_exclusions},
    {"patches", test_patches},
    {"may pair", test_may_pair},
    {"bad ends", test_bad_ends},
    {"bad soups", test_bad_soups},
    {"bad pairs", test_bad_pairs},
    {"ends", test_ends},
    {"unseen", test_unseen},
    {"through", test_through},
    {"ends of time", test_ends_of_time},
    {"between frames", test_between_frames},
    {"standing", test_standing},
    {"sweep self", test_sweep_self},
    {"nan", test_nan},
    {"points", test_points},
    {"divided", test_divided},
    {"soup and its end", test_soup_and_its_end},
    {"as early", test_as_early},
    {"early at last", test_early_at_last},
    {"distance", test_distance},
    {"slack", test_slack},
};

static void run_row(void **state)
{
    const Row *row = *state;
    Stage stage;
    start(&stage);
    row->test(&stage);
    finish(&stage);
}

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof *rows];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        tests[i] = (struct CMUnitTest){rows[i].name, run_row, NULL, NULL, &rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
