/* Which boxes a triangle crosses: geom/cross_box.h, many boxes at a time. */
#ifndef PLI_CROSS_H
#define PLI_CROSS_H

#include "geom/cross_box.h"

/* Bit i is set unless box i is sure to be apart from the triangle. There are 8 or 16 boxes, as rows
 * of low x, low y, low z, high x, high y, high z. One with a NaN is apart from everything. */
typedef uint32_t PliCrossBoxes(const PliTriangleAxes *axes, const float *boxes, int32_t count);

#endif
