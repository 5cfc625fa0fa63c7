/* Bounds of skinned vertices, in plain C: the reference implementation. See skin.h. */
#include "kernels/kernels.h"

#include <math.h>

static float least(float x, float y)
{
    return x < y ? x : y;
}

static float greatest(float x, float y)
{
    return x > y ? x : y;
}

/* The weights and slabs of one of the node's joints. */
static const float *part_of(const PliSkinnedNode *node, int32_t j)
{
    return node->parts + (size_t)PLI_GROUP * (size_t)(2 + 2 * node->slab_count) * (size_t)j;
}

/* One end of the slabs of one child at rest. */
static float end_at_rest(const PliSkinnedNode *node, const float *part, int32_t group, int child)
{
    const int32_t i = PLI_GROUP * group + child;
    if (!node->moves)
        return part[2 * PLI_GROUP + i];
    return node->has_only_moves ? node->moves[i] : part[2 * PLI_GROUP + i] + node->moves[i];
}

/* How far what follows one of the node's joints reaches along an axis, or against it: s_j. */
static float reach(const PliSkinnedNode *node, int32_t j, int axis, bool is_high, int child)
{
    const PliSlabSum *sum = &node->sums[3 * node->joints[j] + axis];
    const uint8_t *groups = is_high ? sum->high : sum->low;
    const float *part = part_of(node, j);
    float ends[3];
    for (int i = 0; i < 3; i++)
        ends[i] = end_at_rest(node, part, groups[i], child);
    float end =
        ((sum->factors[0] * ends[0] + sum->factors[1] * ends[1]) + sum->factors[2] * ends[2]) +
        sum->high_offset;
    return is_high ? end : -end;
}

/* The bound by a level. */
static float bound_by(const PliSkinnedNode *node, float level, int axis, bool is_high, int child)
{
    const float *sums = node->weight_sums;
    float bound = greatest(level * sums[child], level * sums[PLI_GROUP + child]);
    for (int32_t j = 0; j < node->joint_count; j++) {
        const float *weights = part_of(node, j);
        float beyond = reach(node, j, axis, is_high, child) - level;
        bound += greatest(weights[child] * beyond, weights[PLI_GROUP + child] * beyond);
    }
    return bound;
}

static float bound_of(const PliSkinnedNode *node, int axis, bool is_high, int child)
{
    float max_weight = 0, strongest = 0, farthest = -INFINITY;
    for (int32_t j = 0; j < node->joint_count; j++) {
        const float *weights = part_of(node, j);
        float weight = weights[child] + weights[PLI_GROUP + child];
        float here = reach(node, j, axis, is_high, child);
        strongest = weight > max_weight ? here : strongest;
        max_weight = greatest(weight, max_weight);
        farthest = greatest(weight > 0 ? here : -INFINITY, farthest);
    }
    farthest = max_weight > 0 ? farthest : 0;
    float bound = least(bound_by(node, strongest, axis, is_high, child),
                        bound_by(node, farthest, axis, is_high, child));
    return node->is_uneven ? least(bound_by(node, 0, axis, is_high, child), bound) : bound;
}

void pli_skin_boxes_c(const PliSkinnedNode *node, PliBoxes *boxes)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 8; i++) {
            boxes->low[k][i] = node->low_offsets[k] - bound_of(node, k, false, i);
            boxes->high[k][i] = node->high_offsets[k] + bound_of(node, k, true, i);
        }
    }
}
