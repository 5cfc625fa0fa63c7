/* Weighted sums, and bounds made of them. See weighted_sum.h.
 *
 * Counts are multiples of a group of eight, so that vectors of sixteen are used while two groups
 * are left. */
#include "kernels/group_vectors.h"
#include "kernels/kernels.h"

#include <float.h>
#include <math.h>

/* ---- Sums ------------------------------------------------------------------------------------ */

static inline void store_floats(float *to, Floats v)
{
    memcpy(to, &v, sizeof v);
}

/* GroupFloats vectors side by side, so that none has to wait for another. */
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

void PLI_NAME(pli_weighted_sum)(const float *base, const float *const *terms, const float *weights,
                                int32_t term_count, int32_t count, float *sums)
{
    int32_t i = 0;
    while (i + 4 * PLI_LANES <= count)
        BLEND(Floats, PLI_LANES, load_floats, store_floats, 4);
    while (i + PLI_LANES <= count)
        BLEND(Floats, PLI_LANES, load_floats, store_floats, 1);
    while (i < count)
        BLEND(GroupFloats, GROUP_LANES, load_group, store_group, 1);
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

/* One coordinate of GROUP_LANES boxes. Those in `is_there` are transformed. */
static inline void move_end(const PliTransform *transform, int k, const GroupFloats low[3],
                            const GroupFloats high[3], GroupInts is_there, float *low_end,
                            float *high_end)
{
    const GroupFloats all = {0};
    const GroupFloats infinity = INFINITY - all;
    GroupFloats l = all, h = all;
    for (int j = 0; j < 3; j++) {
        GroupFloats m = transform->columns[j][k] - all;
        GroupFloats p = m * low[j], q = m * high[j];
        GroupFloats least = GROUP_MIN(p, q), greatest = GROUP_MAX(p, q);
        l = j == 0 ? least : l + least;
        h = j == 0 ? greatest : h + greatest;
    }
    l += transform->columns[3][k];
    h += transform->columns[3][k];
    l = choose_group(l <= infinity, l, -infinity);
    h = choose_group(h >= -infinity, h, infinity);
    store_group(low_end, choose_group(is_there, l, load_group(low_end)));
    store_group(high_end, choose_group(is_there, h, load_group(high_end)));
}

void PLI_NAME(pli_move_boxes)(const PliTransform *transform, PliBoxes *boxes)
{
    const GroupFloats all = {0};
    for (int i = 0; i < 8; i += GROUP_LANES) {
        GroupFloats low[3], high[3];
        GroupInts is_there = {0};
        is_there = ~is_there;
        for (int k = 0; k < 3; k++) {
            low[k] = load_group(boxes->low[k] + i);
            high[k] = load_group(boxes->high[k] + i);
            is_there &= low[k] <= high[k];
            low[k] = GROUP_MAX(low[k], all - FLT_MAX);
            high[k] = GROUP_MIN(high[k], all + FLT_MAX);
        }
        for (int k = 0; k < 3; k++)
            move_end(transform, k, low, high, is_there, boxes->low[k] + i, boxes->high[k] + i);
    }
}

/* ---- Slabs ----------------------------------------------------------------------------------- */

/* The ends of the eight children. */
static inline void sum_ends(const float *ends, const uint8_t groups[3], const PliSlabSum *sum,
                            float offset, float *to)
{
    const float *p = ends + PLI_GROUP * groups[0], *q = ends + PLI_GROUP * groups[1],
                *r = ends + PLI_GROUP * groups[2];
    for (int i = 0; i < PLI_GROUP; i += GROUP_LANES)
        store_group(to + i,
                    ((sum->factors[0] * load_group(p + i) + sum->factors[1] * load_group(q + i)) +
                     sum->factors[2] * load_group(r + i)) +
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
