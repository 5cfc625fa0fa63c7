/* What follows from pairs of features, vertex by vertex: see pliant/near.h. */
#include "world/world.h"

#include <inttypes.h>

#define PAIRS_SIZE PLI_RECORD_SIZE(PliantNearPairs, count)

/* A body whose vertices are asked for. */
typedef struct Subject {
    PliPoseFeatures features;
    int64_t vertex_count, triangle_count, edge_count;
} Subject;

static bool is_same_body(PliantBody a, PliantBody b)
{
    return a.index == b.index && a.generation == b.generation && a.world == b.world;
}

static int64_t vertex_count_of(PliBody *body)
{
    const PliSoup *soup = pli_soup_of(&body->pose);
    return soup ? (int64_t)soup->vertices.count
                : (int64_t)pli_shape_of(&body->pose)->header->vertex_count;
}

static uint32_t corner_of(const Subject *subject, int32_t triangle, int k)
{
    const PliPoseFeatures *features = &subject->features;
    const int32_t at = features->are_points ? triangle : 3 * triangle + k;
    return features->corners ? features->corners[at] : (uint32_t)at;
}

/* An end of an edge. */
static uint32_t end_of(const Subject *subject, int32_t edge, int k)
{
    const PliFeatures *shared = subject->features.shared;
    return shared ? shared->edge_vertices[2 * edge + k]
                  : corner_of(subject, edge / 3, (edge % 3 + k) % 3);
}

/* How many vertices a feature has: the side is 0 of a and 1 of b. */
static int count_of(const PliantNearPair *pair, int side)
{
    return pair->kind == PLIANT_EDGE_EDGE                          ? 2
           : (pair->kind == PLIANT_VERTEX_TRIANGLE) == (side == 0) ? 1
                                                                   : 3;
}

/* Is the feature one that the body has? */
static bool is_feature(const Subject *subject, int count, int32_t feature)
{
    const int64_t end = count == 1   ? subject->vertex_count
                        : count == 2 ? subject->edge_count
                                     : subject->triangle_count;
    return feature >= 0 && feature < end;
}

/* Lowers the distances of the vertices of a feature. */
static void lower(const Subject *subject, int count, int32_t feature, float distance,
                  float *distances)
{
    for (int k = 0; k < count; k++) {
        const uint32_t vertex = count == 1   ? (uint32_t)feature
                                : count == 2 ? end_of(subject, feature, k)
                                             : corner_of(subject, feature, k);
        if (vertex < (uint64_t)subject->vertex_count && distance < distances[vertex])
            distances[vertex] = distance;
    }
}

PliantResult pliant_near_vertex_distances(PliantWorld *world, const PliantNearPairs *pairs,
                                          PliantBody handle, float *distances, int64_t capacity)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "body", handle, body);
    PLI_CHECK_OUTPUT(&call, "pairs", pairs, PAIRS_SIZE);
    PLI_CHECK(&call, distances, PLIANT_BAD_ARGUMENT, "distances is NULL");
    Subject subject = {.vertex_count = vertex_count_of(body),
                       .triangle_count = body->pose.number_count};
    PLI_CHECK(&call, capacity >= subject.vertex_count, PLIANT_BAD_ARGUMENT,
              "capacity is %" PRId64 ": the body has %" PRId64 " vertices", capacity,
              subject.vertex_count);
    PLI_TRY(body->pose.kind->features(&body->pose, &world->host, &subject.features));
    subject.edge_count =
        subject.features.shared ? subject.features.shared->edge_count : 3 * subject.triangle_count;
    for (int64_t i = 0; i < pairs->count; i++)
        for (int side = 0; side < 2; side++) {
            const PliantNearPair *pair = &pairs->items[i];
            const int32_t feature = side == 0 ? pair->feature_a : pair->feature_b;
            PLI_CHECK(&call,
                      !is_same_body(side == 0 ? pair->body_a : pair->body_b, handle) ||
                          is_feature(&subject, count_of(pair, side), feature),
                      PLIANT_BAD_ARGUMENT, "pair %" PRId64 " has feature %" PRId32, i, feature);
        }
    for (int64_t v = 0; v < subject.vertex_count; v++)
        distances[v] = INFINITY;
    for (int64_t i = 0; i < pairs->count; i++) {
        const PliantNearPair *pair = &pairs->items[i];
        if (is_same_body(pair->body_a, handle))
            lower(&subject, count_of(pair, 0), pair->feature_a, pair->distance, distances);
        if (is_same_body(pair->body_b, handle))
            lower(&subject, count_of(pair, 1), pair->feature_b, pair->distance, distances);
    }
    const PliantShape *shape = pli_shape_of(&body->pose);
    for (int64_t v = 0; shape && shape->groups && v < subject.vertex_count; v++)
        distances[v] = distances[shape->groups[v]];
    return PLIANT_OK;
}

PliantResult pliant_near_vertex_offsets(const PliantWorld *world, const PliantNearPairs *pairs,
                                        PliantBody a, PliantBody b, int64_t *offsets,
                                        int64_t capacity)
{
    const PliCall call = PLI_WORLD_CALL(world);
    PLI_CHECK_BODY(&call, world, "a", a, body_a);
    PLI_CHECK_BODY(&call, world, "b", b, body_b);
    PLI_CHECK_OUTPUT(&call, "pairs", pairs, PAIRS_SIZE);
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
