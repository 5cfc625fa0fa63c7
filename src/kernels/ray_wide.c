/* Rays and boxes, many boxes at once: see ray.h. */
#include "kernels/group_vectors.h"
#include "kernels/kernels.h"

/* The ends of GROUP_LANES boxes where rays of one octant enter and leave. */
typedef struct Ends {
    GroupFloats enter[3], leave[3];
    GroupInts are_there;
} Ends;

static inline Ends ends_of(uint32_t octant, const float *boxes, int32_t box_count)
{
    Ends ends;
    for (int k = 0; k < 3; k++) {
        const int down = octant >> k & 1;
        ends.enter[k] = load_group(boxes + (k + 3 * down) * box_count);
        ends.leave[k] = load_group(boxes + (k + 3 * !down) * box_count);
    }
    ends.are_there = load_group(boxes) <= load_group(boxes + 3 * box_count);
    return ends;
}

static inline uint32_t pass(const PliRayLine *line, const Ends *ends, float *nears)
{
    GroupFloats near = {0}, far = line->end - (GroupFloats){0};
    for (int k = 0; k < 3; k++) {
        const float o = line->origin[k], inverse = line->inverse[k];
        near = GROUP_MAX((ends->enter[k] - o) * inverse, near);
        far = GROUP_MIN((ends->leave[k] - o) * inverse, far);
    }
    near = near * (1 - PLI_RAY_SLACK) - PLI_RAY_LEAST;
    store_group(nears, near);
    return group_bits((near <= far * (1 + PLI_RAY_SLACK)) & ends->are_there);
}

void PLI_NAME(pli_ray_boxes)(const PliRayLine *lines, const PliRayItem *items, int32_t item_count,
                             const float *boxes, int32_t box_count, uint32_t *bits, float *nears)
{
    for (int32_t j = 0; j < box_count; j += GROUP_LANES) {
        const Ends ends = ends_of(lines[items[0].ray].octant, boxes + j, box_count);
        for (int32_t i = 0; i < item_count; i++) {
            const uint32_t passed = pass(&lines[items[i].ray], &ends, nears + box_count * i + j);
            bits[i] = (j == 0 ? 0 : bits[i]) | passed << j;
        }
    }
}
