/* Signs that are never zero: determinants of points that are moved by infinitesimal amounts.
 *
 * Curves in which two surfaces intersect are followed from triangle to triangle. If an edge goes
 * through a vertex, or two triangles are in one plane, it is not clear where a curve goes on. So
 * vertices are moved, by amounts so small that no sign changes that is not zero.
 *
 * Two surfaces: one of them is moved as a whole, by (e, e^2, e^3), where e > 0 is less than any
 * number. The determinants are then linear in the movement, and where one is zero its sign is that
 * of the first component of a normal, or of the cross product of two edges, that is not zero. It is
 * zero still only for a triangle without area, or for two parallel edges.
 *
 * One surface that intersects itself: each vertex is moved, and differently, so that no four of
 * them are in a plane. This is the simulation of simplicity of Edelsbrunner and Muecke ("Simulation
 * of simplicity", 1990). Vertices are ranked by their coordinates, and those at one place by their
 * labels. Coordinate j of the vertex of rank i moves by e^(2^(3 i + j)). The determinant is then a
 * polynomial in e, and its sign is that of the lowest power whose coefficient is not zero. Each
 * coefficient is a minor of the determinant: an orient2d, a difference of coordinates, or 1. */
#ifndef PLI_PERTURBED_H
#define PLI_PERTURBED_H

#include "geom/numbers.h"

/* A vertex. No two have the same label. */
typedef struct PliLabeled {
    const float *position;
    uint64_t label;
} PliLabeled;

/* The sign of orient3d, 1 or -1, of four vertices with different labels and finite positions. */
int pli_perturbed_orient3d(const PliLabeled *a, const PliLabeled *b, const PliLabeled *c,
                           const PliLabeled *d, PliCounts *counts);

/* What is moved, of an edge or point and a triangle or another edge. */
typedef enum PliMoved {
    PLI_MOVED_FIRST = -1,
    PLI_MOVED_NOTHING,
    PLI_MOVED_SECOND = 1,
} PliMoved;

/* The side of the plane of a triangle, nine floats, that a point is on: 1 is below, where the
 * triangle is clockwise. The point is the first, the triangle the second. */
int pli_moved_side(const float *point, const float *triangle, PliMoved moved, PliCounts *counts);

/* The sign of orient3d of p, q, r and s: on which side the edge from p to q, the first, passes that
 * from r to s, the second. */
int pli_moved_orient3d(const float *p, const float *q, const float *r, const float *s,
                       PliMoved moved, PliCounts *counts);

/* The order of two points along the edge from p to q, the first: where it crosses the triangle s
 * and where it crosses t, the second, nine floats each: -1, 0 or 1. Exact. The ends of the edge are
 * on both sides of each triangle, or on it. 0 if the edge is in the plane of one of them, or the
 * two are in one plane; with nothing moved, if it crosses both at one point. */
int pli_compare_crossings(const float *p, const float *q, const float *s, const float *t,
                          PliMoved moved);

#endif
