/* Points of a table, to lanes: see wide.h. */
#ifndef PLI_WIDE_POINTS_H
#define PLI_WIDE_POINTS_H

#include "kernels/wide.h"

typedef struct Vec {
    Floats x, y, z;
} Vec;

/* Three floats are loaded for each lane, and never a fourth: a table ends with its last vertex. As
 * in load_columns(), those of lanes r, 4 + r, 8 + r, ... are side by side in one vector, and each
 * group of four lanes is transposed where it is. */

static inline Float4 load3(const float *p)
{
#if PLI_LANES >= 8
    return (Float4)_mm_maskload_ps(p, _mm_setr_epi32(-1, -1, -1, 0));
#else
    return (Float4){p[0], p[1], p[2], 0};
#endif
}

static inline Floats load_side_by_side_3(const float *table, const uint32_t *indices, int stride)
{
    const Float4 first = load3(table + 3 * (size_t)indices[0]);
#if PLI_LANES == 4
    (void)stride;
    return first;
#elif PLI_LANES == 8
    const Float4 second = load3(table + 3 * (size_t)indices[4 * stride]);
    return (Floats)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)first), (__m128)second, 1);
#else
    __m512 v = _mm512_castps128_ps512((__m128)first);
    v = _mm512_insertf32x4(v, (__m128)load3(table + 3 * (size_t)indices[4 * stride]), 1);
    v = _mm512_insertf32x4(v, (__m128)load3(table + 3 * (size_t)indices[8 * stride]), 2);
    return (Floats)_mm512_insertf32x4(v, (__m128)load3(table + 3 * (size_t)indices[12 * stride]),
                                      3);
#endif
}

/* One vertex for each lane; indices are `stride` apart. */
static inline Vec load_vertices(const float *table, const uint32_t *indices, int stride)
{
    const Floats rows[4] = {load_side_by_side_3(table, indices, stride),
                            load_side_by_side_3(table, indices + stride, stride),
                            load_side_by_side_3(table, indices + 2 * stride, stride),
                            load_side_by_side_3(table, indices + 3 * stride, stride)};
    const Floats low01 = PLI_SHUFFLE(rows[0], rows[1], 0, 1, 0, 1),
                 low23 = PLI_SHUFFLE(rows[2], rows[3], 0, 1, 0, 1),
                 high01 = PLI_SHUFFLE(rows[0], rows[1], 2, 3, 2, 3),
                 high23 = PLI_SHUFFLE(rows[2], rows[3], 2, 3, 2, 3);
    return (Vec){PLI_SHUFFLE(low01, low23, 0, 2, 0, 2), PLI_SHUFFLE(low01, low23, 1, 3, 1, 3),
                 PLI_SHUFFLE(high01, high23, 0, 2, 0, 2)};
}

#endif
