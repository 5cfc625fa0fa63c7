/* Ways to run tasks: see workers.h. */
#include "workers.h"
#include "base/memory.h"
#include "shape/shape.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* PliantHost.run on one thread. Workers take turns, as if there were many. */
static void run(void *user, PliantTask *task, void *data, int32_t count)
{
    TestWorkers *workers = user;
    int32_t *order = malloc((size_t)count * sizeof *order);
    if (!order)
        abort();
    for (int32_t i = 0; i < count; i++)
        order[i] = workers->order == TEST_ORDER_REVERSED ? count - 1 - i : i;
    for (int32_t i = count - 1; workers->order == TEST_ORDER_RANDOM && i > 0; i--) {
        workers->random = workers->random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const int32_t other = (int32_t)((workers->random >> 33) % (uint64_t)(i + 1));
        const int32_t swapped = order[i];
        order[i] = order[other];
        order[other] = swapped;
    }
    workers->run_count++;
    for (int32_t i = 0; i < count; i++) {
        const int64_t turn = workers->task_count++;
        task(data, order[i],
             (int32_t)((workers->order == TEST_ORDER_GREEDY ? workers->run_count : turn) %
                       workers->count));
    }
    free(order);
}

bool test_workers_start(TestWorkers *workers, const char *text)
{
    static const char *const names[] = {"pool", "forward", "reversed", "random", "greedy"};
    *workers = (TestWorkers){.order = TEST_ORDER_POOL, .random = 1};
    const char *colon = strchr(text, ':');
    bool is_known = !colon;
    for (int i = 1; colon && i < 5; i++)
        if (strlen(names[i]) == (size_t)(colon - text) &&
            memcmp(names[i], text, strlen(names[i])) == 0) {
            workers->order = (TestOrder)i;
            is_known = true;
        }
    workers->count = atoi(colon ? colon + 1 : text);
    if (!is_known || workers->count < 1)
        return false;
    PliantPoolDef def = pliant_pool_def_default();
    def.worker_count = workers->count;
    return workers->order != TEST_ORDER_POOL ||
           pliant_pool_create(&def, &workers->pool) == PLIANT_OK;
}

void test_workers_end(TestWorkers *workers)
{
    pliant_pool_destroy(workers->pool);
}

void test_workers_attach(TestWorkers *workers, PliantHost *host)
{
    if (workers->order == TEST_ORDER_POOL) {
        pliant_pool_attach(workers->pool, host);
        return;
    }
    host->run = run;
    host->run_user = workers;
    host->worker_count = workers->count;
}

void test_workers_divide_everything(PliantWorld *world)
{
    world->divides_everything = world->broad.divides_everything = true;
    world->max_work = 16;
}

PliantResult test_workers_build(const PliantShapeDef *given, PliantShape **shape)
{
    PliantShapeDef def = *given;
    const PliantSkin none = pliant_skin_default();
    const PliantExperiments defaults = pliant_experiments_default();
    def.skin = given->skin ? given->skin : &none;
    def.experiments = given->experiments ? given->experiments : &defaults;
    PliantHost host;
    const PliantResult result = pli_host_resolve(given->host, &host);
    return result == PLIANT_OK ? pli_shape_build(&def, &host, 0, shape) : result;
}
