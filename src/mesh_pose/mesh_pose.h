/* mesh_pose: poses of meshes.
 *
 * This folder knows shapes and the interface of poses. Its one idea: a mesh moves in one of two
 * ways. Its vertices are supplied by the caller, and boxes are taken from them (supplied.c); or it
 * is a weighted sum of what its shape holds (morph.c), at rest the sum of one term, and may then
 * follow joints (skin.c). Either is then transformed.
 *
 * Minimum and maximum do not round, and a box is blended and transformed by the expression that
 * makes a vertex, with each product taken from the end of the box that makes it least or greatest.
 * Rounding is monotone, so that this bounds the vertex without any margin. Other bounds than boxes
 * have a margin, which is derived in morph.c, and all bounds of joints, in skin.c.
 */
#ifndef PLI_MESH_POSE_H
#define PLI_MESH_POSE_H

#include "mesh_pose/skin.h"
#include "shape/shape.h"

struct PliMeshPose {
    PliPose base; /* first */
    PliantShape *shape;
    const PliSeams *seams;  /* of the shape, or NULL */
    PliVertexView vertices; /* at rest, or given */
    float *copy;            /* of caller-supplied vertices, if they are not borrowed, or rounded */
    PliDoubles *doubles;    /* made on first need; in use if base.doubles is set */
    bool is_given;
    PliantUpdateKind update_kind;
    PliMorphState morph;
    PliSkinState skin;
    PliPlane *planes; /* those of the shape, moved; or NULL */
};

/* A pose at rest. The shape is borrowed: the owner of the pose keeps a reference to it. */
PliantResult pli_mesh_pose_init(PliMeshPose *pose, PliantShape *shape, const PliantHost *host);

/* Caller-supplied vertices need the bounds of nearly all nodes, and so room for all. On failure the
 * pose is as it was. */
PliantResult pli_mesh_pose_borrow(PliMeshPose *pose, const PliantVertices *vertices,
                                  const PliantHost *host);
PliantResult pli_mesh_pose_copy(PliMeshPose *pose, const PliantVertices *vertices,
                                const PliantHost *host);

/* The vertices are those in pose->copy, which the caller is to write. */
PliantResult pli_mesh_pose_give_copy(PliMeshPose *pose, const PliantHost *host);

void pli_mesh_pose_set_weights(PliMeshPose *pose, const float *weights);
PliantResult pli_mesh_pose_set_joints(PliMeshPose *pose, const PliantTransform *joints,
                                      const PliantHost *host);

/* Gives a pose at rest the weights, joints, vertices and transform of another pose of the shape. It
 * borrows what the other one borrows. On failure it can only be freed. */
PliantResult pli_mesh_pose_match(PliMeshPose *pose, const PliMeshPose *other,
                                 const PliantHost *host);

/* Back to the rest pose: weights, joints and caller-supplied vertices no longer apply. */
void pli_mesh_pose_reset(PliMeshPose *pose);

/* The shape of a pose, or NULL if it is of another kind. */
PliantShape *pli_shape_of(const PliPose *pose);

/* Do its vertices come from weights or joints, rather than being given or at rest? */
static inline bool pli_mesh_pose_is_blended(const PliMeshPose *pose)
{
    return (pose->morph.has_weights || pose->skin.has_joints) && !pose->is_given;
}

static inline int64_t pli_mesh_pose_scratch_count(const PliMeshPose *pose)
{
    const PliTree *tree = &pose->shape->tree;
    return (int64_t)tree->leaf_count + tree->node_count;
}

#endif
