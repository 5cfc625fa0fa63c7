/* Ray casts: see casts.h.
 *
 * A batch puts the bodies that it may hit into a scene, marks those whose boxes a ray goes through,
 * and updates them. Then each ray is cast by one worker, whatever the others do: a portion of the
 * rays is a task, and what the portions have found is put together in the order of the rays.
 */
#include "base/round.h"
#include "world/casts.h"
#include "world/crew.h"

#include <math.h>
#include <string.h>

/* So many rays are divided among workers, into portions of at least so many: handing out a portion
 * takes about as long as a ray. */
enum { MIN_DIVIDED_RAYS = 256, MIN_PORTION = 64, PORTIONS_PER_WORKER = 16 };

/* So many rays are cast together. */
enum { MIN_BATCH = 256 };

_Static_assert(sizeof(PliantRay) == sizeof(PliRay), "the same numbers in the same order");

static PliRay ray_at(const PliCast *cast, int64_t i)
{
    PliRay ray;
    memcpy(&ray, &cast->rays[i], sizeof ray);
    return ray;
}

/* ---- Rays ------------------------------------------------------------------------------------ */

static PliRayKind kind_of(const PliCast *cast)
{
    static const PliRayKind kinds[] = {PLI_RAY_FIRST, PLI_RAY_ANY, PLI_RAY_ALL};
    return kinds[cast->def.kind];
}

static PliantRayHit describe(const PliantWorld *world, const PliRay *ray, int64_t index,
                             const PliRayHit *hit)
{
    PliRayPoint point;
    const PliSceneBody *body = pli_scene_body(&world->scene, hit->body);
    pli_ray_describe(ray, hit->corners, &point);
    return (PliantRayHit){.ray = index,
                          .body = pli_world_handle(world, body->number),
                          .triangle = hit->triangle,
                          .t = point.t,
                          .weights = {point.weights[0], point.weights[1], point.weights[2]},
                          .side = point.side};
}

/* Adds the hits of one ray to an array. */
static PliantResult cast_ray(const PliCast *cast, int64_t index, PliWorldWorker *worker,
                             PliArray *to)
{
    const PliantWorld *world = cast->world;
    const PliRay ray = ray_at(cast, index);
    PliCaster *caster = &worker->caster;
    void *room;
    PLI_TRY(pli_ray_cast(caster, &world->scene, &ray, index, kind_of(cast), &worker->worker));
    const PliRayHit *hits = caster->hits.items;
    const int64_t count = caster->hits.count;
    PLI_TRY(pli_array_push(to, &world->host, count, &room));
    for (int64_t i = 0; i < count; i++)
        ((PliantRayHit *)room)[i] = describe(world, &ray, index, &hits[i]);
    return PLIANT_OK;
}

/* Adds the first hits of rays that are cast together. */
static PliantResult cast_batch(const PliCast *cast, int64_t first, int32_t count,
                               PliWorldWorker *worker, PliArray *to)
{
    enum { AHEAD = 16 };
    const PliantWorld *world = cast->world;
    PliCaster *caster = &worker->caster;
    void *room;
    PLI_TRY(
        pli_ray_batch(caster, &world->scene, cast->rays + first, first, count, &worker->worker));
    for (int32_t i = 0; i < count; i++) {
        const PliRayHit *hit = pli_batch_hit(caster, i);
        if (i + AHEAD < count)
            __builtin_prefetch(pli_batch_hit(caster, i + AHEAD));
        if (!hit)
            continue;
        const PliRay ray = ray_at(cast, first + i);
        PLI_TRY(pli_array_push(to, &world->host, 1, &room));
        *(PliantRayHit *)room = describe(world, &ray, first + i, hit);
    }
    return PLIANT_OK;
}

/* Are rays cast together? A limit is for the hits of the first rays, which end the query before
 * others are cast. */
static bool is_together(const PliCast *cast, int64_t count)
{
    const PliantWorld *world = cast->world;
    return (count >= MIN_BATCH || world->divides_everything) && world->scene.bodies.count > 0 &&
           cast->def.kind == PLIANT_FIRST_HIT && cast->def.max_hit_count == 0;
}

static PliantResult cast_batches(const PliCast *cast, int64_t first, int64_t end,
                                 PliWorldWorker *worker, PliArray *to)
{
    for (int64_t i = first; i < end; i += PLI_MAX_RAY_BATCH) {
        const int64_t left = end - i;
        const int32_t count = left < PLI_MAX_RAY_BATCH ? (int32_t)left : PLI_MAX_RAY_BATCH;
        PLI_TRY(pli_worker_check(&worker->worker));
        PLI_TRY(cast_batch(cast, i, count, worker, to));
        pli_control_count(worker->worker.control, count);
    }
    return PLIANT_OK;
}

static PliantResult cast_range(const PliCast *cast, int64_t first, int64_t end,
                               PliWorldWorker *worker, PliArray *to)
{
    enum { CHECK_PERIOD = 64 };
    if (is_together(cast, end - first))
        return cast_batches(cast, first, end, worker, to);
    for (int64_t i = first; i < end; i++) {
        const int64_t count = to->count;
        PLI_TRY(cast_ray(cast, i, worker, to));
        if (!pli_control_add_found(worker->worker.control, to->count - count))
            return PLIANT_CANCELLED;
        if ((i - first) % CHECK_PERIOD == 0)
            PLI_TRY(pli_worker_check(&worker->worker));
    }
    pli_control_count(worker->worker.control, end - first);
    return PLIANT_OK;
}

/* ---- Workers --------------------------------------------------------------------------------- */

/* PliWork. */
static void cast_portion(void *data, int32_t index, PliWorker *base)
{
    const PliCast *cast = data;
    PliWorldWorker *worker = (PliWorldWorker *)(void *)base;
    PliRayPortion *portion = (PliRayPortion *)cast->world->ray_portions.items + index;
    const int64_t first = index * cast->portion, left = cast->count - first;
    *portion = (PliRayPortion){.worker = worker, .first = worker->ray_hits.count};
    portion->result = cast_range(cast, first, first + (left < cast->portion ? left : cast->portion),
                                 worker, &worker->ray_hits);
    portion->count = worker->ray_hits.count - portion->first;
}

/* Puts the hits of all portions together. */
static PliantResult gather(const PliantWorld *world, PliArray *to)
{
    const PliRayPortion *portions = world->ray_portions.items;
    for (int64_t i = 0; i < world->ray_portions.count; i++) {
        const PliRayPortion *portion = &portions[i];
        void *room;
        PLI_TRY(portions[i].result);
        PLI_TRY(pli_array_push(to, &world->host, portion->count, &room));
        if (portion->count > 0)
            memcpy(room, (const PliantRayHit *)portion->worker->ray_hits.items + portion->first,
                   (size_t)portion->count * sizeof(PliantRayHit));
    }
    return PLIANT_OK;
}

static PliWorldWorker *worker_at(PliantWorld *world, int32_t i)
{
    return i == 0 ? &world->first : &world->others[i - 1];
}

static bool is_divided(const PliCast *cast)
{
    const PliantWorld *world = cast->world;
    return pli_worker_crew_count(&world->first.worker) > 1 && cast->count > 1 &&
           (cast->count >= MIN_DIVIDED_RAYS || world->divides_everything);
}

/* Several workers may read the bodies that rays come to. */
static PliantResult share_bodies(PliantWorld *world)
{
    for (int64_t i = 0; i < world->scene.bodies.count; i++) {
        const PliSceneBody *body = pli_scene_body(&world->scene, (int32_t)i);
        if (body->is_reached)
            PLI_TRY(pli_bounds_share(&body->pose->bounds, &world->body_host));
    }
    return PLIANT_OK;
}

static void unshare_bodies(PliantWorld *world)
{
    for (int64_t i = 0; i < world->scene.bodies.count; i++)
        pli_bounds_unshare(&pli_scene_body(&world->scene, (int32_t)i)->pose->bounds);
}

static PliantResult cast_divided(PliCast *cast)
{
    PliantWorld *world = cast->world;
    const int32_t crew = world->crew.count;
    void *room;
    PLI_TRY(share_bodies(world));
    cast->portion = pli_div_up(cast->count, (int64_t)crew * PORTIONS_PER_WORKER);
    if (cast->portion < MIN_PORTION && !world->divides_everything)
        cast->portion = MIN_PORTION;
    const int64_t count = pli_div_up(cast->count, cast->portion);
    world->ray_portions.count = 0;
    PLI_TRY(pli_array_push(&world->ray_portions, &world->host, count, &room));
    for (int32_t i = 1; i < crew; i++)
        PLI_TRY(pli_caster_start(&worker_at(world, i)->caster, &world->scene, &cast->rules,
                                 cast->count, &world->host));
    for (int32_t i = 0; i < crew; i++)
        worker_at(world, i)->ray_hits.count = 0;
    pli_worker_divide(&world->first.worker, cast_portion, cast, (int32_t)count);
    return gather(world, &world->ray_hits);
}

/* ---- A batch --------------------------------------------------------------------------------- */

/* Is it worth knowing beforehand which bodies rays come to? Those with a loose box may have to be
 * updated, and those that are shared by workers need memory for all of their bounds. */
static bool asks_who_is_reached(const PliCast *cast)
{
    const PliantWorld *world = cast->world;
    const PliBody *bodies = world->bodies.items;
    bool has_loose = false;
    for (int64_t i = 0; i < world->scene.bodies.count && !has_loose; i++)
        has_loose = bodies[pli_scene_body(&world->scene, (int32_t)i)->number].has_loose_box;
    return has_loose || is_divided(cast);
}

/* Marks the bodies that rays come to, and updates them. All others of the scene are up to date, or
 * have a loose box. */
static PliantResult update_reached(PliCast *cast)
{
    PliantWorld *world = cast->world;
    PliBody *bodies = world->bodies.items;
    const bool asks = asks_who_is_reached(cast);
    for (int64_t i = 0; i < cast->count && asks; i++) {
        const PliRay ray = ray_at(cast, i);
        PLI_TRY(pli_rays_reach(&world->first.caster, &world->scene, &ray, i, &world->first.worker));
    }
    for (int64_t i = 0; i < world->scene.bodies.count; i++) {
        const PliSceneBody *body = pli_scene_body(&world->scene, (int32_t)i);
        if (body->is_reached || !asks)
            pli_world_update_body(world, &bodies[body->number]);
    }
    return PLIANT_OK;
}

static void count_caster(PliantWorld *world, const PliCaster *caster)
{
    PliBody *bodies = world->bodies.items;
    const PliPoseCounts *counts = caster->counts.items;
    for (int64_t i = 0; i < world->scene.bodies.count; i++)
        pli_world_add_counts(world, &bodies[pli_scene_body(&world->scene, (int32_t)i)->number],
                             &counts[i]);
    world->stats.bound_tests += caster->stats.bound_count;
    world->stats.triangle_tests += caster->stats.triangle_count;
    world->stats.exact_fallbacks += caster->exact.exact3_wide;
}

/* The rays have more hits than are wanted: one worker casts them again, in order, until it has
 * found these. So they do not depend on the workers. */
static PliantResult cast_alone(const PliCast *cast)
{
    PliantWorld *world = cast->world;
    atomic_store(&world->control.found, 0);
    atomic_store(&world->control.done, 0);
    world->ray_hits.count = 0;
    return cast_range(cast, 0, cast->count, &world->first, &world->ray_hits);
}

/* Casts all rays at the bodies that were added to the scene. */
static PliantResult cast_scene(PliCast *cast)
{
    PliantWorld *world = cast->world;
    PliArray *hits = &world->ray_hits;
    hits->count = 0;
    PLI_TRY(pli_scene_build(&world->scene, &world->host));
    PLI_TRY(pli_caster_start(&world->first.caster, &world->scene, &cast->rules, cast->count,
                             &world->host));
    PLI_TRY(update_reached(cast));
    const bool has_crew = is_divided(cast);
    PliControl *control = &world->control;
    PliantResult result;
    control->total = cast->count;
    if (cast->def.max_hit_count > 0)
        control->max_count = cast->def.max_hit_count;
    if (has_crew) {
        result = cast_divided(cast);
        unshare_bodies(world);
        if (result == PLIANT_CANCELLED && pli_control_is_exceeded(control))
            result = cast_alone(cast);
    } else
        result = cast_range(cast, 0, cast->count, &world->first, hits);
    cast->is_limit_reached = pli_control_is_exceeded(control);
    if (cast->is_limit_reached) {
        hits->count = cast->def.max_hit_count;
        result = PLIANT_OK;
    }
    PLI_TRY(result);
    for (int32_t i = 0; i < (has_crew ? world->crew.count : 1); i++)
        count_caster(world, &worker_at(world, i)->caster);
    world->stats.contacts = hits->count;
    return PLIANT_OK;
}

/* ---- Which bodies ---------------------------------------------------------------------------- */

/* All bits that rays have. */
static uint32_t bits_of(const uint32_t *rays, int64_t count, uint32_t otherwise)
{
    uint32_t bits = rays ? 0 : otherwise;
    for (int64_t i = 0; i < count && rays; i++)
        bits |= rays[i];
    return bits;
}

/* What casts at one body and at all have in common. */
static void set_rules(PliCast *cast)
{
    static const int sides[] = {0, 1, -1};
    cast->rules = (PliRayRules){.side = sides[cast->def.sides]};
}

/* Bodies that no ray may hit are left out beforehand, as far as the bits of all rays together can
 * tell. */
static PliantResult cast_at_world(PliCast *cast)
{
    PliantWorld *world = cast->world;
    PliBody *bodies = world->bodies.items;
    const PliantRayDef *def = &cast->def;
    const PliBox *boxes = world->boxes.items;
    const uint32_t *categories = world->categories.items,
                   *collides_with = world->collides_with.items;
    const uint32_t all_categories = bits_of(def->ray_categories, cast->count, def->categories);
    const uint32_t all_wanted = bits_of(def->ray_collides_with, cast->count, def->collides_with);
    set_rules(cast);
    cast->rules.ignored = def->ignored;
    cast->rules.ray_categories = def->ray_categories;
    cast->rules.ray_collides_with = def->ray_collides_with;
    cast->rules.categories = def->categories;
    cast->rules.collides_with = def->collides_with;
    cast->rules.body_categories = categories;
    cast->rules.body_collides_with = collides_with;
    cast->rules.are_by_ray = def->ignored || def->ray_categories || def->ray_collides_with;
    PLI_TRY(pli_world_refresh(world));
    pli_scene_clear(&world->scene);
    for (int32_t i = 0; i < world->bodies.count; i++)
        if (pli_body_is_seen(&bodies[i]) && (categories[i] & all_wanted) &&
            (collides_with[i] & all_categories))
            PLI_TRY(pli_scene_add(&world->scene, &bodies[i].pose, &boxes[i], i, &world->host));
    return cast_scene(cast);
}

static PliantResult cast_at_body(PliCast *cast, PliBody *body)
{
    PliantWorld *world = cast->world;
    set_rules(cast);
    pli_world_update_body(world, body);
    pli_scene_clear(&world->scene);
    PLI_TRY(pli_scene_add(&world->scene, &body->pose, &body->pose.bounds.root,
                          pli_world_number(world, body), &world->host));
    return cast_scene(cast);
}

PliantResult pli_casts_find(PliCast *cast)
{
    return cast->body ? cast_at_body(cast, cast->body) : cast_at_world(cast);
}
