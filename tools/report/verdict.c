/* What follows from the rows of a report: first, worst, verdict, findings, the order of pairs. */
#include "report/report.h"

#include <stdlib.h>

const char *verdict_word(Verdict verdict)
{
    static const char *const words[] = {"clean", "touching", "intersecting", "penetrating"};
    return words[verdict];
}

/* ---- Rows --------------------------------------------------------------------------------------
 */

/* Going through is worse than touching, where faces that coincide can make any number of pairs;
 * then more new pairs are, then deeper is; of equals the first one stays. */
static bool is_worse_row(const ReportRow *row, const ReportRow *than)
{
    if (!than)
        return true;
    if ((row->depth > 0) != (than->depth > 0))
        return row->depth > 0;
    if (row->new_pairs != than->new_pairs)
        return row->new_pairs > than->new_pairs;
    return row->depth > than->depth;
}

static const ReportRow *worst_row(const ReportPair *pair)
{
    const ReportRow *worst = NULL;
    for (int64_t i = 0; i < pair->row_count; i++)
        if (pair->rows[i].new_pairs > 0 && is_worse_row(&pair->rows[i], worst))
            worst = &pair->rows[i];
    return worst;
}

void report_settle(Report *report)
{
    for (int32_t i = 0; i < report->pair_count; i++) {
        ReportPair *pair = &report->pairs[i];
        const ReportRow *worst = worst_row(pair);
        for (int64_t k = 0; k < pair->row_count; k++) {
            ReportRow *row = &pair->rows[k];
            if (row != worst || row->volume < 0) {
                row->volume = -1;
                row->volume_error = 0;
            }
        }
    }
}

/* ---- Pairs of parts ----------------------------------------------------------------------------
 */

static bool is_over(const Report *report, const ReportRow *row)
{
    return row->new_pairs > report->max_pairs &&
           (report->max_depth < 0 || row->depth > report->max_depth);
}

static Verdict verdict_of(const Summary *summary)
{
    if (summary->sample_count == 0)
        return VERDICT_CLEAN;
    if (summary->volume > summary->volume_error)
        return VERDICT_PENETRATING;
    return summary->max_depth > 0 ? VERDICT_INTERSECTING : VERDICT_TOUCHING;
}

Summary pair_summary(const Report *report, const ReportPair *pair)
{
    Summary summary = {.first = -1, .worst = -1, .volume = -1};
    for (int64_t i = 0; i < pair->row_count; i++) {
        const ReportRow *row = &pair->rows[i];
        if (row->new_pairs <= 0)
            continue;
        if (summary.first < 0)
            summary.first = row->sample;
        summary.sample_count++;
        if (row->depth > summary.max_depth)
            summary.max_depth = row->depth;
        if (row->volume > summary.volume) {
            summary.volume = row->volume;
            summary.volume_error = row->volume_error;
        }
        summary.is_finding |= !pair->is_allowed && is_over(report, row);
    }
    summary.worst_row = worst_row(pair);
    if (summary.worst_row) {
        summary.worst = summary.worst_row->sample;
        summary.max_pairs = summary.worst_row->new_pairs;
    }
    summary.verdict = verdict_of(&summary);
    return summary;
}

int64_t report_findings(const Report *report)
{
    int64_t count = 0;
    for (int32_t i = 0; i < report->pair_count; i++)
        count += pair_summary(report, &report->pairs[i]).is_finding;
    return count;
}

/* ---- Order -------------------------------------------------------------------------------------
 */

typedef struct Ranked {
    Summary summary;
    bool is_allowed;
    int32_t pair;
} Ranked;

/* Greater first. */
static int falling(double x, double y)
{
    return (x < y) - (x > y);
}

static int compare_ranked(const void *left, const void *right)
{
    const Ranked *x = left, *y = right;
    int order = falling(x->summary.is_finding, y->summary.is_finding);
    if (order == 0)
        order = -falling(x->is_allowed, y->is_allowed);
    if (order == 0)
        order = falling(x->summary.verdict, y->summary.verdict);
    if (order == 0)
        order = falling(x->summary.max_depth, y->summary.max_depth);
    if (order == 0)
        order = falling((double)x->summary.max_pairs, (double)y->summary.max_pairs);
    return order ? order : (x->pair > y->pair) - (x->pair < y->pair);
}

bool report_order(const Report *report, int32_t *order)
{
    Ranked *ranked = calloc((size_t)report->pair_count + 1, sizeof *ranked);
    if (!ranked)
        return false;
    for (int32_t i = 0; i < report->pair_count; i++)
        ranked[i] =
            (Ranked){pair_summary(report, &report->pairs[i]), report->pairs[i].is_allowed, i};
    qsort(ranked, (size_t)report->pair_count, sizeof *ranked, compare_ranked);
    for (int32_t i = 0; i < report->pair_count; i++)
        order[i] = ranked[i].pair;
    free(ranked);
    return true;
}

/* ---- Samples -----------------------------------------------------------------------------------
 */

const ReportRun *report_run_of(const Report *report, int64_t sample)
{
    int32_t low = 0, high = report->run_count - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (report->runs[middle].first_sample <= sample)
            low = middle;
        else
            high = middle - 1;
    }
    return &report->runs[low];
}

int32_t report_frame_of(const ReportRun *run, int64_t sample)
{
    return (int32_t)(run->first_frame + (sample - run->first_sample) * run->frame_step);
}

double report_time_of(const ReportRun *run, int64_t sample)
{
    return run->start + report_frame_of(run, sample) / run->rate;
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

void report_free(Report *report)
{
    for (int32_t i = 0; report->parts && i < report->part_count; i++)
        free(report->parts[i].name);
    for (int32_t i = 0; report->runs && i < report->run_count; i++)
        free(report->runs[i].name);
    for (int32_t i = 0; report->pairs && i < report->pair_count; i++) {
        free(report->pairs[i].rows);
        free(report->pairs[i].a_faces);
        free(report->pairs[i].b_faces);
    }
    free(report->parts);
    free(report->runs);
    free(report->pairs);
    free(report->file);
    free(report->format);
    free(report->baseline);
    free(report->incomplete);
    *report = (Report){0};
}
