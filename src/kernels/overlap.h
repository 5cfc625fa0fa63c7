/* Which bounds overlap: eight children against eight, sixteen triangle boxes against sixteen.
 *
 * Bounds are closed: they overlap if they share a point. A comparison with NaN is false, so that
 * unused places, which hold NaN, overlap nothing. */
#ifndef PLI_OVERLAP_H
#define PLI_OVERLAP_H

#include "kernels/fetch.h"

/* Boxes of the children of two nodes: bit 8 i + j is set if box i of a overlaps box j of b. */
typedef uint64_t PliOverlapNodes(const PliBoxes *a, const PliBoxes *b);

/* Clears those of these bits for which slabs do not overlap. There are slab_count groups of low
 * ends, then as many of high ends. An end that is NaN is no bound. */
typedef uint64_t PliOverlapSlabs(const float *a, const float *b, int32_t slab_count, uint64_t bits);

/* Clears those of these bits for which the squared distance of two balls exceeds the squared sum of
 * their radii by more than 2^-140. There are three groups of centers and one of radii. A NaN is no
 * bound. */
typedef uint64_t PliOverlapBalls(const float *a, const float *b, uint64_t bits);

/* Pairs of triangles of two leaves that are excluded from a query, by their places i and j in the
 * leaves: bit j of a[i] and bit i of b[j].
 *
 * Within one leaf the kernel visits each two triangles once: i and (i + n) mod 16 for n from 1 to
 * 8, and for n = 8 only i below 8. Then bit i of a[n - 1] excludes i and (i + n) mod 16. Bits of
 * pairs that are not visited must be set. */
typedef struct PliExclusionMask {
    uint16_t a[PLI_LEAF_SIZE], b[PLI_LEAF_SIZE];
} PliExclusionMask;

/* Triangle boxes of up to PLI_LEAF_PAIRS pairs of leaves, each two numbers in the array of leaves.
 * Writes a pair {16 a + i, 16 b + j} for each two boxes that overlap, i of leaf a and j of leaf b,
 * in any order, and returns how many. Leaves out what `exclusion_masks` excludes of each pair of
 * leaves, unless it is NULL. `pairs` has room for 256 pairs for each pair of leaves and 8 more,
 * which may be written. */
enum { PLI_LEAF_PAIRS = 32 };
typedef int32_t PliOverlapLeaves(const PliLeafBoxes *leaves, const uint32_t *leaf_pairs,
                                 int32_t leaf_pair_count,
                                 const PliExclusionMask *const *exclusion_masks, uint32_t *pairs);

#endif
