/* Angles between rotations, by sums, products and roots alone: a C library's sine and arc cosine
 * differ in their last bit from another's, and so did what was reported of a moving model. */
#ifndef TOOLS_SCENE_ARC_H
#define TOOLS_SCENE_ARC_H

#include <math.h>

/* The sine of an angle from 0 to a quarter turn, by its series up to x^21: what is left out is
 * below 10^-17 of it. */
static inline double arc_sine(double x)
{
    static const double parts[] = {1.0 / 420, 1.0 / 342, 1.0 / 272, 1.0 / 210, 1.0 / 156,
                                   1.0 / 110, 1.0 / 72,  1.0 / 42,  1.0 / 20,  1.0 / 6};
    double sum = 1;
    for (int i = 0; i < 10; i++)
        sum = 1 - x * x * parts[i] * sum;
    return x * sum;
}

/* The angle of a cosine from 0 to 1. Half of it has the sine s, at most 0.71: its series gives it
 * up to 0.007, and each step of Newton, with the slope that the answer has, squares what is left.
 */
static inline double arc_angle(double cosine)
{
    const double s = sqrt((1 - cosine) / 2), slope = sqrt((1 + cosine) / 2);
    double half = s + s * s * s * (1.0 / 6 + s * s * 0.075);
    for (int i = 0; i < 3; i++)
        half -= (arc_sine(half) - s) / slope;
    return 2 * half;
}

#endif
