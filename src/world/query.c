/* What every query begins with, and what it counts: see world.h. */
#include "base/round.h"
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

/* ---- What has been set ------------------------------------------------------------------------
 */

/* Bodies with at least so many leaves in all are updated by several workers; with fewer, handing
 * them out takes longer than it saves. */
enum { MIN_UPDATED_LEAVES = 4096, PORTIONS_PER_WORKER = 8 };

typedef struct Updates {
    const PliantWorld *world;
    int64_t portion;
} Updates;

/* PliWork: updates a portion of the bodies that wait. */
static void update_portion(void *data, int32_t index, PliWorker *worker)
{
    const Updates *updates = data;
    const PliantWorld *world = updates->world;
    PliBody *bodies = world->bodies.items;
    const int32_t *waiting = world->waiting.items;
    const int64_t first = index * updates->portion, end = first + updates->portion;
    for (int64_t i = first; i < end && i < world->waiting.count; i++)
        if (bodies[waiting[i]].is_alive && !bodies[waiting[i]].has_loose_box)
            pli_world_update_by(world, &bodies[waiting[i]], worker);
}

/* Updates the bodies that wait: each by one worker, if there are many; else one after the other, in
 * which case a large one is divided. */
static void update_waiting(PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    const int32_t *waiting = world->waiting.items;
    const int64_t count = world->waiting.count;
    const int32_t crew = pli_worker_crew_count(&world->first.worker);
    int64_t leaves = 0;
    for (int64_t i = 0; crew > 1 && i < count; i++)
        leaves += bodies[waiting[i]].is_alive ? pli_world_leaf_count(&bodies[waiting[i]]) : 0;
    const bool is_worth_it = count >= 2 * crew && leaves >= MIN_UPDATED_LEAVES;
    if (crew > 1 && count > 0 && (is_worth_it || world->divides_everything)) {
        Updates updates = {world, pli_div_up(count, PORTIONS_PER_WORKER * crew)};
        pli_worker_divide(&world->first.worker, update_portion, &updates,
                          (int32_t)pli_div_up(count, updates.portion));
    } else {
        Updates updates = {world, count};
        update_portion(&updates, 0, &world->first.worker);
    }
}

void pli_world_refresh(PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    PliBox *boxes = world->boxes.items;
    int32_t *waiting = world->waiting.items;
    int64_t kept = 0;
    update_waiting(world);
    for (int64_t i = 0; i < world->waiting.count; i++) {
        int32_t number = waiting[i];
        PliBody *body = &bodies[number];
        body->is_waiting = false;
        if (!body->is_alive)
            continue;
        if (body->has_loose_box) {
            boxes[number] = body->loose_box;
            continue;
        }
        pli_world_count_update(world, body);
        boxes[number] = body->pose.bounds.root;
        body->is_waiting = body->pose.is_borrowed;
        if (body->is_waiting)
            waiting[kept++] = number;
    }
    world->waiting.count = kept;
}
