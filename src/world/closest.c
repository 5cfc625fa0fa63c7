/* Closest points and winding numbers of bodies: see points.h. */
#include "base/sort.h"
#include "base/tasks.h"
#include "world/crew.h"
#include "world/points.h"

/* What a worker has done since it last asked whether the query goes on. */
typedef struct Turn {
    PliWorker *worker;
    int64_t work, steps;
} Turn;

/* The query is asked whether it goes on after so much work: one for a comparison of a point with a
 * box, and SEARCH_WORK for a search or a sign. */
enum { SEARCH_WORK = 1 << 10, WORK_OF_A_TURN = 1 << 14 };

/* After so much work, and so many steps as progress counts them. */
static PliantResult count_work(Turn *turn, int64_t work, int64_t steps)
{
    turn->work += work;
    turn->steps += steps;
    if (turn->work < WORK_OF_A_TURN)
        return PLIANT_OK;
    pli_control_count(turn->worker->control, turn->steps);
    turn->work = turn->steps = 0;
    return pli_worker_check(turn->worker);
}

static PliBox box_of(const float *point)
{
    return (PliBox){{point[0], point[1], point[2]}, {point[0], point[1], point[2]}};
}

/* ---- Winding numbers ---------------------------------------------------------------------------
 */

PliantResult pli_world_search_points(PliantWorld *world, PliBody *body)
{
    PliPointSearch *points = &world->first.points;
    pli_point_search_start(points, INFINITY);
    return pli_point_search_set_pose(points, &body->pose,
                                     pli_world_handle(world, pli_world_number(world, body)));
}

PliantResult pli_world_find_boundary(PliantWorld *world, PliBody *body, PliPosedBoundary *boundary)
{
    PliPoseFeatures features;
    PLI_TRY(body->pose.kind->features(&body->pose, &world->body_host, &features));
    return pli_posed_boundary_find(boundary, &body->pose, &features, &world->first.worker);
}

/* ---- The order ---------------------------------------------------------------------------------
 *
 * Points are searched for along a curve (Morton 1966), whatever their order is, so that leaves are
 * found in the cache, and a search begins near its end. This affects speed only.
 */

enum { CURVE_BITS = 8 }; /* of each coordinate */

/* Spreads eight bits to every third one. */
static uint32_t spread(uint32_t bits)
{
    bits = (bits | bits << 8) & 0x00f00f;
    bits = (bits | bits << 4) & 0x0c30c3;
    return (bits | bits << 2) & 0x249249;
}

static PliBox box_of_all(const PliPoints *batch)
{
    PliBox box = pli_box_empty();
    for (int32_t i = 0; i < batch->points.count; i++) {
        const float *point = pli_point_at(batch, i);
        pli_box_add_point(&box, (PliFloat4){point[0], point[1], point[2]});
    }
    return box;
}

static uint32_t curve_key(const PliBox *box, const double scale[3], const float *point)
{
    uint32_t key = 0;
    for (int k = 0; k < 3; k++)
        key |= spread((uint32_t)(((double)point[k] - box->low[k]) * scale[k])) << k;
    return key;
}

/* Sets the order: keys of the curve above, numbers of points below. */
static PliantResult set_order(PliPoints *batch)
{
    PliantWorld *world = batch->world;
    const int32_t count = batch->points.count;
    const PliBox box = box_of_all(batch);
    double scale[3];
    for (int k = 0; k < 3; k++) {
        const double size = (double)box.high[k] - box.low[k];
        scale[k] = size > 0 ? (1 << CURVE_BITS) * (1 - 0x1p-40) / size : 0;
    }
    for (int i = 0; i < 2; i++)
        PLI_TRY(pli_array_reserve(&world->point_order[i], &world->host, count));
    uint64_t *keys = world->point_order[0].items;
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)curve_key(&box, scale, pli_point_at(batch, i)) << 32 | (uint32_t)i;
    pli_sort_pairs(keys, world->point_order[1].items, count, 3 * CURVE_BITS, pli_bits_below(count));
    return PLIANT_OK;
}

/* ---- One body ----------------------------------------------------------------------------------
 */

/* What is done with a body: it is searched for all points whose home is this one, or for all
 * others; or for all of them. Then points whose home it is get their signs. Or all points get their
 * winding numbers. */
typedef enum Pass { HOME, OTHERS, ALL, SIGNS, WINDINGS } Pass;

static bool has_windings(Pass pass)
{
    return pass == SIGNS || pass == WINDINGS;
}

/* Does a point take part? */
static bool takes_part(const PliPoints *batch, int32_t i, int32_t number, Pass pass)
{
    const int32_t *homes = batch->world->point_homes.items;
    return pass == ALL || pass == WINDINGS || (homes[i] == number) == (pass != OTHERS);
}

/* May the closest point be in this body, by its box? */
static bool is_within_reach(const PliPoints *batch, int32_t i, int32_t number,
                            const PliPointSearch *points)
{
    const PliBox box = box_of(pli_point_at(batch, i));
    const PliReach reach = pli_point_search_reach(points, &batch->closest[i]);
    return pli_gap(&box, (const PliBox *)batch->world->boxes.items + number) <= reach.limit;
}

/* The points whose closest point a body may have, by portions of their order. */
typedef struct Search {
    PliPoints *batch;
    PliBody *body;
    int32_t number;
    Pass pass;
    int32_t portion_count;
    atomic_int result; /* PliantResult: of a portion that has failed */
} Search;

/* A point on the surface has no sign. */
static bool is_searched_for(const Search *search, int32_t i, const PliPointSearch *points)
{
    return takes_part(search->batch, i, search->number, search->pass) &&
           (search->pass == ALL || search->pass == WINDINGS ||
            (search->pass == SIGNS ? search->batch->closest[i].distance > 0
                                   : is_within_reach(search->batch, i, search->number, points)));
}

/* Writes the winding number of a point; or makes its distance negative if it is inside. */
static PliantResult set_winding(const Search *search, int32_t i, PliPointSearch *points)
{
    PliPoints *batch = search->batch;
    PliWinding winding;
    PLI_TRY(pli_point_search_wind(points, &batch->world->boundaries[0], pli_point_at(batch, i),
                                  &winding));
    const bool is_undecided = pli_winding_is_undecided(&winding);
    const uint8_t flags = is_undecided ? PLIANT_WINDING_UNDECIDED : 0;
    const bool is_inside = pli_winding_is_inside(&winding);
    if (is_undecided)
        atomic_store(&batch->is_undecided, true);
    if (search->pass == WINDINGS) {
        batch->windings[i] = (PliantWindingNumber){.number = pli_winding_number(&winding),
                                                   .error = pli_winding_error(&winding),
                                                   .is_inside = is_inside,
                                                   .flags = flags};
        return PLIANT_OK;
    }
    PliantClosestPoint *closest = &batch->closest[i];
    closest->distance = is_inside ? -closest->distance : closest->distance;
    closest->flags |= is_undecided ? PLIANT_CLOSEST_UNDECIDED : 0;
    return PLIANT_OK;
}

static int32_t point_in_order(const PliPoints *batch, int64_t k)
{
    return (int32_t)(((const uint64_t *)batch->world->point_order[0].items)[k] & 0x7fffffff);
}

/* Prefetches a point and what is found for it: in the order of the curve, these are anywhere. It is
 * inlined, since GCC leaves out a call that writes nothing. */
PLI_ALWAYS_INLINE void prefetch(const PliPoints *batch, int64_t k, int64_t end)
{
    const int32_t i = point_in_order(batch, k < end ? k : end - 1);
    __builtin_prefetch(pli_point_at(batch, i));
    if (batch->closest)
        __builtin_prefetch(&batch->closest[i], 1);
}

/* Some points, by one worker. What is found for a point depends on nothing that is found for
 * others. */
static PliantResult search_some(const Search *search, int64_t begin, int64_t end,
                                PliWorldWorker *worker)
{
    enum { AHEAD = 4 };
    const PliPoints *batch = search->batch;
    Turn turn = {.worker = &worker->worker};
    if (worker->query != batch->world->query) {
        worker->query = batch->world->query;
        pli_point_search_start(&worker->points, batch->def.max_distance);
    }
    PLI_TRY(pli_point_search_set_pose(&worker->points, &search->body->pose,
                                      pli_world_handle(batch->world, search->number)));
    for (int64_t k = begin; k < end; k++) {
        const int32_t i = point_in_order(batch, k);
        prefetch(batch, k + AHEAD, end);
        const bool is_searched = is_searched_for(search, i, &worker->points);
        if (is_searched)
            PLI_TRY(has_windings(search->pass)
                        ? set_winding(search, i, &worker->points)
                        : pli_point_search_find(&worker->points, pli_point_at(batch, i),
                                                &batch->closest[i]));
        PLI_TRY(count_work(&turn, is_searched ? SEARCH_WORK : 1,
                           takes_part(batch, i, search->number, search->pass)));
    }
    pli_control_count(turn.worker->control, turn.steps);
    return pli_worker_check(turn.worker);
}

/* PliWork. */
static void search_portion(void *data, int32_t index, PliWorker *worker)
{
    Search *search = data;
    const int64_t count = search->batch->points.count;
    const PliantResult result = search_some(
        search, pli_part_begin(index, search->portion_count, count),
        pli_part_begin(index + 1, search->portion_count, count), (PliWorldWorker *)(void *)worker);
    if (result != PLIANT_OK)
        atomic_store(&search->result, result);
}

/* Searches a body, if any point may have its closest point there, or sets signs. */
static PliantResult search_body(PliPoints *batch, int32_t number, Pass pass)
{
    enum { PORTIONS_PER_WORKER = 8, MIN_DIVIDED = 256 };
    PliantWorld *world = batch->world;
    PliWorker *worker = &world->first.worker;
    const int32_t count = batch->points.count, crew = pli_worker_crew_count(worker);
    PliBody *body = (PliBody *)world->bodies.items + number;
    /* Which nodes are reached depends on the point before, and a soup keeps their order. */
    const bool is_divided = crew > 1 && (count >= MIN_DIVIDED || world->divides_everything) &&
                            !pli_soup_of(&body->pose);
    Search search = {.batch = batch,
                     .body = body,
                     .number = number,
                     .pass = pass,
                     .portion_count = is_divided ? PORTIONS_PER_WORKER * crew : 1};
    int32_t first = 0;
    int64_t steps = 0;
    for (; first < count && !is_searched_for(&search, first, &world->first.points); first++)
        steps += takes_part(batch, first, number, pass);
    if (first == count) {
        pli_control_count(&world->control, steps);
        return pli_worker_check(worker);
    }
    pli_world_update_body(world, search.body);
    if (has_windings(pass))
        PLI_TRY(pli_world_find_boundary(world, search.body, &world->boundaries[0]));
    if (is_divided)
        PLI_TRY(pli_bounds_share(&search.body->pose.bounds, &world->body_host));
    pli_worker_divide(worker, search_portion, &search, search.portion_count);
    pli_bounds_unshare(&search.body->pose.bounds);
    pli_world_count(world, search.body, PLI_SIDE_A);
    return (PliantResult)atomic_load(&search.result);
}

static PliantResult search_one(PliPoints *batch, int32_t number)
{
    batch->world->control.total += batch->points.count;
    return search_body(batch, number, ALL);
}

/* ---- All bodies --------------------------------------------------------------------------------
 */

/* Is a body searched: is it there, and do the filters allow it? */
static bool is_searched(const PliPoints *batch, int32_t number)
{
    const PliantWorld *world = batch->world;
    return pli_body_is_seen((const PliBody *)world->bodies.items + number) &&
           (((const uint32_t *)world->categories.items)[number] & batch->def.collides_with) &&
           (((const uint32_t *)world->collides_with.items)[number] & batch->def.categories);
}

/* The home of a point is the body whose box is closest; -1: there is none. */
static int32_t home_of(const PliPoints *batch, const float *point)
{
    const PliantWorld *world = batch->world;
    const PliBox *boxes = world->boxes.items, box = box_of(point);
    float least = INFINITY;
    int32_t home = -1;
    for (int32_t i = 0; i < (int32_t)world->bodies.count; i++) {
        const float gap = pli_gap(&box, &boxes[i]);
        if (gap < least && is_searched(batch, i)) {
            least = gap;
            home = i;
        }
    }
    return home;
}

/* Body by body, so that the points of each share its leaves: first those whose home it is, so that
 * little is left to search in others. */
static PliantResult search_all(PliPoints *batch)
{
    PliantWorld *world = batch->world;
    const int32_t body_count = (int32_t)world->bodies.count;
    PLI_TRY(pli_world_refresh(world));
    PLI_TRY(pli_array_reserve(&world->point_homes, &world->host, batch->points.count));
    int32_t *homes = world->point_homes.items;
    for (int32_t number = 0; number < body_count; number++)
        world->control.total += is_searched(batch, number) ? batch->points.count : 0;
    Turn turn = {.worker = &world->first.worker};
    for (int32_t i = 0; i < batch->points.count; i++) {
        homes[i] = home_of(batch, pli_point_at(batch, i));
        PLI_TRY(count_work(&turn, body_count, 0));
    }
    for (Pass pass = HOME; pass <= OTHERS; pass++)
        for (int32_t number = 0; number < body_count; number++)
            if (is_searched(batch, number))
                PLI_TRY(search_body(batch, number, pass));
    return PLIANT_OK;
}

/* ---- Signs -------------------------------------------------------------------------------------
 */

/* Body by body: the home of a point that has no sign yet is the body that is closest. */
static PliantResult set_signs(PliPoints *batch)
{
    PliantWorld *world = batch->world;
    const int32_t count = batch->points.count;
    PLI_TRY(pli_array_reserve(&world->point_homes, &world->host, count));
    int32_t *homes = world->point_homes.items;
    for (int32_t i = 0; i < count; i++) {
        homes[i] = (int32_t)batch->closest[i].body.index - 1; /* -1: nothing was found */
        pli_control_count(&world->control, homes[i] < 0);
    }
    for (int32_t i = 0; i < count; i++) {
        const int32_t number = homes[i];
        if (number < 0)
            continue;
        PLI_TRY(search_body(batch, number, SIGNS));
        for (int32_t k = i; k < count; k++)
            homes[k] = homes[k] == number ? -1 : homes[k];
    }
    return PLIANT_OK;
}

PliantResult pli_points_find(void *points)
{
    PliPoints *batch = points;
    PliantWorld *world = batch->world;
    pli_point_search_start(&world->first.points, batch->def.max_distance);
    PLI_TRY(pli_array_reserve(&world->closest, &world->host, batch->points.count));
    PLI_TRY(pli_worker_check(&world->first.worker));
    batch->closest = world->closest.items;
    world->control.total = batch->def.is_signed ? batch->points.count : 0;
    for (int32_t i = 0; i < batch->points.count; i++)
        batch->closest[i] = pli_point_search_nothing();
    PLI_TRY(set_order(batch));
    PLI_TRY(batch->number < 0 ? search_all(batch) : search_one(batch, batch->number));
    return batch->def.is_signed ? set_signs(batch) : PLIANT_OK;
}

PliantResult pli_points_wind(void *points)
{
    PliPoints *batch = points;
    PliantWorld *world = batch->world;
    pli_point_search_start(&world->first.points, INFINITY);
    PLI_TRY(pli_array_reserve(&world->windings, &world->host, batch->points.count));
    batch->windings = world->windings.items;
    world->control.total = batch->points.count;
    PLI_TRY(set_order(batch));
    return search_body(batch, batch->number, WINDINGS);
}
