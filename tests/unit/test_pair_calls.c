/* Pairs of the caller: pliant_near_pairs(), and the distances and the greatest time of
 * pliant_sweep_pairs(). What they decide is held against rational numbers by oracle.thick and
 * oracle.sweep; here are their arguments, blocks and small scenes whose answers are known. */
#include "unit.h"

#include "host.h"
#include "refuse.h"
#include "unheard.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

/* More than a block of either call. */
enum { PAIRS = 1300, VERTICES = PAIRS + 3 };

/* Pair i is of vertex i, at the height 1 + i / 64 over a triangle, and that triangle. At the end
 * the vertex is as far below it. */
typedef struct Stage {
    TestHost host;
    float start[VERTICES][3], end[VERTICES][3], distances[PAIRS];
    uint32_t pairs[PAIRS][4];
    PliantNearCandidates near;
    PliantSweepPairs sweep;
} Stage;

static float height_of(int i)
{
    return 1 + (float)i / 64;
}

static void start(Stage *stage)
{
    static const float corners[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    test_host_init(&stage->host);
    for (int i = 0; i < PAIRS; i++) {
        const float height = height_of(i);
        memcpy(stage->start[i], (float[3]){1, 1, height}, sizeof *stage->start);
        memcpy(stage->end[i], (float[3]){1, 1, -height}, sizeof *stage->end);
        memcpy(stage->pairs[i], (uint32_t[4]){(uint32_t)i, PAIRS, PAIRS + 1, PAIRS + 2},
               sizeof *stage->pairs);
    }
    memcpy(stage->start[PAIRS], corners, sizeof corners);
    memcpy(stage->end[PAIRS], corners, sizeof corners);
    stage->near = pliant_near_candidates_default();
    stage->near.vertices = stage->start[0];
    stage->near.vertex_count = VERTICES;
    stage->near.pairs = stage->pairs[0];
    stage->near.pair_count = PAIRS;
    stage->near.host = &stage->host.host;
    stage->sweep = pliant_sweep_pairs_default();
    stage->sweep.start = stage->start[0];
    stage->sweep.end = stage->end[0];
    stage->sweep.vertex_count = VERTICES;
    stage->sweep.pairs = stage->pairs[0];
    stage->sweep.pair_count = PAIRS;
    stage->sweep.host = &stage->host.host;
}

/* ---- Arguments ------------------------------------------------------------------------------- */

static void test_bad_near(Stage *stage)
{
    TestHost *host = &stage->host;
    const float bad[2] = {1, -1};
    float distances[2] = {7, 8};
    PliantNearPair detail = {.feature_a = 9};
    PliantNearCandidates def;
    stage->near.pair_count = 1;
    REFUSE_UNHEARD(pliant_near_pairs(NULL, distances, NULL, 1), PLIANT_BAD_ARGUMENT);
#define REFUSE_NEAR(field, value, code, text)                                                      \
    def = stage->near;                                                                             \
    def.field = value;                                                                             \
    REFUSE(*host, pliant_near_pairs(&def, distances, &detail, 1), code, text)
    REFUSE_NEAR(kind, PLIANT_TRIANGLE_VERTEX, PLIANT_BAD_ARGUMENT, "def.kind is 1");
    REFUSE_NEAR(kind, PLIANT_VERTEX_VERTEX, PLIANT_BAD_ARGUMENT, "def.kind is 4");
    REFUSE_NEAR(vertices, NULL, PLIANT_BAD_ARGUMENT, "def.vertices is NULL");
    REFUSE_NEAR(pairs, NULL, PLIANT_BAD_ARGUMENT, "def.pairs is NULL");
    REFUSE_NEAR(vertex_count, -1, PLIANT_BAD_ARGUMENT, "def.vertex_count is -1");
    REFUSE_NEAR(vertex_count, VERTICES - 1, PLIANT_BAD_INDEX,
                "def.pairs[3] is 1302, def.vertex_count is 1302");
    REFUSE_NEAR(pair_count, -1, PLIANT_BAD_ARGUMENT, "def.pair_count is -1");
    REFUSE_NEAR(pair_count, 2, PLIANT_BAD_ARGUMENT, "capacity is 1, def.pair_count is 2");
    REFUSE_NEAR(pair_count, INT64_MAX, PLIANT_TOO_LARGE, "def.pair_count is");
    REFUSE_NEAR(distance, -1, PLIANT_BAD_ARGUMENT, "def.distance is -1");
    REFUSE_NEAR(distance, INFINITY, PLIANT_BAD_ARGUMENT, "def.distance is inf");
    REFUSE_NEAR(distance, NAN, PLIANT_BAD_ARGUMENT, "def.distance is");
    REFUSE_NEAR(distances, &bad[1], PLIANT_BAD_ARGUMENT, "def.distances[0] is -1");
#undef REFUSE_NEAR
    def = stage->near;
    def.pair_count = 2;
    def.distances = bad;
    REFUSE(*host, pliant_near_pairs(&def, distances, NULL, 2), PLIANT_BAD_ARGUMENT,
           "def.distances[1] is -1");
    REFUSE(*host, pliant_near_pairs(&stage->near, NULL, NULL, 1), PLIANT_BAD_ARGUMENT,
           "distances is NULL");
    def = stage->near;
    def.struct_size = 4;
    REFUSE_UNHEARD(pliant_near_pairs(&def, distances, NULL, 1), PLIANT_BAD_DEF);
    assert_true(distances[0] == 7 && distances[1] == 8 && detail.feature_a == 9);
    def = stage->near;
    def.pair_count = 0;
    MUST(pliant_near_pairs(&def, NULL, NULL, 0));
    assert_int_equal(stage->host.calls, 0);
}

static void test_bad_sweep(Stage *stage)
{
    TestHost *host = &stage->host;
    const float bad[2] = {0, INFINITY};
    float times[2] = {7, 8};
    PliantSweepPairs def;
    stage->sweep.pair_count = 2;
#define REFUSE_SWEEP(field, value, text)                                                           \
    def = stage->sweep;                                                                            \
    def.field = value;                                                                             \
    REFUSE(*host, pliant_sweep_pairs(&def, times, 2, NULL), PLIANT_BAD_ARGUMENT, text)
    REFUSE_SWEEP(distance, -1, "def.distance is -1");
    REFUSE_SWEEP(distance, NAN, "def.distance is");
    REFUSE_SWEEP(distances, bad, "def.distances[1] is inf");
    REFUSE_SWEEP(max_time, -1, "def.max_time is -1");
    REFUSE_SWEEP(max_time, 2, "def.max_time is 2");
    REFUSE_SWEEP(max_time, NAN, "def.max_time is");
#undef REFUSE_SWEEP
    assert_true(times[0] == 7 && times[1] == 8);
    assert_int_equal(stage->host.calls, 0);
}

/* A program of before has a record that ends with its host: the new fields have their defaults. */
static void test_old_record(Stage *stage)
{
    float times[PAIRS];
    stage->sweep.struct_size = offsetof(PliantSweepPairs, distance);
    stage->sweep.distance = 3;
    stage->sweep.max_time = 0;
    MUST(pliant_sweep_pairs(&stage->sweep, times, PAIRS, NULL));
    for (int i = 0; i < PAIRS; i++)
        assert_true(times[i] == 0.5f);
}

/* ---- near ------------------------------------------------------------------------------------ */

/* Is pair i its own detail? */
static void check_detail(const Stage *stage, int i, const PliantNearPair *detail, float distance)
{
    const bool is_near = distance < INFINITY;
    assert_true(detail->distance == distance);
    assert_true(detail->body_a.index == 0 && detail->body_b.serial == 0);
    assert_int_equal(detail->kind, PLIANT_VERTEX_TRIANGLE);
    assert_true(detail->feature_a == -1 && detail->feature_b == -1);
    assert_memory_equal(detail->vertices, stage->pairs[i], sizeof detail->vertices);
    assert_int_equal(detail->pair_count, 1);
    assert_int_equal(detail->region, is_near ? 15 : 0);
    assert_true(detail->normal[0] == 0 && detail->normal[1] == 0);
    assert_true(detail->normal[2] == (is_near ? 1.0f : 0.0f));
    assert_true(detail->weights[0] == (is_near ? 1.0f : 0.0f));
    assert_true(detail->weights[1] == (is_near ? -0.5f : 0.0f));
}

static void test_near(Stage *stage)
{
    static PliantNearPair details[PAIRS + 1];
    static float distances[PAIRS + 1], others[PAIRS + 1];
    details[PAIRS].feature_a = 9;
    distances[PAIRS] = others[PAIRS] = 9;
    stage->near.distance = height_of(700);
    MUST(pliant_near_pairs(&stage->near, distances, details, PAIRS + 1));
    for (int i = 0; i < PAIRS; i++) {
        assert_true(distances[i] == (i <= 700 ? height_of(i) : INFINITY));
        check_detail(stage, i, &details[i], distances[i]);
    }
    MUST(pliant_near_pairs(&stage->near, others, NULL, PAIRS + 1));
    assert_memory_equal(distances, others, sizeof distances);
    assert_true(distances[PAIRS] == 9 && details[PAIRS].feature_a == 9);
    stage->near.distance = 0;
    MUST(pliant_near_pairs(&stage->near, distances, NULL, PAIRS));
    for (int i = 0; i < PAIRS; i++)
        assert_true(distances[i] == INFINITY);
}

/* A pair in three is at its own distance, one is an ulp farther, and one nearer. */
static void test_near_distances(Stage *stage)
{
    static float distances[PAIRS];
    for (int i = 0; i < PAIRS; i++)
        stage->distances[i] = i % 3 == 0   ? height_of(i)
                              : i % 3 == 1 ? nextafterf(height_of(i), 0)
                                           : 2 * height_of(i);
    stage->near.distances = stage->distances;
    stage->near.distance = 0.5f; /* not used */
    MUST(pliant_near_pairs(&stage->near, distances, NULL, PAIRS));
    for (int i = 0; i < PAIRS; i++)
        assert_true(distances[i] == (i % 3 != 1 ? height_of(i) : INFINITY));
}

/* Pairs with a NaN or an infinity are in no pair, and move no other one. */
static void test_near_not_finite(Stage *stage)
{
    static const float bad[3] = {NAN, INFINITY, -INFINITY};
    static PliantNearPair details[PAIRS];
    static float distances[PAIRS];
    for (int i = 0; i < PAIRS; i += 7)
        stage->start[i][i % 3] = bad[i / 7 % 3];
    stage->near.distance = 100;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < PAIRS; i++)
            stage->distances[i] = i % 2 ? 100 : 0;
        stage->near.distances = turn ? stage->distances : NULL;
        MUST(pliant_near_pairs(&stage->near, distances, details, PAIRS));
        for (int i = 0; i < PAIRS; i++) {
            const bool is_near = i % 7 != 0 && (!turn || i % 2);
            assert_true(distances[i] == (is_near ? height_of(i) : INFINITY));
            check_detail(stage, i, &details[i], distances[i]);
        }
    }
}

/* Two edges that cross at a distance of 1, of 3 ends and a fourth. */
static void test_near_edges(Stage *stage)
{
    static const float ends[4][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, -1}, {0, 1, -1}};
    static const uint32_t pairs[4] = {0, 1, 2, 3};
    float distance;
    PliantNearPair detail;
    stage->near.kind = PLIANT_EDGE_EDGE;
    stage->near.vertices = ends[0];
    stage->near.vertex_count = 4;
    stage->near.pairs = pairs;
    stage->near.pair_count = 1;
    stage->near.distance = 1;
    MUST(pliant_near_pairs(&stage->near, &distance, &detail, 1));
    assert_true(distance == 1 && detail.distance == 1 && detail.normal[2] == 1);
    assert_int_equal(detail.kind, PLIANT_EDGE_EDGE);
    for (int i = 0; i < 4; i++)
        assert_true(detail.weights[i] == (i < 2 ? 0.5f : -0.5f));
    assert_int_equal(detail.region, 15);
    stage->near.distance = nextafterf(1, 0);
    MUST(pliant_near_pairs(&stage->near, &distance, NULL, 1));
    assert_true(distance == INFINITY);
}

/* ---- sweep ----------------------------------------------------------------------------------- */

/* Vertices come within the distance of their triangle at 1/2 (1 - distance / height). */
static void check_time(int i, float distance, float time)
{
    const double height = (double)height_of(i);
    const double exact = distance > 0 ? 0.5 * (1 - (double)distance / height) : 0.5;
    assert_true((double)time <= fmax(exact, 0));
    assert_true((double)time >= 0.5 * (1 - 1.01 * (double)distance / height) - 1e-6);
    if (distance == 0)
        assert_true(time == 0.5f);
}

static void test_sweep_distance(Stage *stage)
{
    static float times[PAIRS + 1], others[PAIRS];
    PliantSweepCounts counts = pliant_sweep_counts_default();
    stage->sweep.distance = 0.75f;
    times[PAIRS] = 9;
    MUST(pliant_sweep_pairs(&stage->sweep, times, PAIRS + 1, &counts));
    assert_true(times[PAIRS] == 9);
    for (int i = 0; i < PAIRS; i++) {
        check_time(i, 0.75f, times[i]);
        stage->distances[i] = 0.75f;
    }
    assert_int_equal(counts.pairs, PAIRS);
    assert_int_equal(counts.touching, PAIRS);
    assert_int_equal(counts.filtered, 0);
    stage->sweep.distance = 0;
    stage->sweep.distances = stage->distances;
    MUST(pliant_sweep_pairs(&stage->sweep, others, PAIRS, NULL));
    assert_memory_equal(times, others, sizeof others);
}

/* Each pair has its own; those without one are exact. */
static void test_sweep_distances(Stage *stage)
{
    static float times[PAIRS];
    for (int i = 0; i < PAIRS; i++)
        stage->distances[i] = i % 3 == 0 ? 0 : height_of(i) * (float)(i % 5) / 8;
    stage->sweep.distances = stage->distances;
    stage->sweep.distance = 5; /* not used */
    stage->start[7][1] = NAN;
    MUST(pliant_sweep_pairs(&stage->sweep, times, PAIRS, NULL));
    assert_true(times[7] == INFINITY);
    for (int i = 0; i < PAIRS; i++)
        if (i != 7)
            check_time(i, stage->distances[i], times[i]);
}

/* Times up to the greatest one, and this too, are left as they are. */
static void test_max_time(Stage *stage)
{
    static float all[PAIRS], times[PAIRS];
    for (int turn = 0; turn < 2; turn++) {
        PliantSweepCounts counts = pliant_sweep_counts_default();
        int64_t left = 0;
        for (int i = 0; i < PAIRS; i++)
            stage->end[i][2] = -(1 + (float)(i % 50)); /* touches at various times */
        stage->sweep.distance = turn ? 0.5f : 0;
        stage->sweep.max_time = 1;
        MUST(pliant_sweep_pairs(&stage->sweep, all, PAIRS, NULL));
        stage->sweep.max_time = all[PAIRS / 2];
        MUST(pliant_sweep_pairs(&stage->sweep, times, PAIRS, &counts));
        for (int i = 0; i < PAIRS; i++) {
            assert_true(times[i] == (all[i] <= all[PAIRS / 2] ? all[i] : INFINITY));
            left += times[i] <= 1;
        }
        assert_true(left > 0 && left < PAIRS);
        assert_int_equal(counts.touching, left);
        assert_int_equal(counts.pairs, PAIRS);
    }
    stage->sweep.distance = 0;
    stage->sweep.max_time = 0;
    memcpy(stage->start[3], (float[3]){1, 1, 0}, sizeof *stage->start);
    MUST(pliant_sweep_pairs(&stage->sweep, times, PAIRS, NULL));
    for (int i = 0; i < PAIRS; i++)
        assert_true(times[i] == (i == 3 ? 0 : INFINITY));
}

/* ---- All ------------------------------------------------------------------------------------- */

typedef struct Row {
    const char *name;
    void (*test)(Stage *stage);
} Row;

static Row rows[] = {
    {"bad near", test_bad_near},
    {"bad sweep", test_bad_sweep},
    {"old record", test_old_record},
    {"near", test_near},
    {"near distances", test_near_distances},
    {"near not finite", test_near_not_finite},
    {"near edges", test_near_edges},
    {"sweep distance", test_sweep_distance},
    {"sweep distances", test_sweep_distances},
    {"max time", test_max_time},
};

static void run_row(void **state)
{
    static Stage stage;
    const Row *row = *state;
    start(&stage);
    row->test(&stage);
}

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof *rows];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        tests[i] = (struct CMUnitTest){rows[i].name, run_row, NULL, NULL, &rows[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
