/* How deep the vertices of a part are, and small pieces of it. */
#ifndef PLI_REGION_SAMPLES_H
#define PLI_REGION_SAMPLES_H

#include "regions/depth.h"

/* Is corner k of a triangle in a part: of a cut one, in a face? */
bool pli_has_corner(const PliRegions *regions, const PliRanked *entry, int k);

/* Makes room for the depths of the vertices of a part: each is in the patch that is in the low half
 * of its key. */
PliantResult pli_prepare_vertices(PliRegions *regions, const PliantRegionPart *part,
                                  const uint64_t *keys);

/* Finds what is asked for of a task: the depths of its vertices, and pieces. Right after
 * pli_find_depth(). */
PliantResult pli_find_samples(const PliRegions *regions, PliRegionScratch *scratch,
                              const PliPartTriangles *triangles, PliRegionTask *task);

/* Adds the pieces of a task to the answer. The tasks of one part come one after the other. */
PliantResult pli_add_pieces(PliRegions *regions, const PliRegionTask *task);

#endif
