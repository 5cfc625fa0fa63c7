/* Doubles: vertices that the caller has in double.
 *
 * Everything that decides reads floats. So doubles, less the origin of the world, are rounded to
 * floats before a query, and it is known by how much. Queries that promise something about the
 * doubles search farther by that (query/feature_search.h), and a sweep takes its steps between the
 * doubles themselves (geom/approach.h).
 *
 * With x the double and o the origin, s = x - o is rounded, by an error r that is known exactly
 * (Knuth's TwoSum), and then to a float f. A coordinate is off by |(s - f) + r|; s - f is exact,
 * since f is s to 24 bits. Let m be the greatest of all coordinates of vertices whose floats are
 * finite. Each sum is rounded by 2^-53 of itself, so that a vertex is off by at most
 *
 *     sqrt(3) m (1 + 2^-52) < 1.7320509 m,
 *
 * rounded up to a float: 0 only if m is 0. Where a float is not finite, triangles take no part.
 */
#ifndef PLI_DOUBLES_H
#define PLI_DOUBLES_H

#include "mesh_pose/mesh_pose.h"

/* As pli_mesh_pose_copy() and pli_mesh_pose_borrow(): sets vertices of a pose, and rounds them. On
 * failure the pose is as it was. */
PliantResult pli_mesh_pose_set64(PliMeshPose *pose, const PliantVertices64 *vertices,
                                 bool is_borrowed, const double origin[3], const PliantHost *host);

/* Rounds them again: they or the origin may have changed. */
void pli_mesh_pose_round(PliMeshPose *pose, const double origin[3]);

void pli_doubles_free(PliDoubles *doubles, const PliantHost *host);

#endif
