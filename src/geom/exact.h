/* Signs of determinants by integers.
 *
 * Exact for all finite coordinates, and meaningless for others. Slow: orient.h tries a filter in
 * double first. */
#ifndef PLI_EXACT_H
#define PLI_EXACT_H

#include "geom/numbers.h"

/* Sign of det[a-d; b-d; c-d]. */
int pli_exact_orient3d(const float *a, const float *b, const float *c, const float *d,
                       PliCounts *counts);

/* Sign of det[a-c; b-c] of the points' coordinates u and v (0, 1, 2 for x, y, z). */
int pli_exact_orient2d(const float *a, const float *b, const float *c, int u, int v,
                       PliCounts *counts);

#endif
