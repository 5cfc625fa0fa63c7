/* Least distances and closest points against brute force: see distances.h.
 *
 * All features of two bodies, and all triangles of a body, by loops that know nothing of trees. How
 * far two features are is decided by the library's own functions without any limit, which
 * test_closest compares with the oracles: what is tested here is that the closest is found, and of
 * equal ones the first. Signs are those of solid angles. */
#include "distances.h"
#include "geom/closest.h"
#include "nearby.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t distances_decisions;

/* Bodies of more triangles are not compared. */
enum { MAX_TRIANGLES = 320, MAX_POINTS = 24 };

/* ---- The least distance ------------------------------------------------------------------------
 */

typedef struct Best {
    bool is_there;
    PliantNearPair pair;
    uint32_t order[2]; /* vertex and triangle, or edges */
} Best;

/* What is found within max_distance, by the exact decision. */
static void offer(Best *best, PliantFeatures kind, uint32_t first, uint32_t second,
                  const PliClosest *closest)
{
    const uint32_t order[2] = {first, second};
    bool is_before = !best->is_there || closest->distance < best->pair.distance;
    if (best->is_there && closest->distance == best->pair.distance) {
        if (kind != best->pair.kind)
            is_before = kind < best->pair.kind;
        else if (order[0] != best->order[0])
            is_before = order[0] < best->order[0];
        else
            is_before = order[1] < best->order[1];
    }
    if (!is_before)
        return;
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    best->is_there = true;
    memcpy(best->order, order, sizeof order);
    best->pair = (PliantNearPair){.kind = kind,
                                  .feature_a = (int32_t)order[is_swapped],
                                  .feature_b = (int32_t)order[!is_swapped],
                                  .distance = closest->distance};
}

/* How far features may be to matter: what is farther than the float after the least distance so far
 * has a greater one, as it is returned. Most are decided in double then. */
static float limit_of(const Best *best, float max_distance)
{
    return best->is_there ? fminf(max_distance, nextafterf(best->pair.distance, INFINITY))
                          : max_distance;
}

static void compare_vertices(const Features *a, const Features *b, PliantFeatures kind,
                             float max_distance, Best *best)
{
    PliCounts counts = {0};
    PliClosest closest;
    float point[3], corners[9];
    for (int32_t i = 0; i < a->vertex_count; i++)
        for (int32_t k = 0; k < b->triangle_count; k++) {
            if (!features_are_comparable(&a->vertices[i], &b->triangles[k]))
                continue;
            features_copy_points(a, &a->vertices[i], 1, point);
            features_copy_points(b, &b->triangles[k], 3, corners);
            distances_decisions++;
            if (pli_vertex_triangle_is_near(point, corners, limit_of(best, max_distance), &closest,
                                            &counts) &&
                pli_vertex_triangle_is_near(point, corners, INFINITY, &closest, &counts))
                offer(best, kind, (uint32_t)a->vertices[i].id, (uint32_t)b->triangles[k].id,
                      &closest);
        }
}

static void compare_edges(const Features *a, const Features *b, float max_distance, Best *best)
{
    PliCounts counts = {0};
    PliClosest closest;
    float x[6], y[6];
    for (int32_t i = 0; i < a->edge_count; i++)
        for (int32_t k = 0; k < b->edge_count; k++) {
            features_copy_points(a, &a->edges[i], 2, x);
            features_copy_points(b, &b->edges[k], 2, y);
            distances_decisions++;
            if (pli_edge_edge_is_near(x, y, limit_of(best, max_distance), &closest, &counts) &&
                pli_edge_edge_is_near(x, y, INFINITY, &closest, &counts))
                offer(best, PLIANT_EDGE_EDGE, (uint32_t)a->edges[i].id, (uint32_t)b->edges[k].id,
                      &closest);
        }
}

static Best find_best(const Pair *pair, float max_distance)
{
    Features a = nearby_list_features(pair->a), b = nearby_list_features(pair->b);
    Best best = {0};
    compare_vertices(&a, &b, PLIANT_VERTEX_TRIANGLE, max_distance, &best);
    compare_vertices(&b, &a, PLIANT_TRIANGLE_VERTEX, max_distance, &best);
    compare_edges(&a, &b, max_distance, &best);
    features_free(&a);
    features_free(&b);
    return best;
}

static bool is_body(PliantBody x, PliantBody y)
{
    return memcmp(&x, &y, sizeof x) == 0;
}

/* Two bodies that intersect: any such pair of triangles. */
static bool is_contact(const Play *play, const Pair *pair, const PliantNearPair *found)
{
    bool is_there = false;
    for (int64_t i = 0; i < pair->count; i++) {
        const BruteContact *contact = &play->expected.items[pair->first + i];
        is_there |= contact->a == found->feature_a && contact->b == found->feature_b;
    }
    return is_there && found->kind == PLIANT_TRIANGLE_TRIANGLE && found->distance == 0;
}

static bool is_right(const Play *play, const Pair *pair, const Best *best,
                     const PliantDistance *distance)
{
    const PliantNearPair *found = &distance->pair;
    if (!distance->is_found)
        return pair->count == 0 && !best->is_there;
    if (!is_body(found->body_a, pair->a->name) || !is_body(found->body_b, pair->b->name))
        return false;
    if (pair->count > 0)
        return is_contact(play, pair, found);
    return best->is_there && found->kind == best->pair.kind &&
           found->feature_a == best->pair.feature_a && found->feature_b == best->pair.feature_b &&
           found->distance == best->pair.distance;
}

/* Asks for the distance of two bodies, in either order. */
static void ask_two(Play *play, const Pair *pair, const Best *best, float max_distance)
{
    PliantDistanceDef def = pliant_distance_def_default();
    PliantDistance distance = pliant_distance_default();
    def.max_distance = max_distance;
    const bool is_swapped = play_chance(play, 2);
    play_must(pliant_bodies_distance(play->world, is_swapped ? pair->b->name : pair->a->name,
                                     is_swapped ? pair->a->name : pair->b->name, &def, &distance));
    if (!is_right(play, pair, best, &distance))
        play_differ(play, "the distance of two bodies", distance.pair.feature_a);
    distance_counts[!distance.is_found ? 0 : pair->count > 0 ? 1 : 2]++;
}

/* A distance, or a float beside it. */
static float beside(Play *play, float distance)
{
    const int step = stage_whole(&play->stage.random, -1, 1);
    if (!(distance < INFINITY))
        return INFINITY;
    return step == 0 ? distance : nextafterf(distance, step < 0 ? 0 : INFINITY);
}

static bool are_small(const Pair *pair, int32_t most)
{
    return pair->a->mesh.triangle_count <= most && pair->b->mesh.triangle_count <= most;
}

static void ask_within(Play *play, float distance)
{
    PliantBodyPairsDef def = pliant_body_pairs_def_default();
    PliantBodyPairs found = pliant_body_pairs_default();
    int64_t at = 0;
    def.distance = distance;
    play_must(pliant_world_bodies_within(play->world, &def, &found));
    const PliantBodyPair *pairs = found.items;
    const int64_t count = found.count;
    for (int p = 0; p < play->pair_count; p++) {
        const Pair *pair = &play->pairs[p];
        const bool is_near =
            pair->is_allowed && (pair->count > 0 || find_best(pair, distance).is_there);
        const bool is_there = at < count && is_body(pairs[at].body_a, pair->a->name) &&
                              is_body(pairs[at].body_b, pair->b->name);
        at += is_there;
        if (is_there != is_near)
            play_differ(play, "bodies within a distance", p);
    }
    if (at != count)
        play_differ(play, "the end of bodies within a distance", at);
}

void distances_ask(Play *play)
{
    const Pair *pair = &play->pairs[stage_whole(&play->stage.random, 0, play->pair_count - 1)];
    if (!are_small(pair, MAX_TRIANGLES))
        return;
    const Best none = {0}, best = pair->count > 0 ? none : find_best(pair, INFINITY);
    ask_two(play, pair, &best, INFINITY);
    const float max_distance = beside(play, best.is_there ? best.pair.distance : 1);
    const Best within = pair->count > 0 ? none : find_best(pair, max_distance);
    if (!play->is_different)
        ask_two(play, pair, &within, max_distance);
    bool are_all_small = max_distance < INFINITY && play_chance(play, 3);
    for (int p = 0; p < play->pair_count; p++)
        are_all_small &= are_small(&play->pairs[p], MAX_TRIANGLES / 4);
    if (are_all_small && !play->is_different)
        ask_within(play, max_distance);
}

/* ---- Closest points ----------------------------------------------------------------------------
 */

/* A finite point somewhere around a triangle of a body. */
static void choose_point(Play *play, const Features *features, float *point)
{
    SceneRandom *random = &play->stage.random;
    float x[9], y[9];
    const int last = features->triangle_count - 1, how = stage_whole(random, 0, 7);
    features_copy_points(features, &features->triangles[stage_whole(random, 0, last)], 3, x);
    features_copy_points(features, &features->triangles[stage_whole(random, 0, last)], 3, y);
    for (int k = 0; k < 3; k++) {
        const float a = x[k], b = x[3 + k], c = x[6 + k], other = y[k];
        const float low = fminf(a, fminf(b, c)), high = fmaxf(a, fmaxf(b, c));
        const float choices[8] = {a,                     /* a vertex */
                                  a / 2 + b / 2,         /* on an edge, but for rounding */
                                  a / 4 + b / 4 + c / 2, /* on a triangle, likewise */
                                  play_chance(play, 2) ? low : high, /* on the border of its box */
                                  a / 2 + other / 2,                 /* inside, as a rule */
                                  2 * a - other,                     /* outside, as a rule */
                                  nextafterf(a, b),                  /* beside a vertex */
                                  play_chance(play, 2) ? a : other};
        point[k] = choices[how];
    }
    for (int k = 0; k < 3; k++)
        point[k] = isfinite(point[k]) ? point[k] : x[k];
}

/* The closest triangle of a body, if it is before the one that was found. */
static void find_closest(const Actor *actor, const float *point, float max_distance,
                         PliantClosestPoint *found)
{
    Features features = nearby_list_features(actor);
    PliCounts counts = {0};
    for (int32_t i = 0; i < features.triangle_count; i++) {
        float corners[9];
        PliClosest closest;
        features_copy_points(&features, &features.triangles[i], 3, corners);
        distances_decisions++;
        if (!pli_vertex_triangle_is_near(point, corners, max_distance, &closest, &counts) ||
            !pli_vertex_triangle_is_near(point, corners, INFINITY, &closest, &counts) ||
            (found->triangle >= 0 && !(closest.distance < found->distance)))
            continue;
        *found = (PliantClosestPoint){.body = actor->name,
                                      .triangle = features.triangles[i].id,
                                      .distance = closest.distance};
        for (int k = 0; k < 3; k++) {
            const double weights[3] = {-(double)closest.weights[1], -(double)closest.weights[2],
                                       -(double)closest.weights[3]};
            found->weights[k] = (float)weights[k];
            found->position[k] = (float)((weights[0] * corners[k] + weights[1] * corners[3 + k]) +
                                         weights[2] * corners[6 + k]);
        }
    }
    features_free(&features);
}

static bool is_same_point(const PliantClosestPoint *x, const PliantClosestPoint *y)
{
    bool is_same = is_body(x->body, y->body) && x->triangle == y->triangle &&
                   fabsf(x->distance) == y->distance;
    for (int k = 0; k < 3; k++)
        is_same &= x->weights[k] == y->weights[k] && x->position[k] == y->position[k];
    return is_same;
}

/* How often a surface winds around a point, by solid angles (Van Oosterom and Strackee, 1983). */
static double winding_of(const Features *features, const float *point)
{
    double sum = 0;
    for (int32_t i = 0; i < features->triangle_count; i++) {
        float corners[9];
        double v[3][3], length[3], pairs[3];
        features_copy_points(features, &features->triangles[i], 3, corners);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++)
                v[c][k] = (double)corners[3 * c + k] - point[k];
            length[c] = sqrt(v[c][0] * v[c][0] + v[c][1] * v[c][1] + v[c][2] * v[c][2]);
        }
        for (int c = 0; c < 3; c++) {
            const double *a = v[c], *b = v[(c + 1) % 3];
            pairs[c] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        }
        const double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                           v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        sum += 2 * atan2(det, length[0] * length[1] * length[2] + pairs[0] * length[2] +
                                  pairs[1] * length[0] + pairs[2] * length[1]);
    }
    return sum / (4 * acos(-1.0));
}

/* An edge from the lower vertex to the higher one, or back. */
typedef struct Turn {
    uint32_t low, high;
    int step;
} Turn;

static int by_edge(const void *x, const void *y)
{
    const Turn *a = x, *b = y;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

/* Is each edge passed as often in one direction as in the other? */
static bool is_closed(const Features *features)
{
    const size_t count = 3 * (size_t)features->triangle_count;
    Turn *turns = play_allocate(sizeof(Turn) * (count + 1));
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corners = features->triangles[i / 3].vertices;
        const uint32_t from = corners[i % 3], to = corners[(i + 1) % 3];
        turns[i] = from < to ? (Turn){from, to, 1} : (Turn){to, from, from > to ? -1 : 0};
    }
    qsort(turns, count, sizeof *turns, by_edge);
    int sum = 0;
    bool is_even = true;
    for (size_t i = 0; i < count; i++) {
        sum += turns[i].step;
        if (i + 1 == count || by_edge(&turns[i], &turns[i + 1]) != 0)
            is_even &= sum == 0;
    }
    free(turns);
    return is_even;
}

static float largest_of(const Features *features)
{
    float most = 0;
    for (int32_t i = 0; i < features->triangle_count; i++) {
        float corners[9];
        features_copy_points(features, &features->triangles[i], 3, corners);
        for (int k = 0; k < 9; k++)
            most = fmaxf(most, fabsf(corners[k]));
    }
    return most;
}

/* Is the sign of a distance that of a solid angle, where the surface is closed and that is
 * clear? */
static bool has_right_sign(Play *play, const PliantClosestPoint *found, const float *point)
{
    for (int i = 0; i < play->actor_count; i++) {
        const Actor *actor = &play->actors[i];
        if (!is_body(actor->name, found->body) || found->distance == 0)
            continue;
        Features features = nearby_list_features(actor);
        const bool is_clear = fabsf(found->distance) > 1e-5f * largest_of(&features);
        const double winding =
            is_clear && is_closed(&features) ? winding_of(&features, point) : NAN;
        features_free(&features);
        if (!(fabs(winding - round(winding)) < 1e-3))
            continue;
        const bool is_inside = round(winding) != 0;
        sign_counts[is_inside]++;
        return (found->distance < 0) == is_inside;
    }
    return true;
}

/* Is an actor searched with these filters? */
static bool is_searched(const Actor *actor, const PliantClosestDef *def)
{
    return (actor->categories & def->collides_with) && (actor->collides_with & def->categories);
}

/* Points around one body; the closest points of that body, or of all that the filters allow. */
static void ask_points(Play *play, const Actor *actor, bool is_of_all)
{
    SceneRandom *random = &play->stage.random;
    Features features = nearby_list_features(actor);
    float points[MAX_POINTS][3];
    PliantClosestPoint expected[MAX_POINTS];
    PliantClosestPoints found = pliant_closest_points_default();
    PliantClosestDef def = pliant_closest_def_default();
    if (play_chance(play, 4)) {
        def.categories = (uint32_t)stage_whole(random, 0, 3);
        def.collides_with = (uint32_t)stage_whole(random, 0, 3);
    }
    const int count = features.triangle_count > 0 ? stage_whole(random, 1, MAX_POINTS) : 0;
    for (int i = 0; i < count; i++)
        choose_point(play, &features, points[i]);
    features_free(&features);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            expected[i] = (PliantClosestPoint){.triangle = -1, .distance = INFINITY};
            for (int k = 0; k < play->actor_count; k++)
                if (is_of_all ? is_searched(&play->actors[k], &def) : &play->actors[k] == actor)
                    find_closest(&play->actors[k], points[i], def.max_distance, &expected[i]);
        }
        def.is_signed = play_chance(play, 2);
        const PliantVertices batch = {points[0], count, 0};
        play_must(is_of_all
                      ? pliant_world_closest_points(play->world, batch, &def, &found)
                      : pliant_body_closest_points(play->world, actor->name, batch, &def, &found));
        const PliantClosestPoint *closest = found.items;
        for (int i = 0; i < count && !play->is_different; i++) {
            if (!is_same_point(&closest[i], &expected[i]))
                play_differ(play, "a closest point", i);
            else if (closest[i].flags != 0 && !def.is_signed)
                play_differ(play, "the flags of a closest point", i);
            else if (def.is_signed && !has_right_sign(play, &closest[i], points[i]))
                play_differ(play, "the sign of a distance", i);
            else if (!def.is_signed && closest[i].distance < 0)
                play_differ(play, "a distance that is negative", i);
        }
        point_counts[is_of_all]++;
        if (count > 0)
            def.max_distance = beside(play, expected[stage_whole(random, 0, count - 1)].distance);
    }
}

void distances_ask_points(Play *play)
{
    const Actor *actor = &play->actors[stage_whole(&play->stage.random, 0, play->actor_count - 1)];
    int64_t sum = 0;
    for (int i = 0; i < play->actor_count; i++)
        sum += play->actors[i].mesh.triangle_count;
    ask_points(play, actor, sum < 4000 && play_chance(play, 2));
}
