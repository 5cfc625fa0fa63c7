/* Big numbers: sums and products of float32 numbers, exactly.
 *
 * A big number is an integer times a power of 2^32, so that no common scale has to be chosen: any
 * float32 is one, and so are sums, differences and products. There is no division; a ratio of two
 * is compared by products, or rounded to double.
 *
 * How large can they become? A polynomial of degree n in differences of float32 numbers is a
 * multiple of 2^(-149 n) and below 2^(129 n) times the number of its terms. Of degree 7 with 2^20
 * terms that is 1,966 bits, which are in 63 limbs wherever the limbs begin; a product has one limb
 * more before it is trimmed. So PLI_BIG_LIMBS are enough for every polynomial of degree up to 7.
 */
#ifndef PLI_BIG_H
#define PLI_BIG_H

#include "base/base.h"

enum { PLI_BIG_LIMBS = 66, PLI_BIG_DEGREE = 7 };

/* sign * (limbs[0] + limbs[1] * 2^32 + ...) * 2^(32 * exponent). The first and the last limb are
 * not zero. Zero has no limbs, and sign 0. */
typedef struct PliBig {
    int32_t sign, exponent, count;
    uint32_t limbs[PLI_BIG_LIMBS];
} PliBig;

/* A finite float. */
void pli_big_set(PliBig *big, float value);

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

static inline void pli_big_negate(PliBig *big)
{
    big->sign = -big->sign;
}

#endif
