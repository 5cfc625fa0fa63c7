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
 * wherever its vertices go; but those of one group go together.
 *
 * Edges are found by their lower vertex. Whether they balance is decided for each lower vertex. The
 * greedy choice searches the edges of a lower vertex for each of them, so it passes over no
 * triangle with an edge at a lower vertex of more than MAX_EDGES edges: the time for each triangle
 * is bounded.
 *
 * Several workers sort edges by ranges of lower vertices, each reading all triangles: there is no
 * table of counts for each of them. The greedy choice is divided into parts that follow one
 * another. A part does not know what came of the triangles before it. It leaves open what depends
 * on these, and what depends on that; one worker then decides what is open, in order. */
#include "shape/edges.h"
#include "base/tasks.h"
#include "geom/geom.h"
#include "shape/seams.h"

#include <string.h>

enum { MAX_EDGES = 64 };

/* Ranges of vertices at most: for each of them, all triangles are read. */
enum { MAX_RANGES = 64 };

/* An edge of a triangle, at its lower vertex. */
typedef struct Edge {
    uint32_t other; /* its higher vertex */
    uint32_t triangle : 31;
    uint32_t goes_up : 1; /* the triangle has the lower vertex first */
} Edge;

typedef struct Finder {
    const PliMeshView *mesh;
    const uint32_t *corners; /* of its triangles: their groups */
    const PliDivision *division;
    const PliantHost *host;
    int32_t vertex_count;
    int32_t *firsts; /* of each vertex: where its edges begin, and the end */
    Edge *edges;
    uint64_t *skips; /* at first: which triangles have edges; in the end, which are passed over */
    uint64_t *open;  /* whether a triangle is passed over is not known yet */

    int32_t range_count;
    int32_t edge_counts[MAX_RANGES];
    bool are_open[PLI_MAX_PARTS]; /* of each part: it has an edge without its opposite */
    bool have_many[PLI_MAX_PARTS];
} Finder;

static bool has_bit(const uint64_t *bits, uint32_t index)
{
    return bits[index / 64] >> index % 64 & 1;
}

static void set_bit(uint64_t *bits, uint32_t index, bool value)
{
    const uint64_t bit = (uint64_t)1 << index % 64;
    bits[index / 64] = value ? bits[index / 64] | bit : bits[index / 64] & ~bit;
}

/* The triangles of a part that is counted in words of bits. */
static PliPart triangles_of(const PliMeshView *mesh, const PliPart *words)
{
    PliPart part = *words;
    part.begin *= 64;
    part.end = 64 * part.end < mesh->triangle_count ? 64 * part.end : mesh->triangle_count;
    return part;
}

static void run_words(Finder *finder, PliPartTask *task)
{
    pli_divide(finder->host, task, finder, (int64_t)pli_skip_words(finder->mesh->triangle_count));
}

static bool any_of(const bool *flags, int32_t count)
{
    bool any = false;
    for (int32_t i = 0; i < count; i++)
        any |= flags[i];
    return any;
}

/* ---- Which triangles have edges -------------------------------------------------------------- */

/* PliPartTask. Those that are in no pair are nobody's neighbors, nor are those that have an edge
 * twice. Notes in are_open whether any is not finite: then the mesh is not closed. */
static void find_edges(void *data, const PliPart *words)
{
    Finder *finder = data;
    const PliMeshView *mesh = finder->mesh;
    const PliPart part = triangles_of(mesh, words);
    bool is_open = false;
    for (int64_t t = part.begin; t < part.end; t++) {
        const uint32_t *v = finder->corners + 3 * (size_t)t;
        const bool is_finite = pli_triangle_is_finite(mesh, t);
        is_open |= !is_finite;
        set_bit(finder->skips, (uint32_t)t,
                is_finite && v[0] != v[1] && v[1] != v[2] && v[2] != v[0]);
    }
    finder->are_open[part.index] = is_open;
}

/* ---- By lower vertex ------------------------------------------------------------------------- */

/* Calls for each edge whose lower vertex is in the range: adds it to the count of that vertex, or
 * places it behind the one before. */
static void visit_edges(Finder *finder, const PliPart *range, bool is_placing)
{
    const PliMeshView *mesh = finder->mesh;
    const uint32_t begin = (uint32_t)range->begin, size = (uint32_t)(range->end - range->begin);
    int32_t *ends = finder->firsts + 1;
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        if (!has_bit(finder->skips, (uint32_t)t))
            continue;
        for (int e = 0; e < 3; e++) {
            const uint32_t *v = finder->corners + 3 * (size_t)t;
            const uint32_t p = v[e], q = v[(e + 1) % 3], lower = p < q ? p : q;
            if (lower - begin >= size)
                continue;
            const int32_t index = ends[lower]++;
            if (is_placing)
                finder->edges[index] = (Edge){p < q ? q : p, (uint32_t)t, p < q};
        }
    }
}

/* PliPartTask, of vertices. */
static void count_edges(void *data, const PliPart *range)
{
    Finder *finder = data;
    int32_t *ends = finder->firsts + 1, count = 0;
    memset(ends + range->begin, 0, (size_t)(range->end - range->begin) * sizeof *ends);
    visit_edges(finder, range, false);
    for (int64_t v = range->begin; v < range->end; v++)
        count += ends[v];
    finder->edge_counts[range->index] = count;
}

/* PliPartTask, of vertices: from counts to where each vertex begins, which placing moves to its
 * end. */
static void place_edges(void *data, const PliPart *range)
{
    Finder *finder = data;
    int32_t *ends = finder->firsts + 1, next = 0;
    for (int32_t r = 0; r < range->index; r++)
        next += finder->edge_counts[r];
    for (int64_t v = range->begin; v < range->end; v++) {
        const int32_t count = ends[v];
        ends[v] = next;
        next += count;
    }
    visit_edges(finder, range, true);
}

static void sort_edges(Finder *finder)
{
    finder->firsts[0] = 0;
    pli_parts_run(finder->host, count_edges, finder, finder->vertex_count, finder->range_count);
    pli_parts_run(finder->host, place_edges, finder, finder->vertex_count, finder->range_count);
}

/* ---- Is it closed? --------------------------------------------------------------------------- */

/* Is each edge of one lower vertex there as often up as down? For few edges. */
static bool is_balanced(const Edge *edges, int32_t count)
{
    bool is_balanced = true;
    for (int32_t i = 0; i < count; i++) {
        int32_t balance = 0;
        for (int32_t j = 0; j < count; j++)
            balance += edges[j].other == edges[i].other ? (edges[j].goes_up ? 1 : -1) : 0;
        is_balanced &= balance == 0;
    }
    return is_balanced;
}

/* The same for many, in linear time. Counts in `balances`, which holds a zero for each vertex
 * before and after. */
static bool are_balanced(const Edge *edges, int32_t count, int32_t *balances)
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

/* PliPartTask, of vertices. */
static void balance_few(void *data, const PliPart *part)
{
    Finder *finder = data;
    bool is_closed = true, has_many = false;
    for (int64_t v = part->begin; v < part->end && is_closed; v++) {
        const int32_t first = finder->firsts[v], count = finder->firsts[v + 1] - first;
        has_many |= count > MAX_EDGES;
        is_closed = count > MAX_EDGES || is_balanced(finder->edges + first, count);
    }
    finder->are_open[part->index] = !is_closed;
    finder->have_many[part->index] = has_many;
}

static bool balance_many(const Finder *finder, int32_t *balances)
{
    bool is_closed = true;
    memset(balances, 0, (size_t)finder->vertex_count * sizeof *balances);
    for (int32_t v = 0; v < finder->vertex_count && is_closed; v++) {
        const int32_t first = finder->firsts[v], count = finder->firsts[v + 1] - first;
        is_closed = count <= MAX_EDGES || are_balanced(finder->edges + first, count, balances);
    }
    return is_closed;
}

/* The edges of a triangle with a corner twice cancel each other: it is not counted. */
static PliantResult find_closed(Finder *finder, PliArena *arena, bool *is_closed)
{
    const int32_t part_count = pli_part_count(finder->host, finder->vertex_count);
    pli_divide(finder->host, balance_few, finder, finder->vertex_count);
    *is_closed = !any_of(finder->are_open, part_count);
    if (!*is_closed || !any_of(finder->have_many, part_count))
        return PLIANT_OK;
    int32_t *balances = pli_arena_cut(arena, (size_t)finder->vertex_count, sizeof *balances);
    PLI_TRY(arena->failure);
    *is_closed = balance_many(finder, balances);
    return PLIANT_OK;
}

/* ---- Which are passed over ------------------------------------------------------------------- */

typedef enum Choice { KEPT, SKIPPED, OPEN } Choice;

/* By one edge. Has another triangle this edge, and is none of all that have it passed over? Those
 * before `known` are not known. */
static Choice choose_by_edge(const Finder *finder, uint32_t triangle, int edge, uint32_t known)
{
    const uint32_t *v = finder->corners + 3 * (size_t)triangle;
    const uint32_t p = v[edge], q = v[(edge + 1) % 3];
    const uint32_t lower = p < q ? p : q, higher = p < q ? q : p;
    const int32_t first = finder->firsts[lower], end = finder->firsts[lower + 1];
    int32_t count = 0;
    bool is_open = false;
    if (end - first > MAX_EDGES)
        return KEPT;
    for (int32_t i = first; i < end; i++) {
        const uint32_t other = finder->edges[i].triangle;
        if (finder->edges[i].other != higher)
            continue;
        count++;
        if (other >= triangle)
            continue;
        if (other < known || has_bit(finder->open, other))
            is_open = true;
        else if (has_bit(finder->skips, other))
            return KEPT;
    }
    return count < 2 ? KEPT : is_open ? OPEN : SKIPPED;
}

static Choice choose(const Finder *finder, uint32_t triangle, uint32_t known)
{
    Choice choice = SKIPPED;
    for (int e = 0; e < 3; e++) {
        const Choice here = choose_by_edge(finder, triangle, e, known);
        if (here == KEPT)
            return KEPT;
        choice = here == OPEN ? OPEN : choice;
    }
    return choice;
}

/* PliPartTask. */
static void skip_triangles(void *data, const PliPart *words)
{
    Finder *finder = data;
    const PliMeshView *mesh = finder->mesh;
    const PliPart part = triangles_of(mesh, words);
    for (int64_t t = part.begin; t < part.end; t++) {
        const uint32_t triangle = (uint32_t)t;
        const bool is_possible = has_bit(finder->skips, triangle) &&
                                 pli_piece_level(finder->division, mesh, (int32_t)t) == 0;
        const Choice choice = is_possible ? choose(finder, triangle, (uint32_t)part.begin) : KEPT;
        set_bit(finder->skips, triangle, choice == SKIPPED);
        set_bit(finder->open, triangle, choice == OPEN);
    }
}

/* What is still open, in order: all before it is known. */
static void skip_open(Finder *finder)
{
    const size_t word_count = pli_skip_words(finder->mesh->triangle_count);
    for (size_t w = 0; w < word_count; w++) {
        for (uint64_t rest = finder->open[w]; rest != 0; rest &= rest - 1) {
            const uint32_t triangle = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(rest);
            set_bit(finder->skips, triangle, choose(finder, triangle, 0) == SKIPPED);
            set_bit(finder->open, triangle, false);
        }
    }
}

static PliantResult read_corners(Finder *finder, const uint32_t *groups, PliArena *arena)
{
    const size_t count = 3 * (size_t)finder->mesh->triangle_count;
    finder->corners = finder->mesh->triangles;
    if (!groups)
        return PLIANT_OK;
    uint32_t *corners = pli_arena_cut(arena, count, sizeof(uint32_t));
    PLI_TRY(arena->failure);
    pli_to_groups(finder->mesh->triangles, count, groups, corners);
    finder->corners = corners;
    return PLIANT_OK;
}

static PliantResult inspect(Finder *finder, const uint32_t *groups, PliArena *arena,
                            bool *is_closed)
{
    const size_t triangle_count = (size_t)finder->mesh->triangle_count;
    const size_t word_count = pli_skip_words(finder->mesh->triangle_count);
    finder->firsts = pli_arena_cut(arena, (size_t)finder->vertex_count + 1, sizeof(int32_t));
    finder->edges = pli_arena_cut(arena, 3 * triangle_count, sizeof(Edge));
    finder->open = pli_arena_cut(arena, word_count, sizeof(uint64_t));
    PLI_TRY(arena->failure);
    PLI_TRY(read_corners(finder, groups, arena));
    memset(finder->skips, 0, word_count * sizeof(uint64_t));
    memset(finder->open, 0, word_count * sizeof(uint64_t));
    run_words(finder, find_edges);
    const bool is_finite =
        !any_of(finder->are_open, pli_part_count(finder->host, (int64_t)word_count));
    sort_edges(finder);
    *is_closed = false;
    if (is_finite)
        PLI_TRY(find_closed(finder, arena, is_closed));
    run_words(finder, skip_triangles);
    skip_open(finder);
    return PLIANT_OK;
}

PliantResult pli_edges_inspect(const PliDivision *division, const PliMeshView *mesh,
                               const uint32_t *groups, int32_t vertex_count, const PliantHost *host,
                               uint64_t *skips, bool *is_closed)
{
    const int32_t worker_count = pli_worker_count(host);
    Finder finder = {.mesh = mesh,
                     .division = division,
                     .host = host,
                     .vertex_count = vertex_count,
                     .skips = skips,
                     .range_count = worker_count < MAX_RANGES ? worker_count : MAX_RANGES};
    PliArena arena;
    pli_arena_init(&arena, host);
    const PliantResult result = inspect(&finder, groups, &arena, is_closed);
    pli_arena_free(&arena);
    return result;
}
