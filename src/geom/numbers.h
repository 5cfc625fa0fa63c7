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

/* Does p come before q in lexicographic order of coordinates? */
static inline bool pli_is_before(const float *p, const float *q)
{
    int k = 0;
    while (k < 2 && p[k] == q[k])
        k++;
    return p[k] < q[k];
}

/* The ends of a triangle without area, as a segment: its first corner and its last in lexicographic
 * order, of equal ones the former. */
static inline void pli_segment_ends(const float t[9], int ends[2])
{
    ends[0] = ends[1] = 0;
    for (int i = 1; i < 3; i++) {
        if (pli_is_before(t + 3 * i, t + 3 * ends[0]))
            ends[0] = i;
        if (pli_is_before(t + 3 * ends[1], t + 3 * i))
            ends[1] = i;
    }
}

/* Sorts the corners of a triangle whose bits are set, in lexicographic order, of equal ones the
 * former first. Returns how many they are. */
static inline int pli_sort_corners(const float t[9], unsigned bits, int corners[3])
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (!(bits >> i & 1))
            continue;
        int k = count++;
        for (; k > 0 && pli_is_before(t + 3 * i, t + 3 * corners[k - 1]); k--)
            corners[k] = corners[k - 1];
        corners[k] = i;
    }
    return count;
}

/* Of numbers that are not NaN, without a call. */
static inline double pli_lesser(double x, double y)
{
    return x < y ? x : y;
}

static inline double pli_greater(double x, double y)
{
    return x > y ? x : y;
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
