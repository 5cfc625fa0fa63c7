/* Big numbers: sums and products of float32 numbers, exactly.
 *
 * A big number is an integer times a power of 2^32, so that no common scale has to be chosen: any
 * float32 is one, and so are sums, differences and products. There is no division; a ratio of two
 * is compared by products, or rounded to double.
 *
 * How large can they become? A polynomial of degree n in differences of float32 numbers, or in
 * differences of such differences, is a multiple of 2^(-149 n) and below 2^(130 n) times the number
 * of its terms. Of degree 20 with 2^100 terms that is 5,680 bits, which are in 179 limbs wherever
 * the limbs begin; a product has one limb more before it is trimmed. So PLI_BIG_LIMBS are enough
 * for every polynomial of degree up to 20. Only limbs that are there are read, written and copied.
 */
#ifndef PLI_BIG_H
#define PLI_BIG_H

#include "base/base.h"

enum { PLI_BIG_LIMBS = 182, PLI_BIG_DEGREE = 20 };

/* sign * (limbs[0] + limbs[1] * 2^32 + ...) * 2^(32 * exponent). The first and the last limb are
 * not zero. Zero has no limbs, and sign 0. */
typedef struct PliBig {
    int32_t sign, exponent, count;
    uint32_t limbs[PLI_BIG_LIMBS];
} PliBig;

/* A finite float. */
void pli_big_set(PliBig *big, float value);

void pli_big_copy(PliBig *to, const PliBig *from);

/* sum = a + b, and difference = a - b. The result may be one of the operands. */
void pli_big_add(PliBig *sum, const PliBig *a, const PliBig *b);
void pli_big_subtract(PliBig *difference, const PliBig *a, const PliBig *b);

/* product = a * b. The result may be one of the operands. */
void pli_big_multiply(PliBig *product, const PliBig *a, const PliBig *b);

/* The sign of a - b. */
int pli_big_compare(const PliBig *a, const PliBig *b);

/* The sign of a * b - c * d. */
int pli_big_compare_products(const PliBig *a, const PliBig *b, const PliBig *c, const PliBig *d);

/* a / b, b not zero, off by less than 2^-50 of itself if that is between 2^-1000 and 2^1000. */
double pli_big_ratio(const PliBig *a, const PliBig *b);

/* big / 2^(32 * top), `top` beyond its last limb: off by less than 2^-50 of itself or 2^-800. */
double pli_big_scaled(const PliBig *big, int32_t top);

static inline void pli_big_negate(PliBig *big)
{
    big->sign = -big->sign;
}

/* ---- Vectors -------------------------------------------------------------------------------- */

typedef PliBig PliBigVector[3];

/* a - b, of finite floats. */
void pli_big_set_difference(PliBig *difference, float a, float b);

/* p - q, of points. */
void pli_big_between(PliBigVector vector, const float *p, const float *q);

/* a * b - c * d. This and all below: the result is none of the operands. */
void pli_big_subtract_products(PliBig *difference, const PliBig *a, const PliBig *b,
                               const PliBig *c, const PliBig *d);

/* p_u q_v - p_v q_u. */
void pli_big_turn(PliBig *turn, const PliBigVector p, const PliBigVector q, int u, int v);

/* p x q; the sum of three numbers; p . q; p . (q x r). */
void pli_big_cross(PliBigVector product, const PliBigVector p, const PliBigVector q);
void pli_big_add_three(PliBig *sum, const PliBig terms[3]);
void pli_big_dot(PliBig *sum, const PliBigVector p, const PliBigVector q);
void pli_big_triple(PliBig *product, const PliBigVector p, const PliBigVector q,
                    const PliBigVector r);

#endif
