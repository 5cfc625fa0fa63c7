/* Which triangle boxes of two leaves overlap. See overlap.h.
 *
 * Of each pair of leaves, the triangles of one side whose boxes overlap the box of the whole other
 * leaf become rows. They come from the side that has fewer of these, perhaps none, and each row is
 * compared with all sixteen boxes of the other side. The number of rows of a pair is unpredictable,
 * and so would be the branch at the end of its loop. So the rows of all pairs are listed first, and
 * then processed as one array. Overlapping triangles are written without branches as well: the
 * places of set bits come from a table or from an instruction. */
#include "kernels/kernels.h"
#include "kernels/overlap_row.h"

/* The triangles of a leaf whose boxes overlap a box, as bits. */
static inline uint32_t overlap_all(const PliLeafBoxes *a, const PliBox *box)
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

/* ---- Rows -------------------------------------------------------------------------------------
 *
 * A row is a word: a triangle of one leaf of a pair, and, once they are known, the triangles of the
 * other leaf whose boxes overlap its box.
 *
 *      31                     16 15      10 9       5  4   3          0
 *     +-------------------------+----------+---------+----+------------+
 *     | overlaps, a bit for     |  unused  | pair of |side| triangle   |
 *     | each of the other leaf  |          | leaves  |    |            |
 *     +-------------------------+----------+---------+----+------------+
 *
 * Side 0 is leaf a of the pair, side 1 is leaf b. Rows of one side of one pair have consecutive
 * words, so that a row is that of triangle 0 plus the number of the triangle. */

enum { ROW_SIDE_SHIFT = 4, ROW_PAIR_SHIFT = 5, ROW_OVERLAPS_SHIFT = 16 };

_Static_assert(PLI_LEAF_SIZE == 1 << ROW_SIDE_SHIFT, "a triangle takes four bits");
_Static_assert(PLI_LEAF_PAIRS << ROW_PAIR_SHIFT <= 1 << ROW_OVERLAPS_SHIFT, "a pair fits below");

/* The row of triangle 0. */
static inline uint32_t first_row(uint32_t pair, uint32_t side)
{
    return pair << ROW_PAIR_SHIFT | side << ROW_SIDE_SHIFT;
}

static inline uint32_t row_triangle(uint32_t row)
{
    return row & (PLI_LEAF_SIZE - 1);
}

static inline uint32_t row_side(uint32_t row)
{
    return row >> ROW_SIDE_SHIFT & 1;
}

static inline uint32_t row_pair(uint32_t row)
{
    return row >> ROW_PAIR_SHIFT & (PLI_LEAF_PAIRS - 1);
}

static inline uint32_t row_overlaps(uint32_t row)
{
    return row >> ROW_OVERLAPS_SHIFT;
}

static inline uint32_t with_overlaps(uint32_t row, uint32_t overlaps)
{
    return overlaps << ROW_OVERLAPS_SHIFT | row;
}

/* list_rows() writes a row for each triangle whose bit is set, from the row of triangle 0 on.
 * write_pairs() writes a pair of one triangle and each of the other leaf whose bit is set; `side`
 * is where that one goes in the pair. Both return the end of what they wrote, behind which a vector
 * more may be overwritten. */

#if PLI_LANES == 16

static inline uint32_t *list_rows(uint32_t *end, uint32_t row, uint32_t bits)
{
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i rows = _mm512_add_epi32(lanes, _mm512_set1_epi32((int)row));
    _mm512_storeu_si512(end, _mm512_maskz_compress_epi32((__mmask16)bits, rows));
    return end + __builtin_popcount(bits);
}

/* The others are compressed to the front of a vector, and interleaved with the one triangle. */
static inline uint32_t *write_pairs(uint32_t *end, uint32_t triangle, uint32_t first_other,
                                    uint32_t bits, unsigned side)
{
    static const int32_t next[2][16] = {
        {0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23},
        {16, 0, 17, 1, 18, 2, 19, 3, 20, 4, 21, 5, 22, 6, 23, 7},
    };
    const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    __m512i same = _mm512_set1_epi32((int)triangle), order = _mm512_loadu_si512(next[side]);
    __m512i others = _mm512_add_epi32(_mm512_maskz_compress_epi32((__mmask16)bits, lanes),
                                      _mm512_set1_epi32((int)first_other));
    _mm512_storeu_si512(end, _mm512_permutex2var_epi32(same, order, others));
    int count = __builtin_popcount(bits);
    if (PLI_UNLIKELY(count > 8)) {
        order = _mm512_add_epi32(order, _mm512_set1_epi32(8));
        _mm512_storeu_si512(end + 16, _mm512_permutex2var_epi32(same, order, others));
    }
    return end + 2 * count;
}

#elif PLI_LANES == 8

/* For each eight bits, the places of those that are set, compressed to the front, a byte each.
 * AVX-512 has an instruction for it. */
#define BIT(m, i) ((uint64_t)((m) >> (i)&1))
#define BELOW3(m) (BIT(m, 0) + BIT(m, 1) + BIT(m, 2))
#define BELOW6(m) (BELOW3(m) + BIT(m, 3) + BIT(m, 4) + BIT(m, 5))
#define PLACE(m, i, below) (BIT(m, i) * (uint64_t)(i) << 8 * (below))
#define PLACES(m)                                                                                  \
    (PLACE(m, 1, BIT(m, 0)) | PLACE(m, 2, BIT(m, 0) + BIT(m, 1)) | PLACE(m, 3, BELOW3(m)) |        \
     PLACE(m, 4, BELOW3(m) + BIT(m, 3)) | PLACE(m, 5, BELOW3(m) + BIT(m, 3) + BIT(m, 4)) |         \
     PLACE(m, 6, BELOW6(m)) | PLACE(m, 7, BELOW6(m) + BIT(m, 6)))
#define PLACES4(m) PLACES(m), PLACES(m + 1), PLACES(m + 2), PLACES(m + 3)
#define PLACES16(m) PLACES4(m), PLACES4(m + 4), PLACES4(m + 8), PLACES4(m + 12)
#define PLACES64(m) PLACES16(m), PLACES16(m + 16), PLACES16(m + 32), PLACES16(m + 48)

static const uint64_t LANES_OF_BITS[256] = {PLACES64(0), PLACES64(64), PLACES64(128),
                                            PLACES64(192)};

/* first + the places of the bits. */
static inline __m256i places_from(uint32_t first, uint32_t bits)
{
    __m256i lanes = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)&LANES_OF_BITS[bits]));
    return _mm256_add_epi32(lanes, _mm256_set1_epi32((int)first));
}

static inline uint32_t *list_rows(uint32_t *end, uint32_t row, uint32_t bits)
{
    _mm256_storeu_si256((__m256i *)end, places_from(row, bits & 255));
    end += __builtin_popcount(bits & 255);
    _mm256_storeu_si256((__m256i *)end, places_from(row + 8, bits >> 8));
    return end + __builtin_popcount(bits >> 8);
}

/* The pairs of eight others. */
static inline uint32_t *write_half(uint32_t *end, __m256i same, uint32_t first_other, uint32_t bits,
                                   unsigned side)
{
    __m256i others = places_from(first_other, bits);
    __m256i low = _mm256_unpacklo_epi32(same, others), high = _mm256_unpackhi_epi32(same, others);
    if (side) {
        low = _mm256_shuffle_epi32(low, 0xb1);
        high = _mm256_shuffle_epi32(high, 0xb1);
    }
    _mm256_storeu_si256((__m256i *)end, _mm256_permute2x128_si256(low, high, 0x20));
    _mm256_storeu_si256((__m256i *)end + 1, _mm256_permute2x128_si256(low, high, 0x31));
    return end + 2 * __builtin_popcount(bits);
}

static inline uint32_t *write_pairs(uint32_t *end, uint32_t triangle, uint32_t first_other,
                                    uint32_t bits, unsigned side)
{
    __m256i same = _mm256_set1_epi32((int)triangle);
    end = write_half(end, same, first_other, bits & 255, side);
    return write_half(end, same, first_other + 8, bits >> 8, side);
}

#else

/* For each four bits, the places of those that are set, compressed to the front, and how many. */
static const int32_t LANES_OF_BITS[16][4] = {
    {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
    {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
static const uint8_t place_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static inline Ints places_from(uint32_t first, uint32_t bits)
{
    Ints lanes;
    memcpy(&lanes, LANES_OF_BITS[bits], sizeof lanes);
    return lanes + (int32_t)first;
}

static inline uint32_t *list_rows(uint32_t *end, uint32_t row, uint32_t bits)
{
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i += 4, bits >>= 4) {
        Ints rows = places_from(row + i, bits & 15);
        memcpy(end, &rows, sizeof rows);
        end += place_counts[bits & 15];
    }
    return end;
}

static inline uint32_t *write_pairs(uint32_t *end, uint32_t triangle, uint32_t first_other,
                                    uint32_t bits, unsigned side)
{
    const Ints same = (Ints){0} + (int32_t)triangle, is_second = (Ints){0} - (int32_t)side;
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i += 4, bits >>= 4) {
        Ints others = places_from(first_other + i, bits & 15);
        Ints change = (same ^ others) & is_second, a = same ^ change, b = others ^ change;
        Ints low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
        Ints high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
        memcpy(end, &low, sizeof low);
        memcpy(end + 4, &high, sizeof high);
        end += 2 * place_counts[bits & 15];
    }
    return end;
}

#endif

static inline int count_bits(uint32_t bits)
{
#if PLI_LANES == 4 && !defined(__wasm__) /* not every such machine has an instruction for it */
    return place_counts[bits & 15] + place_counts[bits >> 4 & 15] + place_counts[bits >> 8 & 15] +
           place_counts[bits >> 12];
#else
    return __builtin_popcount(bits);
#endif
}

/* ---- Pairs within one leaf ---------------------------------------------------------------------
 *
 * Each box i is compared with box (i + n) mod 16, for n from 1 to 8: half around. Word n - 1 has a
 * bit for each i. */

#if PLI_LANES == 16

#define OVERLAP_AFTER(after)                                                                       \
    do {                                                                                           \
        __mmask16 mask = 0xffff;                                                                   \
        for (int k = 0; k < 3; k++) {                                                              \
            const __m512i other_low = _mm512_alignr_epi32(low[k], low[k], after);                  \
            const __m512i other_high = _mm512_alignr_epi32(high[k], high[k], after);               \
            mask = _mm512_mask_cmp_ps_mask(mask, _mm512_castsi512_ps(low[k]),                      \
                                           _mm512_castsi512_ps(other_high), _CMP_LE_OQ);           \
            mask = _mm512_mask_cmp_ps_mask(mask, _mm512_castsi512_ps(other_low),                   \
                                           _mm512_castsi512_ps(high[k]), _CMP_LE_OQ);              \
        }                                                                                          \
        bits[(after)-1] = mask;                                                                    \
    } while (0)

static inline void overlap_after(const PliLeafBoxes *leaf, uint32_t bits[PLI_LEAF_SIZE / 2])
{
    __m512i low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = _mm512_loadu_si512(leaf->low[k]);
        high[k] = _mm512_loadu_si512(leaf->high[k]);
    }
    OVERLAP_AFTER(1);
    OVERLAP_AFTER(2);
    OVERLAP_AFTER(3);
    OVERLAP_AFTER(4);
    OVERLAP_AFTER(5);
    OVERLAP_AFTER(6);
    OVERLAP_AFTER(7);
    OVERLAP_AFTER(8);
}

#else

static inline void overlap_after(const PliLeafBoxes *leaf, uint32_t bits[PLI_LEAF_SIZE / 2])
{
    enum { HALF = PLI_LEAF_SIZE / 2 };
    float low[3][PLI_LEAF_SIZE + HALF], high[3][PLI_LEAF_SIZE + HALF];
    for (int k = 0; k < 3; k++) {
        memcpy(low[k], leaf->low[k], sizeof leaf->low[k]);
        memcpy(high[k], leaf->high[k], sizeof leaf->high[k]);
        memcpy(low[k] + PLI_LEAF_SIZE, leaf->low[k], HALF * sizeof(float));
        memcpy(high[k] + PLI_LEAF_SIZE, leaf->high[k], HALF * sizeof(float));
    }
    for (int after = 1; after <= HALF; after++) {
        bits[after - 1] = 0;
        for (int lane = 0; lane < PLI_LEAF_SIZE; lane += PLI_LANES) {
            Mask mask = all_lanes();
            for (int k = 0; k < 3; k++) {
                const float *one_low = low[k] + lane, *one_high = high[k] + lane;
                mask = and_at_most(mask, load_floats(one_low), load_floats(one_high + after));
                mask = and_at_most(mask, load_floats(one_low + after), load_floats(one_high));
            }
            bits[after - 1] |= lanes_of(mask) << lane;
        }
    }
}

#endif

/* Writes the pairs. The eight words become two of 64 bits: how many of the bits of one word are set
 * is unpredictable. */
static inline uint32_t *overlap_own(const PliLeafBoxes *leaf, uint32_t first,
                                    const PliExclusionMask *mask, uint32_t *end)
{
    uint32_t bits[PLI_LEAF_SIZE / 2];
    uint64_t halves[2] = {0, 0};
    overlap_after(leaf, bits);
    for (int n = 0; n < PLI_LEAF_SIZE / 2; n++)
        halves[n / 4] |= (uint64_t)(bits[n] & ~(uint32_t)mask->a[n]) << PLI_LEAF_SIZE * (n % 4);
    for (uint32_t h = 0; h < 2; h++)
        for (; halves[h]; halves[h] &= halves[h] - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(halves[h]), i = bit % PLI_LEAF_SIZE;
            *end++ = first + i;
            *end++ = first + (i + 4 * h + bit / PLI_LEAF_SIZE + 1) % PLI_LEAF_SIZE;
        }
    return end;
}

/* ---- Pairs of leaves ------------------------------------------------------------------------- */

/* The input of one call. */
typedef struct Input {
    const PliLeafBoxes *leaves;
    const uint32_t *pairs;                          /* two leaves each */
    const PliExclusionMask *const *exclusion_masks; /* for each pair of leaves, or NULL */
} Input;

/* The leaf that a row is of, and the other one of the pair. */
static inline uint32_t row_leaf(const Input *in, uint32_t row)
{
    return in->pairs[2 * row_pair(row) + row_side(row)];
}

static inline uint32_t other_leaf(const Input *in, uint32_t row)
{
    return in->pairs[2 * row_pair(row) + 1 - row_side(row)];
}

/* Lists the rows of a pair of two leaves, from the side that has fewer. */
static inline uint32_t *list_pair(const Input *in, uint32_t pair, uint32_t *rows_end)
{
    const PliLeafBoxes *a = &in->leaves[in->pairs[2 * pair]];
    const PliLeafBoxes *b = &in->leaves[in->pairs[2 * pair + 1]];
    const uint32_t near[2] = {overlap_all(a, &b->all), overlap_all(b, &a->all)};
    const uint32_t side = count_bits(near[1]) < count_bits(near[0]);
    return list_rows(rows_end, first_row(pair, side), near[side]);
}

/* The triangles of the other leaf whose boxes overlap that of the row's triangle. */
static inline uint32_t find_overlaps(const Input *in, uint32_t row)
{
    return overlap_one(in->leaves[row_leaf(in, row)].low[0], (int)row_triangle(row),
                       in->leaves[other_leaf(in, row)].low[0], PLI_LEAF_SIZE);
}

/* Finds what rows overlap and is not excluded. Keeps the rows that have any, in place, without a
 * branch. */
static inline uint32_t *keep_rows(const Input *in, uint32_t *rows, const uint32_t *rows_end)
{
    uint32_t *kept = rows;
    for (const uint32_t *row = rows; row < rows_end; row++) {
        const PliExclusionMask *mask = in->exclusion_masks[row_pair(*row)];
        const uint16_t *words = row_side(*row) ? mask->b : mask->a;
        const uint32_t overlaps = find_overlaps(in, *row) & ~(uint32_t)words[row_triangle(*row)];
        *kept = with_overlaps(*row, overlaps);
        kept += overlaps != 0;
    }
    return kept;
}

static inline uint32_t *write_row(const Input *in, uint32_t row, uint32_t overlaps, uint32_t *end)
{
    return write_pairs(end, PLI_LEAF_SIZE * row_leaf(in, row) + row_triangle(row),
                       PLI_LEAF_SIZE * other_leaf(in, row), overlaps, row_side(row));
}

int32_t PLI_NAME(pli_overlap_leaves)(const PliLeafBoxes *leaves, const uint32_t *leaf_pairs,
                                     int32_t leaf_pair_count,
                                     const PliExclusionMask *const *exclusion_masks,
                                     uint32_t *pairs)
{
    const Input in = {leaves, leaf_pairs, exclusion_masks};
    uint32_t rows[PLI_LEAF_SIZE * (PLI_LEAF_PAIRS + 1)], *rows_end = rows, *end = pairs;
    for (uint32_t p = 0; p < (uint32_t)leaf_pair_count; p++) {
        const uint32_t a = leaf_pairs[2 * p];
        if (exclusion_masks && a == leaf_pairs[2 * p + 1])
            end = overlap_own(&leaves[a], PLI_LEAF_SIZE * a, exclusion_masks[p], end);
        else
            rows_end = list_pair(&in, p, rows_end);
    }
    if (exclusion_masks) {
        rows_end = keep_rows(&in, rows, rows_end);
        for (const uint32_t *row = rows; row < rows_end; row++)
            end = write_row(&in, *row, row_overlaps(*row), end);
    } else {
        for (const uint32_t *row = rows; row < rows_end; row++)
            end = write_row(&in, *row, find_overlaps(&in, *row), end);
    }
    return (int32_t)((end - pairs) / 2);
}
