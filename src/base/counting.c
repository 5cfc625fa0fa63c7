/* A host that counts: see counting.h. */
#include "base/counting.h"

static void *allocate(void *user, size_t size, size_t alignment)
{
    PliCountingHost *counting = user;
    void *block = counting->inner.allocate(counting->inner.user, size, alignment);
    if (block)
        atomic_fetch_add_explicit(&counting->byte_size, size, memory_order_relaxed);
    return block;
}

static void release(void *user, void *block, size_t size, size_t alignment)
{
    PliCountingHost *counting = user;
    counting->inner.release(counting->inner.user, block, size, alignment);
    atomic_fetch_sub_explicit(&counting->byte_size, size, memory_order_relaxed);
}

static void report(void *user, PliantResult result, const char *message)
{
    const PliCountingHost *counting = user;
    counting->inner.report(counting->inner.user, result, message);
}

void pli_counting_host_init(PliCountingHost *counting, const PliantHost *inner, size_t byte_size,
                            PliantHost *host)
{
    counting->inner = *inner;
    atomic_init(&counting->byte_size, byte_size);
    *host = pliant_host_default();
    host->allocate = allocate;
    host->release = release;
    host->report = inner->report ? report : NULL;
    host->user = counting;
    host->run = inner->run;
    host->run_user = inner->run_user;
    host->worker_count = inner->worker_count;
}
