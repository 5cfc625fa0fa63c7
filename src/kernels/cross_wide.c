/* Which boxes a triangle crosses, PLI_LANES / 2 boxes at a time. The same operations as in
 * geom/cross_box.c in each lane, in the same order. See cross.h.
 *
 * Most boxes are apart along one of the first axes. So it ends once none is left. */
#include "kernels/kernels.h"
#include "kernels/wide_doubles.h"

/* Boxes relative to the first corner of the triangle, which begin at some lane. */
typedef struct Ends {
    Doubles from[3], to[3];
} Ends;

static inline Ends load_ends(const PliTriangleAxes *axes, const float *boxes, int32_t count)
{
    Ends ends;
    for (int k = 0; k < 3; k++) {
        ends.from[k] = load_doubles(boxes + k * count) - axes->corner[k];
        ends.to[k] = load_doubles(boxes + (k + 3) * count) - axes->corner[k];
    }
    return ends;
}

/* All ones where the boxes are apart from the triangle along axis i. */
static inline Longs are_apart(const PliTriangleAxes *axes, int i, const Ends *ends)
{
    Doubles low = {0}, high = {0}, size = {0};
    for (int k = 0; k < 3; k++) {
        const Doubles x = axes->axes[i][k] * ends->from[k], y = axes->axes[i][k] * ends->to[k];
        const Longs is_less = x < y;
        low += choose_doubles(is_less, x, y);
        high += choose_doubles(is_less, y, x);
        size += most(size_of(x), size_of(y));
    }
    const Doubles error = PLI_CROSS_ERROR * size;
    return (low - error > axes->high[i]) | (high + error < axes->low[i]);
}

static inline uint32_t overlap_box(const PliTriangleAxes *axes, const float *boxes, int32_t count)
{
    uint32_t bits = 0;
    for (int32_t lane = 0; lane < count; lane += HALF) {
        Longs mask = (Longs){0} == 0;
        for (int k = 0; k < 3; k++) {
            mask &= load_doubles(boxes + k * count + lane) <= (double)axes->box_high[k];
            mask &= (double)axes->box_low[k] <= load_doubles(boxes + (k + 3) * count + lane);
        }
        bits |= bits_of(mask) << lane;
    }
    return bits;
}

uint32_t PLI_NAME(pli_cross_boxes)(const PliTriangleAxes *axes, const float *boxes, int32_t count)
{
    const uint32_t all = (UINT32_C(1) << HALF) - 1;
    uint32_t bits = overlap_box(axes, boxes, count);
    for (int32_t lane = 0; lane < count; lane += HALF) {
        uint32_t here = bits >> lane & all;
        if (!here)
            continue;
        const Ends ends = load_ends(axes, boxes + lane, count);
        for (int i = 0; i < PLI_CROSS_AXES && here; i++)
            here &= ~bits_of(are_apart(axes, i, &ends));
        bits = (bits & ~(all << lane)) | here << lane;
    }
    return bits;
}
