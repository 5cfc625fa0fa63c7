/* Long triangles: leaves that are far larger than what they are compared with.
 *
 * The box of a long thin triangle overlaps that of nearly everything around it. Comparing boxes
 * would open all nodes there, and leave all pairs for the exact test. So where a walk has come to a
 * leaf and a far smaller node, each triangle of the leaf goes down the tree on its own: into
 * children whose boxes it crosses as what it is (geom/cross_box.h). Sixteen of them go together, as
 * a mask.
 */
#ifndef PLI_LONG_H
#define PLI_LONG_H

#include "geom/cross_box.h"
#include "query/leaf_cache.h"
#include "tree/visit.h"

/* The triangles of the leaf that went down last, and where to. */
typedef struct PliLong {
    int32_t leaf; /* -1: none */
    PliSide side;
    uint32_t finite,
        known; /* bits of triangles: all others intersect nothing; their axes are known */
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    PliTriangleAxes axes[PLI_LEAF_SIZE];
    PliArray stack; /* of PliVisitPart */
    PliArray pairs; /* of PliLeafPair: leaves of a and of b */
    PliArray masks; /* of uint32_t: for each, which triangles of the leaf cross the box of the other
                       one */
} PliLong;

void pli_long_init(PliLong *state);
void pli_long_free(PliLong *state, const PliantHost *host);

/* A leaf of the pose on this side, and a node of the other one: replaces the pairs. On failure
 * there are none. */
PliantResult pli_long_find(PliLong *state, PliPose *const poses[2], PliSide side, int32_t leaf,
                           int32_t node, PliWorker *worker);

/* Two leaves in slots of the cache, that of a first, and the mask of their pair: writes the rows of
 * triangles that may intersect to `candidates`, as PliOverlapLeaves does, and returns how many they
 * are. */
int32_t pli_long_candidates(PliLong *state, const PliLeafCache *cache, const uint32_t slots[2],
                            uint32_t mask, const PliKernels *kernels, uint32_t *candidates);

#endif
