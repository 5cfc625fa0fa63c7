/* Triangles as closed sets, exactly: triangle.c for any two, shared.c for two of one mesh. */
#ifndef PLI_TRIANGLE_H
#define PLI_TRIANGLE_H

#include "geom/numbers.h"

/* Do the closed triangles share a point? Any input is allowed. Triangles that are not finite share
 * none, and are counted. */
bool pli_triangles_intersect(const float a[9], const float b[9], PliCounts *counts);

/* Do they intersect beyond the convex hull of their shared vertices, which have equal indices? */
bool pli_triangles_intersect_beyond_shared(const float a[9], const uint32_t a_vertices[3],
                                           const float b[9], const uint32_t b_vertices[3],
                                           PliCounts *counts);

/* An axis along which the projection of the triangle has an area, or -1 if the triangle has no area
 * itself. Finite corners only. */
int pli_triangle_axis(const float t[9], PliCounts *counts);

#endif
