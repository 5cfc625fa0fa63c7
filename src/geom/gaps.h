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

/* The same for what is found now, if that is less than a reach. */
static inline void pli_reach_lower(PliReach *reach, float least)
{
    if (least < reach->distance)
        *reach = pli_reach_least(least);
}

/* The gaps between a box and `count` others, by coordinate, with `count` floats in each row: a
 * multiple of four. */
static inline void pli_gaps(const float low[3], const float high[3], const float *lows,
                            const float *highs, int count, float *gaps)
{
    for (int i = 0; i < count; i += 4) {
        PliFloat4 sum = {0};
        for (int k = 0; k < 3; k++) {
            PliFloat4 other_low, other_high;
            memcpy(&other_low, lows + count * k + i, sizeof other_low);
            memcpy(&other_high, highs + count * k + i, sizeof other_high);
            const PliFloat4 most = pli_max4(other_low - high[k], low[k] - other_high);
            const PliFloat4 gap = pli_max4((PliFloat4){0}, most);
            sum += gap * gap;
        }
        memcpy(gaps + i, &sum, sizeof sum);
    }
}

/* Between two boxes. */
static inline float pli_gap(const PliBox *a, const PliBox *b)
{
    const PliFloat4 most = pli_max4(a->low - b->high, b->low - a->high);
    const PliFloat4 gap = pli_max4((PliFloat4){0}, most), square = gap * gap;
    return (square[0] + square[1]) + square[2];
}

#endif
