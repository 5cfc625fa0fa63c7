/* Fans: the triangles around each vertex of a mesh, for self-collision.
 *
 * A body is asked where it intersects itself. Nearly all triangles that are near one another share
 * a vertex or an edge, twelve with each triangle, and nearly none of these pairs intersect beyond
 * what they share. To test each pair takes ten times as long as all else. Self-collision tests each
 * vertex instead: decide/fan_state.h has the test. This file has what it needs of the mesh, which
 * never changes: it is made once for a shape, on first need, and shared by all bodies.
 *
 * The triangles around a vertex are a fan if they follow each other by their edges: each edge from
 * the vertex is in one of them or two, all turned the same way. A fan is closed if it goes all
 * around.
 */
#ifndef PLI_FANS_H
#define PLI_FANS_H

#include "base/memory.h"
#include "kernels/kernels.h"
#include "tree/tree.h"

/* A vertex of more triangles, or in more leaves, has no fan: each two of its leaves are stored as a
 * pair, which takes memory. */
enum { PLI_MAX_FAN_TRIANGLES = 64, PLI_MAX_FAN_PARTS = 16 };

/* Fans are grouped, so that most are tested without a branch: closed fans in 1, 2, 3 leaves,
 * others. */
enum { PLI_FAN_GROUPS = 4 };

/* Neither: the triangles share the vertex, and are no fan. */
typedef enum PliFanKind { PLI_FAN_NEITHER, PLI_FAN_OPEN, PLI_FAN_CLOSED } PliFanKind;

typedef struct PliFan {
    int32_t vertex;
    int32_t part_first, part_count; /* its parts in leaves, which rise */
    PliFanKind kind;
} PliFan;

/* The corners of one leaf that are at the vertex, as in PliFacing.rises, and their triangles. */
typedef struct PliFanPart {
    uint64_t corners;
    int32_t leaf;
    uint16_t triangles;
} PliFanPart;

typedef struct PliFans {
    PliArena arena; /* that all of this is in */
    int32_t fan_count, leaf_count, node_count, vertex_count;
    int32_t group_ends[PLI_FAN_GROUPS];
    bool has_all; /* every vertex that triangles share has a fan */
    PliFan *fans;
    PliFanPart *parts;

    /* Leaves that share vertices: for each leaf those that come after it, rising, and the pairs of
     * triangles that are left to fans. The first masks are those of pairs within each leaf, every
     * two triangles once. */
    int32_t *near_firsts, *near;
    PliExclusionMask *masks;
} PliFans;

/* Builds the fans of a tree's triangles, three vertices for each position. */
PliantResult pli_fans_create(const PliTree *tree, const uint32_t *corners, int32_t vertex_count,
                             const PliantHost *host, PliFans **fans);
void pli_fans_free(PliFans *fans, const PliantHost *host);

/* The index of the mask of two leaves, a <= b, or -1. */
static inline int32_t pli_fans_find_mask(const PliFans *fans, int32_t a, int32_t b)
{
    if (a == b)
        return a;
    for (int32_t i = fans->near_firsts[a]; i < fans->near_firsts[a + 1]; i++)
        if (fans->near[i] == b)
            return fans->leaf_count + i;
    return -1;
}

/* Which triangles of leaf b are not compared with each triangle of leaf a, a <= b. */
const PliExclusionMask *pli_fans_mask(const PliFans *fans, int32_t a, int32_t b);

#endif
