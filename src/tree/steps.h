/* What the steps of all walks of two trees have in common: eight children against eight, as bits 8
 * i + j for child i of a and child j of b. */
#ifndef PLI_STEPS_H
#define PLI_STEPS_H

#include "base/base.h"

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

#endif
