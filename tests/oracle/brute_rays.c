/* Rays at all bodies of a scene, against brute force over all triangles: see play.h.
 *
 * Brute force takes the vertices that the library returns, and no tree: each ray is tested with
 * each triangle by pli_ray_hits(), which test_rays holds against rational numbers. Rays are
 * planted: at vertices, edges and insides of triangles, along edges, from vertices, along axes;
 * ending before, at or behind what they aim at. Each ray may have a filter of its own and a body
 * that it ignores. What is said of the hits, joints, positions and normals, is compared with the
 * documented expressions over all triangles of the body. */
#include "geom/ray.h"
#include "play.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

int64_t ray_decision_count;
static int64_t ray_hit_count, ray_point_count, ray_joint_count;
static int64_t wanted_count, refused_count; /* of pairs of a ray and a body */

/* What a batch of rays asks for. */
typedef struct Batch {
    PliantRayDef def;
    PliantRay rays[RAYS];
    int count;
    int only; /* the actor that is asked alone; -1: all */
    PliantBody ignored[RAYS];
    uint32_t categories[RAYS], collides_with[RAYS];
} Batch;

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

/* By the rules of the header. */
static bool is_wanted(const Play *play, const Batch *batch, int64_t ray, int actor)
{
    const PliantRayDef *def = &batch->def;
    if (batch->only >= 0)
        return actor == batch->only;
    const Actor *other = &play->actors[actor];
    const uint32_t categories = def->ray_categories ? batch->categories[ray] : def->categories;
    const uint32_t collides_with =
        def->ray_collides_with ? batch->collides_with[ray] : def->collides_with;
    const bool is_ignored = def->ignored && batch->ignored[ray].serial == other->name.serial;
    return !is_ignored && (other->categories & collides_with) &&
           (other->collides_with & categories);
}

static bool is_from_right_side(const Batch *batch, const PliRay *ray, const float *corners)
{
    PliRayPoint point;
    if (batch->def.sides == PLIANT_BOTH_SIDES)
        return true;
    pli_ray_describe(ray, corners, &point);
    return point.side == (batch->def.sides == PLIANT_FRONT_SIDES ? 1 : -1);
}

/* All hits of a ray that count, in order. Actors are sorted by index. */
static void find_hits_of(const Play *play, const Batch *batch, int64_t index, const PliRay *ray,
                         Hits *hits)
{
    hits->count = 0;
    for (int i = 0; i < play->actor_count; i++) {
        const Actor *actor = &play->actors[i];
        const bool wanted = is_wanted(play, batch, index, i);
        wanted_count += wanted;
        refused_count += !wanted;
        for (int32_t j = 0; wanted && j < actor->mesh.triangle_count; j++) {
            Hit hit = {.actor = i, .triangle = j};
            PliCounts counts = {0};
            corners_of(actor, j, hit.corners);
            if (pli_ray_hits(ray, hit.corners, &hit.span, &counts) &&
                is_from_right_side(batch, ray, hit.corners))
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

static void check_rays(Play *play, const Batch *batch, const PliantRayHits *hits)
{
    Hits expected = {0};
    int64_t at = 0;
    for (int i = 0; i < batch->count && !play->is_different; i++) {
        const PliRay ray = ray_of(&batch->rays[i]);
        find_hits_of(play, batch, i, &ray, &expected);
        check_ray(play, batch->def.kind, i, &ray, &expected, hits, &at);
    }
    if (!play->is_different && at != hits->count)
        play_differ(play, "the end of hits", at);
    ray_hit_count += hits->count;
    free(expected.items);
}

/* ---- What is said of hits ---------------------------------------------------------------------
 */

static const Actor *actor_of(const Play *play, PliantBody body)
{
    for (int i = 0; i < play->actor_count; i++)
        if (play->actors[i].name.serial == body.serial)
            return &play->actors[i];
    return NULL;
}

static double weight_of(const PliantSkin *skin, uint32_t vertex, int32_t joint)
{
    const int32_t count = skin->influence_count;
    float sum = 0; /* a joint that is named twice has the sum, as floats add */
    for (int32_t i = 0; i < count; i++)
        if (skin->joints[(int32_t)vertex * count + i] == joint)
            sum += skin->weights[(int32_t)vertex * count + i];
    return (double)sum;
}

static int32_t joint_of(const Actor *actor, const PliantRayHit *hit)
{
    const uint32_t *v = actor->mesh.triangles + 3 * (size_t)hit->triangle;
    double most = 0;
    int32_t best = -1;
    for (int32_t j = 0; actor->skin && j < actor->skin->def.joint_count; j++) {
        const double weight = ((double)hit->weights[0] * weight_of(&actor->skin->def, v[0], j) +
                               (double)hit->weights[1] * weight_of(&actor->skin->def, v[1], j)) +
                              (double)hit->weights[2] * weight_of(&actor->skin->def, v[2], j);
        if (weight > most) {
            most = weight;
            best = j;
        }
    }
    return best;
}

static void add_area(const float *t, double *sum)
{
    const double ux = (double)t[3] - (double)t[0], uy = (double)t[4] - (double)t[1],
                 uz = (double)t[5] - (double)t[2];
    const double vx = (double)t[6] - (double)t[0], vy = (double)t[7] - (double)t[1],
                 vz = (double)t[8] - (double)t[2];
    sum[0] += uy * vz - uz * vy;
    sum[1] += uz * vx - ux * vz;
    sum[2] += ux * vy - uy * vx;
}

static bool normalize(double *v)
{
    const double length = sqrt((v[0] * v[0] + v[1] * v[1]) + v[2] * v[2]);
    if (length == 0)
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

/* Of all triangles that have the vertex. */
static void normal_of_vertex(const Actor *actor, uint32_t vertex, double *normal)
{
    float t[9];
    for (int32_t i = 0; i < actor->mesh.triangle_count; i++)
        for (int k = 0; k < 3; k++)
            if (actor->mesh.triangles[3 * (size_t)i + (size_t)k] == vertex) {
                corners_of(actor, i, t);
                if (pli_is_finite(t, 9))
                    add_area(t, normal);
            }
    (void)normalize(normal);
}

static void expect_point(const Actor *actor, const PliantRayHit *hit, PliantHitPoint *point)
{
    const uint32_t *v = actor->mesh.triangles + 3 * (size_t)hit->triangle;
    const double w[3] = {(double)hit->weights[0], (double)hit->weights[1], (double)hit->weights[2]};
    double corners[3][3] = {{0}}, normal[3];
    float t[9];
    corners_of(actor, hit->triangle, t);
    for (int i = 0; i < 3 && !actor->soup; i++)
        normal_of_vertex(actor, v[i], corners[i]);
    for (int k = 0; k < 3; k++) {
        normal[k] = (w[0] * corners[0][k] + w[1] * corners[1][k]) + w[2] * corners[2][k];
        point->position[k] =
            (float)((w[0] * (double)t[k] + w[1] * (double)t[3 + k]) + w[2] * (double)t[6 + k]);
    }
    if (!normalize(normal)) {
        normal[0] = normal[1] = normal[2] = 0;
        add_area(t, normal);
        (void)normalize(normal);
    }
    for (int k = 0; k < 3; k++)
        point->normal[k] = (float)normal[k];
}

/* A few of them: each takes all triangles of its body, three times. */
static void check_hits(Play *play, const PliantRayHits *hits)
{
    enum { FEW = 6 };
    PliantHitPoints points = pliant_hit_points_default();
    if (play->is_different)
        return;
    play_must(pliant_hits_points(play->world, hits, NULL, &points));
    if (points.count != hits->count)
        play_differ(play, "the number of points of hits", points.count);
    for (int64_t i = 0; i < hits->count && i < FEW; i++) {
        const PliantRayHit *hit = &hits->items[i];
        const Actor *actor = actor_of(play, hit->body);
        PliantHitPoint expected;
        int32_t joint;
        expect_point(actor, hit, &expected);
        play_must(pliant_hit_joint(play->world, hit, &joint));
        if (joint != joint_of(actor, hit))
            play_differ(play, "the joint of a hit", i);
        for (int k = 0; k < 3; k++)
            if (!(expected.position[k] == points.items[i].position[k] &&
                  expected.normal[k] == points.items[i].normal[k])) {
                play_differ(play, "the point of a hit", i);
                return;
            }
        ray_joint_count += joint >= 0;
        ray_point_count++;
    }
}

/* ---- Batches ----------------------------------------------------------------------------------
 */

static void choose_filters(const Play *play, SceneRandom *random, Batch *batch)
{
    PliantRayDef *def = &batch->def;
    if (stage_whole(random, 0, 3) == 0)
        def->collides_with = 1u << stage_whole(random, 0, 3);
    if (stage_whole(random, 0, 3) == 0)
        def->categories = 1u << stage_whole(random, 0, 3);
    for (int i = 0; i < batch->count; i++) {
        const int actor = stage_whole(random, -1, play->actor_count - 1);
        batch->ignored[i] = actor < 0 ? (PliantBody){0} : play->actors[actor].name;
        batch->categories[i] = (uint32_t)stage_whole(random, 0, 15);
        batch->collides_with[i] = (uint32_t)stage_whole(random, 0, 15);
    }
    def->ignored = stage_whole(random, 0, 2) == 0 ? batch->ignored : NULL;
    def->ray_categories = stage_whole(random, 0, 3) == 0 ? batch->categories : NULL;
    def->ray_collides_with = stage_whole(random, 0, 3) == 0 ? batch->collides_with : NULL;
}

/* At all bodies, or at one, which ignores filters. */
static void cast(Play *play, Batch *batch)
{
    PliantRayHits hits = pliant_ray_hits_default();
    if (batch->only < 0)
        play_must(
            pliant_world_cast_rays(play->world, &batch->def, batch->rays, batch->count, &hits));
    else
        play_must(pliant_body_cast_rays(play->world, play->actors[batch->only].name, &batch->def,
                                        batch->rays, batch->count, &hits));
    check_rays(play, batch, &hits);
    check_hits(play, &hits);
}

/* Its random numbers are its own: other questions do not depend on it. */
void play_cast_rays(Play *play, int turn)
{
    SceneRandom random = {play->seed * 7919 + (uint64_t)play->scene * 104729 +
                          (uint64_t)(2 * play->frame + turn)};
    Batch batch = {.def = pliant_ray_def_default(), .only = -1};
    batch.count = stage_whole(&random, 0, RAYS);
    for (int i = 0; i < batch.count; i++)
        make_ray(play, &random, &batch.rays[i]);
    const bool is_one = stage_whole(&random, 0, 2) == 0;
    batch.def.kind = (PliantRayKind)stage_whole(&random, 0, 2);
    batch.def.sides = (PliantRaySides)stage_whole(&random, 0, 2);
    choose_filters(play, &random, &batch);
    if (is_one)
        batch.only = (int)scene_random_below(&random, (uint32_t)play->actor_count);
    cast(play, &batch);
}

bool play_has_all_rays(void)
{
    printf("rays: %" PRId64 " decisions, %" PRId64 " found, %" PRId64 " points, %" PRId64
           " joints; %" PRId64 " rays and bodies, %" PRId64 " refused\n",
           ray_decision_count, ray_hit_count, ray_point_count, ray_joint_count, wanted_count,
           refused_count);
    return ray_hit_count > 0 && ray_point_count > 0 && refused_count > 0;
}
