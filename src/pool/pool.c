/* A small pool of threads: see pliant/pool.h.
 *
 * One set of tasks runs at a time. The thread that calls is worker 0. Each worker has a range of
 * the tasks, in order, and does these first: so it gets about the same part of a world in every
 * frame, and finds it in its cache. A worker that has done its own takes tasks of others. Workers
 * that find nothing to do spin for a moment, since the next set of a frame is close, and then
 * sleep.
 *
 * A set lives on the stack of its caller, so no worker may read it after the call returns. A
 * worker enters (`inside` is raised) before it reads `set`; the caller takes the set away and then
 * waits until nobody is inside. Both are sequentially consistent: either the worker sees that the
 * set is gone, or the caller sees the worker.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "base/base.h"
#include "base/memory.h"
#include "base/tasks.h"
#include <pliant/pool.h>

#include <stdatomic.h>

/* ---- What runs ------------------------------------------------------------------------------ */

static void run_alone(PliantTask *task, void *data, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        task(data, i, 0);
}

#ifdef PLIANT_POOL_THREADS

#include <pthread.h>
#include <sched.h>
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <unistd.h>
#endif

typedef struct TaskSet {
    PliantTask *task;
    void *data;
} TaskSet;

typedef struct Worker {
    /* Tasks that are its own, of the set that runs: the first that nobody has taken, and the end.
     * Written by others who have done theirs: each worker has a cache line. */
    _Alignas(64) atomic_int next;
    int32_t end;
    PliantPool *pool;
    int32_t number;
    pthread_t thread;
} Worker;

struct PliantPool {
    PliantHost host;
    int32_t worker_count, started_count; /* threads: 1 .. started_count */
    Worker *workers;
    _Atomic(TaskSet *) set; /* NULL: nothing to do */
    atomic_int inside;      /* workers that may be reading the set */
    atomic_uint round;      /* sets handed out so far */
    atomic_int is_busy;     /* a caller has the pool; an int: not all machines exchange bytes */
    atomic_bool is_ending;
    atomic_int sleeping;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

/* About 20 microseconds: longer than what is between two sets of a frame, shorter than a thread
 * takes to fall asleep and wake up. */
enum { SPINS = 2000, SPINS_PER_YIELD = 64 };

/* Hands out the tasks of a set. Nobody is inside. */
static void divide(PliantPool *pool, int32_t count)
{
    for (int32_t i = 0; i < pool->worker_count; i++) {
        Worker *worker = &pool->workers[i];
        atomic_store_explicit(&worker->next, (int)pli_part_begin(i, pool->worker_count, count),
                              memory_order_relaxed);
        worker->end = (int32_t)pli_part_begin(i + 1, pool->worker_count, count);
    }
}

/* Does the tasks of a worker, and then those of the others. */
static void run_set(PliantPool *pool, const TaskSet *set, int32_t worker)
{
    for (int32_t i = 0; i < pool->worker_count; i++) {
        Worker *from = &pool->workers[(worker + i) % pool->worker_count];
        for (;;) {
            if (atomic_load_explicit(&from->next, memory_order_relaxed) >= from->end)
                break;
            const int32_t index = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
            if (index >= from->end)
                break;
            set->task(set->data, index, worker);
        }
    }
}

static void spin(int i)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (i % SPINS_PER_YIELD == SPINS_PER_YIELD - 1)
        sched_yield();
}

static bool has_news(PliantPool *pool, unsigned round)
{
    return atomic_load(&pool->round) != round || atomic_load(&pool->is_ending);
}

/* Returns once there was a set after this round. */
static void wait_for_news(PliantPool *pool, unsigned round)
{
    for (int i = 0; i < SPINS; i++) {
        if (has_news(pool, round))
            return;
        spin(i);
    }
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add(&pool->sleeping, 1);
    while (!has_news(pool, round))
        pthread_cond_wait(&pool->wake, &pool->mutex);
    atomic_fetch_sub(&pool->sleeping, 1);
    pthread_mutex_unlock(&pool->mutex);
}

static void *work(void *data)
{
    const Worker *worker = data;
    PliantPool *pool = worker->pool;
    unsigned round = 0;
    while (!atomic_load(&pool->is_ending)) {
        wait_for_news(pool, round);
        round = atomic_load(&pool->round);
        atomic_fetch_add(&pool->inside, 1);
        TaskSet *set = atomic_load(&pool->set);
        if (set)
            run_set(pool, set, worker->number);
        atomic_fetch_sub(&pool->inside, 1);
    }
    return NULL;
}

static void wake_all(PliantPool *pool)
{
    if (atomic_load(&pool->sleeping) == 0)
        return;
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

void pliant_pool_run(void *user, PliantTask *task, void *data, int32_t count)
{
    PliantPool *pool = user;
    int is_busy = false;
    if (count <= 1 || !pool || pool->started_count == 0 ||
        !atomic_compare_exchange_strong(&pool->is_busy, &is_busy, true)) {
        run_alone(task, data, count);
        return;
    }
    TaskSet set = {task, data};
    divide(pool, count);
    atomic_store(&pool->set, &set);
    atomic_fetch_add(&pool->round, 1);
    wake_all(pool);
    run_set(pool, &set, 0);
    atomic_store(&pool->set, NULL);
    for (int i = 0; atomic_load(&pool->inside) > 0; i++)
        spin(i);
    atomic_store(&pool->is_busy, false);
}

/* ---- Pools ---------------------------------------------------------------------------------- */

/* Those that the process may use: a batch system or taskset may leave it a part of all. */
static long usable_count(void)
{
#ifdef __linux__
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0)
        return CPU_COUNT(&usable);
#endif
#ifdef _WIN32
    return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
#else
    return sysconf(_SC_NPROCESSORS_ONLN);
#endif
}

static int32_t processor_count(void)
{
    const long count = usable_count();
    return count < 1 ? 1 : count > PLIANT_MAX_WORKERS ? PLIANT_MAX_WORKERS : (int32_t)count;
}

static bool start_threads(PliantPool *pool)
{
    for (int32_t i = 1; i < pool->worker_count; i++) {
        Worker *worker = &pool->workers[i];
        *worker = (Worker){.pool = pool, .number = i};
        if (pthread_create(&worker->thread, NULL, work, worker) != 0)
            return false;
        pool->started_count = i;
    }
    return true;
}

static void end_threads(PliantPool *pool)
{
    atomic_store(&pool->is_ending, true);
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
    for (int32_t i = 1; i <= pool->started_count; i++)
        pthread_join(pool->workers[i].thread, NULL);
}

static PliantResult create(const PliantHost *host, int32_t worker_count, PliantPool **pool)
{
    void *block = NULL, *workers = NULL;
    const PliRequest requests[] = {{&block, 1, sizeof(PliantPool)},
                                   {&workers, (size_t)worker_count, sizeof(Worker)}};
    PliantResult result = pli_allocate_all(host, requests, 2);
    if (result != PLIANT_OK)
        return result;
    PliantPool *fresh = block;
    *fresh = (PliantPool){.host = *host, .worker_count = worker_count, .workers = workers};
    pthread_mutex_init(&fresh->mutex, NULL);
    pthread_cond_init(&fresh->wake, NULL);
    if (!start_threads(fresh)) {
        pliant_pool_destroy(fresh);
        return PLIANT_OUT_OF_MEMORY;
    }
    *pool = fresh;
    return PLIANT_OK;
}

void pliant_pool_destroy(PliantPool *pool)
{
    if (!pool)
        return;
    end_threads(pool);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->mutex);
    const PliantHost host = pool->host;
    pli_release(&host, pool->workers, (size_t)pool->worker_count, sizeof(Worker));
    pli_release(&host, pool, 1, sizeof *pool);
}

#else /* one worker: the thread that calls */

struct PliantPool {
    PliantHost host;
    int32_t worker_count;
};

void pliant_pool_run(void *user, PliantTask *task, void *data, int32_t count)
{
    (void)user;
    run_alone(task, data, count);
}

static int32_t processor_count(void)
{
    return 1;
}

static PliantResult create(const PliantHost *host, int32_t worker_count, PliantPool **pool)
{
    void *block = NULL;
    (void)worker_count;
    PliantResult result = pli_allocate(host, 1, sizeof **pool, &block);
    if (result != PLIANT_OK)
        return result;
    *pool = block;
    **pool = (PliantPool){.host = *host, .worker_count = 1};
    return PLIANT_OK;
}

void pliant_pool_destroy(PliantPool *pool)
{
    if (!pool)
        return;
    const PliantHost host = pool->host;
    pli_release(&host, pool, 1, sizeof *pool);
}

#endif

PliantResult pliant_pool_create(const PliantPoolDef *given, PliantPool **pool)
{
    PliCall call = {NULL, __func__};
    PliantPoolDef def = pliant_pool_def_default();
    PLI_CHECK(&call, given, PLIANT_BAD_ARGUMENT, "def is NULL");
    PLI_CHECK(&call,
              pli_record_read(&def, sizeof def, PLI_RECORD_SIZE(PliantPoolDef, worker_count), given,
                              given->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_pool_def_default()",
              given->struct_size);
    PliantHost host;
    call.host = def.host;
    PliantResult result = pli_host_check(&call, def.host, &host);
    if (result != PLIANT_OK)
        return result;
    PLI_CHECK(&call, pool, PLIANT_BAD_ARGUMENT, "pool is NULL");
    PLI_CHECK(&call, def.worker_count >= 0 && def.worker_count <= PLIANT_MAX_WORKERS,
              PLIANT_BAD_ARGUMENT, "def.worker_count is %d, at most %d", (int)def.worker_count,
              (int)PLIANT_MAX_WORKERS);
    return create(&host, def.worker_count > 0 ? def.worker_count : processor_count(), pool);
}

int32_t pliant_pool_worker_count(const PliantPool *pool)
{
    return pool ? pool->worker_count : 1;
}

void pliant_pool_attach(PliantPool *pool, PliantHost *host)
{
    if (!host)
        return;
    host->worker_count = pliant_pool_worker_count(pool);
    host->run = pool ? pliant_pool_run : NULL;
    host->run_user = pool;
}
