/* broad: which pairs of boxes overlap, out of up to millions.
 *
 * The caller passes all boxes of the frame. It gets every pair that shares a point and passes the
 * filters, in order. This folder knows boxes and nothing of their contents. Its one idea: a call is
 * given everything, so that nothing it remembers can be stale. From call to call it keeps the order
 * of the boxes: bodies move little between two frames, so that an insertion sort from the last
 * order has little to do. A wrong order costs time and never a pair.
 *
 * Few boxes are compared each with each. Many are distributed over columns, which are the cells of
 * a grid over two axes, and swept along the third axis within each column (grid.h, sweep.c).
 * Larsson and Akenine-Moller, 2001, sort along one axis for all, which is best for hundreds of
 * bodies. With a million bodies in a cube, each overlaps thousands of others along any one axis.
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

/* Boxes are closed, and may be infinite or flat. A box with low > high or NaN on any axis is that
 * of an absent body: it is in no pair. A pair passes the filters if the `collides_with` of each has
 * a bit of the `categories` of the other. */
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

/* A part of a sweep, done by one worker: of the bodies while they are located, then of the columns,
 * in the order of their keys. */
typedef struct PliBroadPart {
    PliantResult result;
    PliArray newcomers; /* of PliRanked: bodies to add to columns */
    PliArray items;     /* of PliColumnItem: the boxes of one column in the order of the sweep */
    PliArray ranked[2]; /* of PliRanked: to sort a column that has lost its order */
    PliArray found;     /* of PliBroadPair: as they are found */
    uint32_t categories, collides_with; /* that all of its bodies have */

    uint64_t first_key;
    int64_t next_newcomer, newcomer_end;
    int64_t next_old, old_end; /* columns of the last call */
    int64_t old_member_end;
    int64_t column_begin, column_count; /* of this call */
    int64_t member_begin, member_count;
    int64_t compared, max_members;
    int64_t recent[PLI_GRID_LEVELS]; /* the coarse columns that were visited last */
} PliBroadPart;

/* What is kept between calls. All of it could be thrown away at any time. */
typedef struct PliBroad {
    const PliantHost *host;
    PliBroadPeaks peaks;
    bool divides_everything; /* for tests: however little there is to do */

    /* The columns of the last call: the members of each in the order of the sweep, and for each
     * body the range of its cells. Members and ranges agree exactly. */
    PliGrid grid;
    PliGridTuner tuner;
    PliArray columns[2], members[2]; /* those of the last call, and of this one; see `current` */
    PliArray ranges;
    int current;

    /* Scratch. */
    PliArray parts;   /* of PliBroadPart */
    PliArray changed; /* a bit for each body: its cells differ from those of the last call */
    PliArray rest;    /* to sort newcomers */
    PliArray sample;  /* keys, to divide columns */
    PliArray coarse, reaches; /* boxes of coarse columns in the order of the sweep */
    PliArray lanes;           /* boxes by coordinate, for few */

    PliArray pairs; /* the answer */
} PliBroad;

/* `host` is borrowed. It must be resolved and outlive `broad`. */
void pli_broad_init(PliBroad *broad, const PliantHost *host);
void pli_broad_free(PliBroad *broad);

/* Makes room for so many parts. */
PliantResult pli_broad_make_parts(PliBroad *broad, int32_t count);

/* Returns the pairs of boxes that share a point and pass the filters: each once, ordered by a, then
 * b. They are borrowed until the next call. Boxes may be added or removed at any index between two
 * calls, and may be anywhere. Takes O(count + pairs) if they have moved little. With one worker it
 * allocates only if a count exceeds that of all calls before (PliBroadPeaks). On failure the
 * outputs are untouched, and `broad` can be used again. */
PliantResult pli_broad_find(PliBroad *broad, const PliBroadInput *input, const PliBroadPair **pairs,
                            int64_t *pair_count);

#endif
