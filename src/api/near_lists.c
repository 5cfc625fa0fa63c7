/* What follows from pairs of features, vertex by vertex: see pliant/near.h. */
#include "base/cpu.h"
#include "world/world.h"

#include <inttypes.h>

#define PAIRS_SIZE PLI_RECORD_SIZE(PliantNearPairs, is_limit_reached)

static bool is_same_body(PliantBody a, PliantBody b)
{
    return a.index == b.index && a.serial == b.serial;
}

static int64_t vertex_count_of(PliBody *body)
{
    const PliSoup *soup = pli_soup_of(&body->pose);
    return soup ? (int64_t)soup->vertices.count
                : (int64_t)pli_shape_of(&body->pose)->header->vertex_count;
}

/* Which of the four vertices of a pair are of a body: from the first one to before the last one. */
typedef struct Part {
    int first, end;
} Part;

static Part part_of(const PliantNearPair *pair, PliantBody body)
{
    const int count_a = pair->kind == PLIANT_EDGE_EDGE         ? 2
                        : pair->kind == PLIANT_VERTEX_TRIANGLE ? 1
                                                               : 3;
    return (Part){is_same_body(pair->body_a, body) ? 0 : count_a,
                  is_same_body(pair->body_b, body) ? 4 : count_a};
}

/* A float that is less than the real distance, which is greater than the float before this one
 * (geom/closest.h), and half of which is a float. Those below 2^-125 are halved without rounding if
 * their last bit is 0. By bits, whatever the caller's modes are. */
static float safe_distance(float distance)
{
    uint32_t bits;
    memcpy(&bits, &distance, sizeof bits);
    bits -= bits != 0;
    bits &= distance < 0x1p-125f ? ~1u : ~0u;
    memcpy(&distance, &bits, sizeof bits);
    return distance;
}

/* ---- Pairs that the caller has made ------------------------------------------------------------
 *
 * They are decided again: nobody knows what their distances are of.
 */

/* Writes all vertices of a body to an array of the world. */
static PliantResult evaluate(PliantWorld *world, PliBody *body, PliArray *vertices)
{
    const int64_t count = vertex_count_of(body);
    PLI_TRY(pli_array_reserve(vertices, &world->host, 3 * count));
    vertices->count = 3 * count;
    if (count > 0)
        body->pose.kind->vertices(&body->pose, vertices->items);
    return PLIANT_OK;
}

/* The distance of a pair now; infinity if a vertex is not finite. */
static float distance_now(const PliantWorld *world, const PliantNearPair *pair)
{
    const int count_a = part_of(pair, (PliantBody){0}).first;
    float points[12];
    PliClosest closest;
    PliCounts counts = {0};
    for (int k = 0; k < 4; k++)
        memcpy(points + 3 * k,
               (const float *)world->pair_vertices[k >= count_a].items +
                   3 * (size_t)pair->vertices[k],
               3 * sizeof *points);
    if (!pli_is_finite(points, 12))
        return INFINITY;
    if (pair->kind == PLIANT_EDGE_EDGE)
        pli_edge_edge_closest(points, points + 6, INFINITY, &closest, &counts);
    else if (pair->kind == PLIANT_VERTEX_TRIANGLE)
        pli_vertex_triangle_closest(points, points + 3, INFINITY, &closest, &counts);
    else
        pli_vertex_triangle_closest(points + 9, points, INFINITY, &closest, &counts);
    return closest.distance;
}

/* ---- Distances of vertices ---------------------------------------------------------------------
 */

static PliantResult check_pair(const PliCall *call, const PliantWorld *world,
                               const PliantNearPair *pair, int64_t i)
{
    PLI_CHECK_BODY(call, world, "a body of pairs", pair->body_a, a);
    PLI_CHECK_BODY(call, world, "a body of pairs", pair->body_b, b);
    PLI_CHECK(call, (unsigned)pair->kind <= PLIANT_EDGE_EDGE, PLIANT_BAD_ARGUMENT,
              "pair %" PRId64 " has kind %d", i, (int)pair->kind);
    const int count_a = part_of(pair, (PliantBody){0}).first;
    for (int k = 0; k < 4; k++)
        PLI_CHECK(call, pair->vertices[k] < vertex_count_of(k < count_a ? a : b),
                  PLIANT_BAD_ARGUMENT, "pair %" PRId64 " has vertex %" PRIu32, i,
                  pair->vertices[k]);
    return PLIANT_OK;
}

static PliantResult check_pairs(const PliCall *call, PliantWorld *world,
                                const PliantNearPairs *pairs)
{
    PliantBody a = {0}, b = {0};
    for (int64_t i = 0; i < pairs->count; i++) {
        const PliantNearPair *pair = &pairs->items[i];
        PLI_TRY(check_pair(call, world, pair, i));
        if (pairs->stamp != 0 && !is_same_body(pair->body_a, a))
            PLI_TRY(pli_world_check_stamp(call, world, a = pair->body_a, pairs->stamp));
        if (pairs->stamp != 0 && !is_same_body(pair->body_b, b))
            PLI_TRY(pli_world_check_stamp(call, world, b = pair->body_b, pairs->stamp));
    }
    return PLIANT_OK;
}

/* The least distance of the doubles of a pair, if its bodies have some. */
static float less_errors(const PliantWorld *world, const PliantNearPair *pair, float distance)
{
    const float error = pli_sum_up(pli_pose_error(&pli_world_body(world, pair->body_a)->pose),
                                   pli_pose_error(&pli_world_body(world, pair->body_b)->pose));
    const float rest = error > 0 ? pli_moved_down(pli_moved_down(distance) - error) : distance;
    return rest > 0 ? rest : 0;
}

/* Lowers the distances of the vertices of a body, by the lowest of their groups. */
static PLI_NOINLINE PliantResult lower_all(PliantWorld *world, const PliantNearPairs *pairs,
                                           PliantBody handle, const uint32_t *groups,
                                           float *distances)
{
    PliantBody a = {0}, b = {0};
    for (int64_t i = 0; i < pairs->count; i++) {
        const PliantNearPair *pair = &pairs->items[i];
        const Part part = part_of(pair, handle);
        if (part.first == part.end)
            continue;
        if (pairs->stamp == 0 && !is_same_body(pair->body_a, a))
            PLI_TRY(
                evaluate(world, pli_world_body(world, a = pair->body_a), &world->pair_vertices[0]));
        if (pairs->stamp == 0 && !is_same_body(pair->body_b, b))
            PLI_TRY(
                evaluate(world, pli_world_body(world, b = pair->body_b), &world->pair_vertices[1]));
        const float distance = safe_distance(less_errors(
            world, pair, pairs->stamp == 0 ? distance_now(world, pair) : pair->distance));
        for (int k = part.first; k < part.end; k++) {
            const uint32_t vertex = groups ? groups[pair->vertices[k]] : pair->vertices[k];
            distances[vertex] = distance < distances[vertex] ? distance : distances[vertex];
        }
    }
    return PLIANT_OK;
}

PliantResult pliant_near_vertex_distances(PliantWorld *world, const PliantNearPairs *pairs,
                                          PliantBody handle, float *distances, int64_t capacity)
{
    PLI_ASK_WORLD(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK_OUTPUT(&call, "pairs", "pliant_near_pairs_default", pairs, PAIRS_SIZE);
    PLI_CHECK(&call, distances, PLIANT_BAD_ARGUMENT, "distances is NULL");
    const PliantShape *shape = pli_shape_of(&body->pose);
    const uint32_t *groups = shape ? shape->groups : NULL;
    const int64_t vertex_count = vertex_count_of(body);
    PLI_CHECK(&call, capacity >= vertex_count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ": the body has %" PRId64 " vertices", capacity, vertex_count);
    pli_world_start(world, NULL, NULL);
    PLI_TRY(check_pairs(&call, world, pairs));
    for (int64_t v = 0; v < vertex_count; v++)
        distances[v] = INFINITY;
    const PliFpMode caller = pli_fp_enter();
    const PliantResult result = lower_all(world, pairs, handle, groups, distances);
    pli_fp_leave(caller);
    PLI_TRY(result);
    for (int64_t v = 0; groups && v < vertex_count; v++)
        distances[v] = distances[groups[v]];
    return PLIANT_OK;
}

PliantResult pliant_near_vertex_offsets(const PliantWorld *world, const PliantNearPairs *pairs,
                                        PliantBody a, PliantBody b, int64_t *offsets,
                                        int64_t capacity)
{
    PLI_READ_WORLD(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    PLI_CHECK_OUTPUT(&call, "pairs", "pliant_near_pairs_default", pairs, PAIRS_SIZE);
    PLI_CHECK(&call, offsets, PLIANT_BAD_ARGUMENT, "offsets is NULL");
    (void)body_b;
    const int64_t vertex_count = vertex_count_of(body_a);
    PLI_CHECK(&call, capacity > vertex_count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ": the body has %" PRId64 " vertices, and one more is needed",
              capacity, vertex_count);
    const bool is_swapped = a.index > b.index;
    const PliantFeatures kind = is_swapped ? PLIANT_TRIANGLE_VERTEX : PLIANT_VERTEX_TRIANGLE;
    const PliantBody first = is_swapped ? b : a, second = is_swapped ? a : b;
    int64_t begin = 0, v = 0;
    while (begin < pairs->count &&
           !(is_same_body(pairs->items[begin].body_a, first) &&
             is_same_body(pairs->items[begin].body_b, second) && pairs->items[begin].kind == kind))
        begin++;
    int64_t end = begin;
    for (; end < pairs->count && is_same_body(pairs->items[end].body_a, first) &&
           is_same_body(pairs->items[end].body_b, second) && pairs->items[end].kind == kind;
         end++) {
        const PliantNearPair *pair = &pairs->items[end];
        const int32_t vertex = is_swapped ? pair->feature_b : pair->feature_a;
        PLI_CHECK(&call, vertex >= 0 && vertex < vertex_count, PLIANT_BAD_ARGUMENT,
                  "pair %" PRId64 " has vertex %" PRId32, end, vertex);
        for (; v <= vertex; v++)
            offsets[v] = end;
    }
    for (; v <= vertex_count; v++)
        offsets[v] = end;
    return PLIANT_OK;
}
