/* Many pairs of features on their way: see impacts.h. */
#include "kernels/impacts.h"

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

/* Pairs of a block that filters leave open. */
typedef struct Open {
    uint32_t pairs[4 * BLOCK];
    int32_t numbers[BLOCK], count; /* in the block */
} Open;

/* By the first filter, and by the second one for what that leaves open. Times of all are infinity.
 */
static void filter_block(const PliKernels *kernels, const PliImpactPairs *pairs, int64_t first,
                         int32_t count, float distance, Open *open, float *times,
                         PliImpactCounts *counts)
{
    const bool are_edges = pairs->kind == PLI_EDGE_EDGE;
    const uint32_t *all = pairs->pairs + 4 * first;
    const PliApart apart = {1, distance};
    uint8_t is_open[BLOCK];
    for (int32_t i = 0; i < count; i++)
        times[i] = INFINITY;
    kernels->filter_impacts(pairs->start, pairs->end, are_edges, all, count, apart, is_open);
    open->count = keep_open(is_open, count, all, open->pairs, NULL, open->numbers);
    kernels->filter_impact_parts(pairs->start, pairs->end, are_edges, open->pairs, open->count,
                                 apart, is_open);
    open->count =
        keep_open(is_open, open->count, open->pairs, open->pairs, open->numbers, open->numbers);
    counts->pairs += count;
    counts->filtered += count - open->count;
}

/* Decides up to BLOCK pairs from `first` on: filters, times in double, side by side, and then one
 * by one. */
static void decide_block(const PliKernels *kernels, const PliImpactPairs *pairs, int64_t first,
                         int32_t count, float *times, PliImpactCounts *counts)
{
    Open open;
    float open_times[BLOCK];
    filter_block(kernels, pairs, first, count, 0, &open, times, counts);
    kernels->time_impacts(pairs->start, pairs->end, pairs->kind == PLI_EDGE_EDGE, open.pairs,
                          open.count, open_times);
    for (int32_t i = 0; i < open.count; i++) {
        float *time = &times[open.numbers[i]];
        *time = open_times[i];
        if (*time < 0) {
            const Points p = points_of(pairs, first + open.numbers[i]);
            *time = pli_impact(pairs->kind, p.start, p.end, &counts->exact);
        }
        counts->touching += *time <= 1;
    }
}

PLI_NOINLINE void pli_pairs_impact(const PliKernels *kernels, const PliImpactPairs *pairs,
                                   float *times, PliImpactCounts *counts)
{
    for (int64_t first = 0; first < pairs->count; first += BLOCK) {
        const int64_t rest = pairs->count - first;
        decide_block(kernels, pairs, first, rest < BLOCK ? (int32_t)rest : BLOCK, times + first,
                     counts);
    }
}

/* Steps end this much above half of what points are rounded by: less takes more steps. */
#define ERROR_SHARE 0x1p-4

/* A pair that is open. */
static float approach(const PliImpactPairs *pairs, const PliApproaches *approaches, int64_t i,
                      PliImpactCounts *counts)
{
    const float distance = approaches->distances ? approaches->distances[i] : approaches->distance;
    const Points p = points_of(pairs, i);
    if (!are_finite(p.start, p.end))
        return INFINITY;
    if (!(distance > 0))
        return pli_impact(pairs->kind, p.start, p.end, &counts->exact);
    if (!(approaches->error > 0))
        return pli_approach(pairs->kind, p.start, p.end, distance, approaches->until);
    PliPoints64 points;
    approaches->find_points(approaches->of, i, &points);
    return pli_approach64(pairs->kind, &points, (double)distance - approaches->error,
                          ERROR_SHARE * approaches->error, approaches->until);
}

/* Filters ask for more than the distance: steps end at 1 + 2^-7 of it, so that what they would
 * report is open. */
PLI_NOINLINE void pli_pairs_approach(const PliKernels *kernels, const PliImpactPairs *pairs,
                                     const PliApproaches *approaches, float *times,
                                     PliImpactCounts *counts)
{
    const float wide = approaches->distance * (1 + 0x1p-6f);
    for (int64_t first = 0; first < pairs->count; first += BLOCK) {
        const int64_t rest = pairs->count - first;
        const int32_t count = rest < BLOCK ? (int32_t)rest : BLOCK;
        Open open;
        filter_block(kernels, pairs, first, count, wide, &open, times + first, counts);
        for (int32_t i = 0; i < open.count; i++) {
            const int64_t pair = first + open.numbers[i];
            const float time = approach(pairs, approaches, pair, counts);
            times[pair] = time <= approaches->until ? time : INFINITY;
            counts->touching += times[pair] <= 1;
        }
    }
}
