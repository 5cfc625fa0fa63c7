/* A triangle and a box that are said to be apart have no point in common. */
#include "unit.h"

#include "geom/cross_box.h"
#include <pliant/pliant.h>
#include <scenes.h>

#include <math.h>
#include <string.h>

/* The twelve triangles of the sides of a box. */
static void make_sides(const float low[3], const float high[3], float sides[12][9])
{
    int count = 0;
    for (int k = 0; k < 3; k++)
        for (int end = 0; end < 2; end++)
            for (int half = 0; half < 2; half++, count++)
                for (int corner = 0; corner < 3; corner++) {
                    const int at = half ? 3 - corner : corner; /* of a square, 0 and 3 opposite */
                    float *point = sides[count] + 3 * corner;
                    point[k] = end ? high[k] : low[k];
                    point[(k + 1) % 3] = at & 1 ? high[(k + 1) % 3] : low[(k + 1) % 3];
                    point[(k + 2) % 3] = at & 2 ? high[(k + 2) % 3] : low[(k + 2) % 3];
                }
}

/* Do they have a point in common, exactly? If no side is touched, the triangle is inside or not at
 * all. */
static bool do_touch(const float triangle[9], const float low[3], const float high[3])
{
    float sides[12][9];
    bool is_inside = true;
    for (int k = 0; k < 3; k++)
        is_inside &= triangle[k] >= low[k] && triangle[k] <= high[k];
    make_sides(low, high, sides);
    for (int i = 0; i < 12; i++)
        if (pliant_triangles_intersect(triangle, sides[i]))
            return true;
    return is_inside;
}

/* A coordinate: of few values, so that much touches; of a fine grid; or of any size. */
static float coordinate(SceneRandom *random, int kind)
{
    const double x = 2 * scene_random(random) - 1;
    return kind == 0   ? (float)(int)(4 * x)
           : kind == 1 ? (float)x
           : kind == 2 ? 1 + 0x1p-20f * (float)(int)(8 * x)
                       : ldexpf((float)x, (int)(250 * scene_random(random)) - 125);
}

typedef struct Tally {
    int touching, apart, told; /* told: by the axes that are tried here, and not by boxes */
} Tally;

static void compare(const float triangle[9], const float low[3], const float high[3], Tally *tally)
{
    PliTriangleAxes axes;
    pli_triangle_axes_init(&axes, triangle);
    const bool may_touch = pli_crosses_box(&axes, low, high);
    const bool touch = do_touch(triangle, low, high);
    if (touch)
        assert_true(may_touch);
    tally->touching += touch;
    tally->apart += !touch;
    tally->told += !may_touch;
}

static void test_random(void **state)
{
    (void)state;
    SceneRandom random = {1};
    for (int kind = 0; kind < 4; kind++) {
        Tally tally = {0};
        for (int i = 0; i < 100000; i++) {
            float triangle[9], low[3], high[3];
            for (int k = 0; k < 9; k++)
                triangle[k] = coordinate(&random, kind);
            if (i % 4 == 1) /* of no area */
                memcpy(triangle + 6, triangle + 3 * (i / 4 % 2), 12);
            for (int k = 0; k < 3; k++) {
                const float x = coordinate(&random, kind), y = coordinate(&random, kind);
                low[k] = x < y ? x : y;
                high[k] = x < y ? y : x;
            }
            compare(triangle, low, high, &tally);
        }
        assert_true(tally.touching > 1000 && tally.told > tally.apart / 10);
    }
}

/* A box whose corner is on an edge, or beside it by as little as a float can be. */
static void test_corners(void **state)
{
    (void)state;
    SceneRandom random = {2};
    Tally tally = {0};
    for (int i = 0; i < 200000; i++) {
        float triangle[9], low[3], high[3];
        const float t = (float)scene_random(&random), size = ldexpf(1, -(i % 30));
        for (int k = 0; k < 9; k++)
            triangle[k] = coordinate(&random, 1);
        for (int k = 0; k < 3; k++) {
            float at = triangle[k] + t * (triangle[3 + k] - triangle[k]);
            const int steps = (int)(3 * scene_random(&random)) - 1;
            at = steps ? nextafterf(at, steps < 0 ? -2 : 2) : at;
            const bool is_low = scene_random(&random) < .5;
            low[k] = is_low ? at : at - size;
            high[k] = is_low ? at + size : at;
        }
        compare(triangle, low, high, &tally);
    }
    assert_true(tally.touching > 1000 && tally.told > 1000);
}

/* A needle along the diagonal of a room that is full of small boxes crosses few of them. */
static void test_needle(void **state)
{
    (void)state;
    const float needle[9] = {0, 0, 0, 16, 16, 16, 16, 16, 16};
    int count = 0;
    PliTriangleAxes axes;
    pli_triangle_axes_init(&axes, needle);
    for (int i = 0; i < 16 * 16 * 16; i++) {
        const int y = i / 16 % 16, z = i / 256;
        const float low[3] = {(float)(i % 16), (float)y, (float)z},
                    high[3] = {low[0] + .75f, low[1] + .75f, low[2] + .75f};
        count += pli_crosses_box(&axes, low, high);
    }
    assert_int_equal(count, 16);
}

/* Boxes without an end. */
static void test_infinite(void **state)
{
    (void)state;
    const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    PliTriangleAxes axes;
    pli_triangle_axes_init(&axes, triangle);
    for (int i = 0; i < 64; i++) {
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = i >> k & 1 ? -INFINITY : -1;
            high[k] = i >> (3 + k) & 1 ? INFINITY : 1;
        }
        assert_true(pli_crosses_box(&axes, low, high));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_needle),
        cmocka_unit_test(test_infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
