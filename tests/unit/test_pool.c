/* Pools of threads: every task runs once, and no worker number is in use twice at a time. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_setaffinity() */
#endif
#include "host.h"
#include "unit.h"
#include <pliant/pool.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { TASKS = 5000, MAX_POOL = 8 };

typedef struct Seen {
    atomic_int runs[TASKS];
    atomic_int inside[MAX_POOL]; /* calls with this worker number now */
    atomic_int conflicts;
    int32_t worker_count;
    PliantPool *nested; /* tasks use the pool themselves */
} Seen;

static void count_task(void *data, int32_t index, int32_t worker)
{
    Seen *seen = data;
    if (worker < 0 || worker >= seen->worker_count ||
        atomic_fetch_add(&seen->inside[worker], 1) != 0)
        atomic_fetch_add(&seen->conflicts, 1);
    for (volatile int i = 0; worker > 0 && i < 20000; i++) /* the caller has to wait for others */
        ;
    atomic_fetch_add(&seen->runs[index], 1);
    if (seen->nested && index % 100 == 0) {
        Seen inner = {.worker_count = seen->worker_count};
        pliant_pool_run(seen->nested, count_task, &inner, 3);
        for (int i = 0; i < 3; i++)
            if (atomic_load(&inner.runs[i]) != 1)
                atomic_fetch_add(&seen->conflicts, 1);
    }
    atomic_fetch_sub(&seen->inside[worker], 1);
}

static PliantPool *create(int32_t worker_count)
{
    PliantPoolDef def = pliant_pool_def_default();
    PliantPool *pool;
    def.worker_count = worker_count;
    MUST(pliant_pool_create(&def, &pool));
    return pool;
}

/* What a pool has of the workers that it is asked for: one in a build with PLIANT_POOL=OFF. */
static int32_t had(int32_t worker_count)
{
    PliantPool *pool = create(2);
    const bool has_threads = pliant_pool_worker_count(pool) == 2;
    pliant_pool_destroy(pool);
    return has_threads ? worker_count : 1;
}

static void check_once(PliantPool *pool, int32_t count, PliantPool *nested)
{
    static Seen seen;
    memset(&seen, 0, sizeof seen);
    seen.worker_count = pliant_pool_worker_count(pool);
    seen.nested = nested;
    pliant_pool_run(pool, count_task, &seen, count);
    assert_int_equal(atomic_load(&seen.conflicts), 0);
    for (int i = 0; i < TASKS; i++)
        assert_int_equal(atomic_load(&seen.runs[i]), i < count);
}

static void test_every_task_runs_once(void **state)
{
    (void)state;
    for (int32_t workers = 1; workers <= MAX_POOL; workers++) {
        PliantPool *pool = create(workers);
        assert_int_equal(pliant_pool_worker_count(pool), had(workers));
        for (int round = 0; round < 20; round++)
            check_once(pool, round < 5 ? round : TASKS / (round + 1), NULL);
        check_once(pool, TASKS, pool); /* tasks that have tasks */
        pliant_pool_destroy(pool);
    }
}

/* Two threads with one pool: the second does its tasks alone. */
static void *run_other(void *data)
{
    Seen *seen = data;
    pliant_pool_run(seen->nested, count_task, seen, TASKS);
    return NULL;
}

static void test_two_callers(void **state)
{
    (void)state;
    static Seen others[2];
    for (int round = 0; round < 20; round++) {
        PliantPool *pool = create(3);
        pthread_t threads[2];
        memset(others, 0, sizeof others);
        for (int i = 0; i < 2; i++) {
            others[i].worker_count = 3;
            others[i].nested = pool;
            assert_int_equal(pthread_create(&threads[i], NULL, run_other, &others[i]), 0);
        }
        for (int i = 0; i < 2; i++) {
            assert_int_equal(pthread_join(threads[i], NULL), 0);
            assert_int_equal(atomic_load(&others[i].conflicts), 0);
            for (int k = 0; k < TASKS; k++)
                assert_int_equal(atomic_load(&others[i].runs[k]), 1);
        }
        pliant_pool_destroy(pool);
    }
}

static void test_attach(void **state)
{
    (void)state;
    PliantPool *pool = create(2);
    PliantHost host = pliant_host_default();
    pliant_pool_attach(pool, &host);
    assert_int_equal(host.worker_count, had(2));
    assert_ptr_equal(host.run_user, pool);
    assert_true(host.run == pliant_pool_run);
    pliant_pool_attach(NULL, &host);
    assert_int_equal(host.worker_count, 1);
    assert_null(host.run);
    pliant_pool_attach(pool, NULL);
    pliant_pool_destroy(pool);
    pliant_pool_destroy(NULL);
    assert_int_equal(pliant_pool_worker_count(NULL), 1);
}

/* NULL is no pool: the thread that calls runs all tasks. */
static void test_no_pool(void **state)
{
    (void)state;
    check_once(NULL, TASKS, NULL);
}

#ifdef __linux__
/* By default there is a worker for each processor that the process may use. */
static void test_processors(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    PliantPool *all = create(0);
    assert_int_equal(pliant_pool_worker_count(all), had(CPU_COUNT(&before)));
    pliant_pool_destroy(all);
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    PliantPool *alone = create(0);
    assert_int_equal(pliant_pool_worker_count(alone), 1);
    pliant_pool_destroy(alone);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}
#endif

static void test_mistakes(void **state)
{
    (void)state;
    TestHost host;
    test_host_init(&host);
    PliantPoolDef def = pliant_pool_def_default();
    PliantPool *pool = NULL;
    def.host = &host.host;
    def.worker_count = -1;
    assert_int_equal(pliant_pool_create(&def, &pool), PLIANT_BAD_ARGUMENT);
    assert_non_null(strstr(host.message, "pliant_pool_create: def.worker_count is -1"));
    def.worker_count = PLIANT_MAX_WORKERS + 1;
    assert_int_equal(pliant_pool_create(&def, &pool), PLIANT_BAD_ARGUMENT);
    def.worker_count = 2;
    assert_int_equal(pliant_pool_create(&def, NULL), PLIANT_BAD_ARGUMENT);
    for (host.fail_at = 1; host.fail_at <= had(2); host.fail_at++) { /* the pool, and threads */
        host.calls = 0;
        assert_int_equal(pliant_pool_create(&def, &pool), PLIANT_OUT_OF_MEMORY);
        assert_int_equal(host.blocks, 0);
    }
    assert_null(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_task_runs_once),
        cmocka_unit_test(test_two_callers),
        cmocka_unit_test(test_attach),
        cmocka_unit_test(test_no_pool),
#ifdef __linux__
        cmocka_unit_test(test_processors),
#endif
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
