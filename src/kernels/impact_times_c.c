/* When features touch, one pair after the other: the reference implementation. See impact_times.h.
 */
#include "geom/impact.h"
#include "kernels/kernels.h"

void pli_time_impacts_c(const float *start, const float *end, bool are_edges, const uint32_t *pairs,
                        int64_t pair_count, float *times)
{
    for (int64_t i = 0; i < pair_count; i++) {
        const float *from[4], *to[4];
        bool are_finite = true;
        for (int k = 0; k < 4; k++) {
            from[k] = start + 3 * (size_t)pairs[4 * i + k];
            to[k] = end + 3 * (size_t)pairs[4 * i + k];
            are_finite &= pli_is_finite(from[k], 3) && pli_is_finite(to[k], 3);
        }
        times[i] =
            are_finite
                ? pli_impact_in_double(are_edges ? PLI_EDGE_EDGE : PLI_VERTEX_TRIANGLE, from, to)
                : INFINITY;
    }
}
