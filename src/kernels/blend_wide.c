/* Sums of what is blended, and boxes that are moved. See blend_c.c for what they are; groups are of
 * eight, so that vectors of sixteen are used where two groups are left. */
#include "kernels/kernels.h"
#include "kernels/some.h"

#include <float.h>
#include <math.h>

/* ---- Sums ------------------------------------------------------------------------------------ */

static inline void store_floats(float *to, Floats v)
{
    memcpy(to, &v, sizeof v);
}

/* Some vectors side by side, so that none has to wait for another. */
#define BLEND(type, lanes, load, store, vector_count)                                              \
    do {                                                                                           \
        type sums_here[vector_count];                                                              \
        for (int v = 0; v < (vector_count); v++)                                                   \
            sums_here[v] = base ? load(base + i + v * (lanes)) : (type){0};                        \
        for (int32_t t = 0; t < term_count; t++)                                                   \
            for (int v = 0; v < (vector_count); v++)                                               \
                sums_here[v] += weights[t] * load(terms[t] + i + v * (lanes));                     \
        for (int v = 0; v < (vector_count); v++)                                                   \
            store(sums + i + v * (lanes), sums_here[v]);                                           \
        i += (vector_count) * (lanes);                                                             \
    } while (0)

void PLI_NAME(pli_blend)(const float *base, const float *const *terms, const float *weights,
                         int32_t term_count, int32_t count, float *sums)
{
    int32_t i = 0;
    while (i + 4 * PLI_LANES <= count)
        BLEND(Floats, PLI_LANES, load_floats, store_floats, 4);
    while (i + PLI_LANES <= count)
        BLEND(Floats, PLI_LANES, load_floats, store_floats, 1);
    while (i < count)
        BLEND(Some, SOME, load_some, store_some, 1);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* One coordinate of SOME boxes, of which those in `is_there` are moved. */
static inline void move_end(const PliMap *map, int k, const Some low[3], const Some high[3],
                            SomeInts is_there, float *low_end, float *high_end)
{
    const Some all = {0};
    const Some infinity = INFINITY - all;
    Some l = all, h = all;
    for (int j = 0; j < 3; j++) {
        Some m = map->columns[j][k] - all;
        Some p = m * low[j], q = m * high[j];
        Some least = SOME_MIN(p, q), greatest = SOME_MAX(p, q);
        l = j == 0 ? least : l + least;
        h = j == 0 ? greatest : h + greatest;
    }
    l += map->columns[3][k];
    h += map->columns[3][k];
    l = pick(l <= infinity, l, -infinity);
    h = pick(h >= -infinity, h, infinity);
    store_some(low_end, pick(is_there, l, load_some(low_end)));
    store_some(high_end, pick(is_there, h, load_some(high_end)));
}

void PLI_NAME(pli_move_boxes)(const PliMap *map, PliBoxes *boxes)
{
    const Some all = {0};
    for (int i = 0; i < 8; i += SOME) {
        Some low[3], high[3];
        SomeInts is_there = {0};
        is_there = ~is_there;
        for (int k = 0; k < 3; k++) {
            low[k] = load_some(boxes->low[k] + i);
            high[k] = load_some(boxes->high[k] + i);
            is_there &= low[k] <= high[k];
            low[k] = SOME_MAX(low[k], all - FLT_MAX);
            high[k] = SOME_MIN(high[k], all + FLT_MAX);
        }
        for (int k = 0; k < 3; k++)
            move_end(map, k, low, high, is_there, boxes->low[k] + i, boxes->high[k] + i);
    }
}

/* ---- Slabs ----------------------------------------------------------------------------------- */

/* Eight ends. */
static inline void sum_ends(const float *ends, const int32_t groups[3], const PliSlabSum *sum,
                            float offset, float *to)
{
    const float *p = ends + PLI_GROUP * groups[0], *q = ends + PLI_GROUP * groups[1],
                *r = ends + PLI_GROUP * groups[2];
    for (int i = 0; i < PLI_GROUP; i += SOME)
        store_some(to + i,
                   ((sum->factors[0] * load_some(p + i) + sum->factors[1] * load_some(q + i)) +
                    sum->factors[2] * load_some(r + i)) +
                       offset);
}

void PLI_NAME(pli_sum_slabs)(const float *ends, const PliSlabSum *sums, int32_t slab_count,
                             PliBoxes *boxes, float *others)
{
    for (int32_t s = 0; s < 3; s++) {
        sum_ends(ends, sums[s].low, &sums[s], sums[s].low_offset, boxes->low[s]);
        sum_ends(ends, sums[s].high, &sums[s], sums[s].high_offset, boxes->high[s]);
    }
    float *low = others, *high = others + PLI_GROUP * (slab_count - 3);
    for (int32_t s = 3; s < slab_count; s++, low += PLI_GROUP, high += PLI_GROUP) {
        sum_ends(ends, sums[s].low, &sums[s], sums[s].low_offset, low);
        sum_ends(ends, sums[s].high, &sums[s], sums[s].high_offset, high);
    }
}

/* ---- Which meet -------------------------------------------------------------------------------
 */

/* Which lanes are set, lane 0 first. */
static inline uint32_t bits_of(SomeInts mask)
{
#if PLI_LANES == 4
    return lanes_of(mask);
#else
    return (uint32_t)__builtin_ia32_movmskps256((Some)mask);
#endif
}

#if PLI_LANES == 16

/* Which boxes of b are apart from box i of a? */
static inline uint32_t apart_slabs(const float *a, int i, const float *b, int32_t high)
{
    __mmask8 meeting = 0xff;
    for (int32_t s = 0; s < high; s += PLI_GROUP) {
        meeting = _mm256_mask_cmp_ps_mask(meeting, _mm256_set1_ps(a[s + i]),
                                          _mm256_loadu_ps(b + high + s), _CMP_NGT_UQ);
        meeting = _mm256_mask_cmp_ps_mask(meeting, _mm256_loadu_ps(b + s),
                                          _mm256_set1_ps(a[high + s + i]), _CMP_NGT_UQ);
    }
    return (uint8_t)~meeting;
}

#else

/* Which boxes of b are apart from box i of a? */
static inline uint32_t apart_slabs(const float *a, int i, const float *b, int32_t high)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < 8; lane += SOME) {
        SomeInts is_apart = {0};
        for (int32_t s = 0; s < high; s += PLI_GROUP) {
            const Some all = {0};
            is_apart |= a[s + i] - all > load_some(b + high + s + lane);
            is_apart |= load_some(b + s + lane) > a[high + s + i] - all;
        }
        bits |= bits_of(is_apart) << lane;
    }
    return bits;
}

#endif

uint64_t PLI_NAME(pli_meet_slabs)(const float *a, const float *b, int32_t slab_count, uint64_t bits)
{
    for (int i = 0; i < 8; i++)
        if (bits >> (8 * i) & 0xff)
            bits &= ~((uint64_t)apart_slabs(a, i, b, PLI_GROUP * slab_count) << (8 * i));
    return bits;
}

static inline uint32_t apart_balls(const float *a, int i, const float *b)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < 8; lane += SOME) {
        const Some all = {0};
        Some reach = (a[24 + i] - all) + load_some(b + 24 + lane), square = all;
        for (int k = 0; k < 24; k += 8) {
            Some d = (a[k + i] - all) - load_some(b + k + lane);
            square += d * d;
        }
        bits |= bits_of(square > reach * reach + 0x1p-140f) << lane;
    }
    return bits;
}

uint64_t PLI_NAME(pli_meet_balls)(const float *a, const float *b, uint64_t bits)
{
    for (int i = 0; i < 8; i++)
        if (bits >> (8 * i) & 0xff)
            bits &= ~((uint64_t)apart_balls(a, i, b) << (8 * i));
    return bits;
}
