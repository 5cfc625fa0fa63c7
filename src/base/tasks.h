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

/* Part `index` of `count` equal parts of `total`: where it begins. */
static inline int64_t pli_part_begin(int64_t index, int64_t count, int64_t total)
{
    const int64_t rest = total % count;
    return index * (total / count) + (index < rest ? index : rest);
}

#endif
