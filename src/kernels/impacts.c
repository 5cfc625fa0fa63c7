/* Many pairs of features on their way: see impacts.h. */
#include "kernels/impacts.h"
#include "geom/approach.h"

#include <string.h>

static bool are_finite(const float *const start[4], const float *const end[4])
{
    bool are = true;
    for (int i = 0; i < 4; i++)
        are &= pli_is_finite(start[i], 3) && pli_is_finite(end[i], 3);
    return are;
}

/* Pairs that are filtered before those that stay open are decided. */
enum { BLOCK = 512 };

/* The points of one pair, at both ends. */
typedef struct Points {
    const float *start[4], *end[4];
} Points;

static Points points_of(const PliImpactPairs *pairs, int64_t i)
{
    Points points;
    for (int k = 0; k < 4; k++) {
        points.start[k] = pairs->start + 3 * (size_t)pairs->pairs[4 * i + k];
        points.end[k] = pairs->end + 3 * (size_t)pairs->pairs[4 * i + k];
    }
    return points;
}

/* The time of a pair that the filter left open. */
static float decide(const PliImpactPairs *pairs, int64_t i, int64_t *exact_count)
{
    const Points p = points_of(pairs, i);
    return are_finite(p.start, p.end) ? pli_impact(pairs->kind, p.start, p.end, exact_count)
                                      : INFINITY;
}

/* Decides up to BLOCK pairs from `first` on: the first filter, the second one for what that leaves
 * open, side by side, and then one by one. */
static void decide_block(const PliKernels *kernels, const PliImpactPairs *pairs, int64_t first,
                         int32_t count, float *times, PliImpactCounts *counts)
{
    const bool are_edges = pairs->kind == PLI_EDGE_EDGE;
    uint8_t is_open[BLOCK];
    uint32_t open_pairs[4 * BLOCK];
    int32_t open[BLOCK] = {0}, open_count = 0;
    kernels->filter_impacts(pairs->start, pairs->end, are_edges, pairs->pairs + 4 * first, count,
                            is_open);
    for (int32_t i = 0; i < count; i++) { /* without a branch, which could not be predicted */
        times[i] = INFINITY;
        memcpy(open_pairs + 4 * open_count, pairs->pairs + 4 * (first + i), 4 * sizeof *open_pairs);
        open[open_count] = i;
        open_count += is_open[i];
    }
    kernels->filter_impact_parts(pairs->start, pairs->end, are_edges, open_pairs, open_count,
                                 is_open);
    counts->filtered += count;
    for (int32_t i = 0; i < open_count; i++) {
        if (!is_open[i])
            continue;
        counts->filtered--;
        times[open[i]] = decide(pairs, first + open[i], &counts->exact);
        counts->touching += times[open[i]] <= 1;
    }
}

PLI_NOINLINE void pli_pairs_impact(const PliKernels *kernels, const PliImpactPairs *pairs,
                                   float *times, PliImpactCounts *counts)
{
    counts->pairs += pairs->count;
    for (int64_t first = 0; first < pairs->count; first += BLOCK) {
        const int64_t rest = pairs->count - first;
        decide_block(kernels, pairs, first, rest < BLOCK ? (int32_t)rest : BLOCK, times + first,
                     counts);
    }
}

PLI_NOINLINE void pli_pairs_approach(const PliImpactPairs *pairs, float distance, float until,
                                     float *times)
{
    for (int64_t i = 0; i < pairs->count; i++) {
        const Points p = points_of(pairs, i);
        times[i] = are_finite(p.start, p.end)
                       ? pli_approach(pairs->kind, p.start, p.end, distance, until)
                       : INFINITY;
    }
}
