/* Unique: pairs of features as pairs of the closest features.
 *
 * One idea: which vertices of two features the closest points lie between is known exactly
 * (PliantNearPair.region). So each side of a pair is a vertex, an edge or a triangle, whichever
 * has these vertices alone, and equal pairs of such sides are one pair. These are the pairs over
 * which the potentials of Li et al., "Incremental Potential Contact" (2020), are summed, with how
 * often each counts.
 */
#ifndef PLI_UNIQUE_H
#define PLI_UNIQUE_H

#include "query/sides.h"

/* Changes a pair to that of its closest features. Within one body both features are the same. A
 * side of a triangle both of whose ends are one vertex is no edge: the triangle stays. */
void pli_unique_reduce(PliantNearPair *pair, const PliPoseFeatures *a, const PliPoseFeatures *b);

/* Appends pairs of two bodies, which were reduced, by kind and features, equal ones as one: that of
 * the least distance, and of these the first. `room` is for PliRanked. On failure `to` is as it
 * was. */
PliantResult pli_unique_merge(const PliantNearPair *pairs, int64_t count, PliArray *room,
                              PliArray *to, const PliantHost *host);

/* The order of pairs of closest features: as pli_feature_key(), of which it leaves the numbers as
 * they are. Kinds that are no others have four bits, and their numbers 30 bits each; larger ones
 * fail with PLIANT_TOO_LARGE. */
PliantResult pli_unique_key(const PliantNearPair *pair, uint64_t *key);

#endif
