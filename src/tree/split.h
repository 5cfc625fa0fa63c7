/* How each kind of tree divides the items of a node among its children. */
#ifndef PLI_SPLIT_H
#define PLI_SPLIT_H

#include "tree/tree.h"

/* An item on its way to one of two sides, or of eight. */
typedef struct PliSortItem {
    uint32_t key;
    int32_t item;
} PliSortItem;

/* What a builder works with. */
typedef struct PliSplitter {
    const PliTreeDef *def;
    int32_t *order;       /* of all items; a node's range is rearranged in place */
    PliSortItem *scratch; /* item_count of them */
    int32_t *marks;       /* item_count, for patches */
} PliSplitter;

/* Rearranges the order within the range so that the parts follow one another, and sets their
 * counts, none of them zero. Returns how many there are: 2 to def->child_count. The range has more
 * items than a leaf. */
typedef int32_t PliSplit(PliSplitter *splitter, PliRange range, int32_t counts[8]);

/* PLI_TREE_FULL: the counts follow from that of the range, and the order is made for all nodes at
 * once. */
PliSplit pli_split_full; /* the counts alone */
PliantResult pli_full_arrange(PliSplitter *splitter, const PliantHost *host);

PliSplit pli_split_plane; /* PLI_TREE_MIDDLE and PLI_TREE_MEAN */
PliSplit pli_split_patch;

/* Twice the midpoint of a box along an axis; 0 if it is not finite. */
static inline float pli_item_middle(const PliBox *box, int axis)
{
    float sum = box->low[axis] + box->high[axis];
    return fabsf(sum) < INFINITY ? sum : 0;
}

/* Cuts the range into equal parts, as they come: what is left when nothing else divides. */
int32_t pli_split_evenly(const PliSplitter *splitter, PliRange range, int32_t counts[8]);

#endif
