/* Features within a distance against brute force: see nearby.h.
 *
 * Each feature of a body is compared with each of another one.
 * Whether two are near is decided by the function that the library has, which test_closest compares
 * with the oracles: what is tested here is that none is missed, and none there twice. */
#include "nearby.h"
#include "calls.h"
#include "geom/closest.h"
#include "left_out.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int64_t nearby_decisions;

/* Bodies of more triangles are not compared: each feature with each takes too long. */
enum { MAX_TRIANGLES = 400 };

typedef struct Expected {
    PliantNearPair *items;
    int64_t count, capacity;
} Expected;

static FeatureBody body_of(const Actor *actor)
{
    return (FeatureBody){
        .name = actor->name,
        .start = actor->vertices,
        .end = actor->vertices,
        .triangles = actor->mesh.triangles,
        .vertex_count = actor->mesh.vertex_count,
        .triangle_count = actor->mesh.triangle_count,
        .first_segment = actor->soup && actor->soup->def.primitive_kind == PLIANT_SEGMENTS
                             ? 0
                             : actor->mesh.triangle_count - actor->segment_count,
        .has_own_vertices = actor->soup && !actor->soup->has_corners,
        .are_points = actor->soup && actor->soup->def.primitive_kind == PLIANT_POINTS};
}

Features nearby_list_features(const Actor *actor)
{
    const FeatureBody body = body_of(actor);
    return features_list(&body);
}

/* ---- What is left out --------------------------------------------------------------------------
 */

static bool excludes; /* pairs are left out by left_out.h */

static bool is_left_out(const Feature *x, int x_count, const Feature *y, int y_count, bool is_self)
{
    return excludes && left_out_has(x, x_count, y, y_count, is_self);
}

/* Sets what is left out, or removes it: the bodies in any order. */
static void exclude(Play *play, const Actor *a, const Actor *b, bool is_set)
{
    const FeatureBody body_a = body_of(a), body_b = body_of(b);
    const bool is_swapped = a != b && play->frame % 2 == 0;
    excludes = is_set;
    play_must(left_out_set(play->world, &body_a, a == b ? &body_a : &body_b, is_swapped, is_set));
}

/* ---- Radii -------------------------------------------------------------------------------------
 *
 * Two bodies have radii while they are asked for what is near. A sum is rounded up by the mode of
 * the processor. Numbers are drawn beside those of the play.
 */

typedef struct Thick {
    const Actor *actor; /* NULL: it has none */
    float base, *own;
    int32_t count;
} Thick;

static Thick thick[2];
static SceneRandom radii_random = {7};

static float sum_up(float a, float b)
{
    const int mode = fegetround();
    volatile float x = a, y = b;
    fesetround(FE_UPWARD);
    volatile float sum = x + y;
    fesetround(mode);
    return sum < FLT_MAX ? sum : FLT_MAX;
}

static const Thick *thick_of(const Actor *actor)
{
    static const Thick none;
    return thick[0].actor == actor ? &thick[0] : thick[1].actor == actor ? &thick[1] : &none;
}

static float radius_of(const Actor *actor, const Feature *feature, int count)
{
    const Thick *of = thick_of(actor);
    float greatest = 0;
    for (int i = 0; i < count; i++)
        greatest = fmaxf(greatest, feature->vertices[i] < (uint32_t)of->count
                                       ? of->own[feature->vertices[i]]
                                       : of->base);
    return greatest;
}

/* At least all radii of a body. */
static float greatest_of(const Actor *actor)
{
    const Thick *of = thick_of(actor);
    float greatest = of->count == 0 || actor->soup ? of->base : 0;
    for (int32_t i = 0; i < of->count; i++)
        greatest = fmaxf(greatest, of->own[i]);
    return greatest;
}

static float reach_of(float distance, float a, float b)
{
    return sum_up(distance, sum_up(a, b));
}

/* Gives a body radii of up to about `most`: one, or one for each vertex. */
static void thicken(Play *play, const Actor *actor, Thick *of, float most)
{
    PliantBodyInfo info = pliant_body_info_default();
    play_must(pliant_body_info(play->world, actor->name, &info));
    *of = (Thick){.actor = actor};
    if (scene_random_below(&radii_random, 4) > 0)
        of->base = most * (float)scene_random(&radii_random);
    if (scene_random_below(&radii_random, 2)) {
        of->count = info.vertex_count;
        of->own = play_allocate(sizeof *of->own * ((size_t)of->count + 1));
        for (int32_t i = 0; i < of->count; i++)
            of->own[i] = scene_random_below(&radii_random, 3)
                             ? most * (float)scene_random(&radii_random)
                             : 0;
    }
    play_must(pliant_body_set_radius(play->world, actor->name, of->base));
    play_must(pliant_body_set_vertex_radii(play->world, actor->name, of->own, of->count));
}

static void make_thin(Play *play)
{
    for (int i = 0; i < 2; i++) {
        if (thick[i].actor) {
            play_must(pliant_body_set_radius(play->world, thick[i].actor->name, 0));
            play_must(pliant_body_set_vertex_radii(play->world, thick[i].actor->name, NULL, 0));
        }
        free(thick[i].own);
        thick[i].actor = NULL;
        thick[i].own = NULL;
        thick[i].count = 0;
    }
}

static void make_thick(Play *play, const Actor *a, const Actor *b, float distance)
{
    make_thin(play);
    if (scene_random_below(&radii_random, 3) == 0 || !(distance < 1e30f))
        return;
    thicken(play, a, &thick[0], distance / 2);
    if (a != b)
        thicken(play, b, &thick[1], distance / 2);
}

/* A question of brute force: what is near in two bodies. */
typedef struct Asking {
    const Actor *a, *b;
    float distance, rest_distance;
    float reach; /* with the greatest radius of each */
} Asking;

/* Is a pair of one body left out, since it is near at rest? */
static bool is_near_at_rest(const Asking *asking, const Feature *x, int x_count, const Feature *y,
                            int y_count, float reach)
{
    const float limit = asking->rest_distance > 0 ? asking->rest_distance : reach;
    const Actor *actor = asking->a;
    float points[12];
    PliCounts counts = {0};
    PliClosest unused;
    if (asking->a != asking->b || actor->soup || asking->rest_distance < 0 ||
        (asking->rest_distance == 0 && greatest_of(actor) == 0))
        return false;
    for (int i = 0; i < 4; i++)
        memcpy(points + 3 * i,
               actor->mesh.vertices +
                   3 * (size_t)(i < x_count ? x->vertices[i] : y->vertices[i - x_count]),
               12);
    if (!pli_is_finite(points, 12))
        return false;
    (void)y_count;
    return x_count == 2 ? pli_edge_edge_is_near(points, points + 6, limit, &unused, &counts)
                        : pli_vertex_triangle_is_near(points, points + 3, limit, &unused, &counts);
}

/* Is a pair an answer? If so, *closest is that of the reach of both bodies. */
static bool is_answer(const Asking *asking, const Actor *of_x, const Actor *of_y, const Feature *x,
                      int x_count, const Feature *y, int y_count, const float *points,
                      PliClosest *closest)
{
    const float reach =
        reach_of(asking->distance, radius_of(of_x, x, x_count), radius_of(of_y, y, y_count));
    PliCounts counts = {0};
    PliClosest unused;
    bool (*const is_near)(const float *, const float *, float, PliClosest *, PliCounts *) =
        x_count == 2 ? pli_edge_edge_is_near : pli_vertex_triangle_is_near;
    nearby_decisions++;
    return is_near(points, points + 3 * x_count, reach, &unused, &counts) &&
           is_near(points, points + 3 * x_count, asking->reach, closest, &counts) &&
           !is_near_at_rest(asking, x, x_count, y, y_count, reach);
}

/* ---- Each with each ----------------------------------------------------------------------------
 */

/* A vertex and a triangle, or two edges: `first` has so many vertices. */
static void add(Expected *expected, PliantFeatures kind, const Feature *first, int first_count,
                const Feature *second, const PliClosest *closest)
{
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    if (expected->count == expected->capacity) {
        expected->capacity = 2 * expected->capacity + 64;
        expected->items =
            realloc(expected->items, sizeof *expected->items * (size_t)expected->capacity);
        if (!expected->items)
            exit(1);
    }
    PliantNearPair *pair = &expected->items[expected->count++];
    *pair = (PliantNearPair){.kind = kind,
                             .feature_a = is_swapped ? second->id : first->id,
                             .feature_b = is_swapped ? first->id : second->id,
                             .distance = closest->distance,
                             .pair_count = 1,
                             .region = closest->region};
    for (int i = 0; i < 4; i++)
        pair->vertices[is_swapped ? (i + 3) % 4 : i] =
            i < first_count ? first->vertices[i] : second->vertices[i - first_count];
    for (int i = 0; i < 4; i++)
        pair->weights[i] = is_swapped ? -closest->weights[(i + 1) % 4] : closest->weights[i];
    for (int k = 0; k < 3; k++)
        pair->normal[k] = is_swapped ? -closest->normal[k] : closest->normal[k];
    if (is_swapped)
        pair->region = (uint8_t)(closest->region >> 1 | (closest->region & 1) << 3);
}

static void compare_vertices(const Asking *asking, const Features *a, const Features *b,
                             PliantFeatures kind, Expected *expected)
{
    const bool is_self = asking->a == asking->b, is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    const Actor *of_a = is_swapped ? asking->b : asking->a,
                *of_b = is_swapped ? asking->a : asking->b;
    for (int32_t i = 0; i < a->vertex_count; i++)
        for (int32_t k = 0; k < b->triangle_count; k++) {
            const Feature *vertex = &a->vertices[i], *triangle = &b->triangles[k];
            float points[12];
            PliClosest closest;
            if (!features_are_comparable(vertex, triangle) ||
                (is_self && features_have_common(vertex, 1, triangle, 3)))
                continue;
            if (kind == PLIANT_TRIANGLE_VERTEX ? is_left_out(triangle, 3, vertex, 1, false)
                                               : is_left_out(vertex, 1, triangle, 3, is_self))
                continue;
            features_copy_points(a, vertex, 1, points);
            features_copy_points(b, triangle, 3, points + 3);
            if (is_answer(asking, of_a, of_b, vertex, 1, triangle, 3, points, &closest))
                add(expected, kind, vertex, 1, triangle, &closest);
        }
}

static void compare_edges(const Asking *asking, const Features *a, const Features *b,
                          Expected *expected)
{
    const bool is_self = asking->a == asking->b;
    for (int32_t i = 0; i < a->edge_count; i++)
        for (int32_t k = 0; k < b->edge_count; k++) {
            const Feature *x = &a->edges[i], *y = &b->edges[k];
            float points[12];
            PliClosest closest;
            if (is_self && (x->id >= y->id || features_have_common(x, 2, y, 2)))
                continue;
            if (is_left_out(x, 2, y, 2, is_self))
                continue;
            features_copy_points(a, x, 2, points);
            features_copy_points(b, y, 2, points + 6);
            if (is_answer(asking, asking->a, asking->b, x, 2, y, 2, points, &closest))
                add(expected, PLIANT_EDGE_EDGE, x, 2, y, &closest);
        }
}

static int by_order(const void *x, const void *y)
{
    const PliantNearPair *a = x, *b = y;
    const bool is_swapped = a->kind == PLIANT_TRIANGLE_VERTEX || a->kind == PLIANT_EDGE_VERTEX;
    const int32_t keys[3][2] = {
        {(int32_t)a->kind, (int32_t)b->kind},
        {is_swapped ? a->feature_b : a->feature_a, is_swapped ? b->feature_b : b->feature_a},
        {is_swapped ? a->feature_a : a->feature_b, is_swapped ? b->feature_a : b->feature_b}};
    for (int i = 0; i < 3; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

/* ---- Closest features --------------------------------------------------------------------------
 *
 * Each side of a pair by the names of its vertices in the lists.
 */

/* A pair, and which of all it was. */
typedef struct Reduced {
    PliantNearPair pair;
    int64_t from;
} Reduced;

typedef struct Side {
    int32_t id;
    int count;
    uint32_t vertices[3];
    float weights[3];
} Side;

static const Feature *feature_at(const Feature *features, int32_t count, int32_t id)
{
    for (int32_t i = 0; i < count; i++)
        if (features[i].id == id)
            return &features[i];
    exit(1);
}

/* The edge that joins two vertices: of a triangle, or of any. */
static const Feature *edge_at(const Features *features, int32_t triangle, uint32_t v, uint32_t w)
{
    for (int i = 0; i < 2; i++)
        for (int32_t e = 0; e < features->edge_count; e++) {
            const uint32_t *ends = features->edges[e].names;
            if (((ends[0] == v && ends[1] == w) || (ends[0] == w && ends[1] == v)) &&
                (i > 0 || features->edges[e].triangle == triangle))
                return &features->edges[e];
        }
    return NULL;
}

static Side side_of(const Features *features, const PliantNearPair *pair, int32_t id, int first,
                    int count)
{
    Side side = {.id = id};
    const Feature *whole = count == 1 ? feature_at(features->vertices, features->vertex_count, id)
                           : count == 2
                               ? feature_at(features->edges, features->edge_count, id)
                               : feature_at(features->triangles, features->triangle_count, id);
    uint32_t names[3];
    for (int i = 0; i < count; i++)
        if (pair->region >> (first + i) & 1) {
            side.vertices[side.count] = pair->vertices[first + i];
            side.weights[side.count] = pair->weights[first + i];
            names[side.count++] = whole->names[i];
        }
    if (side.count == 1)
        side.id = (int32_t)names[0];
    if (side.count != 2 || count == 2)
        return side;
    side.id = edge_at(features, whole->triangle, names[0], names[1])->id;
    if (names[0] > names[1]) {
        const Side old = side;
        for (int i = 0; i < 2; i++) {
            side.vertices[i] = old.vertices[1 - i];
            side.weights[i] = old.weights[1 - i];
        }
    }
    return side;
}

static PliantNearPair join(const PliantNearPair *from, const Side *a, const Side *b, bool is_self)
{
    static const PliantFeatures kinds[3][3] = {
        {PLIANT_VERTEX_VERTEX, PLIANT_VERTEX_EDGE, PLIANT_VERTEX_TRIANGLE},
        {PLIANT_EDGE_VERTEX, PLIANT_EDGE_EDGE, PLIANT_TRIANGLE_TRIANGLE},
        {PLIANT_TRIANGLE_VERTEX, PLIANT_TRIANGLE_TRIANGLE, PLIANT_TRIANGLE_TRIANGLE}};
    const bool is_swapped =
        is_self && (a->count > b->count || (a->count == 1 && b->count == 1 && a->id > b->id));
    const Side *sides[2] = {is_swapped ? b : a, is_swapped ? a : b};
    PliantNearPair pair = *from;
    int at = 0;
    pair.kind = kinds[sides[0]->count - 1][sides[1]->count - 1];
    pair.feature_a = sides[0]->id;
    pair.feature_b = sides[1]->id;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < sides[i]->count; k++, at++) {
            pair.vertices[at] = sides[i]->vertices[k];
            pair.weights[at] = (is_swapped ? -1 : 1) * sides[i]->weights[k];
        }
    pair.region = (uint8_t)((1 << at) - 1);
    for (; at < 4; at++) {
        pair.vertices[at] = PLIANT_NO_VERTEX;
        pair.weights[at] = 0;
    }
    for (int k = 0; k < 3 && is_swapped; k++)
        pair.normal[k] = -pair.normal[k];
    return pair;
}

static int by_closest(const void *x, const void *y)
{
    const Reduced *a = x, *b = y;
    const int order = by_order(&a->pair, &b->pair);
    return order != 0                             ? order
           : a->pair.distance != b->pair.distance ? (a->pair.distance < b->pair.distance ? -1 : 1)
                                                  : (a->from > b->from) - (a->from < b->from);
}

/* Pairs from `first` on, which are in order, become those of closest features. */
static void reduce(const Features *a, const Features *b, bool is_self, int64_t first,
                   Expected *expected)
{
    static const int counts[] = {1, 3, 2};
    const int64_t count = expected->count - first;
    Reduced *all = play_allocate((size_t)(count + 1) * sizeof *all);
    for (int64_t i = 0; i < count; i++) {
        const PliantNearPair *pair = &expected->items[first + i];
        const int a_count = counts[pair->kind];
        const Side x = side_of(a, pair, pair->feature_a, 0, a_count),
                   y = side_of(b, pair, pair->feature_b, a_count, 4 - a_count);
        all[i] = (Reduced){join(pair, &x, &y, is_self), i};
    }
    qsort(all, (size_t)count, sizeof *all, by_closest);
    expected->count = first;
    for (int64_t i = 0; i < count; i++)
        if (i > 0 && by_order(&all[i].pair, &all[i - 1].pair) == 0)
            expected->items[expected->count - 1].pair_count++;
        else
            expected->items[expected->count++] = all[i].pair;
    free(all);
}

/* Adds what is near in two bodies, in order. */
static void find_near(const Actor *a, const Actor *b, const PliantNearDef *def, Expected *expected)
{
    const Asking asking = {a, b, def->distance, def->rest_distance,
                           reach_of(def->distance, greatest_of(a), greatest_of(b))};
    const int64_t first = expected->count;
    Features x = nearby_list_features(a), y = nearby_list_features(b);
    compare_vertices(&asking, &x, &y, PLIANT_VERTEX_TRIANGLE, expected);
    if (a != b)
        compare_vertices(&asking, &y, &x, PLIANT_TRIANGLE_VERTEX, expected);
    compare_edges(&asking, &x, &y, expected);
    if (expected->count > first)
        qsort(expected->items + first, (size_t)(expected->count - first), sizeof *expected->items,
              by_order);
    if (def->is_unique)
        reduce(&x, &y, a == b, first, expected);
    for (int64_t i = first; i < expected->count; i++) {
        expected->items[i].body_a = a->name;
        expected->items[i].body_b = b->name;
    }
    features_free(&x);
    features_free(&y);
}

/* ---- Comparing ----------------------------------------------------------------------------------
 */

static bool is_equal(const PliantNearPair *x, const PliantNearPair *y)
{
    bool is_same = memcmp(&x->body_a, &y->body_a, sizeof x->body_a) == 0 &&
                   memcmp(&x->body_b, &y->body_b, sizeof x->body_b) == 0 && x->kind == y->kind &&
                   x->feature_a == y->feature_a && x->feature_b == y->feature_b &&
                   x->distance == y->distance && x->region == y->region &&
                   x->pair_count == y->pair_count && x->flags == 0;
    for (int i = 0; i < 4; i++)
        is_same &= x->weights[i] == y->weights[i] && x->vertices[i] == y->vertices[i];
    for (size_t i = 0; i < sizeof x->reserved; i++)
        is_same &= x->reserved[i] == 0;
    for (int i = 0; i < 3; i++)
        is_same &= x->normal[i] == y->normal[i];
    return is_same;
}

static void compare(Play *play, const PliantNearPairs *pairs, const Expected *expected,
                    const char *what)
{
    for (int64_t i = 0; i < pairs->count && i < expected->count; i++)
        if (!is_equal(&pairs->items[i], &expected->items[i])) {
            play_differ(play, what, i);
            return;
        }
    if (pairs->count != expected->count)
        play_differ(play, what, pairs->count < expected->count ? pairs->count : expected->count);
}

static bool are_same_bodies(const PliantNearPair *x, const PliantNearPair *y)
{
    return memcmp(&x->body_a, &y->body_a, sizeof x->body_a) == 0 &&
           memcmp(&x->body_b, &y->body_b, sizeof x->body_b) == 0;
}

/* With a limit: as many as there are up to it. Only of the last two bodies may some be left out. */
static void compare_limited(Play *play, const PliantNearPairs *pairs, const Expected *expected,
                            int64_t limit)
{
    const PliantNearPair *left_out = NULL;
    int64_t at = 0;
    for (int64_t i = 0; i < pairs->count; i++, at++) {
        for (; at < expected->count && !is_equal(&pairs->items[i], &expected->items[at]); at++)
            left_out = left_out ? left_out : &expected->items[at];
        if (at == expected->count || (left_out && !are_same_bodies(left_out, &pairs->items[i]))) {
            play_differ(play, "near with a limit", i);
            return;
        }
    }
    if (pairs->count != (expected->count < limit ? expected->count : limit) ||
        pairs->is_limit_reached != (expected->count > limit))
        play_differ(play, "the number that is near with a limit", pairs->count);
}

/* Half of the times around the number of all, so that the limit is just reached or not. */
static int64_t choose_limit(Play *play, const Expected *expected)
{
    const int64_t count = expected->count < INT32_MAX / 2 ? expected->count : INT32_MAX / 2;
    const int64_t limit = play_chance(play, 2)
                              ? count + stage_whole(&play->stage.random, -1, 1)
                              : stage_whole(&play->stage.random, 1, (int)count + 1);
    return limit > 0 ? limit : 1;
}

/* A distance that two features of these bodies have, or a float beside it. */
static float choose_distance(Play *play, const Actor *a, const Actor *b)
{
    SceneRandom *random = &play->stage.random;
    Features x = nearby_list_features(a), y = nearby_list_features(b);
    PliCounts counts = {0};
    PliClosest closest = {.distance = 0};
    if (x.vertex_count > 0 && y.triangle_count > 0) {
        float point[3], corners[9], least = INFINITY;
        for (int tries = stage_whole(random, 1, 20); tries > 0; tries--) {
            features_copy_points(&x, &x.vertices[stage_whole(random, 0, x.vertex_count - 1)], 1,
                                 point);
            features_copy_points(&y, &y.triangles[stage_whole(random, 0, y.triangle_count - 1)], 3,
                                 corners);
            (void)pli_vertex_triangle_is_near(point, corners, INFINITY, &closest, &counts);
            least = closest.distance < least ? closest.distance : least;
        }
        closest.distance = least;
    }
    features_free(&x);
    features_free(&y);
    float distance = closest.distance < INFINITY ? closest.distance : 0;
    const int step = stage_whole(random, -1, 1);
    if (step != 0)
        distance = nextafterf(distance, step < 0 ? 0 : INFINITY);
    return play_chance(play, 8) || !isfinite(distance) ? 0 : distance;
}

/* ---- Small moves -------------------------------------------------------------------------------
 */

static void read_vertices(Play *play, Actor *actor)
{
    play_must(test_body_vertices(play->world, actor->name, actor->vertices));
}

/* Gives vertices to a body that has been given some. */
static void give(Play *play, Actor *actor, const float *vertices)
{
    for (size_t v = 0; v < (size_t)actor->mesh.vertex_count && actor->is_lent; v++)
        memcpy(actor->lent + actor->stride * v, vertices + 3 * v, 12);
    if (!actor->is_lent)
        play_must(pliant_body_set_vertices(
            play->world, actor->name, (PliantVertices){vertices, actor->mesh.vertex_count, 0}));
}

/* Moves a body by about a step, and at times one of its vertices to where none can be. */
static void nudge(Play *play, Actor *actor, float step)
{
    SceneRandom *random = &play->stage.random;
    const int32_t count = 3 * actor->mesh.vertex_count;
    if (actor->is_given && !actor->soup && count > 0) {
        float *moved = play_allocate(4 * (size_t)count);
        for (int32_t i = 0; i < count; i++)
            moved[i] = actor->now[i] + step * (float)(2 * scene_random(random) - 1);
        if (play_chance(play, 6))
            moved[stage_whole(random, 0, count - 1)] = play_chance(play, 2) ? NAN : INFINITY;
        give(play, actor, moved);
        free(moved);
    } else if (!actor->stays) {
        PliantTransform transform =
            actor->is_moved ? actor->transform : pliant_transform_identity();
        float *x = &transform.rows[stage_whole(random, 0, 2)][3];
        *x += fabsf(*x + step) < 1e38f ? step : 0;
        play_must(pliant_body_set_transform(play->world, actor->name, &transform));
    }
    read_vertices(play, actor);
}

static void move_back(Play *play, Actor *actor)
{
    const PliantTransform identity = pliant_transform_identity();
    if (actor->is_given && !actor->soup)
        give(play, actor, actor->now);
    else if (!actor->stays)
        play_must(pliant_body_set_transform(play->world, actor->name,
                                            actor->is_moved ? &actor->transform : &identity));
    read_vertices(play, actor);
}

/* A query that found something and fetched no leaf had kept it. */
static void count_kept(const Play *play, const PliantNearPairs *pairs)
{
    PliantStats stats = pliant_stats_default();
    play_must(pliant_world_stats(play->world, &stats));
    if (pairs->count > 0)
        kept_counts[stats.leaves_evaluated == 0]++;
}

/* ---- The questions ------------------------------------------------------------------------------
 */

static float choose_margin(Play *play, const Actor *a, const Actor *b)
{
    const float margin =
        ldexpf(choose_distance(play, a, b), -stage_whole(&play->stage.random, 0, 6));
    return play_chance(play, 2) ? 0 : margin;
}

/* By the scene and the frame: each third time. */
static bool chooses_unique(const Play *play)
{
    return (play->scene + play->frame) % 3 == 0;
}

static void ask_two(Play *play, const Actor *a, const Actor *b, const PliantNearDef *def)
{
    PliantNearPairs pairs = pliant_near_pairs_default();
    Expected expected = {0};
    const bool is_swapped = play_chance(play, 2);
    play_must(pliant_bodies_near(play->world, is_swapped ? b->name : a->name,
                                 is_swapped ? a->name : b->name, def, &pairs));
    if (def->margin > 0)
        count_kept(play, &pairs);
    find_near(a, b, def, &expected);
    compare(play, &pairs, &expected, a == b ? "near in one body" : "near in two bodies");
    if (!play->is_different && !def->is_unique && play_chance(play, 3)) {
        PliantNearDef limited = *def;
        limited.max_pair_count = choose_limit(play, &expected);
        play_must(pliant_bodies_near(play->world, a->name, b->name, &limited, &pairs));
        compare_limited(play, &pairs, &expected, limited.max_pair_count);
    }
    free(expected.items);
}

/* Several times with a margin, while bodies move about as far as that. */
static void ask_two_often(Play *play, Actor *a, Actor *b)
{
    SceneRandom *random = &play->stage.random;
    PliantNearDef def = pliant_near_def_default();
    def.distance = choose_distance(play, a, b);
    def.margin = choose_margin(play, a, b);
    def.is_unique = chooses_unique(play);
    make_thick(play, a, b, def.distance);
    if (scene_random_below(&radii_random, 4) == 0)
        def.rest_distance = scene_random_below(&radii_random, 2) ? -1 : def.distance / 2;
    if (thick[0].actor && scene_random_below(&radii_random, 2))
        def.distance /= 2;
    ask_two(play, a, b, &def);
    exclude(play, a, b, true);
    ask_two(play, a, b, &def);
    for (int turn = def.margin > 0 ? stage_whole(random, 1, 3) : 0; turn > 0 && !play->is_different;
         turn--) {
        const float step = ldexpf(def.margin, -stage_whole(random, 0, 4));
        if (play_chance(play, 2))
            nudge(play, a, step);
        if (play_chance(play, 2))
            nudge(play, b, step);
        if (play_chance(play, 4))
            def.distance = choose_distance(play, a, b);
        if (scene_random_below(&radii_random, 3) == 0)
            make_thick(play, a, b, def.distance);
        ask_two(play, a, b, &def);
    }
    exclude(play, a, b, false);
    if (def.margin == 0)
        return;
    move_back(play, a);
    move_back(play, b);
}

static void ask_world(Play *play, float distance, float margin)
{
    PliantNearDef def = pliant_near_def_default();
    PliantNearPairs pairs = pliant_near_pairs_default();
    Expected expected = {0};
    def.distance = distance;
    def.margin = margin;
    def.includes_self = play_chance(play, 2);
    def.is_unique = chooses_unique(play);
    if (scene_random_below(&radii_random, 4) == 0)
        def.rest_distance = -1;
    play_must(pliant_world_near(play->world, &def, &pairs));
    for (int i = 0, next = 0; i < play->actor_count; i++) {
        if (def.includes_self)
            find_near(&play->actors[i], &play->actors[i], &def, &expected);
        for (; next < play->pair_count && play->pairs[next].a == &play->actors[i]; next++)
            if (play->pairs[next].is_allowed)
                find_near(play->pairs[next].a, play->pairs[next].b, &def, &expected);
    }
    compare(play, &pairs, &expected, "near in the world");
    if (!play->is_different && !def.is_unique && play_chance(play, 2)) {
        def.max_pair_count = choose_limit(play, &expected);
        play_must(pliant_world_near(play->world, &def, &pairs));
        compare_limited(play, &pairs, &expected, def.max_pair_count);
    }
    free(expected.items);
}

void nearby_ask(Play *play)
{
    const Pair *pair = &play->pairs[stage_whole(&play->stage.random, 0, play->pair_count - 1)];
    const bool is_self = play_chance(play, 3);
    Actor *a = &play->actors[pair->a - play->actors],
          *b = is_self ? a : &play->actors[pair->b - play->actors];
    bool are_small = true;
    for (int i = 0; i < play->actor_count; i++)
        are_small &= play->actors[i].mesh.triangle_count <= MAX_TRIANGLES / 8;
    if (a->mesh.triangle_count <= MAX_TRIANGLES && b->mesh.triangle_count <= MAX_TRIANGLES)
        ask_two_often(play, a, b);
    if (are_small && !play->is_different && play_chance(play, 4)) {
        const float distance = choose_distance(play, a, b), margin = choose_margin(play, a, b);
        ask_world(play, distance, margin);
        if (margin > 0 && !play->is_different && play_chance(play, 2))
            ask_world(play, distance, margin);
    }
    make_thin(play);
}
