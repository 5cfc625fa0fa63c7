/* Moving boxes, eight at a time. The same operations in the same order as in moving_c.c, but those
 * that end early: a pair that is never close needs no times. See moving.h. */
#include "kernels/kernels.h"
#include "kernels/wide.h"

typedef float Eight __attribute__((vector_size(32)));
typedef int32_t EightInts __attribute__((vector_size(32)));

static inline Eight load_eight(const float *from)
{
    Eight v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline Eight choose_eight(EightInts mask, Eight x, Eight y)
{
    return (Eight)((mask & (EightInts)x) | (~mask & (EightInts)y));
}

/* The lanes of a mask, as bits. */
static inline uint32_t bits_of(EightInts mask)
{
#if defined(__AVX__)
    return (uint32_t)__builtin_ia32_movmskps256((Eight)mask);
#else
    Mask halves[2];
    memcpy(halves, &mask, sizeof halves);
    return lanes_of(halves[0]) | lanes_of(halves[1]) << 4;
#endif
}

/* One box, and eight others, at one end. */
typedef struct Gaps {
    Eight up[3], down[3]; /* the high end of the others less its low end, and the other way round */
} Gaps;

static inline Gaps gaps_of(const float *low, const float *high, int i, const float *other_low,
                           const float *other_high, int stride)
{
    Gaps gaps;
    for (int k = 0; k < 3; k++) {
        gaps.up[k] = load_eight(other_high + stride * k) - low[stride * k + i];
        gaps.down[k] = high[stride * k + i] - load_eight(other_low + stride * k);
    }
    return gaps;
}

/* Is none of the six numbers negative at both ends? */
static inline EightInts are_close(const Gaps *start, const Gaps *end)
{
    EightInts mask = (EightInts){0} == 0;
    for (int k = 0; k < 3; k++)
        mask &= ((start->up[k] >= 0) | (end->up[k] >= 0)) &
                ((start->down[k] >= 0) | (end->down[k] >= 0));
    return mask;
}

/* Is none of them negative at one end: do the boxes overlap there? */
static inline EightInts do_overlap(const Gaps *gaps)
{
    EightInts mask = (EightInts){0} == 0;
    for (int k = 0; k < 3; k++)
        mask &= (gaps->up[k] >= 0) & (gaps->down[k] >= 0);
    return mask;
}

typedef struct Times {
    Eight low, high;
} Times;

static inline void limit(Times *times, Eight d0, Eight d1)
{
    const Eight span = d0 - d1, t = d0 / span;
    const Eight down = t * PLI_MOVING_DOWN - PLI_MOVING_LEAST,
                up = t * PLI_MOVING_UP + PLI_MOVING_LEAST;
    times->low = choose_eight((d0 < 0) & (down > times->low), down, times->low);
    times->high = choose_eight((d1 < 0) & (span < INFINITY) & (up < times->high), up, times->high);
}

static inline Times times_of(const Gaps *start, const Gaps *end, float until)
{
    Times times = {(Eight){0}, until - (Eight){0}};
    for (int k = 0; k < 3; k++) {
        limit(&times, start->up[k], end->up[k]);
        limit(&times, start->down[k], end->down[k]);
    }
    return times;
}

uint64_t PLI_NAME(pli_overlap_moving)(PliMovingBoxes a, PliMovingBoxes b, float until,
                                      float times[64])
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        const Gaps start = gaps_of(a.start->low[0], a.start->high[0], i, b.start->low[0],
                                   b.start->high[0], 8),
                   end =
                       gaps_of(a.end->low[0], a.end->high[0], i, b.end->low[0], b.end->high[0], 8);
        const Times here = times_of(&start, &end, until);
        memcpy(times + 8 * i, &here.low, sizeof here.low);
        bits |= (uint64_t)bits_of(are_close(&start, &end) & (here.low <= here.high)) << 8 * i;
    }
    return bits;
}

/* Which of the boxes of a leaf are close to the box of all of the other. */
static inline uint32_t rows_of(PliMovingLeaf a, PliMovingLeaf b)
{
    uint32_t rows = 0;
    for (int first = 0; first < PLI_LEAF_SIZE; first += 8) {
        EightInts mask = (EightInts){0} == 0;
        for (int k = 0; k < 3; k++) {
            const EightInts up = (load_eight(a.start->low[k] + first) <= b.start->all.high[k]) |
                                 (load_eight(a.end->low[k] + first) <= b.end->all.high[k]),
                            down = (load_eight(a.start->high[k] + first) >= b.start->all.low[k]) |
                                   (load_eight(a.end->high[k] + first) >= b.end->all.low[k]);
            mask &= up & down;
        }
        rows |= bits_of(mask) << first;
    }
    return rows;
}

/* Box i, and eight of the others from `first` on. Boxes that overlap at an end need no times. */
static inline uint32_t overlap_eight(PliMovingLeaf a, PliMovingLeaf b, int i, int first,
                                     float until)
{
    const Gaps start = gaps_of(a.start->low[0], a.start->high[0], i, b.start->low[0] + first,
                               b.start->high[0] + first, PLI_LEAF_SIZE),
               end = gaps_of(a.end->low[0], a.end->high[0], i, b.end->low[0] + first,
                             b.end->high[0] + first, PLI_LEAF_SIZE);
    const EightInts close = are_close(&start, &end);
    const EightInts now = until < 1 ? do_overlap(&start) : do_overlap(&start) | do_overlap(&end);
    if (bits_of(close & ~now) == 0)
        return bits_of(now);
    const Times here = times_of(&start, &end, until);
    return bits_of(close & (now | (here.low <= here.high)));
}

void PLI_NAME(pli_overlap_moving_leaves)(PliMovingLeaf a, PliMovingLeaf b, float until,
                                         uint16_t bits[PLI_LEAF_SIZE])
{
    memset(bits, 0, PLI_LEAF_SIZE * sizeof *bits);
    for (uint32_t rows = rows_of(a, b); rows; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        bits[i] =
            (uint16_t)(overlap_eight(a, b, i, 0, until) | overlap_eight(a, b, i, 8, until) << 8);
    }
}
