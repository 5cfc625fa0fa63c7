/* Which primitives of soups intersect: against brute force, in soups of every kind and level,
 * against bodies of every kind, wherever they are. */
#include "ball.h"
#include "kettle.h"
#include "pairs.h"
#include "touch.h"
#include "unit.h"
#include <pliant/pliant.h>

#include <float.h>
#include <math.h>
#include <string.h>

static int set_up(void **state)
{
    *state = kettle_create();
    return 0;
}

static int tear_down(void **state)
{
    assert_true(kettle_destroy(*state));
    return 0;
}

/* ---- Two of them -------------------------------------------------------------------------------
 */

enum { MAX_VALUE = 1025, LEVELS = 6 };

/* Primitives in turn. */
typedef struct Cloud {
    PliantPrimitiveKind kind;
    int32_t count;
    float vertices[3 * MAX_VALUE][3];
} Cloud;

static int32_t width_of(const Cloud *cloud)
{
    return cloud->kind == PLIANT_POINTS ? 1 : 3;
}

static PliantPrimitives primitives_of(const Cloud *cloud)
{
    return (PliantPrimitives){.struct_size = sizeof(PliantPrimitives),
                              .vertices = {cloud->vertices[0], width_of(cloud) * cloud->count, 0},
                              .count = cloud->count};
}

/* Triangles of about this size, or points on a grid that often coincide, from -1 to 1. */
static void fill(Cloud *cloud, PliantPrimitiveKind kind, int32_t count, uint64_t seed, float size)
{
    SceneRandom random = {seed};
    cloud->kind = kind;
    cloud->count = count;
    for (int32_t i = 0; i < 3 * width_of(cloud) * count; i++) {
        float x = (float)scene_random_below(&random, 9) * 0.25f - 1,
              far = test_random_float(&random);
        float *to = &cloud->vertices[i / 3][i % 3];
        *to = kind == PLIANT_POINTS ? x : i % 9 < 3 ? far : to[-3] + size * far;
    }
}

static PliantBody create(Kettle *k, const Cloud *cloud, int kind, int levels)
{
    PliantBody body = kettle_soup(k, cloud->kind, (PliantSoupKind)kind, levels);
    PliantPrimitives primitives = primitives_of(cloud);
    MUST(kettle_gives[levels % 2](k->world, body, &primitives));
    return body;
}

/* How many pairs of the two intersect; the library is right about it. */
static int64_t pairs(Kettle *k, PliantBody a, const Cloud *of_a, PliantBody b, const Cloud *of_b)
{
    const PliantPrimitives in_a = primitives_of(of_a), in_b = primitives_of(of_b);
    TouchBody x = touch_soup(a, of_a->kind, &in_a), y = touch_soup(b, of_b->kind, &in_b);
    int64_t count = touch_count(k->world, &x, &y);
    touch_free(&x);
    touch_free(&y);
    assert_true(count >= 0);
    return count;
}

/* The same for soups of these kinds and levels. */
static int64_t pairs_of(Kettle *k, const Cloud *of_a, const Cloud *of_b, int kind, int levels)
{
    PliantBody a = create(k, of_a, kind, levels), b = create(k, of_b, kind, levels);
    int64_t count = pairs(k, a, of_a, b, of_b);
    kettle_end(k, a);
    kettle_end(k, b);
    return count;
}

/* For all kinds, and levels up to so many. */
static int64_t pairs_to(Kettle *k, const Cloud *of_a, const Cloud *of_b, int most)
{
    int64_t count = pairs_of(k, of_a, of_b, 0, 0);
    for (int kind = 0; kind < KETTLE_KINDS; kind++)
        for (int levels = 0; levels <= most; levels++)
            assert_int_equal(pairs_of(k, of_a, of_b, kind, levels), count);
    return count;
}

/* The most levels take a lot of memory. */
static int64_t pairs_of_all(Kettle *k, const Cloud *of_a, const Cloud *of_b)
{
    return pairs_to(k, of_a, of_b, 4);
}

static Cloud a, b; /* of each test its own */

static void test_kinds_and_levels(void **state)
{
    static const int32_t counts[] = {0, 1, 15, 16, 17, 127, 128, 129, MAX_VALUE};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (int points = 0; points < 3; points++) { /* triangles, with points, points */
            fill(&a, points == 2 ? PLIANT_POINTS : PLIANT_TRIANGLES, 150, 1, 0.3f);
            fill(&b, points ? PLIANT_POINTS : PLIANT_TRIANGLES, counts[i], 2 + i, 0.3f);
            if (points == 1) /* its corners are among the points */
                memcpy(b.vertices, a.vertices, 12 * (size_t)(counts[i] / 4));
            int most = counts[i] % 127 == 1 ? PLIANT_MAX_SOUP_LEVELS : 4; /* 1 and 128 */
            int64_t count = pairs_to(*state, &a, &b, most);
            assert_true(count > 0 || counts[i] < 15);
        }
}

static void test_kinds_with_each_other(void **state)
{
    Kettle *k = *state;
    fill(&a, PLIANT_TRIANGLES, 400, 7, 0.2f);
    fill(&b, PLIANT_TRIANGLES, 300, 8, 0.2f);
    int64_t count = pairs_of(k, &a, &b, 0, 0);
    for (int kinds = 0; kinds < KETTLE_KINDS * KETTLE_KINDS; kinds++) {
        PliantBody x = create(k, &a, kinds / KETTLE_KINDS, kinds % 5);
        PliantBody y = create(k, &b, kinds % KETTLE_KINDS, kinds % 7);
        assert_int_equal(pairs(k, x, &a, y, &b), count);
        kettle_end(k, x);
        kettle_end(k, y);
    }
}

/* ---- Exactly -----------------------------------------------------------------------------------
 */

/* A point against one triangle, of whole numbers. */
static void test_points_on_a_triangle(void **state)
{
    Kettle *k = *state;
    static const float triangle[9] = {0, 0, 1, 4, 0, 1, 0, 4, 1};
    static const struct {
        float point[3];
        bool is_on;
    } cases[] = {
        {{0, 0, 1}, true},
        {{4, 0, 1}, true},
        {{0, 4, 1}, true},
        {{2, 0, 1}, true},
        {{0, 1, 1}, true},
        {{2, 2, 1}, true}, /* on an edge */
        {{1, 1, 1}, true},
        {{1.5f, 2.25f, 1}, true},
        {{-0.0f, 0, 1}, true},
        {{5, 0, 1}, false},
        {{2, 3, 1}, false},
        {{-1, 1, 1}, false},
        {{1, 1, 0x1.000002p0f}, false},
        {{1, 1, 0x1.fffffep-1f}, false},
        {{2, 0x1.000002p1f, 1}, false},
        {{2, -0x1p-149f, 1}, false},
        {{1, 1, NAN}, false},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    a = (Cloud){PLIANT_TRIANGLES, 1, {{0}}};
    b = (Cloud){PLIANT_POINTS, CASES, {{0}}};
    memcpy(a.vertices, triangle, sizeof triangle);
    int64_t on_count = 0;
    for (int i = 0; i < CASES; i++) {
        memcpy(b.vertices[i], cases[i].point, 12);
        on_count += cases[i].is_on;
    }
    assert_int_equal(pairs_of_all(k, &a, &b), on_count);
    PliantBody x = create(k, &a, 0, 0), y = create(k, &b, 0, 0);
    PliantContacts contacts = pliant_contacts_default();
    MUST(pliant_bodies_collide(k->world, x, y, NULL, &contacts));
    for (int64_t i = 0; i < contacts.count; i++)
        assert_true(cases[contacts.items[i].triangle_b].is_on);
}

static void test_equal_points(void **state)
{
    static const float points[][3] = {
        {1, 2, 3}, {1, 2, 3}, {0, 0, 0}, {-0.0f, 0, -0.0f}, {1, 2, 0x1.800002p1f}};
    a = (Cloud){PLIANT_POINTS, 5, {{0}}};
    memcpy(a.vertices, points, sizeof points);
    b = a;
    assert_int_equal(pairs_of_all(*state, &a, &b), 4 + 4 + 1);
}

/* All primitives at one place: no order can tell them apart. */
static void test_all_at_one_place(void **state)
{
    static const float triangle[9] = {1, 2, 3, 1.5f, 2, 3, 1, 2.5f, 3};
    for (int points = 0; points < 2; points++) {
        a = (Cloud){points ? PLIANT_POINTS : PLIANT_TRIANGLES, 130, {{0}}};
        for (int32_t i = 0; i < 3 * 130; i++)
            memcpy(a.vertices[i], triangle + (points ? 0 : 3 * (i % 3)), 12);
        b = a;
        b.count = 70;
        assert_int_equal(pairs_of_all(*state, &a, &b), 130 * 70);
    }
}

/* Along an axis, a diagonal of two axes, and one of three: as points and as flat triangles. */
static void test_all_on_a_line(void **state)
{
    for (int way = 1; way < 8; way++)
        for (int points = 0; points < 2; points++) {
            fill(&a, points ? PLIANT_POINTS : PLIANT_TRIANGLES, 200, (uint64_t)way, 0.02f);
            for (int32_t i = 0; i < 9 * 200; i++)
                a.vertices[i / 3][i % 3] = way >> i % 3 & 1 ? a.vertices[i / 3][0] : 0.5f;
            b = a;
            b.count = 99;
            assert_true(pairs_of_all(*state, &a, &b) >= 99);
        }
}

/* Every class of pairs that has ever broken a triangle test, each as two soups. */
static void test_nasty_triangles(void **state)
{
    enum { COUNT = 100 };
    for (int c = 0; c < TEST_PAIR_CLASS_COUNT; c++) {
        SceneRandom random = {(uint64_t)c};
        a = b = (Cloud){PLIANT_TRIANGLES, COUNT, {{0}}};
        for (int i = 0; i < COUNT; i++)
            test_pair((TestPairClass)c, &random, a.vertices[3 * i], b.vertices[3 * i]);
        pairs_of_all(*state, &a, &b);
        a.kind = PLIANT_POINTS; /* the corners of some of them */
        pairs_of_all(*state, &a, &b);
    }
}

/* Greatest, least and ordinary numbers in one soup, so that sums of two of them overflow. */
static void test_all_sizes(void **state)
{
    static const float sizes[] = {FLT_MAX, 1e38f, 1e20f, 1, 1e-20f, FLT_MIN, 0x1p-140f, 0x1p-149f};
    for (int points = 0; points < 2; points++) {
        fill(&a, points ? PLIANT_POINTS : PLIANT_TRIANGLES, 240, 3, 0.5f);
        for (int32_t i = 0; i < 3 * width_of(&a) * a.count; i++)
            a.vertices[i / 3][i % 3] *= sizes[i / 3 / width_of(&a) % 8];
        b = a;
        assert_true(pairs_of_all(*state, &a, &b) >= 240);
    }
}

/* One goes far away, and comes back. */
static void test_one_far_away(void **state)
{
    Kettle *k = *state;
    static const float distances[] = {0, 1e3f, 1e9f, 0, 1e30f, FLT_MAX, -FLT_MAX, INFINITY, 0};
    fill(&a, PLIANT_TRIANGLES, 500, 11, 0.1f);
    fill(&b, PLIANT_TRIANGLES, 500, 12, 0.1f);
    float home[3];
    memcpy(home, a.vertices[33], sizeof home);
    for (int kind = 0; kind < KETTLE_KINDS; kind++)
        for (int levels = 1; levels < LEVELS; levels += 2) { /* of which it is borrowed */
            PliantBody x = create(k, &a, kind, levels), y = create(k, &b, kind, levels);
            for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
                for (int v = 33; v < 36; v++)
                    a.vertices[v][0] = home[0] + distances[i];
                assert_true(pairs(k, x, &a, y, &b) > 10);
            }
            kettle_end(k, x);
            kettle_end(k, y);
        }
}

/* ---- In motion ---------------------------------------------------------------------------------
 */

/* All together; each a little, or far; all anew; no more than places changed; some of them gone. */
static void move(Cloud *cloud, int how, SceneRandom *random)
{
    const int32_t width = width_of(cloud), count = width * cloud->count;
    const float far[] = {0, 0.02f, 0.7f, 0, 0, 0};
    float shift[3] = {0.05f, 0.02f, -0.03f};
    if (how == 3)
        fill(cloud, cloud->kind, cloud->count, scene_random_bits(random), 0.1f);
    for (int32_t i = 0; i < 3 * count; i++) {
        if (i % (3 * width) < 3)
            shift[i % 3] = how == 0 ? shift[i % 3] : far[how] * test_random_float(random);
        cloud->vertices[i / 3][i % 3] += shift[i % 3];
    }
    for (int32_t i = 0; i < count && how == 4; i++) { /* the first is the last from now on */
        float kept[3];
        int32_t j = count - width - i / width * width + i % width;
        if (i >= count / 2)
            break;
        memcpy(kept, cloud->vertices[i], sizeof kept);
        memcpy(cloud->vertices[i], cloud->vertices[j], sizeof kept);
        memcpy(cloud->vertices[j], kept, sizeof kept);
    }
    for (int32_t i = 0; i < count && how == 5; i += 5 * width)
        cloud->vertices[i][1] = cloud->vertices[i][1] < 3 ? NAN : 0.1f; /* and back again */
}

static void run_motion(Kettle *k, int kind, int levels)
{
    static const int ways[] = {0, 0, 1, 1, 2, 1, 3, 1, 4, 0, 5, 1, 5, 3, 2, 1};
    SceneRandom random = {(uint64_t)(kind + 10 * levels)};
    fill(&a, PLIANT_TRIANGLES, 300, 21, 0.1f);
    fill(&b, levels % 4 ? PLIANT_TRIANGLES : PLIANT_POINTS, 300, 22, 0.1f);
    PliantBody x = create(k, &a, kind, levels), y = create(k, &b, kind, levels);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        move(&a, ways[i], &random);
        move(&b, ways[(i + i / 3) % 16], &random);
        const PliantPrimitives of_a = primitives_of(&a), of_b = primitives_of(&b);
        if (i % 3 == 0 || levels % 2 == 0) /* else it is borrowed */
            MUST(kettle_gives[levels % 2](k->world, x, &of_a));
        if (levels % 2 == 0)
            MUST(kettle_gives[levels % 2](k->world, y, &of_b));
        kettle_shift(k, y, i % 4 == 3 ? 0.1f : 0);
        pairs(k, x, &a, y, &b);
    }
    kettle_end(k, x);
    kettle_end(k, y);
}

static void test_motion(void **state)
{
    for (int kind = 0; kind < KETTLE_KINDS; kind++)
        for (int levels = 0; levels < LEVELS; levels++)
            run_motion(*state, kind, levels);
}

/* Little moves, so that an order can be kept for long. In each frame a few more come, some go and
 * come back; then all is anew, and so on. */
static void test_orders_that_last(void **state)
{
    Kettle *k = *state;
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        SceneRandom random = {5};
        fill(&a, PLIANT_TRIANGLES, 1000, 41, 0.1f);
        fill(&b, PLIANT_TRIANGLES, 400, 42, 0.1f);
        PliantBody x = create(k, &a, kind, 0), y = create(k, &b, kind, 0);
        for (int frame = 0; frame < 48; frame++) {
            a.count = 600 + 16 * (frame % 24);
            move(&a, frame % 24 == 23 ? 3 : 1, &random);
            for (int32_t i = frame % 4; i < a.count; i += 50)
                a.vertices[3 * i + 1][2] = frame % 8 < 4 ? NAN : a.vertices[3 * i][2] + 0.05f;
            const PliantPrimitives now = primitives_of(&a);
            MUST(kettle_gives[frame / 12 % 2](k->world, x, &now));
            assert_true(pairs(k, x, &a, y, &b) > 0);
        }
        kettle_end(k, x);
        kettle_end(k, y);
    }
}

/* So many that the largest arrays and trees are made; little moves. */
static void test_many(void **state)
{
    enum { MANY = 140000 };
    Kettle *k = *state;
    float *corners = scene_allocate(MANY, 36);
    const PliantPrimitives many = {.struct_size = sizeof(PliantPrimitives),
                                   .vertices = {corners, 3 * MANY, 0},
                                   .corners = NULL,
                                   .count = MANY};
    SceneRandom random = {6};
    for (size_t i = 0; i < 9 * (size_t)MANY; i++)
        corners[i] = i % 9 < 3 ? test_random_float(&random)
                               : corners[i - 3] + 0.02f * test_random_float(&random);
    fill(&b, PLIANT_TRIANGLES, 30, 61, 0.3f);
    const PliantPrimitives few = primitives_of(&b);
    for (int kind = 0; kind < KETTLE_KINDS; kind++) {
        PliantBody x = kettle_soup(k, PLIANT_TRIANGLES, (PliantSoupKind)kind, 0);
        PliantBody y = create(k, &b, kind, 0);
        TouchBody of_x = touch_soup(x, PLIANT_TRIANGLES, &many);
        TouchBody of_y = touch_soup(y, PLIANT_TRIANGLES, &few);
        MUST(pliant_body_borrow_primitives(k->world, x, &many));
        for (int frame = 0; frame < 4; frame++) { /* of several queries each */
            assert_true(touch_count(k->world, &of_x, &of_y) > 30);
            for (size_t i = 0; i < 9 * (size_t)MANY; i++)
                corners[i] += 0.001f * (float)(i / 9 % 7);
        }
        touch_free(&of_x);
        touch_free(&of_y);
        kettle_end(k, x);
        kettle_end(k, y);
    }
    free(corners);
}

/* ---- With bodies of all kinds ------------------------------------------------------------------
 */

/* A soup that drifts through a body, which moves as `pose` has it. */
static void run_with(Kettle *k, PliantBody body, const SceneMesh *mesh,
                     void (*pose)(Kettle *k, PliantBody body, int frame))
{
    TouchBody other = touch_mesh(body, mesh);
    for (int kind = 0; kind < 2 * KETTLE_KINDS; kind++) {
        SceneRandom random = {(uint64_t)kind};
        fill(&a, kind % 2 ? PLIANT_POINTS : PLIANT_TRIANGLES, 500, 31, 0.2f);
        if (kind % 2)
            memcpy(a.vertices, mesh->vertices, 12 * 40);
        PliantBody soup = create(k, &a, kind / 2, kind % 7);
        int64_t count = 0;
        for (int frame = 0; frame < 4; frame++) {
            const PliantPrimitives now = primitives_of(&a);
            pose(k, body, frame);
            MUST(kettle_gives[frame % 2](k->world, soup, &now));
            TouchBody own = touch_soup(soup, a.kind, &now);
            int64_t found = touch_count(k->world, &own, &other);
            assert_true(found >= 0);
            count += found;
            touch_free(&own);
            move(&a, kind % 2 ? 4 : 1, &random);
        }
        assert_true(count > 0);
        kettle_end(k, soup);
    }
    touch_free(&other);
    kettle_end(k, body);
}

static void turn(Kettle *k, PliantBody body, int frame)
{
    float c = (float)scene_cos(0.3 * frame), s = (float)scene_sin(0.3 * frame);
    const PliantTransform turned = {{{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, 0}}};
    MUST(pliant_body_set_transform(k->world, body, &turned));
}

static void give(Kettle *k, PliantBody body, int frame)
{
    float *vertices = scene_allocate((size_t)k->sphere.vertex_count, 12);
    for (int32_t i = 0; i < 3 * k->sphere.vertex_count; i++)
        vertices[i] = k->sphere.vertices[i] * (1 - 0.05f * (float)(frame * (i % 5)));
    MUST(pliant_body_set_vertices(k->world, body,
                                  (PliantVertices){vertices, k->sphere.vertex_count, 0}));
    free(vertices);
}

static void weigh(Kettle *k, PliantBody body, int frame)
{
    const float weights[BALL_TARGETS] = {0.3f * (float)frame, 0.2f, -0.1f * (float)frame};
    MUST(pliant_body_set_weights(k->world, body, weights, BALL_TARGETS));
}

static void bend(Kettle *k, PliantBody body, int frame)
{
    PliantTransform joints[BALL_JOINTS];
    ball_bend(0.4 * frame, joints);
    MUST(pliant_body_set_joints(k->world, body, joints, BALL_JOINTS));
}

static void test_with_shapes(void **state)
{
    Kettle *k = *state;
    static Ball ball;
    ball_init(&ball);
    PliantShapeDef morph = ball_def(&ball, PLIANT_MORPH_DISPLACEMENTS, NULL);
    PliantShapeDef skin = ball_skin_def(&ball, NULL);
    run_with(k, kettle_sphere(k), &k->sphere, turn);
    run_with(k, kettle_sphere(k), &k->sphere, give);
    run_with(k, kettle_body(k, &morph), &ball.mesh, weigh);
    run_with(k, kettle_body(k, &skin), &ball.mesh, bend);
    ball_free(&ball);
}

/* A wall whose two triangles are divided, and which is approximated nowhere. */
static void test_with_a_wall(void **state)
{
    Kettle *k = *state;
    float vertices[41][3] = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}};
    uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    for (int v = 4; v < 41; v++) /* of no triangle: points of the soup lie there */
        vertices[v][0] = vertices[v][1] = 0.05f * (float)v;
    for (int kind = PLIANT_DIVIDE_NONE; kind <= PLIANT_DIVIDE_CORNERS; kind++) {
        const SceneMesh mesh = {vertices[0], triangles, 41, 2};
        PliantShapeDef def = pliant_shape_def_default();
        def.vertices = (PliantVertices){mesh.vertices, mesh.vertex_count, 0};
        def.triangles = (PliantTriangles){mesh.triangles, mesh.triangle_count};
        def.divide_kind = (PliantDivideKind)kind;
        def.divide_size = 0.3f;
        run_with(k, kettle_body(k, &def), &mesh, turn);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(kinds_and_levels),     TEST(kinds_with_each_other),
        TEST(points_on_a_triangle), TEST(equal_points),
        TEST(all_at_one_place),     TEST(all_on_a_line),
        TEST(nasty_triangles),      TEST(all_sizes),
        TEST(one_far_away),         TEST(motion),
        TEST(orders_that_last),     TEST(many),
        TEST(with_shapes),          TEST(with_a_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
