/* The simultaneous walk of two trees: which pairs of their leaves have bounds that overlap.
 *
 * A step opens a pair of nodes on both sides: eight children against eight. If one side is a leaf,
 * or far smaller than the other, only the other is opened. Bounds are computed when a walk reaches
 * their node, and not before; a stamp says whether those in memory hold for this frame.
 *
 * A tree in motion has bounds at the start of a time step and at its end, of the same nodes. Points
 * move along straight lines, so a box at a time between is the mean of both (kernels/moving.h): two
 * trees that move together are told apart as if they stood still. A tree that stands still has the
 * same bounds at both ends.
 *
 * Pairs wait on the stack of the walk, so that a tree may have any depth, and a walk can be paused:
 * leaf pairs come in portions, in an order that depends on the trees and the bounds alone.
 *
 * A walk by gaps does not ask what overlaps, but what is closest: its stack is a heap, from which
 * the pair with the least gap between its boxes is taken.
 */
#ifndef PLI_WALK_H
#define PLI_WALK_H

#include "tree/planes.h"
#include "tree/tree.h"
#include "tree/worker.h"

typedef enum PliExtraKind { PLI_EXTRA_NONE, PLI_EXTRA_BALLS, PLI_EXTRA_SLABS } PliExtraKind;

/* Whether the bounds of a node hold, and in which slot they are.
 *
 * The stamp is `frame` (odd) if they hold and a walk has reached the node; `frame - 1` if they hold
 * since an update renewed them. With an older stamp they do not hold, but are still in their slot,
 * unless the stamp is older than `oldest`: then the node has no slot. In shared bounds the stamp is
 * PLI_CLAIMED while a worker opens the node. */
#define PLI_CLAIMED UINT32_MAX
typedef struct PliNodeSlot {
    uint32_t stamp;
    int32_t slot;
} PliNodeSlot;

/* A tree and the bounds of its nodes in this frame. The pose that moves the items supplies `open`.
 *
 * Bounds are stored in slots. A node gets a slot when a walk reaches it, so that a body that is
 * reached little has few. There are never more slots than nodes. */
typedef struct PliBounds PliBounds;
struct PliBounds {
    const PliTree *tree;
    PliBox root;             /* the box of all */
    PliNodeSlot *node_slots; /* of each node */
    PliArray boxes;          /* of PliBoxes, by slot: of a node's children */
    uint32_t frame, oldest;
    bool is_shared; /* several workers reach nodes now: see pli_bounds_share() */
    bool is_pinned; /* and go on after pli_bounds_unshare(): readers of a world do */

    /* Extra bounds of the children of a node: extra_size floats for each slot, if that is not zero.
     * Used if both trees have the same kind. */
    PliExtraKind extra_kind;
    PliArray extra;
    int32_t extra_size;

    /* Planes that parts of the tree lie in now, or NULL; and for each leaf and node its plane, or
     * -1. */
    const PliPlane *planes;
    const int32_t *leaf_planes, *node_planes;

    /* Writes the bounds of a node's children to `boxes` and, if extra_size is not zero, to `extra`;
     * false if what is there still holds. Reads the pose and writes nothing else of it. `stamp` is
     * that of what is there. */
    bool (*open)(const PliBounds *bounds, int32_t node, uint32_t stamp, PliWorker *worker,
                 PliBoxes *boxes, float *extra);
};

static inline PliBoxes *pli_boxes_at(const PliBounds *bounds, int32_t slot)
{
    return (PliBoxes *)bounds->boxes.items + slot;
}

static inline float *pli_extra_at(const PliBounds *bounds, int32_t slot)
{
    return (float *)bounds->extra.items + (size_t)bounds->extra_size * (size_t)slot;
}

/* ---- Slots: bounds_slots.c ------------------------------------------------------------------ */

/* Takes the slots of all nodes away. Their memory is kept for the next ones. */
void pli_bounds_slots_forget(PliBounds *bounds);

/* Gives each node the slot of its own number, for which there must be room. */
void pli_bounds_slots_fix(PliBounds *bounds);
static inline bool pli_bounds_slots_are_fixed(const PliBounds *bounds)
{
    return bounds->oldest == 0;
}

/* Reserves room for the boxes of all nodes, for pli_bounds_slots_fix(). On failure nothing has
 * changed. */
PliantResult pli_bounds_slots_reserve_all(PliBounds *bounds, const PliantHost *host);

/* Gives a node a slot, unless it has one. The contents of slots stay, but may move in memory. On
 * failure nothing has changed. */
PliantResult pli_bounds_slots_claim(PliBounds *bounds, int32_t node, const PliantHost *host);

void pli_bounds_slots_free(PliBounds *bounds, const PliantHost *host);

/* Opens a node in the slot that it has, and counts that for the side. */
void pli_bounds_open(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side);

/* Makes the bounds of a node hold that a walk has come to. On failure nothing has changed. */
PliantResult pli_bounds_reach(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side);

/* From now on several workers may reach nodes of these bounds, until pli_bounds_unshare(). Each
 * node is opened once, by the first worker that comes to it; others wait for that. There is room
 * for the slots of all nodes, so that no slot moves and reaching a node cannot fail. On failure
 * nothing has changed. */
PliantResult pli_bounds_share(PliBounds *bounds, const PliantHost *host);
void pli_bounds_unshare(PliBounds *bounds);

/* The stamp of a node. What is in its slot was written before the stamp. */
static inline uint32_t pli_bounds_stamp(const PliBounds *bounds, int32_t node)
{
    return __atomic_load_n(&bounds->node_slots[node].stamp, __ATOMIC_ACQUIRE);
}

/* Makes the bounds of a node hold; false if there is no memory for them. */
static inline bool pli_bounds_hold(PliBounds *bounds, int32_t node, PliWorker *worker, PliSide side)
{
    return pli_bounds_stamp(bounds, node) == bounds->frame ||
           PLI_LIKELY(pli_bounds_reach(bounds, node, worker, side) == PLIANT_OK);
}

/* The boxes of a node's children, which hold; NULL if there is no memory for them. */
static inline const PliBoxes *pli_bounds_of(PliBounds *bounds, int32_t node, PliWorker *worker,
                                            PliSide side)
{
    return pli_bounds_hold(bounds, node, worker, side)
               ? pli_boxes_at(bounds, bounds->node_slots[node].slot)
               : NULL;
}

/* ---- The walk ------------------------------------------------------------------------------- */

typedef struct PliMovingBounds {
    PliBounds *start, *end; /* the same if the tree stands still */
    /* With times: ends of boxes may be inward by their rounding, as those of pieces are. */
    bool is_rounded;
} PliMovingBounds;

static inline PliMovingBounds pli_still_bounds(PliBounds *bounds)
{
    return (PliMovingBounds){bounds, bounds, false};
}

/* The input of a walk, and of each part of a walk that is divided. */
typedef struct PliWalkDef {
    /* If both are the same, each two parts come once, in either order, and the pairs within each
     * part. */
    PliMovingBounds a, b;
    float reach;    /* bounds that are no farther from each other count as overlapping */
    bool has_times; /* leaf pairs are PliMovingLeafPair; otherwise both trees stand still */
    bool has_gaps;  /* the walk is by gaps (geom/gaps.h); both trees stand still, without reach */
    /* With times: later overlaps are skipped. With gaps: larger ones are. It may become less on the
     * way. */
    float until;

    /* Visits the deepest overlap first, or with times the earliest: for callers to whom the first
     * answers are enough. */
    bool is_best_first;
} PliWalkDef;

/* Two parts of two trees, nodes or complemented leaves, whose boxes overlap. The box of a part is
 * child home % 8 of home / 8: a node if the walk has times, otherwise a slot. A root is child 0 of
 * -1. */
#define PLI_ROOT_HOME (-8)
typedef struct PliTreePartPair {
    int32_t a, b, a_home, b_home;
    float time; /* they do not overlap before; with gaps: the gap; otherwise 0 */
} PliTreePartPair;

typedef struct PliLeafPair {
    int32_t a, b;
} PliLeafPair;

typedef struct PliMovingLeafPair {
    int32_t a, b;
    float time; /* they do not overlap before */
} PliMovingLeafPair;

/* Part of a walk: pairs that are left to visit. */
typedef struct PliWalkPart {
    const PliTreePartPair *pairs;
    const void *leaf_pairs; /* PliLeafPair, or PliMovingLeafPair if the walk has times */
    int64_t pair_count, leaf_pair_count;
} PliWalkPart;

typedef struct PliWalk {
    PliWalkDef def;
    PliExtraKind extra_kind; /* that both have and that is compared */
    PliArray stack;          /* of PliTreePartPair; with gaps it is a heap */
    PliArray level;          /* of PliTreePartPair: scratch of pli_walk_widen() */
    int64_t step_count;      /* pairs of nodes that were opened, since it was last set to zero */
    int64_t bound_count, plane_count; /* tests of bounds with others, and with planes, likewise */

    /* Of PliTreePartPair, or NULL: pairs of a leaf and a far smaller node go here, and are not
     * opened. */
    PliArray *long_parts;

    /* Pairs of which neither part contains anything new are skipped. For each leaf: whether it is
     * new; for each node: a bit for each child. NULL: all are new. */
    const uint8_t *new_leaves, *new_children;
} PliWalk;

void pli_walk_init(PliWalk *walk);
void pli_walk_free(PliWalk *walk, const PliantHost *host);

/* Starts at the roots. Trees that stand still are done at once if their roots are too far apart. */
PliantResult pli_walk_start(PliWalk *walk, const PliWalkDef *def, const PliantHost *host);

/* Goes on until at least `wanted` leaf pairs have been added to `pairs`, or there are as many long
 * parts, or no more are left: the stack is then empty. With gaps it takes one pair, since which one
 * is next depends on what comes of it. */
PliantResult pli_walk_on(PliWalk *walk, PliWorker *worker, int64_t wanted, PliArray *pairs);

/* For a walk that several workers share: goes on breadth first until at least `wanted` pairs of
 * parts are on the stack, or none. Leaf pairs on the way are added to `pairs`. */
PliantResult pli_walk_widen(PliWalk *walk, PliWorker *worker, int64_t wanted, PliArray *pairs);

/* Starts a part of such a walk: with nothing on the stack, as if it had come from the roots. Pairs
 * that follow are added to it. */
void pli_walk_start_part(PliWalk *walk, const PliWalkDef *def);
PliantResult pli_walk_add(PliWalk *walk, const PliTreePartPair *pairs, int64_t count,
                          const PliantHost *host);

static inline bool pli_walk_is_done(const PliWalk *walk)
{
    return walk->stack.count == 0;
}

#endif
