/* Threads of the package: a set of tasks with a counter, in memory that workers share.
 *
 * The thread that calls the library is worker 0. JavaScript starts the others, each with an
 * instance of the module and a stack of its own, and they stay in web_thread_work(). All take tasks
 * from one counter: a worker that is late takes none, and nobody waits for it. Between sets workers
 * spin for a moment, and then sleep.
 *
 * A set lives on the stack of its caller. A worker enters (`inside` is raised) before it reads
 * `set`; the caller takes the set away and then waits until nobody is inside. Both are sequentially
 * consistent: either the worker sees that the set is gone, or the caller sees the worker.
 *
 * The C library is built for one thread. Tasks reach nothing of it that has state but the
 * allocator, which has a lock here. The exports malloc(), aligned_alloc() and free() have none:
 * JavaScript calls them between queries, when no task runs.
 */
#include "threads.h"

#ifdef __wasm_atomics__

#include <stdatomic.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

typedef struct TaskSet {
    PliantTask *task;
    void *data;
    int32_t count;
    atomic_int next; /* the first that nobody has taken */
} TaskSet;

static struct {
    _Atomic(TaskSet *) set; /* NULL: nothing to do */
    atomic_int inside;      /* workers that may be reading the set */
    atomic_int round;       /* sets handed out so far; workers sleep on it */
    atomic_int sleeping;
    atomic_int is_ending, has_failed;
    atomic_int lock;      /* of the allocator */
    int32_t worker_count; /* 0 or 1: no threads */
    int32_t can_wait;     /* the caller may wait; the main thread of a page may not */
} pool;

/* SPINS take about 20 microseconds, as in src/pool/pool.c: longer than what is between two sets of
 * a frame. */
enum { SPINS = 40000, LOCK_SPINS = 100, REST_NANOSECONDS = 20000 };

/* Leaves the processor to other threads for a moment. A page spins: waiting would be a trap. */
static void rest(void)
{
    static int32_t never_notified;
    if (pool.can_wait)
        __builtin_wasm_memory_atomic_wait32(&never_notified, 0, REST_NANOSECONDS);
}

/* ---- Tasks ----------------------------------------------------------------------------------- */

static void run_tasks(TaskSet *set, int32_t worker)
{
    int32_t index;
    while ((index = atomic_fetch_add(&set->next, 1)) < set->count)
        set->task(set->data, index, worker);
}

static void run(void *user, PliantTask *task, void *data, int32_t count)
{
    (void)user;
    TaskSet set = {task, data, count, 0};
    if (!pool.is_ending) {
        atomic_store(&pool.set, &set);
        atomic_fetch_add(&pool.round, 1);
        if (pool.sleeping > 0)
            __builtin_wasm_memory_atomic_notify((int *)&pool.round, (uint32_t)pool.worker_count);
    }
    run_tasks(&set, 0);
    atomic_store(&pool.set, NULL);
    for (int i = 1; !pool.is_ending && pool.inside > 0; i++) {
        if (pool.has_failed)
            break;
        if (i % SPINS == 0)
            rest();
    }
    if (pool.has_failed)
        __builtin_trap(); /* as the task did, in its thread */
}

static void wait_for_news(int32_t round)
{
    for (int i = 0; i < SPINS; i++)
        if (pool.round != round)
            return;
    atomic_fetch_add(&pool.sleeping, 1);
    __builtin_wasm_memory_atomic_wait32((int *)&pool.round, round, -1);
    atomic_fetch_sub(&pool.sleeping, 1);
}

/* What a worker does until web_threads_end(). */
void EXPORT(web_thread_work)(int32_t worker)
{
    for (int32_t round = pool.round; !pool.is_ending; round = pool.round) {
        atomic_fetch_add(&pool.inside, 1);
        TaskSet *set = pool.set;
        if (set)
            run_tasks(set, worker);
        atomic_fetch_sub(&pool.inside, 1);
        wait_for_news(round);
    }
}

/* A worker's task has trapped: the query does so too, and waits for nobody. */
void EXPORT(web_thread_fail)(void)
{
    pool.has_failed = true;
}

void EXPORT(web_threads_start)(int32_t worker_count, int32_t can_wait)
{
    pool.worker_count = worker_count;
    pool.can_wait = can_wait;
}

/* No set is handed out from now on: callers run all tasks themselves. Between queries. */
void EXPORT(web_threads_end)(void)
{
    pool.is_ending = true;
    atomic_fetch_add(&pool.round, 1);
    __builtin_wasm_memory_atomic_notify((int *)&pool.round, (uint32_t)pool.worker_count);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void lock(void)
{
    for (int i = 1; atomic_exchange(&pool.lock, 1) != 0; i++)
        if (i % LOCK_SPINS == 0)
            rest();
}

static void unlock(void)
{
    pool.lock = 0;
}

static void *allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    const size_t rounded = (size + alignment - 1) / alignment * alignment;
    lock();
    void *block = rounded < size ? NULL : aligned_alloc(alignment, rounded);
    unlock();
    return block;
}

static void release(void *user, void *block, size_t size, size_t alignment)
{
    (void)user, (void)size, (void)alignment;
    lock();
    free(block);
    unlock();
}

void web_threads_attach(PliantHost *host)
{
    host->allocate = allocate;
    host->release = release;
    host->run = run;
    host->worker_count = pool.is_ending ? 1 : pool.worker_count;
}

#else /* one thread */

void web_threads_attach(PliantHost *host)
{
    (void)host;
}

#endif
