/* The sweep: see sweep.c. */
#ifndef PLI_SWEEP_H
#define PLI_SWEEP_H

#include "broad/broad.h"

/* A body in a column: u, v, then along the sweep. */
typedef struct PliColumnItem {
    float low[3];
    int32_t begins; /* on which axes this is the first of its cells */
    float high[3];
    int32_t body;
} PliColumnItem;

_Static_assert(sizeof(PliColumnItem) == 32, "each corner is loaded as four lanes");

/* A column, and where its members begin and end. */
typedef struct PliColumn {
    uint64_t key;
    int64_t begin, end;
} PliColumn;

static inline bool pli_filter_allows(const PliBroadInput *input, int32_t a, int32_t b)
{
    return (input->categories[a] & input->collides_with[b]) &&
           (input->categories[b] & input->collides_with[a]);
}

/* Finds the pairs, in any order, into the first of
 * broad->parts. After a failure pli_broad_forget_columns() must be
 * called. */
PliantResult pli_sweep(PliBroad *broad, const PliBroadInput *input);

/* Forgets the columns of the last call. Keeps the memory. */
void pli_broad_forget_columns(PliBroad *broad);

#endif
