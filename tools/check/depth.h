/* How deep two triangles are in each other: for this folder alone.
 *
 * The depth of a pair is the least way along which one of the two would have to go, along the
 * normal of either, until it is on one side of the other's plane. It is 0 if and only if one of
 * them is on one closed side of the other's plane already: they only touch. That much is decided
 * exactly; the length is what double precision makes of it.
 */
#ifndef TOOLS_DEPTH_H
#define TOOLS_DEPTH_H

#include <stdbool.h>

/* A triangle as it is now. Its plane is found when it is first needed, which for most is never. */
typedef struct DepthTriangle {
    float corners[9];
    bool has_plane;   /* the two below are there */
    double length;    /* of the longest edge, squared */
    double normal[3]; /* of length 1 */
    double spread;    /* how much errors grow in the normal, at least 1; 0: there is no plane */
} DepthTriangle;

/* Nine floats, which are finite. */
void depth_triangle(const float *corners, DepthTriangle *triangle);

/* The depth of two triangles that share a point; or any number up to `least`, if it is not more.
 * A triangle without area has no plane, and the other's counts; if neither has one it is 0. */
double depth_of_pair(DepthTriangle *a, DepthTriangle *b, double least);

#endif
