/* The boxes of vertices and edges of a leaf. */
#ifndef PLI_FEATURE_BOXES_H
#define PLI_FEATURE_BOXES_H

#include "kernels/fetch.h"

/* The points of a feature, as they lie in a PliLeafFeature: two of every five numbers. */
enum { PLI_FEATURE_STRIDE = 5 };

/* Sets the boxes of features: feature i has points[5 i] and points[5 i + 1], of a table of three
 * floats each. All of them are finite, and those that fill up the last group of sixteen are points
 * of the table too. Their boxes are NaN, and not in the box of all. */
typedef void PliBoxFeatures(const float *table, const uint32_t *points, int32_t count,
                            PliLeafBoxes *groups);

#endif
