/* Orders: a radix sort for what has no order yet, and pairs brought into theirs.
 */
#ifndef PLI_ORDER_H
#define PLI_ORDER_H

#include "broad/broad.h"

/* As pli_array_reserve(), with a quarter to spare, so that counts that vary a little from call to
 * call soon ask for nothing. */
PliantResult pli_reserve_spare(PliArray *array, const PliantHost *host, int64_t count);

/* Ordered by `key`, then `rank`. */
typedef struct PliRanked {
    uint64_t key;
    uint32_t rank;
    int32_t item;
} PliRanked;

/* Sorts, keeping the order of equals, in time O(count). `scratch` has room for as many. Returns
 * where the result is: one of the two. */
PliRanked *pli_radix_sort(PliRanked *items, PliRanked *scratch, int64_t count);

/* Makes the answer from the pairs that were found, in any order, between `count` bodies. */
PliantResult pli_pairs_order(PliBroad *broad, int32_t count);

#endif
