/* A report as CSV (RFC 4180, but lines end as they do here): a line for each stretch of frames in
 * which two parts intersect, or one for each frame. */
#include "report/report.h"
#include "report/text.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>

/* A stretch: rows of one pair at neighboring samples of a run. */
typedef struct Stretch {
    const ReportRow *rows;
    int64_t count;
} Stretch;

/* What is told of it. */
static const ReportRow *worst_of(const Stretch *stretch)
{
    const ReportRow *worst = NULL;
    for (int64_t i = 0; i < stretch->count; i++)
        if (row_is_worse(&stretch->rows[i], worst))
            worst = &stretch->rows[i];
    return worst;
}

/* False: no memory. */
static bool put_measure(const Report *report, const ReportPair *pair, const ReportRow *row,
                        FILE *out)
{
    const ReportRegion *region = row->region_count > 0 ? row->regions : NULL;
    char *joints = region ? words_joints(report, region) : NULL;
    fprintf(out, "%s,", verdict_word(row_verdict(row)));
    text_write_number(row->depth, out);
    putc(',', out);
    text_write_number(row->max_depth, out);
    fprintf(out, ",%s,%" PRId32 ",", report->unit, row->region_count + row->small_count);
    if (region)
        text_write_number(region->areas[region->inner], out);
    putc(',', out);
    if (region)
        text_write_csv(report->parts[region->inner == 0 ? pair->a : pair->b].name, out);
    putc(',', out);
    text_write_csv(joints ? joints : "", out);
    const bool is_put = joints || !region;
    free(joints);
    return is_put;
}

/* Of a stretch also its ends. */
static bool put_stretch(const Report *report, const ReportPair *pair, const Stretch *stretch,
                        bool has_ends, FILE *out)
{
    bool is_put = true;
    const ReportRow *worst = worst_of(stretch);
    const ReportRun *run = report_run_of(report, worst->sample);
    text_write_csv(report->file, out);
    putc(',', out);
    text_write_csv(report->parts[pair->a].name, out);
    putc(',', out);
    text_write_csv(report->parts[pair->b].name, out);
    fprintf(out, ",%d,", pair->is_allowed);
    text_write_csv(run->name, out);
    if (has_ends)
        fprintf(out, ",%" PRId32 ",%" PRId32, report_frame_of(run, stretch->rows[0].sample),
                report_frame_of(run, stretch->rows[stretch->count - 1].sample));
    fprintf(out, ",%" PRId32 ",", report_frame_of(run, worst->sample));
    text_write_number(report_time_of(run, worst->sample), out);
    fprintf(out, ",%" PRId64 ",%" PRId64 ",", worst->pairs, worst->new_pairs);
    if (worst->is_measured)
        is_put = put_measure(report, pair, worst, out);
    else
        fputs(",,,,,,,", out);
    putc(',', out);
    if (worst->volume >= 0)
        text_write_number(worst->volume, out);
    putc(',', out);
    if (worst->volume >= 0)
        text_write_number(worst->volume_error, out);
    putc(',', out);
    if (worst->is_measured)
        text_write_number(worst->cut, out);
    putc(',', out);
    if (worst->shown >= 0)
        text_write_number(worst->shown, out);
    putc('\n', out);
    return is_put;
}

static bool is_next(const Report *report, const ReportRow *row, const ReportRow *next)
{
    return next->sample == row->sample + report->shard_count &&
           report_run_of(report, row->sample) == report_run_of(report, next->sample);
}

#define PLACE "file,a,b,is_allowed,run,"
#define ANSWER                                                                                     \
    "time,pairs,new_pairs,verdict,depth,max_depth,unit,regions,area,inside,joints,volume,"         \
    "volume_error,cut,shown\n"

void report_write_csv_head(bool is_by_frame, FILE *out)
{
    fputs(is_by_frame ? PLACE "frame," ANSWER : PLACE "first_frame,last_frame,worst_frame," ANSWER,
          out);
}

bool report_write_csv_rows(const Report *report, bool is_by_frame, FILE *out)
{
    bool is_put = true;
    for (int32_t i = 0; i < report->pair_count; i++)
        for (int64_t k = 0, end; k < report->pairs[i].row_count; k = end) {
            const ReportPair *pair = &report->pairs[i];
            for (end = k + 1; !is_by_frame && end < pair->row_count &&
                              is_next(report, &pair->rows[end - 1], &pair->rows[end]);)
                end++;
            const Stretch stretch = {pair->rows + k, end - k};
            is_put &= put_stretch(report, pair, &stretch, !is_by_frame, out);
        }
    return is_put;
}

static bool write_all(const Report *report, bool is_by_frame, FILE *out)
{
    report_write_csv_head(is_by_frame, out);
    const bool is_put = report_write_csv_rows(report, is_by_frame, out);
    return is_put && !ferror(out);
}

bool report_write_csv(const Report *report, FILE *out)
{
    return write_all(report, false, out);
}

bool report_write_csv_frames(const Report *report, FILE *out)
{
    return write_all(report, true, out);
}
