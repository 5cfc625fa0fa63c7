/* Rays and boxes, in plain C: see ray.h. */
#include "kernels/kernels.h"

uint32_t pli_ray_boxes_c(const PliRayLine *line, double end, const float *boxes, int32_t count,
                         double *nears)
{
    uint32_t bits = 0;
    for (int32_t i = 0; i < count; i++) {
        const float *box = boxes + i;
        double near = 0, far = end;
        bool is_there = true;
        for (int k = 0; k < 3; k++) {
            const double low = box[k * count], high = box[(3 + k) * count], o = line->origin[k];
            is_there &= low <= high;
            if (line->is_across[k]) {
                is_there &= low <= o && o <= high;
                continue;
            }
            const double enter = ((line->is_downward[k] ? high : low) - o) * line->inverse[k];
            const double leave = ((line->is_downward[k] ? low : high) - o) * line->inverse[k];
            near = enter > near ? enter : near;
            far = leave < far ? leave : far;
        }
        is_there &= near <= far * (1 + PLI_RAY_SLACK);
        nears[i] = near * (1 - PLI_RAY_SLACK);
        bits |= (uint32_t)is_there << i;
    }
    return bits;
}
