/* The walk of two trees in motion: which pairs of their leaves may overlap during a step.
 *
 * A tree in motion has bounds at the start of the step and at its end, of the same nodes. What is
 * in a node goes along straight lines, so its box at a time between is the mean of both
 * (kernels/moving.h): trees that move together are told apart as if they stood still. A pair of
 * nodes has a time before which they do not overlap; pairs that overlap later than `until`, which
 * may become less during the walk, are skipped. As in walk.h, bounds are computed when a walk
 * reaches their node, at both ends, and the walk can be paused.
 */
#ifndef PLI_MOVING_WALK_H
#define PLI_MOVING_WALK_H

#include "tree/walk.h"

typedef struct PliMovingBounds {
    PliBounds *start, *end; /* the same if it stands still */
    bool is_rounded; /* ends of boxes may be inward by their rounding, as those of pieces are */
} PliMovingBounds;

/* Two parts of two trees, nodes or complemented leaves. The box of a part is that of child home % 8
 * of node home / 8; home is -1 for a root. */
typedef struct PliMovingPair {
    int32_t a, b, a_home, b_home;
    float time; /* they do not overlap before */
} PliMovingPair;

typedef struct PliMovingLeafPair {
    int32_t a, b;
    float time;
} PliMovingLeafPair;

typedef struct PliMovingWalk {
    PliMovingBounds a, b;
    float until;             /* what overlaps later is skipped */
    float distance;          /* bounds that are no farther from each other count as overlapping */
    bool is_earliest_wanted; /* the pair that may overlap first is visited first */
    PliArray stack;          /* of PliMovingPair */
    int64_t step_count;      /* pairs of nodes that were opened, since it was last set to zero */
} PliMovingWalk;

void pli_moving_walk_init(PliMovingWalk *walk);
void pli_moving_walk_free(PliMovingWalk *walk, const PliantHost *host);

/* Starts at the roots, with nothing else on the stack. If a and b are the same, each two parts come
 * once, in either order, and the pairs within each part. */
PliantResult pli_moving_walk_start(PliMovingWalk *walk, PliMovingBounds a, PliMovingBounds b,
                                   const PliantHost *host);

/* Goes on until at least `wanted` leaf pairs have been added to `pairs`, or no more are left: the
 * stack is then empty. */
PliantResult pli_moving_walk_on(PliMovingWalk *walk, PliWorker *worker, int64_t wanted,
                                PliArray *pairs);

static inline bool pli_moving_walk_is_done(const PliMovingWalk *walk)
{
    return walk->stack.count == 0;
}

#endif
