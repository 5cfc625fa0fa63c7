/* Pliant: a pool of threads, for hosts that have none.
 *
 * The library starts no thread by itself: it hands tasks to PliantHost.run. A program with a
 * scheduler of its own sets that hook. All others create a pool once, attach it to the host that
 * they pass to worlds and shapes, and destroy it after these.
 *
 *     PliantPoolDef def = pliant_pool_def_default();
 *     PliantPool *pool;
 *     pliant_pool_create(&def, &pool);
 *     PliantHost host = pliant_host_default();
 *     pliant_pool_attach(pool, &host);
 *
 * A library that was built with PLIANT_POOL=OFF uses no threads. Its pools have one worker, the
 * thread that calls.
 */
#ifndef PLIANT_POOL_H
#define PLIANT_POOL_H

#include <pliant/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PliantPool PliantPool;

/* A record: how a pool is made. Start from pliant_pool_def_default(). */
typedef struct PliantPoolDef {
    size_t struct_size;
    const PliantHost *host; /* takes its memory from here; NULL: the default */

    /* Workers, the calling thread among them: the pool starts one thread less. Default, 0: one for
     * each processor that this process may use. At most PLIANT_MAX_WORKERS. */
    int32_t worker_count;
} PliantPoolDef;

static inline PliantPoolDef pliant_pool_def_default(void)
{
    PliantPoolDef def = PLIANT_ZEROS;
    def.struct_size = sizeof def;
    return def;
}

/* Creates a pool. Fails with PLIANT_OUT_OF_MEMORY if there is no memory or no thread can be
 * started. Any thread. */
PLIANT_API PliantResult pliant_pool_create(const PliantPoolDef *def, PliantPool **pool);

/* Ends its threads and releases its memory. No task may be running. Ignores NULL. Changes the pool.
 */
PLIANT_API void pliant_pool_destroy(PliantPool *pool);

/* How many workers it has; 1 for NULL. Any thread. */
PLIANT_API int32_t pliant_pool_worker_count(const PliantPool *pool);

/* Sets worker_count, run and run_user of a host. The pool must outlive what is created with that
 * host. Any thread. */
PLIANT_API void pliant_pool_attach(PliantPool *pool, PliantHost *host);

/* The run hook of a pool. While a pool is busy, as with the tasks of another thread or inside of a
 * task, a further call runs its tasks one by one on the thread that calls; so does NULL, which is
 * no pool. Any thread. */
PLIANT_API void pliant_pool_run(void *pool, PliantTask *task, void *data, int32_t count);

#ifdef __cplusplus
}
#endif

#endif
