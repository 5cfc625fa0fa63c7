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

/* Keeps those of some pairs whose byte is set, and what they are called: few of them, so that eight
 * bytes are looked at at once. Bytes from `count` on to a multiple of eight are written. Returns
 * how many are kept. */
static int32_t keep_open(uint8_t *is_open, int32_t count, const uint32_t *from, uint32_t *to,
                         const int32_t *from_numbers, int32_t *numbers)
{
    int32_t kept = 0;
    memset(is_open + count, 0, (size_t)(-count & 7));
    for (int32_t first = 0; first < count; first += 8) {
        uint64_t any;
        memcpy(&any, is_open + first, sizeof any);
        for (int32_t i = first; any && i < first + 8; i++) {
            if (!is_open[i])
                continue;
            memmove(to + 4 * kept, from + 4 * i, 4 * sizeof *to);
            numbers[kept++] = from_numbers ? from_numbers[i] : i;
        }
    }
    return kept;
}

/* Decides up to BLOCK pairs from `first` on: the first filter, the second one for what that leaves
 * open, times in double, side by side, and then one by one. */
static void decide_block(const PliKernels *kernels, const PliImpactPairs *pairs, int64_t first,
                         int32_t count, float *times, PliImpactCounts *counts)
{
    const bool are_edges = pairs->kind == PLI_EDGE_EDGE;
    const uint32_t *all = pairs->pairs + 4 * first;
    uint8_t is_open[BLOCK];
    uint32_t open_pairs[4 * BLOCK];
    int32_t open[BLOCK] = {0};
    float open_times[BLOCK];
    for (int32_t i = 0; i < count; i++)
        times[i] = INFINITY;
    kernels->filter_impacts(pairs->start, pairs->end, are_edges, all, count, is_open);
    int32_t open_count = keep_open(is_open, count, all, open_pairs, NULL, open);
    kernels->filter_impact_parts(pairs->start, pairs->end, are_edges, open_pairs, open_count,
                                 is_open);
    open_count = keep_open(is_open, open_count, open_pairs, open_pairs, open, open);
    kernels->time_impacts(pairs->start, pairs->end, are_edges, open_pairs, open_count, open_times);
    counts->filtered += count - open_count;
    for (int32_t i = 0; i < open_count; i++) {
        float *time = &times[open[i]];
        *time = open_times[i];
        if (*time < 0) {
            const Points p = points_of(pairs, first + open[i]);
            *time = pli_impact(pairs->kind, p.start, p.end, &counts->exact);
        }
        counts->touching += *time <= 1;
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

PLI_NOINLINE void pli_pairs_approach(const PliImpactPairs *pairs, const float *distances,
                                     float until, float *times, PliImpactCounts *counts)
{
    for (int64_t i = 0; i < pairs->count; i++) {
        const Points p = points_of(pairs, i);
        if (!are_finite(p.start, p.end))
            times[i] = INFINITY;
        else if (distances[i] > 0)
            times[i] = pli_approach(pairs->kind, p.start, p.end, distances[i], until);
        else
            times[i] = pli_impact(pairs->kind, p.start, p.end, &counts->exact);
    }
}
