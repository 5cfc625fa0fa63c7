/* tree: bounding volume hierarchies of nodes with up to eight children.
 *
 * This folder knows bounds, never meshes: an item is a box, and for one of the builders a list of
 * neighbors. Its one idea: a tree is an order of its items in which every leaf and every node is a
 * range, and nothing else. It has no bounds of its own: these belong to the poses that move the
 * items (walk.h). It is built once, from the items at rest, and stays valid as they move.
 *
 * Full trees are the default: every leaf has leaf_size items and every node eight children, but for
 * the last of each level. The cost of a test of eight against eight does not depend on how many are
 * used, so that full nodes beat better placed ones. The other kinds are those that Larsson and
 * Akenine-Moller compare in "Collision Detection for Continuously Deforming Bodies", 2001.
 */
#ifndef PLI_TREE_H
#define PLI_TREE_H

#include "base/memory.h"
#include "base/tasks.h"
#include "geom/box.h"

typedef enum PliTreeKind {
    PLI_TREE_FULL,      /* split by surface area, only where it leaves full nodes behind */
    PLI_TREE_MIDDLE,    /* at the middle of the box, along its longest sides */
    PLI_TREE_MEAN,      /* at the mean of the items' midpoints, likewise */
    PLI_TREE_CONNECTED, /* into patches of neighbors */
} PliTreeKind;

/* The input of a builder. Borrowed during the call. */
typedef struct PliTreeDef {
    PliTreeKind kind;
    int32_t leaf_size;   /* at least 1; a leaf has at most so many items */
    int32_t child_count; /* 2, 4 or 8; a node has at most so many children */
    int32_t item_count;  /* at least 1 */
    const PliBox *boxes;

    /* For PLI_TREE_CONNECTED: the neighbors of item i are
     * neighbors[first_neighbors[i]] .. neighbors[first_neighbors[i + 1] - 1]. */
    const int32_t *first_neighbors;
    const int32_t *neighbors;
} PliTreeDef;

/* A range of positions in the order. */
typedef struct PliRange {
    int32_t first, count;
} PliRange;

/* A child is a node, or a leaf as the complement of its number: ~child. */
typedef struct PliTreeNode {
    PliRange range;
    int32_t child_count;
    int32_t children[8];
} PliTreeNode;

/* The root is node 0, or there is none and the one leaf is all. A node comes after its parent, so
 * that going backward through the nodes is going from the bottom up. */
typedef struct PliTree {
    int32_t item_count, leaf_count, node_count;
    int32_t level_count; /* of nodes, on the longest way down */
    int32_t *order;      /* the item at each position */
    PliRange *leaves;    /* in the order of their positions */
    PliTreeNode *nodes;
} PliTree;

/* Builds a tree in O(n log n), without recursion. On failure nothing is held. Boxes that are not
 * finite are allowed; their items are in some leaf. */
PliantResult pli_tree_build(const PliTreeDef *def, const PliantHost *host, PliTree *tree);

/* The same, but each item has a group, numbered from 0, and no leaf has items of two groups. */
PliantResult pli_tree_build_groups(const PliTreeDef *def, const int32_t *groups,
                                   int32_t group_count, const PliantHost *host, PliTree *tree);

void pli_tree_free(PliTree *tree, const PliantHost *host);

/* The number of levels of nodes, on the longest way down. `depths` is node_count of scratch. */
int32_t pli_tree_levels(const PliTree *tree, int32_t *depths);

/* Where the nodes before `end` begin that have no child among themselves: from the bottom up, so
 * many can be worked on at once. */
int32_t pli_tree_wave(const PliTree *tree, int32_t end);

/* Calls the task for parts of the nodes from the bottom up: the children of a node are done before
 * it. Parts are of node numbers. */
void pli_tree_climb(const PliTree *tree, const PliantHost *host, PliPartTask *task, void *data);

/* Checks a tree that was read from a file: every item is in one leaf, every leaf and node has one
 * parent and lies within its range, and parents come first. */
bool pli_tree_is_valid(const PliTree *tree, int32_t *seen /* item_count of scratch */);

#endif
