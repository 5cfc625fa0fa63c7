/* Who uses a world: one call that changes it, or several that read it. */
#ifndef PLI_CLAIM_H
#define PLI_CLAIM_H

#include "base/base.h"
#include <pliant/world.h>

/* Each public call begins with one of these three lines. They declare `call`, check that there is a
 * world, and claim it until the function returns: for this call alone, which sets bodies or asks a
 * question, or together with others that read it. A world that another call has claimed is
 * reported, and so is one that is held, to those that set bodies. */
#define PLI_CHANGE_WORLD(world)                                                                    \
    PLI_ASK_WORLD(world);                                                                          \
    PLI_CHECK(&call, !(world)->is_held, PLIANT_BUSY,                                               \
              "the world is held: nothing may be set before pliant_world_release()")
#define PLI_ASK_WORLD(world)                                                                       \
    PLI_WORLD_CALL(world);                                                                         \
    PLI_CLAIM_WORLD(&call, world)
#define PLI_READ_WORLD(world)                                                                      \
    PLI_WORLD_CALL(world);                                                                         \
    PLI_CHECK_CLAIM(&call, world, pli_world_begin_read);                                           \
    const PliantWorld *const pli_claimed __attribute__((unused, cleanup(pli_world_end_read))) =    \
        (world)

/* The parts of the second one. */
#define PLI_WORLD_CALL(world) const PliCall call = {(world) ? &(world)->host : NULL, __func__}
#define PLI_CLAIM_WORLD(call, world)                                                               \
    PLI_CHECK_CLAIM(call, world, pli_world_begin_change);                                          \
    PliantWorld *const pli_claimed __attribute__((unused, cleanup(pli_world_end_change))) = (world)
#define PLI_CHECK_CLAIM(call, world, begin)                                                        \
    PLI_CHECK(call, world, PLIANT_BAD_ARGUMENT, "world is NULL");                                  \
    PLI_CHECK(call, begin(world), PLIANT_BUSY, "%s", pli_world_busy_text(world))

/* Why a claim has failed. */
const char *pli_world_busy_text(const PliantWorld *world);

bool pli_world_begin_change(PliantWorld *world);
void pli_world_end_change(PliantWorld *const *world);
bool pli_world_begin_read(const PliantWorld *world);
void pli_world_end_read(const PliantWorld *const *world);

#endif
