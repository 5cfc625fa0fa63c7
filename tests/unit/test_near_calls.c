/* Features within a distance: what the public calls take, and small meshes whose answers are known.
 */
#include "unit.h"

#include "host.h"
#include "refuse.h"
#include <pliant/pliant.h>

#include <math.h>
#include <string.h>

/* A triangle in the plane z = 0 and a small one above it, at 1/4 of its lowest corner. */
static const float floor_corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
static const float above_corners[9] = {1, 1, .25f, 1.5f, 1, .5f, 1, 1.5f, .5f};
static const uint32_t one_triangle[3] = {0, 1, 2};

typedef struct Stage {
    TestHost host;
    PliantShape *shapes[2];
    PliantWorld *world;
    PliantBody bodies[2];
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
}

static void end(Stage *stage)
{
    pliant_world_destroy(stage->world);
    assert_int_equal(stage->host.bytes, 0);
    for (int i = 0; i < 2; i++)
        pliant_shape_release(stage->shapes[i]);
}

static PliantNearDef near_def(float distance)
{
    PliantNearDef def = pliant_near_def_default();
    def.distance = distance;
    return def;
}

static bool never(void *user, int64_t done, int64_t total)
{
    assert_true(done >= 0 && done <= total);
    ++*(int *)user;
    return false;
}

static void test_bad_arguments(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1);
    const PliantBody none = {0};
    int calls = 0;
    REFUSE(stage.host, pliant_world_near(stage.world, &def, NULL), PLIANT_BAD_ARGUMENT,
           "pairs is NULL");
    def.distance = -1;
    REFUSE(stage.host, pliant_world_near(stage.world, &def, &pairs), PLIANT_BAD_ARGUMENT,
           "def.distance is -1");
    def.distance = NAN;
    REFUSE(stage.host, pliant_world_near(stage.world, &def, &pairs), PLIANT_BAD_ARGUMENT,
           "def.distance is");
    def.distance = INFINITY;
    REFUSE(stage.host, pliant_world_near(stage.world, &def, &pairs), PLIANT_BAD_ARGUMENT,
           "def.distance is inf");
    def = near_def(1);
    def.struct_size = 3;
    REFUSE(stage.host, pliant_world_near(stage.world, &def, &pairs), PLIANT_BAD_DEF,
           "def.struct_size is 3");
    def = near_def(1);
    REFUSE(stage.host, pliant_bodies_near(stage.world, none, stage.bodies[0], &def, &pairs),
           PLIANT_BAD_ID, "a is {index 0, serial 0}");
    REFUSE(stage.host, pliant_bodies_near(stage.world, stage.bodies[0], none, &def, &pairs),
           PLIANT_BAD_ID, "b is {index 0, serial 0}");
    def.progress = never;
    def.user = &calls;
    assert_int_equal(pliant_world_near(stage.world, &def, &pairs), PLIANT_CANCELLED);
    assert_int_equal(calls, 1);
    assert_int_equal(pairs.count, 0);
    end(&stage);
}

/* The lowest corner is the only one within 1/4, and touches nothing. */
static void test_one_pair(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(.25f);
    MUST(pliant_world_near(stage.world, &def, &pairs));
    assert_int_equal(pairs.count, 1);
    const PliantNearPair *pair = &pairs.items[0];
    assert_int_equal(pair->kind, PLIANT_TRIANGLE_VERTEX);
    assert_memory_equal(&pair->body_a, &stage.bodies[0], sizeof pair->body_a);
    assert_memory_equal(&pair->body_b, &stage.bodies[1], sizeof pair->body_b);
    assert_int_equal(pair->feature_a, 0);
    assert_int_equal(pair->feature_b, 0);
    assert_true(pair->distance == .25f);
    assert_true(pair->normal[0] == 0 && pair->normal[1] == 0 && pair->normal[2] == -1);
    assert_true(pair->weights[0] == .5f && pair->weights[1] == .25f && pair->weights[2] == .25f &&
                pair->weights[3] == -1);
    assert_int_equal(pair->region, 15);
    def.distance = nextafterf(.25f, 0);
    MUST(pliant_bodies_near(stage.world, stage.bodies[1], stage.bodies[0], &def, &pairs));
    assert_int_equal(pairs.count, 0);
    MUST(pliant_world_near(stage.world, NULL, &pairs));
    assert_int_equal(pairs.count, 0);
    end(&stage);
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
static void test_push(void **state)
{
    (void)state;
    static const float corners[][2][9] = {
        /* a vertex over the center of a triangle, two edges that cross in their middle, and a
         * vertex over another point: with weights of 1/2, 1/4, 1/4 the triangle tilts */
        {{0, 0, 0, 3, 0, 0, 0, 3, 0}, {1, 1, .005f, 1.5f, 1, .5f, 1, 1.5f, .5f}},
        {{-1, 0, 0, 1, 0, 0, 0, 0, -5}, {0, -1, .005f, 0, 1, .005f, 0, 0, 5}},
        {{0, 0, 0, 4, 0, 0, 0, 4, 0}, {1, 1, .25f, 1.5f, 1, .5f, 1, 1.5f, .5f}},
    };
    static const bool moves[][2] = {{true, true}, {false, true}, {true, false}};
    for (int c = 0; c < 3; c++)
        for (int m = 0; m < 3; m++) {
            Stage stage;
            start(&stage);
            float now[2][9];
            memcpy(now, corners[c], sizeof now);
            for (int i = 0; i < 2; i++)
                MUST(pliant_body_borrow_vertices(stage.world, stage.bodies[i],
                                                 (PliantVertices){now[i], 3, 0}));
            PliantNearPairs pairs = pliant_near_pairs_default();
            PliantNearDef def = near_def(.26f);
            MUST(pliant_world_near(stage.world, &def, &pairs));
            assert_int_equal(pairs.count, 1);
            const PliantNearPair before = pairs.items[0];
            push(&stage, &before, now, moves[m], .005f);
            assert_true(
                fabs(distance_along(&stage, &before, now) - (double)before.distance - .005) < 1e-7);
            MUST(pliant_world_near(stage.world, &def, &pairs));
            assert_int_equal(pairs.count, 1);
            const double error = (double)pairs.items[0].distance - (double)before.distance - .005;
            assert_true(c < 2 ? fabs(error) < 1e-8 : error < 1e-7 && error > -1e-5);
            end(&stage);
        }
}

/* Filters count in a world, and not for two bodies. */
static void test_filters(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(.25f);
    MUST(pliant_body_set_filter(stage.world, stage.bodies[0], 1, 1));
    MUST(pliant_body_set_filter(stage.world, stage.bodies[1], 2, 2));
    MUST(pliant_world_near(stage.world, &def, &pairs));
    assert_int_equal(pairs.count, 0);
    MUST(pliant_bodies_near(stage.world, stage.bodies[0], stage.bodies[1], &def, &pairs));
    assert_int_equal(pairs.count, 1);
    end(&stage);
}

/* A strip of three triangles, folded so that the first and the last are one above the other. They
 * have no vertex in common; neighbors have. */
static void test_self(void **state)
{
    (void)state;
    static const float strip[5][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {2, 2, .5f}, {0, .5f, .5f}};
    static const uint32_t triangles[3][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}};
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(.5f);
    PliantShape *shape = shape_of(strip[0], 5, triangles[0], 3);
    PliantBody body;
    MUST(pliant_body_create(stage.world, shape, &body));
    MUST(pliant_bodies_near(stage.world, body, body, &def, &pairs));
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
    MUST(pliant_body_set_filter(stage.world, body, 1, 0));
    MUST(pliant_world_near(stage.world, &def, &pairs));
    const int64_t count = pairs.count;
    def.includes_self = true;
    MUST(pliant_world_near(stage.world, &def, &pairs));
    assert_int_equal(pairs.count, count + self_count);
    pliant_shape_release(shape);
    end(&stage);
}

/* A flat strip of four triangles, folded: what is near at rest is left out, what was folded is not.
 */
static void test_rest(void **state)
{
    (void)state;
    static const float flat[6][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0},
                                     {1, 1, 0}, {2, 0, 0}, {2, 1, 0}};
    static const uint32_t triangles[4][3] = {{0, 2, 1}, {1, 2, 3}, {2, 4, 3}, {3, 4, 5}};
    static float folded[6][3] = {{0, 0, 0}, {0, 1, 0},    {1, 0, 0},
                                 {1, 1, 0}, {0, 0, .25f}, {0, 1, .25f}};
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(1.3f);
    PliantShape *shape = shape_of(flat[0], 6, triangles[0], 4);
    PliantBody body;
    MUST(pliant_body_create(stage.world, shape, &body));
    MUST(pliant_bodies_near(stage.world, body, body, &def, &pairs));
    const int64_t all = pairs.count;
    def.rest_distance = 1.3f;
    MUST(pliant_bodies_near(stage.world, body, body, &def, &pairs));
    assert_true(all > 0);
    assert_int_equal(pairs.count, 0);
    MUST(pliant_body_borrow_vertices(stage.world, body, (PliantVertices){folded[0], 6, 0}));
    MUST(pliant_bodies_near(stage.world, body, body, &def, &pairs));
    assert_true(pairs.count > 0);
    bool is_there = false;
    for (int64_t i = 0; i < pairs.count; i++)
        is_there |= pairs.items[i].kind == PLIANT_VERTEX_TRIANGLE &&
                    pairs.items[i].feature_a == 5 && pairs.items[i].feature_b == 0 &&
                    pairs.items[i].distance == .25f;
    assert_true(is_there);
    def.rest_distance = -1;
    REFUSE(stage.host, pliant_world_near(stage.world, &def, &pairs), PLIANT_BAD_ARGUMENT,
           "def.rest_distance is -1");
    pliant_shape_release(shape);
    end(&stage);
}

/* The least distance of each vertex, and where its pairs are, against the pairs themselves. */
static void test_vertices(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(2);
    MUST(pliant_world_near(stage.world, &def, &pairs));
    for (int body = 0; body < 2; body++) {
        float distances[3];
        int64_t offsets[4];
        MUST(pliant_near_vertex_distances(stage.world, &pairs, stage.bodies[body], distances, 3));
        MUST(pliant_near_vertex_offsets(stage.world, &pairs, stage.bodies[body],
                                        stage.bodies[1 - body], offsets, 4));
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
        REFUSE(stage.host,
               pliant_near_vertex_distances(stage.world, &pairs, stage.bodies[body], distances, 2),
               PLIANT_BAD_ARGUMENT, "capacity is 2: the body has 3 vertices");
        REFUSE(stage.host,
               pliant_near_vertex_offsets(stage.world, &pairs, stage.bodies[body],
                                          stage.bodies[1 - body], offsets, 3),
               PLIANT_BAD_ARGUMENT, "capacity is 3: the body has 3 vertices, and one more");
    }
    PliantNearPair wrong = pairs.items[0];
    PliantNearPairs one = pairs;
    float distances[3];
    wrong.vertices[0] = 7;
    one.items = &wrong;
    one.count = 1;
    REFUSE(stage.host,
           pliant_near_vertex_distances(stage.world, &one, stage.bodies[0], distances, 3),
           PLIANT_BAD_ARGUMENT, "pair 0 has vertex 7");
    end(&stage);
}

/* Once it has seen a frame, a world takes no memory for the next one like it. */
static void test_memory(void **state)
{
    (void)state;
    Stage stage;
    start(&stage);
    PliantNearPairs pairs = pliant_near_pairs_default();
    PliantNearDef def = near_def(2);
    def.includes_self = true;
    MUST(pliant_world_near(stage.world, &def, &pairs));
    assert_true(pairs.count > 5);
    const int64_t calls = stage.host.calls;
    for (int i = 0; i < 10; i++)
        MUST(pliant_world_near(stage.world, &def, &pairs));
    assert_int_equal(stage.host.calls, calls);
    end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_arguments), cmocka_unit_test(test_one_pair),
        cmocka_unit_test(test_filters),       cmocka_unit_test(test_self),
        cmocka_unit_test(test_rest),          cmocka_unit_test(test_vertices),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_push),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
