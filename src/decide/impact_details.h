/* Impact details: where features touch and which way they go, and the order of what is found. */
#ifndef PLI_IMPACT_DETAILS_H
#define PLI_IMPACT_DETAILS_H

#include "base/sort.h"
#include "kernels/impacts.h"
#include "query/kept.h"
#include "query/sides.h"
#include <pliant/sweep.h>

/* What is known of a pair that touches at a time, or comes near: that time, weights and a normal;
 * not the bodies and features. `pairs` has one pair. If `is_swapped`, its vertex is that of body b.
 */
PliantImpact pli_impact_details(const PliImpactPairs *pairs, bool is_swapped, bool is_near,
                                float time);

static inline uint64_t pli_impact_key(const PliantImpact *impact)
{
    return pli_feature_key(impact->kind, impact->feature_a, impact->feature_b);
}

/* Is an impact before another one? By time, then in canonical order. Of the same two features at
 * several places: that with the least weights, then normal, then vertices. */
static inline bool pli_impact_is_before(const PliantImpact *a, const PliantImpact *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    const uint64_t a_key = pli_impact_key(a), b_key = pli_impact_key(b);
    if (a_key != b_key)
        return a_key < b_key;
    const int order = pli_near_compare(a->weights, a->normal, b->weights, b->normal);
    if (order != 0)
        return order < 0;
    return pli_near_is_lower(a->vertices, b->vertices);
}

#endif
