/* Which boxes a ray goes through.
 *
 * The test is in double, where nothing overflows or underflows: with o the origin and d the
 * direction of the ray, both float32, a difference l - o is zero or between 2^-149 and 2^129 in
 * magnitude, and 1 / d between 2^-128 and 2^149. Each of l - o, 1 / d and their product is rounded
 * once, so that the parameter a = (l - o) / d where the ray comes to an end of a box is computed as
 * a (1 + e) with |e| <= 3 * 2^-53 + 2^-104, and has the right sign. Let `near` be the greatest of 0
 * and all a where the ray enters, and `far` the least of `end` and all a where it leaves. If the
 * ray goes through the box, then near <= far exactly, and as computed
 *
 *     near <= far (1 + e)^2,   for which   near <= far * (1 + 2^-49)   leaves room,
 *
 * with the rounding of the product. near * (1 - 2^-49) is then at most the parameter of any point
 * of the ray in the box. A ray that is parallel to the sides of a box is between them or not,
 * exactly.
 */
#ifndef PLI_KERNEL_RAY_H
#define PLI_KERNEL_RAY_H

#include "kernels/fetch.h"

#define PLI_RAY_SLACK 0x1p-49

typedef struct PliRayLine {
    double origin[3];
    double inverse[3];   /* 1 / direction; not used if that is 0 */
    bool is_across[3];   /* the direction is 0 along this axis */
    bool is_downward[3]; /* it is below 0: the ray enters a box at its high end */
} PliRayLine;

/* Which of `count` boxes, 8 or 16, does the ray go through between the parameters 0 and `end`? At
 * least those that it does go through. `boxes` has rows of low x, low y, low z, high x, high y,
 * high z, `count` floats each. Sets nears[i] to at most the least parameter of a point of the ray
 * in box i, if it is one of these. The ray goes through no box with a NaN, nor if low is above
 * high. */
typedef uint32_t PliRayBoxes(const PliRayLine *line, double end, const float *boxes, int32_t count,
                             double *nears);

#endif
