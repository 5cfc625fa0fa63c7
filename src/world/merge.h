/* From items that have been done to the answers of a query, in canonical order. */
#ifndef PLI_MERGE_H
#define PLI_MERGE_H

#include "world/items.h"

/* Adds the answers of a pair that one worker has done, and what it took. The item says where they
 * are. */
PliantResult pli_query_add(PliQuery *query, PliQueryItem *item);

/* The same for the first so many items, which are pairs, with their parts: in order, until nothing
 * more is wanted or one has failed. By several workers, if there is much. */
PliantResult pli_query_merge(PliQuery *query, int64_t pair_count);

#endif
