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

#define PLI_NO_LIMIT INT64_MAX

/* What is found: pairs, or impacts. */
typedef struct PliFoundKind {
    size_t size;
    uint64_t (*key)(const void *item);                     /* of its features: the order */
    bool (*is_before)(const void *item, const void *than); /* of equal keys: the one to keep */
} PliFoundKind;

typedef struct PliFound {
    const PliFoundKind *kind;
    PliArray items; /* in the order in which they were found */
    PliArray ranked[2];
    int64_t limit;    /* the most items to append, or PLI_NO_LIMIT */
    int64_t merge_at; /* so many items are merged */
    bool is_over;     /* there are more than the limit: the search may end */
} PliFound;

void pli_found_init(PliFound *found, const PliFoundKind *kind);
void pli_found_free(PliFound *found, const PliantHost *host);

/* Nothing is found yet. */
void pli_found_start(PliFound *found);

/* Items were added: sets is_over if there are more than the limit. */
PliantResult pli_found_check(PliFound *found, const PliantHost *host);

/* Appends what was found, by keys. Over the limit, those are appended that were found first. On
 * failure `to` is as it was. */
PliantResult pli_found_append(PliFound *found, PliArray *to, const PliantHost *host);

#endif
