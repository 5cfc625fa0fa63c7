/* Work and span: what more workers could gain, found by timing every task.
 *
 * A host that claims many workers and runs their tasks one by one, each timed. Work is what all
 * tasks took together; the longest of each set is the chain that no number of workers shortens;
 * what a call took besides its tasks is serial. */
#ifndef BENCH_SPAN_H
#define BENCH_SPAN_H

#include "bench.h"

enum { SPAN_WORKERS = 64 };

typedef struct BenchSpan {
    double inside;  /* seconds, in all sets, with what choosing workers took */
    double tasks;   /* of all tasks */
    double longest; /* the longest task of each set, added up */
    double divided; /* what all sets would take with SPAN_WORKERS workers, each as fast as one */
} BenchSpan;

/* Sets worker_count, run and run_user of a host. */
void bench_span_attach(BenchSpan *span, PliantHost *host);

/* Prints and reports, for calls that took `total` seconds with these tasks and `one` seconds with
 * one worker: KEY.serial_share, and KEY.at_64, the greatest gain that 64 workers can have. */
void bench_span_print(const BenchSpan *span, const char *key, double total, double one);

#endif
