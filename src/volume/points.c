/* Which points are inside: see volume.h.
 *
 * Points are anywhere, so that a branch on one of them is a guess, and a wrong one costs more than
 * all else: there are none but for pixels with many spans. */
#include "base/tasks.h"
#include "volume/volume.h"

#include <string.h>

typedef struct Grid {
    int axes[3];
    float ends[3][2]; /* of the box */
    double low[2], scale[2];
} Grid;

static Grid grid_of(const PliantView *view)
{
    Grid grid;
    for (int side = 0; side < 3; side++) {
        grid.axes[side] = pli_view_axis(view, side);
        grid.ends[side][0] = view->box.low[grid.axes[side]];
        grid.ends[side][1] = view->box.high[grid.axes[side]];
    }
    for (int side = 0; side < 2; side++) {
        grid.low[side] = view->box.low[grid.axes[side]];
        grid.scale[side] = 1 / pli_pixel_size(view, side);
    }
    return grid;
}

enum { BLOCK = 256 };

/* Points on their way. */
typedef struct Block {
    int32_t pixels[BLOCK]; /* that they are in, or -1 */
    float depths[BLOCK];
} Block;

/* In which pixels some points are. What is on the far edge of the picture is in its last one. */
static void find_pixels(const PliSpans *spans, const Grid *grid, const char *at, size_t stride,
                        int32_t count, Block *block)
{
    for (int32_t i = 0; i < count; i++, at += stride) {
        const float *point = (const float *)at;
        const float u = point[grid->axes[0]], v = point[grid->axes[1]], w = point[grid->axes[2]];
        const bool is_there = (u >= grid->ends[0][0]) & (u <= grid->ends[0][1]) &
                              (v >= grid->ends[1][0]) & (v <= grid->ends[1][1]) &
                              (w >= grid->ends[2][0]) & (w <= grid->ends[2][1]);
        const double x = ((double)u - grid->low[0]) * grid->scale[0];
        const double y = ((double)v - grid->low[1]) * grid->scale[1];
        const int32_t column = (int32_t)(is_there ? x : 0), row = (int32_t)(is_there ? y : 0);
        const int32_t pixel =
            (row - (row >= spans->height)) * spans->width + column - (column >= spans->width);
        block->pixels[i] = is_there ? pixel : -1;
        block->depths[i] = w;
    }
}

/* Few spans are compared all at once, whether they are there or not: there is room behind the last
 * one. */
enum { FEW = 4 };

static bool is_in_spans(const PliantSpan *spans, uint32_t count, float depth)
{
    unsigned is_inside = 0;
    for (uint32_t i = 0; i < FEW; i++)
        is_inside |= (unsigned)(spans[i].low <= depth) & (unsigned)(depth <= spans[i].high) &
                     (unsigned)(i < count);
    for (uint32_t i = FEW; i < count; i++)
        is_inside |= (unsigned)(spans[i].low <= depth) & (unsigned)(depth <= spans[i].high);
    return is_inside;
}

static void find_states(const PliSpans *spans, const Block *block, int32_t count, uint8_t *states)
{
    const PliPixel *pixels = spans->pixels.items;
    const PliantSpan *items = spans->spans.items;
    for (int32_t i = 0; i < count; i++) {
        const int32_t at = block->pixels[i];
        const PliPixel pixel = pixels[at < 0 ? 0 : at];
        const bool is_bad = pixel.count == PLI_BAD_PIXEL;
        const bool is_inside =
            is_in_spans(items + pixel.first, is_bad ? 0 : pixel.count, block->depths[i]);
        states[i] = at < 0   ? PLIANT_POINT_OUTSIDE
                    : is_bad ? PLIANT_POINT_UNKNOWN
                             : (uint8_t)is_inside;
    }
}

/* Points of one call. */
typedef struct Points {
    const PliSpans *spans;
    const PliantVertices *points;
    Grid grid;
    uint8_t *states;
    int32_t task_count;
} Points;

/* So many points are divided, into tasks of at least so many. */
enum { MIN_DIVIDED_POINTS = 1 << 15, POINTS_OF_A_TASK = 1 << 13 };

/* PliantTask. Whole blocks. */
static void find_some(void *data, int32_t index, int32_t worker)
{
    const Points *all = data;
    const PliantVertices *points = all->points;
    const size_t stride = points->stride ? points->stride : 3 * sizeof(float);
    const int64_t block_count = pli_div_up(points->count, BLOCK);
    const int64_t begin = BLOCK * pli_part_begin(index, all->task_count, block_count);
    const int64_t end = BLOCK * pli_part_begin(index + 1, all->task_count, block_count);
    (void)worker;
    for (int64_t i = begin; i < end; i += BLOCK) {
        const int32_t count = points->count - i < BLOCK ? (int32_t)(points->count - i) : BLOCK;
        Block block;
        find_pixels(all->spans, &all->grid, (const char *)points->data + (size_t)i * stride, stride,
                    count, &block);
        find_states(all->spans, &block, count, all->states + i);
    }
}

void pli_points_inside(const PliSpans *spans, const PliantView *view, const PliantVertices *points,
                       uint8_t *states, const PliantHost *host)
{
    if (spans->pixels.count == 0 && points->count > 0)
        memset(states, PLIANT_POINT_OUTSIDE, (size_t)points->count);
    if (spans->pixels.count == 0 || points->count == 0)
        return;
    Points all = {spans, points, grid_of(view), states, 1};
    if (points->count >= MIN_DIVIDED_POINTS)
        all.task_count = (int32_t)pli_div_up(points->count, POINTS_OF_A_TASK);
    pli_tasks_run(host, find_some, &all, all.task_count);
}
