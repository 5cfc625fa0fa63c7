/* What touches on the way, from what is kept: see kept/kept.h. */
#ifndef PLI_SWEEP_KEPT_H
#define PLI_SWEEP_KEPT_H

#include "sweep/sweep.h"

/* The same as pli_sweep_find(). If the bodies have to be searched, it is up to the time `limit`,
 * which is at least sweep->until. The sides are those of the poses; are_apart is set. */
PliantResult pli_sweep_find_kept(PliSweep *sweep, PliKept *kept, uint64_t *last_epoch,
                                 const PliSweepSide *a, const PliSweepSide *b, PliKeptSide sides[2],
                                 float limit, PliArray *impacts);

#endif
