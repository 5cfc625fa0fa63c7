/* Long triangles: see long.h. */
#include "narrow/long.h"

/* Bit j: does box i of the one leaf overlap box j of the other? A NaN overlaps nothing. */
static uint32_t overlapping(const PliLeafBoxes *one, int i, const PliLeafBoxes *other)
{
    uint32_t bits = 0;
    for (int j = 0; j < PLI_LEAF_SIZE; j++) {
        bool overlap = true;
        for (int k = 0; k < 3; k++)
            overlap &=
                (one->low[k][i] <= other->high[k][j]) & (other->low[k][j] <= one->high[k][i]);
        bits |= (uint32_t)overlap << j;
    }
    return bits;
}

/* The size of a box: the sum of its sides. */
static float extent(const PliBox *box)
{
    return (box->high[0] - box->low[0]) + (box->high[1] - box->low[1]) +
           (box->high[2] - box->low[2]);
}

/* Of these boxes, those that a triangle crosses. */
static uint32_t crossed(const PliCrossing *crossing, const PliLeafBoxes *boxes, uint32_t bits)
{
    for (uint32_t rest = bits; rest; rest &= rest - 1) {
        const int j = __builtin_ctz(rest);
        const float low[3] = {boxes->low[0][j], boxes->low[1][j], boxes->low[2][j]},
                    high[3] = {boxes->high[0][j], boxes->high[1][j], boxes->high[2][j]};
        if (!pli_crosses_box(crossing, low, high))
            bits &= ~(UINT32_C(1) << j);
    }
    return bits;
}

int32_t pli_long_candidates(PliLongLeaf *known, const PliLeafCache *cache, const uint32_t slots[2],
                            uint32_t *candidates)
{
    const bool is_b =
        extent(&cache->leaf_boxes[slots[1]].all) > extent(&cache->leaf_boxes[slots[0]].all);
    const PliSide side = is_b ? PLI_SIDE_B : PLI_SIDE_A;
    const uint32_t one = slots[is_b], other = slots[!is_b];
    const PliLeafBoxes *boxes = &cache->leaf_boxes[one], *small = &cache->leaf_boxes[other];
    const int32_t leaf = cache->slot_leaves[one];
    float all_low[3], all_high[3];
    int32_t count = 0;
    for (int k = 0; k < 3; k++) {
        all_low[k] = small->all.low[k];
        all_high[k] = small->all.high[k];
    }
    if (known->leaf != leaf || known->side != side)
        known->known = 0;
    known->leaf = leaf;
    known->side = side;
    for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++) {
        bool overlap = true;
        for (int k = 0; k < 3; k++)
            overlap &= (boxes->low[k][i] <= all_high[k]) & (all_low[k] <= boxes->high[k][i]);
        if (!overlap)
            continue;
        PliCrossing *crossing = &known->crossings[i];
        if (!(known->known >> i & 1))
            pli_crossing_init(crossing, pli_leaf_cache_row(cache, PLI_LEAF_SIZE * one + i));
        known->known |= UINT32_C(1) << i;
        if (!pli_crosses_box(crossing, all_low, all_high))
            continue;
        uint32_t bits = crossed(crossing, small, overlapping(boxes, (int)i, small));
        for (; bits; bits &= bits - 1) {
            const uint32_t row = PLI_LEAF_SIZE * one + i,
                           far = PLI_LEAF_SIZE * other + (uint32_t)__builtin_ctz(bits);
            candidates[2 * count] = is_b ? far : row;
            candidates[2 * count + 1] = is_b ? row : far;
            count++;
        }
    }
    return count;
}
