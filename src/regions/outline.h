/* The outline of a face: its corners, its area, and triangles within it. */
#ifndef PLI_REGION_OUTLINE_H
#define PLI_REGION_OUTLINE_H

#include "regions/regions.h"

/* The corners of a face: the cycles around it, with the face to their left, in scratch->outline. */
PliantResult pli_face_outline(const PliRegions *regions, PliRegionScratch *scratch, int32_t face);

/* Divides what scratch->outline goes around into triangles, of three of its corners each, in
 * scratch->ears. Counter-clockwise in the coordinates u and v. *is_done is false if that cannot be
 * done, or would take long. */
PliantResult pli_triangulate_outline(const PliRegions *regions, PliRegionScratch *scratch, int u,
                                     int v, bool *is_done);

/* Twice the area of a triangle along two axes: positive if it is counter-clockwise. */
static inline double pli_doubled_area(const double *a, const double *b, const double *c, int u,
                                      int v)
{
    return (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
}

/* The axes along which a piece is the largest. */
void pli_normal_axes(const double normal[3], int *u, int *v);

/* The area of a part of a plane, its normal of length one, and its centroid. */
typedef struct PliMoments {
    double area, normal[3], centroid[3];
} PliMoments;

PliMoments pli_triangle_moments(const float *triangle);

/* A point just above a triangle at a point of it, or just below: so close that little can be
 * between them. False: there is none, as of a triangle without area. */
bool pli_find_beside(const float *corners, bool is_below, const double at[3], float point[3]);

/* The area alone. */
double pli_triangle_area(const float *a, const float *b, const float *c);

/* Of what scratch->outline goes around. */
PliMoments pli_outline_moments(const PliRegionScratch *scratch, const PliCut *cut);

#endif
