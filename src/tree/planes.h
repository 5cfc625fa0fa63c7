/* Planes that parts of a tree lie in, such as the pieces of a wall.
 *
 * A box around part of a wall that is not along the axes is mostly air. Where all that a part has
 * is in a slab between two planes, what lies wholly on one side of that slab cannot meet it. This
 * is the test of a sphere against a plane of Mujika and others, put the other way round: there it
 * stands for the test of triangles, and so must be asked near the triangle; here it leaves out what
 * cannot meet, and the answer stays exact.
 */
#ifndef PLI_PLANES_H
#define PLI_PLANES_H

#include "geom/box.h"

/* All points p with low <= normal . p <= high, in real numbers. At rest it is saved in shapes. */
typedef struct PliPlane {
    float normal[3];
    float low, high;
    float length; /* of the normal, or a little more */
} PliPlane;

/* Of eight boxes, those that are not wholly on one side: a bit each. Where numbers are too large to
 * say, it is set. No number of the normal is above 1. */
uint32_t pli_plane_overlaps_boxes(const PliPlane *plane, const PliBoxes *boxes);

/* The same of eight balls: three groups of centres and one of radii. */
uint32_t pli_plane_overlaps_balls(const PliPlane *plane, const float *balls);

#endif
