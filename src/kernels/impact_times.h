/* When features touch on their way, many pairs at once: what geom/impact.h tells by doubles in up
 * to three pieces of the step, to the bit.
 *
 * Branches become choices. Each lane has its own pieces; in one round each of them takes the next
 * one that may have a touch in it, so that there are as many rounds as in the slowest lane, three
 * at most. In a round roots are approximated until the last lane has its own.
 *
 * What it costs in operations of vectors, of HALF pairs each: 130 for the vectors, their products
 * and the cubic, 90 and two quotients and a root for the pieces; in a round 20 and a quotient for
 * each of some four steps to the root, 45 to catch it, and 180 for the place. With one round that
 * is some 550. With AVX-512 a quotient or root of eight doubles takes 16 to 24 cycles: together
 * some 450 cycles for eight pairs if nothing waits, but the steps to a root wait for each other. */
#ifndef PLI_KERNEL_IMPACT_TIMES_H
#define PLI_KERNEL_IMPACT_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* Sets times[i] to pli_impact_in_double() of the four vertices from pairs[4 i] on, of tables of
 * three floats each, and to infinity if one of them has a NaN or an infinity. Reads nothing beyond
 * these. */
typedef void PliTimeImpacts(const float *start, const float *end, bool are_edges,
                            const uint32_t *pairs, int64_t pair_count, float *times);

#endif
