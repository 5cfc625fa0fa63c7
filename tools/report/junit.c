/* A report as JUnit XML, as continuous integration reads it: the file is a suite, each pair of
 * parts a case. A finding is a failure; what is allowed and there was skipped. */
#include "report/report.h"
#include "report/text.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_name(const Report *report, const ReportPair *pair, FILE *out)
{
    text_write_xml(report->parts[pair->a].name, out);
    fputs(" : ", out);
    text_write_xml(pair->a == pair->b ? "self" : report->parts[pair->b].name, out);
}

/* "penetrating: a is 12 mm inside b at hand_l 61 %, 12 pairs of triangles in Walk 17 (0.57 s); in 3
 * frames, first in rest 0". False: no memory. */
static bool put_message(const Report *report, const ReportPair *pair, const Summary *summary,
                        FILE *out)
{
    const ReportRun *worst = report_run_of(report, summary->worst);
    const ReportRun *first = report_run_of(report, summary->first);
    char time[32], *words = words_row(report, pair, summary->worst_row);
    text_format_number(report_time_of(worst, summary->worst), 3, time);
    fprintf(out, "%s: ", verdict_word(summary->verdict));
    text_write_xml(words ? words : "", out);
    const bool is_put = words != NULL;
    free(words);
    fprintf(out, ", %" PRId64 " pairs of triangles in ", summary->max_pairs);
    text_write_xml(worst->name, out);
    fprintf(out, " %" PRId32 " (%s s); in %" PRId64 " frames, first in ",
            report_frame_of(worst, summary->worst), time, summary->sample_count);
    text_write_xml(first->name, out);
    fprintf(out, " %" PRId32, report_frame_of(first, summary->first));
    return is_put;
}

static bool put_case(const Report *report, const ReportPair *pair, FILE *out)
{
    Summary summary = pair_summary(report, pair);
    bool is_skipped = pair->is_allowed && summary.worst_row;
    fputs("    <testcase classname=\"", out);
    text_write_xml(report->file, out);
    fputs("\" name=\"", out);
    put_name(report, pair, out);
    if (!summary.is_finding && !is_skipped) {
        fputs("\"/>\n", out);
        return true;
    }
    fprintf(out, "\">\n      <%s", is_skipped ? "skipped" : "failure");
    if (!is_skipped)
        fprintf(out, " type=\"%s\"", verdict_word(summary.verdict));
    fprintf(out, " message=\"%s", is_skipped ? "allowed: " : "");
    const bool is_put = put_message(report, pair, &summary, out);
    fputs("\"/>\n    </testcase>\n", out);
    return is_put;
}

/* A case that fails, whatever was found. */
static void put_incomplete(const Report *report, FILE *out)
{
    fputs("    <testcase classname=\"", out);
    text_write_xml(report->file, out);
    fputs("\" name=\"all frames\">\n      <error type=\"incomplete\" message=\"", out);
    fprintf(out, "%" PRId64 " frames were tested: ", report->tested_count);
    text_write_xml(report->incomplete, out);
    fputs("\"/>\n    </testcase>\n", out);
}

bool report_write_suite(const Report *report, FILE *out)
{
    bool is_put = true;
    int64_t skipped = 0, failed = 0;
    for (int32_t i = 0; i < report->pair_count; i++)
        failed += pair_summary(report, &report->pairs[i]).is_finding;
    for (int32_t i = 0; i < report->pair_count; i++)
        skipped += report->pairs[i].is_allowed &&
                   pair_summary(report, &report->pairs[i]).verdict != VERDICT_CLEAN;
    const int incomplete = report->incomplete != NULL;
    fputs("  <testsuite name=\"", out);
    text_write_xml(report->file, out);
    fprintf(out,
            "\" tests=\"%" PRId32 "\" failures=\"%" PRId64 "\" errors=\"%d\" skipped=\"%" PRId64
            "\">\n",
            (int32_t)report_checked_count(report) + incomplete, failed, incomplete, skipped);
    if (incomplete)
        put_incomplete(report, out);
    for (int32_t i = 0; i < report->pair_count; i++)
        if (report->pairs[i].kind <= PAIR_RIGID)
            is_put &= put_case(report, &report->pairs[i], out);
    fputs("  </testsuite>\n", out);
    return is_put;
}

bool report_write_junit(const Report *report, FILE *out)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    const bool is_put = report_write_suite(report, out);
    fputs("</testsuites>\n", out);
    return is_put && !ferror(out);
}
