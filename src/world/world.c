/* Making and ending worlds, and their memory: see world.h. */
#include "world/world.h"
#include "world/crew.h"
#include "world/items.h"
#include "world/reader.h"

#include <inttypes.h>
#include <string.h>

/* Arrays that queries use, as X(name, type of an item, part of the memory that it counts as). */
#define QUERY_ARRAYS(X)                                                                            \
    X(contacts, PliantContact, answers)                                                            \
    X(body_pairs, PliantBodyPair, answers)                                                         \
    X(near_pairs, PliantNearPair, answers)                                                         \
    X(unique_pairs, PliantNearPair, answers)                                                       \
    X(impacts, PliantImpact, answers)                                                              \
    X(intersections, PliantIntersection, answers)                                                  \
    X(intersection_points, PliantIntersectionPoint, answers)                                       \
    X(ray_hits, PliantRayHit, answers)                                                             \
    X(hit_points, PliantHitPoint, answers)                                                         \
    X(closest, PliantClosestPoint, answers)                                                        \
    X(windings, PliantWindingNumber, answers)                                                      \
    X(pairs_within, PliantBodyPair, answers)                                                       \
    X(in_boxes.triangles, int32_t, answers)                                                        \
    X(in_boxes.corners, float[PLI_ROW_SIZE], answers)                                              \
    X(near_boxes, PliBox, broad_phase)                                                             \
    X(sweep_boxes, PliBox, broad_phase)                                                            \
    X(allowed_pairs, PliBroadPair, broad_phase)                                                    \
    X(query_pairs, PliBroadPair, broad_phase)                                                      \
    X(ray_portions, PliRayPortion, workers)                                                        \
    X(point_order[0], uint64_t, workers)                                                           \
    X(point_order[1], uint64_t, workers)                                                           \
    X(point_homes, int32_t, workers)                                                               \
    X(pair_vertices[0], float, workers)                                                            \
    X(pair_vertices[1], float, workers)                                                            \
    X(in_boxes.stack, PliVisitPart, workers)                                                       \
    X(in_boxes.near, int32_t, workers)                                                             \
    X(in_boxes.keys, uint64_t, workers)                                                            \
    X(in_boxes.rows, float[PLI_ROW_SIZE], workers)                                                 \
    X(in_boxes.end_rows, float[PLI_ROW_SIZE], workers)                                             \
    X(feature_order, PliRanked, workers)                                                           \
    X(prepared, PliPrepared, workers)                                                              \
    X(items, PliQueryItem, workers)                                                                \
    X(merged, uint64_t, workers)

/* Everything that queries make on need, without memory. The first worker is there. */
static void init_queries(PliantWorld *world)
{
#define INIT_ARRAY(name, Item, part) world->name = (PliArray){.item_size = sizeof(Item)};
    QUERY_ARRAYS(INIT_ARRAY)
#undef INIT_ARRAY
    memset(world->last_leaves, 0, sizeof world->last_leaves);
    memset(world->gathered, 0, sizeof world->gathered);
    pli_fan_scratch_init(&world->fans);
    pli_broad_init(&world->broad, &world->broad_host);
    pli_broad_init(&world->near_broad, &world->broad_host);
    pli_broad_init(&world->sweep_broad, &world->broad_host);
    pli_kept_init(&world->near_kept, sizeof(PliNearCandidate));
    pli_kept_init(&world->sweep_kept, sizeof(PliSweepCandidate));
    pli_regions_init(&world->regions, &world->first.regions, pli_world_worker_regions);
    pli_tiles_init(&world->tiles);
    pli_measure_init(&world->measure);
    pli_scene_init(&world->scene);
    for (int i = 0; i < 2; i++)
        pli_posed_boundary_init(&world->boundaries[i]);
}

/* Releases all of that, and the workers but the first. */
static void free_queries(PliantWorld *world)
{
    const PliantHost *host = &world->host;
#define FREE_ARRAY(name, Item, part) pli_array_free(&world->name, host);
    QUERY_ARRAYS(FREE_ARRAY)
#undef FREE_ARRAY
    pli_fan_scratch_free(&world->fans, &world->body_host);
    pli_broad_free(&world->broad);
    pli_broad_free(&world->near_broad);
    pli_broad_free(&world->sweep_broad);
    pli_kept_free(&world->near_kept, host);
    pli_kept_free(&world->sweep_kept, host);
    pli_regions_free(&world->regions);
    pli_tiles_free(&world->tiles, host);
    pli_measure_free(&world->measure, host);
    pli_scene_free(&world->scene, host);
    for (int i = 0; i < 2; i++)
        pli_posed_boundary_free(&world->boundaries[i], host);
    pli_world_crew_free(world);
}

void pli_world_init(PliantWorld *world, const PliKernels *kernels, PliBroadKind broad_kind,
                    const PliantHost *host)
{
    *world = (PliantWorld){.broad_kind = broad_kind,
                           .kernels = *kernels,
                           .bodies = {.item_size = sizeof(PliBody)},
                           .exclusions = {.item_size = sizeof(PliExclusions)},
                           .boxes = {.item_size = sizeof(PliBox)},
                           .categories = {.item_size = sizeof(uint32_t)},
                           .collides_with = {.item_size = sizeof(uint32_t)},
                           .waiting = {.item_size = sizeof(int32_t)},
                           .reader_fans = {.item_size = sizeof(PliReaderFans)},
                           .lists_readers = ATOMIC_FLAG_INIT,
                           .first_free = -1,
                           .asked = -1,
                           .max_work = PLI_MAX_WORK};
    world->claims = &world->claim_count;
    pli_counting_host_init(&world->counting, host, 0, &world->host);
    pli_counting_host_init(&world->body_counting, host, sizeof *world, &world->body_host);
    pli_counting_host_init(&world->broad_counting, host, 0, &world->broad_host);
    pli_world_worker_init(&world->first, world);
    init_queries(world);
}

/* Every block went back through the host that it came from. */
static void check_counts(const PliantWorld *world)
{
#ifdef PLIANT_ASSERTS
    if (pli_counting_host_bytes(&world->counting) != 0 ||
        pli_counting_host_bytes(&world->body_counting) != sizeof *world ||
        pli_counting_host_bytes(&world->broad_counting) != 0)
        __builtin_trap();
#else
    (void)world;
#endif
}

/* ---- Ending a world ----------------------------------------------------------------------------
 */

void pli_world_free(PliantWorld *world)
{
    const PliantHost inner = world->counting.inner, *host = &world->body_host;
    PliBody *bodies = world->bodies.items;
    for (int64_t i = 0; i < world->bodies.count; i++)
        if (bodies[i].is_alive)
            pli_world_remove(world, &bodies[i]);
    free_queries(world);
    pli_world_worker_free(&world->first);
    pli_exclusions_free_all(&world->exclusions, host);
    pli_array_free(&world->bodies, host);
    pli_array_free(&world->boxes, host);
    pli_array_free(&world->categories, host);
    pli_array_free(&world->collides_with, host);
    pli_array_free(&world->waiting, host);
    check_counts(world);
    pli_release(&inner, world, 1, sizeof *world);
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

static size_t kept_bytes(const PliKept *kept)
{
    return pli_array_bytes(&kept->pairs) + pli_array_bytes(&kept->candidates) +
           pli_array_bytes(&kept->fresh) + pli_array_bytes(&kept->next_pairs) +
           pli_array_bytes(&kept->next_candidates);
}

size_t pli_world_bytes(const PliantWorld *world)
{
    return pli_counting_host_bytes(&world->counting) +
           pli_counting_host_bytes(&world->body_counting) +
           pli_counting_host_bytes(&world->broad_counting);
}

PliantWorldMemory pli_world_memory(const PliantWorld *world)
{
    const PliRegions *regions = &world->regions;
    PliantWorldMemory all = {
        .bodies = pli_counting_host_bytes(&world->body_counting),
        .broad_phase = pli_counting_host_bytes(&world->broad_counting),
        .answers = pli_array_bytes(&regions->regions) + pli_array_bytes(&regions->curves) +
                   pli_array_bytes(&regions->points) + pli_array_bytes(&regions->triangles) +
                   pli_array_bytes(&regions->vertices),
        .candidates = kept_bytes(&world->near_kept) + kept_bytes(&world->sweep_kept),
        .total = pli_world_bytes(world)};
#define ADD_ARRAY(name, Item, part) all.part += pli_array_bytes(&world->name);
    QUERY_ARRAYS(ADD_ARRAY)
#undef ADD_ARRAY
    all.workers = all.total - all.bodies - all.broad_phase - all.answers - all.candidates;
    return all;
}

void pli_world_trim(PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    for (int64_t i = 0; i < world->bodies.count && !pli_world_is_read(world); i++)
        if (bodies[i].is_alive)
            pli_world_trim_body(world, &bodies[i]);
    free_queries(world);
    pli_world_worker_trim(&world->first, world);
    init_queries(world);
}
