/* Slabs, which k-DOPs and boxes are made of: their directions, their ends, and what they say of
 * other directions. See shape.h and pose.h.
 *
 * Along a direction of the world, a body reaches as far as it does along the one that the map takes
 * to it. That is a sum, with factors that are not negative, of three directions of slabs next to
 * it: and along a sum a body reaches no farther than the sum of how far it reaches along each. */
#include "shape/slabs.h"
#include "geom/geom.h"

const float pli_slab_directions[2][9][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}},
    {{1, 0, 0},
     {0, 1, 0},
     {0, 0, 1},
     {1, 1, 0},
     {1, -1, 0},
     {1, 0, 1},
     {1, 0, -1},
     {0, 1, 1},
     {0, 1, -1}},
};

/* ---- Ends ------------------------------------------------------------------------------------ */

void pli_slabs_clear(int32_t slab_count, float *bound)
{
    for (int32_t s = 0; s < slab_count; s++) {
        bound[s] = INFINITY;
        bound[slab_count + s] = -INFINITY;
    }
}

void pli_slabs_widen(int32_t slab_count, int32_t s, float low, float high, float *bound)
{
    bound[s] = low < bound[s] ? low : bound[s];
    bound[slab_count + s] = high > bound[slab_count + s] ? high : bound[slab_count + s];
}

/* A sum along a diagonal may overflow; morph_bounds.c has no use for slabs then. */
void pli_slabs_add(PliantBoundKind kind, const float point[3], float *bound)
{
    const int32_t slab_count = pli_slab_count(kind);
    if (!pli_is_finite(point, 3))
        return;
    for (int32_t s = 0; s < slab_count; s++) {
        const float *n = pli_slabs_of(kind)[s];
        float along = s < 3 ? point[s] : (n[0] * point[0] + n[1] * point[1]) + n[2] * point[2];
        pli_slabs_widen(slab_count, s, along, along, bound);
    }
}

/* ---- Other directions ------------------------------------------------------------------------ */

/* A slab, or its opposite, whose low end is the other's high one; and a factor for it. */
static void set_term(PliSlabSum *sum, int index, int32_t slab_count, int32_t slab, bool is_opposite,
                     double factor)
{
    sum->low[index] = is_opposite ? slab + slab_count : slab;
    sum->high[index] = is_opposite ? slab : slab + slab_count;
    sum->factors[index] = (float)(is_opposite ? -factor : factor);
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
    const double factor = p > q ? ((p - third) + q) / 2 : ((q - third) + p) / 2;
    return factor > 0 ? factor : 0;
}

/* The same of an 18-DOP: along the three diagonals of faces that are next to it; or, if it is near
 * an axis, along that and two of them. */
static void split_by_18(const double direction[3], PliSlabSum *sum)
{
    bool is_negative[3];
    double size[3], whole = 0;
    int near = -1;
    for (int k = 0; k < 3; k++) {
        is_negative[k] = direction[k] < 0;
        size[k] = fabs(direction[k]);
        whole += size[k];
    }
    for (int k = 0; k < 3; k++)
        near = size[k] >= whole - size[k] ? k : near;
    for (int k = 0, index = 0; k < 3; k++, index++) { /* between the axes i < j, and not k */
        int i = k == 0, j = k == 2 ? 1 : 2;
        int32_t diagonal = 3 + 2 * (i + j - 1) + (is_negative[i] != is_negative[j]);
        double factor = near < 0    ? factor_between(size[i], size[j], size[k])
                        : near == i ? size[j]
                                    : size[i];
        if (k == near)
            set_term(sum, index, 9, k, is_negative[k], size[k] - (whole - size[k]));
        else
            set_term(sum, index, 9, diagonal, is_negative[i], factor);
    }
}

/* The same of a box: along the axes. */
static void split_by_axes(const double direction[3], PliSlabSum *sum)
{
    for (int k = 0; k < 3; k++)
        set_term(sum, k, 3, k, direction[k] < 0, fabs(direction[k]));
}

void pli_split_direction(PliantBoundKind kind, const double direction[3], PliSlabSum *sum)
{
    if (kind == PLIANT_BOUND_BOX)
        split_by_axes(direction, sum);
    else if (kind == PLIANT_BOUND_DOP14)
        split_by_14(direction, sum);
    else
        split_by_18(direction, sum);
}
