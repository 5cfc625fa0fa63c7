/* Slabs, which k-DOPs and boxes are made of: their directions and their ends. */
#ifndef PLI_SLABS_H
#define PLI_SLABS_H

#include "kernels/kernels.h"
#include <pliant/experiments.h>

/* How many groups bounds of a kind have: low ends and high ends of slabs, or centers and radii. */
static inline int32_t pli_slab_count(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_DOP14 ? 7 : kind == PLIANT_BOUND_DOP18 ? 9 : 3;
}

static inline int32_t pli_group_count(PliantBoundKind kind)
{
    return kind == PLIANT_BOUND_SPHERE ? 4 : 2 * pli_slab_count(kind);
}

/* The directions of slabs, all three axes first. */
extern const float pli_slab_directions[2][9][3]; /* of 14 and of 18 */
static inline const float (*pli_slabs_of(PliantBoundKind kind))[3]
{
    return pli_slab_directions[kind == PLIANT_BOUND_DOP18];
}

/* One bound: nothing, all low ends and then all high ones; and one point more in it, unless it is
 * not finite. */
void pli_slabs_clear(int32_t slab_count, float *bound);
void pli_slabs_add(PliantBoundKind kind, const float point[3], float *bound);

/* Takes all from `low` to `high` into one of its slabs. */
void pli_slabs_widen(int32_t slab_count, int32_t slab, float low, float high, float *bound);

#endif
