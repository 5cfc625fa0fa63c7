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
    pli_narrow_start(&world->narrow);
}

static void add_counts(PliantStats *stats, const PliPoseCounts *counts)
{
    stats->nodes_updated += counts->opened_nodes;
    stats->leaves_evaluated += counts->fetched_leaves;
    stats->vertices_evaluated += counts->evaluated_vertices;
}

void pli_world_count(PliantWorld *world, PliBody *body, PliSide side)
{
    PliPoseCounts *counts = &world->worker.counts[side];
    add_counts(&body->stats, counts);
    add_counts(&world->stats, counts);
    *counts = (PliPoseCounts){0};
}

/* Makes a body's box and bounds right, once a query. */
void pli_world_freshen(PliantWorld *world, PliBody *body)
{
    if (body->query == world->query)
        return;
    body->query = world->query;
    body->stats = (PliantStats){0};
    body->pose.placed_count = 0;
    body->stats.vertices_read = pli_pose_update(&body->pose, &world->worker);
    body->stats.primitives_placed = body->pose.placed_count;
    world->stats.vertices_read += body->stats.vertices_read;
    world->stats.primitives_placed += body->stats.primitives_placed;
    pli_world_count(world, body, PLI_SIDE_A);
}

void pli_world_look(PliantWorld *world, PliBody *body)
{
    pli_world_freshen(world, body);
    body->is_closed = pli_pose_is_closed(&body->pose);
}
