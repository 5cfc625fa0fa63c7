/* Ways to run tasks, for tests: a pool of threads, or one thread in any order. */
#ifndef TEST_WORKERS_H
#define TEST_WORKERS_H

#include <pliant/pool.h>
#include <pliant/world.h>

typedef enum TestOrder {
    TEST_ORDER_POOL,
    TEST_ORDER_FORWARD,
    TEST_ORDER_REVERSED,
    TEST_ORDER_RANDOM,
    TEST_ORDER_GREEDY /* one worker takes all tasks of a run, another one those of the next */
} TestOrder;

typedef struct TestWorkers {
    TestOrder order;
    int32_t count;
    PliantPool *pool;
    uint64_t random;
    int64_t task_count; /* run so far, without a pool */
    int64_t run_count;
} TestWorkers;

/* Reads "POOL" or "ORDER:COUNT": "3", "forward:2", "reversed:7", "random:64", "greedy:3". False if
 * it is none.
 */
bool test_workers_start(TestWorkers *workers, const char *text);
void test_workers_end(TestWorkers *workers);

/* Sets worker_count, run and run_user. */
void test_workers_attach(TestWorkers *workers, PliantHost *host);

/* From now on the world divides all that it can, however little there is to do. */
void test_workers_divide_everything(PliantWorld *world);

/* Builds a shape from a def without mistakes, by all workers of its host, however small it is. */
PliantResult test_workers_build(const PliantShapeDef *def, PliantShape **shape);

#endif
