/* Rays at all bodies of a scene, against brute force over all triangles: see play.h.
 *
 * Brute force takes the vertices that the library returns, and no tree: each ray is tested with
 * each triangle by pli_ray_hits(), which test_rays holds against rational numbers. Rays are
 * planted: at vertices, edges and insides of triangles, along edges, from vertices, along axes;
 * ending before, at or behind what they aim at. */
#include "geom/ray.h"
#include "play.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 12 };

typedef struct Hit {
    PliRaySpan span;
    int actor;
    int32_t triangle;
    float corners[9];
} Hit;

typedef struct Hits {
    Hit *items;
    int64_t count, capacity;
} Hits;

int64_t ray_decision_count, ray_hit_count;

static void append(Hits *hits, const Hit *hit)
{
    if (hits->count == hits->capacity) {
        hits->capacity = 2 * hits->capacity + 16;
        Hit *items = realloc(hits->items, (size_t)hits->capacity * sizeof *items);
        if (!items)
            exit(1);
        hits->items = items;
    }
    hits->items[hits->count++] = *hit;
}

static void corners_of(const Actor *actor, int32_t triangle, float *corners)
{
    for (int i = 0; i < 3; i++)
        memcpy(corners + 3 * i,
               actor->vertices +
                   3 * (size_t)actor->mesh.triangles[3 * (size_t)triangle + (size_t)i],
               3 * sizeof *corners);
}

/* ---- Rays -------------------------------------------------------------------------------------
 */

/* Any triangle of any body, if there is one. */
static bool pick_triangle(const Play *play, SceneRandom *random, float *corners)
{
    for (int tries = 0; tries < 20; tries++) {
        const Actor *actor = &play->actors[scene_random_below(random, (uint32_t)play->actor_count)];
        if (actor->mesh.triangle_count == 0)
            continue;
        const uint32_t count = (uint32_t)actor->mesh.triangle_count;
        corners_of(actor, (int32_t)scene_random_below(random, count), corners);
        if (pli_is_finite(corners, 9))
            return true;
    }
    return false;
}

/* A corner, the middle of an edge, or some point of the triangle, as floats are. */
static void pick_point(SceneRandom *random, const float *t, float *point)
{
    const int kind = stage_whole(random, 0, 2), corner = stage_whole(random, 0, 2);
    const float *p = t + 3 * corner, *q = t + 3 * ((corner + 1) % 3),
                *r = t + 3 * ((corner + 2) % 3);
    const float a = (float)scene_random(random), b = (1 - a) * (float)scene_random(random);
    for (int k = 0; k < 3; k++)
        point[k] = kind == 0   ? p[k]
                   : kind == 1 ? p[k] / 2 + q[k] / 2
                               : (a * p[k] + b * q[k]) + (1 - a - b) * r[k];
}

static void make_ray(const Play *play, SceneRandom *random, PliantRay *ray)
{
    static const float ends[] = {1, 1, 0.5f, 2, 0};
    float t[9] = {0}, s[9] = {0}, target[3], other[3];
    (void)pick_triangle(play, random, t);
    (void)pick_triangle(play, random, s);
    pick_point(random, t, target);
    pick_point(random, s, other);
    const int kind = stage_whole(random, 0, 4), axis = stage_whole(random, 0, 2);
    for (int k = 0; k < 3; k++) {
        const float step = (float)(play->stage.scale * stage_signed(random));
        ray->origin[k] = kind == 0 ? other[k] : target[k] - step;
        ray->direction[k] = target[k] - ray->origin[k];
        if (kind == 1) { /* along an edge */
            ray->direction[k] = t[3 + k] - t[k];
            ray->origin[k] = target[k] - 2 * ray->direction[k];
        } else if (kind == 2) { /* along an axis */
            ray->origin[k] = target[k] - (k == axis ? step : 0);
            ray->direction[k] = k == axis ? step : 0;
        } else if (kind == 3) { /* from what it aims at */
            ray->origin[k] = target[k];
            ray->direction[k] = step;
        }
    }
    ray->max = stage_whole(random, 0, 1) ? INFINITY : ends[stage_whole(random, 0, 4)];
    if (stage_whole(random, 0, 3) == 0)
        ray->direction[axis] = -ray->direction[axis];
    if (!pli_is_finite(ray->origin, 6))
        *ray = (PliantRay){{0, 0, 0}, {1, 0, 0}, INFINITY};
    if (ray->direction[0] == 0 && ray->direction[1] == 0 && ray->direction[2] == 0)
        ray->direction[axis] = 1;
}

/* ---- Brute force ------------------------------------------------------------------------------
 */

static PliRay ray_of(const PliantRay *ray)
{
    PliRay own;
    memcpy(&own, ray, sizeof own);
    return own;
}

static PliRay sorted_ray; /* whose hits are compared */

static int compare_hits(const void *x, const void *y)
{
    const Hit *a = x, *b = y;
    const int sign =
        a == b ? 0 : pli_ray_compare(&sorted_ray, a->corners, &a->span, b->corners, &b->span);
    if (sign != 0)
        return sign;
    return a->actor != b->actor ? a->actor - b->actor
                                : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/* All hits of a ray at the bodies that are marked, in order. Actors are sorted by index. */
static void find_hits_of(const Play *play, const bool *are_wanted, const PliRay *ray, Hits *hits)
{
    hits->count = 0;
    for (int i = 0; i < play->actor_count; i++) {
        const Actor *actor = &play->actors[i];
        for (int32_t j = 0; are_wanted[i] && j < actor->mesh.triangle_count; j++) {
            Hit hit = {.actor = i, .triangle = j};
            PliCounts counts = {0};
            corners_of(actor, j, hit.corners);
            if (pli_ray_hits(ray, hit.corners, &hit.span, &counts))
                append(hits, &hit);
            ray_decision_count++;
        }
    }
    sorted_ray = *ray;
    if (hits->count > 1)
        qsort(hits->items, (size_t)hits->count, sizeof *hits->items, compare_hits);
}

/* ---- The questions ----------------------------------------------------------------------------
 */

static bool is_same_hit(const Play *play, const PliRay *ray, int64_t index, const Hit *expected,
                        const PliantRayHit *hit)
{
    const PliantBody body = play->actors[expected->actor].name;
    PliRayPoint point;
    pli_ray_describe(ray, expected->corners, &point);
    return hit->ray == index && hit->body.index == body.index && hit->body.serial == body.serial &&
           hit->triangle == expected->triangle && hit->t == point.t &&
           hit->weights[0] == point.weights[0] && hit->weights[1] == point.weights[1] &&
           hit->weights[2] == point.weights[2] && hit->side == point.side;
}

static bool is_any(const Play *play, const PliRay *ray, int64_t index, const Hits *expected,
                   const PliantRayHit *hit)
{
    for (int64_t i = 0; i < expected->count; i++)
        if (is_same_hit(play, ray, index, &expected->items[i], hit))
            return true;
    return false;
}

/* The hits of one ray from `*at` on; moves on behind them. */
static void check_ray(Play *play, PliantRayKind kind, int64_t index, const PliRay *ray,
                      const Hits *expected, const PliantRayHits *hits, int64_t *at)
{
    const int64_t count = kind == PLIANT_ALL_HITS || expected->count == 0 ? expected->count : 1;
    for (int64_t i = 0; i < count; i++, ++*at) {
        const PliantRayHit *hit = &hits->items[*at];
        if (*at >= hits->count ||
            !(kind == PLIANT_ANY_HIT ? is_any(play, ray, index, expected, hit)
                                     : is_same_hit(play, ray, index, &expected->items[i], hit))) {
            play_differ(play,
                        kind == PLIANT_FIRST_HIT ? "the first hit of a ray"
                        : kind == PLIANT_ANY_HIT ? "any hit of a ray"
                                                 : "all hits of a ray",
                        index);
            return;
        }
    }
}

static void check_rays(Play *play, PliantRayKind kind, const bool *are_wanted,
                       const PliantRay *rays, int count, const PliantRayHits *hits)
{
    Hits expected = {0};
    int64_t at = 0;
    for (int i = 0; i < count && !play->is_different; i++) {
        const PliRay ray = ray_of(&rays[i]);
        find_hits_of(play, are_wanted, &ray, &expected);
        check_ray(play, kind, i, &ray, &expected, hits, &at);
    }
    if (!play->is_different && at != hits->count)
        play_differ(play, "the end of hits", at);
    ray_hit_count += hits->count;
    free(expected.items);
}

static void cast_at_all(Play *play, SceneRandom *random, const PliantRay *rays, int count)
{
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    bool are_wanted[MAX_BODIES];
    def.kind = (PliantRayKind)stage_whole(random, 0, 2);
    if (stage_whole(random, 0, 3) == 0)
        def.collides_with = 1u << stage_whole(random, 0, 3);
    if (stage_whole(random, 0, 3) == 0)
        def.categories = 1u << stage_whole(random, 0, 3);
    for (int i = 0; i < play->actor_count; i++)
        are_wanted[i] = (play->actors[i].categories & def.collides_with) &&
                        (play->actors[i].collides_with & def.categories);
    play_must(pliant_world_cast_rays(play->world, &def, rays, count, &hits));
    check_rays(play, def.kind, are_wanted, rays, count, &hits);
}

static void cast_at_one(Play *play, SceneRandom *random, const PliantRay *rays, int count)
{
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    bool are_wanted[MAX_BODIES] = {false};
    const int actor = (int)scene_random_below(random, (uint32_t)play->actor_count);
    def.kind = (PliantRayKind)stage_whole(random, 0, 2);
    are_wanted[actor] = true;
    play_must(
        pliant_body_cast_rays(play->world, play->actors[actor].name, &def, rays, count, &hits));
    check_rays(play, def.kind, are_wanted, rays, count, &hits);
}

/* Its random numbers are its own: other questions do not depend on it. */
void play_cast_rays(Play *play, int turn)
{
    SceneRandom random = {play->seed * 7919 + (uint64_t)play->scene * 104729 +
                          (uint64_t)(2 * play->frame + turn)};
    PliantRay rays[RAYS];
    const int count = stage_whole(&random, 0, RAYS);
    for (int i = 0; i < count; i++)
        make_ray(play, &random, &rays[i]);
    if (stage_whole(&random, 0, 2))
        cast_at_all(play, &random, rays, count);
    else
        cast_at_one(play, &random, rays, count);
}
