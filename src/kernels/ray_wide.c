/* Rays and boxes, many boxes at once: see ray.h. */
#include "kernels/kernels.h"
#include "kernels/wide_doubles.h"

/* HALF boxes, which begin at `boxes` in rows of `count`. */
static inline uint32_t pass_some(const PliRayLine *line, double end, const float *boxes,
                                 int32_t count, double *nears)
{
    Doubles near = {0}, far = end - (Doubles){0};
    Longs is_there = (Longs){0} == 0;
    for (int k = 0; k < 3; k++) {
        const Doubles low = load_doubles(boxes + k * count),
                      high = load_doubles(boxes + (3 + k) * count);
        const double o = line->origin[k];
        is_there &= low <= high;
        if (line->is_across[k]) {
            is_there &= (low <= o) & (o <= high);
            continue;
        }
        const bool is_downward = line->is_downward[k];
        const Doubles enter = ((is_downward ? high : low) - o) * line->inverse[k];
        const Doubles leave = ((is_downward ? low : high) - o) * line->inverse[k];
        near = most(enter, near);
        far = least(leave, far);
    }
    is_there &= near <= far * (1 + PLI_RAY_SLACK);
    near *= 1 - PLI_RAY_SLACK;
    memcpy(nears, &near, sizeof near);
    return bits_of(is_there);
}

uint32_t PLI_NAME(pli_ray_boxes)(const PliRayLine *line, double end, const float *boxes,
                                 int32_t count, double *nears)
{
    uint32_t bits = 0;
    for (int32_t i = 0; i < count; i += HALF)
        bits |= pass_some(line, end, boxes + i, count, nears + i) << i;
    return bits;
}
