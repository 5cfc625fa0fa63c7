/* kernels: the few hot loops, many items at once.
 *
 * This folder knows arrays, boxes and nothing above them. Its one idea: a kernel has a reference
 * implementation in plain C (..._c.c), which is its specification, and one wide version
 * (..._wide.c), written with the compiler's vector types and compiled once for each instruction
 * set. Both do the same operations in the same order in each lane, so they agree to the bit.
 * tests/checksimd compares every version with the reference.
 *
 * What a kernel does is said where its function type is: one header for each family of kernels.
 * This header has the table of all kernels, and declares every version of each of them: these are
 * the one case where a header declares functions of many files, since the same table is filled from
 * the objects of each instruction set.
 *
 * A table is a value, filled by what the machine has and the caller allows. Each world has its own;
 * there is no global one. */
#ifndef PLI_KERNELS_H
#define PLI_KERNELS_H

#include "geom/geom.h"
#include "kernels/cross.h"
#include "kernels/draw.h"
#include "kernels/face.h"
#include "kernels/far.h"
#include "kernels/feature_boxes.h"
#include "kernels/fetch.h"
#include "kernels/filter.h"
#include "kernels/hash.h"
#include "kernels/impact.h"
#include "kernels/impact_times.h"
#include "kernels/joints.h"
#include "kernels/moving.h"
#include "kernels/near.h"
#include "kernels/overlap.h"
#include "kernels/point.h"
#include "kernels/ray.h"
#include "kernels/skin.h"
#include "kernels/vertex_boxes.h"
#include "kernels/weighted_sum.h"

/* X(name, type): all kernels. */
#define PLI_KERNELS(X)                                                                             \
    X(filter_pairs, PliFilterPairs)                                                                \
    X(filter_shared, PliFilterShared)                                                              \
    X(filter_impact_parts, PliFilterImpactParts)                                                   \
    X(filter_impacts, PliFilterImpacts)                                                            \
    X(drop_far, PliDropFar)                                                                        \
    X(mask_neighbors, PliMaskNeighbors)                                                            \
    X(filter_apart, PliFilterApart)                                                                \
    X(time_impacts, PliTimeImpacts)                                                                \
    X(find_near, PliFindNear)                                                                      \
    X(box_lists, PliBoxLists)                                                                      \
    X(hash_blocks, PliHashBlocks)                                                                  \
    X(box_features, PliBoxFeatures)                                                                \
    X(widen_boxes, PliWidenBoxes)                                                                  \
    X(fetch_leaf, PliFetchLeaf)                                                                    \
    X(weighted_sum, PliWeightedSum)                                                                \
    X(move_boxes, PliMoveBoxes)                                                                    \
    X(sum_slabs, PliSumSlabs)                                                                      \
    X(fetch_morph, PliFetchMorph)                                                                  \
    X(joint_sums, PliJointSums)                                                                    \
    X(skin_boxes, PliSkinBoxes)                                                                    \
    X(overlap_nodes, PliOverlapNodes)                                                              \
    X(overlap_slabs, PliOverlapSlabs)                                                              \
    X(overlap_balls, PliOverlapBalls)                                                              \
    X(overlap_leaves, PliOverlapLeaves)                                                            \
    X(overlap_moving, PliOverlapMoving)                                                            \
    X(overlap_moving_leaves, PliOverlapMovingLeaves)                                               \
    X(cross_boxes, PliCrossBoxes)                                                                  \
    X(face_leaf, PliFaceLeaf)                                                                      \
    X(point_boxes, PliPointBoxes)                                                                  \
    X(point_leaf, PliPointLeaf)                                                                    \
    X(ray_boxes, PliRayBoxes)                                                                      \
    X(spread_rays, PliSpreadRays)                                                                  \
    X(ray_triangles, PliRayTriangles)                                                              \
    X(visible_boxes, PliVisibleBoxes)                                                              \
    X(find_walls, PliFindWalls)                                                                    \
    X(draw_triangles, PliDrawTriangles)

struct PliKernels {
#define PLI_KERNEL_FIELD(name, type) type *name;
    PLI_KERNELS(PLI_KERNEL_FIELD)
#undef PLI_KERNEL_FIELD
};

/* The best kernels that the machine has among those in the mask. */
void pli_kernels_fill(PliKernels *kernels, uint32_t cpu_mask);

/* Each version by name; which of them exist depends on the build. */
#define PLI_KERNEL_VERSIONS(name, type)                                                            \
    type pli_##name##_c, pli_##name##_vector128, pli_##name##_avx2, pli_##name##_avx512;
PLI_KERNELS(PLI_KERNEL_VERSIONS)
#undef PLI_KERNEL_VERSIONS

#endif
