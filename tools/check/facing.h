/* Which way triangles face: for this folder alone. */
#ifndef TOOLS_FACING_H
#define TOOLS_FACING_H

#include "check/shapes.h"

/* Sets is_turned of each item. A closed surface has its inside below its triangles. So triangles
 * are turned over where the rest pose has them facing inward: under a node that mirrors, or in a
 * file that has them so. Of a surface that is not closed the signed volume tells it too, as far as
 * it goes: that of the cone to the middle of all vertices. */
bool facing_find(const Scene *scene, Shapes *shapes, char error[400]);

/* Is every triangle there twice, once facing each way? */
bool part_is_two_sided(const ScenePart *part);

#endif
