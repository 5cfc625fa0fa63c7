/* When two features on straight paths touch first, in whole numbers of any length.
 *
 * Four points go from start (time 0) to end (time 1): a vertex and the corners of a triangle, or
 * the ends of two edges. Coordinates are linear in time, so that all that decides whether the
 * features touch at a time are signs of polynomials at that time. The features can touch only where
 * the volume of the four points is zero. If it is zero throughout, what decides changes only at
 * roots of the polynomials that are asked for. So all roots are isolated by Sturm sequences, and
 * what happens at each of them is decided by signs at that root, which is exact: a common factor
 * says that a sign is zero, and otherwise the interval around the root shrinks until it is not.
 *
 * Inside or not is decided by dot products of cross products in space, without projections. */
#ifndef ORACLE_SWEEP_H
#define ORACLE_SWEEP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether the features have a point in common at any time from 0 to 1, and sets `time` to
 * the greatest float that is not after the first such time, or to infinity. False if a coordinate
 * is not finite. */
bool oracle_sweep(bool are_edges, const float start[12], const float end[12], float *time);

/* The same for points in double. */
bool oracle_sweep64(bool are_edges, const double start[12], const double end[12], float *time);

/* Frees what the functions above keep between calls. */
void oracle_sweep_release(void);

#ifdef HAS_CGAL
/* The same by CGAL's algebraic kernel, with projections along an axis. */
bool oracle_cgal_sweep(bool are_edges, const float start[12], const float end[12], float *time);
#endif

#ifdef __cplusplus
}
#endif

#endif
