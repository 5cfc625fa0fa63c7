/* Joints, PLI_LANES at a time, in halves of doubles: the same operations in the same order as in
 * joints_c.c. Slabs are those of an 18-DOP; the others, which are for experiments, go there. */
#include "kernels/kernels.h"
#include "kernels/wide_doubles.h"

#include <stddef.h>

enum { SLABS = 9 };

_Static_assert(offsetof(PliSlabSum, high) == 3 && offsetof(PliSlabSum, factors) == 8,
               "low and high are the bytes of one number");

/* HALF directions as sums: `slabs` has low[0], low[1], low[2], high[0], ... as bytes from the least
 * one on. */
typedef struct Sums {
    Longs slabs;
    HalfFloats factors[3];
} Sums;

static inline Longs choose_longs(Longs mask, Longs x, Longs y)
{
    return (mask & x) | (~mask & y);
}

/* Adds a term, of a slab or its opposite. */
static inline void set_term(Sums *sums, int index, Longs slab, Longs is_opposite, Doubles factor)
{
    const Longs low = slab + (is_opposite & SLABS), high = slab + (~is_opposite & SLABS);
    sums->slabs |= low << 8 * index | high << 8 * (3 + index);
    sums->factors[index] =
        __builtin_convertvector((Doubles)((Longs)factor ^ (is_opposite & INT64_MIN)), HalfFloats);
}

static inline Doubles factor_between(Doubles p, Doubles q, Doubles third)
{
    const Longs is_first = p > q;
    const Doubles factor =
        ((choose_doubles(is_first, p, q) - third) + choose_doubles(is_first, q, p)) / 2;
    return choose_doubles(factor > 0, factor, same(0));
}

static inline Sums split(const Doubles direction[3])
{
    Sums sums = {{0}, {{0}, {0}, {0}}};
    Doubles size[3], whole = same(0);
    Longs is_negative[3], is_near[3], is_any = {0};
    for (int k = 0; k < 3; k++) {
        is_negative[k] = direction[k] < 0;
        size[k] = size_of(direction[k]);
        whole += size[k];
    }
    for (int k = 2; k >= 0; k--) {
        is_near[k] = (size[k] >= whole - size[k]) & ~is_any;
        is_any |= is_near[k];
    }
    for (int k = 0; k < 3; k++) {
        const int i = k == 0, j = k == 2 ? 1 : 2;
        const Longs diagonal = 3 + 2 * (i + j - 1) + ((is_negative[i] ^ is_negative[j]) & 1);
        Doubles factor = factor_between(size[i], size[j], size[k]);
        factor = choose_doubles(is_near[i], size[j], factor);
        factor = choose_doubles(is_near[j], size[i], factor);
        factor = choose_doubles(is_near[k], size[k] - (whole - size[k]), factor);
        set_term(&sums, k, choose_longs(is_near[k], (Longs){0} + k, diagonal),
                 choose_longs(is_near[k], is_negative[k], is_negative[i]), factor);
    }
    return sums;
}

static inline void write_sums(const Sums *from, HalfFloats offset, const uint32_t *used, int count,
                              int k, PliSlabSum *sums)
{
    for (int i = 0; i < count; i++) {
        PliSlabSum *sum = &sums[3 * used[i] + (uint32_t)k];
        const int64_t slabs = from->slabs[i];
        memcpy(sum, &slabs, sizeof slabs);
        for (int t = 0; t < 3; t++)
            sum->factors[t] = from->factors[t][i];
        sum->low_offset = sum->high_offset = offset[i];
    }
}

/* PLI_LANES joints, of which the first `count` are written. */
static inline void sum_vector(const PliTransform *map, const PliTransform *joints,
                              const uint32_t *used, int count, PliSlabSum *sums)
{
    enum { SIZE = sizeof *joints / sizeof(float) };
    Floats columns[4][4];
    for (int c = 0; c < 4; c++)
        load_columns((const float *)joints, SIZE, used, 1, 4 * c, columns[c]);
    for (int half = 0; half * HALF < count; half++) {
        const int first = half * HALF, left = count - first;
        for (int k = 0; k < 3; k++) {
            Doubles row[4];
            for (int c = 0; c < 4; c++)
                row[c] = (same((double)map->columns[0][k]) * half_of(columns[c][0], half) +
                          same((double)map->columns[1][k]) * half_of(columns[c][1], half)) +
                         same((double)map->columns[2][k]) * half_of(columns[c][2], half);
            const Sums found = split(row);
            write_sums(&found, __builtin_convertvector(row[3], HalfFloats), used + first,
                       left < HALF ? left : HALF, k, sums);
        }
    }
}

void PLI_NAME(pli_joint_sums)(const PliTransform *map, const PliTransform *joints,
                              const uint16_t *used, int32_t used_count, int32_t slab_count,
                              PliSlabSum *sums)
{
    if (slab_count != SLABS) {
        pli_joint_sums_c(map, joints, used, used_count, slab_count, sums);
        return;
    }
    for (int32_t first = 0; first < used_count; first += PLI_LANES) {
        const int left = used_count - first, count = left < PLI_LANES ? left : PLI_LANES;
        uint32_t here[PLI_LANES]; /* spare lanes repeat the last one */
        for (int i = 0; i < PLI_LANES; i++)
            here[i] = used[first + (i < count ? i : count - 1)];
        sum_vector(map, joints, here, count, sums);
    }
}
