/* Boxes along the axes: two corners, four floats each, of which the last is not used.
 *
 * Minimum and maximum are x < y ? x : y and x > y ? x : y in that order, so that a NaN in x is
 * passed over; there is no rounding, and so nothing to inflate.
 */
#ifndef PLI_BOX_H
#define PLI_BOX_H

#include "base/base.h"

#include <math.h>

typedef float PliFloat4 __attribute__((vector_size(16)));
typedef int32_t PliInt4 __attribute__((vector_size(16)));

typedef struct PliBox {
    PliFloat4 low, high;
} PliBox;

static inline PliFloat4 pli_min4(PliFloat4 x, PliFloat4 y)
{
#if defined(__SSE2__)
    return __builtin_ia32_minps(x, y);
#else
    PliInt4 mask = x < y;
    return (PliFloat4)((mask & (PliInt4)x) | (~mask & (PliInt4)y));
#endif
}

static inline PliFloat4 pli_max4(PliFloat4 x, PliFloat4 y)
{
#if defined(__SSE2__)
    return __builtin_ia32_maxps(x, y);
#else
    PliInt4 mask = x > y;
    return (PliFloat4)((mask & (PliInt4)x) | (~mask & (PliInt4)y));
#endif
}

/* Holds nothing, and meets nothing. */
static inline PliBox pli_box_empty(void)
{
    return (PliBox){{INFINITY, INFINITY, INFINITY, INFINITY},
                    {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
}

static inline void pli_box_add_point(PliBox *box, PliFloat4 point)
{
    box->low = pli_min4(point, box->low);
    box->high = pli_max4(point, box->high);
}

static inline void pli_box_add(PliBox *box, const PliBox *other)
{
    box->low = pli_min4(other->low, box->low);
    box->high = pli_max4(other->high, box->high);
}

#endif
