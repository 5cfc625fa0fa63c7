/* Found: what a search has found between two poses, in order, each two features once, and no more
 * than a limit.
 *
 * The same two features may be found several times: by the pieces of a divided triangle, at the
 * places of vertices that are apart, and by all triangles of a pose that is not finite. These are
 * merged: when the search has ended, and before, as often as there may be more than the limit. So
 * memory is in proportion to the limit, with room for what is found between two checks.
 */
#ifndef PLI_FOUND_H
#define PLI_FOUND_H

#include "base/memory.h"
#include "query/kept.h"
#include <pliant/sweep.h>

#include <string.h>

#define PLI_NO_LIMIT INT64_MAX

/* What is found is a PliantNearPair or a PliantImpact: both have one size, and begin alike. */
typedef struct PliFoundHead {
    PliantBody bodies[2];
    PliantFeatures kind;
    int32_t features[2];
} PliFoundHead;
enum { PLI_FOUND_SIZE = sizeof(PliantNearPair) };
_Static_assert(sizeof(PliantImpact) == PLI_FOUND_SIZE &&
                   offsetof(PliantNearPair, kind) == offsetof(PliFoundHead, kind) &&
                   offsetof(PliantImpact, kind) == offsetof(PliFoundHead, kind) &&
                   offsetof(PliantNearPair, feature_b) == offsetof(PliFoundHead, features[1]) &&
                   offsetof(PliantImpact, feature_b) == offsetof(PliFoundHead, features[1]),
               "both are found in one array");

/* The order of what is found: that of its features. */
static inline uint64_t pli_found_key(const void *item)
{
    PliFoundHead head;
    memcpy(&head, item, sizeof head);
    return pli_feature_key(head.kind, head.features[0], head.features[1]);
}

/* Of equal keys: is this the one to keep? */
typedef bool PliIsBefore(const void *item, const void *than);

typedef struct PliFound {
    PliIsBefore *is_before;
    PliantBody bodies[2]; /* between which items are found: of those that are appended */
    PliArray items;       /* in the order in which they were found */
    PliArray keys;        /* of uint64_t: of the items that were checked */
    PliArray ranked[2];
    int64_t limit;    /* the most items to append, or PLI_NO_LIMIT */
    int64_t merge_at; /* so many items are merged */
    bool is_over;     /* there are more than the limit: the search may end */
} PliFound;

void pli_found_init(PliFound *found, PliIsBefore *is_before);
void pli_found_free(PliFound *found, const PliantHost *host);

/* Nothing is found yet. */
void pli_found_start(PliFound *found);

/* Items were added: sets is_over if there are more than the limit. */
PliantResult pli_found_check(PliFound *found, const PliantHost *host);

/* Appends what was found, by keys. Over the limit, those are appended that were found first. On
 * failure `to` is as it was. */
PliantResult pli_found_append(PliFound *found, PliArray *to, const PliantHost *host);

/* Appends the first of those that were found, if there is any. */
PliantResult pli_found_append_first(PliFound *found, PliArray *to, const PliantHost *host);

#endif
