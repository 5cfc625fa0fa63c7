/* What touches on the way: see pliant/sweep.h. */
#include "base/cpu.h"
#include "world/world.h"

#include <float.h>
#include <inttypes.h>

/* ---- Ends ------------------------------------------------------------------------------------ */

/* The pose of a new end: that of its body. */
static PliantResult copy_mesh(const PliantWorld *world, const PliBody *body, PliBody *fresh)
{
    PLI_TRY(pli_mesh_pose_init(&fresh->mesh, body->mesh.shape, &world->body_host));
    const PliantResult result = pli_mesh_pose_match(&fresh->mesh, &body->mesh, &world->body_host);
    if (result != PLIANT_OK)
        pli_pose_free(&fresh->pose, &world->body_host);
    return result;
}

static PliantResult copy_soup(const PliantWorld *world, const PliBody *body, PliBody *fresh)
{
    const PliSoup *soup = &body->soup;
    PliantSoupDef def = pliant_soup_def_default();
    PliantPrimitives primitives = pliant_primitives_default();
    def.primitive_kind = soup->primitive_kind;
    primitives.vertices = (PliantVertices){(const float *)soup->vertices.data,
                                           (int32_t)soup->vertices.count, soup->vertices.stride};
    primitives.count = soup->count;
    primitives.corners = soup->corners;
    PLI_TRY(pli_soup_init(&fresh->soup, &def, &world->body_host));
    const PliantResult result = (soup->base.is_borrowed ? pli_soup_borrow : pli_soup_copy)(
        &fresh->soup, &primitives, &world->body_host);
    if (result != PLIANT_OK)
        pli_pose_free(&fresh->pose, &world->body_host);
    else
        pli_pose_match_transform(&fresh->pose, &body->pose);
    return result;
}

PliantResult pliant_body_create_end(PliantWorld *world, PliantBody handle, PliantBody *end)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK(&call, end, PLIANT_BAD_ARGUMENT, "end is NULL");
    PLI_CHECK(&call, body->owner < 0, PLIANT_BAD_ARGUMENT, "the body is an end itself");
    PLI_CHECK(&call, body->end < 0, PLIANT_BAD_ARGUMENT, "the body has an end");
    const int32_t number = pli_world_number(world, body);
    PliantShape *shape = pli_shape_of(&body->pose);
    PliBody fresh = {0};
    PLI_TRY(shape ? copy_mesh(world, body, &fresh) : copy_soup(world, body, &fresh));
    PLI_TRY(pli_world_add(&call, world, &fresh, 0, 0, end)); /* there is room for its body's */
    if (shape)
        pliant_shape_retain(shape);
    PliBody *bodies = world->bodies.items, *added = pli_world_body(world, *end);
    added->owner = number;
    bodies[number].end = pli_world_number(world, added);
    world->body_count--; /* it is none that the caller counts */
    return PLIANT_OK;
}

PliantBody pliant_body_end(const PliantWorld *world, PliantBody handle)
{
    const PliBody *body = world ? pli_world_body(world, handle) : NULL;
    return body && body->end >= 0 ? pli_world_handle(world, body->end) : (PliantBody){0};
}

/* ---- Slack ----------------------------------------------------------------------------------- */

/* At least w^2 / 8 for the angle w between two rotations. The squares of the differences of their
 * coefficients sum up to 8 sin^2(w / 2). With x = sin(w / 2), w = 2 asin(x) and asin(x) <= x +
 * (pi / 2 - 1) x^3, since (asin(x) - x) / x^3 increases up to x = 1. Rotations are rounded: 2^-18
 * is more than nine coefficients are off by. */
static double bulge_of(const PliantTransform *start, const PliantTransform *end)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double change = (double)end->rows[i][k] - start->rows[i][k];
            sum += change * change;
        }
    const double sine = sqrt(sum / 8) + 0x1p-18, x = sine < 1 ? sine : 1;
    const double half = x + 0.5707964 * (x * x * x);
    return half * half / 2;
}

static PLI_NOINLINE float find_slack(const PliantTransform *start, const PliantTransform *end,
                                     const float *radii, int32_t joint_count)
{
    double most = 0;
    for (int32_t i = 0; i < joint_count; i++) {
        const double slack = bulge_of(&start[i], &end[i]) * (double)radii[i];
        if (!(slack < INFINITY) || radii[i] < 0)
            return INFINITY;
        most = slack > most ? slack : most;
    }
    return (float)(most * (1 + 0x1p-20));
}

float pliant_joints_slack(const PliantTransform *start, const PliantTransform *end,
                          const float *radii, int32_t joint_count)
{
    if (!start || !end || !radii || joint_count < 0)
        return INFINITY;
    const PliFpMode caller = pli_fp_enter();
    const float slack = find_slack(start, end, radii, joint_count);
    pli_fp_leave(caller);
    return slack;
}

/* ---- Poses ----------------------------------------------------------------------------------- */

/* A query. */
typedef struct Query {
    const PliCall *call;
    PliantWorld *world;
    PliantSweepDef def;
    bool is_over; /* there are more impacts than def.max_impact_count */
} Query;

/* D, rounded up. */
static float reach_of(const PliantSweepDef *def)
{
    const float sum = def->distance + def->slack;
    const float reach = sum > 0 ? pli_moved_up(sum) : 0;
    return reach < FLT_MAX ? reach : FLT_MAX;
}

/* D and the margin: nothing depends on how the sum is rounded. */
static float wide_reach_of(const PliantSweepDef *def)
{
    const float reach = reach_of(def) + def->margin;
    return reach < FLT_MAX ? reach : FLT_MAX;
}

static PliantResult open_pose(const Query *query, int32_t number, PliMovingPose *pose)
{
    return pli_world_open_moving(query->call, query->world, number, pose);
}

/* ---- Pairs of bodies ------------------------------------------------------------------------- */

/* Of two bodies the first impact alone may be wanted; of the world it stays if it is earlier. */
static void keep_first(PliantWorld *world, int64_t first)
{
    PliantImpact *impacts = world->impacts.items;
    if (first == 0 || world->impacts.count == first)
        return;
    if (impacts[first].time < impacts[0].time)
        impacts[0] = impacts[first];
    world->impacts.count = 1;
}

/* The impacts of two poses, from what is kept if that can be. */
static PliantResult find_kept(const Query *query, PliBody *a, PliBody *b,
                              const PliMovingPose poses[2])
{
    PliantWorld *world = query->world;
    PliKeptSide sides[2];
    PLI_TRY(pli_world_motions(world, a, poses[0], &sides[0]));
    PLI_TRY(pli_world_motions(world, b, poses[1], &sides[1]));
    return pli_sweep_find_kept(&world->sweep, &world->sweep_kept, &world->last_epoch, poses, sides,
                               query->def.max_time, &world->impacts);
}

/* The impacts of two poses up to the limit. The first of two bodies may be one too many. */
static PliantResult find_some(Query *query, const PliMovingPose poses[2])
{
    PliantWorld *world = query->world;
    PliArray *impacts = &world->impacts;
    const int64_t limit = query->def.max_impact_count;
    const bool is_limited = limit > 0 && query->def.kind != PLIANT_EARLIEST;
    if (is_limited && query->def.kind == PLIANT_ALL_IMPACTS)
        world->sweep.found.limit = limit - impacts->count;
    PLI_TRY(pli_sweep_find(&world->sweep, poses[0], poses[1], impacts));
    query->is_over = world->sweep.found.is_over;
    if (is_limited && impacts->count > limit) {
        impacts->count = limit;
        query->is_over = true;
    }
    return PLIANT_OK;
}

/* Appends the impacts of two bodies, or of one, with their handles. */
static PliantResult find_impacts(Query *query, int32_t a, int32_t b)
{
    PliantWorld *world = query->world;
    PliBody *bodies = world->bodies.items;
    const int64_t first = world->impacts.count;
    PliMovingPose poses[2];
    PLI_TRY(open_pose(query, a, &poses[0]));
    PLI_TRY(open_pose(query, b, &poses[1]));
    PLI_TRY(pli_control_check(&world->control));
    if (query->def.kind == PLIANT_FIRST_IMPACTS)
        world->sweep.until = query->def.max_time;
    if (query->def.margin > 0)
        PLI_TRY(find_kept(query, &bodies[a], &bodies[b], poses));
    else
        PLI_TRY(find_some(query, poses));
    pli_world_count(world, &bodies[a], PLI_SIDE_A);
    pli_world_count(world, &bodies[b], PLI_SIDE_B);
    for (int64_t i = first; i < world->impacts.count; i++) {
        PliantImpact *impact = (PliantImpact *)world->impacts.items + i;
        impact->body_a = pli_world_handle(world, a);
        impact->body_b = pli_world_handle(world, b);
    }
    if (query->def.kind == PLIANT_EARLIEST)
        keep_first(world, first);
    pli_control_count(&world->control, 1);
    return PLIANT_OK;
}

/* ---- Which bodies ----------------------------------------------------------------------------
 *
 * Bodies that move together far would all overlap in boxes of their whole way. So these are boxes
 * of the way as seen by someone who moves evenly, by the mean of all: if two points are at one
 * place at time t, so are they with t times a vector subtracted.
 */

/* The boxes of a body at both ends; where it has none, they are empty or have NaN. A loose box
 * holds the whole way. */
typedef struct BoxPair {
    PliBox start, end;
} BoxPair;

static PliantResult find_boxes(const Query *query, int32_t number, BoxPair *boxes)
{
    const PliBody *body = (const PliBody *)query->world->bodies.items + number;
    PliMovingPose pose;
    if (body->has_loose_box) {
        *boxes = (BoxPair){body->loose_box, body->loose_box};
        return PLIANT_OK;
    }
    PLI_TRY(open_pose(query, number, &pose));
    *boxes = (BoxPair){pose.start->bounds.root, pose.end->bounds.root};
    return PLIANT_OK;
}

/* How far bodies move in the mean, by the middles of their boxes; 0 along an axis if that is not
 * finite. */
static PliantResult find_drift(const Query *query, float drift[3])
{
    const PliBody *bodies = query->world->bodies.items;
    double sums[3] = {0};
    int64_t count = 0;
    for (int32_t i = 0; i < (int32_t)query->world->bodies.count; i++) {
        BoxPair boxes;
        if (!pli_body_is_seen(&bodies[i]))
            continue;
        PLI_TRY(find_boxes(query, i, &boxes));
        for (int k = 0; k < 3; k++)
            sums[k] += 0.5 * (((double)boxes.end.low[k] - boxes.start.low[k]) +
                              ((double)boxes.end.high[k] - boxes.start.high[k]));
        count++;
    }
    for (int k = 0; k < 3; k++) {
        drift[k] = count > 0 ? (float)(sums[k] / (double)count) : 0;
        if (!(fabsf(drift[k]) < 0x1p100f))
            drift[k] = 0;
    }
    return PLIANT_OK;
}

/* The boxes of all ways, less the drift. What is subtracted is rounded, and so moved outward. */
static PliantResult find_ways(const Query *query)
{
    PliantWorld *world = query->world;
    const PliBody *bodies = world->bodies.items;
    const int64_t count = world->bodies.count;
    const float half = pli_half_up(reach_of(&query->def));
    float drift[3];
    PLI_TRY(find_drift(query, drift));
    PLI_TRY(pli_array_reserve(&world->sweep_boxes, &world->host, count));
    for (int32_t i = 0; i < (int32_t)count; i++) {
        PliBox *way = (PliBox *)world->sweep_boxes.items + i;
        BoxPair boxes;
        *way = (PliBox){{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
        if (!pli_body_is_seen(&bodies[i]))
            continue;
        PLI_TRY(find_boxes(query, i, &boxes));
        *way = pli_box_widened(&boxes.start, 0);
        for (int k = 0; k < 3; k++) {
            boxes.end.low[k] = pli_moved_down(pli_moved_down(boxes.end.low[k]) - drift[k]);
            boxes.end.high[k] = pli_moved_up(pli_moved_up(boxes.end.high[k]) - drift[k]);
        }
        pli_box_add(way, &boxes.end);
        if (half > 0)
            *way = pli_box_widened(way, half);
    }
    return PLIANT_OK;
}

/* All pairs of bodies in order: a body and itself, if that is asked for, and then it and those
 * after it. */
static PLI_NOINLINE PliantResult search_world(Query *query)
{
    PliantWorld *world = query->world;
    const PliBody *bodies = world->bodies.items;
    const PliBroadPair *pairs = NULL;
    int64_t pair_count = 0, next = 0;
    PLI_TRY(pli_world_refresh(world));
    PLI_TRY(find_ways(query));
    const PliBroadInput input = {.count = (int32_t)world->bodies.count,
                                 .boxes = world->sweep_boxes.items,
                                 .categories = world->categories.items,
                                 .collides_with = world->collides_with.items,
                                 .kind = world->broad_kind};
    PLI_TRY(pli_broad_find(&world->sweep_broad, &input, &pairs, &pair_count));
    world->control.total = pair_count + (query->def.includes_self ? world->body_count : 0);
    for (int32_t a = 0; a < (int32_t)world->bodies.count && !query->is_over; a++) {
        if (query->def.includes_self && pli_body_has_self(&bodies[a]))
            PLI_TRY(find_impacts(query, a, a));
        for (; next < pair_count && pairs[next].a == a && !query->is_over; next++)
            PLI_TRY(find_impacts(query, a, pairs[next].b));
    }
    return PLIANT_OK;
}

static PLI_NOINLINE PliantResult search_two(Query *query, int32_t a, int32_t b)
{
    query->world->control.total = 1;
    return find_impacts(query, a < b ? a : b, a < b ? b : a);
}

/* ---- The public calls ------------------------------------------------------------------------ */

#define DEF_SIZE PLI_RECORD_SIZE(PliantSweepDef, user)
#define IMPACTS_SIZE PLI_RECORD_SIZE(PliantImpacts, count)

static PliantResult open_query(const PliCall *call, const PliantSweepDef *def,
                               const PliantImpacts *impacts, Query *query)
{
    PLI_CHECK_OUTPUT(call, "impacts", "pliant_impacts_default", impacts, IMPACTS_SIZE);
    PLI_CHECK(call,
              !def ||
                  pli_record_read(&query->def, sizeof query->def, DEF_SIZE, def, def->struct_size),
              PLIANT_BAD_DEF, "def.struct_size is %zu: start from pliant_sweep_def_default()",
              def->struct_size);
    PLI_CHECK(call, (unsigned)query->def.kind <= PLIANT_ALL_IMPACTS, PLIANT_BAD_ARGUMENT,
              "def.kind is %d: one of PliantSweepKind is needed", (int)query->def.kind);
    PLI_CHECK(call, query->def.max_time >= 0 && query->def.max_time <= 1, PLIANT_BAD_ARGUMENT,
              "def.max_time is %g: a number from 0 to 1 is needed", (double)query->def.max_time);
    PLI_CHECK(call, query->def.distance >= 0 && query->def.distance < INFINITY, PLIANT_BAD_ARGUMENT,
              "def.distance is %g: a finite number that is not negative is needed",
              (double)query->def.distance);
    PLI_CHECK(call, query->def.margin >= 0 && query->def.margin < INFINITY, PLIANT_BAD_ARGUMENT,
              "def.margin is %g: a finite number that is not negative is needed",
              (double)query->def.margin);
    PLI_CHECK(call, query->def.slack >= 0 && query->def.slack < INFINITY, PLIANT_BAD_ARGUMENT,
              "def.slack is %g: a finite number that is not negative is needed",
              (double)query->def.slack);
    PLI_CHECK(call, query->def.max_impact_count >= 0, PLIANT_BAD_ARGUMENT,
              "def.max_impact_count is %" PRId64 ": a number that is not negative is needed",
              query->def.max_impact_count);
    if (query->def.max_impact_count > 0)
        query->def.margin = 0; /* what is kept is complete */
    return PLIANT_OK;
}

static PliantResult search(Query *query, int32_t a, int32_t b)
{
    return a < 0 ? search_world(query) : search_two(query, a, b);
}

/* The same with a margin. What is kept is complete, or nothing is. */
static PliantResult search_and_keep(Query *query, int32_t a, int32_t b)
{
    PliKept *kept = &query->world->sweep_kept;
    pli_kept_start(kept);
    return pli_kept_end(kept, search(query, a, b), a < 0, &query->world->host);
}

/* Runs a query over two bodies, or over all if `a` is -1. */
static PliantResult run_query(Query *query, int32_t a, int32_t b, PliantImpacts *impacts)
{
    PliantWorld *world = query->world;
    const PliFpMode caller = pli_fp_enter();
    world->impacts.count = 0;
    pli_sweep_start(&world->sweep, query->def.max_time, reach_of(&query->def),
                    wide_reach_of(&query->def), query->def.kind != PLIANT_ALL_IMPACTS);
    pli_world_start(world, query->def.progress, query->def.user);
    const PliantResult result =
        query->def.margin > 0 ? search_and_keep(query, a, b) : search(query, a, b);
    pli_fp_leave(caller);
    PLI_TRY(result);
    const PliantImpacts found = {.items = world->impacts.items,
                                 .count = world->impacts.count,
                                 .stamp = pli_world_stamp(world),
                                 .is_limit_reached = query->is_over,
                                 .is_conservative = reach_of(&query->def) > 0};
    pli_record_write(impacts, IMPACTS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_sweep(PliantWorld *world, const PliantSweepDef *def,
                                PliantImpacts *impacts)
{
    PLI_CHANGE_WORLD(world);
    Query query = {.call = &call, .world = world, .def = pliant_sweep_def_default()};
    PLI_TRY(open_query(&call, def, impacts, &query));
    return run_query(&query, -1, -1, impacts);
}

PliantResult pliant_bodies_sweep(PliantWorld *world, PliantBody a, PliantBody b,
                                 const PliantSweepDef *def, PliantImpacts *impacts)
{
    PLI_CHANGE_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    Query query = {.call = &call, .world = world, .def = pliant_sweep_def_default()};
    PLI_TRY(open_query(&call, def, impacts, &query));
    return run_query(&query, pli_world_number(world, body_a), pli_world_number(world, body_b),
                     impacts);
}
