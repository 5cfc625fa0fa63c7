/* Worlds and readers, and what they say of themselves: see pliant/world.h. */
#include "api/checks.h"
#include "world/reader.h"

#include <inttypes.h>

/* ---- Making and ending worlds -------------------------------------------------------------------
 */

/* The def as it was first published: a caller's cannot be shorter. */
#define FIRST_SIZE PLI_RECORD_SIZE(PliantWorldDef, experiments)

PliantResult pliant_world_create(const PliantWorldDef *caller_def, PliantWorld **world)
{
    PliantWorldDef def = pliant_world_def_default();
    bool is_read = !caller_def || pli_record_read(&def, sizeof def, FIRST_SIZE, caller_def,
                                                  caller_def->struct_size);
    const PliCall call = PLI_CALL(def.host);
    PLI_CHECK(&call, is_read, PLIANT_BAD_DEF,
              "def.struct_size is %zu: start from pliant_world_def_default()",
              caller_def->struct_size);
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    static const PliBroadKind kinds[] = {PLI_BROAD_AUTO, PLI_BROAD_BRUTE, PLI_BROAD_SWEEP};
    PliantExperiments experiments;
    PliantHost host;
    PliKernels kernels;
    void *memory = NULL;
    PLI_TRY(pli_experiments_read(&call, def.experiments, &experiments));
    PLI_TRY(pli_host_check(&call, def.host, &host));
    PLI_TRY(pli_allocate(&host, 1, sizeof(PliantWorld), &memory));
    pli_kernels_fill(&kernels, def.cpu_mask);
    pli_world_init(memory, &kernels, kinds[experiments.broad_kind], &host);
    *world = memory;
    (*world)->may_pair = def.may_pair;
    (*world)->pair_user = def.user;
    return PLIANT_OK;
}

/* Reports a world that is in use. */
static PliantResult claim_for_good(const PliCall *call, PliantWorld *world)
{
    PLI_CHECK(call, !world->readers, PLIANT_BUSY, "the world has readers: destroy these first");
    PLI_CHECK_CLAIM(call, world, pli_world_begin_change);
    return PLIANT_OK;
}

void pliant_world_destroy(PliantWorld *world)
{
    PLI_WORLD_CALL(world);
    if (world && world->read)
        pliant_reader_destroy(world);
    else if (world && claim_for_good(&call, world) == PLIANT_OK)
        pli_world_free(world);
}

void pliant_world_cancel(PliantWorld *world)
{
    if (world)
        atomic_store(&world->control.is_cancelled, true);
}

/* ---- Holds: see pliant/world.h -----------------------------------------------------------------
 */

PliantResult pliant_world_hold(PliantWorld *world)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK(&call, !world->is_held, PLIANT_BUSY, "the world is held already");
    pli_world_next_query(world);
    PLI_TRY(pli_readers_open(&call, world));
    world->is_held = true;
    return PLIANT_OK;
}

/* Have the borrowed vertices of a body changed since they were read in this hold? */
static bool has_changed(PliantWorld *world, PliBody *body)
{
    const uint64_t revision = body->revision;
    if (!body->pose.is_borrowed || body->hash_moment != world->moment)
        return false;
    body->hash_moment = 0;
    pli_world_hash_body(world, body, &world->first.worker);
    return body->revision != revision;
}

PliantResult pliant_world_release(PliantWorld *world)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK(&call, world->is_held && !world->read, PLIANT_BAD_ARGUMENT, "the world is not held");
    PLI_CHECK(&call, pli_readers_close(world), PLIANT_BUSY, "a reader is being asked");
    const bool is_checked = pli_world_checks_hold(world);
    PliBody *bodies = world->bodies.items;
    world->is_held = false;
    for (int32_t i = 0; is_checked && i < (int32_t)world->bodies.count; i++) {
        const PliantBody handle = pli_world_handle(world, i);
        PLI_CHECK(&call, !bodies[i].is_alive || !has_changed(world, &bodies[i]), PLIANT_STALE,
                  "borrowed vertices of body {index %" PRIu32 ", serial %" PRIu32
                  "} were written while the world was held",
                  handle.index, handle.serial);
    }
    return PLIANT_OK;
}

/* ---- Readers ------------------------------------------------------------------------------------
 */

PliantResult pliant_reader_create(PliantWorld *world, PliantReader **reader)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK(&call, reader, PLIANT_BAD_ARGUMENT, "reader is NULL");
    PliantHost host = world->counting.inner;
    void *memory = NULL;
    host.run = NULL;
    host.worker_count = 1;
    PLI_TRY(pli_allocate(&host, 1, sizeof(PliantWorld), &memory));
    PliantWorld *fresh = memory;
    pli_world_init(fresh, &world->kernels, world->broad_kind, &host);
    pli_reader_add(world, fresh);
    *reader = fresh;
    return PLIANT_OK;
}

/* Reports a reader that is being asked, or is none. */
static PliantResult claim_reader(const PliCall *call, PliantWorld *reader)
{
    int none = 0;
    PLI_CHECK(call, reader->read, PLIANT_BAD_ARGUMENT, "this is a world, and no reader");
    PLI_CHECK(call, atomic_compare_exchange_strong(reader->claims, &none, -1), PLIANT_BUSY,
              "the reader is being asked");
    return PLIANT_OK;
}

void pliant_reader_destroy(PliantReader *reader)
{
    PLI_WORLD_CALL(reader);
    if (reader && claim_reader(&call, reader) == PLIANT_OK)
        pli_reader_free(reader);
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

#define MEMORY_SIZE PLI_RECORD_SIZE(PliantWorldMemory, total)

PliantResult pliant_world_memory(const PliantWorld *world, PliantWorldMemory *memory)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_OUTPUT(&call, "memory", "pliant_world_memory_default", memory, MEMORY_SIZE);
    const PliantWorldMemory all = pli_world_memory(world);
    pli_record_write(memory, MEMORY_SIZE, &all, sizeof all);
    return PLIANT_OK;
}

PliantResult pliant_world_trim(PliantWorld *world)
{
    PLI_ASK_WORLD(world);
    pli_world_trim(world);
    return PLIANT_OK;
}

/* ---- Bodies, one after the other --------------------------------------------------------------
 */

int32_t pliant_world_body_count(const PliantWorld *world)
{
    return world ? world->body_count : 0;
}

PliantBody pliant_world_next_body(const PliantWorld *world, PliantBody previous)
{
    const PliantBody none = {0};
    if (!world)
        return none;
    const PliBody *bodies = world->bodies.items;
    for (int64_t i = previous.index; i < world->bodies.count; i++)
        if (pli_body_is_seen(&bodies[i]))
            return pli_world_handle(world, (int32_t)i);
    return none;
}

/* ---- Statistics -------------------------------------------------------------------------------
 */

#define STATS_SIZE PLI_RECORD_SIZE(PliantStats, byte_size)

PliantResult pliant_world_stats(const PliantWorld *world, PliantStats *stats)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_OUTPUT(&call, "stats", "pliant_stats_default", stats, STATS_SIZE);
    PliantStats all = world->stats;
    all.byte_size = pli_world_bytes(world);
    pli_record_write(stats, STATS_SIZE, &all, sizeof all);
    return PLIANT_OK;
}

PliantResult pliant_body_stats(const PliantWorld *world, PliantBody handle, PliantStats *stats)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK_OUTPUT(&call, "stats", "pliant_stats_default", stats, STATS_SIZE);
    const PliantStats all =
        !world->read && body->query == world->query ? body->stats : (PliantStats){0};
    pli_record_write(stats, STATS_SIZE, &all, sizeof all);
    return PLIANT_OK;
}
