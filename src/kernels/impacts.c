/* Many pairs of features on their way: see impacts.h. */
#include "kernels/impacts.h"
#include "geom/approach.h"

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
            *time = is_open[i] ? decide(pairs, first + i, &counts->exact) : INFINITY;
            counts->filtered += !is_open[i];
            counts->touching += *time <= 1;
        }
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
