/* What a search has found: in order, each two features once, the best of those that are there
 * several times, and a limit. */
#include "host.h"
#include "query/found.h"
#include "query/sides.h"
#include "query/unique.h"
#include "scenes.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 3000 };

static bool is_before(const void *pair, const void *than)
{
    return pli_near_is_before(pair, than);
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = pli_near_key(a), y = pli_near_key(b);
    return x != y ? (x > y) - (x < y) : pli_near_is_before(b, a) - pli_near_is_before(a, b);
}

/* A feature's number, of few or many bits: keys of many do not fit with the number of their item.
 */
static int32_t number_of(SceneRandom *random, int bits)
{
    return (int32_t)(scene_random_bits(random) & ((UINT64_C(1) << bits) - 1));
}

static PliantNearPair some_pair(SceneRandom *random, int bits)
{
    PliantNearPair pair;
    memset(&pair, 0, sizeof pair);
    pair.kind = (PliantFeatures)scene_random_below(random, 3);
    pair.feature_a = number_of(random, bits);
    pair.feature_b = number_of(random, bits);
    pair.distance = (float)scene_random_below(random, 5);
    return pair;
}

/* Finds pairs, some of them again, and looks at them after every few. */
static void find(SceneRandom *random, PliFound *found, const PliantHost *host, int bits,
                 int64_t count, PliantNearPair *all)
{
    pli_found_start(found);
    MUST(pli_array_reserve(&found->items, host, count));
    PliantNearPair *items = found->items.items;
    for (int64_t i = 0; i < count; i++) {
        all[i] = some_pair(random, bits);
        if (i > 0 && scene_random_below(random, 4) == 0) {
            all[i] = all[scene_random_below(random, (uint32_t)i)];
            all[i].distance = (float)scene_random_below(random, 5);
        }
        items[found->items.count++] = all[i];
        if (scene_random_below(random, 100) == 0)
            MUST(pli_found_check(found, host));
    }
}

/* Without a limit. */
static void expect_all(const PliFound *found, const PliArray *to, PliantNearPair *all,
                       int64_t count)
{
    const PliantNearPair *got = to->items;
    int64_t left = 0;
    qsort(all, (size_t)count, sizeof *all, compare);
    for (int64_t i = 0; i < count; i++) {
        if (left > 0 && pli_near_key(&all[left - 1]) == pli_near_key(&all[i]))
            continue;
        all[left] = all[i];
        all[left].body_a = found->bodies[0];
        all[left++].body_b = found->bodies[1];
    }
    assert_int_equal(to->count, left);
    if (left > 0)
        assert_memory_equal(got, all, (size_t)left * sizeof *got);
}

static void test_order(void **state)
{
    (void)state;
    static PliantNearPair all[MAX_COUNT];
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {1};
    PliFound found;
    PliArray to = {.item_size = PLI_FOUND_SIZE};
    pli_found_init(&found, is_before);
    for (int round = 0; round < 200; round++) {
        const int64_t count =
            round % 10 == 0 ? round % 3 : (int64_t)scene_random_below(&random, MAX_COUNT);
        const int bits = (int)scene_random_below(&random, 32);
        found.bodies[0].index = 1 + (uint32_t)round;
        found.bodies[1].index = 2 + (uint32_t)round;
        to.count = 0;
        find(&random, &found, &host.host, bits, count, all);
        MUST(pli_found_append(&found, &to, &host.host));
        expect_all(&found, &to, all, count);
        assert_false(found.is_over);
    }
    pli_array_free(&to, &host.host);
    pli_found_free(&found, &host.host);
    assert_int_equal(host.blocks, 0);
}

/* As many as the limit, of those that were found first. */
static void test_limit(void **state)
{
    (void)state;
    static PliantNearPair all[MAX_COUNT];
    TestHost host;
    test_host_init(&host);
    SceneRandom random = {2};
    PliFound found;
    PliArray to = {.item_size = PLI_FOUND_SIZE};
    pli_found_init(&found, is_before);
    for (int round = 0; round < 100; round++) {
        const int64_t count = (int64_t)scene_random_below(&random, MAX_COUNT);
        found.limit = 1 + (int64_t)scene_random_below(&random, 200);
        to.count = 0;
        find(&random, &found, &host.host, 3 + round % 29, count, all);
        MUST(pli_found_append(&found, &to, &host.host));
        const PliantNearPair *got = to.items;
        assert_true(to.count <= found.limit);
        assert_true(found.is_over ? to.count == found.limit : to.count <= count);
        for (int64_t i = 1; i < to.count; i++)
            assert_true(pli_near_key(&got[i - 1]) < pli_near_key(&got[i]));
    }
    pli_array_free(&to, &host.host);
    pli_found_free(&found, &host.host);
    assert_int_equal(host.blocks, 0);
}

/* Numbers of 30 bits fit into a key; more do not. Keys are in the order of kinds. */
static void test_unique_keys(void **state)
{
    (void)state;
    const int32_t most = (1 << 30) - 1;
    PliantNearPair pair = {
        .kind = PLIANT_EDGE_EDGE, .feature_a = INT32_MAX, .feature_b = INT32_MAX};
    uint64_t last, key;
    MUST(pli_unique_key(&pair, &last));
    for (int kind = PLIANT_VERTEX_VERTEX; kind <= PLIANT_EDGE_VERTEX; kind++) {
        pair = (PliantNearPair){.kind = (PliantFeatures)kind};
        MUST(pli_unique_key(&pair, &key));
        assert_true(key > last);
        pair.feature_a = pair.feature_b = most;
        MUST(pli_unique_key(&pair, &last));
        assert_true(last > key);
        pair.feature_a++;
        assert_int_equal(pli_unique_key(&pair, &key), PLIANT_TOO_LARGE);
        pair.feature_a = most;
        pair.feature_b++;
        assert_int_equal(pli_unique_key(&pair, &key), PLIANT_TOO_LARGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_limit),
                                       cmocka_unit_test(test_unique_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
