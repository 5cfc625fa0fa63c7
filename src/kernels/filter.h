/* The float32 filter for pairs of triangles: what it computes, and why it can be trusted.
 *
 * The method is that of geom/triangle.c with all signs strict. The six sides of corners against
 * planes, then two comparisons of interval ends. A sign that is not certain makes the pair
 * undecided, unless the pair is apart by signs that are. Zero is never certain here.
 *
 * The error bound. u = 2^-24. In round to nearest with gradual underflow
 *     fl(x +- y) = (x +- y)(1 + d),      |d| <= u     (a sum that is subnormal is exact)
 *     fl(x y)    = x y (1 + d) + h,      |d| <= u, |h| <= 2^-150, one of the two zero.
 * The evaluation is that of geom/orient.h: differences e, f, g at p; n_x = f_y e_z - f_z e_y (and
 * cyclic); det = (n_x g_x + n_y g_y) + n_z g_z; and the permanent P' from magnitudes. Without
 * underflow the argument there holds with this u: the sign is right if
 *
 *     |det| > (7u + 22u^2)(1 + u)/(1 - 8u) P'.                                                  (1)
 *
 * Underflow. In each component of n two products bring at most 2^-150 each; the product with g
 * brings |g| times that, and 2^-150 of its own; after it come at most four more roundings. In sum
 * the terms h change det, and likewise P', by at most
 *
 *     A = (1 + u)^4 (2^-149 (|g_x| + |g_y| + |g_z|) + 3 2^-150).                                (2)
 *
 * So that (1) may be used, A has to be added on its right, once for det and (7u times) once for P'.
 * This is had for nothing much: PLI_FILTER_FLOOR = 2^-123 is added to each component m of the
 * magnitudes of n, which adds 2^-123 (|g_x| + |g_y| + |g_z|), less 3 2^-150 if these products
 * should underflow, to P'; times 7u that is 7 2^-147 (...), more than the first part of A; and
 * PLI_FILTER_LEAST = 2^-126 is added at the end, more than all the rest. So the test is
 *
 *     |det| > PLI_FILTER_FLOAT P'' + PLI_FILTER_LEAST,   P'' = sum (m + PLI_FILTER_FLOOR) |g|.
 *
 * PLI_FILTER_FLOAT = (7 + 2^-12) u: the constant in (1) is below (7 + 100u) u, and the evaluation
 * of the right-hand side rounds by at most 3u of itself, where 2^-12 is 4096 u. FLOOR moves through
 * the same roundings as the rest of m.
 *
 * Overflow. If any intermediate value overflows, so does P'', as it is the same sum of magnitudes
 * without cancellation; it is then an infinity or a NaN, and nothing compares as greater. The same
 * goes for corners that are not finite. A pair with any P'' that is not finite is undecided
 * whatever else is known of it, so that pairs which are not finite can be told and counted
 * afterwards.
 */
#ifndef PLI_FILTER_H
#define PLI_FILTER_H

#define PLI_FILTER_FLOAT ((7.0f + 0x1p-12f) * 0x1p-24f)
#define PLI_FILTER_FLOOR 0x1p-123f
#define PLI_FILTER_LEAST 0x1p-126f

#endif
