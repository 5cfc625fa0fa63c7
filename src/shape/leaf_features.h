/* Which features the triangles of each leaf own.
 *
 * A query that reaches a leaf needs its vertices and edges. By triangles that is a few bytes here
 * and there in tables of the whole mesh; but the tree is as fixed as the mesh, and so a list of
 * each leaf is made once for a shape, and read from front to end. Where there is none, as of
 * primitives without a shape, a list is made of the leaf when it is fetched, by the same functions.
 */
#ifndef PLI_LEAF_FEATURES_H
#define PLI_LEAF_FEATURES_H

#include "shape/features.h"
#include "tree/tree.h"

/* A vertex, or an edge: the place of its triangle in the leaf, and the corners at its ends. Those
 * of a vertex are one; of an edge the lower vertex is the first. */
typedef struct PliOwnedFeature {
    int32_t number;
    uint8_t place, first, second;
} PliOwnedFeature;

/* Of leaf i, the vertices are those from firsts[2 i] on, and the edges those from firsts[2 i + 1]
 * on, up to the next leaf. */
typedef struct PliLeafFeatures {
    PliArena arena; /* that all of this is in */
    int32_t *firsts;
    PliOwnedFeature *items;
} PliLeafFeatures;

/* Lists what a triangle in a place of a leaf owns, by the bits of PliFeatures.owned, and returns
 * the end of the list: its vertices, or its edges, which have these numbers; -1 is none. */
static inline PliOwnedFeature *pli_list_vertices(PliOwnedFeature *end, uint8_t owned,
                                                 const uint32_t vertices[3], int place)
{
    for (uint32_t bits = owned & 7; bits; bits &= bits - 1) {
        const uint8_t k = (uint8_t)__builtin_ctz(bits);
        *end++ = (PliOwnedFeature){(int32_t)vertices[k], (uint8_t)place, k, k};
    }
    return end;
}

static inline PliOwnedFeature *pli_list_edges(PliOwnedFeature *end, uint8_t owned,
                                              const uint32_t vertices[3], const int32_t edges[3],
                                              int place)
{
    for (uint32_t bits = (owned & PLI_OWNED_BITS) >> 3; bits; bits &= bits - 1) {
        const int k = __builtin_ctz(bits);
        const PliEdgeEnds ends = pli_edge_ends(vertices, k);
        *end =
            (PliOwnedFeature){edges[k], (uint8_t)place, (uint8_t)ends.first, (uint8_t)ends.second};
        end += edges[k] >= 0;
    }
    return end;
}

/* Lists the features of a tree's triangles, three corners for each position. O(n). `host` must
 * outlive them. */
PliantResult pli_leaf_features_create(const PliTree *tree, const PliFeatures *features,
                                      const uint32_t *corners, const PliantHost *host,
                                      PliLeafFeatures **leaf_features);
void pli_leaf_features_free(PliLeafFeatures *leaf_features, const PliantHost *host);

#endif
