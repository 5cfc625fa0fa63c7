/* The walk of two trees at once: which of their leaves have boxes that meet.
 *
 * A pair of nodes is opened on both sides, eight children against eight in one step; where one side
 * is a leaf, or far smaller than the other, only the other is opened. Bounds are asked for when a
 * node is reached, and not before: a stamp tells whether those that are there hold for this frame.
 *
 * Pairs wait on a stack of the walk's own, so that no tree is too deep, and the walk can be left
 * and taken up again: leaf pairs come in portions, in an order that depends on the trees and the
 * boxes alone.
 */
#ifndef PLI_WALK_H
#define PLI_WALK_H

#include "kernels/kernels.h"
#include "tree/tree.h"

typedef enum PliMoreKind { PLI_MORE_NONE, PLI_MORE_BALLS, PLI_MORE_SLABS } PliMoreKind;

/* A tree and the bounds of it that hold now. `open` is whoever moves the items.
 *
 * The stamp of a node says: `frame` (odd), that its boxes hold and that a walk has been there;
 * `frame - 1`, that they hold, having been renewed without being asked for. */
typedef struct PliBounds PliBounds;
struct PliBounds {
    const PliTree *tree;
    PliBox root;      /* the box of all */
    PliBoxes *boxes;  /* of the children of each node */
    uint32_t *stamps; /* of each node */
    uint32_t frame;
    int64_t opened_count; /* nodes opened, since whoever counts set it to zero */

    /* Beyond the boxes, where both trees have the same: bounds of the children of each node side by
     * side, more_size floats for each. */
    PliMoreKind more_kind;
    float *more;
    int32_t more_size;

    /* Makes the boxes of a node's children right; false if they were. The stamp is the old one. */
    bool (*open)(PliBounds *bounds, int32_t node, const PliKernels *kernels);
};

static inline const PliBoxes *pli_bounds_of(PliBounds *bounds, int32_t node,
                                            const PliKernels *kernels)
{
    uint32_t stamp = bounds->stamps[node];
    if (stamp != bounds->frame) {
        if (stamp != bounds->frame - 1)
            bounds->opened_count += bounds->open(bounds, node, kernels);
        bounds->stamps[node] = bounds->frame;
    }
    return &bounds->boxes[node];
}

/* Two parts of two trees, nodes or leaves (complemented), whose boxes meet; and where the box of
 * each is: child home % 8 of node home / 8. A root has no home. */
typedef struct PliPartPair {
    int32_t a, b, a_home, b_home;
} PliPartPair;

typedef struct PliLeafPair {
    int32_t a, b;
} PliLeafPair;

typedef struct PliWalk {
    PliBounds *a, *b;
    PliMoreKind more_kind; /* that both have */
    bool is_one_enough;    /* then the deepest are looked at first */
    PliArray stack;        /* of PliPartPair */
    int64_t step_count; /* pairs of nodes that were opened, since whoever counts set it to zero */
} PliWalk;

void pli_walk_init(PliWalk *walk);
void pli_walk_free(PliWalk *walk, const PliantHost *host);

/* Starts at the roots, if their boxes meet. */
PliantResult pli_walk_start(PliWalk *walk, PliBounds *a, PliBounds *b, bool is_one_enough,
                            const PliantHost *host);

/* Goes on until at least `wanted` leaf pairs have been added to `pairs`, or no more are left: the
 * stack is then empty. */
PliantResult pli_walk_on(PliWalk *walk, const PliKernels *kernels, const PliantHost *host,
                         int64_t wanted, PliArray *pairs);

static inline bool pli_walk_is_done(const PliWalk *walk)
{
    return walk->stack.count == 0;
}

#endif
