/* Where one gets out of a surface.
 *
 * A body may be several shells that overlap: a hilt, and a blade that begins within it. What is
 * inside the hilt gets out through the surface of either, but not through that part of the blade
 * that is within the hilt: there one is inside on both sides. Such a part is a wall, and the rest
 * is an exit. Which of them a point of the surface is, winding numbers tell:
 *
 *     the surface is closed   an exit if one is outside on one side, or if the other shells are
 *                             around neither side. So a body of one shell has no walls, also where
 *                             it goes through itself: a sleeve in the fold of an arm gets out
 *                             through the skin.
 *     it is open              an exit if one is outside on one side. Its shells have no inside of
 *                             their own.
 *     within one body         the same: it is asked how deep a fold is in itself, and its own
 *                             surface in the fold is no way out.
 *
 * Triangles are taken in the order of their distance from the point. A triangle that no other
 * crosses is an exit or a wall as a whole, and one point of it tells. Walls are skipped from then
 * on. A triangle that others cross is divided by its segments with them into cells, and each cell
 * is an exit or a wall as a whole. The cells are not made. The closest point of the triangle may be
 * in an exit. If it is in a wall, the closest exit of the triangle begins at the rim of a cell: on
 * a segment, or on an edge of the triangle. These are divided where they cross each other, so that
 * each part has one cell on either side. A part is kept if a cell beside it is an exit.
 *
 * If the surface is open, the winding number also changes along a cell, slowly. Then one point of
 * a cell stands for all of it.
 *
 * What is less than some 2^-20 of the coordinates apart is not told apart, and neither are cells
 * that are thinner than 2^-16 of a triangle. */
#include "regions/exits.h"
#include "geom/vector.h"
#include "regions/outline.h"
#include "regions/patches.h"

#include <string.h>

/* What is known of a triangle. */
enum { UNKNOWN, EXIT, WALL, CROSSED }; /* CROSSED + its range */

/* A triangle, with its normal of length one. */
typedef struct Plane {
    int32_t triangle;
    const float *corners;
    double normal[3], across[3][3]; /* `across`: inward from each edge, of length one */
    double extent, error; /* its longest edge; how far points of it may be from where they should */
} Plane;

typedef struct Finder {
    const PliSurface *surface;
    PliRegionScratch *scratch;
    PliExits *exits;
    bool by_shells; /* what the shell of a triangle does to it does not count */
    Plane plane;    /* of the triangle at hand */
} Finder;

/* ---- Points and lines ------------------------------------------------------------------------ */

static void between(const double a[3], const double b[3], double t, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = a[k] + t * (b[k] - a[k]);
}

static PliExitLine line_of(const double a[3], const double b[3])
{
    PliExitLine line;
    memcpy(line.ends[0], a, sizeof line.ends[0]);
    memcpy(line.ends[1], b, sizeof line.ends[1]);
    return line;
}

static double length_of(const PliExitLine *line)
{
    double along[3];
    for (int k = 0; k < 3; k++)
        along[k] = line->ends[1][k] - line->ends[0][k];
    return sqrt(pli_dot3(along, along));
}

static void scale(double v[3], double factor)
{
    for (int k = 0; k < 3; k++)
        v[k] *= factor;
}

static void corner_of(const Plane *plane, int i, double corner[3])
{
    for (int k = 0; k < 3; k++)
        corner[k] = plane->corners[3 * i + k];
}

/* False if the triangle has no area. */
static bool make_plane(Plane *plane, int32_t triangle, const float *corners)
{
    double edges[3][3], most = 0;
    *plane = (Plane){.triangle = triangle, .corners = corners};
    for (int i = 0; i < 9; i++) {
        edges[i / 3][i % 3] = (double)corners[(i + 3) % 9] - corners[i];
        most = fmax(most, fabs((double)corners[i]));
    }
    pli_cross3(edges[0], edges[1], plane->normal);
    const double length = sqrt(pli_dot3(plane->normal, plane->normal));
    if (!(length > 0) || !isfinite(length))
        return false;
    scale(plane->normal, 1 / length);
    for (int i = 0; i < 3; i++) {
        const double here = sqrt(pli_dot3(edges[i], edges[i]));
        pli_cross3(plane->normal, edges[i], plane->across[i]);
        scale(plane->across[i], 1 / here);
        plane->extent = fmax(plane->extent, here);
    }
    plane->error = 0x1p-22 * most;
    return true;
}

static double height_above(const double point[3], const double at[3], const double direction[3])
{
    const double from[3] = {point[0] - at[0], point[1] - at[1], point[2] - at[2]};
    return pli_dot3(from, direction);
}

/* How far inside an edge of the triangle. */
static double height_in(const Plane *plane, int edge, const double point[3])
{
    double corner[3];
    corner_of(plane, edge, corner);
    return height_above(point, corner, plane->across[edge]);
}

/* The part of a line on the side of a height of at least `least`; false: there is none. */
static bool clip(PliExitLine *line, double h0, double h1, double least)
{
    if (h0 < least && h1 < least)
        return false;
    if (h0 < least || h1 < least) {
        double point[3];
        between(line->ends[0], line->ends[1], (least - h0) / (h1 - h0), point);
        memcpy(line->ends[h0 < least ? 0 : 1], point, sizeof point);
    }
    return true;
}

/* ---- Is one outside next to a point of the triangle? ----------------------------------------- */

/* On how many sides of a point of the triangle at hand is one outside of the surface, less one
 * shell? -1: less none. */
static PliantResult count_outside(const Finder *finder, const double at[3], int32_t shell,
                                  int *count)
{
    const PliSurface *surface = finder->surface;
    *count = 0;
    for (int side = 0; side < 2; side++) {
        float point[3];
        PliWinding winding;
        if (!pli_find_beside(finder->plane.corners, side == 1, at, point))
            continue;
        PLI_TRY(surface->wind(surface->user, finder->scratch, point, shell, &winding));
        *count += !pli_winding_is_inside(&winding);
    }
    return PLIANT_OK;
}

static PliantResult is_out(const Finder *finder, const double at[3], bool *is_so)
{
    int count;
    PLI_TRY(count_outside(finder, at, -1, &count));
    *is_so = count > 0;
    if (*is_so || !finder->by_shells)
        return PLIANT_OK;
    PLI_TRY(count_outside(finder, at,
                          pli_shell_of(finder->surface->features, finder->plane.triangle), &count));
    *is_so = count == 2;
    return PLIANT_OK;
}

/* ---- What crosses a triangle ----------------------------------------------------------------- */

/* Adds what of a line is in the triangle. */
static PliantResult add_segment(const Finder *finder, const double a[3], const double b[3])
{
    const Plane *plane = &finder->plane;
    PliExitLine line = line_of(a, b);
    for (int i = 0; i < 3; i++)
        if (!clip(&line, height_in(plane, i, line.ends[0]), height_in(plane, i, line.ends[1]), 0))
            return PLIANT_OK;
    return length_of(&line) > 4 * plane->error
               ? pli_append(&finder->exits->segments, finder->scratch->worker->host, &line)
               : PLIANT_OK;
}

/* Is a corner one of the triangle at hand? */
static bool is_shared(const Plane *plane, const float *corner)
{
    for (int i = 0; i < 3; i++)
        if (pli_is_same_point(plane->corners + 3 * i, corner))
            return true;
    return false;
}

/* Adds what the triangle at hand has in common with another: a segment, or the other's edges if
 * both are in one plane. An edge that both have does not divide it. */
static PliantResult add_segments(const Finder *finder, const PliOverlap *overlap)
{
    const Plane *plane = &finder->plane;
    double corners[3][3], heights[3], first[3], ends[3][3];
    bool are_shared[3];
    int shared = 0, zeros = 0, count = 0;
    corner_of(plane, 0, first);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            corners[i][k] = overlap->corners[3 * i + k];
        heights[i] = height_above(corners[i], first, plane->normal);
        are_shared[i] = is_shared(plane, overlap->corners + 3 * i);
        shared += are_shared[i];
        if (are_shared[i] || fabs(heights[i]) <= plane->error)
            heights[i] = 0;
        zeros += heights[i] == 0;
    }
    for (int i = 0; i < 3 && zeros == 3; i++)
        if (!are_shared[i] || !are_shared[(i + 1) % 3])
            PLI_TRY(add_segment(finder, corners[i], corners[(i + 1) % 3]));
    if (shared >= 2)
        return PLIANT_OK;
    for (int i = 0; i < 3 && zeros < 3; i++) {
        const int next = (i + 1) % 3;
        if (heights[i] == 0)
            memcpy(ends[count++], corners[i], sizeof ends[0]);
        else if ((heights[i] < 0 && heights[next] > 0) || (heights[i] > 0 && heights[next] < 0))
            between(corners[i], corners[next], heights[i] / (heights[i] - heights[next]),
                    ends[count++]);
    }
    return count == 2 ? add_segment(finder, ends[0], ends[1]) : PLIANT_OK;
}

/* ---- The rims of cells ----------------------------------------------------------------------- */

/* Of the direction of a line within the plane, to its left; of length one. */
static void find_across(const Plane *plane, const PliExitLine *line, double across[3])
{
    double along[3];
    for (int k = 0; k < 3; k++)
        along[k] = line->ends[1][k] - line->ends[0][k];
    pli_cross3(plane->normal, along, across);
    scale(across, 1 / sqrt(pli_dot3(across, across)));
}

/* Adds a part of a rim if there is an exit beside its middle. */
static PliantResult add_rim(const Finder *finder, const PliExitLine *line)
{
    const Plane *plane = &finder->plane;
    const double length = length_of(line);
    double middle[3], across[3];
    bool is_beside = false;
    if (!(length > 2 * plane->error))
        return PLIANT_OK;
    const double step = fmax(fmin(0x1p-16 * plane->extent, length / 4), 2 * plane->error);
    between(line->ends[0], line->ends[1], 0.5, middle);
    find_across(plane, line, across);
    for (int side = 0; side < 2 && !is_beside; side++) {
        double beside[3];
        for (int k = 0; k < 3; k++)
            beside[k] = middle[k] + (side ? -step : step) * across[k];
        if (height_in(plane, 0, beside) >= 0 && height_in(plane, 1, beside) >= 0 &&
            height_in(plane, 2, beside) >= 0)
            PLI_TRY(is_out(finder, beside, &is_beside));
    }
    return is_beside ? pli_append(&finder->exits->lines, finder->scratch->worker->host, line)
                     : PLIANT_OK;
}

/* Adds to the places where a line is cut, in order. There is room. */
static void cut_at(PliArray *cuts, double t)
{
    double *items = cuts->items;
    int64_t at = cuts->count++;
    for (; at > 0 && items[at - 1] > t; at--)
        items[at] = items[at - 1];
    items[at] = t;
}

/* Cuts a line where a segment ends on it, or crosses it. */
static void cut_line(const Plane *plane, const PliExitLine *line, double length,
                     const PliExitLine *segment, PliArray *cuts)
{
    double across[3], along[3], heights[2], places[2];
    bool is_cut = false;
    find_across(plane, line, across);
    for (int k = 0; k < 3; k++)
        along[k] = (line->ends[1][k] - line->ends[0][k]) / length;
    for (int i = 0; i < 2; i++) {
        heights[i] = height_above(segment->ends[i], line->ends[0], across);
        places[i] = height_above(segment->ends[i], line->ends[0], along) / length;
        if (fabs(heights[i]) > 2 * plane->error)
            continue;
        is_cut = true;
        if (places[i] > 0 && places[i] < 1)
            cut_at(cuts, places[i]);
    }
    if (is_cut || (heights[0] < 0) == (heights[1] < 0))
        return;
    const double t = places[0] + heights[0] / (heights[0] - heights[1]) * (places[1] - places[0]);
    if (t > 0 && t < 1)
        cut_at(cuts, t);
}

/* Adds the parts of a line that all segments of the triangle divide it into. */
static PliantResult divide_line(const Finder *finder, const PliExitRange *range,
                                const PliExitLine *line)
{
    PliExits *exits = finder->exits;
    const double length = length_of(line);
    if (!(length > 2 * finder->plane.error))
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&exits->cuts, finder->scratch->worker->host,
                                    2 * range->segment_count + 2));
    exits->cuts.count = 0;
    cut_at(&exits->cuts, 0);
    cut_at(&exits->cuts, 1);
    for (int64_t i = 0; i < range->segment_count; i++)
        cut_line(&finder->plane, line, length,
                 (const PliExitLine *)exits->kept_segments.items + range->first_segment + i,
                 &exits->cuts);
    for (int64_t i = 1; i < exits->cuts.count; i++) {
        const double *cuts = exits->cuts.items;
        PliExitLine part;
        between(line->ends[0], line->ends[1], cuts[i - 1], part.ends[0]);
        between(line->ends[0], line->ends[1], cuts[i], part.ends[1]);
        PLI_TRY(add_rim(finder, &part));
    }
    return PLIANT_OK;
}

/* The rims of all cells: parts of segments, and of edges of the triangle. */
static PliantResult add_rims(const Finder *finder, const PliExitRange *range)
{
    PliExitLine line;
    for (int64_t i = 0; i < range->segment_count; i++) {
        line = ((const PliExitLine *)finder->exits->kept_segments.items)[range->first_segment + i];
        PLI_TRY(divide_line(finder, range, &line));
    }
    for (int i = 0; i < 3; i++) {
        corner_of(&finder->plane, i, line.ends[0]);
        corner_of(&finder->plane, (i + 1) % 3, line.ends[1]);
        PLI_TRY(divide_line(finder, range, &line));
    }
    return PLIANT_OK;
}

/* ---- What a triangle is ---------------------------------------------------------------------- */

/* Keeps the segments of the triangle at hand, and the rims of its cells. */
static PliantResult add_range(const Finder *finder, int32_t *state)
{
    PliExits *exits = finder->exits;
    const PliantHost *host = finder->scratch->worker->host;
    PliExitRange range = {.first = exits->lines.count,
                          .first_segment = exits->kept_segments.count,
                          .segment_count = exits->segments.count};
    void *room;
    PLI_TRY(pli_array_push(&exits->kept_segments, host, range.segment_count, &room));
    memcpy(room, exits->segments.items, (size_t)range.segment_count * sizeof(PliExitLine));
    PLI_TRY(add_rims(finder, &range));
    range.count = exits->lines.count - range.first;
    *state = CROSSED + (int32_t)exits->ranges.count;
    return pli_append(&exits->ranges, host, &range);
}

/* Is a triangle the one at hand, or does it do nothing to it? */
static bool is_with(const Finder *finder, int32_t triangle)
{
    const PliFeatures *features = finder->surface->features;
    return triangle == finder->plane.triangle ||
           (finder->by_shells &&
            pli_shell_of(features, triangle) == pli_shell_of(features, finder->plane.triangle));
}

/* Orders what overlaps by number: the order of segments must not depend on the tree. Keys are
 * triangle << 32 | overlap, in scratch->keys. */
static PliantResult sort_overlaps(const Finder *finder)
{
    const PliArray *overlaps = &finder->exits->overlaps;
    PliArray *keys = &finder->scratch->keys;
    PLI_TRY(pli_array_reserve_spare(keys, finder->scratch->worker->host, 2 * overlaps->count));
    uint64_t *items = keys->items;
    for (int64_t i = 0; i < overlaps->count; i++)
        items[i] = (uint64_t)(uint32_t)((const PliOverlap *)overlaps->items)[i].triangle << 32 |
                   (uint64_t)i;
    pli_sort_keys(items, items + overlaps->count, overlaps->count,
                  32 + pli_bits_below(finder->surface->triangle_count));
    return PLIANT_OK;
}

static PliantResult classify(const Finder *finder, int32_t *state)
{
    const PliSurface *surface = finder->surface;
    const Plane *plane = &finder->plane;
    PliExits *exits = finder->exits;
    PliBox box;
    bool is_exit;
    for (int k = 0; k < 3; k++) {
        const float *t = plane->corners + k;
        box.low[k] = fminf(fminf(t[0], t[3]), t[6]);
        box.high[k] = fmaxf(fmaxf(t[0], t[3]), t[6]);
    }
    PLI_TRY(surface->find_overlaps(surface->user, finder->scratch, &box, &exits->overlaps));
    exits->segments.count = 0;
    PLI_TRY(sort_overlaps(finder));
    const uint64_t *keys = finder->scratch->keys.items;
    for (int64_t i = 0; i < exits->overlaps.count; i++) {
        const int32_t triangle = (int32_t)(keys[i] >> 32);
        const bool is_new = i == 0 || triangle != (int32_t)(keys[i - 1] >> 32);
        if (is_new && !is_with(finder, triangle))
            PLI_TRY(add_segments(finder, (const PliOverlap *)exits->overlaps.items +
                                             (keys[i] & 0xffffffff)));
    }
    if (exits->segments.count > 0)
        return add_range(finder, state);
    PLI_TRY(is_out(finder, pli_triangle_moments(plane->corners).centroid, &is_exit));
    *state = is_exit ? EXIT : WALL;
    return PLIANT_OK;
}

/* What the closest triangle is. finder->plane is of it if it is crossed. */
static PliantResult find_state(Finder *finder, const PliNearest *found, int32_t *state)
{
    PliExits *exits = finder->exits;
    int32_t *states = exits->states.items;
    const bool is_flat = !make_plane(&finder->plane, found->triangle, found->corners);
    *state = states[found->triangle];
    if (*state != UNKNOWN)
        return PLIANT_OK;
    *state = WALL;
    if (!is_flat)
        PLI_TRY(classify(finder, state));
    PLI_TRY(pli_append(&exits->touched, finder->scratch->worker->host, &found->triangle));
    states[found->triangle] = *state;
    exits->has_walls |= *state != EXIT;
    return PLIANT_OK;
}

/* ---- The cell around a point ----------------------------------------------------------------- */

enum { MAX_CORNERS = 16 };

typedef struct Cell {
    double corners[MAX_CORNERS][3];
    int count;
} Cell;

/* Does a segment go through a cell, and not along its rim? */
static bool goes_through(const Plane *plane, const Cell *cell, const PliExitLine *segment)
{
    PliExitLine rest = *segment;
    for (int i = 0; i < cell->count; i++) {
        const double *a = cell->corners[i];
        const PliExitLine edge = line_of(a, cell->corners[(i + 1) % cell->count]);
        double across[3];
        if (!(length_of(&edge) > plane->error))
            continue;
        find_across(plane, &edge, across);
        if (!clip(&rest, height_above(rest.ends[0], a, across),
                  height_above(rest.ends[1], a, across), plane->error))
            return false;
    }
    return true;
}

/* Cuts off what is beyond the line of a segment, seen from a point. */
static void cut_cell(const Plane *plane, Cell *cell, const PliExitLine *segment, const double p[3])
{
    const Cell whole = *cell;
    double across[3];
    find_across(plane, segment, across);
    const double side = height_above(p, segment->ends[0], across);
    cell->count = 0;
    if (!(fabs(side) > 4 * plane->error))
        return; /* nothing is certainly on its side */
    scale(across, side < 0 ? -1 : 1);
    for (int i = 0; i < whole.count && cell->count + 2 <= MAX_CORNERS; i++) {
        const double *a = whole.corners[i], *b = whole.corners[(i + 1) % whole.count];
        const double h = height_above(a, segment->ends[0], across);
        const double next = height_above(b, segment->ends[0], across);
        if (h >= 0)
            memcpy(cell->corners[cell->count++], a, sizeof cell->corners[0]);
        if ((h < 0 && next > 0) || (h > 0 && next < 0))
            between(a, b, h / (h - next), cell->corners[cell->count++]);
    }
}

/* The squared distance of a point from a line. */
static double line_square(const PliExitLine *line, const double p[3], double closest[3])
{
    double along[3], from[3];
    for (int k = 0; k < 3; k++) {
        along[k] = line->ends[1][k] - line->ends[0][k];
        from[k] = p[k] - line->ends[0][k];
    }
    between(line->ends[0], line->ends[1], pli_nearest_multiple(from, along), closest);
    for (int k = 0; k < 3; k++)
        from[k] = p[k] - closest[k];
    return pli_dot3(from, from);
}

/* The closest segment that goes through a cell, or NULL. */
static const PliExitLine *find_through(const Finder *finder, const PliExitRange *range,
                                       const Cell *cell, const double p[3])
{
    const PliExitLine *segments = finder->exits->kept_segments.items, *first = NULL;
    double least = INFINITY, closest[3];
    for (int64_t i = range->first_segment; i < range->first_segment + range->segment_count; i++) {
        const double here = line_square(&segments[i], p, closest);
        if (here < least && goes_through(&finder->plane, cell, &segments[i])) {
            least = here;
            first = &segments[i];
        }
    }
    return first;
}

/* How far inside the edges of a triangle of the plane, the least of three heights. */
static double least_height(const Plane *plane, const double *const corners[3], const double p[3])
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const PliExitLine edge = line_of(corners[i], corners[(i + 1) % 3]);
        double across[3];
        if (!(length_of(&edge) > plane->error))
            return -INFINITY;
        find_across(plane, &edge, across);
        least = fmin(least, height_above(p, corners[i], across));
    }
    return least;
}

/* Sets the corners to a triangle of the cell that a point of the triangle is in; to the point
 * alone if there is none that is certain. */
static void set_around(const Finder *finder, const PliExitRange *range, PliNearest *nearest)
{
    const PliExitLine *segment;
    Cell cell = {.count = 3};
    double p[3], best = -finder->plane.error;
    for (int i = 0; i < 3; i++) {
        corner_of(&finder->plane, i, cell.corners[i]);
        p[i] = nearest->position[i];
    }
    for (int i = 0; i < 9; i++)
        nearest->corners[i] = nearest->position[i % 3];
    while (cell.count > 2 && cell.count < MAX_CORNERS - 1 &&
           (segment = find_through(finder, range, &cell, p)))
        cut_cell(&finder->plane, &cell, segment, p);
    if (cell.count >= MAX_CORNERS - 1)
        return;
    for (int i = 1; i + 1 < cell.count; i++) {
        const double *const fan[3] = {cell.corners[0], cell.corners[i], cell.corners[i + 1]};
        const double here = least_height(&finder->plane, fan, p);
        if (!(here > best))
            continue;
        best = here;
        for (int k = 0; k < 9; k++)
            nearest->corners[k] = (float)fan[k / 3][k % 3];
    }
}

/* ---- The search ------------------------------------------------------------------------------ */

/* The closest exit of a crossed triangle, if it is closer than what was found before. */
static PliantResult find_in_crossed(const Finder *finder, const float *point,
                                    const PliNearest *found, const PliExitRange *range,
                                    PliNearest *nearest)
{
    const double p[3] = {point[0], point[1], point[2]};
    const double at[3] = {found->position[0], found->position[1], found->position[2]};
    bool is_exit;
    PLI_TRY(is_out(finder, at, &is_exit));
    if (is_exit) {
        *nearest = *found;
        set_around(finder, range, nearest);
        return PLIANT_OK;
    }
    for (int64_t i = range->first; i < range->first + range->count; i++) {
        const PliExitLine *line = (const PliExitLine *)finder->exits->lines.items + i;
        double closest[3];
        const float distance = (float)sqrt(line_square(line, p, closest));
        if (nearest->triangle >= 0 && !(distance < nearest->distance))
            continue;
        *nearest = (PliNearest){.triangle = found->triangle, .distance = distance};
        for (int k = 0; k < 3; k++) {
            nearest->position[k] = (float)closest[k];
            nearest->corners[k] = (float)line->ends[0][k];
            nearest->corners[3 + k] = nearest->corners[6 + k] = (float)line->ends[1][k];
        }
    }
    return PLIANT_OK;
}

/* Takes triangles in the order of their distance, until none can have a closer exit. */
static PliantResult search(Finder *finder, const float *point, PliNearest *nearest)
{
    const PliSurface *surface = finder->surface;
    PliExits *exits = finder->exits;
    uint8_t *skips = exits->skips.items;
    nearest->triangle = -1;
    for (;;) {
        PliNearest found;
        int32_t state;
        PLI_TRY(surface->find_nearest(surface->user, finder->scratch, point, skips, &found));
        if (found.triangle < 0 || (nearest->triangle >= 0 && !(found.distance < nearest->distance)))
            return PLIANT_OK;
        PLI_TRY(find_state(finder, &found, &state));
        if (state == EXIT) {
            *nearest = found;
            return PLIANT_OK;
        }
        skips[found.triangle] = 1;
        if (state == WALL)
            continue;
        PLI_TRY(pli_append(&exits->waiting, finder->scratch->worker->host, &found.triangle));
        const PliExitRange range = ((const PliExitRange *)exits->ranges.items)[state - CROSSED];
        PLI_TRY(find_in_crossed(finder, point, &found, &range, nearest));
        if (nearest->triangle >= 0 && nearest->distance <= found.distance)
            return PLIANT_OK;
    }
}

PliantResult pli_find_exit(const PliSurface *surface, bool is_self, PliRegionScratch *scratch,
                           const float *point, PliNearest *nearest)
{
    PliExits *exits = &scratch->exits;
    Finder finder = {.surface = surface,
                     .scratch = scratch,
                     .exits = exits,
                     .by_shells = !is_self && surface->is_closed && surface->features};
    const PliantResult result = search(&finder, point, nearest);
    for (int64_t i = 0; i < exits->waiting.count; i++)
        ((uint8_t *)exits->skips.items)[((const int32_t *)exits->waiting.items)[i]] = 0;
    exits->waiting.count = 0;
    return result;
}

/* Grows an array by zeros. */
static PliantResult grow(PliArray *array, const PliantHost *host, int64_t count)
{
    PLI_TRY(pli_array_reserve(array, host, count));
    if (array->count < count)
        memset((char *)array->items + (size_t)array->count * array->item_size, 0,
               (size_t)(count - array->count) * array->item_size);
    array->count = array->count < count ? count : array->count;
    return PLIANT_OK;
}

PliantResult pli_exits_start(PliRegionScratch *scratch, int32_t triangle_count)
{
    PliExits *exits = &scratch->exits;
    const PliantHost *host = scratch->worker->host;
    const int32_t *touched = exits->touched.items;
    for (int64_t i = 0; i < exits->touched.count; i++) {
        ((int32_t *)exits->states.items)[touched[i]] = UNKNOWN;
        ((uint8_t *)exits->skips.items)[touched[i]] = 0;
    }
    exits->touched.count = exits->ranges.count = exits->lines.count = 0;
    exits->kept_segments.count = 0;
    exits->has_walls = false;
    PLI_TRY(grow(&exits->states, host, triangle_count));
    return grow(&exits->skips, host, triangle_count);
}
