/* Seams: what follows from the groups of a shape's vertices.
 *
 * The surface is that of the groups: triangles whose corners are in one group share a vertex. That
 * holds while the vertices of the group are together. Those that were welded always are, where the
 * library moves them: they are the same numbers in the same expressions. Others may come apart:
 * caller-supplied vertices, or vertices that were grouped though they do not move alike. A pose
 * says which groups are apart (PliPoseKind.find_apart), and self-collision takes care of them.
 *
 * Made once for a shape, on first need, and shared by all bodies.
 */
#ifndef PLI_SEAMS_H
#define PLI_SEAMS_H

#include "base/memory.h"

typedef struct PliSeams {
    PliArena arena;           /* that all of this is in */
    uint32_t *corners;        /* as PliVertexLists.corners, but the lowest vertices of groups */
    uint32_t *triangles;      /* as those of the shape, likewise */
    uint32_t *split_vertices; /* that are not the lowest of their group; those that differ from it
                                in the rest pose, or do not move like it, come first */
    int32_t split_count, unlike_count;
} PliSeams;

struct PliantShape;

/* The seams of a shape that has groups. `host` must outlive them. */
PliantResult pli_seams_create(const struct PliantShape *shape, const PliantHost *host,
                              PliSeams **seams);
void pli_seams_free(PliSeams *seams, const PliantHost *host);

/* Is the group of a vertex one that can be: its lowest vertex? Those before it have been asked. */
static inline bool pli_is_group(const uint32_t *groups, uint32_t vertex)
{
    return groups[vertex] <= vertex && groups[groups[vertex]] == groups[vertex];
}

/* Writes the lowest vertices of the groups of some. */
void pli_to_groups(const uint32_t *vertices, size_t count, const uint32_t *groups,
                   uint32_t *lowest);

#endif
