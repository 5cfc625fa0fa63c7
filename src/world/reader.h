/* Readers: what a hold does for them, and self queries.
 *
 * A reader is a world without bodies of its own: it has a worker, answers and scratch. For the time
 * of a hold it gets the arrays of bodies of its world. When the hold begins, everything is made
 * that queries otherwise make on first need, so that a query writes to a body in one case only: it
 * opens nodes of its bounds, which are shared as those of several workers are (tree/walk.h). What a
 * query remembers of a body for the next one is the world's (kept candidates, statistics), or there
 * is one of it in each reader (the state of self-collision).
 */
#ifndef PLI_READER_H
#define PLI_READER_H

#include "world/world.h"

/* A world without bodies, in memory for one; and its end: with all that it has. */
void pli_world_init(PliantWorld *world, const PliKernels *kernels, PliBroadKind broad_kind,
                    const PliantHost *host);
void pli_world_free(PliantWorld *world);

/* Its memory by parts, and in all; and the release of all that can be made again. */
PliantWorldMemory pli_world_memory(const PliantWorld *world);
size_t pli_world_bytes(const PliantWorld *world);
void pli_world_trim(PliantWorld *world);

/* What a reader remembers of a body in place of PliBody.fan_state. */
typedef struct PliReaderFans {
    PliFanState *state;
    uint32_t serial; /* of the body */
} PliReaderFans;

/* Before a hold: makes all bodies of a world ready for its readers, if it has any, and hands them
 * over. On failure nothing has changed. */
PliantResult pli_readers_open(const PliCall *call, PliantWorld *world);

/* When it ends: false if a reader is being asked. */
bool pli_readers_close(PliantWorld *world);

/* Adds a reader to the list of a world, and takes it from there and frees it. */
void pli_reader_add(PliantWorld *world, PliantWorld *reader);
void pli_reader_free(PliantWorld *reader);

/* Starts a self query of a body. */
PliantResult pli_world_start_fans(PliantWorld *world, PliBody *body, bool is_one_enough);

#endif
