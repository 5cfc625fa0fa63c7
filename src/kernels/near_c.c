/* Features within a distance, one pair after the other: the reference implementation. See near.h.
 */
#include "kernels/kernels.h"

void pli_find_near_c(const float *table, bool are_edges, const uint32_t *pairs, int64_t pair_count,
                     float distance, uint8_t *nearness, PliClosest *closest)
{
    for (int64_t i = 0; i < pair_count; i++) {
        float points[12];
        for (int k = 0; k < 4; k++)
            memcpy(points + 3 * k, table + 3 * (size_t)pairs[4 * i + k], 3 * sizeof *points);
        nearness[i] = (uint8_t)pli_features_nearness(points, points + (are_edges ? 6 : 3),
                                                     are_edges, distance, &closest[i]);
    }
}
