/* The squared distance of two convex hulls of a few points, in rational numbers.
 *
 * Every pair of faces, one of each hull, is tried: the closest points of the flats that they span
 * are found by solving linear equations, and count if they are in the faces. The least of the
 * squared distances of all points that count is the answer, since the closest points of the hulls
 * are the closest points of the flats of the faces that they are inside of. Nothing is shared with
 * the library, neither code nor method. */
#ifndef ORACLE_DISTANCE_H
#define ORACLE_DISTANCE_H

#include <gmp.h>

/* Sets `square` to the squared distance of the hulls of a_count and b_count points, at most three
 * each, all finite. `support` gets a bit for each point that the closest points need: those of a
 * from bit 0 on, and those of b behind them; the fewest points if there are several ways. */
void oracle_squared_distance(const float *a, int a_count, const float *b, int b_count, mpq_t square,
                             unsigned *support);

/* The same for points in double. */
void oracle_squared_distance64(const double *a, int a_count, const double *b, int b_count,
                               mpq_t square, unsigned *support);

/* The sign of square - distance^2. */
int oracle_compare_distance(const mpq_t square, float distance);

#ifdef HAS_CGAL
#ifdef __cplusplus
extern "C" {
#endif

/* The same signs by CGAL, with its exact kernel; ORACLE_NONE for degenerate features, which it does
 * not know. */
enum { ORACLE_NONE = 2 };
int oracle_cgal_vertex_triangle(const float *vertex, const float *triangle, float distance);
int oracle_cgal_edge_edge(const float *a, const float *b, float distance);
#ifdef __cplusplus
}
#endif
#endif

#endif
