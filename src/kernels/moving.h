/* Moving boxes: which of them may overlap, and from when on.
 *
 * What is in a moving box goes along straight lines from a box at time 0 to a box at time 1: at
 * time t a coordinate is at least (1 - t) low0 + t low1. So two moving boxes overlap at time t only
 * if six numbers d(t) = (1 - t) d0 + t d1 are not negative, d0 and d1 being the high end of one box
 * less the low end of the other at the start and at the end. None of them may be negative at both;
 * and one that changes sign does so at t = d0 / (d0 - d1), which bounds the times of the overlap
 * from below if it rises, and from above if it falls. If these bounds leave no time up to `until`,
 * the boxes do not overlap.
 *
 * Rounding. u = 2^-24. Differences of floats have the right sign, and are off by u of themselves.
 * d0 and d1 have opposite signs where they are divided, so d0 - d1 is off by 2 u, and t by 4 u and
 * a little, or by 2^-150 if it is subnormal. It is moved by 2^-20 = 16 u of itself and by 2^-100,
 * and that is rounded twice. If d0 - d1 overflows, t is 0 or a NaN: a bound from below is then no
 * bound, and one from above is left out.
 *
 * A box with a NaN overlaps nothing, if it is there at both ends.
 */
#ifndef PLI_MOVING_H
#define PLI_MOVING_H

#include "geom/box.h"
#include "kernels/fetch.h"

/* Boxes at the start and at the end. */
typedef struct PliMovingBoxes {
    const PliBoxes *start, *end;
} PliMovingBoxes;

typedef struct PliMovingLeaf {
    const PliLeafBoxes *start, *end;
} PliMovingLeaf;

/* Bit 8 i + j: box i of a and box j of b may overlap from 0 to `until`. Sets times[8 i + j] to a
 * time before which they do not, if the bit is set; otherwise to anything. */
typedef uint64_t PliOverlapMoving(PliMovingBoxes a, PliMovingBoxes b, float until, float times[64]);

/* Sets bit j of bits[i] if box i of a and box j of b may. `all` of a leaf contains all of its
 * boxes. */
typedef void PliOverlapMovingLeaves(PliMovingLeaf a, PliMovingLeaf b, float until,
                                    uint16_t bits[PLI_LEAF_SIZE]);

#define PLI_MOVING_DOWN (1 - 0x1p-20f)
#define PLI_MOVING_UP (1 + 0x1p-20f)
#define PLI_MOVING_LEAST 0x1p-100f

#endif
