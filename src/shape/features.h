/* Features: the vertices and edges of a mesh, each owned by one of its triangles.
 *
 * A vertex is in six triangles and an edge in two, as a rule. Queries that pair vertices with
 * triangles, or edges with edges, come to them by triangles, and would test and report each pair
 * once for each triangle that has it. Each feature has therefore one owner, and is left to it
 * (representative triangles: Curtis, Tamstorf and Manocha, "Fast collision detection for deformable
 * models using representative-triangles", 2008). The owner is the triangle of the lowest number.
 *
 * Features never change: they are made once for a shape, on first need, and shared by all bodies.
 */
#ifndef PLI_FEATURES_H
#define PLI_FEATURES_H

#include "base/memory.h"

/* The boundary of a surface: its edges that more triangles go along in one direction than in the
 * other, and their vertices. A surface without a boundary is closed. */
typedef struct PliBoundary {
    int32_t edge_count, vertex_count;
    int32_t (*edges)[2]; /* vertices of the boundary, from and to, as the triangles go. An edge that
                            has two triangles more is there twice */
    int32_t *corners;    /* of each vertex: 3 t + k if it is corner k of triangle t */
} PliBoundary;

typedef struct PliFeatures {
    PliArena arena; /* that all of this is in */
    int32_t edge_count, triangle_count, vertex_count;
    uint32_t *edge_vertices; /* two of each edge, the lower one first: edges rise by these */
    int32_t *triangle_edges; /* three of each triangle: edge k joins corners k and (k + 1) % 3; -1
                                if both are one vertex, which is no edge */
    uint8_t *owned;          /* of each triangle: pli_owns_vertex(), pli_owns_edge(), PLI_ALONE */
    bool has_alone;          /* some triangle is PLI_ALONE */
    int32_t *edge_firsts;    /* of each edge, and one more: its place in edge_sides */
    int32_t *edge_sides; /* of each edge, rising: 3 t + k if it is edge k of triangle t, which is
                            no segment */
    PliBoundary boundary;
    int32_t shell_count; /* pieces of the surface that are connected, by vertices */
    int32_t *shells;     /* of each triangle, the piece that it is of; -1 of a segment; NULL if all
                            are of one */
} PliFeatures;

static inline int32_t pli_shell_of(const PliFeatures *features, int32_t triangle)
{
    return features->shells ? features->shells[triangle] : 0;
}

/* Does a triangle own the vertex at corner k, or edge k? Each vertex of a triangle, and each edge,
 * is owned once: by the triangle of the lowest number that has it, at its lowest corner. */
static inline bool pli_owns_vertex(const PliFeatures *features, int32_t triangle, int k)
{
    return features->owned[triangle] >> k & 1;
}

static inline bool pli_owns_edge(const PliFeatures *features, int32_t triangle, int k)
{
    return features->owned[triangle] >> (3 + k) & 1;
}

/* Bits of PliFeatures.owned: three of vertices, three of edges; and of a triangle whose corners all
 * are one vertex, which has no edge of any triangle. */
enum { PLI_OWNED_BITS = 077, PLI_ALONE = 0100 };

/* The corners at the ends of edge k of a triangle, that of the lower vertex first. */
typedef struct PliEdgeEnds {
    int first, second;
} PliEdgeEnds;

static inline PliEdgeEnds pli_edge_ends(const uint32_t vertices[3], int k)
{
    const int first = k, second = (k + 1) % 3;
    if (vertices[first] > vertices[second])
        return (PliEdgeEnds){second, first};
    return (PliEdgeEnds){first, second};
}

/* Finds the features of triangles, three corners each, below vertex_count. Those from first_segment
 * on are segments, of corners a, b, b: they have vertices and edges, and are no part of a surface.
 * O(n): counting sorts. 3 * triangle_count is at most INT32_MAX. `host` must outlive them. */
PliantResult pli_features_create(const uint32_t *corners, int32_t triangle_count,
                                 int32_t first_segment, int32_t vertex_count,
                                 const PliantHost *host, PliFeatures **features);
void pli_features_free(PliFeatures *features, const PliantHost *host);

#endif
