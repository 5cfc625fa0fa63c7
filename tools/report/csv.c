/* A report as CSV (RFC 4180, but lines end as they do here): a line for each row. */
#include "report/report.h"
#include "report/text.h"

#include <inttypes.h>

static void put_row(const Report *report, const ReportPair *pair, const ReportRow *row, FILE *out)
{
    const ReportRun *run = report_run_of(report, row->sample);
    text_write_csv(report->file, out);
    putc(',', out);
    text_write_csv(report->parts[pair->a].name, out);
    putc(',', out);
    text_write_csv(report->parts[pair->b].name, out);
    fprintf(out, ",%d,", pair->is_allowed);
    text_write_csv(run->name, out);
    fprintf(out, ",%" PRId32 ",", report_frame_of(run, row->sample));
    text_write_number(report_time_of(run, row->sample), out);
    fprintf(out, ",%" PRId64 ",%" PRId64 ",", row->pairs, row->new_pairs);
    text_write_number(row->depth, out);
    putc(',', out);
    if (row->volume >= 0)
        text_write_number(row->volume, out);
    putc(',', out);
    if (row->volume >= 0)
        text_write_number(row->volume_error, out);
    putc('\n', out);
}

void report_write_csv_head(FILE *out)
{
    fputs("file,a,b,is_allowed,run,frame,time,pairs,new_pairs,depth,volume,volume_error\n", out);
}

void report_write_csv_rows(const Report *report, FILE *out)
{
    for (int32_t i = 0; i < report->pair_count; i++)
        for (int64_t k = 0; k < report->pairs[i].row_count; k++)
            put_row(report, &report->pairs[i], &report->pairs[i].rows[k], out);
}

bool report_write_csv(const Report *report, FILE *out)
{
    report_write_csv_head(out);
    report_write_csv_rows(report, out);
    return !ferror(out);
}
