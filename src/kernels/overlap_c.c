/* Which bounds overlap, in plain C: the reference implementation. See overlap.h. */
#include "kernels/kernels.h"

uint64_t pli_overlap_nodes_c(const PliBoxes *a, const PliBoxes *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            bool is_overlapping = true;
            for (int k = 0; k < 3; k++)
                is_overlapping &= a->low[k][i] <= b->high[k][j] && b->low[k][j] <= a->high[k][i];
            bits |= (uint64_t)is_overlapping << (8 * i + j);
        }
    }
    return bits;
}

static bool boxes_overlap(const PliLeafBoxes *a, uint32_t i, const PliLeafBoxes *b, uint32_t j)
{
    bool is_overlapping = true;
    for (int k = 0; k < 3; k++)
        is_overlapping &= a->low[k][i] <= b->high[k][j] && b->low[k][j] <= a->high[k][i];
    return is_overlapping;
}

/* Is a pair of triangles excluded? */
static bool is_excluded(const PliExclusionMask *mask, bool is_one_leaf, uint32_t i, uint32_t j)
{
    const uint32_t after = (j - i) % PLI_LEAF_SIZE;
    if (!is_one_leaf)
        return mask->a[i] >> j & 1;
    return after == 0 || after > PLI_LEAF_SIZE / 2 || (mask->a[after - 1] >> i & 1);
}

int32_t pli_overlap_leaves_c(const PliLeafBoxes *leaves, const uint32_t *leaf_pairs,
                             int32_t leaf_pair_count,
                             const PliExclusionMask *const *exclusion_masks, uint32_t *pairs)
{
    uint32_t *end = pairs;
    for (int32_t p = 0; p < leaf_pair_count; p++) {
        uint32_t a = leaf_pairs[2 * p], b = leaf_pairs[2 * p + 1];
        for (uint32_t i = 0; i < PLI_LEAF_SIZE; i++) {
            for (uint32_t j = 0; j < PLI_LEAF_SIZE; j++) {
                if (!boxes_overlap(&leaves[a], i, &leaves[b], j) ||
                    (exclusion_masks && is_excluded(exclusion_masks[p], a == b, i, j)))
                    continue;
                *end++ = PLI_LEAF_SIZE * a + i;
                *end++ = PLI_LEAF_SIZE * b + j;
            }
        }
    }
    return (int32_t)((end - pairs) / 2);
}

uint64_t pli_overlap_slabs_c(const float *a, const float *b, int32_t slab_count, uint64_t bits)
{
    const int32_t high = PLI_GROUP * slab_count;
    uint64_t overlapping = 0;
    for (; bits; bits &= bits - 1) {
        int bit = __builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        bool is_apart = false;
        for (int32_t s = 0; s < high; s += PLI_GROUP)
            is_apart |= a[s + i] > b[high + s + j] || b[s + j] > a[high + s + i];
        overlapping |= (uint64_t)!is_apart << bit;
    }
    return overlapping;
}

uint64_t pli_overlap_balls_c(const float *a, const float *b, uint64_t bits)
{
    uint64_t overlapping = 0;
    for (; bits; bits &= bits - 1) {
        int bit = __builtin_ctzll(bits), i = bit / 8, j = bit % 8;
        float square = 0, reach = a[24 + i] + b[24 + j];
        for (int k = 0; k < 24; k += 8) {
            float d = a[k + i] - b[k + j];
            square += d * d;
        }
        overlapping |= (uint64_t) !(square > reach * reach + 0x1p-140f) << bit;
    }
    return overlapping;
}
