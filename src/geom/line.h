/* Where a line crosses a triangle, exactly. */
#ifndef PLI_LINE_H
#define PLI_LINE_H

#include "geom/numbers.h"

/* 1 if the line through the point, upward along z, goes out through the triangle, as one goes out
 * of what its corners go around counter-clockwise seen from outside; -1 if it comes in; else 0. And
 * does it so above the point? Finite numbers only; the point is not on the triangle. */
int pli_line_crosses(const float *triangle, const float *point, bool *is_above, PliCounts *counts);

#endif
