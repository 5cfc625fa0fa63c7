/* Big integers, for what the filters do not decide.
 *
 * A finite float32 is an integer times a power of two. With a common power all coordinates of a
 * problem are integers below 2^277, their differences below 2^278, and a sum of up to 64 products
 * of seven differences is below 2^1952: PLI_BIG_LIMBS has room. Short numbers are fast: real meshes
 * need few limbs. There is no floating-point arithmetic but for the conversion to double.
 */
#ifndef PLI_BIG_H
#define PLI_BIG_H

#include "base/base.h"

enum { PLI_BIG_LIMBS = 62 };

typedef struct PliBig {
    int32_t sign;  /* -1, 0 or 1 */
    int32_t count; /* of limbs; the last one is not zero */
    uint32_t limbs[PLI_BIG_LIMBS];
} PliBig;

/* The greatest power of two, as a multiple of 2^-149, that divides all of these numbers; they must
 * be finite. */
int pli_big_scale(const float *values, int count, int scale);

/* Without a number, it is this. */
enum { PLI_BIG_NO_SCALE = 1024 };

/* A float32 divided by 2^(scale - 149), which must divide it. */
PliBig pli_big_from_float(float value, int scale);

PliBig pli_big_add(const PliBig *a, const PliBig *b);
PliBig pli_big_subtract(const PliBig *a, const PliBig *b);
PliBig pli_big_multiply(const PliBig *a, const PliBig *b);

/* The sign of a - b. */
int pli_big_compare(const PliBig *a, const PliBig *b);

/* The value divided by 2^exponent, within 2^-52 of it, between 1 and 2 in magnitude; 0 if it is 0.
 */
double pli_big_to_double(const PliBig *value, int *exponent);

/* 2^exponent, from 2^-1022 to 2^1023. */
double pli_power_of_two(int exponent);

/* a / b within 2^-50 of it; b is not 0. The quotient must be in the range of normal doubles. */
double pli_big_ratio(const PliBig *a, const PliBig *b);

#endif
