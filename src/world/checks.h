/* Checks that several public calls share. */
#ifndef PLI_CHECKS_H
#define PLI_CHECKS_H

#include "base/base.h"
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

#endif
