/* The workers of a world: the one of the thread that calls, and those that are made when work is
 * first divided. */
#ifndef PLI_CREW_H
#define PLI_CREW_H

#include "world/world.h"

void pli_world_worker_init(PliWorldWorker *worker, PliantWorld *world);
void pli_world_worker_free(PliWorldWorker *worker);

/* Releases all memory but what updates of bodies need, which has to be there before. */
void pli_world_worker_trim(PliWorldWorker *worker, PliantWorld *world);

/* PliRegions.scratch_of. */
PliRegionScratch *pli_world_worker_regions(PliWorker *worker);

/* Ends all workers but the first; work that is divided later makes them again. */
void pli_world_crew_free(PliantWorld *world);

/* Gives the first worker its crew, whose members can read every body, if the host has several
 * workers. Each has room for all that queries needed so far, whoever needed it. On failure it has
 * none. */
PliantResult pli_world_crew_start(PliantWorld *world);
void pli_world_crew_end(PliantWorld *world);

/* A query: in the modes of the library, with a crew, as the next one of the world. */
PliantResult pli_world_ask(PliantWorld *world, PliProgress *progress, void *user,
                           PliantResult (*find)(void *query), void *query);

/* The same by the first worker alone. */
PliantResult pli_world_ask_one(PliantWorld *world, PliProgress *progress, void *user,
                               PliantResult (*find)(void *query), void *query);

/* Notes how much all workers have gathered, before some of it is dropped. */
void pli_world_crew_note(PliantWorld *world);

#endif
