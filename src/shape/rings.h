/* Rings: the corners of triangles at each vertex of a mesh.
 *
 * A smooth normal is a sum over the triangles around a vertex. Fans (fans.h) list these by leaves,
 * for vertices of few triangles; features (features.h) by edges. Rings list all of them by vertex.
 * Made once for a shape, on first need, and shared by all bodies.
 */
#ifndef PLI_RINGS_H
#define PLI_RINGS_H

#include "base/memory.h"

typedef struct PliRings {
    PliArena arena;           /* that both lists are in */
    const uint32_t *vertices; /* three of each triangle; of the caller */
    int32_t *firsts;          /* of each vertex, and one more: its place in `corners` */
    int32_t *corners;         /* of each vertex, rising: 3 t + k if it is corner k of triangle t */
} PliRings;

/* Lists the corners of triangles, three vertices each, below vertex_count. The vertices stay where
 * they are. O(n): a counting sort. 3 * triangle_count is at most INT32_MAX. `host` must outlive the
 * rings. */
PliantResult pli_rings_create(const uint32_t *vertices, int32_t triangle_count,
                              int32_t vertex_count, const PliantHost *host, PliRings **rings);
void pli_rings_free(PliRings *rings, const PliantHost *host);

#endif
