/* Long triangles: see long.h. */
#include "narrow/long.h"

#include "base/memory.h"

#include <string.h>

/* A node, and which triangles come to it. */
typedef struct PliLongNode {
    int32_t node;
    uint32_t mask;
} PliLongNode;

void pli_long_init(PliLong *state)
{
    *state = (PliLong){.leaf = -1,
                       .stack = {.item_size = sizeof(PliLongNode)},
                       .pairs = {.item_size = sizeof(PliLeafPair)},
                       .masks = {.item_size = sizeof(uint32_t)}};
}

void pli_long_free(PliLong *state, const PliantHost *host)
{
    pli_array_free(&state->stack, host);
    pli_array_free(&state->pairs, host);
    pli_array_free(&state->masks, host);
}

static void fetch(PliLong *state, const PliPose *pose, PliSide side, int32_t leaf,
                  PliWorker *worker)
{
    PliLeafBoxes boxes; /* not needed */
    if (state->leaf == leaf && state->side == side)
        return;
    state->leaf = leaf;
    state->side = side;
    state->known = state->finite = 0;
    pli_pose_fetch(pose, leaf, worker, side, state->rows, &boxes);
    for (int32_t i = 0; i < pose->bounds.tree->leaves[leaf].count; i++)
        if (pli_is_finite(state->rows + (size_t)PLI_ROW_SIZE * (size_t)i, PLI_ROW_SIZE))
            state->finite |= UINT32_C(1) << i;
}

/* The axes of triangle i, which is finite. */
static const PliTriangleAxes *axes_of(PliLong *state, int i)
{
    if (!(state->known >> i & 1))
        pli_triangle_axes_init(&state->axes[i], state->rows + (size_t)PLI_ROW_SIZE * (size_t)i);
    state->known |= UINT32_C(1) << i;
    return &state->axes[i];
}

/* Of these triangles, those that cross each of 8 or 16 boxes: rows of low and high ends. */
static void find_crossing(PliLong *state, uint32_t triangles, const float *boxes, int32_t count,
                          const PliKernels *kernels, uint32_t crossing[PLI_LEAF_SIZE])
{
    memset(crossing, 0, PLI_LEAF_SIZE * sizeof *crossing);
    for (; triangles; triangles &= triangles - 1) {
        const int i = __builtin_ctz(triangles);
        uint32_t bits = kernels->cross_boxes(axes_of(state, i), boxes, count);
        for (; bits; bits &= bits - 1)
            crossing[__builtin_ctz(bits)] |= UINT32_C(1) << i;
    }
}

/* There is room. */
static void add_child(PliLong *state, int32_t child, uint32_t mask)
{
    if (child >= 0) {
        ((PliLongNode *)state->stack.items)[state->stack.count++] = (PliLongNode){child, mask};
        return;
    }
    ((PliLeafPair *)state->pairs.items)[state->pairs.count++] =
        state->side == PLI_SIDE_A ? (PliLeafPair){state->leaf, ~child}
                                  : (PliLeafPair){~child, state->leaf};
    ((uint32_t *)state->masks.items)[state->masks.count++] = mask;
}

static PliantResult open_node(PliLong *state, PliBounds *bounds, PliLongNode from,
                              PliWorker *worker)
{
    const PliSide other = state->side == PLI_SIDE_A ? PLI_SIDE_B : PLI_SIDE_A;
    const PliTreeNode *node = &bounds->tree->nodes[from.node];
    PLI_TRY(pli_array_reserve(&state->stack, worker->host, state->stack.count + 8));
    PLI_TRY(pli_array_reserve(&state->pairs, worker->host, state->pairs.count + 8));
    PLI_TRY(pli_array_reserve(&state->masks, worker->host, state->masks.count + 8));
    const PliBoxes *boxes = pli_bounds_of(bounds, from.node, worker, other);
    if (!boxes)
        return PLIANT_OUT_OF_MEMORY;
    uint32_t crossing[PLI_LEAF_SIZE];
    find_crossing(state, from.mask, boxes->low[0], PLI_GROUP, worker->kernels, crossing);
    for (int32_t c = 0; c < node->child_count; c++)
        if (crossing[c])
            add_child(state, node->children[c], crossing[c]);
    return PLIANT_OK;
}

PliantResult pli_long_find(PliLong *state, PliPose *const poses[2], PliSide side, int32_t leaf,
                           int32_t node, PliWorker *worker)
{
    PliPose *large = poses[side == PLI_SIDE_B], *small = poses[side == PLI_SIDE_A];
    PliantResult result = PLIANT_OK;
    state->pairs.count = state->masks.count = state->stack.count = 0;
    PLI_TRY(pli_array_reserve(&state->stack, worker->host, 1));
    fetch(state, large, side, leaf, worker);
    add_child(state, node, state->finite);
    while (result == PLIANT_OK && state->stack.count > 0)
        result = open_node(state, &small->bounds,
                           ((const PliLongNode *)state->stack.items)[--state->stack.count], worker);
    if (result != PLIANT_OK)
        state->pairs.count = state->masks.count = 0;
    return result;
}

int32_t pli_long_candidates(PliLong *state, const PliLeafCache *cache, const uint32_t slots[2],
                            uint32_t mask, const PliKernels *kernels, uint32_t *candidates)
{
    const bool is_b = state->side == PLI_SIDE_B;
    const uint32_t one = slots[is_b], other = slots[!is_b];
    uint32_t crossing[PLI_LEAF_SIZE];
    int32_t count = 0;
    find_crossing(state, mask, cache->leaf_boxes[other].low[0], PLI_LEAF_SIZE, kernels, crossing);
    for (uint32_t j = 0; j < PLI_LEAF_SIZE; j++)
        for (uint32_t bits = crossing[j]; bits; bits &= bits - 1) {
            const uint32_t row = PLI_LEAF_SIZE * one + (uint32_t)__builtin_ctz(bits),
                           far = PLI_LEAF_SIZE * other + j;
            candidates[2 * count] = is_b ? far : row;
            candidates[2 * count + 1] = is_b ? row : far;
            count++;
        }
    return count;
}
