/* How far the triangles of a leaf are from a point, at least and at most.
 *
 * The bounds are those of geom/closest.h, in float32: u = 2^-24. With S the greatest magnitude of a
 * coordinate of p - a, b - a and c - a, for a triangle a b c and any s and t from 0 to 1 whose sum
 * is at most 1 + u / 2,
 *
 *     r = (p - a) - s (b - a) - t (c - a)
 *     high = |r| + e,   low = min((p - a) . r, (p - b) . r, (p - c) . r) / |r| - e
 *
 * are above and below the distance with e = 64 u S, as is derived there. Floats have less room
 * below: squares that underflow are off by 6 * 2^-150 in all, and |r| by less than 2^-73; products
 * with |r| of at least 2^-30 are off by less than 2^-117 of it. So e is 64 u S + 2^-70, and where
 * |r|^2 is below 2^-60, low is 0. Above: if S is at most 2^50, no product of two differences
 * overflows; else low is 0. A square that overflows makes high infinite. So do corners that are not
 * finite, or NaN: each coordinate of r is then infinite or NaN, whatever s and t are.
 *
 * The closest point gives s and t (Ericson, Real-Time Collision Detection, 5.1.5). They are not
 * exact, and need not be: low and high are then farther apart. Where they are NaN, 0 is taken.
 *
 * Any other vector g bounds the distance from below as r does. With g toward the middle of the
 * triangle that is nearly the distance if the triangle is small. It is asked first, without a root
 * and a quotient: with m the least product with g, the distance is above F if
 *
 *     m > 0,   m^2 > |g|^2 (F + e)^2 (1 + 2^-20),   m^2 >= 2^-100,   |g|^2 >= 2^-60,   S <= 2^50.
 *
 * On either side at most 8 u are rounded. What underflows on the right is below m^2. A square that
 * overflows on the left is greater than any float on the right.
 *
 * What it costs: some 60 operations of vectors for the gaps of boxes and for g, 80 to transpose
 * the triangles, and for PLI_LANES that are left some 120 more, a root and three quotients: with
 * AVX-512 some 70 or 150 cycles for sixteen. */
#ifndef PLI_KERNEL_POINT_H
#define PLI_KERNEL_POINT_H

#include "geom/gaps.h"
#include "kernels/fetch.h"

#define PLI_POINT_ERROR 0x1p-18f
#define PLI_POINT_LEAST_ERROR 0x1p-70f
#define PLI_POINT_LEAST_SQUARE 0x1p-60f
#define PLI_POINT_MOST_SIZE 0x1p50f
#define PLI_POINT_LEAST_FOURTH 0x1p-100f
#define PLI_POINT_SLACK 0x1p-20f

/* Which triangles of a leaf may be within the reach of a point: of those with a bit in `allowed`
 * whose boxes are within its limit, and that g does not tell to be beyond it. First lowers the
 * reach to that of the least upper bound among them. Returns a bit for each, and sets lows[i] to a
 * lower bound of the distance of these. `rows` are all 16 rows; those whose box is NaN are not
 * used, but may be read. */
typedef uint32_t PliPointLeaf(const float point[3], const float *rows, const PliLeafBoxes *boxes,
                              uint32_t allowed, PliReach *reach, float lows[PLI_LEAF_SIZE]);

/* The gaps of the children's boxes of a node from a point (geom/gaps.h). Returns how many are
 * within the limit, and ranks them: those have ranks below their number, the nearest the highest,
 * and the others the rest. Of gaps whose bits are equal but for the last three, the first is ranked
 * as the nearest. */
typedef int32_t PliPointBoxes(const float point[3], const PliBoxes *boxes, float limit,
                              float gaps[PLI_GROUP], int32_t ranks[PLI_GROUP]);

#endif
