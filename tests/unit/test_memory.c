/* memory: host, arrays, arena. Failing allocations are in tests/faults. */
#include "base/counting.h"
#include "base/memory.h"
#include "base/round.h"
#include "host.h"
#include "unit.h"

#include <string.h>

static void test_host_defaults(void **state)
{
    (void)state;
    PliantHost host;
    assert_int_equal(pli_host_resolve(NULL, &host), PLIANT_OK);
    void *block;
    assert_int_equal(pli_allocate(&host, 100, 3, &block), PLIANT_OK);
    assert_int_equal((uintptr_t)block % PLI_ALIGNMENT, 0);
    memset(block, 1, 300);
    pli_release(&host, block, 100, 3);
}

static void test_host_hooks_go_together(void **state)
{
    (void)state;
    TestHost given;
    test_host_init(&given);
    given.host.release = NULL;
    PliantHost host = {0};
    assert_int_equal(pli_host_resolve(&given.host, &host), PLIANT_BAD_ARGUMENT);
    const PliCall call = PLI_CALL(&given.host);
    assert_int_equal(pli_host_check(&call, &given.host, &host), PLIANT_BAD_ARGUMENT);
    assert_null(host.allocate);
    assert_string_equal(given.message,
                        "test_host_hooks_go_together: host.allocate and host.release go together: "
                        "one of them is NULL");
    test_host_init(&given);
    given.host.struct_size = offsetof(PliantHost, user);
    assert_int_equal(pli_host_resolve(&given.host, &host), PLIANT_BAD_DEF);
}

static void run_nothing(void *user, PliantTask *task, void *data, int32_t count)
{
    (void)user, (void)task, (void)data, (void)count;
}

/* Several workers need a hook that runs their tasks. */
static void test_host_workers(void **state)
{
    (void)state;
    TestHost given;
    PliantHost host = {0};
    test_host_init(&given);
    const PliCall call = PLI_CALL(&given.host);
    given.host.worker_count = 7;
    assert_int_equal(pli_host_check(&call, &given.host, &host), PLIANT_BAD_ARGUMENT);
    assert_string_equal(given.message,
                        "test_host_workers: host.worker_count is 7 and host.run is NULL: nothing "
                        "would run the tasks");
    given.host.worker_count = 1;
    assert_int_equal(pli_host_check(&call, &given.host, &host), PLIANT_OK);
    assert_int_equal(host.worker_count, 1);
    given.host.run = run_nothing;
    given.host.worker_count = PLIANT_MAX_WORKERS + 1;
    assert_int_equal(pli_host_check(&call, &given.host, &host), PLIANT_BAD_ARGUMENT);
    assert_string_equal(given.message,
                        "test_host_workers: host.worker_count is 1025, at most 1024");
}

static void test_sizes_are_checked(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    void *block = &host;
    assert_int_equal(pli_allocate(&host.host, SIZE_MAX / 2, 4, &block), PLIANT_TOO_LARGE);
    assert_int_equal(pli_allocate(&host.host, (size_t)PTRDIFF_MAX + 1, 1, &block),
                     PLIANT_TOO_LARGE);
    assert_ptr_equal(block, &host);
    assert_int_equal(host.calls, 0);
    assert_int_equal(pli_allocate(&host.host, 0, 4, &block), PLIANT_OK);
    assert_null(block);

    PliArray array = {.item_size = 16};
    assert_int_equal(pli_array_reserve(&array, &host.host, INT64_MAX), PLIANT_TOO_LARGE);
    void *first;
    assert_int_equal(pli_array_push(&array, &host.host, -1, &first), PLIANT_TOO_LARGE);
    array.count = 1;
    assert_int_equal(pli_array_push(&array, &host.host, INT64_MAX, &first), PLIANT_TOO_LARGE);

    PliArena arena;
    pli_arena_init(&arena, &host.host);
    assert_int_equal(pli_arena_allocate(&arena, SIZE_MAX / 2, 4, &first), PLIANT_TOO_LARGE);
    assert_int_equal(pli_arena_allocate(&arena, (size_t)PTRDIFF_MAX + 1, 1, &first),
                     PLIANT_TOO_LARGE);
    assert_int_equal(host.calls, 0);
}

static void test_array_grows(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    PliArray array = {.item_size = sizeof(int)};
    for (int i = 0; i < 10000; i++) {
        void *item;
        assert_int_equal(pli_array_push(&array, &host.host, 1, &item), PLIANT_OK);
        *(int *)item = i;
    }
    const int *items = array.items;
    for (int i = 0; i < 10000; i++)
        assert_int_equal(items[i], i);
    assert_true(host.calls < 25); /* amortised */
    assert_int_equal(host.blocks, 1);

    int64_t calls = host.calls;
    array.count = 0; /* a cleared array keeps its memory */
    void *first;
    assert_int_equal(pli_array_push(&array, &host.host, 10000, &first), PLIANT_OK);
    assert_int_equal(host.calls, calls);
    pli_array_free(&array, &host.host);
    assert_int_equal(host.blocks, 0);
    assert_int_equal(host.bytes, 0);
}

static void test_arena_pieces_do_not_overlap(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    PliArena arena;
    pli_arena_init(&arena, &host.host);
    enum { PIECES = 200 };
    unsigned char *pieces[PIECES];
    for (int i = 0; i < PIECES; i++) {
        void *piece;
        assert_int_equal(pli_arena_allocate(&arena, (size_t)i * 17 + 1, 3, &piece), PLIANT_OK);
        assert_int_equal((uintptr_t)piece % PLI_ALIGNMENT, 0);
        memset(piece, i, ((size_t)i * 17 + 1) * 3);
        pieces[i] = piece;
    }
    for (int i = 0; i < PIECES; i++)
        for (int k = 0; k < (i * 17 + 1) * 3; k++)
            assert_int_equal(pieces[i][k], i);
    void *none;
    assert_int_equal(pli_arena_allocate(&arena, 0, 8, &none), PLIANT_OK);
    assert_null(none);
    pli_arena_free(&arena);
    assert_int_equal(host.blocks, 0);
}

static void test_warm_arena_allocates_nothing(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    PliArena arena;
    pli_arena_init(&arena, &host.host);
    int64_t calls = 0;
    for (int frame = 0; frame < 5; frame++) {
        if (frame == 2)
            calls = host.calls;
        for (int i = 0; i < 100; i++) {
            void *piece;
            assert_int_equal(pli_arena_allocate(&arena, 5000, 1, &piece), PLIANT_OK);
        }
        pli_arena_reset(&arena);
        assert_int_equal(host.blocks, 1);
    }
    assert_int_equal(host.calls, calls);
    assert_int_equal(host.bytes, (int64_t)pli_arena_bytes(&arena));
    pli_arena_free(&arena);
    assert_int_equal(host.bytes, 0);
    pli_arena_reset(&arena); /* empty: nothing happens */
}

/* It passes on what it is told, and counts what was given out, not what was asked for. */
static void test_counting_host(void **state)
{
    (void)state;
    TestHost inner;
    test_host_init(&inner);
    PliCountingHost counting;
    PliantHost host;
    pli_counting_host_init(&counting, &inner.host, 100, &host);
    assert_int_equal(pli_counting_host_bytes(&counting), 100);
    void *a = NULL, *b = NULL;
    assert_int_equal(pli_allocate(&host, 7, 3, &a), PLIANT_OK);
    assert_int_equal(pli_counting_host_bytes(&counting), 121);
    inner.fail_at = inner.calls + 1;
    assert_int_equal(pli_allocate(&host, 1000, 1, &b), PLIANT_OUT_OF_MEMORY);
    assert_int_equal(pli_counting_host_bytes(&counting), 121);
    pli_release(&host, a, 7, 3);
    assert_int_equal(pli_counting_host_bytes(&counting), 100);
    assert_int_equal(inner.blocks, 0);
    const PliCall call = PLI_CALL(&host);
    assert_int_equal(pli_mistake(&call, PLIANT_BAD_INDEX, "text"), PLIANT_BAD_INDEX);
    assert_string_equal(inner.message, "test_counting_host: text");
    inner.host.report = NULL; /* then a build with asserts is to stop */
    pli_counting_host_init(&counting, &inner.host, 0, &host);
    assert_null(host.report);
}

/* All blocks or none, whichever of them fails. */
static void test_all_or_none(void **state)
{
    (void)state;
    for (int64_t fail_at = 0; fail_at <= 3; fail_at++) {
        TestHost host;
        test_host_init(&host);
        host.fail_at = fail_at;
        void *blocks[4];
        const PliRequest requests[] = {
            {&blocks[0], 10, 4}, {&blocks[1], 0, 4}, {&blocks[2], 7, 8}, {&blocks[3], 1, 1}};
        const PliantResult result = pli_allocate_all(&host.host, requests, 4);
        assert_int_equal(result, fail_at ? PLIANT_OUT_OF_MEMORY : PLIANT_OK);
        assert_int_equal(host.blocks, fail_at ? 0 : 3);
        for (int i = 0; i < 4; i++)
            assert_true(!blocks[i] == (fail_at || i == 1));
        pli_release_all(&host.host, requests, 4);
        assert_int_equal(host.blocks, 0);
        assert_int_equal(host.bytes, 0);
        assert_null(blocks[0]);
    }
    TestHost host;
    test_host_init(&host);
    void *blocks[2];
    const PliRequest requests[] = {{&blocks[0], 10, 4}, {&blocks[1], SIZE_MAX, 4}};
    assert_int_equal(pli_allocate_all(&host.host, requests, 2), PLIANT_TOO_LARGE);
    assert_int_equal(host.blocks, 0);
}

/* After one failure nothing but NULL, until the arena is reset. */
static void test_arena_fails_once(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    PliArena arena;
    pli_arena_init(&arena, &host.host);
    assert_non_null(pli_arena_cut(&arena, 3, 4));
    assert_int_equal(arena.failure, PLIANT_OK);
    assert_null(pli_arena_cut(&arena, SIZE_MAX, 4));
    assert_int_equal(arena.failure, PLIANT_TOO_LARGE);
    assert_null(pli_arena_cut(&arena, 3, 4));
    assert_int_equal(arena.failure, PLIANT_TOO_LARGE);
    pli_arena_reset(&arena);
    assert_int_equal(arena.failure, PLIANT_OK);
    assert_non_null(pli_arena_cut(&arena, 3, 4));
    pli_arena_free(&arena);
    assert_int_equal(host.blocks, 0);
}

static void test_array_reserves(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    PliArray array = {.item_size = 4};
    MUST(pli_array_reserve_spare(&array, &host.host, 100));
    assert_true(array.capacity >= 125);
    MUST(pli_array_reserve_spare(&array, &host.host, 125));
    assert_int_equal(host.calls, 1);
    array.count = 5;
    memset(array.items, 1, 5 * 4);
    MUST(pli_array_reserve_zeroed(&array, &host.host, 1000));
    const uint8_t *bytes = array.items;
    for (int64_t i = 0; i < 4 * array.capacity; i++)
        assert_int_equal(bytes[i], i < 20);
    pli_array_free(&array, &host.host);
    assert_int_equal(pli_div_up(0, 8), 0);
    assert_int_equal(pli_div_up(8, 8), 1);
    assert_int_equal(pli_div_up(9, 8), 2);
    assert_int_equal(pli_round_up(9, 8), 16);
    assert_int_equal(pli_round_up(INT32_MAX, 16), INT64_C(1) << 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_host_defaults),
        cmocka_unit_test(test_host_hooks_go_together),
        cmocka_unit_test(test_host_workers),
        cmocka_unit_test(test_sizes_are_checked),
        cmocka_unit_test(test_array_grows),
        cmocka_unit_test(test_arena_pieces_do_not_overlap),
        cmocka_unit_test(test_warm_arena_allocates_nothing),
        cmocka_unit_test(test_counting_host),
        cmocka_unit_test(test_all_or_none),
        cmocka_unit_test(test_arena_fails_once),
        cmocka_unit_test(test_array_reserves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
