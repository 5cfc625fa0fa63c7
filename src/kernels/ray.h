/* Which boxes a ray goes through, and which triangles it hits.
 *
 * Boxes are tested in float32. With o the origin and d the direction of the ray, and m the greatest
 * magnitude in d, it computes the parameter a = (l - o) m / d where the ray comes to an end l of a
 * box: the parameter of the ray times m. `inverse` is m / d, at least 1 in magnitude, and is off by
 * 1.01 u of it, u = 2^-24. The difference and the product are rounded once each, so that a is
 * computed as a (1 + e) with |e| < 3.02 u, and 2^-150 more if the product underflows; it has the
 * right sign. A difference or a product that overflows is infinite: as |m / d| >= 1, the exact a
 * has overflowed too. `end` is off by u at most, or 2^-150.
 *
 * Let `near` be the greatest of 0 and all a where the ray enters, and `far` the least of `end` and
 * all a where it leaves. If the ray goes through the box, then near <= far exactly, and as computed
 *
 *     low = near (1 - 8 u) - 2^-120 <= far (1 + 8 u).
 *
 * On either side 8 u are more than the 3.02 u and the rounding of the product, and 2^-120 is more
 * than what underflows. `low` is also at most the parameter of any point of the ray in the box.
 *
 * Along an axis with d = 0, `inverse` is infinite: an end beside the ray is infinitely far, before
 * it or behind it, and for an end on the ray the product is NaN, which limits nothing. If m / d
 * overflows, `inverse` is NaN, and the axis limits nothing.
 */
#ifndef PLI_KERNEL_RAY_H
#define PLI_KERNEL_RAY_H

#include "kernels/fetch.h"

#define PLI_RAY_SLACK 0x1p-21f
#define PLI_RAY_LEAST 0x1p-120f

typedef struct PliRayLine {
    float origin[3], inverse[3];
    float end;       /* a hit beyond is of no use */
    uint32_t octant; /* bit k: the direction is below 0 along axis k */
} PliRayLine;

/* A ray, and the least parameter at which it can hit something. */
typedef struct PliRayItem {
    int32_t ray;
    float near;
} PliRayItem;

/* Which of `box_count` boxes, 8 or 16, do rays go through between the parameters 0 and their ends?
 * At least those that they do go through, and none whose x is NaN, nor if low x is above high x.
 * `boxes` has rows of low x, low y, low z, high x, high y, high z, `box_count` floats each. Sets
 * bits[i] for ray items[i].ray, and nears[box_count * i + j] to at most the least parameter of a
 * point of that ray in box j, if it is one of these. All these rays have the same octant. */
typedef void PliRayBoxes(const PliRayLine *lines, const PliRayItem *items, int32_t item_count,
                         const float *boxes, int32_t box_count, uint32_t *bits, float *nears);

/* Sorts rays into lists by the same test, one list for each of eight boxes: adds to list c, which
 * has counts[c] items, those rays that go through box c, in their order. A list has room for
 * item_count + PLI_RAY_ROOM more. All these rays have the same octant, and there is one at least.
 */
enum { PLI_RAY_ROOM = 16 };
typedef void PliSpreadRays(const PliRayLine *lines, const PliRayItem *items, int64_t item_count,
                           const PliBoxes *boxes, PliRayItem *const *lists, int64_t *counts);

/* A ray, and a triangle whose box it goes through. */
typedef struct PliRayTest {
    uint32_t ray, row;
} PliRayTest;

/* What pli_ray_filter() says of rays and triangles: sets verdicts[i], and spans[i] if ray
 * tests[i].ray is certain to hit the triangle of row tests[i].row. Rows are nine floats. */
typedef void PliRayTriangles(const PliRay *rays, const float *rows, const PliRayTest *tests,
                             int32_t count, uint8_t *verdicts, PliRaySpan *spans);

#endif
