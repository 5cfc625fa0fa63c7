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
#include "regions/cells.h"
#include "regions/outline.h"
#include "regions/patches.h"

#include <string.h>

/* What is known of a triangle. */
enum { UNKNOWN, EXIT, WALL, CROSSED }; /* CROSSED + its range */

typedef struct Finder {
    const PliSurface *surface;
    PliRegionScratch *scratch;
    PliExits *exits;
    bool by_shells;         /* what the shell of a triangle does to it does not count */
    PliTrianglePlane plane; /* of the triangle at hand */
} Finder;

/* ---- Is one outside next to a point of the triangle? ----------------------------------------- */

/* Is one outside of the surface, less one shell, next to a point of the triangle at hand: on both
 * sides if `both`, else on any? -1: less none. The second side is asked if the first does not tell.
 */
static PliantResult is_outside(const Finder *finder, const double at[3], int32_t shell, bool both,
                               bool *is_so)
{
    const PliSurface *surface = finder->surface;
    *is_so = both;
    for (int side = 0; side < 2 && *is_so == both; side++) {
        float point[3];
        bool is_inside;
        *is_so = false;
        if (!pli_find_beside(finder->plane.corners, side == 1, at, point))
            continue;
        PLI_TRY(surface->is_inside(surface->user, finder->scratch, point, shell, &is_inside));
        *is_so = !is_inside;
    }
    return PLIANT_OK;
}

static PliantResult is_out(const Finder *finder, const double at[3], bool *is_so)
{
    PLI_TRY(is_outside(finder, at, -1, false, is_so));
    return *is_so || !finder->by_shells
               ? PLIANT_OK
               : is_outside(finder, at,
                            pli_shell_of(finder->surface->features, finder->plane.triangle), true,
                            is_so);
}

/* ---- What crosses a triangle ----------------------------------------------------------------- */

/* Adds what the triangle at hand has in common with another. */
static PliantResult add_segment(const Finder *finder, const PliOverlap *overlap)
{
    PliExitLine line;
    return pli_plane_cross(&finder->plane, overlap->corners, &line)
               ? pli_append(&finder->exits->segments, finder->scratch->worker->host, &line)
               : PLIANT_OK;
}

static const PliExitLine *kept_segments(const Finder *finder, const PliExitRange *range)
{
    return (const PliExitLine *)finder->exits->kept_segments.items + range->first_segment;
}

/* ---- The rims of cells ----------------------------------------------------------------------- */

/* Is there an exit beside the middle of a part of a rim? It is asked once it may be the closest. */
static PliantResult look_beside(const Finder *finder, PliExitRim *rim)
{
    const PliTrianglePlane *plane = &finder->plane;
    const PliExitLine *line = &rim->line;
    const double length = pli_line_length(line);
    double middle[3], across[3];
    bool is_beside = false;
    if (rim->is_known)
        return PLIANT_OK;
    const double step = fmax(fmin(0x1p-16 * plane->extent, length / 4), 2 * plane->error);
    pli_line_point(line, 0.5, middle);
    pli_line_across(plane, line, across);
    for (int side = 0; side < 2 && !is_beside; side++) {
        double beside[3];
        for (int k = 0; k < 3; k++)
            beside[k] = middle[k] + (side ? -step : step) * across[k];
        if (pli_plane_has(plane, beside))
            PLI_TRY(is_out(finder, beside, &is_beside));
    }
    rim->is_exit = is_beside;
    rim->is_known = true;
    return PLIANT_OK;
}

/* Adds the parts of a line that all segments of the triangle divide it into. */
static PliantResult divide_line(const Finder *finder, const PliExitRange *range,
                                const PliExitLine *line)
{
    PliExits *exits = finder->exits;
    if (!(pli_line_length(line) > 2 * finder->plane.error))
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&exits->cuts, finder->scratch->worker->host,
                                    2 * range->segment_count + 2));
    pli_line_cuts(&finder->plane, line, kept_segments(finder, range), range->segment_count,
                  &exits->cuts);
    for (int64_t i = 1; i < exits->cuts.count; i++) {
        const double *cuts = exits->cuts.items;
        PliExitRim rim = {.is_known = false};
        pli_line_point(line, cuts[i - 1], rim.line.ends[0]);
        pli_line_point(line, cuts[i], rim.line.ends[1]);
        if (pli_line_length(&rim.line) > 2 * finder->plane.error)
            PLI_TRY(pli_append(&exits->rims, finder->scratch->worker->host, &rim));
    }
    return PLIANT_OK;
}

/* The rims of all cells: parts of segments, and of edges of the triangle. */
static PliantResult add_rims(const Finder *finder, const PliExitRange *range)
{
    for (int64_t i = 0; i < range->segment_count; i++) {
        const PliExitLine line = kept_segments(finder, range)[i];
        PLI_TRY(divide_line(finder, range, &line));
    }
    for (int i = 0; i < 3; i++) {
        const PliExitLine edge = pli_plane_edge(&finder->plane, i);
        PLI_TRY(divide_line(finder, range, &edge));
    }
    return PLIANT_OK;
}

/* ---- What a triangle is ---------------------------------------------------------------------- */

/* Keeps the segments of the triangle at hand, and the rims of its cells. */
static PliantResult add_range(const Finder *finder, int32_t *state)
{
    PliExits *exits = finder->exits;
    const PliantHost *host = finder->scratch->worker->host;
    PliExitRange range = {.first = exits->rims.count,
                          .first_segment = exits->kept_segments.count,
                          .segment_count = exits->segments.count,
                          .first_cell = -1};
    void *room;
    PLI_TRY(pli_array_push(&exits->kept_segments, host, range.segment_count, &room));
    memcpy(room, exits->segments.items, (size_t)range.segment_count * sizeof(PliExitLine));
    PLI_TRY(add_rims(finder, &range));
    range.count = exits->rims.count - range.first;
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

/* Finds the triangles whose boxes overlap that of the triangle at hand. */
static PliantResult find_overlaps(const Finder *finder)
{
    const PliSurface *surface = finder->surface;
    PliBox box;
    for (int k = 0; k < 3; k++) {
        const float *t = finder->plane.corners + k;
        box.low[k] = fminf(fminf(t[0], t[3]), t[6]);
        box.high[k] = fmaxf(fmaxf(t[0], t[3]), t[6]);
    }
    return surface->find_overlaps(surface->user, finder->scratch, &box, &finder->exits->overlaps);
}

static PliantResult classify(const Finder *finder, int32_t *state)
{
    const PliTrianglePlane *plane = &finder->plane;
    PliExits *exits = finder->exits;
    bool is_exit;
    PLI_TRY(find_overlaps(finder));
    exits->segments.count = 0;
    PLI_TRY(sort_overlaps(finder));
    const uint64_t *keys = finder->scratch->keys.items;
    for (int64_t i = 0; i < exits->overlaps.count; i++) {
        const int32_t triangle = (int32_t)(keys[i] >> 32);
        const bool is_new = i == 0 || triangle != (int32_t)(keys[i - 1] >> 32);
        if (is_new && !is_with(finder, triangle))
            PLI_TRY(add_segment(finder, (const PliOverlap *)exits->overlaps.items +
                                            (keys[i] & 0xffffffff)));
    }
    if (exits->segments.count > 0)
        return add_range(finder, state);
    PLI_TRY(is_out(finder, pli_triangle_moments(plane->corners).centroid, &is_exit));
    *state = is_exit ? EXIT : WALL;
    return PLIANT_OK;
}

/* ---- Walls beside walls ------------------------------------------------------------------------
 *
 * Deep inside, hundreds of walls are closer than an exit. If the surface is closed, the winding
 * number in front of it and behind it stays the same from one triangle to the next, across an edge
 * that only these two have, if none of them is crossed. So all walls that are connected are found
 * by one question, and skipped from then on. A point that is closer to a second sheet than points
 * are told apart may answer for the wrong side. It must not answer for others: the first triangles
 * are asked for themselves, and so are some of all others. If one is an exit, this ends. */

static bool is_crossed(const Finder *finder)
{
    const PliExits *exits = finder->exits;
    const PliOverlap *overlaps = exits->overlaps.items;
    PliExitLine line;
    for (int64_t i = 0; i < exits->overlaps.count; i++)
        if (!is_with(finder, overlaps[i].triangle) &&
            pli_plane_cross(&finder->plane, overlaps[i].corners, &line))
            return true;
    return false;
}

/* The triangle on the other side of an edge of the triangle at hand, or -1. */
static int32_t across_edge(const Finder *finder, int k)
{
    const PliFeatures *features = finder->surface->features;
    const int32_t side = 3 * finder->plane.triangle + k, edge = features->triangle_edges[side];
    const int32_t *sides = edge < 0 ? NULL : features->edge_sides + features->edge_firsts[edge];
    return sides && features->edge_firsts[edge + 1] - features->edge_firsts[edge] == 2
               ? sides[sides[0] == side] / 3
               : -1;
}

/* Adds what is beside the triangle at hand and not yet known. It overlaps it. */
static PliantResult add_beside(const Finder *finder)
{
    PliExits *exits = finder->exits;
    const PliOverlap *overlaps = exits->overlaps.items;
    for (int k = 0; k < 3; k++) {
        const int32_t next = across_edge(finder, k);
        int64_t at = next < 0 || ((const int32_t *)exits->states.items)[next] != UNKNOWN
                         ? exits->overlaps.count
                         : 0;
        while (at < exits->overlaps.count && overlaps[at].triangle != next)
            at++;
        if (at < exits->overlaps.count)
            PLI_TRY(pli_append(&exits->beside, finder->scratch->worker->host, &overlaps[at]));
    }
    return PLIANT_OK;
}

static PliantResult note_state(const Finder *finder, int32_t triangle, int32_t state)
{
    PliExits *exits = finder->exits;
    PLI_TRY(pli_append(&exits->touched, finder->scratch->worker->host, &triangle));
    ((int32_t *)exits->states.items)[triangle] = state;
    ((uint8_t *)exits->skips.items)[triangle] = state == WALL;
    exits->has_walls |= state != EXIT;
    return PLIANT_OK;
}

/* Finds the walls that are connected with the triangle at hand, whose overlaps are there. */
static PliantResult flood_walls(const Finder *finder)
{
    enum { ASKED = 16 };
    PliArray *beside = &finder->exits->beside;
    Finder here = *finder;
    beside->count = 0;
    PLI_TRY(add_beside(finder));
    for (int64_t i = 0, walls = 0; i < beside->count; i++) {
        const PliOverlap next = ((const PliOverlap *)beside->items)[i];
        bool is_exit = false;
        if (((const int32_t *)here.exits->states.items)[next.triangle] != UNKNOWN ||
            !pli_plane_make(&here.plane, next.triangle, next.corners))
            continue;
        PLI_TRY(find_overlaps(&here));
        if (is_crossed(&here))
            continue;
        if (walls < 4 || walls % ASKED == 0)
            PLI_TRY(is_out(&here, pli_triangle_moments(next.corners).centroid, &is_exit));
        if (is_exit)
            return PLIANT_OK;
        walls++;
        PLI_TRY(note_state(&here, next.triangle, WALL));
        PLI_TRY(add_beside(&here));
    }
    return PLIANT_OK;
}

/* What the closest triangle is. finder->plane is of it if it is crossed. */
static PliantResult find_state(Finder *finder, const PliNearest *found, int32_t *state)
{
    const int32_t *states = finder->exits->states.items;
    const bool is_flat = !pli_plane_make(&finder->plane, found->triangle, found->corners);
    *state = states[found->triangle];
    if (*state != UNKNOWN)
        return PLIANT_OK;
    *state = WALL;
    if (!is_flat)
        PLI_TRY(classify(finder, state));
    PLI_TRY(note_state(finder, found->triangle, *state));
    return *state == WALL && !is_flat && finder->surface->is_closed && finder->surface->features
               ? flood_walls(finder)
               : PLIANT_OK;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Is the closest point of a crossed triangle in an exit? One point stands for all of a cell; or for
 * all that it has of an edge, where it is next to another triangle, too. */
static PliantResult is_in_exit(const Finder *finder, const double at[3], PliExitRange *range,
                               bool *is_exit)
{
    PliArray *cells = &finder->exits->cells;
    const PliExitCell *items = cells->items;
    PliExitCell new = {.next = range->first_cell};
    if (!pli_find_sides(&finder->plane, kept_segments(finder, range), range->segment_count, at,
                        &new.sides))
        return is_out(finder, at, is_exit);
    for (int32_t i = range->first_cell; i >= 0; i = items[i].next)
        if (items[i].sides == new.sides) {
            *is_exit = items[i].is_exit;
            return PLIANT_OK;
        }
    PLI_TRY(is_out(finder, at, &new.is_exit));
    *is_exit = new.is_exit;
    range->first_cell = (int32_t)cells->count;
    return pli_append(cells, finder->scratch->worker->host, &new);
}

/* The closest rim of a crossed triangle beside which there may be an exit, if that is closer than
 * what was found before; else NULL. Of those at the same distance, the first. */
static PliExitRim *closest_rim(const Finder *finder, const double p[3], const PliExitRange *range,
                               const PliNearest *nearest, PliNearest *at)
{
    PliExitRim *rims = (PliExitRim *)finder->exits->rims.items + range->first, *closest = NULL;
    for (int64_t i = 0; i < range->count; i++) {
        double position[3];
        if (rims[i].is_known && !rims[i].is_exit)
            continue;
        const float distance = (float)sqrt(pli_line_square(&rims[i].line, p, position));
        if (closest ? !(distance < at->distance)
                    : nearest->triangle >= 0 && !(distance < nearest->distance))
            continue;
        closest = &rims[i];
        at->distance = distance;
        for (int k = 0; k < 3; k++)
            at->position[k] = (float)position[k];
    }
    return closest;
}

/* The same, beside which there is one. */
static PliantResult find_rim(const Finder *finder, const double p[3], int32_t triangle,
                             const PliExitRange *range, PliNearest *nearest)
{
    PliNearest at = {.triangle = triangle};
    PliExitRim *rim = closest_rim(finder, p, range, nearest, &at);
    while (rim) {
        PLI_TRY(look_beside(finder, rim));
        if (rim->is_exit)
            break;
        rim = closest_rim(finder, p, range, nearest, &at);
    }
    if (!rim)
        return PLIANT_OK;
    for (int k = 0; k < 3; k++) {
        at.corners[k] = (float)rim->line.ends[0][k];
        at.corners[3 + k] = at.corners[6 + k] = (float)rim->line.ends[1][k];
    }
    *nearest = at;
    return PLIANT_OK;
}

/* The closest exit of a crossed triangle, if it is closer than what was found before. */
static PliantResult find_in_crossed(const Finder *finder, const float *point,
                                    const PliNearest *found, PliExitRange *range,
                                    PliNearest *nearest)
{
    const double p[3] = {point[0], point[1], point[2]};
    const double at[3] = {found->position[0], found->position[1], found->position[2]};
    bool is_exit;
    PLI_TRY(is_in_exit(finder, at, range, &is_exit));
    if (is_exit) {
        *nearest = *found;
        pli_find_cell(&finder->plane, kept_segments(finder, range), range->segment_count,
                      found->position, nearest->corners);
        return PLIANT_OK;
    }
    return find_rim(finder, p, found->triangle, range, nearest);
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
        if (state == WALL)
            continue;
        skips[found.triangle] = 1;
        PLI_TRY(pli_append(&exits->waiting, finder->scratch->worker->host, &found.triangle));
        PliExitRange *range = (PliExitRange *)exits->ranges.items + (state - CROSSED);
        PLI_TRY(find_in_crossed(finder, point, &found, range, nearest));
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
    exits->touched.count = exits->ranges.count = exits->rims.count = 0;
    exits->kept_segments.count = exits->cells.count = 0;
    exits->has_walls = false;
    PLI_TRY(grow(&exits->states, host, triangle_count));
    return grow(&exits->skips, host, triangle_count);
}
