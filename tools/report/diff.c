/* What changed from one report to another, by pair of parts, matched by names. */
#include "report/grid.h"
#include "report/moment.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum Change {
    CHANGE_NONE,
    CHANGE_WORSE,
    CHANGE_APPEARED,
    CHANGE_BETTER,
    CHANGE_GONE
} Change;

static const struct {
    const char *word;
    Style style;
} changes[] = {{"same", STYLE_PLAIN},
               {"worse", STYLE_RED},
               {"appeared", STYLE_ALARM},
               {"better", STYLE_GREEN},
               {"vanished", STYLE_GREEN}};

/* A pair of one report by its names, the lesser first: parts may be in another order there. */
typedef struct Named {
    const char *names[2];
    const Report *report;
    const ReportPair *pair;
} Named;

static int compare_named(const void *x, const void *y)
{
    const Named *left = x, *right = y;
    int order = strcmp(left->names[0], right->names[0]);
    return order ? order : strcmp(left->names[1], right->names[1]);
}

static Named *named_pairs(const Report *report)
{
    Named *list = calloc((size_t)report->pair_count + 1, sizeof *list);
    for (int32_t i = 0; list && i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        const char *a = report->parts[pair->a].name, *b = report->parts[pair->b].name;
        bool is_turned = strcmp(a, b) > 0;
        list[i] = (Named){{is_turned ? b : a, is_turned ? a : b}, report, pair};
    }
    if (list)
        qsort(list, (size_t)report->pair_count, sizeof *list, compare_named);
    return list;
}

static Summary summary_of(const Named *named)
{
    Summary none = {.first = -1, .worst = -1, .volume = -1};
    return named ? pair_summary(named->report, named->pair) : none;
}

/* Worse if it is so in anything: a verdict, pairs at the worst frame, depth, the cut without one.
 */
static Change change_of(const Summary *before, const Summary *after)
{
    bool was = before->verdict != VERDICT_CLEAN, is = after->verdict != VERDICT_CLEAN;
    if (!was || !is)
        return was ? CHANGE_GONE : is ? CHANGE_APPEARED : CHANGE_NONE;
    const bool is_cut = before->max_depth == 0 && after->max_depth == 0;
    const double keys[][2] = {
        {before->verdict, after->verdict},
        {(double)before->max_pairs, (double)after->max_pairs},
        {before->max_depth, after->max_depth},
        {is_cut ? before->worst_row->cut : 0, is_cut ? after->worst_row->cut : 0}};
    bool is_less = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i][1] > keys[i][0])
            return CHANGE_WORSE;
        is_less |= keys[i][1] < keys[i][0];
    }
    return is_less ? CHANGE_BETTER : CHANGE_NONE;
}

/* ---- Lines -------------------------------------------------------------------------------------
 */

static const GridColumn columns[] = {
    {"change", false, 0, 0}, {"part", false, 14, 0},        {"with", false, 14, 0},
    {"was", false, 0, 3},    {"is", false, 0, 2},           {"pairs", true, 0, 0},
    {"depth", true, 0, 1},   {"worst frame", false, 14, 4},
};

static void add_line(Grid *grid, Change change, const Named *before, const Named *after)
{
    const Named *named = after ? after : before;
    Summary was = summary_of(before), is = summary_of(after);
    bool is_allowed = named->pair->is_allowed;
    bool is_self = named->pair->a == named->pair->b;
    char old_depth[WORDS_DEPTH_ROOM], depth[WORDS_DEPTH_ROOM];
    words_depth(before ? before->report : after->report, was.worst_row, old_depth);
    words_depth(named->report, is.worst_row, depth);
    grid_row(grid, is_allowed ? STYLE_DIM : changes[change].style);
    grid_cell(grid, "%s%s", changes[change].word, is_allowed ? ", allowed" : "");
    grid_cell(grid, "%s", named->names[0]);
    grid_cell(grid, "%s", is_self ? "self" : named->names[1]);
    grid_cell(grid, "%s", verdict_word(was.verdict));
    grid_cell(grid, "%s", after ? verdict_word(is.verdict) : "not there");
    grid_cell(grid, "%" PRId64 " -> %" PRId64, was.max_pairs, is.max_pairs);
    grid_cell(grid, "%s -> %s", old_depth, depth);
    char *moment = NULL; /* where to look: where it is worst now, or was */
    if (is.worst_row)
        moment = moment_name(after->report, is.worst, false);
    else if (was.worst_row)
        moment = moment_name(before->report, was.worst, false);
    grid_cell(grid, "%s", moment ? moment : "");
    free(moment);
}

typedef struct Counts {
    int64_t of[CHANGE_GONE + 1]; /* what is not allowed */
} Counts;

/* Goes through both lists, which are sorted, together. With a grid: adds the lines of one kind of
 * change; without: counts. */
static void walk(const Named *before, int32_t before_count, const Named *after, int32_t after_count,
                 Change wanted, Grid *grid, Counts *counts)
{
    for (int32_t i = 0, k = 0; i < before_count || k < after_count;) {
        int order = i == before_count  ? 1
                    : k == after_count ? -1
                                       : compare_named(&before[i], &after[k]);
        const Named *old = order <= 0 ? &before[i++] : NULL;
        const Named *now = order >= 0 ? &after[k++] : NULL;
        Summary was = summary_of(old), is = summary_of(now);
        Change change = change_of(&was, &is);
        if (counts)
            counts->of[change] += !(now ? now : old)->pair->is_allowed;
        else if (change == wanted)
            add_line(grid, change, old, now);
    }
}

static void put_end(const Report *before, const Report *after, const Counts *counts, FILE *out)
{
    fprintf(out,
            "%" PRId64 " appeared, %" PRId64 " worse, %" PRId64 " better, %" PRId64
            " vanished, %" PRId64 " the same.\n",
            counts->of[CHANGE_APPEARED], counts->of[CHANGE_WORSE], counts->of[CHANGE_BETTER],
            counts->of[CHANGE_GONE], counts->of[CHANGE_NONE]);
    if (before->tested_count != after->tested_count)
        fprintf(out, "note: the first checked %" PRId64 " frames, the second %" PRId64 ".\n",
                before->tested_count, after->tested_count);
}

DiffResult report_diff(const Report *before, const Report *after, const TableOptions *options,
                       FILE *out)
{
    static const Change shown[] = {CHANGE_APPEARED, CHANGE_WORSE, CHANGE_BETTER, CHANGE_GONE,
                                   CHANGE_NONE};
    Grid grid = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    Counts counts = {0};
    DiffResult result = DIFF_FAILED;
    Named *old = named_pairs(before), *now = named_pairs(after);
    if (old && now) {
        for (int i = 0; i < (options->is_all ? 5 : 4); i++)
            walk(old, before->pair_count, now, after->pair_count, shown[i], &grid, NULL);
        walk(old, before->pair_count, now, after->pair_count, CHANGE_NONE, NULL, &counts);
        bool is_written = !grid.has_failed;
        if (is_written && grid.row_count > 0) {
            is_written = grid_write(&grid, options->has_color, options->width, out);
            putc('\n', out);
        }
        put_end(before, after, &counts, out);
        if (counts.of[CHANGE_APPEARED] + counts.of[CHANGE_WORSE] > 0)
            result = DIFF_WORSE;
        else
            result = counts.of[CHANGE_BETTER] + counts.of[CHANGE_GONE] ? DIFF_BETTER : DIFF_SAME;
        if (!is_written || ferror(out))
            result = DIFF_FAILED;
    }
    grid_free(&grid);
    free(old);
    free(now);
    return result;
}
