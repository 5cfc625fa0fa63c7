/* Skin tables: what a shape holds for bodies that follow joints.
 *
 * A vertex has joints and weights, and so has each part of the tree: those joints that one of its
 * vertices follows, and for each child of a node how much of each there is at least and at most,
 * and a bound around just those of its vertices that follow the joint at all. From that alone, and
 * the joints' matrices, comes a bound for what the vertices become: skin.c.
 */
#ifndef PLI_SKIN_TABLES_H
#define PLI_SKIN_TABLES_H

#include "shape/morph_tables.h"

typedef struct PliSkinTables {
    PliantBoundKind bound_kind;
    int32_t joint_count, influence_count;                     /* of all vertices together */
    int32_t leaf_joint_count, node_joint_count, weight_count; /* of all lists; groups of weights */

    const int32_t *skin_firsts;  /* where each vertex begins in these two, and the end */
    const uint16_t *skin_joints; /* rising */
    const float *skin_weights;   /* none is zero */

    const float
        *skin_sums; /* of a vertex's weights: the greatest of all, and how far one is from 1 */
    const PliRange *leaf_joint_lists; /* of each leaf: its joints, one at least */
    const uint16_t *leaf_joints;
    const int32_t *leaf_weight_firsts; /* of each leaf: its first group of weights */
    const float *leaf_weights;         /* for each joint of a leaf, of the vertices in its table */
    const PliRange *node_joint_lists;  /* of each node: its joints */
    const uint16_t *node_joints;
    const float *weight_sums; /* two groups for each node: least and greatest sum in each child */
    const float *skin_parts; /* see PliSkinnedNode: pli_skin_part_size() for each joint of a node */
} PliSkinTables;

/* Floats: least and greatest weights, and bounds. */
static inline size_t pli_skin_part_size(PliantBoundKind kind)
{
    return PLI_GROUP * (2 + (size_t)pli_group_count(kind));
}

/* Adds a joint to those of a vertex that has `count` so far, in their order; the weights of one
 * that it has already are added. Returns how many it has. */
int32_t pli_add_influence(uint16_t *joints, float *weights, int32_t count, uint16_t joint,
                          float weight);

/* Makes all that follows from the skin of a shape, which stays where it is; nothing, if there are
 * no joints. What does not have the counts of `expected`, if that is not NULL, is PLIANT_BAD_DATA.
 */
PliantResult pli_skin_tables_build(struct PliantShape *shape, const PliSkinTables *expected,
                                   PliArena *arena);

#endif
