/* Axis-aligned boxes: two corners, four floats each, of which the last is not used.
 *
 * Minimum and maximum are x < y ? x : y and x > y ? x : y in that order, so that a NaN in x is
 * skipped. Nothing is rounded, so no box needs a margin.
 */
#ifndef PLI_BOX_H
#define PLI_BOX_H

#include "base/base.h"

#include <math.h>
#include <string.h>

typedef float PliFloat4 __attribute__((vector_size(16)));
typedef int32_t PliInt4 __attribute__((vector_size(16)));

typedef struct PliBox {
    PliFloat4 low, high;
} PliBox;

/* The boxes of the eight children of a node, by coordinate. Unused children have NaN everywhere,
 * and so overlap nothing, not even an infinite box. */
typedef struct PliBoxes {
    float low[3][8], high[3][8];
} PliBoxes;

static inline PliFloat4 pli_min4(PliFloat4 x, PliFloat4 y)
{
#if defined(__SSE2__)
    return __builtin_ia32_minps(x, y);
#elif defined(__wasm_simd128__)
    return __builtin_wasm_pmin_f32x4(y, x);
#else
    PliInt4 mask = x < y;
    return (PliFloat4)((mask & (PliInt4)x) | (~mask & (PliInt4)y));
#endif
}

static inline PliFloat4 pli_max4(PliFloat4 x, PliFloat4 y)
{
#if defined(__SSE2__)
    return __builtin_ia32_maxps(x, y);
#elif defined(__wasm_simd128__)
    return __builtin_wasm_pmax_f32x4(y, x);
#else
    PliInt4 mask = x > y;
    return (PliFloat4)((mask & (PliInt4)x) | (~mask & (PliInt4)y));
#endif
}

/* The lanes of a mask, as bits. */
static inline uint32_t pli_lanes4(PliInt4 mask)
{
#if defined(__SSE2__)
    return (uint32_t)__builtin_ia32_movmskps((PliFloat4)mask);
#elif defined(__wasm_simd128__)
    return (uint32_t)__builtin_wasm_bitmask_i32x4(mask);
#else
    return (uint32_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

/* Is a mask set in its first three lanes? */
static inline bool pli_has_three(PliInt4 mask)
{
    return (pli_lanes4(mask) & 7) == 7;
}

/* Which of `count` boxes, by coordinate, with `count` floats in each row, share a point with a box?
 * A multiple of four. One with a NaN shares none. */
static inline uint32_t pli_boxes_overlapping(const PliBox *box, const float *lows,
                                             const float *highs, int count)
{
    uint32_t bits = 0;
    for (int i = 0; i < count; i += 4) {
        PliInt4 overlap = (PliInt4){0} == 0;
        for (int k = 0; k < 3; k++) {
            PliFloat4 low, high;
            memcpy(&low, lows + count * k + i, sizeof low);
            memcpy(&high, highs + count * k + i, sizeof high);
            overlap &= (low <= box->high[k]) & (high >= box->low[k]);
        }
        bits |= pli_lanes4(overlap) << i;
    }
    return bits;
}

/* Do they share a point? A box with a NaN shares none. */
static inline bool pli_box_overlaps(const PliBox *a, const PliBox *b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k]))
            return false;
    return true;
}

/* At least half of a number that is not negative: halves are exact but for the least numbers. */
static inline float pli_half_up(float x)
{
    const float half = 0.5f * x;
    return half + half < x ? half + 0x1p-149f : half;
}

/* Widens intervals by d >= 0. Two that are no farther from each other than 2 d overlap then, and so
 * do two no farther than d of which one is widened.
 *
 * Of intervals of floats that would need no more than x - d and x + d, since rounding keeps the
 * order of numbers. But the ends of a box of pieces (shape/pieces.c) are rounded to the nearest,
 * and may be inward by 2^-24 of themselves, or by 2^-150. So an end is moved out by 2^-22 of itself
 * and 2^-149 before d, for its own rounding, and once more after it, for that of the end that it is
 * compared with, which is as large. NaN stays, and infinity stays or becomes NaN. */
static inline float pli_moved_down(float x)
{
    return x - (fabsf(x) * 0x1p-22f + 0x1p-149f);
}

static inline float pli_moved_up(float x)
{
    return x + (fabsf(x) * 0x1p-22f + 0x1p-149f);
}

static inline void pli_widen(float *low, float *high, int count, float d)
{
    for (int i = 0; i < count; i++) {
        low[i] = pli_moved_down(pli_moved_down(low[i]) - d);
        high[i] = pli_moved_up(pli_moved_up(high[i]) + d);
    }
}

static inline PliBox pli_box_widened(const PliBox *box, float d)
{
    PliBox wide = *box;
    for (int k = 0; k < 3; k++) {
        wide.low[k] = pli_moved_down(pli_moved_down(box->low[k]) - d);
        wide.high[k] = pli_moved_up(pli_moved_up(box->high[k]) + d);
    }
    return wide;
}

/* Transposes four points to three rows, each with one coordinate of all four. */
static inline void pli_store_columns(const PliFloat4 points[4], float *x, float *y, float *z)
{
    PliFloat4 xy01 = __builtin_shufflevector(points[0], points[1], 0, 4, 1, 5);
    PliFloat4 xy23 = __builtin_shufflevector(points[2], points[3], 0, 4, 1, 5);
    PliFloat4 zw01 = __builtin_shufflevector(points[0], points[1], 2, 6, 3, 7);
    PliFloat4 zw23 = __builtin_shufflevector(points[2], points[3], 2, 6, 3, 7);
    PliFloat4 xs = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
    PliFloat4 ys = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
    PliFloat4 zs = __builtin_shufflevector(zw01, zw23, 0, 1, 4, 5);
    memcpy(x, &xs, sizeof xs);
    memcpy(y, &ys, sizeof ys);
    memcpy(z, &zs, sizeof zs);
}

/* Contains nothing, and overlaps nothing that is finite. */
static inline PliBox pli_box_empty(void)
{
    return (PliBox){{INFINITY, INFINITY, INFINITY, INFINITY},
                    {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
}

static inline void pli_box_add_point(PliBox *box, PliFloat4 point)
{
    box->low = pli_min4(point, box->low);
    box->high = pli_max4(point, box->high);
}

static inline void pli_box_add(PliBox *box, const PliBox *other)
{
    box->low = pli_min4(other->low, box->low);
    box->high = pli_max4(other->high, box->high);
}

#endif
