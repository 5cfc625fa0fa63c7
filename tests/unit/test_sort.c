/* Sorting numbers: few and many, with digits that are all alike, and pairs of which one meets all.
 */
#include "base/sort.h"
#include "scenes.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 5000 };

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lengths around the one at which digits take over. */
static const int64_t counts[] = {0, 1, 2, 31, 32, 33, 300, MOST};

static void test_keys(void **state)
{
    (void)state;
    static uint64_t keys[MOST], wanted[MOST], scratch[MOST];
    SceneRandom random = {1};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (int bits = 0; bits <= 40; bits++) {
            for (int64_t i = 0; i < counts[c]; i++)
                keys[i] = scene_random_bits(&random) & ((UINT64_C(1) << bits) - 1);
            memcpy(wanted, keys, sizeof keys);
            qsort(wanted, (size_t)counts[c], sizeof *wanted, compare);
            pli_sort_keys(keys, scratch, counts[c], bits);
            assert_memory_equal(keys, wanted, (size_t)counts[c] * sizeof *keys);
        }
    }
}

static void test_pairs(void **state)
{
    (void)state;
    static uint64_t keys[MOST], wanted[MOST], scratch[MOST];
    SceneRandom random = {2};
    /* From one first number for all, where sorting by hand gives up, to one for each. */
    for (int first_bits = 0; first_bits <= 31; first_bits++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (int64_t i = 0; i < counts[c]; i++) {
                uint64_t first = scene_random_bits(&random) & ((UINT64_C(1) << first_bits) - 1);
                keys[i] = first << 32 | (scene_random_bits(&random) & 0xffff);
            }
            memcpy(wanted, keys, sizeof keys);
            qsort(wanted, (size_t)counts[c], sizeof *wanted, compare);
            pli_sort_pairs(keys, scratch, counts[c], first_bits, 16);
            assert_memory_equal(keys, wanted, (size_t)counts[c] * sizeof *keys);
        }
    }
}

static void test_bits(void **state)
{
    (void)state;
    assert_int_equal(pli_bits_below(0), 0);
    assert_int_equal(pli_bits_below(1), 0);
    assert_int_equal(pli_bits_below(2), 1);
    assert_int_equal(pli_bits_below(256), 8);
    assert_int_equal(pli_bits_below(257), 9);
    assert_int_equal(pli_bits_below(INT32_MAX), 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keys), cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
