/* From items that have been tested to the contacts of a query, in canonical order. */
#ifndef PLI_MERGE_H
#define PLI_MERGE_H

#include "world/contacts.h"

static inline bool pli_collide_has_limit(const PliCollide *query)
{
    return query->def.max_contact_count > 0;
}

static inline bool pli_collide_is_any_enough(const PliCollide *query)
{
    return query->def.kind == PLIANT_ANY_PAIR;
}

/* Is nothing more wanted? */
static inline bool pli_collide_is_finished(const PliCollide *query)
{
    return query->is_limit_reached || (pli_collide_is_any_enough(query) && query->count > 0);
}

/* Adds the contacts of a pair that one worker has tested, and what it took. They are in the item.
 */
PliantResult pli_collide_add(PliCollide *query, PliQueryItem *item);

/* The same for the first so many items, which are pairs, with their parts: in order, until nothing
 * more is wanted or one has failed. By several workers, if there is much. */
PliantResult pli_collide_merge(PliCollide *query, int64_t pair_count);

#endif
