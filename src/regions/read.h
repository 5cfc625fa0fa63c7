/* What is read from the arrays of one call: see regions.h. */
#ifndef PLI_REGION_READ_H
#define PLI_REGION_READ_H

#include "regions/regions.h"

/* Is it one surface that intersects itself? */
static inline bool pli_is_self(const PliRegions *regions)
{
    return regions->surfaces[0] == regions->surfaces[1];
}

static inline int32_t pli_surface_vertex(const PliSurface *surface, int32_t triangle, int k)
{
    const size_t at = 3 * (size_t)triangle + (size_t)k;
    return surface->corners ? (int32_t)surface->corners[at] : (int32_t)at;
}

/* What a vertex is told apart from others by: triangles that share no edges share no vertices. */
static inline uint32_t pli_surface_label(const PliSurface *surface, int32_t triangle, int k)
{
    return surface->features ? (uint32_t)pli_surface_vertex(surface, triangle, k)
                             : 3 * (uint32_t)triangle + (uint32_t)k;
}

/* The number of edge k of a triangle; -1 if both ends are one vertex. */
static inline int32_t pli_surface_edge(const PliSurface *surface, int32_t triangle, int k)
{
    const size_t at = 3 * (size_t)triangle + (size_t)k;
    return surface->features ? surface->features->triangle_edges[at] : (int32_t)at;
}

/* Does the edge that begins at corner k go from its lower to its higher vertex? */
static inline bool pli_edge_rises(const PliCut *cut, int k)
{
    return cut->vertices[k] < cut->vertices[(k + 1) % 3];
}

/* Where a segment ends, in one of its triangles. */
static inline const double *pli_segment_end(const PliRegions *regions, const PliSegment *segment,
                                            int end, double room[3])
{
    if (segment->nodes[end] >= 0)
        return ((const PliNode *)regions->nodes.items)[segment->nodes[end]].position;
    const PliCut *cut = (const PliCut *)regions->cuts.items + segment->cuts[0];
    for (int k = 0; k < 3; k++)
        room[k] = cut->corners[3 * segment->corners[end][0] + k];
    return room;
}

#endif
