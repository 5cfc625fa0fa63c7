/* Items: what a tree is built over, triangles or pieces of them.
 *
 * What a tree is made over. If triangles are divided, there are pieces by item, the same in the
 * order of the tree once there is one, and three vertex numbers for each item; else all three are
 * NULL, and the items are the triangles.
 */
#ifndef PLI_ITEMS_H
#define PLI_ITEMS_H

#include "shape/pieces.h"
#include "tree/tree.h"

typedef struct PliItems {
    int32_t count;
    PliPiece *items, *pieces;
    uint32_t *corners;
} PliItems;

PliantResult pli_items_make(const PliDivision *division, const PliMeshView *mesh,
                            const PliantHost *host, PliItems *items);
void pli_items_order(PliItems *items, const PliTree *tree);
void pli_items_free(PliItems *items, const PliantHost *host);

static inline const uint32_t *pli_item_corners(const PliItems *items, const PliMeshView *mesh)
{
    return items->corners ? items->corners : mesh->triangles;
}

/* Its box, with these vertices. */
PliBox pli_item_box(const PliItems *items, const PliMeshView *mesh, const float *vertices,
                    int32_t item);

#endif
