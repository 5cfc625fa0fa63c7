/* Checks that several public calls share. */
#ifndef PLI_CHECKS_H
#define PLI_CHECKS_H

#include "world/world.h"
#include <pliant/experiments.h>

/* The stride of a caller's PliantVertices; `label` is what the header calls these. */
#define PLI_CHECK_STRIDE(call, label, vertices)                                                    \
    PLI_CHECK(call, pli_is_stride((vertices).stride), PLIANT_BAD_ARGUMENT,                         \
              label ".stride is %zu: 0, or a multiple of 4 from 12 to 1048576", (vertices).stride)

/* Larger ones are mistakes, and could overflow when they are multiplied. */
static inline bool pli_is_stride(size_t stride)
{
    return stride == 0 || (stride >= 12 && stride % 4 == 0 && stride <= (size_t)1 << 20);
}

/* Reads the experiments of a def over the defaults, and checks all of them. NULL: the defaults. */
PliantResult pli_experiments_read(const PliCall *call, const PliantExperiments *given,
                                  PliantExperiments *experiments);

/* Queries for pairs of bodies: their def and record are read, and the record is written. */
PliantResult pli_body_pairs_open(const PliCall *call, const PliantBodyPairsDef *given,
                                 const PliantBodyPairs *pairs, PliantBodyPairsDef *def);
void pli_body_pairs_close(const PliantWorld *world, const PliArray *found, bool is_limit_reached,
                          PliantBodyPairs *pairs);

/* A limit, and a finite number; `name` is what the header calls it. */
#define PLI_CHECK_LIMIT(call, name, count)                                                         \
    PLI_CHECK(call, (count) >= 0, PLIANT_BAD_ARGUMENT,                                             \
              name " is %" PRId64 ": 0, or a number above 0", count)
#define PLI_CHECK_FINITE(call, name, number)                                                       \
    PLI_CHECK(call, (number) >= 0 && (number) < INFINITY, PLIANT_BAD_ARGUMENT,                     \
              name " is %g: a finite number that is not negative is needed", (double)(number))
/* A rest distance: any finite number. */
#define PLI_CHECK_REST(call, name, number)                                                         \
    PLI_CHECK(call, isfinite(number), PLIANT_BAD_ARGUMENT,                                         \
              name " is %g: a finite number is needed", (double)(number))

#endif
