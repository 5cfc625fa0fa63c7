/* Radii: how thick the features of a body are.
 *
 * A radius belongs to a vertex. That of an edge or a triangle is the greatest of its vertices: then
 * a pair of features has one reach, which is a float, and within it is exact. A search goes as far
 * as the greatest radii of both bodies ask for; a decider asks for the reach of each pair.
 */
#ifndef PLI_RADII_H
#define PLI_RADII_H

#include "geom/box.h"
#include <pliant/near.h>

#include <float.h>

/* The radii of a body. */
typedef struct PliRadii {
    float base;      /* of vertices without one of their own */
    float greatest;  /* of all */
    int32_t count;   /* vertices with one of their own: the first so many */
    float *vertices; /* those; vertices of one group have the same. NULL if there are none */
} PliRadii;

static inline float pli_radius_at(const PliRadii *radii, uint32_t vertex)
{
    return vertex < (uint32_t)radii->count ? radii->vertices[vertex] : radii->base;
}

/* The least float that is not less than the sum of two numbers that are not negative; the greatest
 * float if there is none. What a sum is rounded by is a float (Dekker 1971). */
static inline float pli_sum_up(float a, float b)
{
    const float greater = a > b ? a : b, lesser = a > b ? b : a, sum = greater + lesser;
    if (!(sum < FLT_MAX))
        return FLT_MAX;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    bits += lesser > sum - greater;
    float up;
    memcpy(&up, &bits, sizeof up);
    return up;
}

/* D: features of these radii are near if they are no farther than this. */
static inline float pli_thick_distance(float distance, float a, float b)
{
    return a > 0 || b > 0 ? pli_sum_up(distance, pli_sum_up(a, b)) : distance;
}

/* How far a search goes. Nothing depends on how the sum is rounded. */
static inline float pli_reach_with(float distance, float margin)
{
    const float reach = distance + margin;
    return reach < FLT_MAX ? reach : FLT_MAX;
}

/* How much wider the boxes of a body are if `half` is that of one without a radius. For two bodies
 * this is at least D with the rounding errors of both bodies, which count as radii here, and the
 * margin: each of the six sums in that, which are rounded up or to the nearest, makes it greater by
 * a factor of 1 + 2^-23 at most, and the two sums here are less by one of 1 - 2^-24. Sums below
 * 2^-125 are exact. */
static inline float pli_thick_half(float half, float radius)
{
    const float wide = half + radius;
    return radius > 0 ? wide + wide * 0x1p-20f : half;
}

/* The greatest radius of some vertices. */
static inline float pli_greatest_radius(const PliRadii *radii, const uint32_t *vertices, int count)
{
    float greatest = 0;
    for (int i = 0; i < count; i++) {
        const float radius = pli_radius_at(radii, vertices[i]);
        greatest = radius > greatest ? radius : greatest;
    }
    return greatest;
}

/* D of a pair of features, of four vertices that begin with a vertex or an edge. */
static inline float pli_pair_distance(const PliRadii *a, const PliRadii *b, PliantFeatures kind,
                                      const uint32_t vertices[4], float distance)
{
    const bool is_swapped = kind == PLIANT_TRIANGLE_VERTEX;
    const int count = kind == PLIANT_EDGE_EDGE ? 2 : 1;
    return pli_thick_distance(distance, pli_greatest_radius(is_swapped ? b : a, vertices, count),
                              pli_greatest_radius(is_swapped ? a : b, vertices + count, 4 - count));
}

#endif
