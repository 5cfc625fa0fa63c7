/* Workers: see worker.h. */
#include "tree/worker.h"
#include "base/tasks.h"

void pli_worker_init(PliWorker *worker, const PliantHost *host, const PliKernels *kernels)
{
    *worker = (PliWorker){.host = host,
                          .body_host = host,
                          .kernels = kernels,
                          .terms = {.item_size = sizeof(const float *)},
                          .term_weights = {.item_size = sizeof(float)},
                          .boxes = {.item_size = sizeof(PliBox)}};
}

void pli_worker_free(PliWorker *worker)
{
    pli_array_free(&worker->terms, worker->body_host);
    pli_array_free(&worker->term_weights, worker->body_host);
    pli_array_free(&worker->boxes, worker->body_host);
}

PliantResult pli_worker_reserve(PliWorker *worker, int64_t term_count, int64_t box_count)
{
    PLI_TRY(pli_array_reserve(&worker->terms, worker->body_host, term_count));
    PLI_TRY(pli_array_reserve(&worker->term_weights, worker->body_host, term_count));
    return pli_array_reserve(&worker->boxes, worker->body_host, box_count);
}

/* ---- Dividing work --------------------------------------------------------------------------- */

typedef struct Division {
    PliWork *work;
    void *data;
    PliWorker **workers;
} Division;

/* PliantTask. */
static void run_part(void *data, int32_t index, int32_t worker)
{
    const Division *division = data;
    division->work(division->data, index, division->workers[worker]);
}

/* Moves counts to those of the worker that divided. */
static void collect_counts(PliPoseCounts *to, PliPoseCounts *from)
{
    for (int side = 0; side < 2; side++) {
        pli_pose_counts_add(&to[side], &from[side]);
        from[side] = (PliPoseCounts){0};
    }
}

void pli_worker_divide(PliWorker *worker, PliWork *work, void *data, int32_t count)
{
    PliCrew *crew = worker->crew;
    if (!crew || count <= 1) {
        pli_worker_do_all(worker, work, data, count);
        return;
    }
    Division division = {work, data, crew->workers};
    worker->crew = NULL;
    pli_tasks_run(worker->host, run_part, &division, count);
    worker->crew = crew;
    for (int32_t i = 0; i < crew->count; i++)
        if (crew->workers[i] != worker)
            collect_counts(worker->counts, crew->workers[i]->counts);
}
