/* One column of a sweep: its boxes in order, and the pairs that it has. */
#ifndef PLI_COLUMN_H
#define PLI_COLUMN_H

#include "broad/sweep.h"

#include "base/sort.h"

/* One call. Parts read it at the same time. */
typedef struct PliSweepAndPrune {
    PliBroad *broad;
    const PliBroadInput *input;
    const PliGrid *grid;
    bool is_filtered;
    PliBroadPart *parts;
    int32_t part_count; /* of the bodies, and then of the columns of the finest level */

    const PliRanked *newcomers;
    int64_t newcomer_count;

    const PliColumn *old_columns;
    int64_t old_column_count;
    const int32_t *old_members;
    PliColumn *columns;
    int32_t *members;

    int64_t first[PLI_GRID_LEVELS + 1]; /* columns of each level: to first[level + 1] */
} PliSweepAndPrune;

enum { PLI_AHEAD = 16 }; /* how many members ahead boxes are prefetched */

/* The members of a column, as they come in. */
typedef struct PliFilling {
    uint64_t key;
    int level;
    int32_t u, v;
    PliColumnItem *items;
    int64_t count;
    int64_t patience; /* moves that insertion may still take */
} PliFilling;

static inline bool pli_range_covers(const PliCellRange *range, int level, int32_t u, int32_t v)
{
    return range->level == level && u >= range->low[0] && u <= range->low[0] + range->span[0] &&
           v >= range->low[1] && v <= range->low[1] + range->span[1];
}

/* Fills a column with those of its members of the last call, old_begin to old_end, that are still
 * members, and with its newcomers, sorts it, and finds its pairs. If it has members, it becomes the
 * next column of the part. */
PliantResult pli_column_process(const PliSweepAndPrune *sweep, PliBroadPart *part,
                                PliFilling *filling, int64_t old_begin, int64_t old_end);

#endif
