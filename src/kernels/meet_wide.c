/* Which boxes meet, PLI_LANES at a time. The same comparisons as in bounds_c.c. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

/* The lanes of b from `lane` on that box i of a meets; b's boxes are rows of `width` floats. */
static inline uint32_t meet_one(const float *a_low, const float *a_high, int a_width, int i,
                                const float *b_low, const float *b_high, int b_width, int lane)
{
    Mask mask = all_lanes();
    for (int k = 0; k < 3; k++) {
        mask = and_at_most(mask, all_same(a_low[k * a_width + i]),
                           load_floats(b_high + k * b_width + lane));
        mask = and_at_most(mask, load_floats(b_low + k * b_width + lane),
                           all_same(a_high[k * a_width + i]));
    }
    return lanes_of(mask);
}

#if PLI_LANES == 16

/* Sixteen lanes are two boxes of a against eight of b. */
uint64_t PLI_NAME(pli_meet_nodes)(const PliBoxes *a, const PliBoxes *b)
{
    __m256 low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = _mm256_loadu_ps(b->low[k]);
        high[k] = _mm256_loadu_ps(b->high[k]);
    }
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        __mmask8 mask = 0xff;
        for (int k = 0; k < 3; k++) {
            mask = _mm256_mask_cmp_ps_mask(mask, _mm256_set1_ps(a->low[k][i]), high[k], _CMP_LE_OQ);
            mask = _mm256_mask_cmp_ps_mask(mask, low[k], _mm256_set1_ps(a->high[k][i]), _CMP_LE_OQ);
        }
        bits |= (uint64_t)mask << (8 * i);
    }
    return bits;
}

#else

uint64_t PLI_NAME(pli_meet_nodes)(const PliBoxes *a, const PliBoxes *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        for (int lane = 0; lane < 8; lane += PLI_LANES)
            bits |= (uint64_t)meet_one(a->low[0], a->high[0], 8, i, b->low[0], b->high[0], 8, lane)
                    << (8 * i + lane);
    return bits;
}

#endif

/* The triangles of a that meet a box. */
static inline uint32_t meet_all(const PliLeafBoxes *a, const PliBox *box)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < PLI_LEAF_SIZE; lane += PLI_LANES) {
        Mask mask = all_lanes();
        for (int k = 0; k < 3; k++) {
            mask = and_at_most(mask, load_floats(a->low[k] + lane), all_same(box->high[k]));
            mask = and_at_most(mask, all_same(box->low[k]), load_floats(a->high[k] + lane));
        }
        bits |= lanes_of(mask) << lane;
    }
    return bits;
}

/* Writes a pair of this row and each of the bits' rows on the other side, and returns the end of
 * them. `is_b` says that this row is b's. */
#if PLI_LANES == 16

/* Without a branch: the numbers of the bits side by side, and each next to the row. */
static inline uint32_t *write_pairs(uint32_t *end, uint32_t row, uint32_t other_row, uint32_t bits,
                                    bool is_b)
{
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i next = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    __m512i rows = _mm512_set1_epi32((int)row);
    __m512i others = _mm512_add_epi32(_mm512_maskz_compress_epi32((__mmask16)bits, lanes),
                                      _mm512_set1_epi32((int)other_row));
    __m512i a = is_b ? others : rows, b = is_b ? rows : others;
    _mm512_storeu_si512(end, _mm512_permutex2var_epi32(a, next, b));
    int count = __builtin_popcount(bits);
    if (count > 8) {
        const __m512i last = _mm512_add_epi32(next, _mm512_set1_epi32(8));
        _mm512_storeu_si512(end + 16, _mm512_permutex2var_epi32(a, last, b));
    }
    return end + 2 * count;
}

#else

static inline uint32_t *write_pairs(uint32_t *end, uint32_t row, uint32_t other_row, uint32_t bits,
                                    bool is_b)
{
    for (; bits; bits &= bits - 1) {
        uint32_t other = other_row + (uint32_t)__builtin_ctz(bits);
        *end++ = is_b ? other : row;
        *end++ = is_b ? row : other;
    }
    return end;
}

#endif

/* Each of some rows of `one` against all of `other`. */
static inline uint32_t *meet_rows(const PliLeafBoxes *one, const PliLeafBoxes *other, uint32_t rows,
                                  uint32_t one_row, uint32_t other_row, uint32_t *end, bool is_b)
{
    for (; rows; rows &= rows - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rows), bits = 0;
        for (int lane = 0; lane < PLI_LEAF_SIZE; lane += PLI_LANES)
            bits |= meet_one(one->low[0], one->high[0], PLI_LEAF_SIZE, (int)i, other->low[0],
                             other->high[0], PLI_LEAF_SIZE, lane)
                    << lane;
        end = write_pairs(end, one_row + i, other_row, bits, is_b);
    }
    return end;
}

int32_t PLI_NAME(pli_meet_leaves)(const PliLeafBoxes *a, const PliLeafBoxes *b, uint32_t a_row,
                                  uint32_t b_row, uint32_t *pairs)
{
    uint32_t a_rows = meet_all(a, &b->all), b_rows = meet_all(b, &a->all);
    uint32_t *end = pairs;
    if (a_rows == 0 || b_rows == 0)
        return 0;
    if (__builtin_popcount(a_rows) <= __builtin_popcount(b_rows))
        end = meet_rows(a, b, a_rows, a_row, b_row, pairs, false);
    else
        end = meet_rows(b, a, b_rows, b_row, a_row, pairs, true);
    return (int32_t)((end - pairs) / 2);
}
