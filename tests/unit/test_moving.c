/* Moving boxes against fractions of whole numbers: which of them overlap, and when first. Boxes
 * have whole numbers for ends, so that each of the times at which two ends are equal is a fraction,
 * and fractions are compared exactly. */
#include "kernels/kernels.h"
#include "scenes.h"
#include "unit.h"

#include <math.h>

enum { GROUP = 8, WORLDS = 3000 };

/* n / d, d > 0. */
typedef struct Fraction {
    int64_t n, d;
} Fraction;

static bool is_less(Fraction a, Fraction b)
{
    return a.n * b.d < b.n * a.d;
}

/* When two boxes overlap: from `low` to `high`, never if that is empty. */
typedef struct Times {
    Fraction low, high;
    bool is_never;
} Times;

/* One of the six conditions: a number goes from d0 to d1 and must not be negative. */
static void limit(Times *times, int64_t d0, int64_t d1)
{
    times->is_never |= d0 < 0 && d1 < 0;
    const Fraction up = {-d0, d1 - d0}, down = {d0, d0 - d1};
    if (d0 < 0 && d1 >= 0 && is_less(times->low, up))
        times->low = up;
    if (d0 >= 0 && d1 < 0 && is_less(down, times->high))
        times->high = down;
}

/* Ends of the boxes of one side at both ends of the time: low and high of each axis. */
typedef struct Whole {
    int64_t low[2][3][PLI_LEAF_SIZE], high[2][3][PLI_LEAF_SIZE];
} Whole;

static Times times_of(const Whole *a, int i, const Whole *b, int j, Fraction until)
{
    Times times = {{0, 1}, until, false};
    for (int k = 0; k < 3; k++) {
        limit(&times, b->high[0][k][j] - a->low[0][k][i], b->high[1][k][j] - a->low[1][k][i]);
        limit(&times, a->high[0][k][i] - b->low[0][k][j], a->high[1][k][i] - b->low[1][k][j]);
    }
    times.is_never |= is_less(times.high, times.low);
    return times;
}

static void make_whole(SceneRandom *random, Whole *whole, uint32_t range)
{
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < PLI_LEAF_SIZE; i++) {
                whole->low[end][k][i] = scene_random_below(random, range);
                whole->high[end][k][i] =
                    whole->low[end][k][i] + scene_random_below(random, range / 3);
            }
}

static void make_boxes(const Whole *whole, PliBoxes boxes[2], PliLeafBoxes leaves[2])
{
    for (int end = 0; end < 2; end++) {
        leaves[end].all = pli_box_empty();
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < PLI_LEAF_SIZE; i++) {
                const float low = (float)whole->low[end][k][i],
                            high = (float)whole->high[end][k][i];
                PliBox *all = &leaves[end].all;
                leaves[end].low[k][i] = low;
                leaves[end].high[k][i] = high;
                all->low[k] = fminf(all->low[k], low);
                all->high[k] = fmaxf(all->high[k], high);
                if (i >= GROUP)
                    continue;
                boxes[end].low[k][i] = low;
                boxes[end].high[k][i] = high;
            }
    }
}

/* None that overlap may be left out, nor may one come too late. */
static void check_boxes(const PliKernels *kernels, const Whole *a, const Whole *b, int until)
{
    PliBoxes boxes[2][2];
    PliLeafBoxes leaves[2][2];
    float first[64];
    uint16_t rows[PLI_LEAF_SIZE];
    make_boxes(a, boxes[0], leaves[0]);
    make_boxes(b, boxes[1], leaves[1]);
    const uint64_t bits = kernels->overlap_moving((PliMovingBoxes){&boxes[0][0], &boxes[0][1]},
                                                  (PliMovingBoxes){&boxes[1][0], &boxes[1][1]},
                                                  (float)until / 16, first);
    kernels->overlap_moving_leaves((PliMovingLeaf){&leaves[0][0], &leaves[0][1]},
                                   (PliMovingLeaf){&leaves[1][0], &leaves[1][1]}, (float)until / 16,
                                   rows);
    for (int i = 0; i < PLI_LEAF_SIZE; i++)
        for (int j = 0; j < PLI_LEAF_SIZE; j++) {
            const Times times = times_of(a, i, b, j, (Fraction){until, 16});
            if (times.is_never)
                continue;
            assert_true(rows[i] >> j & 1);
            if (i >= GROUP || j >= GROUP)
                continue;
            assert_true(bits >> (GROUP * i + j) & 1);
            /* The product of 24 and 12 bits is exact. */
            assert_true((double)first[GROUP * i + j] * (double)times.low.d <= (double)times.low.n);
            assert_true((double)first[GROUP * i + j] * (double)times.low.d >=
                        (double)times.low.n - 1e-5 * (double)times.low.d);
        }
}

static const uint32_t masks[] = {PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                 PLIANT_CPU_AVX512};

static void test_whole_numbers(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        PliKernels kernels;
        pli_kernels_fill(&kernels, masks[m]);
        SceneRandom random = {1};
        for (int i = 0; i < WORLDS; i++) {
            Whole a, b;
            const uint32_t range = i % 2 ? 6 : 1000;
            make_whole(&random, &a, range);
            make_whole(&random, &b, range);
            check_boxes(&kernels, &a, &b, i % 3 ? 16 : (int)scene_random_below(&random, 17));
        }
    }
}

/* One box from far above to far below another one, whose distance is no float; along another axis
 * they come to each other at a quarter of the time. */
static void test_overflow(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        PliKernels kernels;
        pli_kernels_fill(&kernels, masks[m]);
        PliBoxes boxes[4];
        float times[64];
        for (int b = 0; b < 4; b++)
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < GROUP; i++)
                    boxes[b].low[k][i] = boxes[b].high[k][i] = 0;
        for (int i = 0; i < GROUP; i++) {
            boxes[2].low[0][i] = boxes[2].high[0][i] = 3e38f;
            boxes[3].low[0][i] = boxes[3].high[0][i] = -3e38f;
            boxes[2].low[1][i] = 1;
            boxes[2].high[1][i] = 4;
            boxes[3].low[1][i] = -3;
        }
        for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
            const PliMovingBoxes a = {&boxes[0], &boxes[1]}, b = {&boxes[2], &boxes[3]};
            assert_true(~kernels.overlap_moving(is_swapped ? b : a, is_swapped ? a : b, 1, times) ==
                        0);
            for (int i = 0; i < 64; i++)
                assert_true(times[i] <= .5f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
