/* Numbers and points, and counters of what it took to decide. */
#ifndef PLI_NUMBERS_H
#define PLI_NUMBERS_H

#include "base/base.h"
#include <pliant/triangles.h>

#include <math.h>
#include <string.h>

/* Counters of what was needed to decide; the functions below add to it. Never NULL. */
typedef PliantTriangleCounts PliCounts;

static inline bool pli_is_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* -0 is 0. */
static inline bool pli_is_same_point(const float *p, const float *q)
{
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* The greatest float that is not above x, which is from 0 to 1. */
static inline float pli_time_below(double x)
{
    const float nearest = (float)x;
    uint32_t bits;
    memcpy(&bits, &nearest, sizeof bits);
    bits -= (double)nearest > x;
    float below;
    memcpy(&below, &bits, sizeof below);
    return below;
}

#endif
