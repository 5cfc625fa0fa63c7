/* What touches on the way: see pliant/sweep.h. */
#include "api/checks.h"
#include "base/cpu.h"
#include "world/crew.h"
#include "world/feature_query.h"

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
    PliFeatureQuery base;
    PliantSweepDef def;
} Query;

static float distance_of(const PliantSweepDef *def)
{
    return pli_sweep_distance(def->distance, def->slack);
}

static PliBody *body_at(const PliQuery *query, int32_t number)
{
    return (PliBody *)query->world->bodies.items + number;
}

/* PliQuestion.prepare. */
static PliantResult prepare(PliQuery *base, int32_t number, PliPrepared *prepared)
{
    PliantWorld *world = base->world;
    PliMovingPose pose;
    PLI_TRY(pli_world_open_moving(((const Query *)base)->base.call, world, number, &pose));
    prepared->end_pose = pose.end;
    return pli_moving_features(pose, &world->body_host, &prepared->features);
}

/* PliQuestion.start. */
static void start(const PliQuery *query, PliWorldWorker *worker)
{
    const PliantSweepDef *def = &((const Query *)query)->def;
    pli_sweep_start(&worker->sweep, distance_of(def), def->margin, def->rest_distance,
                    def->kind != PLIANT_ALL_IMPACTS);
}

static const PliQuestion SWEEP = {
    .prepare = prepare, .has_ends = true, .start = start, PLI_FEATURE_QUERY_HOOKS};

/* PliFeatureQuery.find_kept. */
static PliantResult find_kept(PliFeatureQuery *query, const PliFeatureSide *a,
                              const PliFeatureSide *b, PliKeptSide sides[2])
{
    PliantWorld *world = query->base.world;
    return pli_sweep_find_kept(&world->first.sweep, query->kept, &world->last_epoch, a, b, sides,
                               query->max_time, query->base.answers);
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

static PliantResult find_boxes(PliQuery *query, int32_t number, BoxPair *boxes)
{
    const PliBody *body = body_at(query, number);
    PliMovingPose pose;
    if (body->has_loose_box) {
        *boxes = (BoxPair){body->loose_box, body->loose_box};
        return PLIANT_OK;
    }
    PLI_TRY(pli_world_open_moving(((const Query *)query)->base.call, query->world, number, &pose));
    *boxes = (BoxPair){pose.start->bounds.root, pose.end->bounds.root};
    return PLIANT_OK;
}

/* How far bodies move in the mean, by the middles of their boxes; 0 along an axis if that is not
 * finite. */
static PliantResult find_drift(PliQuery *query, float drift[3])
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
static PliantResult find_ways(PliQuery *query, float distance)
{
    PliantWorld *world = query->world;
    const PliBody *bodies = world->bodies.items;
    const int64_t count = world->bodies.count;
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
        const float half =
            pli_thick_half(pli_half_up(distance), pli_world_thickness(world, &bodies[i], true));
        if (half > 0)
            *way = pli_box_widened(way, half);
    }
    return PLIANT_OK;
}

/* ---- The public calls ------------------------------------------------------------------------ */

#define DEF_SIZE PLI_RECORD_SIZE(PliantSweepDef, user)
#define IMPACTS_SIZE PLI_RECORD_SIZE(PliantImpacts, count)

static PliantResult open_query(const PliCall *call, const PliantSweepDef *def,
                               const PliantImpacts *impacts, Query *query)
{
    PLI_CHECK_OUTPUT(call, "impacts", "pliant_impacts_default", impacts, IMPACTS_SIZE);
    PLI_READ_DEF(call, "pliant_sweep_def_default", def, &query->def, DEF_SIZE);
    PLI_CHECK(call, (unsigned)query->def.kind <= PLIANT_ALL_IMPACTS, PLIANT_BAD_ARGUMENT,
              "def.kind is %d: one of PliantSweepKind is needed", (int)query->def.kind);
    PLI_CHECK(call, query->def.max_time >= 0 && query->def.max_time <= 1, PLIANT_BAD_ARGUMENT,
              "def.max_time is %g: a number from 0 to 1 is needed", (double)query->def.max_time);
    PLI_CHECK_FINITE(call, "def.distance", query->def.distance);
    PLI_CHECK_FINITE(call, "def.margin", query->def.margin);
    PLI_CHECK_FINITE(call, "def.slack", query->def.slack);
    PLI_CHECK_REST(call, "def.rest_distance", query->def.rest_distance);
    PLI_CHECK_LIMIT(call, "def.max_impact_count", query->def.max_impact_count);
    if (query->def.max_impact_count > 0 || query->base.base.world->read)
        query->def.margin = 0; /* what is kept is complete, and the world's */
    return PLIANT_OK;
}

/* PliFeatureQuery.find_bodies. */
static PliantResult find_bodies(PliFeatureQuery *query, const PliBroadPair **pairs, int64_t *count)
{
    PliantWorld *world = query->base.world;
    PLI_TRY(find_ways(&query->base, distance_of(&((const Query *)query)->def)));
    const PliBroadInput input = {.count = (int32_t)world->bodies.count,
                                 .boxes = world->sweep_boxes.items,
                                 .categories = world->categories.items,
                                 .collides_with = world->collides_with.items,
                                 .kind = world->broad_kind};
    PLI_TRY(pli_broad_find(&world->sweep_broad, &input, pairs, count));
    return pli_world_allow_pairs(world, pairs, count);
}

/* Has one of two bodies a radius or a rounding error, or any body if `a` is -1? */
static bool are_thick(const PliantWorld *world, int32_t a, int32_t b)
{
    const PliBody *bodies = world->bodies.items;
    return a < 0 ? pli_world_is_thick(world)
                 : pli_world_thickness(world, &bodies[a], true) > 0 ||
                       pli_world_thickness(world, &bodies[b], true) > 0;
}

/* Runs a query over two bodies, or over all if `a` is -1. */
static PliantResult run_query(Query *query, int32_t a, int32_t b, PliantImpacts *impacts)
{
    PliFeatureQuery *base = &query->base;
    PliantWorld *world = base->base.world;
    base->base.question = &SWEEP;
    base->search = offsetof(PliWorldWorker, sweep.search);
    base->max_time = query->def.max_time;
    base->find_kept = find_kept;
    base->find_bodies = find_bodies;
    base->base.answers = &world->impacts;
    base->limit = query->def.max_impact_count;
    base->includes_self = query->def.includes_self;
    base->is_first_wanted = query->def.kind != PLIANT_ALL_IMPACTS;
    base->is_one_wanted = query->def.kind == PLIANT_EARLIEST;
    base->kept = query->def.margin > 0 ? &world->sweep_kept : NULL;
    base->a = a;
    base->b = b;
    PLI_TRY(
        pli_world_ask(world, query->def.progress, query->def.user, pli_feature_query_run, query));
    const PliantImpacts found = {.items = world->impacts.items,
                                 .count = world->impacts.count,
                                 .stamp = pli_world_stamp(world),
                                 .is_limit_reached = base->base.is_over,
                                 .is_conservative =
                                     distance_of(&query->def) > 0 || are_thick(world, a, b)};
    pli_record_write(impacts, IMPACTS_SIZE, &found, sizeof found);
    return PLIANT_OK;
}

PliantResult pliant_world_sweep(PliantWorld *world, const PliantSweepDef *def,
                                PliantImpacts *impacts)
{
    PLI_ASK_WORLD(world);
    Query query = {.base = {.base = {.world = world}, .call = &call},
                   .def = pliant_sweep_def_default()};
    PLI_TRY(open_query(&call, def, impacts, &query));
    return run_query(&query, -1, -1, impacts);
}

PliantResult pliant_bodies_sweep(PliantWorld *world, PliantBody a, PliantBody b,
                                 const PliantSweepDef *def, PliantImpacts *impacts)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    Query query = {.base = {.base = {.world = world}, .call = &call},
                   .def = pliant_sweep_def_default()};
    PLI_TRY(open_query(&call, def, impacts, &query));
    return run_query(&query, pli_world_number(world, body_a), pli_world_number(world, body_b),
                     impacts);
}
