/* Planes that parts of a tree lie in, such as the pieces of a wall.
 *
 * A box around a piece of a wall is mostly empty unless the wall is parallel to an axis. If a part
 * of a tree lies in a slab between two parallel planes, a bound that is wholly on one side of that
 * slab cannot overlap it. This reverses the sphere-plane test of Mujika and others: theirs replaces
 * the test of triangles and holds near the triangle only; this one rejects pairs that cannot
 * intersect, and the answer stays exact.
 */
#ifndef PLI_PLANES_H
#define PLI_PLANES_H

#include "geom/box.h"

/* All points p with low <= normal . p <= high, in real numbers. At rest it is saved in shapes. */
typedef struct PliPlane {
    float normal[3];
    float low, high;
    float length; /* of the normal, or a little more */
} PliPlane;

/* A float that is surely below, or above. */
static inline float pli_float_below(double x)
{
    return (float)(x - (fabs(x) * 0x1p-23 + 0x1p-149));
}

static inline float pli_float_above(double x)
{
    return -pli_float_below(-x);
}

/* All points within a distance of the slab. Two points that are d >= 0 apart differ by at most d
 * |n| along the normal n, and `length` is no less than |n|. Its product with d is exact in double;
 * the sum is off by 2^-53 of it, which is less than what pli_float_below() takes off. */
static inline PliPlane pli_plane_widened(const PliPlane *plane, float d)
{
    PliPlane wide = *plane;
    const double reach = (double)plane->length * d;
    wide.low = pli_float_below(plane->low - reach);
    wide.high = pli_float_above(plane->high + reach);
    return wide;
}

/* Which of eight bounds are wholly on one side or on the other, as bits. */
typedef struct PliPlaneSides {
    uint32_t above, below;
} PliPlaneSides;

/* Of boxes: no bit is set if the numbers are too large to decide. No coordinate of the normal
 * exceeds 1. */
PliPlaneSides pli_plane_sides_of_boxes(const PliPlane *plane, const PliBoxes *boxes);

/* The same for eight balls: three groups of centers and one of radii. */
PliPlaneSides pli_plane_sides_of_balls(const PliPlane *plane, const float *balls);

#endif
