/* How much there is, and how far that may be off: see volume.h.
 *
 * The volume is the sum of all spans, times the area of a pixel. What is unknown lies between the
 * lines. Let t be the thickness, the length of all spans of a line, as a function of where the line
 * is: the volume is its integral, and what was found is the sum over a lattice. By Poisson's
 * formula, the difference is the sum of the Fourier transform of t over all points of the dual
 * lattice but zero; and along one direction of that, it is the transform of a profile: of the sums
 * of t over all lines on a row of the lattice. So errors are those of profiles, each in one
 * dimension: along columns, rows, both diagonals; others are far from zero, where transforms are
 * small.
 *
 * Of a profile M, with second differences D = M[s - 1] - 2 M[s] + M[s + 1],
 * - where it is smooth, the middle of a cell is off by D / 24;
 * - where it has a corner (a ridge, or where two surfaces intersect), by D / 8 at most;
 * - where it jumps by J between s and s + 1, by J / 2 at most, since one does not know where; D is
 * J before and -J after the jump, so that this is a quarter of both. Offs of different s have
 * nothing to do with each other, as a rule, and add like random numbers: as the root of the sum of
 * squares. It is taken SPREAD times a quarter, since they may agree: two walls, the front and the
 * back of a box, can be off by J in all, where D is J four times.
 *
 * Jumps are where a surface goes along the lines. Such walls are found when triangles are drawn;
 * each may be off by half a pixel times its area, and if many are alike all of them may be to the
 * same side: so these are summed up. That covers what no line intersects as well, a slab of less
 * than a pixel that goes along the lines: it is between two walls. A slab that leans so much that
 * its walls are none is crossed by some lines. What is left is about as wide as a pixel both ways,
 * a needle: for it there is a floor, of one pixel through the whole box.
 *
 * All of this is seen by the lines. A regular array of equal objects in step with the pixels is
 * crossed at the same place everywhere: samples agree with each other and not with the truth, and
 * no function of the samples can tell. Triangles can. Let w(p) be the winding number of a closed
 * surface around p. By the divergence theorem, its integral over space is the sum, over triangles,
 * of the signed volume between each triangle and the near end of the box: its area seen along the
 * lines, times the mean depth of its corners, exactly. Lines sample the same integral: the sum over
 * spans of w times length. So if all of a body is in the box,
 *     known = | sum of prisms - sum over lines of w times length |
 * is the error of the lines for w. A body that does not overlap itself has w = 1 inside (-1 if it
 * is inside out) and 0 outside, so that this is the error of its volume: it is a bound for every
 * such mesh, and the least one. Each prism has at most 8 roundings in floats, and these are summed
 * in doubles: the sum is off by less than 2^-21 of the boxes of all triangles, in pixels, times the
 * depth. The floor of one pixel is more than that for boxes of two million pixels in all.
 *
 * Of a body that overlaps itself, w counts some of it twice. Of what two bodies have in common, and
 * of a part of a body, there is no such sum. There lines of another lattice are needed: regular.c.
 *
 * docs/volumes.md has how it was tried.
 */
#include "volume/volume.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SPREAD = 1.5; /* measured: docs/volumes.md */

/* The directions of profiles: pixel (i, j) is in the sum i * across + j * up. */
static const int32_t DIRECTIONS[][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
enum { PROFILES = sizeof DIRECTIONS / sizeof *DIRECTIONS };

void pli_measure_init(PliMeasure *measure)
{
    *measure = (PliMeasure){.rows = {.item_size = sizeof(PliRowSums)},
                            .thickness = {.item_size = sizeof(float)},
                            .profile = {.item_size = sizeof(double)}};
}

void pli_measure_free(PliMeasure *measure, const PliantHost *host)
{
    pli_array_free(&measure->rows, host);
    pli_array_free(&measure->thickness, host);
    pli_array_free(&measure->profile, host);
}

/* The room of one profile: no sums are more. */
static int64_t profile_room(const PliantView *view)
{
    return (int64_t)view->width + view->height;
}

static PliExtent nothing(void)
{
    return (PliExtent){.low = {INT32_MAX, INT32_MAX},
                       .high = {-1, -1},
                       .nearest = INFINITY,
                       .farthest = -INFINITY};
}

PliantResult pli_measure_start(PliMeasure *measure, const PliantView *view, int64_t across,
                               const PliantHost *host)
{
    const int64_t count = (int64_t)view->width * view->height;
    const int64_t row_count = across * view->height;
    PLI_TRY(pli_array_reserve(&measure->rows, host, row_count));
    PLI_TRY(pli_array_reserve(&measure->thickness, host, count));
    PLI_TRY(pli_array_reserve(&measure->profile, host, PROFILES * profile_room(view)));
    *measure = (PliMeasure){.extent = nothing(),
                            .across = across,
                            .rows = measure->rows,
                            .thickness = measure->thickness,
                            .profile = measure->profile};
    measure->rows.count = row_count;
    measure->thickness.count = count;
    return PLIANT_OK;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void widen(PliExtent *extent, int32_t column, int32_t row, float near, float far)
{
    extent->low[0] = column < extent->low[0] ? column : extent->low[0];
    extent->high[0] = column > extent->high[0] ? column : extent->high[0];
    extent->low[1] = row < extent->low[1] ? row : extent->low[1];
    extent->high[1] = row > extent->high[1] ? row : extent->high[1];
    extent->nearest = near < extent->nearest ? near : extent->nearest;
    extent->farthest = far > extent->farthest ? far : extent->farthest;
}

void pli_measure_add_extent(PliMeasure *measure, const PliExtent *extent)
{
    measure->extent.span_count += extent->span_count;
    if (extent->span_count == 0)
        return;
    widen(&measure->extent, extent->low[0], extent->low[1], extent->nearest, extent->farthest);
    widen(&measure->extent, extent->high[0], extent->high[1], extent->nearest, extent->farthest);
}

/* Depths are counted from the near end of the box, where they are small; lengths are not. */
static double add_pixel(double near, const PliantSpan *spans, uint32_t count, double *by_depth)
{
    double thickness = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double low = spans[i].low - near, high = spans[i].high - near;
        const double length = (double)spans[i].high - spans[i].low;
        thickness += length;
        *by_depth += length * ((low + high) / 2);
    }
    return thickness;
}

/* Where the sums of a tile's rows begin: behind those of all tiles before it. */
static PliRowSums *sums_of(const PliMeasure *measure, const PliTile *tile)
{
    const int64_t before =
        measure->across * tile->row + (int64_t)(tile->column / PLI_TILE) * tile->height;
    return (PliRowSums *)measure->rows.items + before;
}

void pli_measure_rows(const PliMeasure *measure, const PliantView *view, const PliTile *tile,
                      int32_t first_row, const PliSpanRows *rows, PliExtent *extent)
{
    const double near = view->box.low[view->axis];
    const PliantSpan *items = rows->spans->items;
    PliRowSums *row_sums = sums_of(measure, tile) + first_row;
    *extent = nothing();
    for (int32_t j = 0; j < rows->height; j++) {
        const int32_t row = tile->row + first_row + j;
        const PliPixel *pixels = rows->pixels + j * rows->stride;
        float *thickness =
            (float *)measure->thickness.items + (int64_t)row * view->width + tile->column;
        double sums[3] = {0}; /* of this row: thickness, by column, by depth */
        for (int32_t i = 0; i < rows->width; i++, pixels++) {
            thickness[i] = 0;
            if (pixels->count == 0 || pixels->count == PLI_BAD_PIXEL)
                continue;
            const PliantSpan *first = items + pixels->first, *last = first + pixels->count - 1;
            const double here = add_pixel(near, first, pixels->count, &sums[2]);
            extent->span_count += pixels->count;
            widen(extent, tile->column + i, row, first->low, last->high);
            thickness[i] = (float)(here < FLT_MAX ? here : FLT_MAX);
            sums[0] += here;
            sums[1] += here * (tile->column + i + 0.5);
        }
        row_sums[j] = (PliRowSums){{sums[0], sums[1], sums[0] * (row + 0.5), sums[2]}};
    }
}

static PliRowSums sum_of_all(const PliMeasure *measure)
{
    const PliRowSums *rows = measure->rows.items;
    PliRowSums all = {0};
    for (int64_t i = 0; i < measure->rows.count; i++)
        for (int k = 0; k < 4; k++)
            all.sums[k] += rows[i].sums[k];
    return all;
}

/* ---- The estimate ---------------------------------------------------------------------------- */

/* How many sums a profile has; those of the longest are in reserve. */
static int64_t profile_length(const PliantView *view, int direction)
{
    const int32_t *d = DIRECTIONS[direction];
    return 1 + (view->width - 1) * (int64_t)d[0] + (view->height - 1) * (int64_t)abs(d[1]);
}

static void read_profile(const PliMeasure *measure, const PliantView *view, int direction,
                         double *sums)
{
    const float *t = measure->thickness.items;
    const int32_t across = DIRECTIONS[direction][0], up = DIRECTIONS[direction][1];
    memset(sums, 0, (size_t)profile_length(view, direction) * sizeof *sums);
    double *row = sums + (up < 0 ? view->height - 1 : 0);
    for (int32_t j = 0; j < view->height; j++, row += up, t += view->width) {
        if (across == 0)
            for (int32_t i = 0; i < view->width; i++)
                row[0] += t[i];
        else
            for (int32_t i = 0; i < view->width; i++)
                row[i] += t[i];
    }
}

/* The sum of the squares of its second differences; there is nothing outside of the picture. */
static double roughness(const double *sums, int64_t count)
{
    double sum = 0, before = 0, here = 0;
    for (int64_t i = 0; i < count + 2; i++) {
        const double after = i < count ? sums[i] : 0, d = before - 2 * here + after;
        sum += d * d;
        before = here;
        here = after;
    }
    return sum;
}

/* Pictures with so many pixels are summed up by several workers. */
enum { MIN_DIVIDED_PIXELS = 1 << 16 };

typedef struct Roughnesses {
    const PliMeasure *measure;
    const PliantView *view;
    double all[PROFILES];
} Roughnesses;

/* PliWork: one profile. */
static void find_roughness(void *data, int32_t direction, PliWorker *worker)
{
    Roughnesses *found = data;
    double *sums = (double *)found->measure->profile.items + direction * profile_room(found->view);
    (void)worker;
    read_profile(found->measure, found->view, direction, sums);
    found->all[direction] = roughness(sums, profile_length(found->view, direction));
}

/* How far lines are off from the integral of the winding number, if that is known. Less than zero
 * if it is not. `sum` is that of all lengths. */
static double known_error(const PliMeasure *measure, double sum, double depth)
{
    const PliWindingVolume *winding = &measure->winding;
    return winding->is_known && measure->bad_count == 0
               ? fabs(winding->exact * depth - (sum + winding->excess))
               : -1;
}

/* In lengths of spans, whose sum is `length`. */
static double error_of(const PliMeasure *measure, const PliantView *view, double length,
                       PliWorker *worker)
{
    Roughnesses found = {.measure = measure, .view = view};
    const bool is_divided = worker && measure->thickness.count >= MIN_DIVIDED_PIXELS;
    (is_divided ? pli_worker_divide : pli_worker_do_all)(worker, find_roughness, &found, PROFILES);
    double sum = 0;
    for (int d = 0; d < PROFILES; d++)
        sum += SPREAD * sqrt(found.all[d]);
    const double near = view->box.low[view->axis], far = view->box.high[view->axis];
    const double size = fabs(near) > fabs(far) ? fabs(near) : fabs(far);
    const double rounding = 2 * 0x1p-24 * size * (double)measure->extent.span_count;
    const double likely = (sum + measure->hidden * (far - near)) / 4;
    const double known = known_error(measure, length, far - near);
    return (known > likely ? known : likely) + (far - near) + rounding;
}

void pli_measure_end(const PliMeasure *measure, const PliantView *view, PliWorker *worker,
                     PliantVolume *volume)
{
    const double across = pli_pixel_size(view, 0), up = pli_pixel_size(view, 1);
    const int axes[3] = {pli_view_axis(view, 0), pli_view_axis(view, 1), (int)view->axis};
    const double sizes[3] = {across, up, 1};
    const PliRowSums all = sum_of_all(measure);
    const PliExtent *extent = &measure->extent;
    *volume = (PliantVolume){.volume = all.sums[0] * (across * up),
                             .error = error_of(measure, view, all.sums[0], worker) * (across * up),
                             .view = *view,
                             .bad_pixel_count = measure->bad_count};
    for (int k = 0; k < 3; k++) {
        volume->box.low[axes[k]] = INFINITY;
        volume->box.high[axes[k]] = -INFINITY;
        if (extent->span_count == 0)
            continue;
        const double low = view->box.low[axes[k]];
        volume->centroid[axes[k]] = low + all.sums[k + 1] / all.sums[0] * sizes[k];
        volume->box.low[axes[k]] =
            k == 2 ? extent->nearest : (float)(low + extent->low[k] * sizes[k]);
        volume->box.high[axes[k]] =
            k == 2 ? extent->farthest : (float)(low + (extent->high[k] + 1) * sizes[k]);
    }
}
