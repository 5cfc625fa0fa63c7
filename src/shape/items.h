/* Items: what a tree is built over, triangles or pieces of them.
 *
 * If triangles are divided, there are pieces and three vertex numbers, both by item. Else both are
 * NULL, and the items are the triangles.
 */
#ifndef PLI_ITEMS_H
#define PLI_ITEMS_H

#include "base/memory.h"
#include "shape/pieces.h"
#include "tree/tree.h"

typedef struct PliItems {
    int32_t count;
    PliPiece *items;
    uint32_t *corners;
} PliItems;

PliantResult pli_items_make(const PliDivision *division, const PliMeshView *mesh, PliArena *arena,
                            PliItems *items);

/* The pieces in the order of the tree, or NULL. */
PliantResult pli_items_order(const PliItems *items, const PliTree *tree, PliArena *arena,
                             const PliPiece **pieces);

/* Its box, with these vertices. */
PliBox pli_item_box(const PliItems *items, const PliMeshView *mesh, const float *vertices,
                    int32_t item);

#endif
