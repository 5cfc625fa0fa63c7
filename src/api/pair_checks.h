/* Checks of pairs that the caller has found: what pliant_sweep_pairs() and pliant_near_pairs() have
 * in common. */
#ifndef PLI_PAIR_CHECKS_H
#define PLI_PAIR_CHECKS_H

#include "base/memory.h"
#include <pliant/near.h>

/* The fields of a def that both have, under the names that both give them. */
typedef struct PliGivenPairs {
    PliantFeatures kind;
    int32_t vertex_count;
    const uint32_t *pairs;
    int64_t pair_count;
    float distance;
    const float *distances; /* or NULL */
} PliGivenPairs;

/* Checks the counts and distances against the capacity of the output. Arrays may be NULL if there
 * are no pairs: that is checked by pli_given_vertices_check(). */
PliantResult pli_given_pairs_check(const PliCall *call, const PliGivenPairs *given,
                                   int64_t capacity);

/* Checks that there is an array of pairs, and that all of their vertices are there. At least one
 * pair is given. */
PliantResult pli_given_vertices_check(const PliCall *call, const PliGivenPairs *given);

/* Returns the greatest distance of a pair: 0 if there is none. */
float pli_given_distance(const PliGivenPairs *given);

#endif
