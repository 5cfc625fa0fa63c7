/* Triangle against triangle: what pliant-bench and pliant-bench-peers both time. */
#ifndef BENCH_TRITRI_H
#define BENCH_TRITRI_H

#include "bench.h"
#include <pliant/pliant.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One way of testing all candidate pairs; a BenchTurn's data. */
typedef struct TritriJob {
    const BenchPairs *pairs;
    uint32_t cpu_mask;           /* for the batch */
    uint8_t *meets;              /* out: an answer for each pair */
    PliantTriangleCounts counts; /* out, of the batch */
} TritriJob;

/* One pair after the other, by pliant_triangles_intersect(). */
void tritri_scalar(void *job);

/* All pairs at once, by pliant_triangle_pairs_intersect(). */
void tritri_batch(void *job);

#ifdef __cplusplus
}
#endif

#endif
