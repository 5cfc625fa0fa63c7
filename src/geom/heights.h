/* Corners of two triangles along a direction: what shows that all of their features are far. */
#ifndef PLI_HEIGHTS_H
#define PLI_HEIGHTS_H

#include "geom/geom.h"

#include <math.h>

/* Corners along the normal of the closest features so far. If all points of one feature are ahead
 * of all of the other by more than the limit, they are farther from each other than the reach.
 *
 * With u = 2^-53 and C the greatest magnitude of a coordinate: the components of the normal are
 * floats of at most 1, so products are exact; a sum of three is within 2 u 3 C; the difference of
 * two sums is at most 6 C, and rounded: 18 u C in all, and 24 u C with what the limit rounds. The
 * length of the normal and its product with the reach are within 8 u. A distance is computed within
 * 64 u S (geom/closest.h), and S <= 2 C: with 256 u C it is computed as more than the reach too.
 * Before there is a normal the limit is not below 0, or NaN, and no height is above it. */
typedef struct PliHeights {
    double a[3], b[3];
    double size; /* C */
} PliHeights;

static inline double pli_height_of(const double normal[3], const float *point)
{
    return (normal[0] * point[0] + normal[1] * point[1]) + normal[2] * point[2];
}

/* Without the library's call for a NaN: there is none. */
static inline double pli_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double pli_smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double pli_largest(const float *triangle)
{
    double most = 0;
    for (int i = 0; i < 9; i++)
        most = pli_larger(most, fabs((double)triangle[i]));
    return most;
}

static inline double pli_height_limit(double reach, double normal_length, double size)
{
    return reach * normal_length * (1 + 0x1p-50) + 256 * 0x1p-53 * size;
}

static inline PliHeights pli_heights(const double normal[3], const float *a, const float *b)
{
    PliHeights heights;
    for (int k = 0; k < 3; k++) {
        heights.a[k] = pli_height_of(normal, a + 3 * k);
        heights.b[k] = pli_height_of(normal, b + 3 * k);
    }
    heights.size = pli_larger(pli_largest(a), pli_largest(b));
    return heights;
}

static inline double pli_lowest(const double heights[3])
{
    return pli_smaller(pli_smaller(heights[0], heights[1]), heights[2]);
}

static inline double pli_highest(const double heights[3])
{
    return pli_larger(pli_larger(heights[0], heights[1]), heights[2]);
}

#endif
