/* Approaches: a time before which two features on their way are certainly not within a distance.
 *
 * By steps that are never too long (additive continuous collision detection; Li, Kaufman, Jiang,
 * 2021): points of the two features come closer by at most V in a unit of time, V being the
 * greatest length of the difference of the ways of two vertices, one of each feature, since ways of
 * points are means of ways of vertices. If they are at least d > D apart at time t, they are not
 * within D before t + (d - D) / V. Steps end once d is not above D (1 + 2^-7); then t is the
 * answer. So it is never late, and may be early: also for a pair that stays farther than D, but not
 * by more than 2^-7 of it, unless it takes more than MAX_STEPS.
 *
 * Rounding. Points are taken less the first one, x = (s - s0) + t ((e - e0) - (s - s0)), in double:
 * with S the greatest coordinate of s - s0 and e - e0 each is off by less than 16 u S, and so is
 * its distance to another one by less than 2 sqrt(3) 16 u S < 64 u S. That is taken away from d. (d
 * - D) / V is made less by 2^-40 of itself, far more than it is rounded by, and so is V made
 * greater.
 * The sum of t and a step is rounded by u of itself, which may be more than a short step is made
 * less by, so the sum is made less by 2 u too.
 *
 * Points in double. A coordinate may itself be off by u of its magnitude, after an origin was
 * subtracted. Then S is at least the greatest magnitude of all coordinates, and x is off by 2 u S
 * more: 18 u S, and 2 sqrt(3) 18 u S < 64 u S still. V takes 64 u S instead of 16 u S: four
 * coordinates of each difference of ways bring 4 u S sqrt(3) < 7 u S, for two vertices 14 u S.
 * Differences below 2^-180 are taken as 0, and 2^-170 is taken away from d for it: gaps are asked
 * for points of magnitudes from 2^-200 on (geom/closest.h).
 */
#ifndef PLI_APPROACH_H
#define PLI_APPROACH_H

#include "geom/impact.h"

/* Returns a time from 0 to `until` before which the features are farther than `distance`, or
 * infinity if it is greater. All coordinates must be finite, and the distance above 0. */
float pli_approach(PliImpactKind kind, const float *const start[4], const float *const end[4],
                   float distance, float until);

/* Four points in double at both ends. Each coordinate may be off by 2^-53 of itself; its magnitude
 * is below 2^130. */
typedef struct PliPoints64 {
    double start[4][3], end[4][3];
} PliPoints64;

/* The same for them. Steps end once features are within `distance`, which may be 0, times 1 + 2^-7,
 * and `error`, which is at least 2^-160. */
float pli_approach64(PliImpactKind kind, const PliPoints64 *points, double distance, double error,
                     float until);

#endif
