/* Bodies that follow joints: bounds and vertices from the joints' matrices. */
#ifndef PLI_MESH_POSE_SKIN_H
#define PLI_MESH_POSE_SKIN_H

#include "mesh_pose/morph.h"
#include "shape/skin_tables.h"

/* What a joint and the map together make of balls. */
typedef struct PliJointBall {
    float columns[4][3];
    float stretch;
} PliJointBall;

typedef struct PliSkinState {
    bool has_joints;
    PliTransform *transforms; /* of each joint, as they were set */
    PliSlabSum *sums;         /* of each joint: x, y and z of the world, without the map's offset */
    PliJointBall *balls;      /* of each joint; or of slabs these, and of balls those */
    PliJointSize *sizes;      /* of each joint */
    PliMargins margins;       /* of this frame */
    void *memory;
    size_t memory_size;
} PliSkinState;

/* New matrices, which hold at once for vertices, and for bounds from the next frame on. */
PliantResult pli_skin_set(PliMeshPose *pose, const PliantTransform *joints, const PliantHost *host);

/* The same with the matrices of another pose of the shape. */
PliantResult pli_skin_match(PliMeshPose *pose, const PliMeshPose *other, const PliantHost *host);
void pli_skin_free(PliMeshPose *pose, const PliantHost *host);

/* A new frame, with the farthest that a vertex can be at rest along each axis, and how many terms
 * it is a sum of. False if there are no bounds that could be relied on. */
bool pli_skin_update(PliMeshPose *pose, const double reach[3], int32_t term_count,
                     const PliKernels *kernels);

/* The bounds of a node's children. `moves` are bounds of how far the parts of the node have moved
 * from rest; or, if has_only_moves, of where they are; or NULL, if they are at rest. */
void pli_skin_open(const PliMeshPose *pose, int32_t node, const float *moves, bool has_only_moves,
                   const PliKernels *kernels, PliBoxes *boxes, float *balls);

/* Says what a leaf follows. */
void pli_skin_leaf(const PliMeshPose *pose, int32_t leaf, PliMorphLeaf *blended);

/* All vertices, from where they are at rest or blended. */
void pli_skin_vertices(const PliMeshPose *pose, float *vertices);

#endif
