/* What the steps of all walks of two trees have in common: eight children against eight, as bits 8
 * i + j for child i of a and child j of b. */
#ifndef PLI_STEPS_H
#define PLI_STEPS_H

#include "tree/walk.h"

/* A part that is this much larger than the other is opened alone: otherwise each of its large
 * children would be compared with all small ones. */
#define PLI_FAR_LARGER 4.0f

/* The bits with j >= i: of pairs within one part, each two of its children once. */
#define PLI_ONCE UINT64_C(0x80c0e0f0f8fcfeff)

/* The bits with i in a and j in b. */
static inline uint64_t pli_mask_of(uint32_t a, uint32_t b)
{
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++)
        mask |= (uint64_t)(a >> i & 1 ? b : 0) << (8 * i);
    return mask;
}

/* Bit 8 i + j to bit 8 j + i. */
static inline uint64_t pli_transposed(uint64_t bits)
{
    uint64_t change = (bits ^ bits >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    bits ^= change ^ change << 7;
    change = (bits ^ bits >> 14) & UINT64_C(0x0000cccc0000cccc);
    bits ^= change ^ change << 14;
    change = (bits ^ bits >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return bits ^ change ^ change << 28;
}

/* On which sides of a plane the bounds in a slot are, or boxes alone if that is -1: balls if there
 * are any. */
static inline PliPlaneSides pli_plane_sides(const PliPlane *plane, const PliBounds *bounds,
                                            const PliBoxes *boxes, int32_t slot)
{
    if (bounds->extra_kind == PLI_EXTRA_BALLS && slot >= 0)
        return pli_plane_sides_of_balls(plane, pli_extra_at(bounds, slot));
    return pli_plane_sides_of_boxes(plane, boxes);
}

/* The plane that a part lies in, or -1, of bounds that have planes. */
static inline int32_t pli_plane_of(const PliBounds *bounds, int32_t part)
{
    return part < 0 ? bounds->leaf_planes[~part] : bounds->node_planes[part];
}

#endif
