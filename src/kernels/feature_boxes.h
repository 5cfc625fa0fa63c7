/* The boxes of vertices and edges of a leaf. */
#ifndef PLI_FEATURE_BOXES_H
#define PLI_FEATURE_BOXES_H

#include "kernels/fetch.h"

/* The points of a feature, as they lie in a PliLeafFeature: two of every twelve numbers. */
enum { PLI_FEATURE_STRIDE = 12 };

/* Sets the boxes of features: feature i has points[12 i] and points[12 i + 1], of a table of three
 * floats each. All of them are finite, and those that fill up the last group of sixteen are points
 * of the table too. Their boxes are NaN, and not in the box of all. */
typedef void PliBoxFeatures(const float *table, const uint32_t *points, int32_t count,
                            PliLeafBoxes *groups);

/* Widens the boxes of so many groups, and the boxes of all, as pli_widen(). */
typedef void PliWidenBoxes(PliLeafBoxes *groups, int32_t count, float d);

#endif
