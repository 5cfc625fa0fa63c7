/* The table: what a person sees first. What was checked, what was found, worst first, and what to
 * try next. */
#include "report/grid.h"
#include "report/moment.h"
#include "report/text.h"
#include "report/words.h"

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
    if (report->settings[0]) {
        fputs("configuration: ", out);
        text_write_plain(report->settings, out);
        fputs("\n", out);
    }
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
    {"depth", true, 0, 0},      {"shown", true, 0, 4},     {"where", false, 12, 3},
    {"worst in", false, 12, 0}, {"frame", true, 0, 0},     {"time", true, 0, 2},
    {"in frames", true, 0, 7},  {"pairs", true, 0, 6},     {"volume", true, 0, 5},
    {"first", false, 12, 1},    {"clearance", true, 0, 0},
};

static Style style_of(const ReportPair *pair, const Summary *summary)
{
    static const Style styles[] = {STYLE_GREEN, STYLE_YELLOW, STYLE_RED,
                                   STYLE_RED,   STYLE_RED,    STYLE_ALARM};
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

/* How deep, and where the deepest is. */
static void add_depth(Grid *grid, const Report *report, const ReportRow *row)
{
    char depth[WORDS_DEPTH_ROOM];
    char *joints = row->region_count > 0 ? words_joints(report, row->regions) : NULL;
    words_depth(report, row, depth);
    grid_cell(grid, "%s", row->is_measured ? depth : "");
    if (row->shown >= 0)
        grid_cell(grid, "%.0f %%", 100 * row->shown);
    else
        grid_cell(grid, "%s", "");
    grid_cell(grid, "%s", joints ? joints : "");
    grid->has_failed |= row->region_count > 0 && !joints;
    free(joints);
}

/* When and how near parts come that never touch. */
static void add_clearance(Grid *grid, const Report *report, const ReportPair *pair)
{
    char near[40];
    if (pair->clearance < 0)
        return;
    words_length(report, pair->clearance, near);
    for (int i = 0; i < 3; i++)
        grid_cell(grid, "%s", "");
    add_worst(grid, report, pair->clearance_sample);
    for (int i = 0; i < 4; i++)
        grid_cell(grid, "%s", "");
    grid_cell(grid, "%s", near);
}

static void add_pair(Grid *grid, const Report *report, const ReportPair *pair)
{
    Summary summary = pair_summary(report, pair);
    grid_row(grid, style_of(pair, &summary));
    grid_cell(grid, "%s",
              pair->is_allowed && summary.worst_row ? "allowed" : verdict_word(summary.verdict));
    grid_cell(grid, "%s", report->parts[pair->a].name);
    grid_cell(grid, "%s", pair->a == pair->b ? "self" : report->parts[pair->b].name);
    if (!summary.worst_row) {
        add_clearance(grid, report, pair);
        return;
    }
    char volume[32] = "", *first = moment_name(report, summary.first, false);
    if (summary.volume >= 0)
        text_format_number(summary.volume, 3, volume);
    add_depth(grid, report, summary.worst_row);
    add_worst(grid, report, summary.worst);
    if (pair->kind == PAIR_RIGID && report->sample_count > 1)
        grid_cell(grid, "all");
    else
        grid_cell(grid, "%" PRId64, summary.sample_count);
    grid_cell(grid, "%" PRId64, summary.max_pairs);
    grid_cell(grid, "%s", volume);
    grid_cell(grid, "%s", first ? first : "");
    grid->has_failed |= !first;
    free(first);
}

/* How many lines it has, or -1. */
static int put_pairs(const Report *report, const TableOptions *options, const int32_t *order,
                     const bool *is_folded, FILE *out)
{
    Grid grid = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[order[i]];
        if (is_folded[order[i]] && !options->is_all)
            continue;
        if (pair->kind <= PAIR_RIGID &&
            (options->is_all || pair->clearance >= 0 || pair_summary(report, pair).worst_row))
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
    Tally tally = {.findings = report_findings(report)};
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        Summary summary = pair_summary(report, pair);
        tally.allowed += pair->is_allowed && summary.worst_row;
        tally.below += !pair->is_allowed && summary.worst_row && !summary.is_finding;
        if (summary.is_finding) {
            tally.rest_pairs += pairs_at_rest(report, pair);
            tally.worst_pairs += summary.max_pairs;
        }
    }
    return tally;
}

/* " with more than 10 pairs of triangles, deeper than 10 mm": nothing if any depth is a finding. */
static void put_threshold(const Report *report, FILE *out)
{
    char depth[40], cut[40];
    words_length(report, report->max_depth, depth);
    if (report->max_pairs > 0)
        fprintf(out, " with more than %" PRId64 " pair%s of triangles", report->max_pairs,
                plural(report->max_pairs));
    if (report->max_depth > 0)
        fprintf(out, "%s deeper than %s", report->max_pairs > 0 ? "," : "", depth);
    if (report->max_cut > 0) {
        words_length(report, report->max_cut, cut);
        fprintf(out, "%s with cuts longer than %s",
                report->max_depth > 0   ? " or"
                : report->max_pairs > 0 ? ","
                                        : "",
                cut);
    }
}

static bool put_findings(const Report *report, const TableOptions *options, const Tally *tally,
                         const ReportPair *worst, FILE *out)
{
    const Summary summary = pair_summary(report, worst);
    const int64_t checked = report_checked_count(report);
    char *moment = moment_name(report, summary.worst, true);
    char *words = words_row(report, worst, summary.worst_row);
    styled(options, STYLE_BOLD, out);
    fprintf(out, "%" PRId64 " finding%s among %" PRId64 " pair%s of parts", tally->findings,
            plural(tally->findings), checked, plural(checked));
    styled(options, STYLE_PLAIN, out);
    put_threshold(report, out);
    fputs(".\nworst: ", out);
    text_write_plain(words ? words : "", out);
    fputs(", in ", out);
    text_write_plain(moment ? moment : "", out);
    fputs(".\n", out);
    const bool is_named = moment && words;
    free(words);
    free(moment);
    return is_named;
}

/* Parts whose triangles are there twice: back to back is no finding. */
static void put_two_sided(const Report *report, FILE *out)
{
    bool is_first = true;
    for (int32_t i = 0; i < report->part_count; i++) {
        if (!report->parts[i].is_two_sided)
            continue;
        fputs(is_first ? "two-sided, every triangle back to back with another: " : ", ", out);
        text_write_plain(report->parts[i].name, out);
        is_first = false;
    }
    if (!is_first)
        fputs(".\n", out);
}

/* What was left out, and what was measured where. */
static void put_notes(const Report *report, const bool *is_folded, FILE *out)
{
    static const char *const reasons[] = {
        NULL, NULL, "excluded", "alternatives that are never there together",
        "self-collisions of parts that nothing deforms (--self checks them)"};
    int64_t counts[PAIR_UNDEFORMED + 1] = {0}, rows = 0, measured = 0;
    bool is_first = true;
    for (int32_t i = 0; i < report->pair_count; i++) {
        const Summary summary = pair_summary(report, &report->pairs[i]);
        counts[report->pairs[i].kind]++;
        rows += summary.sample_count;
        measured += summary.measured_count;
    }
    for (int kind = PAIR_EXCLUDED; kind <= PAIR_UNDEFORMED; kind++)
        if (counts[kind] > 0) {
            fprintf(out, "%s%" PRId64 " %s", is_first ? "not checked: " : "; ", counts[kind],
                    reasons[kind]);
            is_first = false;
        }
    if (!is_first)
        fputs(".\n", out);
    int64_t folded = 0;
    for (int32_t i = 0; i < report->pair_count; i++)
        folded += is_folded[i] && pair_summary(report, &report->pairs[i]).worst_row;
    if (folded > 0)
        fprintf(
            out,
            "alternatives: of each list one finding, and the worst with each other part is shown; "
            "%" PRId64 " more (--all shows them).\n",
            folded);
    if (measured > 0 && measured < rows)
        fprintf(out,
                "depth: searched for, and measured %" PRId64 " times, in frames that say most; "
                "%" PRId64 " would be all (--depth all).\n",
                measured, rows);
}

static void put_clean(const Report *report, const TableOptions *options, const Tally *tally,
                      FILE *out)
{
    bool has_baseline = strcmp(report->baseline, "none") != 0;
    styled(options, report->incomplete ? STYLE_PLAIN : STYLE_GREEN, out);
    fputs(report->incomplete ? "so far" : "clean", out);
    styled(options, STYLE_PLAIN, out);
    if (report_checked_count(report) == 0) { /* one part, and no self-collision asked for */
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
    if (report->tested_count < report->sample_count)
        fprintf(out, ": %" PRId64 " of %" PRId64 " frames were tested (", report->tested_count,
                report->sample_count);
    else
        fputs(": not every depth was measured (", out);
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
    bool *is_folded = calloc((size_t)report->pair_count + 1, sizeof *is_folded);
    if (!order || !is_folded || !report_order(report, order)) {
        free(order);
        free(is_folded);
        return false;
    }
    report_fold(report, order, is_folded);
    Tally tally = tally_of(report);
    put_head(report, options, out);
    int lines = put_pairs(report, options, order, is_folded, out);
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
    put_two_sided(report, out);
    put_notes(report, is_folded, out);
    put_next(report, options, &tally, out);
    free(order);
    free(is_folded);
    return lines >= 0 && !ferror(out);
}
