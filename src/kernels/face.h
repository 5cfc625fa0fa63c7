/* Which way the triangles of a leaf face, and where their edges rise and fall.
 *
 * Self-collision uses it: a patch of triangles that all face one direction, with a border that does
 * not cross itself seen along it, does not intersect itself. face_c.c derives the error bound. */
#ifndef PLI_FACE_H
#define PLI_FACE_H

#include "kernels/fetch.h"

#define PLI_FACE_ERROR 0x1p-21f
#define PLI_FACE_LEAST 0x1p-120f

/* Across each axis there are eight directions: if u and v are the two axes after it, u, v, u + v,
 * u - v and their opposites. A triangle faces one of them if its normal is certain to have a
 * positive product with it. The step at a corner goes from the next corner to the previous one. It
 * rises along an axis if the next corner is below this one and the previous is not, and falls if it
 * is the other way round. */
enum { PLI_FACE_DIRECTIONS = 8 };
typedef struct PliFacing {
    uint16_t faces[3][PLI_FACE_DIRECTIONS]; /* across x, y, z: a bit for each triangle */
    uint64_t rises[3], falls[3]; /* along x, y, z: bit 16 c + i is corner c of triangle i */
} PliFacing;

/* Of rows as PliFetchLeaf writes them. All 16 rows may be read. */
typedef void PliFaceLeaf(const float *rows, int32_t triangle_count, PliFacing *facing);

#endif
