/* Stale answers: has a body changed since an answer was found? */
#ifndef PLI_STAMP_H
#define PLI_STAMP_H

#include "tree/worker.h"
#include <pliant/world.h>

typedef struct PliBody PliBody;

/* The vertices of a body were set. */
void pli_world_touch(PliantWorld *world, PliBody *body);

/* Rounds borrowed doubles, once a query, or once in a hold. */
void pli_world_read_doubles(PliantWorld *world, PliBody *body);

/* Notes whether borrowed vertices have changed, likewise. */
void pli_world_hash_body(PliantWorld *world, PliBody *body, PliWorker *worker);

/* The stamp of an answer that was found in this query. */
uint64_t pli_world_stamp(const PliantWorld *world);

/* Was the answer with this stamp found by a query that hashes borrowed vertices? Only queries whose
 * answers can be handed back do: those for all pairs. */
static inline bool pli_stamp_has_hashes(uint64_t stamp)
{
    return stamp & 1;
}

/* Fails with PLIANT_STALE if a body has changed since an answer with this stamp, which is not 0,
 * was found. The query has started. If the answer has no hashes, a change of borrowed vertices is
 * not seen. */
PliantResult pli_world_check_stamp(const PliCall *call, PliantWorld *world, PliantBody handle,
                                   uint64_t stamp);

/* The same for all bodies of contacts, which are there. */
PliantResult pli_contacts_check_stamp(const PliCall *call, PliantWorld *world,
                                      const PliantContacts *contacts);

#endif
