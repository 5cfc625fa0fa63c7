/* The experiments of pliant-bench, one file each. */
#ifndef BENCH_EXPERIMENTS_H
#define BENCH_EXPERIMENTS_H

#include "bench.h"

BenchRun bench_tritri;
BenchRun bench_shape;
BenchRun bench_broad;
BenchRun bench_morph;
BenchRun bench_divide;
BenchRun bench_character;
BenchRun bench_soup;
BenchRun bench_paper_soup;
BenchRun bench_volume;
BenchRun bench_cliffs;
BenchRun bench_regions;
BenchRun bench_threads;

/* Part of bench_cliffs(): queries whose cost has to follow the answer. */
void bench_cliffs_answers(void);

#endif
