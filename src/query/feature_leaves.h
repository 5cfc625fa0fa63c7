/* Leaves of a feature search: fetched at both ends, with groups of their triangles, vertices and
 * edges. See feature_search.h. */
#ifndef PLI_FEATURE_LEAVES_H
#define PLI_FEATURE_LEAVES_H

#include "query/feature_search.h"

/* Leaves that are kept, at most. */
enum { PLI_MAX_FEATURE_LEAVES = 512 };
_Static_assert(2 * PLI_MAX_PORTION + 1 <= PLI_MAX_FEATURE_LEAVES &&
                   PLI_MAX_FEATURE_LEAVES <= (int)PLI_MAX_SLOTS,
               "a portion has room");

/* Fetches the leaves of so many pairs, as the walk has found them, and sets search->slot_pairs. */
PliantResult pli_feature_leaves_fetch(PliFeatureSearch *search, const void *pairs, int64_t count);

/* Makes the groups of vertices and edges of the leaf in a slot, unless they are there. It is of the
 * side of this number. */
void pli_feature_leaves_make(PliFeatureSearch *search, int number, int32_t slot);

#endif
