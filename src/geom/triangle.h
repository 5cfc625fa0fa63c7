/* Triangles as closed sets, exactly: triangle.c for any two, shared.c for two of one mesh. */
#ifndef PLI_TRIANGLE_H
#define PLI_TRIANGLE_H

#include "geom/numbers.h"

/* Do the closed triangles share a point? Any input; not finite means no, and is counted. */
bool pli_triangles_meet(const float a[9], const float b[9], PliCounts *counts);

/* Do they share more than the convex hull of the vertices that they have in common, by index? */
bool pli_triangles_meet_beyond_shared(const float a[9], const uint32_t a_vertices[3],
                                      const float b[9], const uint32_t b_vertices[3],
                                      PliCounts *counts);

/* The axis to drop so that the triangle keeps some area in the projection along it, or -1 if there
 * is none, which is to say that the triangle has no area. Finite corners only. */
int pli_triangle_axis(const float t[9], PliCounts *counts);

#endif
