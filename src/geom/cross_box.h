/* Does a triangle cross a box? Conservatively: if it is not sure that they are apart, it does.
 *
 * Two convex sets are apart if there is an axis, any vector n, along which the one ends before the
 * other begins. Tried are axes at a right angle to an edge of the triangle and an edge of the box,
 * and the normal of the triangle: 10 in all. Axes of the box are left to others, which compare
 * boxes. A long thin triangle, of whatever area, has a box that is crossed by little of what is in
 * it; that is what this is for.
 *
 * Rounding. Coordinates are floats, and all is computed in double; u = 2^-53. Coordinates are
 * relative to the first corner c: a difference of floats is off by u of itself. The components of n
 * are differences or sums of products of such; whatever they are, they are an axis, so that their
 * own rounding does not count. A product n_k (p_k - c_k) is then off by 2 u of itself, and the sum
 * of three by 4 u of the sum of their sizes, S. S is at most the same sum for the farthest corner
 * of the box, or of the triangle. So ends of intervals are off by less than 2^-50 S each, S rounded
 * or not. Nothing overflows or underflows: differences are 0 or from 2^-149 to 2^129.
 */
#ifndef PLI_CROSS_BOX_H
#define PLI_CROSS_BOX_H

#include "geom/box.h"

enum { PLI_CROSS_AXES = 10 };

/* Twice the bound of the error of an end of an interval, as a part of S. */
#define PLI_CROSS_ERROR 0x1p-49

/* A triangle that is compared with many boxes: what depends on it alone. */
typedef struct PliTriangleAxes {
    double corner[3];               /* the first one */
    double axes[PLI_CROSS_AXES][3]; /* the first tell most apart: those of the longest edge */
    double low[PLI_CROSS_AXES], high[PLI_CROSS_AXES]; /* the triangle along each axis, with its
                                                         error outward */
    float box_low[3], box_high[3];
} PliTriangleAxes;

/* Nine floats, all finite. */
void pli_triangle_axes_init(PliTriangleAxes *axes, const float triangle[9]);

/* False only if the triangle and the box are apart. The ends of the box may be infinite. */
bool pli_crosses_box(const PliTriangleAxes *axes, const float low[3], const float high[3]);

#endif
