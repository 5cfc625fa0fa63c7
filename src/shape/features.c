/* Finding the features of a mesh: see features.h. */
#include "shape/features.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* A side is a corner of a triangle, and the edge from there to the next corner. */
typedef struct Finder {
    PliFeatures *features;
    const uint32_t *corners;
    int32_t side_count;
    int32_t surface_count;   /* triangles that are no segments: the first of them */
    int32_t *firsts;         /* of each vertex, for one sort at a time */
    int32_t *sides, *sorted; /* sides: by edge, and within one of them rising */
    PliArena arena;
} Finder;

/* The vertices of an edge. They are the same for what is no edge. */
typedef struct Ends {
    uint32_t lower, higher;
} Ends;

static Ends ends_of(const Finder *finder, int32_t side)
{
    const int32_t next = side % 3 == 2 ? side - 2 : side + 1;
    const uint32_t p = finder->corners[side], q = finder->corners[next];
    return p < q ? (Ends){p, q} : (Ends){q, p};
}

static uint32_t end_of(const Finder *finder, int32_t side, bool is_higher)
{
    const Ends ends = ends_of(finder, side);
    return is_higher ? ends.higher : ends.lower;
}

/* A stable counting sort by one end. */
static void sort_by_end(const Finder *finder, bool is_higher, const int32_t *from, int32_t *to)
{
    const int32_t vertex_count = finder->features->vertex_count;
    int32_t *firsts = finder->firsts;
    memset(firsts, 0, ((size_t)vertex_count + 1) * sizeof *firsts);
    for (int32_t side = 0; side < finder->side_count; side++)
        firsts[end_of(finder, side, is_higher) + 1]++;
    pli_groups_open(firsts, vertex_count);
    for (int32_t i = 0; i < finder->side_count; i++)
        to[firsts[end_of(finder, from[i], is_higher)]++] = from[i];
}

static void sort_sides(const Finder *finder)
{
    for (int32_t side = 0; side < finder->side_count; side++)
        finder->sides[side] = side;
    sort_by_end(finder, true, finder->sides, finder->sorted);
    sort_by_end(finder, false, finder->sorted, finder->sides);
}

/* Numbers the edges of all sides. The first side of an edge owns it. */
static void number_edges(const Finder *finder)
{
    PliFeatures *features = finder->features;
    Ends last = {0, 0}; /* no edge */
    for (int32_t i = 0; i < finder->side_count; i++) {
        const int32_t side = finder->sides[i];
        const Ends ends = ends_of(finder, side);
        const bool is_edge = ends.lower != ends.higher;
        if (is_edge && (ends.lower != last.lower || ends.higher != last.higher)) {
            features->owned[side / 3] |= (uint8_t)(8u << side % 3);
            features->edge_count++;
            last = ends;
        }
        features->triangle_edges[side] = is_edge ? features->edge_count - 1 : -1;
    }
}

static void store_ends(const Finder *finder)
{
    const PliFeatures *features = finder->features;
    for (int32_t side = 0; side < finder->side_count; side++) {
        if (!pli_owns_edge(features, side / 3, side % 3))
            continue;
        const Ends ends = ends_of(finder, side);
        uint32_t *vertices = features->edge_vertices + 2 * (size_t)features->triangle_edges[side];
        vertices[0] = ends.lower;
        vertices[1] = ends.higher;
    }
}

/* The sides of each edge: those of the finder, but for what is no edge. */
static void list_sides(const Finder *finder)
{
    const PliFeatures *features = finder->features;
    int32_t count = 0, last = -1;
    for (int32_t i = 0; i < finder->side_count; i++) {
        const int32_t side = finder->sides[i], edge = features->triangle_edges[side];
        if (edge > last)
            features->edge_firsts[edge] = count;
        last = edge > last ? edge : last;
        if (edge >= 0 && side / 3 < finder->surface_count)
            features->edge_sides[count++] = side;
    }
    features->edge_firsts[features->edge_count] = count;
}

/* The first corner at a vertex owns it. */
static void own_vertices(const Finder *finder)
{
    const PliFeatures *features = finder->features;
    int32_t *is_owned = finder->firsts;
    memset(is_owned, 0, (size_t)features->vertex_count * sizeof *is_owned);
    for (int32_t side = 0; side < finder->side_count; side++) {
        const uint32_t vertex = finder->corners[side];
        if (!is_owned[vertex])
            features->owned[side / 3] |= (uint8_t)(1u << side % 3);
        is_owned[vertex] = 1;
    }
}

/* Finds triangles of one vertex that has no edge. */
static void find_alone(const Finder *finder)
{
    PliFeatures *features = finder->features;
    const uint32_t *corners = finder->corners;
    int32_t *has_edge = finder->firsts;
    memset(has_edge, 0, (size_t)features->vertex_count * sizeof *has_edge);
    for (size_t i = 0; i < 2 * (size_t)features->edge_count; i++)
        has_edge[features->edge_vertices[i]] = 1;
    for (int32_t t = 0; t < features->triangle_count; t++, corners += 3) {
        const bool is_alone =
            corners[0] == corners[1] && corners[1] == corners[2] && !has_edge[corners[0]];
        features->owned[t] |= is_alone ? PLI_ALONE : 0;
        features->has_alone |= is_alone;
    }
}

/* Does a side go from the lower to the higher vertex of its edge? */
static bool rises(const Finder *finder, int32_t side)
{
    return finder->corners[side] == ends_of(finder, side).lower;
}

/* How many more sides of an edge rise than fall. */
static int32_t balance_of(const Finder *finder, int32_t edge)
{
    const PliFeatures *features = finder->features;
    int32_t balance = 0;
    for (int32_t i = features->edge_firsts[edge]; i < features->edge_firsts[edge + 1]; i++)
        balance += rises(finder, features->edge_sides[i]) ? 1 : -1;
    return balance;
}

/* The number of a vertex of the boundary, which has one from now on. */
static int32_t boundary_vertex(const Finder *finder, int32_t corner)
{
    PliBoundary *boundary = &finder->features->boundary;
    int32_t *numbers = finder->firsts;
    const uint32_t vertex = finder->corners[corner];
    if (numbers[vertex] == 0) {
        boundary->corners[boundary->vertex_count] = corner;
        numbers[vertex] = ++boundary->vertex_count;
    }
    return numbers[vertex] - 1;
}

/* Lists the sides that are left over of an edge. */
static void bound(const Finder *finder, int32_t edge, int32_t balance)
{
    const PliFeatures *features = finder->features;
    PliBoundary *boundary = &finder->features->boundary;
    int32_t left = abs(balance);
    for (int32_t i = features->edge_firsts[edge]; left > 0; i++) {
        const int32_t side = features->edge_sides[i];
        if (rises(finder, side) != (balance > 0))
            continue;
        int32_t *ends = boundary->edges[boundary->edge_count++];
        ends[0] = boundary_vertex(finder, side);
        ends[1] = boundary_vertex(finder, side % 3 == 2 ? side - 2 : side + 1);
        left--;
    }
}

static PliantResult find_boundary(const Finder *finder)
{
    PliFeatures *features = finder->features;
    int64_t count = 0;
    for (int32_t edge = 0; edge < features->edge_count; edge++)
        count += abs(balance_of(finder, edge));
    PliBoundary *boundary = &features->boundary;
    boundary->edges = pli_arena_cut(&features->arena, (size_t)count, sizeof *boundary->edges);
    boundary->corners = pli_arena_cut(&features->arena, 2 * (size_t)count, sizeof(int32_t));
    PLI_TRY(features->arena.failure);
    memset(finder->firsts, 0, (size_t)features->vertex_count * sizeof *finder->firsts);
    for (int32_t edge = 0; edge < features->edge_count && boundary->edge_count < count; edge++)
        bound(finder, edge, balance_of(finder, edge));
    return PLIANT_OK;
}

/* The vertex that stands for all that one is connected with. */
static int32_t find_root(int32_t *roots, int32_t vertex)
{
    while (roots[vertex] != vertex) {
        roots[vertex] = roots[roots[vertex]];
        vertex = roots[vertex];
    }
    return vertex;
}

/* Numbers the shells by their first triangles. Segments are of none, and join none. */
static PliantResult find_shells(const Finder *finder)
{
    PliFeatures *features = finder->features;
    const uint32_t *corners = finder->corners;
    const int32_t surface_count = finder->surface_count;
    int32_t *roots = finder->firsts, *firsts = finder->sorted;
    for (int32_t v = 0; v < features->vertex_count; v++)
        roots[v] = v;
    for (int32_t side = 0; side < 3 * surface_count; side++) {
        const int32_t a = find_root(roots, (int32_t)corners[side - side % 3]);
        const int32_t b = find_root(roots, (int32_t)corners[side]);
        roots[a < b ? b : a] = a < b ? a : b;
    }
    for (int32_t t = 0; t < surface_count; t++)
        firsts[t] = find_root(roots, (int32_t)corners[3 * t]);
    for (int32_t t = 0; t < surface_count; t++) /* a root becomes the number's complement */
        if (roots[firsts[t]] >= 0)
            roots[firsts[t]] = ~features->shell_count++;
    if (features->shell_count <= 1)
        return PLIANT_OK;
    features->shells =
        pli_arena_cut(&features->arena, (size_t)features->triangle_count, sizeof(int32_t));
    PLI_TRY(features->arena.failure);
    for (int32_t t = 0; t < features->triangle_count; t++)
        features->shells[t] = t < surface_count ? ~roots[firsts[t]] : -1;
    return PLIANT_OK;
}

static PliantResult find(Finder *finder)
{
    PliFeatures *features = finder->features;
    const size_t triangle_count = (size_t)features->triangle_count;
    const size_t vertex_count = (size_t)features->vertex_count;
    finder->firsts = pli_arena_cut(&finder->arena, vertex_count + 1, sizeof(int32_t));
    finder->sides = pli_arena_cut(&finder->arena, 3 * triangle_count, sizeof(int32_t));
    finder->sorted = pli_arena_cut(&finder->arena, 3 * triangle_count, sizeof(int32_t));
    PLI_TRY(finder->arena.failure);
    features->triangle_edges = pli_arena_cut(&features->arena, 3 * triangle_count, sizeof(int32_t));
    features->owned = pli_arena_cut(&features->arena, triangle_count, 1);
    PLI_TRY(features->arena.failure);
    if (triangle_count > 0)
        memset(features->owned, 0, triangle_count);
    sort_sides(finder);
    number_edges(finder);
    features->edge_vertices =
        pli_arena_cut(&features->arena, 2 * (size_t)features->edge_count, sizeof(uint32_t));
    features->edge_firsts =
        pli_arena_cut(&features->arena, (size_t)features->edge_count + 1, sizeof(int32_t));
    features->edge_sides = pli_arena_cut(&features->arena, 3 * triangle_count, sizeof(int32_t));
    PLI_TRY(features->arena.failure);
    store_ends(finder);
    list_sides(finder);
    own_vertices(finder);
    find_alone(finder);
    PLI_TRY(find_boundary(finder));
    return find_shells(finder);
}

PliantResult pli_features_create(const uint32_t *corners, int32_t triangle_count,
                                 int32_t first_segment, int32_t vertex_count,
                                 const PliantHost *host, PliFeatures **features)
{
    void *block = NULL;
    PLI_TRY(pli_allocate(host, 1, sizeof(PliFeatures), &block));
    Finder finder = {.features = block,
                     .corners = corners,
                     .side_count = 3 * triangle_count,
                     .surface_count =
                         first_segment < triangle_count ? first_segment : triangle_count};
    *finder.features =
        (PliFeatures){.triangle_count = triangle_count, .vertex_count = vertex_count};
    pli_arena_init(&finder.features->arena, host);
    pli_arena_init(&finder.arena, host);
    const PliantResult result = find(&finder);
    pli_arena_free(&finder.arena);
    if (result == PLIANT_OK)
        *features = block;
    else
        pli_features_free(block, host);
    return result;
}

void pli_features_free(PliFeatures *features, const PliantHost *host)
{
    if (!features)
        return;
    pli_arena_free(&features->arena);
    pli_release(host, features, 1, sizeof *features);
}
