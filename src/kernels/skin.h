/* Bounds of skinned vertices, without evaluating any of them.
 *
 * A vertex is the sum of w_j p_j over its joints, where p_j is what joint j makes of its rest
 * position. Along an axis p_j is at most s_j, the end of the slab around everything that follows
 * joint j. Let w_j and v_j be the least and the greatest weight of joint j in a node, and let the
 * sums of the weights lie between S and T. For any level L
 *
 *     sum w_j p_j = L sum w_j + sum w_j (p_j - L)
 *                <= max(S L, T L) + sum max(w_j (s_j - L), v_j (s_j - L)).
 *
 * So each L gives a bound, and the least of several is one too. */
#ifndef PLI_SKIN_H
#define PLI_SKIN_H

#include "kernels/weighted_sum.h"

/* The eight children of a node, and the joints that they follow. `parts` has for each joint: a
 * group of least weights and a group of greatest weights in each child, both zero where the child
 * does not follow the joint; then groups of low ends and of high ends of slabs, at rest, around
 * what follows it. */
typedef struct PliSkinnedNode {
    int32_t joint_count, slab_count;
    const uint16_t *joints;   /* which of the joints of the body these are */
    const PliSlabSum *sums;   /* of all joints of the body: along x, y and z of the world, with one
                                 offset for both ends */
    const float *parts;       /* 2 + 2 slab_count groups for each of these joints */
    const float *moves;       /* ends to add to those of each part, or NULL */
    bool has_only_moves;      /* the moves are the ends, and those of the parts are not read */
    bool is_uneven;           /* some sum of weights is far from one */
    const float *weight_sums; /* of each child: the least, and the greatest */
    float low_offsets[3], high_offsets[3]; /* added in the end */
} PliSkinnedNode;

/* Boxes around the children. Joints are summed in their order. The levels are: the end of the joint
 * with the most weight (w_j + v_j, the first of equals); the greatest end of all joints with any
 * weight; and zero if the node is uneven. A low end is the opposite of the high end of opposites.
 */
typedef void PliSkinBoxes(const PliSkinnedNode *node, PliBoxes *boxes);

#endif
