/* Rays and boxes or triangles, in plain C: see ray.h. */
#include "kernels/kernels.h"

/* One ray and one box of a row of `count`. */
static bool pass(const PliRayLine *line, const float *box, int32_t count, float *entry)
{
    float near = 0, far = line->end;
    for (uint32_t k = 0; k < 3; k++) {
        const bool is_downward = line->octant >> k & 1;
        const float low = box[(int32_t)k * count], high = box[(int32_t)(3 + k) * count];
        const float o = line->origin[k], inverse = line->inverse[k];
        const float enter = ((is_downward ? high : low) - o) * inverse;
        const float leave = ((is_downward ? low : high) - o) * inverse;
        near = enter > near ? enter : near;
        far = leave < far ? leave : far;
    }
    *entry = near * (1 - PLI_RAY_SLACK) - PLI_RAY_LEAST;
    return box[0] <= box[3 * count] && *entry <= far * (1 + PLI_RAY_SLACK);
}

void pli_ray_boxes_c(const PliRayLine *lines, const PliRayItem *items, int32_t item_count,
                     const float *boxes, int32_t box_count, uint32_t *bits, float *nears)
{
    for (int32_t i = 0; i < item_count; i++) {
        bits[i] = 0;
        for (int32_t j = 0; j < box_count; j++)
            bits[i] |= (uint32_t)pass(&lines[items[i].ray], boxes + j, box_count,
                                      &nears[box_count * i + j])
                       << j;
    }
}

void pli_spread_rays_c(const PliRayLine *lines, const PliRayItem *items, int64_t item_count,
                       const PliBoxes *boxes, PliRayItem *const *lists, int64_t *counts)
{
    for (int64_t i = 0; i < item_count; i++)
        for (int32_t c = 0; c < PLI_GROUP; c++) {
            const int32_t ray = items[i].ray;
            float near;
            if (pass(&lines[ray], boxes->low[0] + c, PLI_GROUP, &near))
                lists[c][counts[c]++] = (PliRayItem){ray, near};
        }
}

void pli_ray_triangles_c(const PliRay *rays, const float *rows, const PliRayTest *tests,
                         int32_t count, uint8_t *verdicts, PliRaySpan *spans)
{
    for (int32_t i = 0; i < count; i++)
        verdicts[i] = (uint8_t)pli_ray_filter(
            &rays[tests[i].ray], rows + PLI_ROW_SIZE * (size_t)tests[i].row, &spans[i]);
}
