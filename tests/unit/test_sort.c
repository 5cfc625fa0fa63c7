/* Sorting numbers: few and many, with digits that are all alike, and pairs of which one overlaps
 * all.
 */
#include "base/sort.h"
#include "scenes.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VALUE = 5000 };

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lengths around the one at which digits take over. */
static const int64_t counts[] = {0, 1, 2, 31, 32, 33, 300, MAX_VALUE};

static void test_keys(void **state)
{
    (void)state;
    static uint64_t keys[MAX_VALUE], wanted[MAX_VALUE], scratch[MAX_VALUE];
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

/* By the upper bits alone, since the lower ones rise. */
static void test_numbered(void **state)
{
    (void)state;
    static uint64_t keys[MAX_VALUE], wanted[MAX_VALUE], scratch[MAX_VALUE];
    SceneRandom random = {6};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        for (int bits = 0; bits <= 51; bits += 3) {
            for (int64_t i = 0; i < counts[c]; i++)
                keys[i] =
                    (scene_random_bits(&random) & ((UINT64_C(1) << bits) - 1)) << 13 | (uint64_t)i;
            memcpy(wanted, keys, sizeof keys);
            qsort(wanted, (size_t)counts[c], sizeof *wanted, compare);
            pli_sort_numbered(keys, scratch, counts[c], 13, bits);
            assert_memory_equal(keys, wanted, (size_t)counts[c] * sizeof *keys);
        }
}

static void test_pairs(void **state)
{
    (void)state;
    static uint64_t keys[MAX_VALUE], wanted[MAX_VALUE], scratch[MAX_VALUE];
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

/* From sorted to random: some keys are exchanged, fewer or more than insertion is given up at. */
static void test_nearly_sorted(void **state)
{
    (void)state;
    static uint64_t keys[MAX_VALUE], wanted[MAX_VALUE], scratch[MAX_VALUE];
    SceneRandom random = {3};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const uint32_t count = (uint32_t)counts[c];
        for (uint32_t swaps = 0; swaps <= 4 * count; swaps = 2 * swaps + 1) {
            for (uint32_t i = 0; i < count; i++)
                keys[i] = (uint64_t)i * i << 20;
            for (uint32_t i = 0; i < swaps; i++) {
                const uint32_t a = scene_random_below(&random, count);
                const uint32_t b = scene_random_below(&random, count);
                const uint64_t key = keys[a];
                keys[a] = keys[b];
                keys[b] = key;
            }
            memcpy(wanted, keys, sizeof keys);
            qsort(wanted, count, sizeof *wanted, compare);
            pli_sort_nearly_sorted(keys, scratch, count, 64);
            assert_memory_equal(keys, wanted, count * sizeof *keys);
        }
    }
}

/* By key, then rank; equals stay in their order. */
static void test_ranked(void **state)
{
    (void)state;
    static PliRanked items[MAX_VALUE], scratch[MAX_VALUE];
    SceneRandom random = {4};
    for (int bits = 0; bits <= 63; bits += 7)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            for (int64_t i = 0; i < counts[c]; i++)
                items[i] = (PliRanked){scene_random_bits(&random) & ((UINT64_C(1) << bits) - 1),
                                       (uint32_t)scene_random_bits(&random) & (bits % 2 ? 7 : ~0u),
                                       (int32_t)i};
            const PliRanked *sorted = pli_sort_ranked(items, scratch, counts[c]);
            assert_true(sorted == items || sorted == scratch);
            for (int64_t i = 1; i < counts[c]; i++) {
                const PliRanked *a = &sorted[i - 1], *b = &sorted[i];
                const bool is_equal = a->key == b->key && a->rank == b->rank;
                assert_true(a->key < b->key || (a->key == b->key && a->rank < b->rank) ||
                            (is_equal && a->item < b->item));
            }
        }
}

/* Every number once, in its group, in rising order. */
static void test_groups(void **state)
{
    (void)state;
    enum { GROUPS = 7 };
    static uint32_t groups[MAX_VALUE];
    static int32_t members[MAX_VALUE];
    int32_t firsts[GROUPS + 1];
    SceneRandom random = {5};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        const int32_t count = (int32_t)counts[c];
        for (int32_t i = 0; i < count; i++)
            groups[i] = scene_random_below(&random, GROUPS - 1); /* the last group is empty */
        pli_sort_by_group(groups, count, GROUPS, firsts, members);
        assert_int_equal(firsts[0], 0);
        assert_int_equal(firsts[GROUPS - 1], count);
        assert_int_equal(firsts[GROUPS], count);
        for (uint32_t g = 0; g < GROUPS; g++)
            for (int32_t i = firsts[g]; i < firsts[g + 1]; i++) {
                assert_in_range(members[i], 0, count - 1);
                assert_int_equal(groups[members[i]], g);
                assert_true(i == firsts[g] || members[i - 1] < members[i]);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),          cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_nearly_sorted), cmocka_unit_test(test_ranked),
        cmocka_unit_test(test_groups),        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_numbered)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
