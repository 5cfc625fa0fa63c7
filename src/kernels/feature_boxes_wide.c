/* The boxes of features, PLI_LANES at a time. See feature_boxes.h. */
#include "kernels/kernels.h"
#include "kernels/wide_points.h"

#include <math.h>

static inline Float4 lesser4(Float4 x, Float4 y)
{
    const Int4 mask = x < y;
    return (Float4)((mask & (Int4)x) | (~mask & (Int4)y));
}

/* The least of all lanes. */
static inline float least_lane(Floats x)
{
    Float4 parts[PLI_LANES / 4];
    memcpy(parts, &x, sizeof x);
    for (int i = 1; i < PLI_LANES / 4; i++)
        parts[0] = lesser4(parts[i], parts[0]);
    const Float4 halves =
        lesser4(parts[0], __builtin_shufflevector(parts[0], parts[0], 2, 3, 0, 1));
    return halves[0] < halves[1] ? halves[0] : halves[1];
}

/* Sixteen boxes along one axis. */
static inline void set_axis(PliLeafBoxes *group, int k, int first, Floats p, Floats q, Ints is_used,
                            Floats *low, Floats *high)
{
    const Floats none = all_same(NAN), here = smaller(p, q), above = larger(q, p);
    const Floats lows = choose(is_used, here, none), highs = choose(is_used, above, none);
    memcpy(group->low[k] + first, &lows, sizeof lows);
    memcpy(group->high[k] + first, &highs, sizeof highs);
    *low = smaller(choose(is_used, here, all_same(INFINITY)), *low);
    *high = larger(choose(is_used, above, all_same(-INFINITY)), *high);
}

static inline void set_group(const float *table, const uint32_t *points, int32_t count,
                             PliLeafBoxes *group)
{
    static const int32_t numbers[PLI_LEAF_SIZE] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                   8, 9, 10, 11, 12, 13, 14, 15};
    Floats low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = all_same(INFINITY);
        high[k] = all_same(-INFINITY);
    }
    for (int first = 0; first < PLI_LEAF_SIZE; first += PLI_LANES) {
        const uint32_t *here = points + PLI_FEATURE_STRIDE * first;
        const Vec p = load_vertices(table, here, PLI_FEATURE_STRIDE),
                  q = load_vertices(table, here + 1, PLI_FEATURE_STRIDE);
        Ints lanes;
        memcpy(&lanes, numbers + first, sizeof lanes);
        const Ints is_used = lanes < count;
        set_axis(group, 0, first, p.x, q.x, is_used, &low[0], &high[0]);
        set_axis(group, 1, first, p.y, q.y, is_used, &low[1], &high[1]);
        set_axis(group, 2, first, p.z, q.z, is_used, &low[2], &high[2]);
    }
    group->all = pli_box_empty();
    for (int k = 0; k < 3; k++) {
        group->all.low[k] = least_lane(low[k]);
        group->all.high[k] = -least_lane(-high[k]);
    }
}

void PLI_NAME(pli_box_features)(const float *table, const uint32_t *points, int32_t count,
                                PliLeafBoxes *groups)
{
    for (int32_t i = 0; i < count; i += PLI_LEAF_SIZE)
        set_group(table, points + PLI_FEATURE_STRIDE * (size_t)i, count - i,
                  &groups[i / PLI_LEAF_SIZE]);
}

/* How far an end is moved out, as in pli_moved_down(). */
static inline Floats step_out(Floats x)
{
    return magnitude(x) * 0x1p-22f + 0x1p-149f;
}

static inline Floats moved_down(Floats x, Floats d)
{
    const Floats once = (x - step_out(x)) - d;
    return once - step_out(once);
}

static inline Floats moved_up(Floats x, Floats d)
{
    const Floats once = (x + step_out(x)) + d;
    return once + step_out(once);
}

void PLI_NAME(pli_widen_boxes)(PliLeafBoxes *groups, int32_t count, float d)
{
    for (int32_t g = 0; g < count; g++) {
        float *low = groups[g].low[0], *high = groups[g].high[0];
        for (int i = 0; i < 3 * PLI_LEAF_SIZE;
             i += PLI_LANES, low += PLI_LANES, high += PLI_LANES) {
            const Floats lower = moved_down(load_floats(low), all_same(d)),
                         higher = moved_up(load_floats(high), all_same(d));
            memcpy(low, &lower, sizeof lower);
            memcpy(high, &higher, sizeof higher);
        }
        groups[g].all = pli_box_widened(&groups[g].all, d);
    }
}
