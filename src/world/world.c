/* Making and ending worlds, and what they say of themselves: see pliant/world.h. */
#include "world/world.h"
#include "base/cpu.h"
#include "world/crew.h"
#include "world/items.h"

#include <inttypes.h>
#include <stdatomic.h>

/* Tags differ between the worlds that are alive, unless 65,535 were created since the older one. It
 * is the only process-wide state of the library, and no answer depends on it. */
static uint16_t next_tag(void)
{
    static atomic_uint_least32_t last;
    return (uint16_t)(1 + atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) % UINT16_MAX);
}

/* The def as it was first published: a caller's cannot be shorter. */
#define FIRST_SIZE PLI_RECORD_SIZE(PliantWorldDef, host)

static void init(PliantWorld *world, const PliantWorldDef *def, const PliantHost *host)
{
    static const PliBroadKind kinds[] = {PLI_BROAD_AUTO, PLI_BROAD_BRUTE, PLI_BROAD_SWEEP};
    *world = (PliantWorld){
        .tag = next_tag(),
        .broad_kind = kinds[def->broad_kind],
        .bodies = {.item_size = sizeof(PliBody)},
        .boxes = {.item_size = sizeof(PliBox)},
        .categories = {.item_size = sizeof(uint32_t)},
        .collides_with = {.item_size = sizeof(uint32_t)},
        .waiting = {.item_size = sizeof(int32_t)},
        .first_free = -1,
        .contacts = {.item_size = sizeof(PliantContact)},
        .self_contacts = {.item_size = sizeof(PliantContact)},
        .body_pairs = {.item_size = sizeof(PliantBodyPair)},
        .near_boxes = {.item_size = sizeof(PliBox)},
        .sweep_boxes = {.item_size = sizeof(PliBox)},
        .impacts = {.item_size = sizeof(PliantImpact)},
        .near_pairs = {.item_size = sizeof(PliantNearPair)},
        .intersections = {.item_size = sizeof(PliantIntersection)},
        .intersection_points = {.item_size = sizeof(PliantIntersectionPoint)},
        .intersection_scratch = {.item_size = sizeof(PliIntersectionScratch)},
        .ray_portions = {.item_size = sizeof(PliRayPortion)},
        .ray_hits = {.item_size = sizeof(PliantRayHit)},
        .pairs_within = {.item_size = sizeof(PliantBodyPair)},
        .point_order = {{.item_size = sizeof(uint64_t)}, {.item_size = sizeof(uint64_t)}},
        .point_homes = {.item_size = sizeof(int32_t)},
        .corner_keys = {.item_size = sizeof(uint64_t)},
        .in_boxes = {.stack = {.item_size = 2 * sizeof(int64_t)},
                     .near = {.item_size = sizeof(int32_t)},
                     .keys = {.item_size = sizeof(uint64_t)},
                     .rows = {.item_size = PLI_ROW_SIZE * sizeof(float)},
                     .end_rows = {.item_size = PLI_ROW_SIZE * sizeof(float)},
                     .triangles = {.item_size = sizeof(int32_t)},
                     .corners = {.item_size = PLI_ROW_SIZE * sizeof(float)}},
        .max_work = PLI_MAX_WORK,
        .items = {.item_size = sizeof(PliQueryItem)},
        .merged = {.item_size = sizeof(uint64_t)},
        .pairs_of_one = {.item_size = sizeof(PliBroadPair)}};
    pli_counting_host_init(&world->counting, host, sizeof *world, &world->host);
    pli_kernels_fill(&world->kernels, def->cpu_mask);
    pli_fan_scratch_init(&world->fans);
    pli_world_worker_init(&world->first, world);
    pli_broad_init(&world->broad, &world->host);
    pli_near_init(&world->near, &world->first.worker);
    pli_sweep_init(&world->sweep, &world->first.worker);
    pli_kept_init(&world->near_kept, sizeof(PliNearCandidate));
    pli_kept_init(&world->sweep_kept, sizeof(PliSweepCandidate));
    pli_distance_init(&world->distance, &world->first.worker);
    pli_point_search_init(&world->point_search, &world->first.worker);
    pli_regions_init(&world->regions, &world->host);
    pli_broad_init(&world->near_broad, &world->host);
    pli_broad_init(&world->sweep_broad, &world->host);
    pli_tiles_init(&world->tiles);
    pli_measure_init(&world->measure);
    pli_scene_init(&world->scene);
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
    void *memory = NULL;
    PLI_TRY(pli_host_check(&call, def.host, &host));
    PLI_TRY(pli_allocate(&host, 1, sizeof(PliantWorld), &memory));
    init(memory, &def, &host);
    *world = memory;
    return PLIANT_OK;
}

void pliant_world_destroy(PliantWorld *world)
{
    if (!world)
        return;
    const PliantHost host = world->host; /* counts in the world until its last block */
    const PliantHost inner = world->counting.inner;
    PliBody *bodies = world->bodies.items;
    for (int64_t i = 0; i < world->bodies.count; i++)
        if (bodies[i].is_alive)
            (void)pliant_body_destroy(world, pli_world_handle(world, (int32_t)i));
    pli_broad_free(&world->broad);
    pli_broad_free(&world->near_broad);
    pli_tiles_free(&world->tiles, &host);
    pli_measure_free(&world->measure, &host);
    pli_scene_free(&world->scene, &host);
    pli_array_free(&world->ray_portions, &host);
    pli_array_free(&world->ray_hits, &host);
    pli_array_free(&world->bodies, &host);
    pli_array_free(&world->boxes, &host);
    pli_array_free(&world->categories, &host);
    pli_array_free(&world->collides_with, &host);
    pli_array_free(&world->waiting, &host);
    pli_array_free(&world->near_boxes, &host);
    pli_array_free(&world->near_pairs, &host);
    pli_array_free(&world->pairs_within, &host);
    pli_array_free(&world->point_order[0], &host);
    pli_array_free(&world->point_order[1], &host);
    pli_array_free(&world->point_homes, &host);
    pli_near_free(&world->near);
    pli_sweep_free(&world->sweep);
    pli_broad_free(&world->sweep_broad);
    pli_array_free(&world->sweep_boxes, &host);
    pli_array_free(&world->impacts, &host);
    pli_kept_free(&world->near_kept, &host);
    pli_kept_free(&world->sweep_kept, &host);
    pli_distance_free(&world->distance);
    pli_point_search_free(&world->point_search);
    pli_regions_free(&world->regions);
    pli_array_free(&world->corner_keys, &world->host);
    pli_array_free(&world->in_boxes.stack, &host);
    pli_array_free(&world->in_boxes.near, &host);
    pli_array_free(&world->in_boxes.keys, &host);
    pli_array_free(&world->in_boxes.rows, &host);
    pli_array_free(&world->in_boxes.end_rows, &host);
    pli_array_free(&world->in_boxes.triangles, &host);
    pli_array_free(&world->in_boxes.corners, &host);
    pli_array_free(&world->intersections, &host);
    pli_array_free(&world->intersection_points, &host);
    pli_array_free(&world->intersection_scratch, &host);
    pli_world_crew_free(world);
    pli_world_worker_free(&world->first);
    pli_fan_scratch_free(&world->fans, &host);
    pli_array_free(&world->items, &host);
    pli_array_free(&world->merged, &host);
    pli_array_free(&world->pairs_of_one, &host);
    pli_array_free(&world->contacts, &host);
    pli_array_free(&world->self_contacts, &host);
    pli_array_free(&world->body_pairs, &host);
    pli_release(&inner, world, 1, sizeof *world);
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
    if (!world || (previous.index != 0 && previous.world != world->tag))
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
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK(&call, world, PLIANT_BAD_ARGUMENT, "world is NULL");
    PLI_CHECK_OUTPUT(&call, "stats", stats, STATS_SIZE);
    PliantStats all = world->stats;
    all.byte_size = pli_counting_host_bytes(&world->counting);
    pli_record_write(stats, STATS_SIZE, &all, sizeof all);
    return PLIANT_OK;
}

PliantResult pliant_body_stats(const PliantWorld *world, PliantBody handle, PliantStats *stats)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK_OUTPUT(&call, "stats", stats, STATS_SIZE);
    const PliantStats all = body->query == world->query ? body->stats : (PliantStats){0};
    pli_record_write(stats, STATS_SIZE, &all, sizeof all);
    return PLIANT_OK;
}
