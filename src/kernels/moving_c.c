/* Moving boxes, in plain C: the reference implementation. See moving.h. */
#include "kernels/kernels.h"

/* When two boxes may overlap. */
typedef struct Times {
    float low, high;
    bool is_never;
} Times;

/* One of the six conditions: from d0 to d1. */
static void limit(Times *times, float d0, float d1)
{
    const float span = d0 - d1, t = d0 / span;
    const float down = t * PLI_MOVING_DOWN - PLI_MOVING_LEAST,
                up = t * PLI_MOVING_UP + PLI_MOVING_LEAST;
    times->is_never |= !(d0 >= 0 || d1 >= 0);
    if (d0 < 0 && down > times->low)
        times->low = down;
    if (d1 < 0 && span < INFINITY && up < times->high)
        times->high = up;
}

uint64_t pli_overlap_moving_c(PliMovingBoxes a, PliMovingBoxes b, float until, float times[64])
{
    uint64_t bits = 0;
    for (int pair = 0; pair < 64; pair++) {
        const int i = pair / 8, j = pair % 8;
        Times here = {0, until, false};
        for (int k = 0; k < 3; k++) {
            limit(&here, b.start->high[k][j] - a.start->low[k][i],
                  b.end->high[k][j] - a.end->low[k][i]);
            limit(&here, a.start->high[k][i] - b.start->low[k][j],
                  a.end->high[k][i] - b.end->low[k][j]);
        }
        times[pair] = here.low;
        bits |= (uint64_t)(!here.is_never && here.low <= here.high) << pair;
    }
    return bits;
}

void pli_overlap_moving_leaves_c(PliMovingLeaf a, PliMovingLeaf b, float until,
                                 uint16_t bits[PLI_LEAF_SIZE])
{
    for (int i = 0; i < PLI_LEAF_SIZE; i++) {
        bits[i] = 0;
        for (int j = 0; j < PLI_LEAF_SIZE; j++) {
            Times here = {0, until, false};
            for (int k = 0; k < 3; k++) {
                limit(&here, b.start->high[k][j] - a.start->low[k][i],
                      b.end->high[k][j] - a.end->low[k][i]);
                limit(&here, a.start->high[k][i] - b.start->low[k][j],
                      a.end->high[k][i] - b.end->low[k][j]);
            }
            if (!here.is_never && here.low <= here.high)
                bits[i] |= (uint16_t)(1 << j);
        }
    }
}
