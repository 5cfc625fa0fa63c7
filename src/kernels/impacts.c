/* Many pairs of features on their way: see impacts.h. */
#include "kernels/impacts.h"

static bool are_finite(const float *const start[4], const float *const end[4])
{
    bool are = true;
    for (int i = 0; i < 4; i++)
        are &= pli_is_finite(start[i], 3) && pli_is_finite(end[i], 3);
    return are;
}

/* Pairs that are filtered before those that stay open are decided. */
enum { BLOCK = 512 };

/* The time of a pair that the filter left open. */
static float decide(const PliImpactPairs *pairs, const uint32_t *vertices, int64_t *exact_count)
{
    const float *start[4], *end[4];
    for (int k = 0; k < 4; k++) {
        start[k] = pairs->start + 3 * (size_t)vertices[k];
        end[k] = pairs->end + 3 * (size_t)vertices[k];
    }
    return are_finite(start, end) ? pli_impact(pairs->kind, start, end, exact_count) : INFINITY;
}

PLI_NOINLINE void pli_pairs_impact(const PliKernels *kernels, const PliImpactPairs *pairs,
                                   float *times, PliImpactCounts *counts)
{
    uint8_t is_open[BLOCK];
    counts->pairs += pairs->count;
    for (int64_t first = 0; first < pairs->count; first += BLOCK) {
        const int64_t rest = pairs->count - first, count = rest < BLOCK ? rest : BLOCK;
        kernels->filter_impacts(pairs->start, pairs->end, pairs->kind == PLI_EDGE_EDGE,
                                pairs->pairs + 4 * first, count, is_open);
        for (int64_t i = 0; i < count; i++) {
            float *time = &times[first + i];
            *time = is_open[i] ? decide(pairs, pairs->pairs + 4 * (first + i), &counts->exact)
                               : INFINITY;
            counts->filtered += !is_open[i];
            counts->touching += *time <= 1;
        }
    }
}
