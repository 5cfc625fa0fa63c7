/* Every allocation made to fail in turn, once and for ever: nothing is lost, everything stays
 * usable. */
#include "base/memory.h"
#include "host.h"
#include "unit.h"

#include <string.h>

/* Uses everything that allocates, and goes on after a failure as a caller would. */
static PliantResult use_memory(const PliantHost *host, PliArray *array, PliArena *arena)
{
    PliantResult first = PLIANT_OK;
    for (int frame = 0; frame < 3; frame++) {
        for (int i = 0; i < 40; i++) {
            void *piece = NULL;
            PliantResult result = pli_arena_take(arena, 1000, (size_t)i, &piece);
            if (result == PLIANT_OK && i > 0)
                memset(piece, i, 1000 * (size_t)i);
            else if (first == PLIANT_OK)
                first = result;

            int64_t count = array->count;
            void *items = NULL;
            result = pli_array_push(array, host, 100, &items);
            if (result == PLIANT_OK) {
                memset(items, (int)(count & 0x7f), 100);
            } else {
                assert_int_equal(array->count, count);
                first = first == PLIANT_OK ? result : first;
            }
        }
        pli_arena_reset(arena);
    }
    /* What was pushed is still there. */
    const char *items = array->items;
    for (int64_t i = 0; i < array->count; i++)
        assert_int_equal(items[i], (i / 100 * 100) & 0x7f);
    return first;
}

static void run(bool for_ever)
{
    for (int64_t fail_at = 1;; fail_at++) {
        TestHost host;
        test_host_init(&host);
        host.fail_at = fail_at;
        host.fails_for_ever = for_ever;
        PliArray array = {.item_size = 1};
        PliArena arena;
        pli_arena_init(&arena, &host.host);
        PliantResult result = use_memory(&host.host, &array, &arena);
        bool did_fail = host.calls >= fail_at;
        if (for_ever && did_fail && fail_at == 1)
            assert_int_equal(result, PLIANT_OUT_OF_MEMORY);
        assert_true(result == PLIANT_OK || result == PLIANT_OUT_OF_MEMORY);

        host.fail_at = 0; /* memory is back: all works again */
        assert_int_equal(use_memory(&host.host, &array, &arena), PLIANT_OK);
        pli_array_free(&array, &host.host);
        pli_arena_free(&arena);
        assert_int_equal(host.blocks, 0);
        assert_int_equal(host.bytes, 0);
        if (!did_fail)
            break;
    }
}

static void test_each_fails_once(void **state)
{
    (void)state;
    run(false);
}

static void test_each_and_all_after_it_fail(void **state)
{
    (void)state;
    run(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_fails_once),
        cmocka_unit_test(test_each_and_all_after_it_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
