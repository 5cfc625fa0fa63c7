/* One box against a row of boxes, for sources that are compiled once for each instruction set. */
#ifndef PLI_OVERLAP_ROW_H
#define PLI_OVERLAP_ROW_H

#include "kernels/fetch.h"
#include "kernels/wide.h"

/* The boxes of `other` that box i of `one` overlaps, as bits. There are `count` boxes on either
 * side, a multiple of PLI_LANES: rows of low x, low y, low z, high x, high y, high z. */
static inline uint32_t overlap_one(const float *one, int i, const float *other, int count)
{
    enum { MAX_VECTORS = PLI_LEAF_SIZE / PLI_LANES };
    Mask masks[MAX_VECTORS];
    for (int m = 0; m < count / PLI_LANES; m++)
        masks[m] = all_lanes();
    for (int k = 0; k < 3; k++) {
        const float *low = other + k * count, *high = low + 3 * count;
        Floats one_low = all_same(one[k * count + i]),
               one_high = all_same(one[(k + 3) * count + i]);
        for (int m = 0; m < count / PLI_LANES; m++) {
            masks[m] = and_at_most(masks[m], one_low, load_floats(high + m * PLI_LANES));
            masks[m] = and_at_most(masks[m], load_floats(low + m * PLI_LANES), one_high);
        }
    }
    uint32_t bits = 0;
    for (int m = 0; m < count / PLI_LANES; m++)
        bits |= lanes_of(masks[m]) << (m * PLI_LANES);
    return bits;
}

#endif
