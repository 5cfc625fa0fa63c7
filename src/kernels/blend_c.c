/* Sums of what is blended, boxes and points that are moved, in plain C: the specification of all
 * other versions. See kernels.h. */
#include "kernels/kernels.h"

#include <float.h>
#include <math.h>

void pli_blend_c(const float *base, const float *const *terms, const float *weights,
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

/* One coordinate of a moved box. */
static void move_end(const PliMap *map, int k, const float low[3], const float high[3],
                     float *moved_low, float *moved_high)
{
    float l = 0, h = 0;
    for (int j = 0; j < 3; j++) {
        float m = map->columns[j][k];
        float p = m * greatest(low[j], -FLT_MAX), q = m * least(high[j], FLT_MAX);
        l = j == 0 ? least(p, q) : l + least(p, q);
        h = j == 0 ? greatest(p, q) : h + greatest(p, q);
    }
    l += map->columns[3][k];
    h += map->columns[3][k];
    *moved_low = l <= INFINITY ? l : -INFINITY;
    *moved_high = h >= -INFINITY ? h : INFINITY;
}

void pli_move_boxes_c(const PliMap *map, PliBoxes *boxes)
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
            move_end(map, k, low, high, &boxes->low[k][i], &boxes->high[k][i]);
    }
}

/* Eight ends. */
static void sum_ends(const float *ends, const int32_t groups[3], const PliSlabSum *sum,
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

/* Columns of x, of y and of z, from where they are at rest to where their joints have them. */
static void follow_joints(const PliBlendedLeaf *leaf, float *columns)
{
    const int32_t count = PLI_GROUP * leaf->group_count;
    for (int32_t i = 0; i < count; i++) {
        const float p[3] = {columns[i], columns[count + i], columns[2 * count + i]};
        float sums[3] = {0, 0, 0};
        for (int32_t j = 0; j < leaf->joint_count; j++) {
            const PliFloat4 *m = leaf->joint_maps[leaf->joints[j]].columns;
            const float weight = leaf->joint_weights[(size_t)count * (size_t)j + (size_t)i];
            for (int k = 0; k < 3 && weight != 0; k++)
                sums[k] +=
                    weight * (((m[0][k] * p[0] + m[1][k] * p[1]) + m[2][k] * p[2]) + m[3][k]);
        }
        for (int k = 0; k < 3; k++)
            columns[count * k + i] = sums[k];
    }
}

void pli_fetch_blended_c(const PliBlendedLeaf *leaf, float *rows, PliLeafBoxes *boxes)
{
    enum { MOST_POINTS = PLI_GROUP * PLI_MOST_TABLE_GROUPS };
    const int32_t count = PLI_GROUP * leaf->group_count;
    float columns[3 * MOST_POINTS] = {0}, points[3 * MOST_POINTS];
    uint32_t corners[3 * PLI_LEAF_SIZE];
    pli_blend_c(leaf->base, leaf->terms, leaf->weights, leaf->term_count, 3 * count, columns);
    if (leaf->joint_count > 0)
        follow_joints(leaf, columns);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < 3; k++)
            points[3 * i + k] = columns[count * k + i];
    for (int32_t i = 0; i < leaf->triangle_count; i++)
        for (int32_t c = 0; c < 3; c++)
            corners[3 * i + c] = leaf->corners[leaf->triangle_count * c + i];
    PliVertexView view = {(const char *)points, 3 * sizeof(float), (uint32_t)count};
    pli_fetch_leaf_c(&view, corners, leaf->triangle_count, leaf->map, rows, boxes);
}

uint64_t pli_meet_slabs_c(const float *a, const float *b, int32_t slab_count, uint64_t bits)
{
    const int32_t high = PLI_GROUP * slab_count;
    uint64_t meeting = 0;
    for (; bits; bits &= bits - 1) {
        int bit = __builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        bool is_apart = false;
        for (int32_t s = 0; s < high; s += PLI_GROUP)
            is_apart |= a[s + i] > b[high + s + j] || b[s + j] > a[high + s + i];
        meeting |= (uint64_t)!is_apart << bit;
    }
    return meeting;
}

uint64_t pli_meet_balls_c(const float *a, const float *b, uint64_t bits)
{
    uint64_t meeting = 0;
    for (; bits; bits &= bits - 1) {
        int bit = __builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        float square = 0, reach = a[24 + i] + b[24 + j];
        for (int k = 0; k < 24; k += 8) {
            float d = a[k + i] - b[k + j];
            square += d * d;
        }
        meeting |= (uint64_t) !(square > reach * reach + 0x1p-140f) << bit;
    }
    return meeting;
}
