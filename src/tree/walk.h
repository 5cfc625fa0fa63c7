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

#include "tree/planes.h"
#include "tree/tree.h"
#include "tree/worker.h"

typedef enum PliMoreKind { PLI_MORE_NONE, PLI_MORE_BALLS, PLI_MORE_SLABS } PliMoreKind;

/* Whether the bounds of a node hold, and in which slot they are.
 *
 * The stamp says: `frame` (odd), that they hold and that a walk has been there; `frame - 1`, that
 * they hold, having been renewed without being asked for. Older ones do not hold, but they are in
 * their slot still unless the stamp is older than `oldest`: the node then has none. */
typedef struct PliNodePlace {
    uint32_t stamp;
    int32_t slot;
} PliNodePlace;

/* A tree and the bounds of it that hold now. `open` is whoever moves the items.
 *
 * Bounds are in slots, which nodes get as they are reached: a body of which little is reached has
 * few. There are never more than nodes. */
typedef struct PliBounds PliBounds;
struct PliBounds {
    const PliTree *tree;
    PliBox root;          /* the box of all */
    PliNodePlace *places; /* of each node */
    PliArray boxes;       /* of PliBoxes, by slot: of a node's children */
    uint32_t frame, oldest;

    /* Beyond the boxes, where both trees have the same: bounds of the children of a node side by
     * side, more_size floats by slot, if that is not zero. */
    PliMoreKind more_kind;
    PliArray more;
    int32_t more_size;

    /* Planes that parts of the tree lie in now, or NULL; and of each part its plane, or -1. */
    const PliPlane *planes;
    const int32_t *leaf_planes, *node_planes;

    /* Writes the bounds of a node's children to `boxes` and, if extra_size is not zero, to `extra`;
     * false if what is there still holds. Reads the pose and writes nothing else of it. The stamp
     * is the old one. */
    bool (*open)(const PliBounds *bounds, int32_t node, PliWorker *worker, PliBoxes *boxes,
                 float *extra);
};

static inline PliBoxes *pli_boxes_at(const PliBounds *bounds, int32_t slot)
{
    return (PliBoxes *)bounds->boxes.items + slot;
}

static inline float *pli_more_at(const PliBounds *bounds, int32_t slot)
{
    return (float *)bounds->more.items + (size_t)bounds->more_size * (size_t)slot;
}

/* ---- Slots: slots.c ------------------------------------------------------------------------- */

/* No node has a slot any more. Their memory is kept for those that are reached next. */
void pli_slots_forget(PliBounds *bounds);

/* Every node has the slot of its own number, for which there is room. */
void pli_slots_fix(PliBounds *bounds);
static inline bool pli_slots_are_fixed(const PliBounds *bounds)
{
    return bounds->oldest == 0;
}

/* Room for the boxes of all nodes; then it can be fixed. On failure nothing has changed. */
PliantResult pli_slots_reserve_all(PliBounds *bounds, const PliantHost *host);

/* Gives a node a slot, unless it has one. What was in a slot stays in it, though it may move. On
 * failure nothing has changed. */
PliantResult pli_slots_take(PliBounds *bounds, int32_t node, const PliantHost *host);

void pli_slots_free(PliBounds *bounds, const PliantHost *host);

/* Opens a node in the slot that it has, and counts that for the side. */
void pli_bounds_open(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side);

/* Makes the bounds of a node hold that a walk has come to. On failure nothing has changed. */
PliantResult pli_bounds_reach(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side);

/* The boxes of a node's children, which hold; NULL if there is no memory for them. */
static inline const PliBoxes *pli_bounds_of(PliBounds *bounds, int32_t node, PliWorker *worker,
                                            PliSide side)
{
    const PliNodePlace *place = &bounds->places[node];
    if (place->stamp != bounds->frame &&
        PLI_UNLIKELY(pli_bounds_reach(bounds, node, worker, side) != PLIANT_OK))
        return NULL;
    return pli_boxes_at(bounds, place->slot);
}

/* ---- The walk ------------------------------------------------------------------------------- */

/* Two parts of two trees, nodes or leaves (complemented), whose boxes meet; and where the box of
 * each is: child home % 8 in slot home / 8. A root has no home. */
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
    int64_t bound_count, plane_count; /* bounds compared with others, and with planes, likewise */

    /* Pairs of which neither part has anything in it that is new are left out: of each leaf,
     * whether it is, and of each node, a bit for each child. NULL: all is new. */
    const uint8_t *new_leaves, *new_children;
} PliWalk;

void pli_walk_init(PliWalk *walk);
void pli_walk_free(PliWalk *walk, const PliantHost *host);

/* Starts at the roots, if their boxes meet. If both are one, each two parts of it come once, in
 * whichever order, and each part with itself. */
PliantResult pli_walk_start(PliWalk *walk, PliBounds *a, PliBounds *b, bool is_one_enough,
                            const PliantHost *host);

/* Goes on until at least `wanted` leaf pairs have been added to `pairs`, or no more are left: the
 * stack is then empty. */
PliantResult pli_walk_on(PliWalk *walk, PliWorker *worker, int64_t wanted, PliArray *pairs);

static inline bool pli_walk_is_done(const PliWalk *walk)
{
    return walk->stack.count == 0;
}

#endif
