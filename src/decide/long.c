/* Long triangles: see long.h. */
#include "decide/long.h"

#include <string.h>

void pli_long_init(PliLong *state)
{
    *state = (PliLong){.leaf = -1,
                       .stack = {.item_size = sizeof(PliVisitPart)},
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

/* Triangles of the leaf that go down a tree: those that come to a part are its tag. */
typedef struct Visit {
    PliLong *state;
    PliWorker *worker;
} Visit;

/* PliVisitor. */
static PliantResult choose(void *data, const PliVisitPart *node, const PliBoxes *boxes,
                           PliVisitPart children[PLI_GROUP], uint32_t *bits)
{
    const Visit *visit = data;
    uint32_t crossing[PLI_LEAF_SIZE];
    find_crossing(visit->state, (uint32_t)node->tag, boxes->low[0], PLI_GROUP,
                  visit->worker->kernels, crossing);
    for (int c = 0; c < PLI_GROUP; c++) {
        children[c].tag = (int32_t)crossing[c];
        *bits |= (uint32_t)(crossing[c] != 0) << c;
    }
    return PLIANT_OK;
}

static PliantResult add_leaf(void *data, const PliVisitPart *leaf)
{
    const Visit *visit = data;
    PliLong *state = visit->state;
    void *pair, *mask;
    PLI_TRY(pli_array_push(&state->pairs, visit->worker->host, 1, &pair));
    PLI_TRY(pli_array_push(&state->masks, visit->worker->host, 1, &mask));
    *(PliLeafPair *)pair = state->side == PLI_SIDE_A ? (PliLeafPair){state->leaf, ~leaf->part}
                                                     : (PliLeafPair){~leaf->part, state->leaf};
    *(uint32_t *)mask = (uint32_t)leaf->tag;
    return PLIANT_OK;
}

static const PliVisitor LONG = {.choose = choose, .leaf = add_leaf};

PliantResult pli_long_find(PliLong *state, PliPose *const poses[2], PliSide side, int32_t leaf,
                           int32_t node, PliWorker *worker)
{
    const PliSide other = side == PLI_SIDE_A ? PLI_SIDE_B : PLI_SIDE_A;
    PliPose *large = poses[side == PLI_SIDE_B], *small = poses[side == PLI_SIDE_A];
    Visit visit = {state, worker};
    state->pairs.count = state->masks.count = 0;
    fetch(state, large, side, leaf, worker);
    const PliVisitPart root = {{0}, node, (int32_t)state->finite};
    const PliantResult result =
        pli_visit(&state->stack, &small->bounds, root, worker, other, &LONG, &visit);
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
