/* Making and ending worlds, and what they say of themselves: see pliant/world.h. */
#include "world/world.h"
#include "base/cpu.h"

#include <inttypes.h>

PliantWorldDef pliant_world_def_default(void)
{
    return (PliantWorldDef){.struct_size = sizeof(PliantWorldDef), .cpu_mask = PLIANT_CPU_ALL};
}

/* The def as it was first published: a caller's cannot be shorter. */
#define FIRST_SIZE PLI_RECORD_SIZE(PliantWorldDef, host)

static void init(PliantWorld *world, const PliantWorldDef *def, const PliantHost *host)
{
    static const PliBroadKind kinds[] = {PLI_BROAD_AUTO, PLI_BROAD_BRUTE, PLI_BROAD_SWEEP};
    *world = (PliantWorld){.host = *host,
                           .broad_kind = kinds[def->broad_kind],
                           .bodies = {.item_size = sizeof(PliBody)},
                           .boxes = {.item_size = sizeof(PliBox)},
                           .categories = {.item_size = sizeof(uint32_t)},
                           .collides_with = {.item_size = sizeof(uint32_t)},
                           .waiting = {.item_size = sizeof(int32_t)},
                           .first_free = -1,
                           .contacts = {.item_size = sizeof(PliantContact)},
                           .body_pairs = {.item_size = sizeof(PliantBodyPair)},
                           .keys = {.item_size = sizeof(uint64_t)}};
    pli_kernels_fill(&world->kernels, def->cpu_mask);
    pli_worker_init(&world->worker, &world->host, &world->kernels);
    pli_broad_init(&world->broad, &world->host);
    pli_narrow_init(&world->narrow, &world->worker);
    pli_drawing_init(&world->drawing);
    for (int i = 0; i < 3; i++)
        pli_spans_init(&world->spans[i]);
    pli_measure_init(&world->measure);
}

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
    PLI_CHECK(&call, (unsigned)def.broad_kind <= PLIANT_BROAD_SWEEP, PLIANT_BAD_ARGUMENT,
              "def.broad_kind is %d", (int)def.broad_kind);
    PliantHost host;
    PliantResult result = pli_host_check(&call, def.host, &host);
    void *memory = NULL;
    if (result == PLIANT_OK)
        result = pli_allocate(&host, 1, sizeof(PliantWorld), &memory);
    if (result != PLIANT_OK)
        return result;
    init(memory, &def, &host);
    *world = memory;
    return PLIANT_OK;
}

void pliant_world_destroy(PliantWorld *world)
{
    if (!world)
        return;
    PliantHost host = world->host;
    PliBody *bodies = world->bodies.items;
    for (int64_t i = 0; i < world->bodies.count; i++)
        if (bodies[i].is_alive)
            (void)pliant_body_destroy(world, pli_world_name(world, (int32_t)i));
    pli_broad_free(&world->broad);
    pli_narrow_free(&world->narrow);
    pli_drawing_free(&world->drawing, &host);
    for (int i = 0; i < 3; i++)
        pli_spans_free(&world->spans[i], &host);
    pli_measure_free(&world->measure, &host);
    pli_array_free(&world->bodies, &host);
    pli_array_free(&world->boxes, &host);
    pli_array_free(&world->categories, &host);
    pli_array_free(&world->collides_with, &host);
    pli_array_free(&world->waiting, &host);
    pli_worker_free(&world->worker);
    pli_array_free(&world->contacts, &host);
    pli_array_free(&world->body_pairs, &host);
    pli_array_free(&world->keys, &host);
    pli_release(&host, world, 1, sizeof *world);
}

static size_t world_bytes(const PliantWorld *world)
{
    return sizeof *world + pli_broad_bytes(&world->broad) + pli_narrow_bytes(&world->narrow) +
           pli_array_bytes(&world->bodies) + pli_array_bytes(&world->boxes) +
           pli_array_bytes(&world->categories) + pli_array_bytes(&world->collides_with) +
           pli_array_bytes(&world->waiting) + pli_array_bytes(&world->worker.terms) +
           pli_array_bytes(&world->worker.term_weights) + pli_array_bytes(&world->worker.boxes) +
           pli_array_bytes(&world->contacts) + pli_array_bytes(&world->body_pairs) +
           pli_drawing_bytes(&world->drawing) + pli_spans_bytes(&world->spans[0]) +
           pli_spans_bytes(&world->spans[1]) + pli_spans_bytes(&world->spans[2]) +
           pli_measure_bytes(&world->measure) + pli_array_bytes(&world->keys);
}

static PLI_NOINLINE void add_standing(const PliantWorld *world, const PliBody *body,
                                      PliantStats *stats)
{
    PliFpMode caller = pli_fp_enter();
    PliWorker worker = world->worker; /* the scratch is shared: a world belongs to one thread */
    stats->nonfinite_triangles += body->pose.kind->count_nonfinite(&body->pose, &worker);
    pli_fp_leave(caller);
    stats->byte_size += pli_pose_bytes(&body->pose) + pli_fan_state_bytes(body->fan_state);
}

PliantResult pliant_world_stats(const PliantWorld *world, PliantStats *stats)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_CHECK(&call, stats, PLIANT_BAD_ARGUMENT, "stats is NULL");
    PliantStats all = world->stats;
    all.byte_size = world_bytes(world);
    const PliBody *bodies = world->bodies.items;
    for (int64_t i = 0; i < world->bodies.count; i++)
        if (bodies[i].is_alive)
            add_standing(world, &bodies[i], &all);
    *stats = all;
    return PLIANT_OK;
}

PliantResult pliant_body_stats(const PliantWorld *world, PliantBody name, PliantStats *stats)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "body", name, body);
    PLI_CHECK(&call, stats, PLIANT_BAD_ARGUMENT, "stats is NULL");
    PliantStats all = body->query == world->query ? body->stats : (PliantStats){0};
    add_standing(world, body, &all);
    *stats = all;
    return PLIANT_OK;
}
