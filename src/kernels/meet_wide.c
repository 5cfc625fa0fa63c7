/* Which boxes meet, PLI_LANES at a time. The same comparisons as in bounds_c.c. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

/* The boxes of `other` that box i of `one` meets; there are `count` on either side, a multiple of
 * PLI_LANES, as rows of low x, low y, low z, high x, high y, high z. */
static inline uint32_t meet_one(const float *one, int i, const float *other, int count)
{
    enum { MOST = PLI_LEAF_SIZE / PLI_LANES };
    Mask masks[MOST];
    for (int m = 0; m < count / PLI_LANES; m++)
        masks[m] = all_lanes();
    for (int k = 0; k < 3; k++) {
        const float *low = other + k * count, *high = low + 3 * count;
        Floats one_low = all_same(one[k * count + i]),
               one_high = all_same(one[(k + 3) * count + i]);
        for (int m = 0; m < count / PLI_LANES; m++) {
            masks[m] = and_at_most(masks[m], one_low, load_floats(high + m * PLI_LANES));
            masks[m] = and_at_most(masks[m], load_floats(low + m * PLI_LANES), one_high);
        }
    }
    uint32_t bits = 0;
    for (int m = 0; m < count / PLI_LANES; m++)
        bits |= lanes_of(masks[m]) << (m * PLI_LANES);
    return bits;
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
        bits |= (uint64_t)meet_one(a->low[0], i, b->low[0], 8) << (8 * i);
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
 * them. `place` is where this row goes, 0 or 1: first or second in the pair. */
#if PLI_LANES == 16

/* Without a branch: the numbers of the bits side by side, and each next to the row. */
static inline uint32_t *write_pairs(uint32_t *end, uint32_t row, uint32_t other_row, uint32_t bits,
                                    unsigned place)
{
    static const int32_t next[2][16] = {
        {0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23},
        {16, 0, 17, 1, 18, 2, 19, 3, 20, 4, 21, 5, 22, 6, 23, 7},
    };
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i rows = _mm512_set1_epi32((int)row), order = _mm512_loadu_si512(next[place]);
    __m512i others = _mm512_add_epi32(_mm512_maskz_compress_epi32((__mmask16)bits, lanes),
                                      _mm512_set1_epi32((int)other_row));
    _mm512_storeu_si512(end, _mm512_permutex2var_epi32(rows, order, others));
    int count = __builtin_popcount(bits);
    if (PLI_UNLIKELY(count > 8)) {
        order = _mm512_add_epi32(order, _mm512_set1_epi32(8));
        _mm512_storeu_si512(end + 16, _mm512_permutex2var_epi32(rows, order, others));
    }
    return end + 2 * count;
}

#else

static inline uint32_t *write_pairs(uint32_t *end, uint32_t row, uint32_t other_row, uint32_t bits,
                                    unsigned place)
{
    for (; bits; bits &= bits - 1, end += 2) {
        end[place] = row;
        end[1 - place] = other_row + (uint32_t)__builtin_ctz(bits);
    }
    return end;
}

#endif

/* Those of a side that meet the box of the other leaf, against all of the other, from the side on
 * which they are fewer: perhaps none. Which side that is cannot be foreseen, and so is no branch.
 */
int32_t PLI_NAME(pli_meet_leaves)(const PliLeafBoxes *a, const PliLeafBoxes *b, uint32_t a_row,
                                  uint32_t b_row, uint32_t *pairs)
{
    const PliLeafBoxes *const leaves[2] = {a, b};
    const uint32_t rows_near[2] = {meet_all(a, &b->all), meet_all(b, &a->all)};
    const uint32_t first_rows[2] = {a_row, b_row};
    unsigned side = __builtin_popcount(rows_near[1]) < __builtin_popcount(rows_near[0]);
    const PliLeafBoxes *one = leaves[side], *other = leaves[1 - side];
    uint32_t one_row = first_rows[side], other_row = first_rows[1 - side];
    uint32_t *end = pairs;
    for (uint32_t rows = rows_near[side]; rows; rows &= rows - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rows);
        uint32_t bits = meet_one(one->low[0], (int)i, other->low[0], PLI_LEAF_SIZE);
        end = write_pairs(end, one_row + i, other_row, bits, side);
    }
    return (int32_t)((end - pairs) / 2);
}
