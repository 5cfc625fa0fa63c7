/* Joints, one after the other: the reference implementation. See joints.h. */
#include "kernels/kernels.h"

/* A slab, or its opposite, whose low end is the other's high one; and a factor for it. */
static void set_term(PliSlabSum *sum, int index, int32_t slab_count, int32_t slab, bool is_opposite,
                     double factor)
{
    static const double signs[] = {1, -1};
    sum->low[index] = (uint8_t)(slab + slab_count * is_opposite);
    sum->high[index] = (uint8_t)(slab + slab_count * !is_opposite);
    sum->factors[index] = (float)(factor * signs[is_opposite]);
}

/* A direction of the body as a sum of slabs of a 14-DOP: along the diagonal of the cube that is
 * next to it as far as its least part goes, and the rest along two axes. */
static void split_by_14(const double direction[3], PliSlabSum *sum)
{
    bool is_negative[3];
    double size[3];
    int least = 0, index = 1;
    for (int k = 0; k < 3; k++) {
        is_negative[k] = direction[k] < 0;
        size[k] = fabs(direction[k]);
        least = size[k] < size[least] ? k : least;
    }
    int32_t diagonal =
        3 + 2 * (is_negative[1] != is_negative[0]) + (is_negative[2] != is_negative[0]);
    set_term(sum, 0, 7, diagonal, is_negative[0], size[least]);
    for (int k = 0; k < 3; k++)
        if (k != least)
            set_term(sum, index++, 7, k, is_negative[k], size[k] - size[least]);
}

/* How far along the diagonal between two of the axes, where all three diagonals take part: half of
 * both, less half of the third. As it is done here it is off by no more than a part in 2^52 of the
 * lesser of the two, which what is large along that axis may multiply. */
static double factor_between(double p, double q, double third)
{
    const double most = p > q ? p : q, least = p > q ? q : p;
    const double factor = ((most - third) + least) / 2;
    return factor > 0 ? factor : 0;
}

/* The same of an 18-DOP: along the three diagonals of faces that are next to it; or, if it is near
 * an axis, along that and two of them. Which it is cannot be predicted, and so there are no
 * branches: a table says which of four factors a term has, by the axis that is near. */
static void split_by_18(const double direction[3], PliSlabSum *sum)
{
    enum { BETWEEN, SECOND, FIRST, AXIS };
    static const uint8_t by_near[3][4] = {{BETWEEN, AXIS, SECOND, FIRST},
                                          {BETWEEN, SECOND, AXIS, FIRST},
                                          {BETWEEN, SECOND, FIRST, AXIS}};
    bool is_negative[3];
    double size[3], whole = 0;
    int near = 0; /* one more than the axis, or 0 */
    for (int k = 0; k < 3; k++) {
        is_negative[k] = direction[k] < 0;
        size[k] = fabs(direction[k]);
        whole += size[k];
    }
    for (int k = 0; k < 3; k++)
        near = size[k] >= whole - size[k] ? k + 1 : near;
    for (int k = 0; k < 3; k++) { /* between the axes i < j, and not k */
        const int i = k == 0, j = k == 2 ? 1 : 2;
        const double factors[] = {factor_between(size[i], size[j], size[k]), size[j], size[i],
                                  size[k] - (whole - size[k])};
        const int32_t slabs[] = {3 + 2 * (i + j - 1) + (is_negative[i] != is_negative[j]), k};
        const bool signs[] = {is_negative[i], is_negative[k]};
        const int which = by_near[k][near], is_axis = which == AXIS;
        set_term(sum, k, 9, slabs[is_axis], signs[is_axis], factors[which]);
    }
}

/* The same of a box: along the axes. */
static void split_by_axes(const double direction[3], PliSlabSum *sum)
{
    for (int k = 0; k < 3; k++)
        set_term(sum, k, 3, k, direction[k] < 0, fabs(direction[k]));
}

void pli_split_direction(int32_t slab_count, const double direction[3], PliSlabSum *sum)
{
    if (slab_count == 3)
        split_by_axes(direction, sum);
    else if (slab_count == 7)
        split_by_14(direction, sum);
    else
        split_by_18(direction, sum);
}

/* All coordinates at once. */
typedef double Double4 __attribute__((vector_size(32)));

void pli_combine_joint(const PliTransform *map, const PliTransform *joint, double rows[3][3],
                       double offset[3])
{
    Double4 columns[4], axes[3];
    for (int i = 0; i < 3; i++)
        axes[i] = __builtin_convertvector(map->columns[i], Double4);
    for (int c = 0; c < 4; c++) {
        const PliFloat4 from = joint->columns[c];
        columns[c] =
            (axes[0] * (double)from[0] + axes[1] * (double)from[1]) + axes[2] * (double)from[2];
    }
    for (int k = 0; k < 3; k++) {
        for (int c = 0; c < 3; c++)
            rows[k][c] = columns[c][k];
        offset[k] = columns[3][k];
    }
}

void pli_joint_sums_c(const PliTransform *map, const PliTransform *joints, const uint16_t *used,
                      int32_t used_count, int32_t slab_count, PliSlabSum *sums)
{
    for (int32_t i = 0; i < used_count; i++) {
        double rows[3][3], offset[3];
        pli_combine_joint(map, &joints[used[i]], rows, offset);
        for (int k = 0; k < 3; k++) {
            PliSlabSum *sum = &sums[3 * used[i] + k];
            pli_split_direction(slab_count, rows[k], sum);
            sum->low_offset = sum->high_offset = (float)offset[k];
        }
    }
}
