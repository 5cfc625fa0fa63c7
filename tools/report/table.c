/* The table: what a person sees first. What was checked, what was found, worst first, and what to
 * try next. */
#include "report/grid.h"
#include "report/moment.h"
#include "report/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- What was checked --------------------------------------------------------------------------
 */

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void styled(const TableOptions *options, Style style, FILE *out)
{
    if (options->has_color)
        fputs(style_code(style), out);
}

/* "model.glb (GLB): 3 parts, rest and 6 animations, 426 frames" */
static void put_head(const Report *report, const TableOptions *options, FILE *out)
{
    int32_t rests = 0, runs = report->run_count;
    for (int32_t i = 0; i < runs; i++)
        rests += moment_is_rest(&report->runs[i]);
    styled(options, STYLE_BOLD, out);
    text_write_plain(report->file, out);
    styled(options, STYLE_PLAIN, out);
    fputs(" (", out);
    text_write_plain(report->format, out);
    fprintf(out, "): %" PRId32 " part%s, ", report->part_count, plural(report->part_count));
    if (rests > 0)
        fprintf(out, rests == 1 ? "rest pose" : "%" PRId32 " rest poses", rests);
    if (rests > 0 && runs > rests)
        fputs(" and ", out);
    if (runs > rests)
        fprintf(out, "%" PRId32 " animation%s", runs - rests, plural(runs - rests));
    fprintf(out, ", %" PRId64 " frame%s", report->sample_count, plural(report->sample_count));
    if (report->shard_count > 1)
        fprintf(out, "; shard %" PRId32 " of %" PRId32 ", %" PRId64 " frame%s", report->shard,
                report->shard_count, report->tested_count, plural(report->tested_count));
    fputs("\n", out);
    if (strcmp(report->baseline, "none") != 0) {
        fputs("counted is what is new since ", out);
        text_write_plain(strcmp(report->baseline, "rest") == 0 ? "the rest pose" : report->baseline,
                         out);
        fputs("\n", out);
    }
}

/* ---- Pairs of parts ----------------------------------------------------------------------------
 */

static const GridColumn columns[] = {
    {"verdict", false, 0, 0},   {"part", false, 13, 0},    {"with", false, 13, 0},
    {"worst in", false, 12, 0}, {"frame", true, 0, 0},     {"time", true, 0, 2},
    {"pairs", true, 0, 0},      {"in frames", true, 0, 4}, {"first", false, 12, 1},
    {"depth", true, 0, 5},      {"volume", true, 0, 3},
};

static Style style_of(const ReportPair *pair, const Summary *summary)
{
    static const Style styles[] = {STYLE_GREEN, STYLE_YELLOW, STYLE_RED, STYLE_ALARM};
    bool is_quiet = pair->is_allowed || (summary->worst_row && !summary->is_finding);
    return is_quiet ? STYLE_DIM : styles[summary->verdict];
}

static void add_worst(Grid *grid, const Report *report, int64_t sample)
{
    const ReportRun *run = report_run_of(report, sample);
    grid_cell(grid, "%s", run->name);
    grid_cell(grid, "%" PRId32, report_frame_of(run, sample));
    grid_cell(grid, "%.2f s", report_time_of(run, sample));
}

static void add_pair(Grid *grid, const Report *report, const ReportPair *pair)
{
    Summary summary = pair_summary(report, pair);
    grid_row(grid, style_of(pair, &summary));
    grid_cell(grid, "%s",
              pair->is_allowed && summary.worst_row ? "allowed" : verdict_word(summary.verdict));
    grid_cell(grid, "%s", report->parts[pair->a].name);
    grid_cell(grid, "%s", pair->a == pair->b ? "self" : report->parts[pair->b].name);
    if (!summary.worst_row)
        return;
    char depth[32], volume[32] = "", *first = moment_name(report, summary.first, false);
    text_format_number(summary.max_depth, 3, depth);
    if (summary.volume >= 0)
        text_format_number(summary.volume, 3, volume);
    add_worst(grid, report, summary.worst);
    grid_cell(grid, "%" PRId64, summary.max_pairs);
    grid_cell(grid, "%" PRId64, summary.sample_count);
    grid_cell(grid, "%s", first ? first : "");
    grid->has_failed |= !first;
    grid_cell(grid, "%s", depth);
    grid_cell(grid, "%s", volume);
    free(first);
}

/* How many lines it has, or -1. */
static int put_pairs(const Report *report, const TableOptions *options, const int32_t *order,
                     FILE *out)
{
    Grid grid = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[order[i]];
        if (options->is_all || pair_summary(report, pair).worst_row)
            add_pair(&grid, report, pair);
    }
    int count = grid.row_count;
    if (count > 0 || grid.has_failed) {
        putc('\n', out);
        if (!grid_write(&grid, options->has_color, options->width, out))
            count = -1;
    }
    grid_free(&grid);
    return count;
}

/* ---- The verdict -------------------------------------------------------------------------------
 */

typedef struct Tally {
    int64_t findings, allowed, below; /* pairs of parts; below: found, but under a threshold */
    int64_t rest_pairs, worst_pairs;  /* of triangles, of findings: at rest, at the worst frame */
} Tally;

static int64_t pairs_at_rest(const Report *report, const ReportPair *pair)
{
    for (int64_t i = 0; i < pair->row_count; i++)
        if (moment_is_rest(report_run_of(report, pair->rows[i].sample)))
            return pair->rows[i].new_pairs;
    return 0;
}

static Tally tally_of(const Report *report)
{
    Tally tally = {0};
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        Summary summary = pair_summary(report, pair);
        tally.findings += summary.is_finding;
        tally.allowed += pair->is_allowed && summary.worst_row;
        tally.below += !pair->is_allowed && summary.worst_row && !summary.is_finding;
        if (summary.is_finding) {
            tally.rest_pairs += pairs_at_rest(report, pair);
            tally.worst_pairs += summary.max_pairs;
        }
    }
    return tally;
}

/* " with more than 10 pairs of triangles, deeper than 0.01": nothing if any pair is a finding. */
static void put_threshold(const Report *report, FILE *out)
{
    char depth[32];
    text_format_number(report->max_depth, 6, depth);
    if (report->max_pairs > 0)
        fprintf(out, " with more than %" PRId64 " pair%s of triangles", report->max_pairs,
                plural(report->max_pairs));
    if (report->max_depth >= 0)
        fprintf(out, "%s deeper than %s", report->max_pairs > 0 ? "," : "", depth);
}

static bool put_findings(const Report *report, const TableOptions *options, const Tally *tally,
                         const ReportPair *worst, FILE *out)
{
    char *moment = moment_name(report, pair_summary(report, worst).worst, true);
    styled(options, STYLE_BOLD, out);
    fprintf(out, "%" PRId64 " of %" PRId32 " pair%s of parts intersect%s", tally->findings,
            report->pair_count, plural(report->pair_count), tally->findings == 1 ? "s" : "");
    styled(options, STYLE_PLAIN, out);
    put_threshold(report, out);
    fputs("; the worst is ", out);
    if (worst->a == worst->b)
        fputs("the self-collision of ", out);
    text_write_plain(report->parts[worst->a].name, out);
    if (worst->a != worst->b) {
        fputs(" with ", out);
        text_write_plain(report->parts[worst->b].name, out);
    }
    fputs(" at ", out);
    text_write_plain(moment ? moment : "", out);
    fputs(".\n", out);
    const bool is_named = moment != NULL;
    free(moment);
    return is_named;
}

static void put_clean(const Report *report, const TableOptions *options, const Tally *tally,
                      FILE *out)
{
    bool has_baseline = strcmp(report->baseline, "none") != 0;
    styled(options, report->incomplete ? STYLE_PLAIN : STYLE_GREEN, out);
    fputs(report->incomplete ? "so far" : "clean", out);
    styled(options, STYLE_PLAIN, out);
    if (report->pair_count == 0) { /* one part, and no self-collision asked for */
        fputs(": there is no pair of parts to test.\n", out);
        return;
    }
    fprintf(out, ": nothing %sintersects", has_baseline ? "new " : "");
    if (tally->below > 0)
        put_threshold(report, out);
    fprintf(out, " in %" PRId64 " frame%s", report->tested_count, plural(report->tested_count));
    if (tally->allowed > 0)
        fputs(", but for what is allowed", out);
    fputs(".\n", out);
}

/* "incomplete: 31 of 169 frames were tested (interrupted)." */
static void put_incomplete(const Report *report, const TableOptions *options, FILE *out)
{
    styled(options, STYLE_YELLOW, out);
    fputs("incomplete", out);
    styled(options, STYLE_PLAIN, out);
    fprintf(out, ": %" PRId64 " of %" PRId64 " frames were tested (", report->tested_count,
            report->sample_count);
    text_write_plain(report->incomplete, out);
    fputs(").\n", out);
}

/* ---- What to try next --------------------------------------------------------------------------
 */

static void put_command(const Report *report, const TableOptions *options, const char *command,
                        const char *tail, const char *reason, FILE *out)
{
    fprintf(out, "next: pliant %s ", command);
    if (options->word_count == 0)
        moment_write_quoted(report->file, out);
    for (int32_t i = 0; i < options->word_count; i++) {
        fputs(i ? " " : "", out);
        moment_write_quoted(options->words[i], out);
    }
    fprintf(out, " %s", tail);
    styled(options, STYLE_DIM, out);
    fprintf(out, "  # %s", reason);
    styled(options, STYLE_PLAIN, out);
    putc('\n', out);
}

static void put_next(const Report *report, const TableOptions *options, const Tally *tally,
                     FILE *out)
{
    if (report->shard_count > 1) {
        fputs("next: pliant merge SHARD.json...  # when all shards have their --json\n", out);
        return;
    }
    if (tally->findings == 0)
        return;
    if (strcmp(report->baseline, "none") == 0 && report->run_count > 1 &&
        tally->rest_pairs * 2 >= tally->worst_pairs)
        put_command(report, options, "check", "--baseline rest", "most of it is there at rest",
                    out);
    if (!options->has_page)
        put_command(report, options, "check", "--html report.html", "see it, frame by frame", out);
}

bool report_write_table(const Report *report, const TableOptions *options, FILE *out)
{
    int32_t *order = calloc((size_t)report->pair_count + 1, sizeof *order);
    if (!order || !report_order(report, order)) {
        free(order);
        return false;
    }
    Tally tally = tally_of(report);
    put_head(report, options, out);
    int lines = put_pairs(report, options, order, out);
    if (lines > 0)
        putc('\n', out);
    if (tally.findings > 0) {
        if (!put_findings(report, options, &tally, &report->pairs[order[0]], out))
            lines = -1;
    } else {
        put_clean(report, options, &tally, out);
    }
    if (report->incomplete)
        put_incomplete(report, options, out);
    put_next(report, options, &tally, out);
    free(order);
    return lines >= 0 && !ferror(out);
}
