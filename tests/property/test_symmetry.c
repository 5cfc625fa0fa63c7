/* The answer is about two sets of points: it does not change with the order of corners and
 * triangles, with the axes and their directions, or with the unit of length. */
#include "geom/geom.h"
#include "geom/orient.h"
#include "pairs.h"
#include "unit.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 400 };

static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
static const int parities[6] = {1, 1, 1, -1, -1, -1};

static bool intersect(const float *a, const float *b)
{
    PliCounts counts = {0};
    return pli_triangles_intersect(a, b, &counts);
}

static void reorder(const float *t, const int *order, float *to)
{
    for (int i = 0; i < 3; i++)
        memcpy(to + 3 * i, t + 3 * order[i], 3 * sizeof *t);
}

static void for_each_pair(void (*check)(const float *a, const float *b))
{
    for (int c = 0; c < TEST_PAIR_CLASS_COUNT; c++) {
        SceneRandom random = {(uint64_t)c + 77};
        for (int i = 0; i < PAIRS; i++) {
            float a[9], b[9];
            test_pair((TestPairClass)c, &random, a, b);
            check(a, b);
        }
    }
}

/* ---- All 72 orders ----------------------------------------------------------------------- */

static void check_orders(const float *a, const float *b)
{
    bool answer = intersect(a, b);
    for (int o = 0; o < 36; o++) {
        float p[9], q[9];
        reorder(a, orders[o / 6], p);
        reorder(b, orders[o % 6], q);
        assert_int_equal(intersect(p, q), answer);
        assert_int_equal(intersect(q, p), answer);
    }
}

static void test_orders(void **state)
{
    (void)state;
    for_each_pair(check_orders);
}

/* ---- All 48 symmetries of the axes ------------------------------------------------------- */

static void turn(const float *t, int symmetry, float *to)
{
    const int *order = orders[symmetry / 8];
    for (int i = 0; i < 9; i++) {
        float value = t[i / 3 * 3 + order[i % 3]];
        to[i] = symmetry >> i % 3 & 1 ? -value : value;
    }
}

static void check_axes(const float *a, const float *b)
{
    PliCounts counts = {0};
    bool answer = intersect(a, b);
    int side = pli_orient3d(a, a + 3, a + 6, b, &counts);
    for (int s = 0; s < 48; s++) {
        float p[9], q[9];
        turn(a, s, p);
        turn(b, s, q);
        assert_int_equal(intersect(p, q), answer);
        int flips = (s & 1) ^ (s >> 1 & 1) ^ (s >> 2 & 1);
        int parity = flips ? -parities[s / 8] : parities[s / 8];
        assert_int_equal(pli_orient3d(p, p + 3, p + 6, q, &counts), parity * side);
    }
}

static void test_axes(void **state)
{
    (void)state;
    for_each_pair(check_axes);
}

/* ---- Powers of two, each axis its own ---------------------------------------------------- */

/* False if a coordinate cannot be scaled without rounding. */
static bool scale(const float *t, const int *exponents, float *to)
{
    for (int i = 0; i < 9; i++) {
        to[i] = ldexpf(t[i], exponents[i % 3]);
        if (!isfinite(to[i]) || ldexpf(to[i], -exponents[i % 3]) != t[i])
            return false;
    }
    return true;
}

static int64_t scaled_count;

static void check_scales(const float *a, const float *b)
{
    static const int exponents[][3] = {
        {1, 1, 1},   {-1, -1, -1}, {20, 20, 20}, {-40, -40, -40},  {60, 60, 60},
        {100, 0, 0}, {0, -90, 3},  {-70, 70, 0}, {-125, -125, -1}, {30, -30, 5}};
    bool answer = intersect(a, b);
    for (size_t s = 0; s < sizeof exponents / sizeof *exponents; s++) {
        float p[9], q[9];
        if (!scale(a, exponents[s], p) || !scale(b, exponents[s], q))
            continue;
        assert_int_equal(intersect(p, q), answer);
        scaled_count++;
    }
}

static void test_scales(void **state)
{
    (void)state;
    for_each_pair(check_scales);
    assert_true(scaled_count > 5 * PAIRS * TEST_PAIR_CLASS_COUNT);
}

/* ---- Shared vertices --------------------------------------------------------------------- */

/* More than the shared hull in common implies something in common; and again no order matters. */
static void check_shared(const float *a, const float *b)
{
    PliCounts counts = {0};
    float c[9];
    memcpy(c, b, sizeof c);
    memcpy(c, a, 3 * sizeof *c); /* vertex 0 is shared */
    const uint32_t a_vertices[3] = {0, 1, 2}, c_vertices[3] = {0, 3, 4};
    bool answer = pli_triangles_intersect_beyond_shared(a, a_vertices, c, c_vertices, &counts);
    assert_true(intersect(a, c));
    for (int o = 0; o < 36; o++) {
        float p[9], q[9];
        uint32_t p_vertices[3], q_vertices[3];
        reorder(a, orders[o / 6], p);
        reorder(c, orders[o % 6], q);
        for (int i = 0; i < 3; i++) {
            p_vertices[i] = a_vertices[orders[o / 6][i]];
            q_vertices[i] = c_vertices[orders[o % 6][i]];
        }
        assert_int_equal(
            pli_triangles_intersect_beyond_shared(p, p_vertices, q, q_vertices, &counts), answer);
        assert_int_equal(
            pli_triangles_intersect_beyond_shared(q, q_vertices, p, p_vertices, &counts), answer);
    }
}

static void test_shared(void **state)
{
    (void)state;
    for_each_pair(check_shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
