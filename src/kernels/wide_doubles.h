/* Vectors of PLI_LANES / 2 doubles: see wide.h. */
#ifndef PLI_WIDE_DOUBLES_H
#define PLI_WIDE_DOUBLES_H

#include "kernels/wide.h"

#include <math.h>

enum { HALF = PLI_LANES / 2 };

typedef double Doubles __attribute__((vector_size(4 * PLI_LANES)));
typedef int64_t Longs __attribute__((vector_size(4 * PLI_LANES)));
typedef float HalfFloats __attribute__((vector_size(2 * PLI_LANES)));
typedef int32_t HalfInts __attribute__((vector_size(2 * PLI_LANES)));

static inline Doubles choose_doubles(Longs mask, Doubles x, Doubles y)
{
    return (Doubles)((mask & (Longs)x) | (~mask & (Longs)y));
}

/* x < y ? x : y, and x > y ? x : y. */
static inline Doubles least(Doubles x, Doubles y)
{
#if PLI_LANES == 4 && defined(__SSE2__)
    return __builtin_ia32_minpd(x, y);
#elif defined(__wasm_simd128__)
    return __builtin_wasm_pmin_f64x2(y, x);
#elif PLI_LANES == 8 && defined(__AVX__)
    return __builtin_ia32_minpd256(x, y);
#elif PLI_LANES == 16 && defined(__AVX512F__)
    return (Doubles)_mm512_min_pd((__m512d)x, (__m512d)y);
#else
    return choose_doubles(x < y, x, y);
#endif
}

static inline Doubles most(Doubles x, Doubles y)
{
#if PLI_LANES == 4 && defined(__SSE2__)
    return __builtin_ia32_maxpd(x, y);
#elif defined(__wasm_simd128__)
    return __builtin_wasm_pmax_f64x2(y, x);
#elif PLI_LANES == 8 && defined(__AVX__)
    return __builtin_ia32_maxpd256(x, y);
#elif PLI_LANES == 16 && defined(__AVX512F__)
    return (Doubles)_mm512_max_pd((__m512d)x, (__m512d)y);
#else
    return choose_doubles(x > y, x, y);
#endif
}

static inline Doubles square_root(Doubles x)
{
#if PLI_LANES == 4 && defined(__SSE2__)
    return (Doubles)_mm_sqrt_pd((__m128d)x);
#elif PLI_LANES == 8 && defined(__AVX__)
    return (Doubles)_mm256_sqrt_pd((__m256d)x);
#elif PLI_LANES == 16 && defined(__AVX512F__)
    return (Doubles)_mm512_sqrt_pd((__m512d)x);
#else
    for (int i = 0; i < HALF; i++)
        x[i] = sqrt(x[i]);
    return x;
#endif
}

/* Lanes whose mask is set, as bits. */
static inline uint32_t bits_of(Longs mask)
{
#if PLI_LANES == 16 && defined(__AVX512DQ__)
    return _mm512_movepi64_mask((__m512i)mask);
#elif PLI_LANES == 8 && defined(__AVX__)
    return (uint32_t)__builtin_ia32_movmskpd256((Doubles)mask);
#elif PLI_LANES == 4 && defined(__SSE2__)
    return (uint32_t)__builtin_ia32_movmskpd((Doubles)mask);
#elif defined(__wasm_simd128__)
    return (uint32_t)__builtin_wasm_bitmask_i64x2(mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < HALF; i++)
        bits |= (uint32_t)(mask[i] & 1) << i;
    return bits;
#endif
}

static inline Doubles same(double x)
{
    return x - (Doubles){0};
}

static inline Doubles size_of(Doubles x)
{
    return (Doubles)((Longs)x & INT64_MAX);
}

/* Half of the lanes: 0 is the first one. */
static inline Doubles half_of(Floats x, int half)
{
    HalfFloats v;
    memcpy(&v, (const char *)&x + half * (int)sizeof v, sizeof v);
    return __builtin_convertvector(v, Doubles);
}

static inline Doubles load_doubles(const float *from)
{
    HalfFloats v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, Doubles);
}

#endif
