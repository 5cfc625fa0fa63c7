/* What every query begins with, and what it counts: see world.h. */
#include "base/round.h"
#include "world/reader.h"

/* Once in 2^32 queries, marks of older ones are wiped. */
void pli_world_next_query(PliantWorld *world)
{
    const bool is_wiped = ++world->query == 0;
    if (is_wiped) {
        PliBody *bodies = world->bodies.items;
        for (int64_t i = 0; i < world->bodies.count && !pli_world_is_read(world); i++) {
            bodies[i].query = bodies[i].moment = bodies[i].hash_moment = bodies[i].read_moment = 0;
            if (bodies[i].is_alive && bodies[i].follower)
                bodies[i].follower->moment = 0;
        }
        for (int32_t i = 1; world->others && i < world->crew.count; i++)
            world->others[i - 1].query = 0;
        world->prepared.count = 0;
        world->query = 1;
    }
    if (!world->is_held || (is_wiped && !pli_world_is_read(world)))
        world->moment = world->query;
}

void pli_world_start(PliantWorld *world, PliProgress *progress, void *user)
{
    world->stats = (PliantStats){0};
    world->hashes_borrowed = false;
    pli_control_start(&world->control, progress, user);
    pli_world_next_query(world);
    for (int side = 0; side < 2; side++) /* a query that failed may have left counts */
        world->first.worker.counts[side] = (PliPoseCounts){0};
    pli_narrow_start(&world->first.narrow);
}

static void add_counts(PliantStats *stats, const PliPoseCounts *counts)
{
    stats->nodes_updated += counts->opened_nodes;
    stats->leaves_evaluated += counts->fetched_leaves;
    stats->vertices_evaluated += counts->evaluated_vertices;
}

void pli_world_add_counts(PliantWorld *world, PliBody *body, const PliPoseCounts *counts)
{
    add_counts(pli_world_stats_of(world, body), counts);
    add_counts(&world->stats, counts);
}

void pli_world_count(PliantWorld *world, PliBody *body, PliSide side)
{
    PliPoseCounts *counts = &world->first.worker.counts[side];
    pli_world_add_counts(world, body, counts);
    *counts = (PliPoseCounts){0};
}

/* The same by a worker, once, for the statistics of the body alone. */
static void update_body(PliantWorld *world, PliBody *body, PliWorker *worker)
{
    body->query = world->query;
    body->stats = (PliantStats){0};
    pli_world_read_doubles(world, body);
    if (world->hashes_borrowed || pli_world_checks_hold(world))
        pli_world_hash_body(world, body, worker);
    if (body->moment == world->moment)
        return;
    body->moment = world->moment;
    body->pose.placed_count = 0;
    body->stats = (PliantStats){.vertices_read = pli_pose_update(&body->pose, worker)};
    body->stats.primitives_placed = body->pose.placed_count;
    add_counts(&body->stats, &worker->counts[PLI_SIDE_A]);
    worker->counts[PLI_SIDE_A] = (PliPoseCounts){0};
}

/* Adds what the update of a body took. */
static void add_update(PliantStats *stats, const PliantStats *update)
{
    stats->vertices_read += update->vertices_read;
    stats->primitives_placed += update->primitives_placed;
    stats->nodes_updated += update->nodes_updated;
    stats->leaves_evaluated += update->leaves_evaluated;
    stats->vertices_evaluated += update->vertices_evaluated;
}

void pli_world_update_body(PliantWorld *world, PliBody *body)
{
    if (world->read || body->query == world->query)
        return;
    update_body(world, body, &world->first.worker);
    add_update(&world->stats, &body->stats);
}

PliantResult pli_world_reader_start(const PliantWorld *world, PliBody *body, PliWorker *reader)
{
    const PliantShape *shape = pli_shape_of(&body->pose);
    pli_worker_init(reader, &world->host, &world->kernels);
    return pli_worker_reserve(reader, shape ? shape->morph_tables.term_count : 0, 0);
}

/* The end of a soup, in the order of its start. */
static PliantResult follow(const PliCall *call, PliantWorld *world, PliBody *body, PliBody *end,
                           PliPose **pose)
{
    const PliSoup *leader = &body->soup, *soup = &end->soup;
    PLI_CHECK(call, leader->count == soup->count && leader->vertices.count == soup->vertices.count,
              PLIANT_BAD_ARGUMENT,
              "a soup has %" PRId32 " primitives and %" PRIu32 " vertices, its end %" PRId32
              " and %" PRIu32,
              leader->count, leader->vertices.count, soup->count, soup->vertices.count);
    if (!end->follower)
        PLI_TRY(pli_follower_create(&world->body_host, &end->follower));
    *pose = &end->follower->base;
    if (end->follower->moment == world->moment)
        return PLIANT_OK;
    PLI_TRY(
        pli_follower_start(end->follower, leader, &end->soup, &world->body_host, &world->kernels));
    end->follower->moment = world->moment;
    return PLIANT_OK;
}

PliantResult pli_world_open_moving(const PliCall *call, PliantWorld *world, int32_t number,
                                   PliMovingPose *pose)
{
    PliBody *bodies = world->bodies.items, *body = &bodies[number];
    pli_world_update_body(world, body);
    *pose = (PliMovingPose){&body->pose, &body->pose};
    if (body->end < 0)
        return PLIANT_OK;
    PliBody *end = &bodies[body->end];
    if (pli_soup_of(&body->pose))
        return follow(call, world, body, end, &pose->end);
    pli_world_update_body(world, end);
    pose->end = &end->pose;
    return PLIANT_OK;
}

/* Follows the vertices of a body unless they would have to be evaluated, or may be others. */
static PliantResult update_motion(PliantWorld *world, PliBody *body, const PliPose *pose)
{
    const PliantShape *shape = pli_shape_of(&body->pose);
    const bool is_followed = shape && !pli_mesh_pose_is_blended(&body->mesh);
    if (pose != &body->pose && body->motion)
        body->motion->epoch = 0; /* the pose of a follower counts frames of its own */
    return pli_motion_update(&body->motion, pose, is_followed ? shape->header->vertex_count : 0,
                             &world->last_epoch, &world->body_host);
}

PliantResult pli_world_motions(PliantWorld *world, PliBody *body, PliMovingPose pose,
                               PliKeptSide *side)
{
    PliBody *end = pose.end == pose.start ? body : (PliBody *)world->bodies.items + body->end;
    PLI_TRY(update_motion(world, body, pose.start));
    if (end != body)
        PLI_TRY(update_motion(world, end, pose.end));
    *side = (PliKeptSide){{body->motion, end->motion}, pli_world_number(world, body), false};
    return PLIANT_OK;
}

PliSubject pli_world_subject(PliantWorld *world, PliBody *body, PliSide side)
{
    world->tiles.divides_everything = world->divides_everything;
    pli_world_update_body(world, body);
    return (PliSubject){&body->pose, pli_pose_is_closed(&body->pose), side};
}

/* ---- What has been set ------------------------------------------------------------------------
 */

/* Bodies with at least so many leaves in all are updated by several workers; with fewer, handing
 * them out takes longer than it saves. */
enum { MIN_UPDATED_LEAVES = 4096, MIN_LARGE_LEAVES = 8192, PORTIONS_PER_WORKER = 8 };

typedef struct Updates {
    PliantWorld *world;
    int64_t portion;
} Updates;

/* Does a body go on waiting? Those whose vertices are borrowed do, since they may change at any
 * time. Those with a loose box are left alone until something comes near. */
static bool refresh_body(PliantWorld *world, int32_t number, PliWorldWorker *worker)
{
    PliBody *body = (PliBody *)world->bodies.items + number;
    PliBox *boxes = world->boxes.items;
    body->is_waiting = false;
    if (!pli_body_is_seen(body)) {
        boxes[number] = (PliBox){{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
        return false;
    }
    if (body->has_loose_box) {
        boxes[number] = body->loose_box;
        return false;
    }
    update_body(world, body, &worker->worker);
    add_update(&worker->updates, &body->stats);
    boxes[number] = body->pose.bounds.root;
    body->is_waiting = body->pose.is_borrowed;
    return body->is_waiting;
}

/* PliWork: a portion of the bodies that wait. Those that do so no longer become -1. */
static void refresh_portion(void *data, int32_t index, PliWorker *worker)
{
    const Updates *updates = data;
    int32_t *waiting = updates->world->waiting.items;
    const int64_t first = index * updates->portion, end = first + updates->portion;
    for (int64_t i = first; i < end && i < updates->world->waiting.count; i++)
        if (!pli_control_is_cancelled(&updates->world->control) &&
            !refresh_body(updates->world, waiting[i], (PliWorldWorker *)(void *)worker))
            waiting[i] = -1;
}

/* Into how many portions the bodies that wait are divided. If it is one, large meshes are divided
 * themselves: that is better if one of them takes as long as many others. */
static int32_t portion_count(PliantWorld *world)
{
    PliBody *bodies = world->bodies.items;
    const int32_t *waiting = world->waiting.items;
    const int32_t crew = pli_worker_crew_count(&world->first.worker);
    const int64_t count = world->waiting.count;
    const bool are_many = count >= 2 * crew;
    int64_t leaves = 0;
    if (crew == 1 || count < 2)
        return 1;
    for (int64_t i = 0; i < count && (leaves < MIN_UPDATED_LEAVES || !are_many); i++) {
        PliBody *body = &bodies[waiting[i]];
        const int64_t here = body->is_alive ? pli_world_leaf_count(body) : 0;
        const bool can_divide = here >= MIN_LARGE_LEAVES && !pli_soup_of(&body->pose);
        if (can_divide && !are_many && !world->divides_everything)
            return 1;
        leaves += here;
    }
    return leaves >= MIN_UPDATED_LEAVES || world->divides_everything ? PORTIONS_PER_WORKER * crew
                                                                     : 1;
}

PliantResult pli_world_refresh(PliantWorld *world)
{
    PliWorker *worker = &world->first.worker;
    int32_t *waiting = world->waiting.items;
    const int64_t count = world->waiting.count;
    if (pli_world_is_read(world))
        return PLIANT_OK;
    const int32_t portions = portion_count(world);
    Updates updates = {world, portions > 1 ? pli_div_up(count, portions) : count};
    if (portions > 1)
        pli_worker_divide(worker, refresh_portion, &updates,
                          (int32_t)pli_div_up(count, updates.portion));
    else
        refresh_portion(&updates, 0, worker);
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++)
        if (waiting[i] >= 0)
            waiting[kept++] = waiting[i];
    world->waiting.count = kept;
    for (int32_t i = 0; i < pli_worker_crew_count(worker); i++) {
        PliWorldWorker *other = i == 0 ? &world->first : &world->others[i - 1];
        add_update(&world->stats, &other->updates);
        other->updates = (PliantStats){0};
    }
    return pli_control_is_cancelled(&world->control) ? PLIANT_CANCELLED : PLIANT_OK;
}

float pli_world_thickness(const PliantWorld *world, const PliBody *body, bool has_ends)
{
    const PliBody *bodies = world->bodies.items;
    const float error = pli_pose_error(&body->pose),
                end = has_ends && body->end >= 0 ? pli_pose_error(&bodies[body->end].pose) : 0;
    return pli_sum_up(body->radii.greatest, error > end ? error : end);
}

/* ---- Bodies that are near ---------------------------------------------------------------------
 */

/* The boxes of all bodies, each wider by half of the distance, and by its radius. */
static PliantResult widen_boxes(PliantWorld *world, float distance, bool are_thick)
{
    const int64_t count = world->bodies.count;
    PLI_TRY(pli_array_reserve(&world->near_boxes, &world->host, count));
    const PliBox *boxes = world->boxes.items;
    PliBox *wide = world->near_boxes.items;
    const PliBody *bodies = world->bodies.items;
    const float half = pli_half_up(distance);
    for (int64_t i = 0; i < count; i++)
        wide[i] = pli_box_widened(
            &boxes[i],
            are_thick ? pli_thick_half(half, pli_world_thickness(world, &bodies[i], false)) : half);
    return PLIANT_OK;
}

PliantResult pli_world_near_bodies(PliantWorld *world, float distance, bool are_thick,
                                   const PliBroadPair **pairs, int64_t *count)
{
    PLI_TRY(widen_boxes(world, distance, are_thick));
    const PliBroadInput input = {.count = (int32_t)world->bodies.count,
                                 .boxes = world->near_boxes.items,
                                 .categories = world->categories.items,
                                 .collides_with = world->collides_with.items,
                                 .kind = world->broad_kind};
    PLI_TRY(pli_broad_find(&world->near_broad, &input, pairs, count));
    return pli_world_allow_pairs(world, pairs, count);
}

PliantResult pli_world_allow_pairs(PliantWorld *world, const PliBroadPair **pairs, int64_t *count)
{
    if (!world->may_pair)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(&world->allowed_pairs, &world->host, *count));
    PliBroadPair *allowed = world->allowed_pairs.items;
    int64_t kept = 0;
    for (int64_t i = 0; i < *count; i++)
        if (pli_world_may_pair(world, (*pairs)[i].a, (*pairs)[i].b))
            allowed[kept++] = (*pairs)[i];
    *pairs = allowed;
    *count = kept;
    return PLIANT_OK;
}

bool pli_world_is_thick(const PliantWorld *world)
{
    const PliBody *bodies = world->bodies.items;
    bool is_thick = false;
    for (int64_t i = 0; i < world->bodies.count; i++)
        is_thick |=
            pli_body_is_seen(&bodies[i]) && pli_world_thickness(world, &bodies[i], true) > 0;
    return is_thick;
}

PliantResult pli_world_push_pair(PliantWorld *world, int32_t a, int32_t b)
{
    void *room;
    PLI_TRY(pli_array_push(&world->query_pairs, &world->host, 1, &room));
    *(PliBroadPair *)room = a < b ? (PliBroadPair){a, b} : (PliBroadPair){b, a};
    return PLIANT_OK;
}

PliantResult pli_world_add_self_pairs(PliantWorld *world, const PliBroadPair **pairs,
                                      int64_t *count)
{
    const PliBody *bodies = world->bodies.items;
    int64_t next = 0;
    world->query_pairs.count = 0;
    for (int32_t a = 0; a < (int32_t)world->bodies.count; a++) {
        if (pli_body_has_self(&bodies[a]))
            PLI_TRY(pli_world_push_pair(world, a, a));
        for (; next < *count && (*pairs)[next].a == a; next++)
            PLI_TRY(pli_world_push_pair(world, a, (*pairs)[next].b));
    }
    *pairs = world->query_pairs.items;
    *count = world->query_pairs.count;
    return PLIANT_OK;
}
