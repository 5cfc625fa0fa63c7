/* broad: which pairs of boxes meet, out of up to millions.
 *
 * A caller hands over all boxes of the moment, and gets every pair that shares a point and is let
 * through by its filter, in order. This folder knows boxes and nothing of what is in them. Its one
 * idea: a call is given everything, so that nothing it remembers can be stale. What is kept from
 * call to call is the order in which the boxes lay the last time: from there, a sort by insertion
 * has little to do, since things move little between two calls. An order that is all wrong costs
 * time and no pair.
 *
 * Few boxes are compared each with each. Many are spread over columns, which are cells over two
 * axes, and swept along the third within each column (grid.h, sweep.c). Larsson and
 * Akenine-Moller 2001 sort one axis for all, which is best for hundreds of bodies; with a million
 * in a cube, each is beside thousands of others on any one axis.
 */
#ifndef PLI_BROAD_H
#define PLI_BROAD_H

#include "base/memory.h"
#include "broad/grid.h"

typedef struct PliBroadPair {
    int32_t a, b; /* a < b */
} PliBroadPair;

typedef enum PliBroadKind {
    PLI_BROAD_AUTO,  /* by the number of boxes */
    PLI_BROAD_BRUTE, /* each with each */
    PLI_BROAD_SWEEP,
} PliBroadKind;

/* The most boxes for which AUTO compares each with each: measured, see broad.c. */
enum { PLI_BROAD_FEW = 200 };

/* A box is closed and may be infinite, or flat. One with low > high or NaN on any axis is that of
 * an absent body: it is in no pair. A pair is let through if each side's `collides_with` has a bit
 * of the other's `categories`. */
typedef struct PliBroadInput {
    int32_t count;
    const PliBox *boxes;
    const uint32_t *categories, *collides_with;
    PliBroadKind kind;
} PliBroadInput;

/* The greatest counts of all calls so far. A call that exceeds none of them allocates nothing. */
typedef struct PliBroadPeaks {
    int64_t boxes, pairs;
    int64_t columns, members;
    int64_t coarse_members; /* of all columns but those of the finest level */
    int64_t column_members; /* of one column */
} PliBroadPeaks;

static inline void pli_raise_peak(int64_t *peak, int64_t count)
{
    *peak = count > *peak ? count : *peak;
}

/* What is kept between calls. All of it could be thrown away at any time. */
typedef struct PliBroad {
    const PliantHost *host;
    PliBroadPeaks peaks;

    /* The columns of the last call: members of each in the order of the sweep, and for each body
     * the cells that it is in. The members are exactly those that the places say. */
    PliGrid grid;
    PliGridTuner tuner;
    PliArray columns[2], members[2]; /* those of the last call, and of this one; see `current` */
    PliArray places;
    int current;

    /* Scratch. */
    PliArray changed;         /* a bit for each body: in other cells than the last time */
    PliArray newcomers, rest; /* to be added to columns; and as much again to sort them */
    PliArray ranked[2];       /* for what has lost its order */
    PliArray items, reaches;  /* boxes in the order of the sweep */
    PliArray found;           /* pairs as they are found */
    PliArray lanes;           /* boxes by coordinate, for few */

    PliArray pairs; /* the answer */
} PliBroad;

/* An empty memory. `host` is borrowed, and must be resolved and outlive it. */
void pli_broad_init(PliBroad *broad, const PliantHost *host);
void pli_broad_free(PliBroad *broad);

/* The pairs of boxes that share a point and that the filters let through: each once, ordered by
 * a, then b. They are borrowed until the next call. Boxes may be added or removed at any index
 * between two calls, and may be anywhere. Takes time in O(count + pairs) where they have moved
 * little. Allocates only if a count exceeds that of all calls before (PliBroadPeaks). On failure
 * the outputs are untouched, and `broad` can be used again. */
PliantResult pli_broad_find(PliBroad *broad, const PliBroadInput *input, const PliBroadPair **pairs,
                            int64_t *pair_count);

#endif
