/* Which bounds of the children of two nodes overlap. See overlap.h.
 *
 * One child of a is compared with all eight of b at a time. */
#include "kernels/group_vectors.h"
#include "kernels/kernels.h"
#include "kernels/overlap_row.h"

/* ---- Boxes ----------------------------------------------------------------------------------- */

#if PLI_LANES == 16

/* Sixteen lanes are two boxes of a against eight of b. */
uint64_t PLI_NAME(pli_overlap_nodes)(const PliBoxes *a, const PliBoxes *b)
{
    __m256 low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = _mm256_loadu_ps(b->low[k]);
        high[k] = _mm256_loadu_ps(b->high[k]);
    }
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        __mmask8 mask = 0xff;
        for (int k = 0; k < 3; k++) {
            mask = _mm256_mask_cmp_ps_mask(mask, _mm256_set1_ps(a->low[k][i]), high[k], _CMP_LE_OQ);
            mask = _mm256_mask_cmp_ps_mask(mask, low[k], _mm256_set1_ps(a->high[k][i]), _CMP_LE_OQ);
        }
        bits |= (uint64_t)mask << (8 * i);
    }
    return bits;
}

#else

uint64_t PLI_NAME(pli_overlap_nodes)(const PliBoxes *a, const PliBoxes *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)overlap_one(a->low[0], i, b->low[0], 8) << (8 * i);
    return bits;
}

#endif

/* ---- Slabs and balls ------------------------------------------------------------------------- */

/* Which lanes are set, lane 0 first. */
static inline uint32_t bits_of(GroupInts mask)
{
#if PLI_LANES == 4
    return lanes_of(mask);
#else
    return (uint32_t)__builtin_ia32_movmskps256((GroupFloats)mask);
#endif
}

#if PLI_LANES == 16

/* Which boxes of b are apart from box i of a? */
static inline uint32_t apart_slabs(const float *a, int i, const float *b, int32_t high)
{
    __mmask8 intersecting = 0xff;
    for (int32_t s = 0; s < high; s += PLI_GROUP) {
        intersecting = _mm256_mask_cmp_ps_mask(intersecting, _mm256_set1_ps(a[s + i]),
                                               _mm256_loadu_ps(b + high + s), _CMP_NGT_UQ);
        intersecting = _mm256_mask_cmp_ps_mask(intersecting, _mm256_loadu_ps(b + s),
                                               _mm256_set1_ps(a[high + s + i]), _CMP_NGT_UQ);
    }
    return (uint8_t)~intersecting;
}

#else

/* Which boxes of b are apart from box i of a? */
static inline uint32_t apart_slabs(const float *a, int i, const float *b, int32_t high)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < 8; lane += GROUP_LANES) {
        GroupInts is_apart = {0};
        for (int32_t s = 0; s < high; s += PLI_GROUP) {
            const GroupFloats all = {0};
            is_apart |= a[s + i] - all > load_group(b + high + s + lane);
            is_apart |= load_group(b + s + lane) > a[high + s + i] - all;
        }
        bits |= bits_of(is_apart) << lane;
    }
    return bits;
}

#endif

uint64_t PLI_NAME(pli_overlap_slabs)(const float *a, const float *b, int32_t slab_count,
                                     uint64_t bits)
{
    for (int i = 0; i < 8; i++)
        if (bits >> (8 * i) & 0xff)
            bits &= ~((uint64_t)apart_slabs(a, i, b, PLI_GROUP * slab_count) << (8 * i));
    return bits;
}

static inline uint32_t apart_balls(const float *a, int i, const float *b)
{
    uint32_t bits = 0;
    for (int lane = 0; lane < 8; lane += GROUP_LANES) {
        const GroupFloats all = {0};
        GroupFloats reach = (a[24 + i] - all) + load_group(b + 24 + lane), square = all;
        for (int k = 0; k < 24; k += 8) {
            GroupFloats d = (a[k + i] - all) - load_group(b + k + lane);
            square += d * d;
        }
        bits |= bits_of(square > reach * reach + 0x1p-140f) << lane;
    }
    return bits;
}

uint64_t PLI_NAME(pli_overlap_balls)(const float *a, const float *b, uint64_t bits)
{
    for (int i = 0; i < 8; i++)
        if (bits >> (8 * i) & 0xff)
            bits &= ~((uint64_t)apart_balls(a, i, b) << (8 * i));
    return bits;
}
