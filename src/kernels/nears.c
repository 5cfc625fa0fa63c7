/* Many pairs of features within distances: see nears.h. */
#include "kernels/nears.h"

#include <string.h>

/* Copies four points: a loop would take twice as long. */
static inline void copy_points(const float *table, const uint32_t *pair, float to[12])
{
    memcpy(to, table + 3 * (size_t)pair[0], 3 * sizeof *to);
    memcpy(to + 3, table + 3 * (size_t)pair[1], 3 * sizeof *to);
    memcpy(to + 6, table + 3 * (size_t)pair[2], 3 * sizeof *to);
    memcpy(to + 9, table + 3 * (size_t)pair[3], 3 * sizeof *to);
}

/* What doubles alone do not tell. */
static PLI_NOINLINE bool is_near(const PliNearPairs *pairs, int64_t i, PliClosest *closest,
                                 PliCounts *counts)
{
    float points[12];
    copy_points(pairs->table, pairs->pairs + 4 * i, points);
    return pli_is_finite(points, 12) &&
           pli_features_are_near(points, points + (pairs->are_edges ? 6 : 3), pairs->are_edges,
                                 pairs->distance, closest, counts);
}

/* Is a pair at a distance, as a float, that is the real one rounded, also within another one? The
 * float is on the same side of that as the real one unless both are equal (geom/closest.h). */
static PLI_NOINLINE bool is_within(const PliNearPairs *pairs, int64_t i, float found,
                                   PliCounts *counts)
{
    const float distance = pairs->distances[i];
    PliClosest unused;
    float points[12];
    if (found != distance)
        return found < distance;
    copy_points(pairs->table, pairs->pairs + 4 * i, points);
    return pairs->are_edges
               ? pli_edge_edge_is_near(points, points + 6, distance, &unused, counts)
               : pli_vertex_triangle_is_near(points, points + 3, distance, &unused, counts);
}

void pli_pairs_near(const PliKernels *kernels, const PliNearPairs *pairs, uint8_t *nearness,
                    PliClosest *closest, PliCounts *counts)
{
    kernels->find_near(pairs->table, pairs->are_edges, pairs->pairs, pairs->count, pairs->distance,
                       nearness, closest);
    for (int64_t i = 0; i < pairs->count; i++)
        if (nearness[i] == PLI_NEAR_UNKNOWN)
            nearness[i] = is_near(pairs, i, &closest[i], counts) ? PLI_NEAR : PLI_NEAR_NEVER;
    for (int64_t i = 0; pairs->distances && i < pairs->count; i++)
        if (nearness[i] == PLI_NEAR && pairs->distances[i] < pairs->distance &&
            !is_within(pairs, i, closest[i].distance, counts))
            nearness[i] = PLI_NEAR_NEVER;
}
