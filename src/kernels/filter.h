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
 * cyclic); det = (n_x g_x + n_y g_y) + n_z g_z. With P the sum of the magnitudes of the six
 * products of three differences, and as long as nothing underflows, the argument there holds with
 * this u: the exact value T of what the last addition adds has |T - det_exact| <= (7u + 22u^2) P.
 *
 * What stands for P. X, Y, Z are the extents of the box around all six corners, one rounded
 * subtraction each. Rounding is monotone, so that every computed difference of two corners, along
 * its axis, is at most X, Y or Z in magnitude.
 *
 * For the sides of a plane: P' = (m_x X + m_y Y) + m_z Z, with m_x = |f_y e_z| + |f_z e_y| (and
 * cyclic) from the computed products. It is at least what the same evaluation would give with |g|
 * for X, Y, Z, and so, as in orient.h, P <= P' / (1 - 8u). One P' serves all three corners, and it
 * is small if the plane's triangle is small, however large the other one is.
 *
 * For the ends of intervals each of the six products is at most (1 + 4u) X Y Z, so that with V =
 * (X Y) Z as computed
 *
 *     P <= 6 V (1 + 4u) / (1 - 2u).
 *
 * Underflow. In each component of n two products bring at most 2^-150 each; the product with g
 * brings |g| times that, and 2^-150 of its own; after it come at most four more roundings. In sum
 * the terms h change det by at most
 *
 *     A = (1 + u)^4 (2^-149 (X + Y + Z) + 3 2^-150),
 *
 * and P' or 6 V by not more than three times that, of which only 7u counts. More than 2^22 A is
 *
 *     R = 2^-90 (((X + Y) + Z) + 2^-36),
 *
 * which could be smaller, but so it is never subnormal, which would be slow.
 *
 * So the sign of det is right if, as computed,
 *
 *     |det| > PLI_FILTER_FLOAT P' + R      for the sides of planes,
 *     |det| > PLI_FILTER_VOLUME V + R      for the ends of intervals,
 *
 * with PLI_FILTER_FLOAT = (7 + 2^-12) u and PLI_FILTER_VOLUME six times that. What is needed of the
 * first is (7 + 22u)(1 + u)/(1 - 8u) u, and likewise of the second: below (7 + 100u) u. The
 * evaluation of the right-hand side takes at most 4u of itself away, and 2^-12 is 4096 u.
 *
 * Overflow. P' adds the same magnitudes as det without cancellation, and by the monotony of
 * rounding each step of it is at least that of det: if det overflows on the way, P' is an infinity
 * or a NaN, and nothing compares as greater. V is not built that way, a product in n may overflow
 * where V does not; but from an infinite n only an infinity or a NaN can come, so there |det| <
 * infinity is asked for as well.
 *
 * Triangles that share one corner p: pqr and pst, with q and r on either side of the plane of pst,
 * and s and t on either side of that of pqr. Each has one ray from p in common with the other's
 * plane, on the line in which the planes intersect, and they intersect beyond p if it is the same.
 * That of pqr goes through a point of qr; it is in pst if s and t are on either side of it, seen
 * along that plane, which is to say of the plane through q, r and p: with o the sign of orient3d(p,
 * s, t, q), if o orient3d(q, r, p, s) < 0 and o orient3d(q, r, t, p) < 0 (geom/shared.c). The first
 * of these is orient3d(p, q, r, s), the second is -orient3d(p, q, r, t), which has the sign of the
 * first since s and t are on either side: so they intersect if the side of s and the side of q have
 * opposite signs.
 *
 * NaN and infinity. Each corner takes part in both planes, in n for its own and in g for the other.
 * A NaN in it makes a NaN of the determinant of some corner in each; an infinity makes an infinity
 * or a NaN of X, Y or Z, and so of P'. So in both planes some sign is not certain, and the pair is
 * undecided.
 */
#ifndef PLI_FILTER_H
#define PLI_FILTER_H

#include <stdint.h>

/* What the filter says of a pair of triangles. */
enum { PLI_APART = 0, PLI_INTERSECT = 1, PLI_UNDECIDED = 2 };

/* Decides pairs of triangles in float32 where that is certain. Pair i is triangle pairs[2 i] of a
 * and triangle pairs[2 i + 1] of b, nine floats each. Sets verdicts[i]. Reads and writes nothing
 * beyond these. */
typedef void PliFilterPairs(const float *a, const float *b, const uint32_t *pairs,
                            int64_t pair_count, uint8_t *verdicts);

/* The same for triangles of one mesh that share corners: do they intersect beyond these?
 * - Apart: the corners of one triangle that are not shared are certain to be strictly on one side
 *   of the plane of the other.
 * - Intersecting: the triangles share one corner, the other two of each are certain to be on
 *   opposite sides of the plane of the other, and the side of the corner after the shared one
 *   differs between the two triangles.
 * - Undecided: all else.
 * Of pair i, bits 0 to 2 of shared[i] mark the shared corners of its first triangle, bits 3 to 5
 * those of its second. */
typedef void PliFilterShared(const float *rows, const uint32_t *pairs, const uint8_t *shared,
                             int64_t pair_count, uint8_t *verdicts);

#define PLI_FILTER_FLOAT ((7.0f + 0x1p-12f) * 0x1p-24f)
#define PLI_FILTER_VOLUME (6.0f * PLI_FILTER_FLOAT)
#define PLI_FILTER_LEAST 0x1p-90f /* R = LEAST (((X + Y) + Z) + FLOOR) */
#define PLI_FILTER_FLOOR 0x1p-36f

#endif
