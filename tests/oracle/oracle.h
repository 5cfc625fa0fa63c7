/* The oracles: slow, exact answers that the library is tested against.
 *
 * An oracle answers the same question as the library, whether two closed triangles share a point,
 * by a road that shares no code and no method with it. A test compares the two and treats any
 * difference as a fault to be explained, in the library first but in the oracle too if need be.
 *
 * How far each is trusted:
 *
 *   oracle_gmp   Fully. It puts the question as a system of linear equations in nonnegative
 *               unknowns and solves that in whole numbers of unlimited length. Points, segments
 *               and triangles, in a common plane or not, all take the same few lines, and nothing
 *               in it is rounded. Where the oracles differ, this one is right until a proof shows
 *               otherwise.
 *
 *   oracle_cgal  As a second opinion. It passes the question to a widely used geometry library,
 *               whose method is a tree of sign tests like many others and so may repeat mistakes
 *               common to that family. Its worth is that strangers wrote it, and that a misreading
 *               of the question common to oracle_gmp and to our library would be seen here.
 *
 * A triangle is nine floats, three corners of x y z, and means the closed convex hull of the
 * corners. Every coordinate must be finite and counts as the real number it stands for: denormals
 * are not zero, -0 is. Corners may coincide or lie on one line; the hull is then a segment or a
 * point. Touching in a single point counts as sharing.
 *
 * All functions may be called from several threads at once.
 */
#ifndef ORACLE_H
#define ORACLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* 1 if the triangles share a point, 0 if they do not. */
int oracle_gmp_intersect(const float a[9], const float b[9]);

/* 1 if the triangles share a point outside the convex hull of some given corners of a, else 0.
 *
 * This is the question asked of neighbors in a mesh, where touching in the common corner or along
 * the common edge is no news. shared[0 .. shared_count-1] are corner numbers of a, each 0, 1 or 2,
 * whose positions are also corners of b. A number may be repeated. With none given the question is
 * oracle_gmp_intersect, and shared may then be null; with all three given the hull is a itself, so
 * the answer is 0. That the corners really are shared is not checked: the answer compares the
 * intersection with the hull of whatever corners of a are named.
 */
int oracle_gmp_intersect_beyond(const float a[9], const float b[9], int shared_count,
                                const int shared[3]);

/* The sign, -1, 0 or 1, of the determinant with rows a-d, b-d, c-d. */
int oracle_gmp_orient3d(const float a[3], const float b[3], const float c[3], const float d[3]);

/* The sign, -1, 0 or 1, of the cross product (a-c) x (b-c). */
int oracle_gmp_orient2d(const float a[2], const float b[2], const float c[2]);

/* Frees what the oracle_gmp functions hold on to between calls in the calling thread. They take it
 * anew when next called. A thread that ends without this call leaks a few kilobytes.
 */
void oracle_gmp_release(void);

/* As oracle_gmp_intersect. Needs the ordinary floating-point surroundings, rounding to nearest and
 * denormals kept, and a compiler told not to assume a rounding mode; oracle_gmp uses no
 * floating-point arithmetic and so needs neither.
 */
int oracle_cgal_intersect(const float a[9], const float b[9]);

#ifdef __cplusplus
}
#endif

#endif
