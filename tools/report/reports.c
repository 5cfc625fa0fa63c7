/* Several files as one: see reports.h. */
#include "report/reports.h"
#include "report/grid.h"
#include "report/moment.h"
#include "report/text.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>

int32_t report_worst_pair(const Report *report)
{
    int32_t worst = -2;
    int32_t *order = calloc((size_t)report->pair_count + 1, sizeof *order);
    if (order && report_order(report, order))
        worst = report_findings(report) > 0 ? order[0] : -1;
    free(order);
    return worst;
}

/* ---- Data --------------------------------------------------------------------------------------
 */

static void put_error(const ReportFile *file, FILE *out)
{
    fputs("{\n  \"file\": ", out);
    text_write_json(file->file, out);
    fputs(",\n  \"error\": ", out);
    text_write_json(file->error, out);
    fputs("\n}\n", out);
}

typedef struct Tally {
    int64_t findings;                         /* of all files */
    int64_t errors, found, clean, incomplete; /* files */
} Tally;

static Tally count_files(const Reports *reports)
{
    Tally tally = {0};
    for (int32_t i = 0; i < reports->count; i++) {
        const Report *report = reports_file(reports, i)->report;
        const int64_t findings = report ? report_findings(report) : 0;
        tally.findings += findings;
        tally.errors += report == NULL;
        tally.found += findings > 0;
        tally.incomplete += report && findings == 0 && report->incomplete;
        tally.clean += report && findings == 0 && !report->incomplete;
    }
    return tally;
}

typedef bool WriteReport(const Report *report, FILE *out);

/* Each file is the object that a check of it alone writes, or one with an error. */
static bool write_file(const ReportFile *file, WriteReport *write, FILE *out)
{
    if (file->report)
        return write(file->report, out);
    put_error(file, out);
    return true;
}

bool reports_write_one(const ReportFile *file, FILE *out)
{
    return write_file(file, report_write_json, out) && !ferror(out);
}

static bool write_list(const Reports *reports, const char *schema, WriteReport *write, FILE *out)
{
    bool is_written = true;
    const Tally tally = count_files(reports);
    fprintf(out, "{\n\"schema\": \"%s\",\n\"findings\": %" PRId64 ",\n\"errors\": %" PRId64 ",\n",
            schema, tally.findings, tally.errors);
    fputs("\"files\": [\n", out);
    for (int32_t i = 0; i < reports->count; i++) {
        fputs(i ? "," : "", out);
        is_written &= write_file(reports_file(reports, i), write, out);
    }
    fputs("]\n}\n", out);
    return is_written && !ferror(out);
}

bool reports_write_json(const Reports *reports, FILE *out)
{
    return write_list(reports, "pliant-reports/1", report_write_json, out);
}

bool reports_write_faces(const Reports *reports, FILE *out)
{
    return write_list(reports, "pliant-faces-list/1", report_write_faces, out);
}

static bool write_csv(const Reports *reports, bool is_by_frame, FILE *out)
{
    bool is_put = true;
    report_write_csv_head(is_by_frame, out);
    for (int32_t i = 0; i < reports->count; i++) {
        const Report *report = reports_file(reports, i)->report;
        is_put &= !report || report_write_csv_rows(report, is_by_frame, out);
    }
    return is_put && !ferror(out);
}

bool reports_write_csv(const Reports *reports, FILE *out)
{
    return write_csv(reports, false, out);
}

bool reports_write_csv_frames(const Reports *reports, FILE *out)
{
    return write_csv(reports, true, out);
}

static void put_failed_suite(const ReportFile *file, FILE *out)
{
    fputs("  <testsuite name=\"", out);
    text_write_xml(file->file, out);
    fputs("\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n    <testcase classname=\"",
          out);
    text_write_xml(file->file, out);
    fputs("\" name=\"read\">\n      <error type=\"unreadable\" message=\"", out);
    text_write_xml(file->error, out);
    fputs("\"/>\n    </testcase>\n  </testsuite>\n", out);
}

bool reports_write_junit(const Reports *reports, FILE *out)
{
    bool is_put = true;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n", out);
    for (int32_t i = 0; i < reports->count; i++) {
        const ReportFile *file = reports_file(reports, i);
        if (file->report)
            is_put &= report_write_suite(file->report, out);
        else
            put_failed_suite(file, out);
    }
    fputs("</testsuites>\n", out);
    return is_put && !ferror(out);
}

/* ---- The table ---------------------------------------------------------------------------------
 */

static const GridColumn columns[] = {
    {"verdict", false, 0, 0}, {"file", false, 24, 0},       {"findings", true, 0, 0},
    {"depth", true, 0, 4},    {"worst part", false, 12, 3}, {"with", false, 12, 3},
    {"at", false, 14, 2},     {"frames", true, 0, 1},       {"why", false, 40, 0},
};

static void add_worst(Grid *grid, const Report *report, const ReportPair *pair)
{
    const Summary summary = pair_summary(report, pair);
    char depth[40] = "", *moment = moment_name(report, summary.worst, false);
    if (summary.worst_row->is_measured && summary.max_depth > 0)
        words_length(report, summary.max_depth, depth);
    grid_row(grid, summary.verdict == VERDICT_PENETRATING ? STYLE_ALARM : STYLE_RED);
    grid_cell(grid, "%s", verdict_word(summary.verdict));
    grid_cell(grid, "%s", report->file);
    grid_cell(grid, "%" PRId64, report_findings(report));
    grid_cell(grid, "%s", depth);
    grid_cell(grid, "%s", report->parts[pair->a].name);
    grid_cell(grid, "%s", pair->a == pair->b ? "self" : report->parts[pair->b].name);
    grid_cell(grid, "%s", moment ? moment : "");
    grid->has_failed |= !moment;
    free(moment);
}

static void add_clean(Grid *grid, const Report *report)
{
    grid_row(grid, report->incomplete ? STYLE_YELLOW : STYLE_GREEN);
    grid_cell(grid, report->incomplete ? "incomplete" : "clean");
    grid_cell(grid, "%s", report->file);
    grid_cell(grid, "0");
    for (int i = 0; i < 4; i++)
        grid_cell(grid, "%s", "");
}

static void add_file(Grid *grid, const ReportFile *file)
{
    const Report *report = file->report;
    const int32_t worst = report ? report_worst_pair(report) : -1;
    if (!report) {
        grid_row(grid, STYLE_YELLOW);
        grid_cell(grid, "unreadable");
        grid_cell(grid, "%s", file->file);
        for (int i = 0; i < 6; i++)
            grid_cell(grid, "%s", "");
        grid_cell(grid, "%s", file->error);
        return;
    }
    grid->has_failed |= worst == -2;
    if (worst >= 0)
        add_worst(grid, report, &report->pairs[worst]);
    else
        add_clean(grid, report);
    grid_cell(grid, "%" PRId64, report->tested_count);
    if (report->incomplete)
        grid_cell(grid, "incomplete: %s", report->incomplete);
}

static void put_tally(const Reports *reports, const TableOptions *options, FILE *out)
{
    const Tally tally = count_files(reports);
    if (options->has_color)
        fputs(style_code(STYLE_BOLD), out);
    fprintf(out, "\n%" PRId32 " files", reports->count);
    if (options->has_color)
        fputs(style_code(STYLE_PLAIN), out);
    fprintf(out, ": %" PRId64 " with findings, %" PRId64 " clean", tally.found, tally.clean);
    if (tally.incomplete > 0)
        fprintf(out, ", %" PRId64 " incomplete", tally.incomplete);
    if (tally.errors > 0)
        fprintf(out, ", %" PRId64 " could not be read", tally.errors);
    fputs(".\n", out);
}

bool reports_write_table(const Reports *reports, const TableOptions *options, FILE *out)
{
    Grid grid = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    for (int32_t i = 0; i < reports->count; i++)
        add_file(&grid, reports_file(reports, i));
    const bool is_written = grid_write(&grid, options->has_color, options->width, out);
    grid_free(&grid);
    put_tally(reports, options, out);
    return is_written && !ferror(out);
}
