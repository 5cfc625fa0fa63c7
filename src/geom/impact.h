/* Impacts: when a vertex and a triangle, or two edges, touch first on their way.
 *
 * Four points move along straight lines from `start` at time 0 to `end` at time 1, at constant
 * speed. The features are closed, and anything may be degenerate. Both kinds are one question: with
 *
 *     of a vertex p and a triangle a, b, c:    e = b - a, f = c - a, g = p - a
 *     of two edges a, b and c, d:              e = b - a, f = c - d, g = c - a
 *
 * the features touch if g = s e + r f for s and r in [0, 1], and of a triangle s + r <= 1: if g is
 * in the polygon 0, e, f or 0, e, e + f, f. For that, det(e, f, g), a cubic in time, has to be
 * zero.
 *
 * First in double, with bounds of the errors (impact.c), then by integers (impact_exact.c).
 */
#ifndef PLI_IMPACT_H
#define PLI_IMPACT_H

#include "geom/cubic.h"

/* How pairs were decided; see PliantSweepCounts. */
typedef struct PliImpactCounts {
    int64_t pairs, touching, filtered, exact;
} PliImpactCounts;

typedef enum PliImpactKind { PLI_VERTEX_TRIANGLE, PLI_EDGE_EDGE } PliImpactKind;

/* Returns the time: the greatest float that is not after the first touch, or infinity if there is
 * none from 0 to 1. Points are three floats each, all finite: a vertex and the corners of a
 * triangle, or the ends of two edges. Adds 1 to the count if integers had to decide. */
float pli_impact(PliImpactKind kind, const float *const start[4], const float *const end[4],
                 int64_t *exact_count);

/* What is no time: integers have to decide, or smaller pieces may. */
#define PLI_IMPACT_OPEN (-1.0f)
#define PLI_IMPACT_UNCLEAR (-2.0f)

/* Bounds of errors: see impact.c. */
#define PLI_IMPACT_CROSS_ERROR (48 * 0x1p-53)
#define PLI_IMPACT_CUBIC_ERROR (192 * 0x1p-53)

/* The same in double, of up to three pieces of the step. */
float pli_impact_in_double(PliImpactKind kind, const float *const start[4],
                           const float *const end[4]);

/* The same by integers alone. */
float pli_impact_exact(PliImpactKind kind, const float *const start[4], const float *const end[4]);

#endif
