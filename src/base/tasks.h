/* Tasks: parts of some work, which the host may run on several threads.
 *
 * Work is divided where its parts write to different places. What a task needs for itself, such as
 * scratch memory, it finds by the number of its worker: no two tasks that run at the same time have
 * the same one. */
#ifndef PLI_TASKS_H
#define PLI_TASKS_H

#include "base/base.h"

/* Calls task(data, index, worker) for every index from 0 to count - 1, in any order, in the
 * floating-point modes of the library: by the host if its worker_count is above 1, else one after
 * the other, with worker 0. A task must not divide its work further. */
void pli_tasks_run(const PliantHost *host, PliantTask *task, void *data, int32_t count);

/* Workers that tasks may be given, at least one. */
static inline int32_t pli_worker_count(const PliantHost *host)
{
    return host->worker_count > 1 ? host->worker_count : 1;
}

/* ---- Parts -----------------------------------------------------------------------------------
 *
 * Most work is a loop over items that do not depend on one another: it is divided into parts that
 * follow one another. What each part finds is put together by the caller, in the order of the
 * parts, and must not depend on where they begin: counts, least and greatest, lists; never a sum of
 * floating-point numbers. */

/* Part `index` of `count` equal parts of `total`: where it begins. */
static inline int64_t pli_part_begin(int64_t index, int64_t count, int64_t total)
{
    const int64_t rest = total % count;
    return index * (total / count) + (index < rest ? index : rest);
}

/* Items `begin` to `end` - 1, which `worker` is to do. */
typedef struct PliPart {
    int32_t index, worker;
    int64_t begin, end;
} PliPart;

typedef void PliPartTask(void *data, const PliPart *part);

/* The most parts of all. */
enum { PLI_MAX_PARTS = 256 };

/* Into how many parts to divide `total` items: one for a single worker, else some for each, so that
 * a worker that is late has fewer of them; none if there are no items. */
int32_t pli_part_count(const PliantHost *host, int64_t total);

/* Calls task(data, part) for each of so many equal parts, like pli_tasks_run(). */
void pli_parts_run(const PliantHost *host, PliPartTask *task, void *data, int64_t total,
                   int32_t part_count);

/* The same with pli_part_count(host, total) of them. */
void pli_divide(const PliantHost *host, PliPartTask *task, void *data, int64_t total);

#endif
