/* Welding: which vertices of a mesh are one.
 *
 * Where shading or texture has a seam, exporters write a vertex twice: at the same place, with
 * another normal or texture coordinate. Vertices that are at one place and move alike are one
 * vertex of the surface, and form a group. Its lowest vertex stands for it.
 *
 * Vertices are sorted by their coordinates; then those that are not alone by how they move, two
 * numbers at a time. A counting sort each time: O(n) for each number, and no hashes.
 */
#ifndef PLI_WELD_H
#define PLI_WELD_H

#include "base/memory.h"
#include <pliant/shape.h>

/* Sets groups[v] to the lowest vertex that is where v is in the rest pose, has the same morph
 * targets and follows the same joints by the same weights. -0 is 0. A vertex that is not finite is
 * alone. Reads the vertices, targets and skin of a def that has been checked; def->skin is not
 * NULL. On failure nothing is written. */
PliantResult pli_weld(const PliantShapeDef *def, const PliantHost *host, uint32_t *groups,
                      int32_t *group_count);

#endif
