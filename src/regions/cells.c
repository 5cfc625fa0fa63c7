#include "regions/cells.h"
#include "geom/vector.h"

#include <string.h>

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

static void along_line(const PliExitLine *line, double along[3])
{
    for (int k = 0; k < 3; k++)
        along[k] = line->ends[1][k] - line->ends[0][k];
}

static void scale(double v[3], double factor)
{
    for (int k = 0; k < 3; k++)
        v[k] *= factor;
}

static double height_above(const double point[3], const double at[3], const double direction[3])
{
    const double from[3] = {point[0] - at[0], point[1] - at[1], point[2] - at[2]};
    return pli_dot3(from, direction);
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

double pli_line_length(const PliExitLine *line)
{
    double along[3];
    along_line(line, along);
    return sqrt(pli_dot3(along, along));
}

void pli_line_point(const PliExitLine *line, double t, double point[3])
{
    between(line->ends[0], line->ends[1], t, point);
}

void pli_line_across(const PliTrianglePlane *plane, const PliExitLine *line, double across[3])
{
    double along[3];
    along_line(line, along);
    pli_cross3(plane->normal, along, across);
    scale(across, 1 / sqrt(pli_dot3(across, across)));
}

double pli_line_square(const PliExitLine *line, const double p[3], double closest[3])
{
    double along[3], from[3];
    along_line(line, along);
    for (int k = 0; k < 3; k++)
        from[k] = p[k] - line->ends[0][k];
    between(line->ends[0], line->ends[1], pli_nearest_multiple(from, along), closest);
    for (int k = 0; k < 3; k++)
        from[k] = p[k] - closest[k];
    return pli_dot3(from, from);
}

/* ---- The triangle ---------------------------------------------------------------------------- */

static void corner_of(const PliTrianglePlane *plane, int i, double corner[3])
{
    for (int k = 0; k < 3; k++)
        corner[k] = plane->corners[3 * i + k];
}

bool pli_plane_make(PliTrianglePlane *plane, int32_t triangle, const float *corners)
{
    double edges[3][3], most = 0;
    *plane = (PliTrianglePlane){.triangle = triangle, .corners = corners};
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

PliExitLine pli_plane_edge(const PliTrianglePlane *plane, int i)
{
    PliExitLine edge;
    corner_of(plane, i, edge.ends[0]);
    corner_of(plane, (i + 1) % 3, edge.ends[1]);
    return edge;
}

/* How far inside an edge of the triangle. */
static double height_in(const PliTrianglePlane *plane, int edge, const double point[3])
{
    double corner[3];
    corner_of(plane, edge, corner);
    return height_above(point, corner, plane->across[edge]);
}

bool pli_plane_has(const PliTrianglePlane *plane, const double point[3])
{
    return height_in(plane, 0, point) >= 0 && height_in(plane, 1, point) >= 0 &&
           height_in(plane, 2, point) >= 0;
}

static bool is_shared(const PliTrianglePlane *plane, const float *corner)
{
    for (int i = 0; i < 3; i++)
        if (pli_is_same_point(plane->corners + 3 * i, corner))
            return true;
    return false;
}

bool pli_plane_cross(const PliTrianglePlane *plane, const float *others, PliExitLine *line)
{
    double corners[3][3], heights[3], first[3];
    int shared = 0, zeros = 0, count = 0;
    corner_of(plane, 0, first);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            corners[i][k] = others[3 * i + k];
        heights[i] = height_above(corners[i], first, plane->normal);
        shared += is_shared(plane, others + 3 * i);
        if (is_shared(plane, others + 3 * i) || fabs(heights[i]) <= plane->error)
            heights[i] = 0;
        zeros += heights[i] == 0;
    }
    if (shared >= 2 || zeros == 3)
        return false;
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        if (heights[i] == 0)
            memcpy(line->ends[count++], corners[i], sizeof line->ends[0]);
        else if ((heights[i] < 0 && heights[next] > 0) || (heights[i] > 0 && heights[next] < 0))
            between(corners[i], corners[next], heights[i] / (heights[i] - heights[next]),
                    line->ends[count++]);
    }
    if (count < 2)
        return false;
    for (int i = 0; i < 3; i++)
        if (!clip(line, height_in(plane, i, line->ends[0]), height_in(plane, i, line->ends[1]), 0))
            return false;
    return pli_line_length(line) > 4 * plane->error;
}

/* ---- Where lines are cut --------------------------------------------------------------------- */

/* Adds a place in order. There is room. */
static void cut_at(PliArray *cuts, double t)
{
    double *items = cuts->items;
    int64_t at = cuts->count++;
    for (; at > 0 && items[at - 1] > t; at--)
        items[at] = items[at - 1];
    items[at] = t;
}

/* Cuts a line where another ends on it, or crosses it. */
static void cut_line(const PliTrianglePlane *plane, const PliExitLine *line,
                     const PliExitLine *other, PliArray *cuts)
{
    const double length = pli_line_length(line);
    double across[3], along[3], heights[2], places[2];
    bool is_cut = false;
    pli_line_across(plane, line, across);
    along_line(line, along);
    scale(along, 1 / length);
    for (int i = 0; i < 2; i++) {
        heights[i] = height_above(other->ends[i], line->ends[0], across);
        places[i] = height_above(other->ends[i], line->ends[0], along) / length;
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

void pli_line_cuts(const PliTrianglePlane *plane, const PliExitLine *line,
                   const PliExitLine *others, int64_t count, PliArray *cuts)
{
    cuts->count = 0;
    cut_at(cuts, 0);
    cut_at(cuts, 1);
    for (int64_t i = 0; i < count; i++)
        cut_line(plane, line, &others[i], cuts);
}

/* ---- Sides ----------------------------------------------------------------------------------- */

bool pli_find_sides(const PliTrianglePlane *plane, const PliExitLine *lines, int64_t count,
                    const double p[3], uint64_t *sides)
{
    enum { MOST = 61 };
    *sides = 0;
    for (int i = 0; i < 3; i++)
        *sides |= (uint64_t)(height_in(plane, i, p) <= 4 * plane->error) << (MOST + i);
    for (int64_t i = 0; i < count && count <= MOST; i++) {
        double across[3];
        pli_line_across(plane, &lines[i], across);
        const double side = height_above(p, lines[i].ends[0], across);
        if (!(fabs(side) > 4 * plane->error))
            return false;
        *sides |= (uint64_t)(side > 0) << i;
    }
    return count <= MOST;
}

/* ---- The cell around a point ----------------------------------------------------------------- */

enum { MAX_CORNERS = 16 };

typedef struct Cell {
    double corners[MAX_CORNERS][3];
    int count;
} Cell;

/* Does a segment go through a cell, and not along its rim? */
static bool goes_through(const PliTrianglePlane *plane, const Cell *cell,
                         const PliExitLine *segment)
{
    PliExitLine rest = *segment;
    for (int i = 0; i < cell->count; i++) {
        const double *a = cell->corners[i];
        const PliExitLine edge = line_of(a, cell->corners[(i + 1) % cell->count]);
        double across[3];
        if (!(pli_line_length(&edge) > plane->error))
            continue;
        pli_line_across(plane, &edge, across);
        if (!clip(&rest, height_above(rest.ends[0], a, across),
                  height_above(rest.ends[1], a, across), plane->error))
            return false;
    }
    return true;
}

/* Cuts off what is beyond the line of a segment, seen from a point. */
static void cut_cell(const PliTrianglePlane *plane, Cell *cell, const PliExitLine *segment,
                     const double p[3])
{
    const Cell whole = *cell;
    double across[3];
    pli_line_across(plane, segment, across);
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

/* The closest line that goes through a cell, or NULL. */
static const PliExitLine *find_through(const PliTrianglePlane *plane, const PliExitLine *lines,
                                       int64_t count, const Cell *cell, const double p[3])
{
    const PliExitLine *first = NULL;
    double least = INFINITY, closest[3];
    for (int64_t i = 0; i < count; i++) {
        const double here = pli_line_square(&lines[i], p, closest);
        if (here < least && goes_through(plane, cell, &lines[i])) {
            least = here;
            first = &lines[i];
        }
    }
    return first;
}

/* How far inside the edges of a triangle of the plane, the least of three heights. */
static double least_height(const PliTrianglePlane *plane, const double *const corners[3],
                           const double p[3])
{
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const PliExitLine edge = line_of(corners[i], corners[(i + 1) % 3]);
        double across[3];
        if (!(pli_line_length(&edge) > plane->error))
            return -INFINITY;
        pli_line_across(plane, &edge, across);
        least = fmin(least, height_above(p, corners[i], across));
    }
    return least;
}

void pli_find_cell(const PliTrianglePlane *plane, const PliExitLine *lines, int64_t count,
                   const float *point, float corners[9])
{
    const PliExitLine *line;
    Cell cell = {.count = 3};
    double p[3], best = -plane->error;
    for (int i = 0; i < 3; i++) {
        corner_of(plane, i, cell.corners[i]);
        p[i] = point[i];
    }
    for (int i = 0; i < 9; i++)
        corners[i] = point[i % 3];
    while (cell.count > 2 && cell.count < MAX_CORNERS - 1 &&
           (line = find_through(plane, lines, count, &cell, p)))
        cut_cell(plane, &cell, line, p);
    if (cell.count >= MAX_CORNERS - 1)
        return;
    for (int i = 1; i + 1 < cell.count; i++) {
        const double *const fan[3] = {cell.corners[0], cell.corners[i], cell.corners[i + 1]};
        const double here = least_height(plane, fan, p);
        if (!(here > best))
            continue;
        best = here;
        for (int k = 0; k < 9; k++)
            corners[k] = (float)fan[k / 3][k % 3];
    }
}
