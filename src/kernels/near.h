/* Features within a distance, many pairs at once: what geom/closest.h tells by doubles, to the bit.
 *
 * Branches become choices. Of two edges there are two quotients, of a vertex and a triangle two:
 * one for each weight, whose numerator and denominator are those of the region. A sign that the
 * branches would not have asked for is left out of what is unclear.
 *
 * What it costs in operations of vectors, of HALF pairs each: of two edges some 150, with two
 * quotients, three more for the normal, one of the depth, and a root; of a vertex and a triangle
 * some 170, with the same ones. With AVX-512 a quotient or root of eight doubles takes 16 to 24
 * cycles, so that is some 300 cycles for eight pairs, and half as much again to load them. */
#ifndef PLI_KERNEL_NEAR_H
#define PLI_KERNEL_NEAR_H

#include "geom/closest.h"

/* Sets nearness[i] for the four points from pairs[4 i] on, of a table of three floats each, and
 * closest[i] if they are near. All points are finite. Reads nothing beyond these. */
typedef void PliFindNear(const float *table, bool are_edges, const uint32_t *pairs,
                         int64_t pair_count, float distance, uint8_t *nearness,
                         PliClosest *closest);

#endif
