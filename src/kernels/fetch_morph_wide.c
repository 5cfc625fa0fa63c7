/* Leaves whose vertices are sums of morph targets, skinned or not. See fetch.h.
 *
 * With sixteen lanes a leaf of up to 32 vertices stays in registers. Elsewhere, and for leaves with
 * more vertices, these are written to memory as rows and fetched like any others. */
#include "kernels/group_vectors.h"
#include "kernels/kernels.h"

#include <math.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { MAX_POINTS = PLI_GROUP * PLI_MAX_TABLE_GROUPS };

/* ---- By way of memory ------------------------------------------------------------------------ */

/* Transforms columns of x, y and z to rows of four floats, of which the last is unspecified. */
static void store_points(const float *columns, int32_t count, const PliTransform *transform,
                         float *points)
{
    for (int32_t i = 0; i < count; i += 4) {
        Float4 x, y, z;
        memcpy(&x, columns + i, sizeof x);
        memcpy(&y, columns + count + i, sizeof y);
        memcpy(&z, columns + 2 * count + i, sizeof z);
        if (transform) {
            const PliFloat4 *m = transform->columns;
            Float4 p = ((m[0][0] * x + m[1][0] * y) + m[2][0] * z) + m[3][0];
            Float4 q = ((m[0][1] * x + m[1][1] * y) + m[2][1] * z) + m[3][1];
            Float4 r = ((m[0][2] * x + m[1][2] * y) + m[2][2] * z) + m[3][2];
            x = p;
            y = q;
            z = r;
        }
        Float4 xy_low = __builtin_shufflevector(x, y, 0, 4, 1, 5);
        Float4 xy_high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
        Float4 zz_low = __builtin_shufflevector(z, z, 0, 4, 1, 5);
        Float4 zz_high = __builtin_shufflevector(z, z, 2, 6, 3, 7);
        const Float4 rows[4] = {__builtin_shufflevector(xy_low, zz_low, 0, 1, 4, 5),
                                __builtin_shufflevector(xy_low, zz_low, 2, 3, 6, 7),
                                __builtin_shufflevector(xy_high, zz_high, 0, 1, 4, 5),
                                __builtin_shufflevector(xy_high, zz_high, 2, 3, 6, 7)};
        memcpy(points + 4 * (size_t)i, rows, sizeof rows);
    }
}

/* Skins columns of x, y and z in place, GROUP_LANES vertices at a time. */
static void skin_points(const PliMorphLeaf *leaf, float *columns)
{
    const size_t count = PLI_GROUP * (size_t)leaf->group_count;
    for (size_t i = 0; i < count; i += GROUP_LANES) {
        const GroupFloats p[3] = {load_group(columns + i), load_group(columns + count + i),
                                  load_group(columns + 2 * count + i)};
        GroupFloats sums[3] = {{0}, {0}, {0}};
        for (int32_t j = 0; j < leaf->joint_count; j++) {
            const PliFloat4 *m = leaf->joint_transforms[leaf->joints[j]].columns;
            const GroupFloats weights = load_group(leaf->joint_weights + count * (size_t)j + i);
            const GroupInts is_there = weights != 0;
            for (int k = 0; k < 3; k++) {
                GroupFloats moved = ((m[0][k] * p[0] + m[1][k] * p[1]) + m[2][k] * p[2]) + m[3][k];
                sums[k] += (GroupFloats)(is_there & (GroupInts)(weights * moved));
            }
        }
        for (int k = 0; k < 3; k++)
            store_group(columns + count * (size_t)k + i, sums[k]);
    }
}

static void fetch_by_memory(const PliMorphLeaf *leaf, float *rows, PliLeafBoxes *boxes)
{
    const int32_t count = PLI_GROUP * leaf->group_count, triangle_count = leaf->triangle_count;
    float columns[3 * MAX_POINTS], points[4 * MAX_POINTS];
    uint32_t corners[3 * PLI_LEAF_SIZE];
    PLI_NAME(pli_weighted_sum)
    (leaf->base, leaf->terms, leaf->weights, leaf->term_count, 3 * count, columns);
    if (leaf->joint_count > 0)
        skin_points(leaf, columns);
    store_points(columns, count, leaf->transform, points);
    for (int32_t i = 0; i < triangle_count; i++)
        for (int32_t c = 0; c < 3; c++)
            corners[3 * i + c] = leaf->corners[triangle_count * c + i];
    /* One more than there are, so that none is the last. */
    PliVertexView view = {(const char *)points, 4 * sizeof(float), MAX_POINTS + 1};
    PLI_NAME(pli_fetch_leaf)(&view, corners, triangle_count, NULL, rows, boxes);
}

#if PLI_LANES != 16

void PLI_NAME(pli_fetch_morph)(const PliMorphLeaf *leaf, float *rows, PliLeafBoxes *boxes)
{
    fetch_by_memory(leaf, rows, boxes);
}

#else

/* ---- In registers -------------------------------------------------------------------------------
 *
 * From terms to rows, for one coordinate of 32 vertices in two registers:
 *
 *     columns     x of vertices 0 .. 31 | y of them | z of them       sums, skinned, transformed
 *        |        permute by the corner numbers of all triangles
 *        v
 *     corners     [corner 0, 1, 2][x, y, z]: lane t is triangle t
 *        |        transpose by four lanes
 *        v
 *     rows        x0 y0 z0 x1 | y1 z1 x2 y2 | z2                      nine floats a triangle
 *
 * Boxes are minima and maxima of the corners, lane by lane. */

/* One coordinate of up to 32 vertices. */
typedef struct Column {
    __m512 low, high;
} Column;

/* The masks have a bit for each vertex that is there. */
ALWAYS_INLINE Column load_column(const float *from, __mmask16 low, __mmask16 high)
{
    return (Column){_mm512_maskz_loadu_ps(low, from), _mm512_maskz_loadu_ps(high, from + 16)};
}

ALWAYS_INLINE void add_product(Column *sum, float weight, Column term)
{
    __m512 w = _mm512_set1_ps(weight);
    sum->low = _mm512_add_ps(sum->low, _mm512_mul_ps(w, term.low));
    sum->high = _mm512_add_ps(sum->high, _mm512_mul_ps(w, term.high));
}

/* The sums of the terms: x, y and z. */
ALWAYS_INLINE void sum_columns(const PliMorphLeaf *leaf, __mmask16 low, __mmask16 high,
                               Column columns[3])
{
    const int32_t count = PLI_GROUP * leaf->group_count;
    const __m512 zero = _mm512_setzero_ps();
    for (int k = 0; k < 3; k++)
        columns[k] =
            leaf->base ? load_column(leaf->base + count * k, low, high) : (Column){zero, zero};
    for (int32_t t = 0; t < leaf->term_count; t++)
        for (int k = 0; k < 3; k++)
            add_product(&columns[k], leaf->weights[t],
                        load_column(leaf->terms[t] + count * k, low, high));
}

ALWAYS_INLINE __m512 move(const PliTransform *transform, int k, __m512 x, __m512 y, __m512 z)
{
    const PliFloat4 *m = transform->columns;
    __m512 sum = _mm512_add_ps(_mm512_mul_ps(_mm512_set1_ps(m[0][k]), x),
                               _mm512_mul_ps(_mm512_set1_ps(m[1][k]), y));
    sum = _mm512_add_ps(sum, _mm512_mul_ps(_mm512_set1_ps(m[2][k]), z));
    return _mm512_add_ps(sum, _mm512_set1_ps(m[3][k]));
}

ALWAYS_INLINE void move_columns(const PliTransform *transform, Column c[3])
{
    Column moved[3];
    for (int k = 0; k < 3; k++) {
        moved[k].low = move(transform, k, c[0].low, c[1].low, c[2].low);
        moved[k].high = move(transform, k, c[0].high, c[1].high, c[2].high);
    }
    memcpy(c, moved, sizeof moved);
}

/* Adds nothing where a weight is zero, even if the position is not finite. */
ALWAYS_INLINE __m512 add_weighted(__m512 sum, __m512 weights, __m512 moved)
{
    const __mmask16 is_there = _mm512_cmp_ps_mask(weights, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    return _mm512_add_ps(sum, _mm512_maskz_mul_ps(is_there, weights, moved));
}

/* Skins the columns in place. */
ALWAYS_INLINE void skin_columns(const PliMorphLeaf *leaf, __mmask16 low, __mmask16 high,
                                Column columns[3])
{
    const __m512 zero = _mm512_setzero_ps();
    Column sums[3] = {{zero, zero}, {zero, zero}, {zero, zero}};
    const float *from = leaf->joint_weights;
    for (int32_t j = 0; j < leaf->joint_count; j++, from += PLI_GROUP * (size_t)leaf->group_count) {
        Column moved[3] = {columns[0], columns[1], columns[2]};
        const Column weights = load_column(from, low, high);
        move_columns(&leaf->joint_transforms[leaf->joints[j]], moved);
        for (int k = 0; k < 3; k++) {
            sums[k].low = add_weighted(sums[k].low, weights.low, moved[k].low);
            sums[k].high = add_weighted(sums[k].high, weights.high, moved[k].high);
        }
    }
    memcpy(columns, sums, sizeof sums);
}

/* Transposes 4 x 4 in each quarter: lane 4 q + r of in[c] goes to lane 4 q + c of out[r]. */
ALWAYS_INLINE void transpose(const __m512 in[4], __m512 out[4])
{
    __m512 p = _mm512_unpacklo_ps(in[0], in[1]), q = _mm512_unpackhi_ps(in[0], in[1]);
    __m512 r = _mm512_unpacklo_ps(in[2], in[3]), s = _mm512_unpackhi_ps(in[2], in[3]);
    out[0] = _mm512_shuffle_ps(p, r, 0x44);
    out[1] = _mm512_shuffle_ps(p, r, 0xee);
    out[2] = _mm512_shuffle_ps(q, s, 0x44);
    out[3] = _mm512_shuffle_ps(q, s, 0xee);
}

/* Rows by quarters: quarter q of vector r is part of the row of triangle 4 q + r. */
typedef struct RowParts {
    __m512 first[4], second[4]; /* floats 0 to 3 and 4 to 7 of the rows */
    __m512 last[4];             /* float 8, and three more that are unspecified */
} RowParts;

ALWAYS_INLINE RowParts row_parts(__m512 corners[3][3])
{
    const __m512 start[4] = {corners[0][0], corners[0][1], corners[0][2], corners[1][0]};
    const __m512 middle[4] = {corners[1][1], corners[1][2], corners[2][0], corners[2][1]};
    const __m512 end = corners[2][2];
    RowParts parts = {.last = {end, _mm512_permute_ps(end, 1), _mm512_permute_ps(end, 2),
                               _mm512_permute_ps(end, 3)}};
    transpose(start, parts.first);
    transpose(middle, parts.second);
    return parts;
}

/* Stores the rows of triangles 4 q to 4 q + 3. Behind each row three floats are overwritten, which
 * are the start of the next row and stored after it; behind the last row nothing may be. A macro,
 * since the instruction takes the quarter as a constant. */
#define STORE_QUARTER(q)                                                                           \
    do {                                                                                           \
        for (int r = 0; r < 4; r++) {                                                              \
            float *row = rows + PLI_ROW_SIZE * (4 * (q) + r);                                      \
            _mm_storeu_ps(row, _mm512_extractf32x4_ps(parts.first[r], q));                         \
            _mm_storeu_ps(row + 4, _mm512_extractf32x4_ps(parts.second[r], q));                    \
            if (4 * (q) + r < PLI_LEAF_SIZE - 1)                                                   \
                _mm_storeu_ps(row + 8, _mm512_extractf32x4_ps(parts.last[r], q));                  \
            else                                                                                   \
                _mm_store_ss(row + 8, _mm512_extractf32x4_ps(parts.last[r], q));                   \
        }                                                                                          \
    } while (0)

ALWAYS_INLINE void store_rows(__m512 corners[3][3], float *rows)
{
    const RowParts parts = row_parts(corners);
    STORE_QUARTER(0);
    STORE_QUARTER(1);
    STORE_QUARTER(2);
    STORE_QUARTER(3);
}

/* The least lane of each of three vectors. Skips NaN. */
ALWAYS_INLINE PliFloat4 least_of_all(const __m512 ends[3])
{
    __m128 p[4];
    for (int k = 0; k < 3; k++) {
        __m512 v = _mm512_min_ps(ends[k], _mm512_set1_ps(INFINITY));
        __m256 half = _mm256_min_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
        p[k] = _mm_min_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
    }
    p[3] = p[2];
    _MM_TRANSPOSE4_PS(p[0], p[1], p[2], p[3]);
    return (PliFloat4)_mm_min_ps(_mm_min_ps(p[0], p[1]), _mm_min_ps(p[2], p[3]));
}

/* The greatest lane of each: the opposite of the least of the opposites. */
ALWAYS_INLINE PliFloat4 greatest_of_all(const __m512 ends[3])
{
    const __m512 zero = _mm512_set1_ps(-0.0f);
    const __m512 opposite[3] = {_mm512_xor_ps(ends[0], zero), _mm512_xor_ps(ends[1], zero),
                                _mm512_xor_ps(ends[2], zero)};
    return -least_of_all(opposite);
}

ALWAYS_INLINE void store_boxes(__m512 corners[3][3], __mmask16 is_there, PliLeafBoxes *boxes)
{
    const __m512 none = _mm512_set1_ps(NAN);
    __m512 low[3], high[3];
    for (int k = 0; k < 3; k++) {
        __m512 p = corners[0][k], q = corners[1][k], r = corners[2][k];
        low[k] = _mm512_mask_min_ps(none, is_there, p, _mm512_min_ps(q, r));
        high[k] = _mm512_mask_max_ps(none, is_there, p, _mm512_max_ps(q, r));
        _mm512_storeu_ps(boxes->low[k], low[k]);
        _mm512_storeu_ps(boxes->high[k], high[k]);
    }
    boxes->all = (PliBox){least_of_all(low), greatest_of_all(high)};
}

/* Gathers the corners of all triangles from the columns of the vertices. */
ALWAYS_INLINE void gather_corners(const PliMorphLeaf *leaf, const Column columns[3], bool is_small,
                                  __mmask16 is_there, __m512 corners[3][3])
{
    for (int c = 0; c < 3; c++) {
        const uint8_t *from = leaf->corners + (size_t)leaf->triangle_count * (size_t)c;
        const __m512i numbers = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(is_there, from));
        for (int k = 0; k < 3; k++)
            corners[c][k] = is_small
                                ? _mm512_permutexvar_ps(numbers, columns[k].low)
                                : _mm512_permutex2var_ps(columns[k].low, numbers, columns[k].high);
    }
}

/* A leaf of up to 16 vertices is small: the high halves of its columns are not used. */
ALWAYS_INLINE void fetch_by_registers(const PliMorphLeaf *leaf, bool is_small, float *rows,
                                      PliLeafBoxes *boxes)
{
    const int32_t count = PLI_GROUP * leaf->group_count;
    const __mmask16 is_there = (__mmask16)((1u << leaf->triangle_count) - 1);
    const __mmask16 low = count < 16 ? 0xff : 0xffff;
    const __mmask16 high = is_small ? 0 : count < 32 ? 0xff : 0xffff;
    Column columns[3];
    __m512 corners[3][3];
    sum_columns(leaf, low, high, columns);
    if (leaf->joint_count > 0)
        skin_columns(leaf, low, high, columns);
    if (leaf->transform)
        move_columns(leaf->transform, columns);
    gather_corners(leaf, columns, is_small, is_there, corners);
    store_rows(corners, rows);
    store_boxes(corners, is_there, boxes);
}

void PLI_NAME(pli_fetch_morph)(const PliMorphLeaf *leaf, float *rows, PliLeafBoxes *boxes)
{
    if (leaf->group_count <= 2)
        fetch_by_registers(leaf, true, rows, boxes);
    else if (leaf->group_count <= 4)
        fetch_by_registers(leaf, false, rows, boxes);
    else
        fetch_by_memory(leaf, rows, boxes);
}

#endif
