/* The cross-section of a cut, and in which order it opens: see cut.h.
 *
 * Rings of points around the middle, each next to the one within. */
#include "cut.h"

#include <stdlib.h>
#include <string.h>

/* ---- Triangles --------------------------------------------------------------------------- */

typedef struct Ring {
    uint32_t first, count;
} Ring;

/* The ring of that number from the middle, which is 0: six times as many points, evenly. */
static Ring put_ring(CutDisc *disc, uint32_t number, uint32_t ring_count)
{
    const Ring ring = {(uint32_t)disc->point_count, number > 0 ? 6 * number : 1};
    const double radius = (double)number / ring_count;
    for (uint32_t i = 0; i < ring.count; i++) {
        const double angle = 6.283185307179586 * i / ring.count;
        disc->points[ring.first + i][0] = radius * scene_cos(angle);
        disc->points[ring.first + i][1] = radius * scene_sin(angle);
    }
    disc->point_count += (int32_t)ring.count;
    return ring;
}

static uint32_t on_ring(Ring ring, uint32_t i)
{
    return ring.first + i % ring.count;
}

static double square_between(const double *p, const double *q)
{
    return (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]);
}

/* The strip between two rings: of two edges that could be next, the shorter. */
static void join_rings(CutDisc *disc, Ring outer, Ring inner)
{
    const uint32_t inner_steps = inner.count > 1 ? inner.count : 0;
    for (uint32_t i = 0, j = 0; i < outer.count || j < inner_steps;) {
        const uint32_t p = on_ring(outer, i), next = on_ring(outer, i + 1);
        const uint32_t q = on_ring(inner, j), within = on_ring(inner, j + 1);
        const bool is_outer =
            j == inner_steps ||
            (i < outer.count && square_between(disc->points[next], disc->points[q]) <=
                                    square_between(disc->points[p], disc->points[within]));
        const uint32_t triangle[3] = {p, is_outer ? next : within, q};
        memcpy(disc->triangles[disc->triangle_count++], triangle, sizeof triangle);
        i += is_outer;
        j += !is_outer;
    }
}

static void list_triangles_around(CutDisc *disc)
{
    disc->firsts = scene_allocate((size_t)disc->point_count + 2, sizeof *disc->firsts);
    disc->around = scene_allocate(3 * (size_t)disc->triangle_count, sizeof *disc->around);
    const uint32_t *corners = disc->triangles[0];
    for (int32_t i = 0; i < 3 * disc->triangle_count; i++)
        disc->firsts[corners[i] + 2]++;
    for (int32_t v = 0; v < disc->point_count; v++)
        disc->firsts[v + 2] += disc->firsts[v + 1];
    for (int32_t i = 0; i < 3 * disc->triangle_count; i++)
        disc->around[disc->firsts[corners[i] + 1]++] = i / 3;
}

/* ---- Order ------------------------------------------------------------------------------- */

typedef struct Height {
    double y;
    int32_t vertex;
} Height;

static int from_the_top(const void *x, const void *y)
{
    const Height *p = x, *q = y;
    if (p->y != q->y)
        return p->y > q->y ? -1 : 1;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

static bool has_corner(const uint32_t triangle[3], uint32_t vertex)
{
    return triangle[0] == vertex || triangle[1] == vertex || triangle[2] == vertex;
}

static bool is_open(const CutDisc *disc, uint32_t vertex)
{
    return disc->ranks[vertex] >= 0;
}

static bool has_open_corner(const CutDisc *disc, const uint32_t triangle[3])
{
    return is_open(disc, triangle[0]) || is_open(disc, triangle[1]) || is_open(disc, triangle[2]);
}

/* Whether on the other side of an edge of this triangle is one that is not open. */
static bool is_held_across(const CutDisc *disc, int32_t triangle, uint32_t p, uint32_t q)
{
    for (int32_t i = disc->firsts[p]; i < disc->firsts[p + 1]; i++) {
        const uint32_t *other = disc->triangles[disc->around[i]];
        if (disc->around[i] != triangle && has_corner(other, q))
            return !has_open_corner(disc, other);
    }
    return false;
}

/* The jelly holds together along whole triangles: no edge between two vertices that are not open
 * may have open triangles on both sides, or on its only one. */
static bool can_open(const CutDisc *disc, uint32_t vertex)
{
    for (int32_t i = disc->firsts[vertex]; i < disc->firsts[vertex + 1]; i++) {
        const uint32_t *corners = disc->triangles[disc->around[i]];
        const int at = corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
        const uint32_t p = corners[(at + 1) % 3], q = corners[(at + 2) % 3];
        if (!is_open(disc, p) && !is_open(disc, q) && !is_held_across(disc, disc->around[i], p, q))
            return false;
    }
    return true;
}

/* The highest that can, or -1. Those before `from` are open; it goes on to the first that is not.
 */
static int32_t next_to_open(const CutDisc *disc, const Height *heights, int32_t *from)
{
    while (*from < disc->point_count && is_open(disc, (uint32_t)heights[*from].vertex))
        ++*from;
    for (int32_t i = *from; i < disc->point_count; i++)
        if (!is_open(disc, (uint32_t)heights[i].vertex) &&
            can_open(disc, (uint32_t)heights[i].vertex))
            return i;
    return -1;
}

static Height *heights_of(const CutDisc *disc)
{
    Height *heights = scene_allocate((size_t)disc->point_count, sizeof *heights);
    for (int32_t v = 0; v < disc->point_count; v++)
        heights[v] = (Height){disc->points[v][0], v};
    qsort(heights, (size_t)disc->point_count, sizeof *heights, from_the_top);
    return heights;
}

/* One by one; in the end none can, as one triangle is all that holds, and the rest open at once. */
static void put_in_order(CutDisc *disc)
{
    disc->ranks = scene_allocate((size_t)disc->point_count, sizeof *disc->ranks);
    disc->depths = scene_allocate((size_t)disc->point_count, sizeof *disc->depths);
    for (int32_t v = 0; v < disc->point_count; v++)
        disc->ranks[v] = -1;
    Height *heights = heights_of(disc);
    const double lowest = heights[disc->point_count - 1].y;
    int32_t rank = 0, from = 0;
    double depth = 2;
    for (int32_t i; (i = next_to_open(disc, heights, &from)) >= 0; rank++) {
        depth = heights[i].y < depth ? heights[i].y : depth;
        disc->ranks[heights[i].vertex] = rank;
        disc->depths[rank] = depth;
    }
    for (int32_t v = 0; v < disc->point_count; v++)
        if (!is_open(disc, (uint32_t)v)) {
            disc->ranks[v] = rank;
            disc->depths[rank++] = lowest;
        }
    free(heights);
}

int32_t scene_cut_open_count(const CutDisc *disc, double front)
{
    int32_t count = 0;
    while (count < disc->point_count && disc->depths[count] > front)
        count++;
    return count;
}

/* ---- All of it --------------------------------------------------------------------------- */

CutDisc scene_cut_disc(const CutRim *rim, int32_t rim_count, double edge)
{
    const uint32_t ring_count = (uint32_t)(1 / edge + 0.5);
    const size_t point_count = (size_t)rim_count + (size_t)3 * ring_count * (ring_count - 1) + 1;
    CutDisc disc = {.rim_count = rim_count, .point_count = rim_count};
    disc.points = scene_allocate(point_count, sizeof *disc.points);
    disc.triangles = scene_allocate(2 * point_count, sizeof *disc.triangles);
    for (int32_t i = 0; i < rim_count; i++) {
        disc.points[i][0] = rim[i].y;
        disc.points[i][1] = rim[i].z;
    }
    Ring outer = {0, (uint32_t)rim_count};
    for (uint32_t number = ring_count; number-- > 0;) {
        const Ring inner = put_ring(&disc, number, ring_count);
        join_rings(&disc, outer, inner);
        outer = inner;
    }
    list_triangles_around(&disc);
    put_in_order(&disc);
    return disc;
}

void scene_cut_disc_free(CutDisc *disc)
{
    free(disc->points);
    free(disc->triangles);
    free(disc->firsts);
    free(disc->around);
    free(disc->ranks);
    free(disc->depths);
    *disc = (CutDisc){0};
}
