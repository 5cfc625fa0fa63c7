/* Checks that several public calls share. */
#ifndef PLI_CHECKS_H
#define PLI_CHECKS_H

#include "base/base.h"
#include <pliant/experiments.h>

/* The stride of a caller's PliantVertices; `label` is what the header calls these. */
#define PLI_CHECK_STRIDE(call, label, vertices)                                                    \
    PLI_CHECK(                                                                                     \
        call, (vertices).stride == 0 || ((vertices).stride >= 12 && (vertices).stride % 4 == 0),   \
        PLIANT_BAD_ARGUMENT, label ".stride is %zu: 0, or a multiple of 4 that is at least 12",    \
        (vertices).stride)

/* Reads the experiments of a def over the defaults, and checks all of them. NULL: the defaults. */
PliantResult pli_experiments_read(const PliCall *call, const PliantExperiments *given,
                                  PliantExperiments *experiments);

#endif
