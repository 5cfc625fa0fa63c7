/* Parts of pliant-bench threads. */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "bench.h"

/* What a second worker gains where shapes are built. False if a shape differs. */
bool threads_shapes(PliantPool *pool, bool is_quick);

#endif
