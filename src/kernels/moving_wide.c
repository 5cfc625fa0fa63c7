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
        const EightInts close = are_close(&start, &end), now = do_overlap(&start);
        Times here = {(Eight){0}, (Eight){0}}; /* boxes that overlap at the start need no times */
        if (bits_of(close & ~now))
            here = times_of(&start, &end, until);
        memcpy(times + 8 * i, &here.low, sizeof here.low);
        bits |= (uint64_t)bits_of(close & (now | (here.low <= here.high))) << 8 * i;
    }
    return bits;
}

/* ---- Leaves ----------------------------------------------------------------------------------
 *
 * Most boxes of two leaves are apart at both ends along one axis, which comparisons tell, of
 * PLI_LANES boxes at a time. Two infinities are not told apart by it: that is left to the gaps. */

static inline Mask are_at_most(Floats x, Floats y)
{
    return and_at_most(all_lanes(), x, y);
}

/* One box at both ends. */
typedef struct Moved {
    float low[2][3], high[2][3];
} Moved;

static inline Moved box_of(PliMovingLeaf leaf, int i)
{
    Moved box;
    for (int k = 0; k < 3; k++) {
        box.low[0][k] = leaf.start->low[k][i];
        box.low[1][k] = leaf.end->low[k][i];
        box.high[0][k] = leaf.start->high[k][i];
        box.high[1][k] = leaf.end->high[k][i];
    }
    return box;
}

static inline Moved box_of_all(PliMovingLeaf leaf)
{
    Moved box;
    for (int k = 0; k < 3; k++) {
        box.low[0][k] = leaf.start->all.low[k];
        box.low[1][k] = leaf.end->all.low[k];
        box.high[0][k] = leaf.start->all.high[k];
        box.high[1][k] = leaf.end->all.high[k];
    }
    return box;
}

/* Which boxes of a leaf may be close to a box. */
static inline uint32_t lanes_close(PliMovingLeaf leaf, const Moved *box)
{
    uint32_t lanes = 0;
    for (int first = 0; first < PLI_LEAF_SIZE; first += PLI_LANES) {
        Mask mask = all_lanes();
        for (int k = 0; k < 3; k++) {
            mask &=
                are_at_most(load_floats(leaf.start->low[k] + first), all_same(box->high[0][k])) |
                are_at_most(load_floats(leaf.end->low[k] + first), all_same(box->high[1][k]));
            mask &=
                are_at_most(all_same(box->low[0][k]), load_floats(leaf.start->high[k] + first)) |
                are_at_most(all_same(box->low[1][k]), load_floats(leaf.end->high[k] + first));
        }
        lanes |= lanes_of(mask) << first;
    }
    return lanes;
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
    const Moved all = box_of_all(b);
    memset(bits, 0, PLI_LEAF_SIZE * sizeof *bits);
    for (uint32_t rows = lanes_close(a, &all); rows; rows &= rows - 1) {
        const int i = __builtin_ctz(rows);
        const Moved box = box_of(a, i);
        const uint32_t lanes = lanes_close(b, &box);
        uint32_t row = 0;
        if (lanes & 0xff)
            row = overlap_eight(a, b, i, 0, until);
        if (lanes >> 8)
            row |= overlap_eight(a, b, i, 8, until) << 8;
        bits[i] = (uint16_t)row;
    }
}
