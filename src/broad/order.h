/* The order of the pairs that are returned. */
#ifndef PLI_ORDER_H
#define PLI_ORDER_H

#include "broad/broad.h"

/* Makes the answer from the pairs that were found, in any order, between `count` bodies. */
PliantResult pli_pairs_order(PliBroad *broad, int32_t count);

#endif
