/* Small bodies that drift through a cube and bounce off its sides: what pliant-bench broad and
 * threads share. The cube grows with their number, so that each body's box always overlaps about
 * one other. */
#ifndef BENCH_DRIFT_H
#define BENCH_DRIFT_H

#include "bench.h"

typedef struct BenchDrift {
    float (*positions)[3], (*steps)[3];
    int32_t count;
    float side;
} BenchDrift;

BenchDrift bench_drift(int32_t count);
void bench_drift_free(BenchDrift *drift);

/* Moves all by one step, and sets the transforms of their bodies in a world. */
void bench_drift_step(BenchDrift *drift);
void bench_drift_place(const BenchDrift *drift, PliantWorld *world, const PliantBody *bodies);

/* A tetrahedron in a cube of side one. */
PliantShape *bench_drift_shape(void);

#endif
