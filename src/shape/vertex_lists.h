/* Vertex lists: which vertices a part of the tree has, so that its box is taken from these alone.
 *
 * Each leaf has a list, and each node up to the cut, which goes across the whole tree: the largest
 * parts with at most PLI_REFIT_CUT_SIZE triangles. A part above it is made of whole parts of the
 * cut.
 */
#ifndef PLI_VERTEX_LISTS_H
#define PLI_VERTEX_LISTS_H

#include "kernels/kernels.h"
#include "tree/tree.h"

enum { PLI_REFIT_CUT_SIZE = 1024 };
_Static_assert((int)PLI_REFIT_CUT_SIZE >= (int)PLI_LEAF_SIZE, "a leaf is never above the cut");

typedef struct PliVertexLists {
    int32_t number_count, refit_cut_count;
    const uint32_t *corners;  /* three vertex numbers for each item, in the order of the tree */
    const uint32_t *numbers;  /* that the lists are parts of */
    const int32_t *refit_cut; /* its parts from the first position to the last, as in a node */
    const PliVertexList *refit_cut_lists; /* of each of its parts */
    const PliVertexList *leaf_lists;      /* of each leaf */
    const PliVertexList *node_lists;      /* of each node; empty above the cut */
    const PliRange *node_refit_cuts; /* of each node above the cut: its parts of it; else empty */
} PliVertexLists;

/* Is a node above the cut? */
static inline bool pli_is_above_refit_cut(const PliVertexLists *vertex_lists, int32_t node)
{
    return vertex_lists->node_refit_cuts[node].count > 0;
}

/* Is this vertex, which has the greatest number of all, in the list? */
static inline bool pli_has_last(const PliVertexLists *vertex_lists, PliVertexList list,
                                uint32_t last)
{
    const uint32_t *blocks = vertex_lists->numbers + list.first,
                   *singles = blocks + list.block_count;
    return (list.single_count > 0 && singles[list.single_count - 1] == last) ||
           (list.block_count > 0 && blocks[list.block_count - 1] + (PLI_BLOCK - 1) == last);
}

/* Makes the sets of a tree, whose items are these triangles. The arrays are in the arena. */
PliantResult pli_vertex_lists_build(const PliTree *tree, const uint32_t *triangles,
                                    int32_t vertex_count, PliArena *arena,
                                    PliVertexLists *vertex_lists);

/* Are these the sets of this tree, for sets that come from elsewhere? `marks` is vertex_count of
 * scratch. */
bool pli_vertex_lists_are_valid(const PliVertexLists *vertex_lists, const PliTree *tree,
                                const uint32_t *triangles, int32_t vertex_count, int32_t *marks);

/* The vertices in the order in which the tree comes to them; those that it never does, last. */
void pli_vertex_order(const PliVertexLists *vertex_lists, int32_t item_count, int32_t vertex_count,
                      int32_t *marks, int32_t *order);

#endif
