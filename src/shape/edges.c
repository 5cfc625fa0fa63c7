/* What follows from edges: which triangles an approximate query may pass over, and whether the mesh
 * is closed: see shape.h.
 *
 * After Mujika and others, who took the idea from Curtis and others: where every edge of a mesh is
 * tested once, a triangle need not be whose three neighbors are. They are taken greedily, in the
 * order of the mesh: a triangle is passed over if each of its edges has another triangle, and none
 * of those has been passed over before. So no two neighbors are. Nor is one that is divided, which
 * most of what touches it touches far from its edges.
 *
 * A mesh is closed if each edge is there as often in one direction as in the other. Then it is,
 * wherever its vertices go.
 *
 * Edges are found by their lower vertex. Whether they balance is counted for all edges of a lower
 * vertex together, which takes linear time at any valence. The greedy choice searches the edges of
 * a lower vertex for each of them, so it passes over no triangle with an edge at a lower vertex of
 * more than MAX_EDGES edges: the time for each triangle is bounded. */
#include "shape/edges.h"
#include "base/sort.h"
#include "geom/geom.h"

#include <string.h>

enum { MAX_EDGES = 64 };

/* An edge of a triangle, at its lower vertex. */
typedef struct Edge {
    uint32_t other;        /* its higher vertex */
    uint32_t is_taken : 1; /* a triangle that has it is passed over */
    uint32_t goes_up : 1;  /* the triangle has the lower vertex first */
} Edge;

typedef struct Finder {
    const PliMeshView *mesh;
    int32_t *firsts; /* of each vertex: where its edges begin, and the end */
    Edge *edges;
} Finder;

/* Those that are in no pair are nobody's neighbors, nor are those that have an edge twice. */
static bool has_edges(const PliMeshView *mesh, int32_t triangle)
{
    const uint32_t *v = mesh->triangles + 3 * (size_t)triangle;
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
        return false;
    for (int c = 0; c < 3; c++)
        if (!pli_is_finite(mesh->vertices + 3 * (size_t)v[c], 3))
            return false;
    return true;
}

/* Returns whether it goes from the lower to the higher. */
static bool edge_of(const PliMeshView *mesh, int32_t triangle, int edge, uint32_t *lower,
                    uint32_t *higher)
{
    const uint32_t *v = mesh->triangles + 3 * (size_t)triangle;
    uint32_t p = v[edge], q = v[(edge + 1) % 3];
    *lower = p < q ? p : q;
    *higher = p < q ? q : p;
    return p < q;
}

/* Counted, then placed, each behind the one before. */
static void sort_edges(Finder *finder, int32_t vertex_count)
{
    const PliMeshView *mesh = finder->mesh;
    int32_t *firsts = finder->firsts;
    uint32_t lower, higher;
    memset(firsts, 0, ((size_t)vertex_count + 1) * sizeof *firsts);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t t = 0; t < mesh->triangle_count; t++) {
            for (int e = 0; e < 3 && has_edges(mesh, t); e++) {
                const bool goes_up = edge_of(mesh, t, e, &lower, &higher);
                if (pass == 0)
                    firsts[lower + 1]++;
                else
                    finder->edges[firsts[lower]++] = (Edge){higher, 0, goes_up};
            }
        }
        if (pass == 0)
            pli_groups_open(firsts, vertex_count);
    }
    pli_groups_close(firsts, vertex_count);
}

/* Has another triangle this edge, and is none of all that have it passed over? */
static bool is_covered(const Finder *finder, uint32_t lower, uint32_t higher)
{
    int32_t first = finder->firsts[lower], end = finder->firsts[lower + 1], count = 0;
    if (end - first > MAX_EDGES)
        return false;
    for (int32_t i = first; i < end; i++) {
        if (finder->edges[i].other != higher)
            continue;
        if (finder->edges[i].is_taken)
            return false;
        count++;
    }
    return count > 1;
}

static void mark_edge(Finder *finder, uint32_t lower, uint32_t higher)
{
    for (int32_t i = finder->firsts[lower]; i < finder->firsts[lower + 1]; i++)
        if (finder->edges[i].other == higher)
            finder->edges[i].is_taken = 1;
}

static void skip_triangles(Finder *finder, const PliDivision *division, uint64_t *skips)
{
    const PliMeshView *mesh = finder->mesh;
    uint32_t lower[3], higher[3];
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        bool is_skipped = has_edges(mesh, t) && pli_piece_level(division, mesh, t) == 0;
        for (int e = 0; e < 3 && is_skipped; e++) {
            edge_of(mesh, t, e, &lower[e], &higher[e]);
            is_skipped = is_covered(finder, lower[e], higher[e]);
        }
        for (int e = 0; e < 3 && is_skipped; e++)
            mark_edge(finder, lower[e], higher[e]);
        skips[t / 64] |= (uint64_t)is_skipped << t % 64;
    }
}

/* Is each edge of one lower vertex there as often up as down? Counts in `balances`, which holds a
 * zero for each vertex before and after. */
static bool is_balanced(const Edge *edges, int32_t count, int32_t *balances)
{
    bool is_balanced = true;
    for (int32_t i = 0; i < count; i++)
        balances[edges[i].other] += edges[i].goes_up ? 1 : -1;
    for (int32_t i = 0; i < count; i++)
        is_balanced = is_balanced && balances[edges[i].other] == 0;
    for (int32_t i = 0; i < count; i++)
        balances[edges[i].other] = 0;
    return is_balanced;
}

/* The edges of a triangle with a corner twice cancel each other: it is not counted. */
static bool find_closed(const Finder *finder, int32_t vertex_count, int32_t *balances)
{
    const PliMeshView *mesh = finder->mesh;
    for (int32_t t = 0; t < mesh->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            if (!pli_is_finite(mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)t + c], 3))
                return false;
    memset(balances, 0, (size_t)vertex_count * sizeof *balances);
    for (int32_t v = 0; v < vertex_count; v++) {
        const int32_t first = finder->firsts[v];
        if (!is_balanced(finder->edges + first, finder->firsts[v + 1] - first, balances))
            return false;
    }
    return true;
}

PliantResult pli_edges_inspect(const PliDivision *division, const PliMeshView *mesh,
                               int32_t vertex_count, const PliantHost *host, uint64_t *skips,
                               bool *is_closed)
{
    PliArena arena;
    memset(skips, 0, pli_skip_words(mesh->triangle_count) * sizeof *skips);
    pli_arena_init(&arena, host);
    int32_t *firsts = pli_arena_cut(&arena, (size_t)vertex_count + 1, sizeof *firsts);
    Edge *edges = pli_arena_cut(&arena, 3 * (size_t)mesh->triangle_count, sizeof *edges);
    int32_t *balances = pli_arena_cut(&arena, (size_t)vertex_count, sizeof *balances);
    const PliantResult result = arena.failure;
    if (result == PLIANT_OK) {
        Finder finder = {mesh, firsts, edges};
        sort_edges(&finder, vertex_count);
        *is_closed = find_closed(&finder, vertex_count, balances);
        skip_triangles(&finder, division, skips);
    }
    pli_arena_free(&arena);
    return result;
}
