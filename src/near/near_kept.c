/* What is near, from what is kept: see near_kept.h. */
#include "near/near_kept.h"

static bool is_near(PliNear *near, PliantFeatures kind, const float points[12], float distance,
                    PliClosest *closest)
{
    near->pair_count++;
    return kind == PLIANT_EDGE_EDGE
               ? pli_edge_edge_is_near(points, points + 6, distance, closest, &near->counts)
               : pli_vertex_triangle_is_near(points, points + 3, distance, closest, &near->counts);
}

/* Appends those of the candidates of a pair that are within a distance. Those that were farther
 * than `far` are not. */
static PliantResult decide(PliNear *near, const PliKept *kept, const PliKeptPair *pair,
                           const PliKeptSide sides[2], float distance, double far, PliArray *pairs)
{
    if (pair->count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(pairs, near->worker->host, pairs->count + pair->count));
    PliantNearPair *first = (PliantNearPair *)pairs->items + pairs->count, *end = first;
    for (int64_t i = 0; i < pair->count; i++) {
        const PliNearCandidate *candidate =
            (const PliNearCandidate *)(const void *)pli_kept_candidate(kept, pair->first + i);
        const PliCandidate *base = &candidate->base;
        float points[12];
        PliClosest closest;
        if ((double)base->distance > far)
            continue;
        pli_candidate_points(base, candidate->points, 0, &sides[0], &sides[1], points);
        if (!is_near(near, base->kind, points, distance, &closest))
            continue;
        const PliantNearPair found =
            pli_near_pair(base->kind, base->feature_a, base->feature_b, base->vertices, &closest);
        if (end == first || pli_near_key(&found) != pli_near_key(end - 1))
            *end++ = found;
        else if (pli_near_is_before(&found, end - 1))
            end[-1] = found;
    }
    pairs->count += end - first;
    return PLIANT_OK;
}

PliantResult pli_near_find_kept(PliNear *near, PliKept *kept, uint64_t *last_epoch,
                                const PliNearSide *a, const PliNearSide *b, PliKeptSide sides[2],
                                float distance, PliArray *pairs)
{
    const PliantHost *host = near->worker->host;
    PliKeptPair now = {.reach = near->distance, .rest_distance = near->rest_distance};
    sides[0].are_apart = a->features.are_apart;
    sides[1].are_apart = b->features.are_apart;
    const PliKeptPair *pair = pli_kept_pair(kept, &sides[0], &sides[1], distance, &now);
    if (!pair) {
        pli_kept_settle(&sides[0], &sides[1], &now, last_epoch);
        PLI_TRY(pli_near_find_candidates(near, a, b));
        PLI_TRY(pli_kept_append(kept, &near->candidates_found, near->found.ranked, host, &now));
        pair = &now;
    }
    /* A candidate that was d apart is farther than the distance if distance + m + n < d. A returned
     * d may be one ulp above the real one (geom/closest.h). */
    const double far =
        pli_kept_reach(pair, &sides[0], &sides[1], distance) * (1 + 0x1p-22) + 0x1p-148;
    return decide(near, kept, pair, sides, distance, far, pairs);
}
