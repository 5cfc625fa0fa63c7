/* What follows from the edges of a mesh: whether it is closed, and which triangles an approximate
 * query may skip. */
#ifndef PLI_EDGES_H
#define PLI_EDGES_H

#include "base/memory.h"
#include "base/round.h"
#include "shape/pieces.h"

static inline size_t pli_skip_words(int32_t triangle_count)
{
    return (size_t)pli_div_up(triangle_count, 64);
}

/* A bit for each triangle that an approximate query passes over; and is the mesh known to be
 * closed? One that has numbers that are not finite is not. Edges join the groups of vertices; NULL:
 * each vertex is one. */
PliantResult pli_edges_inspect(const PliDivision *division, const PliMeshView *mesh,
                               const uint32_t *groups, int32_t vertex_count, const PliantHost *host,
                               uint64_t *skips, bool *is_closed);

#endif
