/* Closest points by integers: exact for all finite coordinates, and slow. closest.h tries double
 * first. */
#ifndef PLI_CLOSEST_EXACT_H
#define PLI_CLOSEST_EXACT_H

#include "geom/closest.h"

/* As pli_vertex_triangle_is_near() and pli_edge_edge_is_near(). */
bool pli_exact_vertex_triangle(const float *vertex, const float *triangle, float distance,
                               PliClosest *closest);
bool pli_exact_edge_edge(const float *a, const float *b, float distance, PliClosest *closest);

/* The cross product of the vectors from p to q and from s to t, of length one; zeros if it is 0. */
void pli_exact_normal(const float *p, const float *q, const float *s, const float *t,
                      float normal[3]);

#endif
