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
