/* Signs by integers, for what the filters do not decide: see exact.h.
 *
 * A finite float32 is an integer m, |m| < 2^24, times 2^(s - 149) with 0 <= s <= 253. A determinant
 * is a sum of products with one coordinate of each axis, so each axis may be scaled by a power of
 * two of its own, and translated, without changing the sign.
 *
 * Narrow: if the significant bits of an axis' coordinates, from the lowest set bit of any to the
 * highest set bit of any, fit in a window, the coordinates are integers there, and the determinant
 * fits 128 bits. This decides nearly all input of real meshes. A compiler without integers of 128
 * bits, as all are for 32-bit machines, sums up as below instead: the same sign, and it counts as
 * narrow, so that counters do not depend on the machine.
 *
 * Wide: otherwise the determinant is expanded into products of mantissas, 24 of them for orient3d
 * and 6 for orient2d, and each is added at its place into a long accumulator (Kulisch's idea, in
 * digits of 32 bits that carry only at the end). The cost does not depend on the exponents.
 *
 * There is no floating-point arithmetic in this file.
 */
#include "geom/exact.h"

#include <string.h>

#if defined __SIZEOF_INT128__ && !defined PLIANT_NO_INT128
#define PLI_INT128
__extension__ typedef __int128 Int128;

static int sign128(Int128 value)
{
    return (value > 0) - (value < 0);
}
#endif

typedef struct Coordinate {
    uint32_t mantissa; /* below 2^24 */
    int shift;         /* magnitude is mantissa * 2^(shift - 149), 0 <= shift <= 253 */
    bool is_negative;
} Coordinate;

static Coordinate coordinate(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t exponent = bits >> 23 & 0xff, fraction = bits & 0x7fffff;
    if (exponent == 0)
        return (Coordinate){fraction, 0, bits >> 31};
    return (Coordinate){fraction | 0x800000, (int)exponent - 1, bits >> 31};
}

/* ---- Narrow ------------------------------------------------------------------------------ */

/* The coordinates as integers on a common scale, if their significant bits fit `window` bits. */
static bool narrow_axis(const Coordinate *axis, int count, int window, int64_t *integers)
{
    int lowest = 1024, highest = 0;
    for (int i = 0; i < count; i++) {
        if (axis[i].mantissa == 0)
            continue;
        int low = axis[i].shift + __builtin_ctz(axis[i].mantissa);
        int high = axis[i].shift + 32 - __builtin_clz(axis[i].mantissa);
        lowest = low < lowest ? low : lowest;
        highest = high > highest ? high : highest;
    }
    if (highest - lowest > window)
        return false;

    for (int i = 0; i < count; i++) {
        int up = axis[i].shift - lowest;
        int64_t magnitude = axis[i].mantissa;
        if (magnitude != 0)
            magnitude = up >= 0 ? magnitude << up : magnitude >> -up;
        integers[i] = axis[i].is_negative ? -magnitude : magnitude;
    }
    return true;
}

/* ---- Wide -------------------------------------------------------------------------------- */

/* Three shifts are at most 759 together, and a product of three mantissas is added as two parts of
 * 48 bits, the upper one 24 bits further: the highest digit touched is (759 + 24) / 32 + 2 = 26.
 * Each digit takes at most 48 summands below 2^33. */
enum { WIDE_DIGITS = 27 };
typedef struct Wide {
    int64_t digits[WIDE_DIGITS];
} Wide;

/* Adds magnitude * 2^shift, or subtracts it. magnitude < 2^48. */
static void wide_add(Wide *sum, uint64_t magnitude, int shift, bool is_negative)
{
    uint64_t low = (magnitude & 0xffffffff) << (shift & 31), high = magnitude >> 32 << (shift & 31);
    int64_t *digits = sum->digits + (shift >> 5);
    int64_t sign = is_negative ? -1 : 1;
    digits[0] += sign * (int64_t)(low & 0xffffffff);
    digits[1] += sign * (int64_t)((low >> 32) + (high & 0xffffffff));
    digits[2] += sign * (int64_t)(high >> 32);
}

static int wide_sign(const Wide *sum)
{
    int64_t carry = 0;
    uint64_t rest = 0;
    for (int i = 0; i < WIDE_DIGITS; i++) {
        int64_t digit = sum->digits[i] + carry;
        carry = digit >> 32; /* rounds down, so that what stays is in [0, 2^32) */
        rest |= (uint64_t)digit & 0xffffffff;
    }
    return carry < 0 ? -1 : (carry != 0 || rest != 0);
}

/* ---- orient3d ---------------------------------------------------------------------------- */

/* det[a-d; b-d; c-d] is the determinant of the rows (x y z 1) of a, b, c, d: the sum over all
 * orders (i, j, k, l) of the four points of x_i y_j z_k with the sign of the order. */
static int wide_orient3d(Coordinate axes[3][4])
{
    Wide sum = {0};
    for (int i = 0; i < 4; i++) {
        Coordinate x = axes[0][i];
        for (int j = 0; j < 4; j++) {
            if (j == i)
                continue;
            Coordinate y = axes[1][j];
            uint64_t xy = (uint64_t)x.mantissa * y.mantissa;
            for (int k = 0; k < 4; k++) {
                if (k == i || k == j)
                    continue;
                Coordinate z = axes[2][k];
                int l = 6 - i - j - k;
                bool is_odd = (i > j) ^ (i > k) ^ (i > l) ^ (j > k) ^ (j > l) ^ (k > l);
                bool is_negative = x.is_negative ^ y.is_negative ^ z.is_negative ^ is_odd;
                int shift = x.shift + y.shift + z.shift;
                wide_add(&sum, (xy & 0xffffff) * z.mantissa, shift, is_negative);
                wide_add(&sum, (xy >> 24) * z.mantissa, shift + 24, is_negative);
            }
        }
    }
    return wide_sign(&sum);
}

/* Window of 40 bits: differences are below 2^41, products of two below 2^82, their differences
 * below 2^83, products with a third below 2^124, and a sum of three of those below 2^126. */
static bool narrow_orient3d(Coordinate axes[3][4], int *sign)
{
    int64_t x[4], y[4], z[4];
    if (!narrow_axis(axes[0], 4, 40, x) || !narrow_axis(axes[1], 4, 40, y) ||
        !narrow_axis(axes[2], 4, 40, z))
        return false;
#ifdef PLI_INT128
    for (int i = 0; i < 3; i++) {
        x[i] -= x[3];
        y[i] -= y[3];
        z[i] -= z[3];
    }
    Int128 xy01 = (Int128)x[0] * y[1] - (Int128)x[1] * y[0];
    Int128 xy12 = (Int128)x[1] * y[2] - (Int128)x[2] * y[1];
    Int128 xy20 = (Int128)x[2] * y[0] - (Int128)x[0] * y[2];
    *sign = sign128(xy01 * z[2] + xy12 * z[0] + xy20 * z[1]);
#else
    *sign = wide_orient3d(axes);
#endif
    return true;
}

PLI_NOINLINE int pli_exact_orient3d(const float *a, const float *b, const float *c, const float *d,
                                    PliCounts *counts)
{
    Coordinate axes[3][4];
    for (int k = 0; k < 3; k++) {
        axes[k][0] = coordinate(a[k]);
        axes[k][1] = coordinate(b[k]);
        axes[k][2] = coordinate(c[k]);
        axes[k][3] = coordinate(d[k]);
    }
    int sign;
    if (narrow_orient3d(axes, &sign)) {
        counts->exact3_narrow++;
        return sign;
    }
    counts->exact3_wide++;
    return wide_orient3d(axes);
}

/* ---- orient2d ---------------------------------------------------------------------------- */

/* The sum over all orders (i, j, l) of the three points of x_i y_j with the sign of the order. */
static int wide_orient2d(Coordinate axes[2][3])
{
    Wide sum = {0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (j == i)
                continue;
            Coordinate x = axes[0][i], y = axes[1][j];
            int l = 3 - i - j;
            bool is_odd = (i > j) ^ (i > l) ^ (j > l);
            wide_add(&sum, (uint64_t)x.mantissa * y.mantissa, x.shift + y.shift,
                     x.is_negative ^ y.is_negative ^ is_odd);
        }
    }
    return wide_sign(&sum);
}

/* Window of 61 bits: differences are below 2^62, products below 2^124, their difference below
 * 2^125. */
static bool narrow_orient2d(Coordinate axes[2][3], int *sign)
{
    int64_t x[3], y[3];
    if (!narrow_axis(axes[0], 3, 61, x) || !narrow_axis(axes[1], 3, 61, y))
        return false;
#ifdef PLI_INT128
    *sign = sign128((Int128)(x[0] - x[2]) * (y[1] - y[2]) - (Int128)(x[1] - x[2]) * (y[0] - y[2]));
#else
    *sign = wide_orient2d(axes);
#endif
    return true;
}

PLI_NOINLINE int pli_exact_orient2d(const float *a, const float *b, const float *c, int u, int v,
                                    PliCounts *counts)
{
    Coordinate axes[2][3] = {{coordinate(a[u]), coordinate(b[u]), coordinate(c[u])},
                             {coordinate(a[v]), coordinate(b[v]), coordinate(c[v])}};
    int sign;
    if (narrow_orient2d(axes, &sign)) {
        counts->exact2_narrow++;
        return sign;
    }
    counts->exact2_wide++;
    return wide_orient2d(axes);
}
