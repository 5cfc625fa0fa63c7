/* Workers: see worker.h. */
#include "tree/worker.h"

void pli_worker_init(PliWorker *worker, const PliantHost *host, const PliKernels *kernels)
{
    *worker = (PliWorker){.host = host,
                          .kernels = kernels,
                          .terms = {.item_size = sizeof(const float *)},
                          .term_weights = {.item_size = sizeof(float)},
                          .boxes = {.item_size = sizeof(PliBox)}};
}

void pli_worker_free(PliWorker *worker)
{
    pli_array_free(&worker->terms, worker->host);
    pli_array_free(&worker->term_weights, worker->host);
    pli_array_free(&worker->boxes, worker->host);
}

PliantResult pli_worker_reserve(PliWorker *worker, int64_t term_count, int64_t box_count)
{
    PLI_TRY(pli_array_reserve(&worker->terms, worker->host, term_count));
    PLI_TRY(pli_array_reserve(&worker->term_weights, worker->host, term_count));
    return pli_array_reserve(&worker->boxes, worker->host, box_count);
}
