/* Gaps: squared distances of boxes, and how far a search goes.
 *
 * A search that looks for what is within F skips boxes whose distance is certainly greater. Gaps
 * are computed in float: with u = 2^-24, a difference is within u of itself (or exact, if it is
 * denormal), its square within 3 u and 2^-150, and the sum of three within 5 u of itself and 2^-148
 * in all. The limit is F^2 (1 + 2^-20) + 2^-140, less half an ulp: more than (1 + 5.1 u) F^2 +
 * 2^-148. So a gap above the limit is that of boxes farther than F. Overflow makes a gap infinite;
 * its limit is then exceeded rightly, or infinite itself.
 *
 * A box with a NaN on an axis has a gap that is NaN, or none on that axis: what is in such a box is
 * not finite, and is skipped wherever it is reached.
 */
#ifndef PLI_GAPS_H
#define PLI_GAPS_H

#include "geom/box.h"

/* How far a search goes. */
typedef struct PliReach {
    float distance; /* F */
    float limit;    /* of gaps */
} PliReach;

static inline PliReach pli_reach(float distance)
{
    const double square = (double)distance * distance;
    return (PliReach){distance, (float)(square * (1 + 0x1p-20) + 0x1p-140)};
}

/* To what has the least distance so far, or the same: the returned distance of anything farther
 * than the next float is greater (geom/closest.h). */
static inline PliReach pli_reach_least(float least)
{
    least += 0.0f; /* no zero with a sign */
    uint32_t bits;
    memcpy(&bits, &least, sizeof bits);
    bits += least < INFINITY; /* the next float: least is not negative */
    memcpy(&least, &bits, sizeof bits);
    return pli_reach(least);
}

/* The gaps between a box and `count` others, by coordinate, with `count` floats in each row. */
static inline void pli_gaps(const float low[3], const float high[3], const float *lows,
                            const float *highs, int count, float *gaps)
{
    for (int i = 0; i < count; i++)
        gaps[i] = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < count; i++) {
            const float up = lows[count * k + i] - high[k], down = low[k] - highs[count * k + i];
            const float most = up > down ? up : down, gap = 0 > most ? 0 : most;
            gaps[i] += gap * gap;
        }
}

/* Between two boxes. */
static inline float pli_gap(const PliBox *a, const PliBox *b)
{
    const float low[3] = {a->low[0], a->low[1], a->low[2]},
                high[3] = {a->high[0], a->high[1], a->high[2]},
                lows[3] = {b->low[0], b->low[1], b->low[2]},
                highs[3] = {b->high[0], b->high[1], b->high[2]};
    float gap;
    pli_gaps(low, high, lows, highs, 1, &gap);
    return gap;
}

#endif
