/* Which boxes a triangle crosses: the reference. See cross.h. */
#include "kernels/kernels.h"

uint32_t pli_cross_boxes_c(const PliTriangleAxes *axes, const float *boxes, int32_t count)
{
    uint32_t bits = 0;
    for (int32_t i = 0; i < count; i++) {
        bool overlaps = true;
        float low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = boxes[k * count + i];
            high[k] = boxes[(k + 3) * count + i];
            overlaps &= low[k] <= axes->box_high[k] && axes->box_low[k] <= high[k];
        }
        bits |= (uint32_t)(overlaps && pli_crosses_box(axes, low, high)) << i;
    }
    return bits;
}
