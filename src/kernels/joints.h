/* What joints make of the directions of the world, as sums of slabs.
 *
 * Along a direction of the world, a body reaches as far as it does along the one that the map takes
 * to it. That is a sum, with factors that are not negative, of three directions of slabs next to
 * it: and along a sum a body reaches no farther than the sum of how far it reaches along each. */
#ifndef PLI_JOINTS_H
#define PLI_JOINTS_H

#include "kernels/weighted_sum.h"

/* A direction of a body as a sum of slabs: of a box, a 14-DOP or an 18-DOP, by their number. Sets
 * the slabs and the factors. */
void pli_split_direction(int32_t slab_count, const double direction[3], PliSlabSum *sum);

/* A joint and then the map, without its offset: rows, and where they lead to. */
void pli_combine_joint(const PliTransform *map, const PliTransform *joint, double rows[3][3],
                       double offset[3]);

/* Does both for some of the joints of a body: sets sums[3 j + k] for the axis k of the world. The
 * offset of both ends is that of the joint. */
typedef void PliJointSums(const PliTransform *map, const PliTransform *joints, const uint16_t *used,
                          int32_t used_count, int32_t slab_count, PliSlabSum *sums);

#endif
