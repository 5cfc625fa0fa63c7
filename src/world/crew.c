/* The workers of a world: see world.h. */
#include "world/crew.h"
#include "base/cpu.h"

static void init_scratch(PliWorldWorker *worker, PliantWorld *world)
{
    worker->query = 0; /* which no query has */
    worker->updates = (PliantStats){0};
    pli_narrow_init(&worker->narrow, &worker->worker, &world->fans);
    pli_near_init(&worker->near, &worker->worker);
    pli_sweep_init(&worker->sweep, &worker->worker);
    pli_distance_init(&worker->distance, &worker->worker);
    pli_point_search_init(&worker->points, &worker->worker);
    pli_region_scratch_init(&worker->regions, &worker->worker, &worker->points);
    pli_caster_init(&worker->caster);
    worker->ray_hits = (PliArray){.item_size = sizeof(PliantRayHit)};
    worker->found = (PliArray){.item_size = sizeof(uint64_t)};
    worker->features_found = (PliArray){.item_size = sizeof(PliantNearPair)};
    for (int i = 0; i < 2; i++)
        worker->left[i] = (PliLeft){.pairs = {.item_size = sizeof(PliTreePartPair)},
                                    .leaf_pairs = {.item_size = sizeof(PliLeafPair)},
                                    .moving_leaf_pairs = {.item_size = sizeof(PliMovingLeafPair)}};
}

static void free_scratch(PliWorldWorker *worker)
{
    const PliantHost *host = worker->worker.host;
    pli_caster_free(&worker->caster, host);
    pli_array_free(&worker->ray_hits, host);
    pli_array_free(&worker->found, host);
    pli_array_free(&worker->features_found, host);
    pli_near_free(&worker->near);
    pli_feature_search_free(&worker->sweep.search);
    pli_distance_free(&worker->distance);
    pli_point_search_free(&worker->points);
    pli_region_scratch_free(&worker->regions);
    for (int i = 0; i < 2; i++) {
        pli_array_free(&worker->left[i].pairs, host);
        pli_array_free(&worker->left[i].leaf_pairs, host);
        pli_array_free(&worker->left[i].moving_leaf_pairs, host);
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

PliRegionScratch *pli_world_worker_regions(PliWorker *worker)
{
    return &((PliWorldWorker *)(void *)worker)->regions;
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

/* ---- Reserves ----------------------------------------------------------------------------------
 *
 * Which worker does what is chance. So that the same frame allocates nothing when it comes again,
 * each worker has room for all that was found, whoever found it, and for the longest of all else.
 */

/* Arrays in which a worker gathers something over many items. */
#define GATHERED(X)                                                                                \
    X(found)                                                                                       \
    X(features_found)                                                                              \
    X(ray_hits)                                                                                    \
    X(left[0].pairs)                                                                               \
    X(left[1].pairs)                                                                               \
    X(left[0].leaf_pairs)                                                                          \
    X(left[1].leaf_pairs)                                                                          \
    X(left[0].moving_leaf_pairs)                                                                   \
    X(left[1].moving_leaf_pairs)

/* Arrays that hold something of one item, or of one ray: those that both PliNear and PliSweep have,
 * and all of them. */
#define FEATURE_SCRATCH(X, search)                                                                 \
    X(search.walk.stack)                                                                           \
    X(search.walk.level)                                                                           \
    X(search.leaf_pairs)                                                                           \
    X(search.slot_pairs)                                                                           \
    X(search.leaves)                                                                               \
    X(search.triangles)                                                                            \
    X(search.groups[0])                                                                            \
    X(search.groups[1])                                                                            \
    X(search.end_rows)                                                                             \
    X(search.group_slots)                                                                          \
    X(search.features)                                                                             \
    X(search.found.items)                                                                          \
    X(search.found.keys)                                                                           \
    X(search.found.ranked[0])                                                                      \
    X(search.found.ranked[1])                                                                      \
    X(search.cache.a_slots.items)                                                                  \
    X(search.cache.b_slots.items)

#define SCRATCH(X)                                                                                 \
    X(narrow.contacts)                                                                             \
    X(narrow.sorted)                                                                               \
    X(narrow.leaf_pairs)                                                                           \
    X(narrow.long_parts)                                                                           \
    X(narrow.walk.stack)                                                                           \
    X(narrow.walk.level)                                                                           \
    X(narrow.long_leaf.stack)                                                                      \
    X(narrow.long_leaf.pairs)                                                                      \
    X(narrow.long_leaf.masks)                                                                      \
    X(narrow.hubs.items)                                                                           \
    X(narrow.hubs.boxes)                                                                           \
    X(narrow.cache.a_slots.items)                                                                  \
    X(narrow.cache.b_slots.items)                                                                  \
    FEATURE_SCRATCH(X, near.search)                                                                \
    FEATURE_SCRATCH(X, sweep.search)                                                               \
    X(distance.walk.stack)                                                                         \
    X(distance.leaf_pairs)                                                                         \
    X(distance.leaves)                                                                             \
    X(distance.cache.a_slots.items)                                                                \
    X(distance.cache.b_slots.items)                                                                \
    X(points.stack)                                                                                \
    X(points.crossed)                                                                              \
    X(points.spokes)                                                                               \
    X(points.cache.a_slots.items)                                                                  \
    X(points.cache.b_slots.items)                                                                  \
    X(regions.numbers)                                                                             \
    X(regions.keys)                                                                                \
    X(regions.rows)                                                                                \
    X(regions.outline)                                                                             \
    X(regions.cycles)                                                                              \
    X(regions.ears)                                                                                \
    X(regions.heap)                                                                                \
    X(regions.entries)                                                                             \
    X(regions.skips)                                                                               \
    X(regions.sheets)                                                                              \
    X(regions.waiting)                                                                             \
    X(regions.exits.states)                                                                        \
    X(regions.exits.skips)                                                                         \
    X(regions.exits.touched)                                                                       \
    X(regions.exits.waiting)                                                                       \
    X(regions.exits.ranges)                                                                        \
    X(regions.exits.rims)                                                                          \
    X(regions.exits.kept_segments)                                                                 \
    X(regions.exits.segments)                                                                      \
    X(regions.exits.overlaps)                                                                      \
    X(regions.exits.cuts)                                                                          \
    X(regions.exits.cells)                                                                         \
    X(regions.exits.beside)                                                                        \
    X(caster.stack)                                                                                \
    X(caster.hits)                                                                                 \
    X(caster.scratch)                                                                              \
    X(caster.counts)

#define COUNT_ONE(name) +1
_Static_assert(PLI_GATHERED_COUNT == 1 GATHERED(COUNT_ONE), "PliantWorld.gathered has them all");

static PliWorldWorker *worker_at(const PliantWorld *world, int32_t i)
{
    return (PliWorldWorker *)(void *)world->workers[i];
}

static int64_t max_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void pli_world_crew_note(PliantWorld *world)
{
    int64_t *most = world->gathered;
#define NOTE(name)                                                                                 \
    do {                                                                                           \
        int64_t total = 0;                                                                         \
        for (int32_t i = 0; i < world->crew.count; i++)                                            \
            total += worker_at(world, i)->name.count;                                              \
        *most = max_of(*most, total);                                                              \
        most++;                                                                                    \
    } while (0);
    GATHERED(NOTE)
#undef NOTE
    *most = max_of(*most, world->items.count);
}

static PliantResult reserve_gathered(PliantWorld *world, PliWorldWorker *worker)
{
    const int64_t *most = world->gathered;
    const PliantHost *host = &world->host;
#define RESERVE(name) PLI_TRY(pli_array_reserve_spare(&worker->name, host, *most++));
    GATHERED(RESERVE)
#undef RESERVE
    /* One item may have all contacts, with candidates behind them. */
    const int64_t found = world->gathered[0], extra = found > 0 ? PLI_MAX_CANDIDATES : 0;
    PLI_TRY(pli_array_reserve_spare(&worker->narrow.contacts, host, found + extra));
    return pli_array_reserve_spare(&worker->narrow.sorted, host, found);
}

/* The leaf cache at this offset of each worker: room for the leaves of all, and for a portion. */
static PliantResult reserve_cache(PliantWorld *world, size_t offset)
{
    int64_t slots = 0, most_slots = 0;
    for (int32_t i = 0; i < world->crew.count; i++) {
        const PliLeafCache *cache = (const void *)((const char *)worker_at(world, i) + offset);
        slots += cache->slot_count;
        most_slots = max_of(most_slots, cache->slot_capacity);
    }
    slots = slots > 0 ? max_of(slots + PLI_PORTION_SLOTS, most_slots) : most_slots;
    slots = slots < PLI_MAX_SLOTS ? slots : PLI_MAX_SLOTS;
    for (int32_t i = 0; i < world->crew.count; i++) {
        PliLeafCache *cache = (void *)((char *)worker_at(world, i) + offset);
        PLI_TRY(pli_leaf_cache_reserve(cache, slots - cache->slot_count, &world->host));
    }
    return PLIANT_OK;
}

static PliantResult reserve_scratch(PliantWorld *world)
{
    PLI_TRY(reserve_cache(world, offsetof(PliWorldWorker, narrow.cache)));
    PLI_TRY(reserve_cache(world, offsetof(PliWorldWorker, near.search.cache)));
    PLI_TRY(reserve_cache(world, offsetof(PliWorldWorker, sweep.search.cache)));
    PLI_TRY(reserve_cache(world, offsetof(PliWorldWorker, distance.cache)));
    PLI_TRY(reserve_cache(world, offsetof(PliWorldWorker, points.cache)));
#define RESERVE(name)                                                                              \
    do {                                                                                           \
        int64_t most = 0;                                                                          \
        for (int32_t i = 0; i < world->crew.count; i++)                                            \
            most = max_of(most, worker_at(world, i)->name.capacity);                               \
        for (int32_t i = 0; i < world->crew.count; i++)                                            \
            PLI_TRY(pli_array_reserve_exactly(&worker_at(world, i)->name, &world->host, most));    \
    } while (0);
    SCRATCH(RESERVE)
#undef RESERVE
    return PLIANT_OK;
}

static PliantResult reserve(PliantWorld *world)
{
    for (int32_t i = 0; i < world->crew.count; i++)
        PLI_TRY(reserve_gathered(world, worker_at(world, i)));
    const int64_t item_count = world->gathered[PLI_GATHERED_COUNT - 1];
    PLI_TRY(pli_array_reserve(&world->items, &world->host, item_count + item_count / 4));
    PLI_TRY(pli_array_reserve(&world->merged, &world->host, 2 * world->gathered[0]));
    PLI_TRY(pli_array_reserve(&world->feature_order, &world->host, 2 * world->gathered[1]));
    PLI_TRY(reserve_scratch(world));
    return pli_tiles_even(&world->tiles, &world->host);
}

/* ---- The crew of a query -----------------------------------------------------------------------
 */

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
    PLI_TRY(reserve(world));
    world->first.worker.crew = &world->crew;
    return PLIANT_OK;
}

void pli_world_crew_end(PliantWorld *world)
{
    if (world->first.worker.crew)
        pli_world_crew_note(world);
    world->first.worker.crew = NULL;
}

PliantResult pli_world_ask(PliantWorld *world, PliProgress *progress, void *user,
                           PliantResult (*find)(void *query), void *query)
{
    const PliFpMode caller = pli_fp_enter();
    PliantResult result = pli_world_crew_start(world);
    pli_world_start(world, progress, user);
    if (result == PLIANT_OK)
        result = find(query);
    pli_world_crew_end(world);
    pli_fp_leave(caller);
    return result;
}

PliantResult pli_world_ask_one(PliantWorld *world, PliProgress *progress, void *user,
                               PliantResult (*find)(void *query), void *query)
{
    const PliFpMode caller = pli_fp_enter();
    pli_world_start(world, progress, user);
    const PliantResult result = find(query);
    pli_fp_leave(caller);
    return result;
}
