/* The common part of two closed triangles: which points, exactly, and where they are, in numbers.
 *
 * The common part of two convex sets is convex: nothing, a point, a segment, or, if the triangles
 * are in one plane, a polygon of three to six points. An extreme point of it is inside of one face
 * of each triangle (a corner, an edge or the whole), and these two faces have no other point in
 * common. So the two faces are a name of the point. Names are found by exact signs, without a
 * tolerance; positions and weights are rounded (crossing.h). */
#ifndef PLI_COMMON_H
#define PLI_COMMON_H

#include "geom/numbers.h"

enum { PLI_COMMON_POINTS = 6 };

typedef struct PliCommonPoint {
    uint8_t a_corners, b_corners; /* a bit for each corner of the face that it is inside of */
    double a_weights[3], b_weights[3], position[3]; /* accurate as in crossing.h */
} PliCommonPoint;

/* Extreme points.
 *
 * Of two points, the first one is where a line along n_a x n_b enters the common part; n_a is the
 * normal from which the corners of a turn to the left. So, seen on a, what is below b is to the
 * left; and with a and b swapped, the order is reversed. If the triangles are in one plane, or one
 * of them has no area, two points are ordered by a_corners, then b_corners.
 *
 * Three or more are in order around, as the corners of a turn. */
typedef struct PliCommon {
    int count;
    PliCommonPoint points[PLI_COMMON_POINTS];
} PliCommon;

/* A triangle without area is the segment between its first corner and its last in lexicographic
 * order, of equal ones the former, or a point. Triangles that are not finite have nothing in common
 * with any. Otherwise there is a point if and only if pli_triangles_intersect().
 *
 * The position of a point with some name has the same bits in every pair in which the corners of
 * these faces are the same points, in any order; and so have the weights of these corners. */
void pli_triangles_common(const float a[9], const float b[9], PliCommon *common, PliCounts *counts);

#endif
