/* The float32 filter for pairs of features on their way: what it computes, and why it can be
 * trusted.
 *
 * Two features never touch if along an axis all of one is below all of the other at the start and
 * at the end: coordinates change evenly, so it is below all the time. Comparing floats is exact.
 *
 * They never touch either if det(e, f, g) is never zero (geom/impact.h): if all four coefficients
 * of its Bernstein form are certain to have one sign. With n0, n1, n2 those of e x f, the middle
 * one twice, they are
 *
 *     n0 g0,   n1 g0 + n0 g1,   n2 g0 + n1 g1,   n2 g1,
 *
 * those between three times. The error bound, with u = 2^-24, E, F, G the greatest magnitudes of
 * coordinates of e, f, g, as computed, and as long as nothing underflows: a coefficient of n at an
 * end has products of two differences, each with 4 factors of at most 1 + u: its differences, the
 * product, and the subtraction; n1 has one factor more. The first coefficient has 6 products of
 * three with 8 factors, as in geom/orient.h, and the second one 18 products: 12 with n1, whose
 * factors are 5, one for g, the product, two sums, and the last sum, together 10; 6 with n0. So it
 * is off by at most
 *
 *     ((1 + u)^10 - 1) 18 E F G < 181 u E F G.
 *
 * Underflow: products in n bring 2^-150 each, so that n1 is off by 2^-148 more; times g, over three
 * coordinates, with n0 likewise, that is less than 2^-145 G, and the products themselves bring
 * 2^-147. Far more than that, and never subnormal, is
 *
 *     R = 2^-90 (G + 2^-36).
 *
 * So a sign is certain if |x| > PLI_IMPACT_FLOAT (E F) G + R, with 192 u for 181 u and what the
 * right-hand side is rounded by. If n overflows, x is an infinity or a NaN, and so is the sum of
 * all four: that it is finite is asked for as well. With a NaN or an infinity among the coordinates
 * any answer will do: such pairs do not touch.
 *
 * A second filter is for pairs that the first one left open: the same for each eighth [l, h] of the
 * step, and whether g is in the polygon then. The coefficients, all three times, are off by 181 u E
 * F G and below M = 18 E F G. Those over [l, h] are three means p + (q - p) t of two numbers, each
 * off by 5 u M: 270 u more. Inside is told along the axis with the greatest normal in the middle of
 * the step, as in geom/impact.c: if the normal n is certain to have one sign from l to h, and one
 * of g x f, e x g, and n less both, or less each of edges, the other one, the features do not touch
 * then. These are off by at most 48 u (E F + F G + E G), as derived there. Underflow takes less
 * than 2^-140 (1 + G) of what is summed, and overflow is excluded: products of sizes must be below
 * 2^100, which is 2^20 less than anything could need.
 *
 * With a distance D, both filters ask whether the features may come within D. Along an axis the
 * gap must then be above D. A difference of floats that is below -D (1 + 2^-20), rounded, is below
 * -D. As for the cubic: let p and q be points of the two features with |p - q| <= D. Then p - q is
 * g less means of e and f, or its opposite, so that |n . g| = |n . (p - q)| <= |n| D <= 3 E F D.
 * The second and the third coefficient stand for three times as much. So the bounds of all four,
 * and of the cubic of the second filter, grow by 9 E F D. As for the polygon: g = s e + t f + r
 * with |r| <= D and s, t in it, so that g x f = s n + r x f, and each side is off by at most |r|
 * (|e| + |f|), 2 sqrt(3) max(E, F) D. The factors PLI_IMPACT_WIDE and PLI_IMPACT_WIDE_CROSS are 1 %
 * above 9 and 2 sqrt(3): far more than five roundings. Underflow of the products is below R: x > R
 * takes E F > 2^-95, since |x| < 20 E F G. With D = 0 all of this is 0, and the filters are those
 * above.
 *
 * A third filter is for pairs that were close before, and may be apart up to a time T by more than
 * a distance D. Along an axis one feature is above the other by a gap that changes evenly, from g0
 * to g1: if it is above D at time 0 and at T, it is so in between. With T rounded up, (1 - T) g0 +
 * T g1 has five rounding factors at most, and is compared with D + S, S = 2^-20 (g0 + |g1| + D) +
 * 2^-100: three times as much as both sides can be off by, with what underflows.
 */
#ifndef PLI_KERNEL_IMPACT_H
#define PLI_KERNEL_IMPACT_H

#include <stdbool.h>
#include <stdint.h>

/* Up to which time pairs may be apart, and by more than which distance, which is not negative. */
typedef struct PliApart {
    float until, distance;
} PliApart;

/* Sets is_open[i] to 0 if pair i is certain not to come within apart.distance from time 0 to 1, and
 * to 1 if not. Pair i is of the four vertices from pairs[4 i] on, of tables of three floats each: a
 * vertex and a triangle, or two edges. Reads and writes nothing beyond these. */
typedef void PliFilterImpacts(const float *start, const float *end, bool are_edges,
                              const uint32_t *pairs, int64_t pair_count, PliApart apart,
                              uint8_t *is_open);

/* The same for pairs that this leaves open: decides some more of them. */
typedef PliFilterImpacts PliFilterImpactParts;

/* The same, up to apart.until, for pairs that are certain to be apart along an axis. */
typedef PliFilterImpacts PliFilterApart;

#define PLI_IMPACT_FLOAT (192 * 0x1p-24f)
#define PLI_IMPACT_LEAST 0x1p-90f /* R = LEAST (G + FLOOR) */
#define PLI_IMPACT_FLOOR 0x1p-36f
#define PLI_IMPACT_WIDE 9.09f /* of all three, with a distance */
#define PLI_IMPACT_WIDE_CROSS 3.5f
#define PLI_IMPACT_WIDE_AXIS (1 + 0x1p-20f)

/* Of the second filter. */
enum { PLI_IMPACT_PARTS = 8 };
#define PLI_IMPACT_PART_CUBIC (512 * 0x1p-24f)
#define PLI_IMPACT_PART_LEAST 0x1p-80f /* times G + FLOOR */
#define PLI_IMPACT_PART_CROSS (48 * 0x1p-24f)
#define PLI_IMPACT_PART_CROSS_LEAST 0x1p-120f
#define PLI_IMPACT_PART_MOST 0x1p100f

/* Of the third filter. */
#define PLI_IMPACT_APART 0x1p-20f
#define PLI_IMPACT_APART_LEAST 0x1p-100f

/* T, rounded up. */
static inline float pli_apart_until(PliApart apart)
{
    const float later = apart.until * (1 + PLI_IMPACT_APART) + PLI_IMPACT_APART_LEAST;
    return later < 1 ? later : 1;
}

#endif
