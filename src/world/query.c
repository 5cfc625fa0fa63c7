/* What every query begins with, and what it counts: see world.h. */
#include "world/world.h"

/* A new query. Once in 2^32 of them, marks of older ones are wiped. */
void pli_world_start(PliantWorld *world)
{
    world->stats = (PliantStats){0};
    if (++world->query == 0) {
        PliBody *bodies = world->bodies.items;
        for (int64_t i = 0; i < world->bodies.count; i++)
            bodies[i].query = 0;
        world->query = 1;
    }
    pli_narrow_start(&world->first.narrow);
    for (int32_t i = 1; world->others && i < world->crew.count; i++)
        pli_narrow_start(&world->others[i - 1].narrow);
}

static void add_counts(PliantStats *stats, const PliPoseCounts *counts)
{
    stats->nodes_updated += counts->opened_nodes;
    stats->leaves_evaluated += counts->fetched_leaves;
    stats->vertices_evaluated += counts->evaluated_vertices;
}

void pli_world_add_counts(PliantWorld *world, PliBody *body, const PliPoseCounts *counts)
{
    add_counts(&body->stats, counts);
    add_counts(&world->stats, counts);
}

void pli_world_count(PliantWorld *world, PliBody *body, PliSide side)
{
    PliPoseCounts *counts = &world->first.worker.counts[side];
    pli_world_add_counts(world, body, counts);
    *counts = (PliPoseCounts){0};
}

void pli_world_update_by(const PliantWorld *world, PliBody *body, PliWorker *worker)
{
    body->query = world->query;
    body->pose.placed_count = 0;
    body->stats = (PliantStats){.vertices_read = pli_pose_update(&body->pose, worker)};
    body->stats.primitives_placed = body->pose.placed_count;
    add_counts(&body->stats, &worker->counts[PLI_SIDE_A]);
    worker->counts[PLI_SIDE_A] = (PliPoseCounts){0};
}

void pli_world_count_update(PliantWorld *world, const PliBody *body)
{
    world->stats.vertices_read += body->stats.vertices_read;
    world->stats.primitives_placed += body->stats.primitives_placed;
    world->stats.nodes_updated += body->stats.nodes_updated;
    world->stats.leaves_evaluated += body->stats.leaves_evaluated;
    world->stats.vertices_evaluated += body->stats.vertices_evaluated;
}

void pli_world_update_body(PliantWorld *world, PliBody *body)
{
    if (body->query == world->query)
        return;
    pli_world_update_by(world, body, &world->first.worker);
    pli_world_count_update(world, body);
}

void pli_world_inspect_body(PliantWorld *world, PliBody *body)
{
    pli_world_update_body(world, body);
    body->is_closed = pli_pose_is_closed(&body->pose);
}
