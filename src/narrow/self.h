/* Self-collision: the parts of the narrow phase that are for a pose and itself. */
#ifndef PLI_SELF_H
#define PLI_SELF_H

#include "narrow/narrow.h"

/* Makes the fan state of the pose right, if it has fans, and detects what has moved. */
PliantResult pli_self_start(PliNarrow *narrow, const PliPose *pose, PliFanState **state,
                            bool is_one_enough);

/* What each of up to PLI_LEAF_PAIRS pairs of slots excludes: each two triangles of one leaf are
 * compared once, and those of a fan are left to it. Of each pair the first leaf is then the one
 * with the lower number. */
void pli_self_exclude(const PliNarrow *narrow, uint32_t *slots, int32_t count,
                      const PliExclusionMask **masks);

/* Once all leaves that can be reached have been: the pairs that were excluded, and those that were
 * known. */
PliantResult pli_self_test_fans(PliNarrow *narrow, PliPose *pose, bool is_one_enough);

/* Keeps the pairs that were found, for the next query. */
PliantResult pli_self_keep(PliNarrow *narrow);

/* Decides the candidates that share vertices, and adds those that intersect, for which there is
 * room. Candidates that share none are left. */
void pli_self_test_shared(PliNarrow *narrow, const PliPose *pose);

#endif
