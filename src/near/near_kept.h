/* What is near, from what is kept: see kept/kept.h. */
#ifndef PLI_NEAR_KEPT_H
#define PLI_NEAR_KEPT_H

#include "kept/kept.h"
#include "near/near.h"

/* The same as pli_near_find() for a distance that is at most that of `near`, which is the reach.
 * The sides are those of the poses; are_apart is set. */
PliantResult pli_near_find_kept(PliNear *near, PliKept *kept, uint64_t *last_epoch,
                                const PliNearSide *a, const PliNearSide *b, PliKeptSide sides[2],
                                float distance, PliArray *pairs);

#endif
