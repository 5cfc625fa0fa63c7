/* Where an edge goes through a triangle, in numbers.
 *
 * Whether they intersect is decided elsewhere, by signs (triangle.h). Here the point is
 * constructed, which has to be rounded: never decide anything by it.
 *
 * Weights are ratios of determinants: they are computed in double, and by integers where the error
 * of that may be large. So they are accurate for all finite coordinates, however thin the triangle
 * or small the angle. */
#ifndef PLI_CROSSING_H
#define PLI_CROSSING_H

#include "geom/numbers.h"

/* Where an edge goes through a triangle. Weights are between 0 and 1, and off by less than 2^-28. A
 * coordinate of the position is off by less than 2^-28 of the edge's extent along that axis, and
 * 2^-52 of the larger magnitude of both ends. */
typedef struct PliCrossing {
    double edge_weight; /* the point is p + edge_weight * (q - p) */
    double weights[3];  /* of the triangle's corners; their sum is 1 but for rounding */
    double position[3];
} PliCrossing;

/* The point that the edge from p to q and the triangle, nine floats, have in common. All must be
 * finite and they must intersect. The edge may be a point, and the triangle without area. If the
 * edge is in the plane of the triangle: the common point that is first in lexicographic order of
 * coordinates. A triangle without area is the segment between its first corner and its last in that
 * order, of equal ones the former; other corners have no weight.
 *
 * The bits depend on where the points are, and not on their order: an edge or a triangle with its
 * corners in another order has the same position, and weights in that order; only edge_weight is
 * rounded once more from q. */
void pli_edge_triangle_crossing(const float *p, const float *q, const float *triangle,
                                PliCrossing *crossing);

#endif
