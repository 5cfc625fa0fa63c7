/* Vectors of PLI_LANES floats, for sources that are compiled once for each instruction set with
 * PLI_LANES (4, 8 or 16) and PLI_ISA (the suffix of the names) given by the build.
 *
 * The compilers' vector types do most of it: the same source serves SSE2, AVX2, AVX-512, NEON and
 * WebAssembly. A mask is all ones or all zeros in each lane. All functions are static, so that the
 * linker cannot use code of one instruction set for another.
 */
#ifndef PLI_WIDE_H
#define PLI_WIDE_H

#include <stdint.h>
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define PLI_NAME__(name, isa) name##_##isa
#define PLI_NAME_(name, isa) PLI_NAME__(name, isa)
#define PLI_NAME(name) PLI_NAME_(name, PLI_ISA)

typedef float Float4 __attribute__((vector_size(16)));
typedef int32_t Int4 __attribute__((vector_size(16)));
typedef float Floats __attribute__((vector_size(4 * PLI_LANES)));
typedef int32_t Ints __attribute__((vector_size(4 * PLI_LANES)));
typedef int8_t Bytes __attribute__((vector_size(PLI_LANES)));

static inline Floats magnitude(Floats x)
{
    return (Floats)((Ints)x & 0x7fffffff);
}

/* The lane of x where the mask is set, else of y. */
static inline Floats choose(Ints mask, Floats x, Floats y)
{
    return (Floats)((mask & (Ints)x) | (~mask & (Ints)y));
}

/* x < y ? x : y, and x > y ? x : y: one instruction on x86, whose NaN rule this is, and in
 * WebAssembly, whose "pseudo-minimum" is that instruction with the operands swapped. */
#if PLI_LANES == 4 && defined(__SSE2__)
#define PLI_MIN(x, y) __builtin_ia32_minps(x, y)
#define PLI_MAX(x, y) __builtin_ia32_maxps(x, y)
#elif PLI_LANES == 8 && defined(__AVX__)
#define PLI_MIN(x, y) __builtin_ia32_minps256(x, y)
#define PLI_MAX(x, y) __builtin_ia32_maxps256(x, y)
#elif PLI_LANES == 16 && defined(__AVX512F__)
#define PLI_MIN(x, y) (Floats) _mm512_min_ps((__m512)(x), (__m512)(y))
#define PLI_MAX(x, y) (Floats) _mm512_max_ps((__m512)(x), (__m512)(y))
#elif defined(__wasm_simd128__)
#define PLI_MIN(x, y) __builtin_wasm_pmin_f32x4(y, x)
#define PLI_MAX(x, y) __builtin_wasm_pmax_f32x4(y, x)
#else
#define PLI_MIN(x, y) choose((x) < (y), x, y)
#define PLI_MAX(x, y) choose((x) > (y), x, y)
#endif

static inline Floats smaller(Floats x, Floats y)
{
    return PLI_MIN(x, y);
}

static inline Floats larger(Floats x, Floats y)
{
    return PLI_MAX(x, y);
}

static inline void swap_where(Ints mask, Floats *x, Floats *y)
{
#if PLI_LANES == 16 /* a select is one instruction there, and three elsewhere */
    Floats z = choose(mask, *y, *x);
    *y = choose(mask, *x, *y);
    *x = z;
#else
    Ints change = ((Ints)*x ^ (Ints)*y) & mask;
    *x = (Floats)((Ints)*x ^ change);
    *y = (Floats)((Ints)*y ^ change);
#endif
}

/* ---- Comparing ------------------------------------------------------------------------------
 *
 * A Mask gathers comparisons; lanes_of() gives it as bits, lane 0 first. */

#if PLI_LANES == 16 && defined(__AVX512F__)

typedef __mmask16 Mask;

static inline Mask all_lanes(void)
{
    return 0xffff;
}

static inline Mask and_at_most(Mask mask, Floats x, Floats y)
{
    return _mm512_mask_cmp_ps_mask(mask, (__m512)x, (__m512)y, _CMP_LE_OQ);
}

static inline uint32_t lanes_of(Mask mask)
{
    return mask;
}

#else

typedef Ints Mask;

static inline Mask all_lanes(void)
{
    return (Ints){0} == 0;
}

static inline Mask and_at_most(Mask mask, Floats x, Floats y)
{
    return mask & (x <= y);
}

static inline uint32_t lanes_of(Mask mask)
{
#if PLI_LANES == 8 && defined(__AVX__)
    return (uint32_t)__builtin_ia32_movmskps256((Floats)mask);
#elif PLI_LANES == 4 && defined(__SSE2__)
    return (uint32_t)__builtin_ia32_movmskps((Floats)mask);
#elif defined(__wasm_simd128__)
    return (uint32_t)__builtin_wasm_bitmask_i32x4(mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < PLI_LANES; i++)
        bits |= (uint32_t)(mask[i] & 1) << i;
    return bits;
#endif
}

#endif

/* The lanes of a mask from the compiler's own comparisons, as bits. */
static inline uint32_t int_lanes(Ints mask)
{
#if PLI_LANES == 16 && defined(__AVX512DQ__)
    return _mm512_movepi32_mask((__m512i)mask);
#else
    return lanes_of(mask);
#endif
}

/* Lanes of x that are less than those of y, as bits. */
static inline uint32_t lanes_below(Floats x, Floats y)
{
#if PLI_LANES == 16 && defined(__AVX512F__)
    return _mm512_cmp_ps_mask((__m512)x, (__m512)y, _CMP_LT_OQ);
#else
    return int_lanes(x < y);
#endif
}

static inline Floats all_same(float x)
{
    return x - (Floats){0};
}

static inline Floats load_floats(const float *from)
{
    Floats v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* ---- Rows to columns ------------------------------------------------------------------------
 *
 * Lane i comes from row indices[i * index_stride] of a table, row_size floats a row. Four floats of
 * each row are loaded at a time, those of lanes r, 4 + r, 8 + r, ... side by side in one vector,
 * and each group of four lanes is transposed where it is. */

static inline Float4 load4(const float *table, size_t row_size, uint32_t row)
{
    Float4 v;
    memcpy(&v, table + row_size * row, sizeof v);
    return v;
}

#if PLI_LANES == 4

static inline Floats load_side_by_side(const float *table, size_t row_size, const uint32_t *indices,
                                       int stride)
{
    (void)stride;
    return load4(table, row_size, indices[0]);
}

#define PLI_SHUFFLE(x, y, i, j, k, l) __builtin_shufflevector(x, y, i, j, k + 4, l + 4)

#elif PLI_LANES == 8

/* Inserted from memory: a shuffle of two registers would wait for the one port that can do it. */
static inline Floats load_side_by_side(const float *table, size_t row_size, const uint32_t *indices,
                                       int stride)
{
    __m256 low = _mm256_castps128_ps256((__m128)load4(table, row_size, indices[0]));
    return (Floats)_mm256_insertf128_ps(low, (__m128)load4(table, row_size, indices[4 * stride]),
                                        1);
}

#define PLI_SHUFFLE(x, y, i, j, k, l)                                                              \
    __builtin_shufflevector(x, y, i, j, k + 8, l + 8, i + 4, j + 4, k + 12, l + 12)

#elif PLI_LANES == 16

static inline Floats load_side_by_side(const float *table, size_t row_size, const uint32_t *indices,
                                       int stride)
{
    __m512 v = _mm512_castps128_ps512((__m128)load4(table, row_size, indices[0]));
    v = _mm512_mask_broadcast_f32x4(v, 0x00f0, (__m128)load4(table, row_size, indices[4 * stride]));
    v = _mm512_mask_broadcast_f32x4(v, 0x0f00, (__m128)load4(table, row_size, indices[8 * stride]));
    v = _mm512_mask_broadcast_f32x4(v, 0xf000,
                                    (__m128)load4(table, row_size, indices[12 * stride]));
    return (Floats)v;
}

#define PLI_SHUFFLE(x, y, i, j, k, l)                                                              \
    __builtin_shufflevector(x, y, i, j, k + 16, l + 16, i + 4, j + 4, k + 20, l + 20, i + 8,       \
                            j + 8, k + 24, l + 24, i + 12, j + 12, k + 28, l + 28)

#endif

/* Floats offset .. offset + 3 of the rows, as four columns. */
static inline void load_columns(const float *table, size_t row_size, const uint32_t *indices,
                                int stride, int offset, Floats columns[4])
{
    Floats rows[4];
    for (int r = 0; r < 4; r++)
        rows[r] = load_side_by_side(table + offset, row_size, indices + r * stride, stride);
    Floats low01 = PLI_SHUFFLE(rows[0], rows[1], 0, 1, 0, 1);
    Floats low23 = PLI_SHUFFLE(rows[2], rows[3], 0, 1, 0, 1);
    Floats high01 = PLI_SHUFFLE(rows[0], rows[1], 2, 3, 2, 3);
    Floats high23 = PLI_SHUFFLE(rows[2], rows[3], 2, 3, 2, 3);
    columns[0] = PLI_SHUFFLE(low01, low23, 0, 2, 0, 2);
    columns[1] = PLI_SHUFFLE(low01, low23, 1, 3, 1, 3);
    columns[2] = PLI_SHUFFLE(high01, high23, 0, 2, 0, 2);
    columns[3] = PLI_SHUFFLE(high01, high23, 1, 3, 1, 3);
}

#endif
