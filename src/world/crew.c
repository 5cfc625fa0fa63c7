/* The workers of a world: see world.h. */
#include "world/crew.h"

static void init_scratch(PliWorldWorker *worker, PliantWorld *world)
{
    worker->query = 0; /* which no query has */
    worker->updates = (PliantStats){0};
    pli_narrow_init(&worker->narrow, &worker->worker, &world->fans);
    pli_caster_init(&worker->caster);
    worker->ray_hits = (PliArray){.item_size = sizeof(PliantRayHit)};
    worker->found = (PliArray){.item_size = sizeof(uint64_t)};
    for (int i = 0; i < 2; i++)
        worker->left[i] = (PliLeft){.pairs = {.item_size = sizeof(PliTreePartPair)},
                                    .leaf_pairs = {.item_size = sizeof(PliLeafPair)}};
}

static void free_scratch(PliWorldWorker *worker)
{
    const PliantHost *host = worker->worker.host;
    pli_caster_free(&worker->caster, host);
    pli_array_free(&worker->ray_hits, host);
    pli_array_free(&worker->found, host);
    for (int i = 0; i < 2; i++) {
        pli_array_free(&worker->left[i].pairs, host);
        pli_array_free(&worker->left[i].leaf_pairs, host);
    }
    pli_narrow_free(&worker->narrow);
}

void pli_world_worker_init(PliWorldWorker *worker, PliantWorld *world)
{
    pli_worker_init(&worker->worker, &world->host, &world->kernels);
    worker->worker.body_host = &world->body_host;
    worker->worker.control = &world->control;
    init_scratch(worker, world);
}

void pli_world_worker_free(PliWorldWorker *worker)
{
    free_scratch(worker);
    pli_worker_free(&worker->worker);
}

void pli_world_worker_trim(PliWorldWorker *worker, PliantWorld *world)
{
    free_scratch(worker);
    init_scratch(worker, world);
}

void pli_world_crew_free(PliantWorld *world)
{
    const int32_t count = world->crew.count;
    if (!world->others)
        return;
    for (int32_t i = 1; i < count; i++)
        pli_world_worker_free(&world->others[i - 1]);
    pli_release(&world->host, world->others, (size_t)count - 1, sizeof *world->others);
    pli_release(&world->host, world->workers, (size_t)count, sizeof(PliWorker *));
    world->others = NULL;
    world->workers = NULL;
    world->crew = (PliCrew){0};
}

/* Makes all workers, once. */
static PliantResult make_crew(PliantWorld *world)
{
    const size_t count = (size_t)world->host.worker_count;
    void *others = NULL, *workers = NULL;
    const PliRequest requests[] = {{&others, count - 1, sizeof(PliWorldWorker)},
                                   {&workers, count, sizeof(PliWorker *)}};
    PLI_TRY(pli_allocate_all(&world->host, requests, 2));
    world->others = others;
    world->workers = workers;
    world->workers[0] = &world->first.worker;
    for (size_t i = 1; i < count; i++) {
        pli_world_worker_init(&world->others[i - 1], world);
        world->workers[i] = &world->others[i - 1].worker;
        world->workers[i]->number = (int32_t)i;
    }
    world->crew = (PliCrew){world->workers, (int32_t)count};
    return PLIANT_OK;
}

PliantResult pli_world_crew_start(PliantWorld *world)
{
    if (world->host.worker_count <= 1)
        return PLIANT_OK;
    if (!world->others)
        PLI_TRY(make_crew(world));
    const PliWorker *first = &world->first.worker;
    for (int32_t i = 1; i < world->crew.count; i++)
        PLI_TRY(
            pli_worker_reserve(world->workers[i], first->terms.capacity, first->boxes.capacity));
    world->first.worker.crew = &world->crew;
    return PLIANT_OK;
}

void pli_world_crew_end(PliantWorld *world)
{
    world->first.worker.crew = NULL;
}
