/* Rays and triangles, exactly.
 *
 * A ray is the points origin + t * direction, 0 <= t <= max, in real numbers. It hits a triangle if
 * the two have a point in common. The parameter of a hit is the least t of a common point: a ratio
 * of two determinants of the input. Bounds of that ratio order most hits; where bounds overlap,
 * ratios are compared in integers, so that a tie is a tie.
 */
#ifndef PLI_RAY_H
#define PLI_RAY_H

#include "geom/numbers.h"

/* Finite numbers, but for max, which may be infinity. The direction is not zero; max is not
 * negative. */
typedef struct PliRay {
    float origin[3], direction[3], max;
} PliRay;

/* The parameter of a hit is between these, ends included. */
typedef struct PliRaySpan {
    double low, high;
} PliRaySpan;

/* Does the ray hit the triangle? Sets `span` if it does. Triangles with a NaN or an infinity are
 * not hit; those without area are segments or points. */
bool pli_ray_hits(const PliRay *ray, const float triangle[9], PliRaySpan *span, PliCounts *counts);

/* The same in two steps: what double can tell, and what it leaves open. kernels/ray.h has the first
 * step for many rays. */
typedef enum PliRayVerdict { PLI_RAY_MISSES, PLI_RAY_HITS, PLI_RAY_OPEN } PliRayVerdict;
PliRayVerdict pli_ray_filter(const PliRay *ray, const float triangle[9], PliRaySpan *span);
bool pli_ray_hits_exactly(const PliRay *ray, const float triangle[9], PliRaySpan *span,
                          PliCounts *counts);

/* The sign of the difference of the parameters of two triangles, both of which the ray hits. */
int pli_ray_compare(const PliRay *ray, const float a[9], const PliRaySpan *a_span, const float b[9],
                    const PliRaySpan *b_span);

/* Which side of a triangle that the ray hits it comes from: PliRayPoint.side. */
int pli_ray_side(const PliRay *ray, const float triangle[9]);

/* What there is to say of a hit. */
typedef struct PliRayPoint {
    float t;          /* rounded to the nearest float, ties to even */
    float weights[3]; /* of the corners: each is off by less than 2^-23 */
    int32_t side;     /* 1 if the ray comes from where the corners turn to the left, -1 from where
                         they turn to the right, 0 if it is in the plane or there is no plane */
} PliRayPoint;

/* Describes the hit of a triangle that the ray hits. */
void pli_ray_describe(const PliRay *ray, const float triangle[9], PliRayPoint *point);

#endif
