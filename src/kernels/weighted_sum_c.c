/* Weighted sums and bounds made of them, in plain C: the reference implementation. See
 * weighted_sum.h. */
#include "kernels/kernels.h"

#include <float.h>
#include <math.h>

void pli_weighted_sum_c(const float *base, const float *const *terms, const float *weights,
                        int32_t term_count, int32_t count, float *sums)
{
    for (int32_t i = 0; i < count; i++) {
        float sum = base ? base[i] : 0;
        for (int32_t t = 0; t < term_count; t++)
            sum += weights[t] * terms[t][i];
        sums[i] = sum;
    }
}

static float least(float x, float y)
{
    return x < y ? x : y;
}

static float greatest(float x, float y)
{
    return x > y ? x : y;
}

/* One coordinate of a transformed box. */
static void move_end(const PliTransform *transform, int k, const float low[3], const float high[3],
                     float *moved_low, float *moved_high)
{
    float l = 0, h = 0;
    for (int j = 0; j < 3; j++) {
        float m = transform->columns[j][k];
        float p = m * greatest(low[j], -FLT_MAX), q = m * least(high[j], FLT_MAX);
        l = j == 0 ? least(p, q) : l + least(p, q);
        h = j == 0 ? greatest(p, q) : h + greatest(p, q);
    }
    l += transform->columns[3][k];
    h += transform->columns[3][k];
    *moved_low = l <= INFINITY ? l : -INFINITY;
    *moved_high = h >= -INFINITY ? h : INFINITY;
}

void pli_move_boxes_c(const PliTransform *transform, PliBoxes *boxes)
{
    for (int i = 0; i < 8; i++) {
        float low[3], high[3];
        bool is_empty = false;
        for (int k = 0; k < 3; k++) {
            low[k] = boxes->low[k][i];
            high[k] = boxes->high[k][i];
            is_empty |= !(low[k] <= high[k]);
        }
        for (int k = 0; k < 3 && !is_empty; k++)
            move_end(transform, k, low, high, &boxes->low[k][i], &boxes->high[k][i]);
    }
}

/* The ends of the eight children. */
static void sum_ends(const float *ends, const uint8_t groups[3], const PliSlabSum *sum,
                     float offset, float *to)
{
    const float *p = ends + PLI_GROUP * groups[0], *q = ends + PLI_GROUP * groups[1],
                *r = ends + PLI_GROUP * groups[2];
    for (int i = 0; i < PLI_GROUP; i++)
        to[i] =
            ((sum->factors[0] * p[i] + sum->factors[1] * q[i]) + sum->factors[2] * r[i]) + offset;
}

void pli_sum_slabs_c(const float *ends, const PliSlabSum *sums, int32_t slab_count, PliBoxes *boxes,
                     float *others)
{
    for (int32_t s = 0; s < slab_count; s++) {
        bool is_box = s < 3;
        float *low = is_box ? boxes->low[s] : others + PLI_GROUP * (s - 3);
        float *high = is_box ? boxes->high[s] : others + PLI_GROUP * (s - 3 + slab_count - 3);
        sum_ends(ends, sums[s].low, &sums[s], sums[s].low_offset, low);
        sum_ends(ends, sums[s].high, &sums[s], sums[s].high_offset, high);
    }
}
