/* Which way triangles face, and where their corners rise and fall: against whole numbers.
 *
 * Corners are whole numbers below 2^24, times a power of two, so that what the kernel rounds is
 * known exactly: the product of two sides is a whole number of 53 bits. Triangles are thin as a
 * rule, so that rounding matters; where the power is small, products of sides underflow.
 */
#include "unit.h"

#include "kernels/kernels.h"
#include "scenes.h"

#include <math.h>
#include <string.h>

typedef struct Triangle {
    int64_t corners[3][3];
} Triangle;

static int64_t below(SceneRandom *random, int64_t count)
{
    return (int64_t)scene_random_below(random, (uint32_t)count);
}

static int64_t about_zero(SceneRandom *random, int bits)
{
    return below(random, (int64_t)1 << bits) - ((int64_t)1 << (bits - 1));
}

/* Corners nearly on a line, as a rule; long ones are such that their differences are no floats. */
static Triangle any_triangle(SceneRandom *random, int bits)
{
    const double share = below(random, 2) ? (double)about_zero(random, 12) / 2048 : 1;
    const bool is_long = bits == 24 && below(random, 2);
    const int thickness = below(random, 2) ? 2 : 1 + (int)below(random, bits);
    Triangle t;
    for (int k = 0; k < 3; k++) {
        const int64_t high = (1 << 24) - 8 - below(random, 1 << 22);
        const int64_t low = is_long ? -high : about_zero(random, bits);
        const int64_t side = below(random, 3) == 0 ? about_zero(random, 3)
                             : is_long             ? 2 * high - 1
                                                   : about_zero(random, bits);
        t.corners[0][k] = low;
        t.corners[1][k] = low + side;
        t.corners[2][k] = low + (int64_t)rint(fabs(share) * (double)side) +
                          (is_long ? -below(random, 3) : about_zero(random, thickness));
    }
    return t;
}

static void exact_normal(const Triangle *t, int64_t normal[3])
{
    int64_t e[3], f[3];
    for (int k = 0; k < 3; k++) {
        e[k] = t->corners[1][k] - t->corners[0][k];
        f[k] = t->corners[2][k] - t->corners[0][k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
}

/* What it faces for certain it does face; and of those that are not thin, nothing is left out. */
static void check_directions(const Triangle *t, int index, const PliFacing *facing, bool is_tiny)
{
    static const int parts[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int64_t normal[3], sides = 0, others = 0;
    exact_normal(t, normal);
    for (int k = 0; k < 3; k++) {
        sides += llabs(t->corners[1][k] - t->corners[0][k]);
        others += llabs(t->corners[2][k] - t->corners[0][k]);
    }
    for (int i = 0; i < 12; i++) {
        const int k = i / 4, d = i % 4;
        const int64_t along = parts[d][0] * normal[(k + 1) % 3] + parts[d][1] * normal[(k + 2) % 3];
        const bool faces = facing->faces[k][d] >> index & 1;
        const bool faces_away = facing->faces[k][d + 4] >> index & 1;
        assert_true(!faces || along > 0);
        assert_true(!faces_away || along < 0);
        const bool is_clear = (double)llabs(along) > 0x1p-20 * (double)sides * (double)others;
        assert_true(is_tiny || !is_clear || faces || faces_away);
    }
}

static void check_steps(const Triangle *t, int index, const PliFacing *facing)
{
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            const int64_t here = t->corners[c][k];
            const bool from = t->corners[(c + 1) % 3][k] < here;
            const bool to = t->corners[(c + 2) % 3][k] < here;
            const int bit = PLI_LEAF_SIZE * c + index;
            assert_int_equal(facing->rises[k] >> bit & 1, from && !to);
            assert_int_equal(facing->falls[k] >> bit & 1, !from && to);
        }
}

static void check_leaf(SceneRandom *random, int bits, int exponent)
{
    Triangle triangles[PLI_LEAF_SIZE];
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliFacing facing;
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        triangles[i] = any_triangle(random, bits);
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                rows[PLI_ROW_SIZE * i + 3 * c + k] =
                    ldexpf((float)triangles[i].corners[c][k], exponent);
    }
    pli_face_leaf_c(rows, PLI_LEAF_SIZE, &facing);
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        check_directions(&triangles[i], i, &facing, exponent < -30);
        check_steps(&triangles[i], i, &facing);
    }
}

static void test_whole_numbers(void **state)
{
    (void)state;
    SceneRandom random = {7};
    for (int i = 0; i < 20000; i++)
        check_leaf(&random, below(&random, 2) ? 24 : 1 + (int)below(&random, 24), 0);
}

static void test_large(void **state)
{
    (void)state;
    SceneRandom random = {8};
    for (int i = 0; i < 2000; i++)
        check_leaf(&random, 24, 20 + (int)below(&random, 18));
}

/* Products of sides are some of the least floats that there are, or none. */
static void test_tiny(void **state)
{
    (void)state;
    SceneRandom random = {9};
    for (int i = 0; i < 20000; i++)
        check_leaf(&random, 1 + (int)below(&random, 8), -70 - (int)below(&random, 12));
}

static void test_not_finite(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < PLI_ROW_SIZE; n++)
        for (int b = 0; b < 3; b++) {
            float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE] = {0, 0, 0, 1, 0.5f, 0.25f, 0.25f, 1, 0.5f};
            PliFacing facing;
            rows[n] = bad[b];
            pli_face_leaf_c(rows, 1, &facing);
            for (int d = 0; d < 3 * PLI_FACE_DIRECTIONS; d++)
                assert_int_equal(facing.faces[d / PLI_FACE_DIRECTIONS][d % PLI_FACE_DIRECTIONS], 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
