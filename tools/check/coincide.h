/* Do surfaces lie in each other? For this folder alone. */
#ifndef TOOLS_COINCIDE_H
#define TOOLS_COINCIDE_H

#include <stdbool.h>

/* Two triangles, nine floats each, are in one plane, have an area in common and face the same way.
 * One plane: exactly. An area: more than a millionth of the smaller one. */
bool triangles_coincide(const float *a, const float *b);

/* Does an edge of one go through the inside of the other? Exact. */
bool triangle_goes_through(const float *a, const float *b);

#endif
