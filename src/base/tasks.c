/* Tasks: see tasks.h. */
#include "base/tasks.h"
#include "base/cpu.h"

typedef struct Tasks {
    PliantTask *task;
    void *data;
} Tasks;

/* PliantTask. Threads of the host have floating-point modes of their own. */
static void run_one(void *data, int32_t index, int32_t worker)
{
    const Tasks *tasks = data;
    const PliFpMode caller = pli_fp_enter();
    tasks->task(tasks->data, index, worker);
    pli_fp_leave(caller);
}

void pli_tasks_run(const PliantHost *host, PliantTask *task, void *data, int32_t count)
{
    Tasks tasks = {task, data};
    if (host->worker_count > 1 && count > 1)
        host->run(host->run_user, run_one, &tasks, count);
    else
        for (int32_t i = 0; i < count; i++)
            task(data, i, 0);
}

/* ---- Parts ---------------------------------------------------------------------------------- */

enum { PARTS_PER_WORKER = 8 };

typedef struct Parts {
    PliPartTask *task;
    void *data;
    int64_t total;
    int32_t count;
} Parts;

/* PliantTask. */
static void run_part(void *data, int32_t index, int32_t worker)
{
    const Parts *parts = data;
    const PliPart part = {index, worker, pli_part_begin(index, parts->count, parts->total),
                          pli_part_begin(index + 1, parts->count, parts->total)};
    parts->task(parts->data, &part);
}

int32_t pli_part_count(const PliantHost *host, int64_t total)
{
    int64_t count = host->worker_count > 1 ? (int64_t)host->worker_count * PARTS_PER_WORKER : 1;
    count = count < PLI_MAX_PARTS ? count : PLI_MAX_PARTS;
    return (int32_t)(count < total ? count : total);
}

void pli_parts_run(const PliantHost *host, PliPartTask *task, void *data, int64_t total,
                   int32_t part_count)
{
    Parts parts = {task, data, total, part_count};
    pli_tasks_run(host, run_part, &parts, part_count);
}

void pli_divide(const PliantHost *host, PliPartTask *task, void *data, int64_t total)
{
    pli_parts_run(host, task, data, total, pli_part_count(host, total));
}
