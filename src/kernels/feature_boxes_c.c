/* The boxes of features, one after the other: the reference implementation. See feature_boxes.h. */
#include "kernels/kernels.h"

#include <math.h>

/* A box of the group, and the box of all of them. */
static void set_box(PliLeafBoxes *group, int lane, const float *p, const float *q)
{
    for (int k = 0; k < 3; k++) {
        const float low = p[k] < q[k] ? p[k] : q[k], high = p[k] < q[k] ? q[k] : p[k];
        group->low[k][lane] = low;
        group->high[k][lane] = high;
        group->all.low[k] = low < group->all.low[k] ? low : group->all.low[k];
        group->all.high[k] = high > group->all.high[k] ? high : group->all.high[k];
    }
}

void pli_box_features_c(const float *table, const uint32_t *points, int32_t count,
                        PliLeafBoxes *groups)
{
    for (int32_t i = 0; i < count; i++) {
        PliLeafBoxes *group = &groups[i / PLI_LEAF_SIZE];
        const uint32_t *ends = points + PLI_FEATURE_STRIDE * (size_t)i;
        if (i % PLI_LEAF_SIZE == 0) {
            group->all = pli_box_empty();
            for (int lane = 0; lane < PLI_LEAF_SIZE; lane++)
                for (int k = 0; k < 3; k++)
                    group->low[k][lane] = group->high[k][lane] = NAN;
        }
        set_box(group, i % PLI_LEAF_SIZE, table + 3 * (size_t)ends[0], table + 3 * (size_t)ends[1]);
    }
}

void pli_widen_boxes_c(PliLeafBoxes *groups, int32_t count, float d)
{
    for (int32_t g = 0; g < count; g++) {
        pli_widen(groups[g].low[0], groups[g].high[0], 3 * PLI_LEAF_SIZE, d);
        groups[g].all = pli_box_widened(&groups[g].all, d);
    }
}
