/* Where a line crosses a triangle, exactly. */
#ifndef PLI_LINE_H
#define PLI_LINE_H

#include "geom/numbers.h"

/* The line through the point goes upward along z. Returns 1 if it leaves a body through the
 * triangle, whose corners are counter-clockwise seen from outside; -1 if it enters; 0 if it does
 * not cross. Sets is_above to whether it crosses above the point. Finite numbers only; the point is
 * not on the triangle. */
int pli_line_crosses(const float *triangle, const float *point, bool *is_above, PliCounts *counts);

#endif
