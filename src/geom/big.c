/* Big integers: see big.h. */
#include "geom/big.h"

#include <string.h>

/* A float is mantissa * 2^(shift - 149), 0 <= shift <= 253. */
static uint32_t mantissa_of(float value, int *shift)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    *shift = exponent == 0 ? 0 : (int)exponent - 1;
    return exponent == 0 ? fraction : fraction | 0x800000;
}

int pli_big_scale(const float *values, int count, int scale)
{
    for (int i = 0; i < count; i++) {
        int shift;
        const uint32_t mantissa = mantissa_of(values[i], &shift);
        const int here = mantissa == 0 ? PLI_BIG_NO_SCALE : shift + __builtin_ctz(mantissa);
        scale = here < scale ? here : scale;
    }
    return scale;
}

static void drop_zeros(PliBig *value)
{
    while (value->count > 0 && value->limbs[value->count - 1] == 0)
        value->count--;
    if (value->count == 0)
        value->sign = 0;
}

PliBig pli_big_from_float(float value, int scale)
{
    int shift;
    uint64_t mantissa = mantissa_of(value, &shift);
    PliBig big = {.sign = value < 0 ? -1 : 1};
    if (mantissa == 0) {
        big.sign = 0;
        return big;
    }
    const int low = __builtin_ctzll(mantissa), up = shift + low - scale;
    mantissa = mantissa >> low << (up & 31);
    big.count = (up >> 5) + 2;
    memset(big.limbs, 0, (size_t)big.count * sizeof *big.limbs);
    big.limbs[up >> 5] = (uint32_t)mantissa;
    big.limbs[(up >> 5) + 1] = (uint32_t)(mantissa >> 32);
    drop_zeros(&big);
    return big;
}

static int compare_magnitudes(const PliBig *a, const PliBig *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int32_t i = a->count; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

static PliBig add_magnitudes(const PliBig *a, const PliBig *b, int32_t sign)
{
    const PliBig *longer = a->count < b->count ? b : a, *shorter = a->count < b->count ? a : b;
    PliBig sum = {.sign = sign, .count = longer->count};
    uint64_t carry = 0;
    for (int32_t i = 0; i < longer->count; i++) {
        carry += (uint64_t)longer->limbs[i] + (i < shorter->count ? shorter->limbs[i] : 0);
        sum.limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        sum.limbs[sum.count++] = (uint32_t)carry;
    return sum;
}

/* |a| - |b|, where |a| is not less. */
static PliBig subtract_magnitudes(const PliBig *a, const PliBig *b, int32_t sign)
{
    PliBig rest = {.sign = sign, .count = a->count};
    uint64_t borrow = 0;
    for (int32_t i = 0; i < a->count; i++) {
        const uint64_t limb = (uint64_t)a->limbs[i] - (i < b->count ? b->limbs[i] : 0) - borrow;
        rest.limbs[i] = (uint32_t)limb;
        borrow = limb >> 63;
    }
    drop_zeros(&rest);
    return rest;
}

/* a + sign * |b|. */
static PliBig add_signed(const PliBig *a, const PliBig *b, int32_t sign)
{
    if (sign == 0)
        return *a;
    if (a->sign == 0 || a->sign == sign)
        return add_magnitudes(a, b, sign);
    return compare_magnitudes(a, b) >= 0 ? subtract_magnitudes(a, b, a->sign)
                                         : subtract_magnitudes(b, a, sign);
}

PliBig pli_big_add(const PliBig *a, const PliBig *b)
{
    return add_signed(a, b, b->sign);
}

PliBig pli_big_subtract(const PliBig *a, const PliBig *b)
{
    return add_signed(a, b, -b->sign);
}

PliBig pli_big_multiply(const PliBig *a, const PliBig *b)
{
    PliBig product = {.sign = a->sign * b->sign, .count = a->count + b->count};
    if (product.sign == 0) {
        product.count = 0;
        return product;
    }
    memset(product.limbs, 0, (size_t)product.count * sizeof *product.limbs);
    for (int32_t i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (int32_t k = 0; k < b->count; k++) {
            carry += (uint64_t)a->limbs[i] * b->limbs[k] + product.limbs[i + k];
            product.limbs[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
        product.limbs[i + b->count] = (uint32_t)carry;
    }
    drop_zeros(&product);
    return product;
}

int pli_big_compare(const PliBig *a, const PliBig *b)
{
    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    return a->sign * compare_magnitudes(a, b);
}

double pli_power_of_two(int exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

double pli_big_to_double(const PliBig *value, int *exponent)
{
    *exponent = 0;
    if (value->sign == 0)
        return 0;
    /* The upper three limbs have at least 65 bits, of which the 64 highest are kept. */
    const int32_t count = value->count;
    const int up = __builtin_clz(value->limbs[count - 1]);
    uint64_t high = (uint64_t)value->limbs[count - 1] << 32;
    uint32_t low = 0;
    if (count > 1)
        high |= value->limbs[count - 2];
    if (count > 2)
        low = value->limbs[count - 3];
    high = up == 0 ? high : high << up | low >> (32 - up);
    *exponent = 32 * count - up - 1;
    return value->sign * ((double)(high >> 11) * 0x1p-52);
}

double pli_big_ratio(const PliBig *a, const PliBig *b)
{
    int a_exponent, b_exponent;
    const double above = pli_big_to_double(a, &a_exponent),
                 below = pli_big_to_double(b, &b_exponent);
    return above == 0 ? 0 : above / below * pli_power_of_two(a_exponent - b_exponent);
}
