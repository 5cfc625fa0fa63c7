/* The features of a body, from its triangles alone: see feature_lists.h. */
#include "feature_lists.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *allocate(size_t size)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (!memory)
        exit(1);
    return memory;
}

uint32_t features_name(const FeatureBody *body, uint32_t vertex)
{
    return body->groups && vertex < (uint32_t)body->vertex_count ? body->groups[vertex] : vertex;
}

static bool are_same_place(const FeatureBody *body, uint32_t v, uint32_t w)
{
    for (size_t k = 0; k < 3; k++)
        if (body->start[3 * (size_t)v + k] != body->start[3 * (size_t)w + k] ||
            body->end[3 * (size_t)v + k] != body->end[3 * (size_t)w + k])
            return false;
    return true;
}

/* Are there vertices of one group at several places? Features then are wherever a triangle has
 * them. */
static bool is_apart(const FeatureBody *body)
{
    for (int32_t i = 0; i < 3 * body->triangle_count && body->groups; i++) {
        const uint32_t vertex = body->triangles[i], name = features_name(body, vertex);
        if (vertex != name && !are_same_place(body, vertex, name))
            return true;
    }
    return false;
}

static bool is_finite(const FeatureBody *body, int32_t triangle)
{
    bool is = true;
    for (size_t i = 0; i < 9; i++) {
        const size_t at = 3 * (size_t)body->triangles[3 * (size_t)triangle + i / 3] + i % 3;
        is &= isfinite(body->start[at]) && isfinite(body->end[at]);
    }
    return is;
}

/* It is of the vertex behind all others. */
static bool is_unused(const FeatureBody *body, int32_t triangle)
{
    return body->triangles[3 * triangle] == (uint32_t)body->vertex_count;
}

/* Which vertices, by name, have an edge. */
static bool *find_edges(const FeatureBody *body)
{
    bool *has_edge = allocate((size_t)body->vertex_count + 1);
    memset(has_edge, 0, (size_t)body->vertex_count + 1);
    for (int32_t i = 0; i < 3 * body->triangle_count && !body->are_points; i++) {
        const uint32_t v = features_name(body, body->triangles[i]),
                       w = features_name(body, body->triangles[i - i % 3 + (i + 1) % 3]);
        has_edge[v] |= v != w;
        has_edge[w] |= v != w;
    }
    return has_edge;
}

/* A vertex belongs to the first finite triangle that has it, or to each. */
static void list_vertices(const FeatureBody *body, bool is_of_each, Features *features)
{
    bool *is_seen = allocate((size_t)body->vertex_count + 1), *has_edge = find_edges(body);
    memset(is_seen, 0, (size_t)body->vertex_count + 1);
    for (int32_t t = 0; t < body->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t vertex = body->triangles[3 * t + k], name = features_name(body, vertex);
            if (is_unused(body, t) || !is_finite(body, t) || (is_seen[name] && !is_of_each))
                continue;
            is_seen[name] = true;
            features->vertices[features->vertex_count++] =
                (Feature){(int32_t)name, {name}, {vertex}, t, !has_edge[name], false};
        }
    free(is_seen);
    free(has_edge);
}

static int by_names(const void *x, const void *y)
{
    const Feature *a = x, *b = y;
    for (int i = 0; i < 2; i++)
        if (a->names[i] != b->names[i])
            return a->names[i] < b->names[i] ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/* Edge k of a triangle, the lower name first. */
static Feature edge_of(const FeatureBody *body, int32_t t, int k)
{
    const uint32_t v = body->triangles[3 * t + k], w = body->triangles[3 * t + (k + 1) % 3];
    const bool is_swapped = features_name(body, w) < features_name(body, v);
    const uint32_t first = is_swapped ? w : v, second = is_swapped ? v : w;
    return (Feature){.id = 3 * t + k,
                     .names = {features_name(body, first), features_name(body, second)},
                     .vertices = {first, second},
                     .triangle = t};
}

/* Edges of all finite triangles. Sorted, each once, the index is the number; or each is of its own
 * triangle. */
static void list_edges(const FeatureBody *body, bool is_of_each, Features *features)
{
    int32_t count = 0, number = -1, kept = 0;
    for (int32_t i = 0; i < 3 * body->triangle_count && !body->are_points; i++) {
        Feature edge = edge_of(body, i / 3, i % 3);
        if (i / 3 >= body->first_segment) {
            edge.id = i / 3;
            if (i % 3 > 0)
                continue;
        }
        if (edge.names[0] != edge.names[1] && !is_unused(body, i / 3))
            features->edges[count++] = edge;
    }
    if (!body->has_own_vertices)
        qsort(features->edges, (size_t)count, sizeof *features->edges, by_names);
    uint32_t last[2] = {UINT32_MAX, UINT32_MAX};
    bool is_kept = false;
    for (int32_t i = 0; i < count; i++) {
        Feature edge = features->edges[i];
        const bool is_same = memcmp(last, edge.names, sizeof last) == 0;
        memcpy(last, edge.names, sizeof last);
        number += !is_same;
        if (!body->has_own_vertices) {
            if (is_same && is_kept && !is_of_each)
                continue;
            edge.id = number;
        }
        is_kept = is_finite(body, edge.triangle);
        if (is_kept)
            features->edges[kept++] = edge;
    }
    features->edge_count = kept;
}

Features features_list(const FeatureBody *body)
{
    const size_t count = (size_t)body->triangle_count;
    const bool is_of_each = is_apart(body);
    Features features = {.positions = body->start,
                         .vertices = allocate(3 * count * sizeof(Feature)),
                         .edges = allocate(3 * count * sizeof(Feature)),
                         .triangles = allocate(count * sizeof(Feature))};
    list_vertices(body, is_of_each, &features);
    list_edges(body, is_of_each, &features);
    for (int32_t t = 0; t < body->triangle_count; t++) {
        Feature triangle = {.id = t, .triangle = t, .is_segment = t >= body->first_segment};
        for (int k = 0; k < 3; k++) {
            triangle.vertices[k] = body->triangles[3 * t + k];
            triangle.names[k] = features_name(body, triangle.vertices[k]);
        }
        if (!is_unused(body, t) && is_finite(body, t))
            features.triangles[features.triangle_count++] = triangle;
    }
    return features;
}

void features_free(Features *features)
{
    free(features->vertices);
    free(features->edges);
    free(features->triangles);
}

bool features_are_comparable(const Feature *vertex, const Feature *triangle)
{
    return vertex->is_alone || !triangle->is_segment;
}

bool features_have_common(const Feature *x, int x_count, const Feature *y, int y_count)
{
    for (int i = 0; i < x_count; i++)
        for (int k = 0; k < y_count; k++)
            if (x->names[i] == y->names[k])
                return true;
    return false;
}

void features_copy_points(const Features *features, const Feature *feature, int count,
                          float *points)
{
    for (int i = 0; i < count; i++)
        memcpy(points + 3 * i, features->positions + 3 * (size_t)feature->vertices[i],
               3 * sizeof *points);
}
