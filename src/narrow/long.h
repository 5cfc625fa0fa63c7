/* Long triangles: leaves that are far larger than what they are compared with.
 *
 * The box of a long thin triangle overlaps that of nearly everything around it. Comparing boxes
 * leaves all pairs for the exact test then, and for a triangle without area that is slow. So a
 * triangle of such a leaf is compared with the box of the other leaf, and then with those of its
 * triangles, as what it is: see geom/cross_box.h.
 */
#ifndef PLI_LONG_H
#define PLI_LONG_H

#include "geom/cross_box.h"
#include "narrow/leaf_cache.h"

/* The triangles of the leaf that was asked for last. */
typedef struct PliLongLeaf {
    int32_t leaf; /* -1: none */
    PliSide side;
    uint32_t known; /* bits: of which triangles there is: */
    PliCrossing crossings[PLI_LEAF_SIZE];
} PliLongLeaf;

/* Two leaves in slots of the cache, that of a first. Writes the rows of pairs that may intersect to
 * `candidates`, as PliOverlapLeaves does, and returns how many they are. */
int32_t pli_long_candidates(PliLongLeaf *known, const PliLeafCache *cache, const uint32_t slots[2],
                            uint32_t *candidates);

#endif
