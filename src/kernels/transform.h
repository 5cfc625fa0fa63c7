/* The affine transform of points that kernels apply, and the order of its operations.
 *
 * The order is part of the contract: vertices and bounds are computed by the same expression, and
 * rounding is monotone, so that no bound needs a margin (weighted_sum.h). */
#ifndef PLI_TRANSFORM_H
#define PLI_TRANSFORM_H

#include "geom/box.h"

/* Coordinate k of a point (x, y, z) goes to
 * ((columns[0][k] * x + columns[1][k] * y) + columns[2][k] * z) + columns[3][k]. */
typedef struct PliTransform {
    PliFloat4 columns[4];
} PliTransform;

#endif
