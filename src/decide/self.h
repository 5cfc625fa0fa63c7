/* Self-collision: the parts of the decider of triangles that are for a pose and itself. */
#ifndef PLI_SELF_H
#define PLI_SELF_H

#include "decide/triangles.h"

/* Adds the contacts of the last query between leaves that have not moved. */
PliantResult pli_self_add_last(PliNarrow *narrow);

/* What each of up to PLI_LEAF_PAIRS pairs of slots excludes: each two triangles of one leaf are
 * compared once, and those of a fan are left to it. Of each pair the first leaf is then the one
 * with the lower number. */
void pli_self_exclude(const PliNarrow *narrow, uint32_t *slots, int32_t count,
                      const PliExclusionMask **masks);

/* Once it is known which fans are clean: the pairs of the others, from `first` to `end` - 1, which
 * were excluded. */
PliantResult pli_self_test_fans(PliNarrow *narrow, PliPose *pose, int32_t first, int32_t end,
                                bool is_one_enough);

/* Decides the candidates that share vertices, and adds those that intersect, for which there is
 * room. Candidates that share none are left. */
void pli_self_test_shared(PliNarrow *narrow, const PliPose *pose);

#endif
