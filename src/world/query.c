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

/* Brings the statistics up to what the body's pose has done in this query. */
void pli_world_count(PliantWorld *world, PliBody *body)
{
    int64_t nodes = body->pose.bounds.opened_count - body->stats.nodes_updated;
    int64_t leaves = body->pose.fetched_count - body->stats.leaves_evaluated;
    int64_t vertices = body->pose.blended_count - body->stats.vertices_evaluated;
    int64_t primitives = body->pose.placed_count - body->stats.primitives_placed;
    body->stats.nodes_updated += nodes;
    world->stats.nodes_updated += nodes;
    body->stats.leaves_evaluated += leaves;
    world->stats.leaves_evaluated += leaves;
    body->stats.vertices_evaluated += vertices;
    world->stats.vertices_evaluated += vertices;
    body->stats.primitives_placed += primitives;
    world->stats.primitives_placed += primitives;
}

/* Makes a body's box and bounds right, once a query. */
void pli_world_freshen(PliantWorld *world, PliBody *body)
{
    if (body->query == world->query)
        return;
    body->query = world->query;
    body->stats = (PliantStats){0};
    body->pose.bounds.opened_count = body->pose.fetched_count = 0;
    body->pose.blended_count = body->pose.placed_count = 0;
    body->stats.vertices_read = pli_pose_update(&body->pose, &world->kernels, world->scratch.items);
    world->stats.vertices_read += body->stats.vertices_read;
    pli_world_count(world, body);
}

void pli_world_look(PliantWorld *world, PliBody *body)
{
    pli_world_freshen(world, body);
    body->is_closed = pli_pose_is_closed(&body->pose);
}
