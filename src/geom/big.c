/* Big numbers: see big.h. There is no floating-point arithmetic here but in the ratio. */
#include "geom/big.h"

#include <string.h>

/* Drops limbs of zero at both ends. */
static void trim(PliBig *big)
{
    int32_t first = 0, end = big->count;
    while (end > 0 && big->limbs[end - 1] == 0)
        end--;
    while (first < end && big->limbs[first] == 0)
        first++;
    big->count = end - first;
    big->exponent += first;
    if (big->count == 0)
        big->sign = big->exponent = 0;
    if (first > 0)
        memmove(big->limbs, big->limbs + first, (size_t)big->count * sizeof *big->limbs);
}

void pli_big_copy(PliBig *to, const PliBig *from)
{
    if (to == from)
        return;
    to->sign = from->sign;
    to->exponent = from->exponent;
    to->count = from->count;
    memcpy(to->limbs, from->limbs, (size_t)from->count * sizeof *from->limbs);
}

void pli_big_set(PliBig *big, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t field = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    const uint64_t mantissa = field ? fraction | 0x800000 : fraction;
    const int32_t shift =
        (field ? (int32_t)field : 1) - 150 + 160; /* 2^-160 is the unit: 5 limbs */
    const uint64_t placed = mantissa << shift % 32;
    big->sign = bits >> 31 ? -1 : 1;
    big->exponent = shift / 32 - 5;
    big->count = 2;
    big->limbs[0] = (uint32_t)placed;
    big->limbs[1] = (uint32_t)(placed >> 32);
    trim(big);
}

/* ---- Sums --------------------------------------------------------------------------------- */

static uint32_t limb_at(const PliBig *big, int32_t exponent)
{
    const int32_t i = exponent - big->exponent;
    return i >= 0 && i < big->count ? big->limbs[i] : 0;
}

/* The limbs of -x in two's complement become those of x. */
static void negate_limbs(PliBig *big)
{
    uint64_t carry = 1;
    for (int32_t i = 0; i < big->count; i++) {
        carry += ~big->limbs[i];
        big->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

/* |a| + |b| or |a| - |b|, times the sign of a. Limb by limb with a carry that is -1, 0 or 1; if it
 * is -1 at the end, what is there is the difference in two's complement. */
static void add(PliBig *sum, const PliBig *a, const PliBig *b, bool is_difference)
{
    PliBig result;
    result.sign = a->sign;
    result.count = 0;
    const int32_t first = a->exponent < b->exponent ? a->exponent : b->exponent;
    const int32_t a_end = a->exponent + a->count, b_end = b->exponent + b->count;
    const int32_t end = a_end > b_end ? a_end : b_end;
    int64_t carry = 0;
    result.exponent = first;
    for (int32_t e = first; e < end; e++) {
        const int64_t limb = limb_at(b, e);
        carry += limb_at(a, e) + (is_difference ? -limb : limb);
        result.limbs[result.count++] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0)
        result.limbs[result.count++] = 1;
    if (carry < 0) {
        negate_limbs(&result);
        result.sign = -a->sign;
    }
    trim(&result);
    pli_big_copy(sum, &result);
}

void pli_big_add(PliBig *sum, const PliBig *a, const PliBig *b)
{
    if (b->sign == 0)
        pli_big_copy(sum, a);
    else if (a->sign == 0)
        pli_big_copy(sum, b);
    else
        add(sum, a, b, a->sign != b->sign);
}

void pli_big_subtract(PliBig *difference, const PliBig *a, const PliBig *b)
{
    if (b->sign == 0) {
        pli_big_copy(difference, a);
    } else if (a->sign == 0) {
        pli_big_copy(difference, b);
        pli_big_negate(difference);
    } else {
        add(difference, a, b, a->sign == b->sign);
    }
}

/* ---- Products ----------------------------------------------------------------------------- */

void pli_big_multiply(PliBig *product, const PliBig *a, const PliBig *b)
{
    PliBig result;
    result.sign = a->sign * b->sign;
    result.exponent = a->exponent + b->exponent;
    result.count = result.sign ? a->count + b->count : 0;
    memset(result.limbs, 0, (size_t)result.count * sizeof *result.limbs);
    for (int32_t i = 0; i < a->count && result.sign; i++) {
        uint64_t carry = 0;
        for (int32_t j = 0; j < b->count; j++) {
            carry += (uint64_t)a->limbs[i] * b->limbs[j] + result.limbs[i + j];
            result.limbs[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        result.limbs[i + b->count] = (uint32_t)carry;
    }
    trim(&result);
    pli_big_copy(product, &result);
}

int pli_big_compare(const PliBig *a, const PliBig *b)
{
    PliBig difference;
    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    pli_big_subtract(&difference, a, b);
    return difference.sign;
}

int pli_big_compare_products(const PliBig *a, const PliBig *b, const PliBig *c, const PliBig *d)
{
    PliBig ab, cd;
    if (a->sign * b->sign != c->sign * d->sign)
        return a->sign * b->sign < c->sign * d->sign ? -1 : 1;
    pli_big_multiply(&ab, a, b);
    pli_big_multiply(&cd, c, d);
    return pli_big_compare(&ab, &cd);
}

/* ---- Ratios ------------------------------------------------------------------------------- */

/* The three highest limbs, as a multiple of 2^(32 * exponent): at least 65 bits. Truncated and
 * added up, they are off by less than 3 * 2^-53 of the number. */
static double leading(const PliBig *big, int32_t *exponent)
{
    double sum = 0;
    *exponent = big->exponent + big->count - 3;
    for (int32_t e = *exponent; e < *exponent + 3; e++)
        sum = sum * 0x1p-32 + limb_at(big, e);
    return big->sign * sum;
}

/* Both are off by less than 2^-51 of themselves, together with the rounding of the division. Powers
 * of two are exact. */
double pli_big_ratio(const PliBig *a, const PliBig *b)
{
    int32_t a_exponent, b_exponent;
    if (a->sign == 0)
        return 0;
    double ratio = leading(a, &a_exponent);
    ratio /= leading(b, &b_exponent);
    for (; a_exponent > b_exponent; a_exponent--)
        ratio *= 0x1p32;
    for (; a_exponent < b_exponent; a_exponent++)
        ratio *= 0x1p-32;
    return ratio;
}

double pli_big_scaled(const PliBig *big, int32_t top)
{
    int32_t exponent;
    if (big->sign == 0 || top - (big->exponent + big->count) > 25)
        return 0;
    double scaled = leading(big, &exponent);
    for (exponent += 2; exponent < top; exponent++)
        scaled *= 0x1p-32;
    return scaled;
}

/* ---- Vectors -------------------------------------------------------------------------------- */

void pli_big_set_difference(PliBig *difference, float a, float b)
{
    PliBig other;
    pli_big_set(difference, a);
    pli_big_set(&other, b);
    pli_big_subtract(difference, difference, &other);
}

void pli_big_between(PliBigVector vector, const float *p, const float *q)
{
    for (int k = 0; k < 3; k++)
        pli_big_set_difference(&vector[k], p[k], q[k]);
}

void pli_big_subtract_products(PliBig *difference, const PliBig *a, const PliBig *b,
                               const PliBig *c, const PliBig *d)
{
    PliBig right;
    pli_big_multiply(difference, a, b);
    pli_big_multiply(&right, c, d);
    pli_big_subtract(difference, difference, &right);
}

void pli_big_turn(PliBig *turn, const PliBigVector p, const PliBigVector q, int u, int v)
{
    pli_big_subtract_products(turn, &p[u], &q[v], &p[v], &q[u]);
}

void pli_big_cross(PliBigVector product, const PliBigVector p, const PliBigVector q)
{
    for (int k = 0; k < 3; k++)
        pli_big_turn(&product[k], p, q, (k + 1) % 3, (k + 2) % 3);
}

void pli_big_add_three(PliBig *sum, const PliBig terms[3])
{
    pli_big_add(sum, &terms[0], &terms[1]);
    pli_big_add(sum, sum, &terms[2]);
}

void pli_big_dot(PliBig *sum, const PliBigVector p, const PliBigVector q)
{
    PliBig terms[3];
    for (int k = 0; k < 3; k++)
        pli_big_multiply(&terms[k], &p[k], &q[k]);
    pli_big_add_three(sum, terms);
}

void pli_big_triple(PliBig *product, const PliBigVector p, const PliBigVector q,
                    const PliBigVector r)
{
    PliBigVector normal;
    pli_big_cross(normal, q, r);
    pli_big_dot(product, p, normal);
}
