/* Items in an order that makes a good tree: halved across their longest side, over and over. */
#ifndef PLI_HALVE_H
#define PLI_HALVE_H

#include "geom/box.h"

/* The midpoint of a primitive; the fourth lane holds the bits of its number. */
typedef PliFloat4 PliItem;

static inline PliItem pli_item(PliFloat4 middle, int32_t number)
{
    PliInt4 item = (PliInt4)middle;
    item[3] = number;
    return (PliItem)item;
}

static inline int32_t pli_item_number(PliItem item)
{
    return ((PliInt4)item)[3];
}

/* Sorts items so that each PLI_LEAF_SIZE of them are close to each other, and so are each two of
 * these groups, each four, and so on. Returns where the result is: items or spare. */
PliItem *pli_items_halve(PliItem *items, PliItem *spare, int32_t count);

#endif
