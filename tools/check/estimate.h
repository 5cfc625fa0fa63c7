/* How long the rest of a check will take: for this folder alone, and for nothing but progress.
 *
 * Work is counted: samples, and the triangles that measures of depth go over (report_row_cost).
 * Clocks say what one of each takes. While samples are read, rows that were found so far tell how
 * many there will be, and some of them are measured at once, on trial, since nothing else says what
 * that takes. */
#ifndef TOOLS_ESTIMATE_H
#define TOOLS_ESTIMATE_H

#include "report/report.h"

#include <stdatomic.h>

enum { ESTIMATE_TRIALS = 8 };

typedef struct EstimatePair {
    _Atomic int64_t rows, cost; /* so far, with samples of the same pose */
    atomic_bool is_told;        /* some row tells the verdict without a depth */
    atomic_bool is_tried;
} EstimatePair;

typedef struct Estimate {
    const Report *report;
    int64_t all; /* samples */
    int32_t job_count;
    bool has_depth;                       /* rows of all pairs are measured; else of those whose
                                             verdict needs it */
    EstimatePair *pairs;                  /* of the report */
    _Atomic int64_t done;                 /* samples, with those of the same pose */
    _Atomic int64_t sample_time, samples; /* nanoseconds of one worker; how many in these */
    _Atomic int64_t measure_time, measure_cost;
    _Atomic int64_t trials;
    _Atomic int64_t cost_done, cost_left; /* of rows to be measured, once all samples are read */
    atomic_bool is_measuring;
} Estimate;

/* False: no memory. */
bool estimate_make(Estimate *estimate, const Report *report, int64_t all, int32_t job_count,
                   bool has_depth);
void estimate_free(Estimate *estimate);

int64_t estimate_now(void); /* nanoseconds */

/* A sample was read, `times` samples have its pose. The first of a worker says nothing of others:
 * it makes what is kept. */
void estimate_add_sample(Estimate *estimate, int64_t time, int64_t times, bool is_first);

/* A row was found in it. True: it is to be measured on trial. */
bool estimate_add_row(Estimate *estimate, int32_t pair, const ReportRow *row, int64_t times);

void estimate_add_measure(Estimate *estimate, int32_t pair, const ReportRow *row, int64_t time);

/* All samples are read: rows of the report will be measured. */
void estimate_begin_measures(Estimate *estimate);

/* Rows of so much cost come next: that may be more than was thought. */
void estimate_begin_round(Estimate *estimate, int64_t cost);

double estimate_left(const Estimate *estimate); /* seconds; negative: not known yet */

#endif
