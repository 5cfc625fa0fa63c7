/* See estimate.h. Workers add to it at any time: what is read meanwhile is near enough. */
#include "check/estimate.h"

#include <stdlib.h>
#include <time.h>

bool estimate_make(Estimate *estimate, const Report *report, int64_t all, int32_t job_count,
                   bool has_depth)
{
    *estimate =
        (Estimate){.report = report, .all = all, .job_count = job_count, .has_depth = has_depth};
    estimate->pairs = calloc((size_t)report->pair_count + 1, sizeof *estimate->pairs);
    return estimate->pairs != NULL;
}

void estimate_free(Estimate *estimate)
{
    free(estimate->pairs);
    estimate->pairs = NULL;
}

int64_t estimate_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void estimate_add_sample(Estimate *estimate, int64_t time, int64_t times, bool is_first)
{
    atomic_fetch_add(&estimate->done, times);
    if (is_first)
        return;
    atomic_fetch_add(&estimate->sample_time, time);
    atomic_fetch_add(&estimate->samples, times);
}

/* A rigid pair has one row, however many samples there are. */
static bool is_rigid(const Estimate *estimate, int32_t pair)
{
    return estimate->report->pairs[pair].kind == PAIR_RIGID;
}

/* As far as rows tell so far. */
static bool is_measured(const Estimate *estimate, int32_t pair)
{
    return estimate->has_depth || !atomic_load(&estimate->pairs[pair].is_told);
}

bool estimate_add_row(Estimate *estimate, int32_t pair, const ReportRow *row, int64_t times)
{
    EstimatePair *item = &estimate->pairs[pair];
    const int64_t count = is_rigid(estimate, pair) ? 1 : times;
    atomic_fetch_add(&item->rows, count);
    atomic_fetch_add(&item->cost, count * report_row_cost(estimate->report,
                                                          &estimate->report->pairs[pair], row));
    if (!row_needs_depth(row))
        atomic_store(&item->is_told, true);
    return is_measured(estimate, pair) && !atomic_exchange(&item->is_tried, true) &&
           atomic_fetch_add(&estimate->trials, 1) < ESTIMATE_TRIALS;
}

void estimate_add_measure(Estimate *estimate, int32_t pair, const ReportRow *row, int64_t time)
{
    const int64_t cost = report_row_cost(estimate->report, &estimate->report->pairs[pair], row);
    atomic_fetch_add(&estimate->measure_time, time);
    atomic_fetch_add(&estimate->measure_cost, cost);
    if (atomic_load(&estimate->is_measuring))
        atomic_fetch_add(&estimate->cost_done, cost);
}

/* Of the pairs that `scale` times what was found so far make. */
static double cost_of_pairs(const Estimate *estimate, double scale)
{
    double cost = 0;
    for (int32_t p = 0; p < estimate->report->pair_count; p++) {
        const EstimatePair *pair = &estimate->pairs[p];
        const double times = is_rigid(estimate, p) ? 1 : scale;
        if (is_measured(estimate, p))
            cost += report_measure_cost(estimate->report, times * (double)atomic_load(&pair->rows),
                                        times * (double)atomic_load(&pair->cost));
    }
    return cost;
}

void estimate_begin_measures(Estimate *estimate)
{
    atomic_store(&estimate->cost_left, (int64_t)cost_of_pairs(estimate, 1));
    atomic_store(&estimate->is_measuring, true);
}

void estimate_begin_round(Estimate *estimate, int64_t cost)
{
    const int64_t least = atomic_load(&estimate->cost_done) + cost;
    if (atomic_load(&estimate->cost_left) < least)
        atomic_store(&estimate->cost_left, least);
}

/* Seconds of one worker for so much cost. */
static double time_of(const Estimate *estimate, double cost)
{
    const double measured = (double)atomic_load(&estimate->measure_cost);
    return measured > 0 ? 1e-9 * (double)atomic_load(&estimate->measure_time) / measured * cost : 0;
}

double estimate_left(const Estimate *estimate)
{
    const int64_t done = atomic_load(&estimate->done), samples = atomic_load(&estimate->samples);
    double left = 0;
    if (atomic_load(&estimate->is_measuring)) {
        const int64_t cost = atomic_load(&estimate->cost_left) - atomic_load(&estimate->cost_done);
        return time_of(estimate, cost > 0 ? (double)cost : 0) / estimate->job_count;
    }
    if (samples == 0)
        return done < estimate->all ? -1 : 0;
    left = 1e-9 * (double)atomic_load(&estimate->sample_time) / (double)samples *
           (double)(estimate->all - done);
    left += time_of(estimate, cost_of_pairs(estimate, (double)estimate->all / (double)done));
    return left / estimate->job_count;
}
