/* What follows from the rows of a report: first, worst, verdict, findings, the order of pairs. */
#include "report/report.h"
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

const char *verdict_word(Verdict verdict)
{
    static const char *const words[] = {"clean",     "touching",     "coincident",
                                        "contained", "intersecting", "penetrating"};
    return words[verdict];
}

/* ---- Rows --------------------------------------------------------------------------------------
 */

static bool has_news(const ReportRow *row)
{
    return row->new_pairs > 0 || row->contained != CONTAINED_NONE;
}

/* Nothing of it is deeper than in the baseline: the first region is the deepest. */
static bool is_known(const ReportRow *row)
{
    return row->depth == 0 && row->cut == 0 && !row->is_coincident && row->region_count > 0 &&
           row->regions[0].known_depth > 0;
}

bool row_counts(const ReportRow *row)
{
    return has_news(row) && !is_known(row);
}

Verdict row_verdict(const ReportRow *row)
{
    if (row->contained != CONTAINED_NONE)
        return VERDICT_CONTAINED;
    if (row->new_pairs == 0 || is_known(row))
        return VERDICT_CLEAN;
    if (!row->is_measured)
        return row->goes_through ? VERDICT_INTERSECTING : VERDICT_TOUCHING;
    if (row->depth > 0)
        return row->is_solid ? VERDICT_PENETRATING : VERDICT_INTERSECTING;
    if (row->is_coincident)
        return VERDICT_COINCIDENT;
    return row->goes_through ? VERDICT_INTERSECTING : VERDICT_TOUCHING;
}

bool row_needs_depth(const ReportRow *row)
{
    return !row->goes_through && row->contained == CONTAINED_NONE;
}

/* Greater first. */
static int falling(double x, double y)
{
    return (x < y) - (x > y);
}

bool row_is_worse(const ReportRow *row, const ReportRow *than)
{
    if (!than)
        return true;
    const double keys[][2] = {{row_counts(row), row_counts(than)},
                              {row->is_measured, than->is_measured},
                              {row->depth, than->depth},
                              {row->cut, than->cut},
                              {row_verdict(row), row_verdict(than)},
                              {(double)row->new_pairs, (double)than->new_pairs}};
    int order = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && order == 0; i++)
        order = falling(keys[i][0], keys[i][1]);
    return order < 0;
}

static const ReportRow *worst_row(const ReportPair *pair)
{
    const ReportRow *worst = NULL;
    for (int64_t i = 0; i < pair->row_count; i++)
        if (row_counts(&pair->rows[i]) && row_is_worse(&pair->rows[i], worst))
            worst = &pair->rows[i];
    return worst;
}

/* Where nothing is measured, everything that counts may be deep. What is coincident or contained
 * has no depth that would say how bad that is. Of what is deep, depth alone decides. */
static bool is_over(const Report *report, const ReportRow *row, bool is_measured)
{
    if (row->contained != CONTAINED_NONE)
        return true;
    if (row->new_pairs <= report->max_pairs)
        return false;
    if (!is_measured)
        return row->goes_through;
    if (row_verdict(row) == VERDICT_COINCIDENT)
        return true;
    return row->depth > 0 ? row->depth > report->max_depth
                          : row->goes_through && row->cut > report->max_cut;
}

/* ---- Which rows are measured -------------------------------------------------------------------
 */

/* By what is known before: going through is worse than touching, where faces that coincide can make
 * any number of pairs; then more new pairs are. */
static bool is_more(const ReportRow *row, const ReportRow *than)
{
    if (row->contained != than->contained)
        return row->contained > than->contained;
    if (row->goes_through != than->goes_through)
        return row->goes_through;
    return row->new_pairs > than->new_pairs;
}

/* The most of each run: no other is chosen. */
static void choose_of_runs(const Report *report, const ReportPair *pair, bool *is_chosen)
{
    for (int64_t i = 0, best = -1; i < pair->row_count; i++) {
        is_chosen[i] = false;
        if (!has_news(&pair->rows[i]))
            continue;
        const bool is_same_run = best >= 0 && report_run_of(report, pair->rows[best].sample) ==
                                                  report_run_of(report, pair->rows[i].sample);
        if (is_same_run && !is_more(&pair->rows[i], &pair->rows[best]))
            continue;
        if (is_same_run)
            is_chosen[best] = false;
        is_chosen[i] = true;
        best = i;
    }
}

/* The first ones of a pair that is large: of each run the most, and of these the most. */
static void choose_most(const Report *report, const ReportPair *pair, bool *is_chosen)
{
    int64_t best[REPORT_MEASURED];
    int count = 0;
    choose_of_runs(report, pair, is_chosen);
    for (int64_t i = 0; i < pair->row_count; i++) {
        int at = count;
        if (!is_chosen[i])
            continue;
        is_chosen[i] = false;
        for (; at > 0 && is_more(&pair->rows[i], &pair->rows[best[at - 1]]); at--)
            if (at < REPORT_MEASURED)
                best[at] = best[at - 1];
        if (at < REPORT_MEASURED)
            best[at] = i;
        count += count < REPORT_MEASURED;
    }
    for (int i = 0; i < count; i++)
        is_chosen[best[i]] = true;
}

int64_t report_row_cost(const Report *report, const ReportPair *pair, const ReportRow *row)
{
    return report->parts[pair->a].triangle_count + (int64_t)report->parts[pair->b].triangle_count +
           8 * (row->new_pairs < INT32_MAX ? row->new_pairs : INT32_MAX);
}

static int64_t cost_of(const Report *report, const ReportPair *pair)
{
    int64_t cost = 0;
    for (int64_t i = 0; i < pair->row_count; i++)
        cost += report_row_cost(report, pair, &pair->rows[i]);
    return cost;
}

/* Below this all rows of a pair are measured: some 30 ms. */
enum { MAX_COST = 100000 };

/* Of a pair that is searched: between REPORT_MEASURED and REPORT_MAX_MEASURED. */
enum { USUALLY_MEASURED = 18 };

static bool is_all_chosen(const Report *report, const ReportPair *pair)
{
    return report->is_all_measured || report->shard_count > 1 || cost_of(report, pair) <= MAX_COST;
}

double report_measure_cost(const Report *report, double row_count, double cost)
{
    const bool is_all = report->is_all_measured || report->shard_count > 1 || cost <= MAX_COST;
    return is_all || row_count <= USUALLY_MEASURED ? cost : cost / row_count * USUALLY_MEASURED;
}

/* Chooses the rows that are so many before and behind one, in its run. */
static int64_t choose_beside(const Report *report, const ReportPair *pair, int64_t row,
                             int64_t step, bool *is_chosen)
{
    int64_t count = 0;
    for (int64_t i = row - step; i <= row + step; i += 2 * step)
        if (i >= 0 && i < pair->row_count && !is_chosen[i] && has_news(&pair->rows[i]) &&
            report_run_of(report, pair->rows[i].sample) ==
                report_run_of(report, pair->rows[row].sample)) {
            is_chosen[i] = true;
            count++;
        }
    return count;
}

/* All others, or those that are findings unless they are measured. */
static int64_t choose_rest(const Report *report, const ReportPair *pair, bool is_all,
                           bool *is_chosen)
{
    int64_t count = 0;
    for (int64_t i = 0; i < pair->row_count; i++)
        if (!is_chosen[i] && has_news(&pair->rows[i]) &&
            (is_all || is_over(report, &pair->rows[i], false))) {
            is_chosen[i] = true;
            count++;
        }
    return count;
}

int64_t report_choose(const Report *report, const ReportPair *pair, bool *is_chosen)
{
    static const int64_t steps[] = {5, 1};
    const ReportRow *worst = NULL;
    int64_t count = 0;
    bool is_finding = pair->is_allowed; /* or cannot be one */
    for (int64_t i = 0; i < pair->row_count; i++) {
        const ReportRow *row = &pair->rows[i];
        if (!is_chosen[i])
            continue;
        count++;
        worst = row_is_worse(row, worst) ? row : worst;
        is_finding |= row_counts(row) && is_over(report, row, row->is_measured);
    }
    if (!worst) {
        if (is_all_chosen(report, pair))
            return choose_rest(report, pair, true, is_chosen);
        choose_most(report, pair, is_chosen);
        for (int64_t i = 0; i < pair->row_count; i++)
            count += is_chosen[i];
        return count;
    }
    if (!row_counts(worst))
        return choose_rest(report, pair, true, is_chosen);
    if (is_all_chosen(report, pair))
        return 0;
    for (size_t k = 0; k < sizeof steps / sizeof *steps && count < REPORT_MAX_MEASURED; k++) {
        const int64_t more = choose_beside(report, pair, worst - pair->rows, steps[k], is_chosen);
        if (more > 0)
            return more;
    }
    return is_finding ? 0 : choose_rest(report, pair, false, is_chosen);
}

static void set_measure(ReportRow *row, ReportRow measure)
{
    free(row->regions);
    measure.sample = row->sample;
    measure.pairs = row->pairs;
    measure.new_pairs = row->new_pairs;
    measure.goes_through = row->goes_through;
    measure.contained = row->contained;
    *row = measure;
}

void row_clear_measure(ReportRow *row)
{
    set_measure(row, (ReportRow){.shown = -1, .volume = -1});
}

bool row_copy_measure(const ReportRow *from, ReportRow *to)
{
    ReportRow measure = *from;
    measure.regions = calloc((size_t)from->region_count + 1, sizeof *from->regions);
    if (!measure.regions)
        return false;
    if (from->region_count > 0)
        memcpy(measure.regions, from->regions, (size_t)from->region_count * sizeof *from->regions);
    set_measure(to, measure);
    return true;
}

static void round_region(ReportRegion *region)
{
    region->depth = text_round(region->depth, 6, -1);
    region->max_depth = text_round(region->max_depth, 6, 1);
    region->known_depth = text_round(region->known_depth, 6, 0);
    for (int k = 0; k < 2; k++)
        region->areas[k] = text_round(region->areas[k], 6, 0);
    for (int k = 0; k < 3; k++) {
        region->deepest[k] = text_round(region->deepest[k], 7, 0);
        region->closest[k] = text_round(region->closest[k], 7, 0);
        for (int32_t i = 0; i < region->share_counts[k]; i++)
            region->shares[k][i].share = text_round(region->shares[k][i].share, 4, 0);
    }
}

void row_round_measure(ReportRow *row)
{
    row->depth = text_round(row->depth, 6, -1);
    row->max_depth = text_round(row->max_depth, 6, 1);
    row->cut = text_round(row->cut, 6, 0);
    for (int32_t i = 0; i < row->region_count; i++)
        round_region(&row->regions[i]);
}

static void clear_shown(ReportRow *row)
{
    row->shown = -1;
    for (int32_t i = 0; i < row->region_count; i++)
        row->regions[i].shown = -1;
}

bool report_settle(Report *report)
{
    for (int32_t i = 0; i < report->pair_count; i++) {
        ReportPair *pair = &report->pairs[i];
        bool *is_chosen = calloc((size_t)pair->row_count + 1, sizeof *is_chosen);
        if (!is_chosen)
            return false;
        while (report_choose(report, pair, is_chosen) > 0)
            ;
        for (int64_t k = 0; k < pair->row_count; k++)
            if (!is_chosen[k])
                row_clear_measure(&pair->rows[k]);
        free(is_chosen);
        const ReportRow *worst = worst_row(pair);
        const bool is_finding = pair_summary(report, pair).is_finding;
        for (int64_t k = 0; k < pair->row_count; k++) {
            ReportRow *row = &pair->rows[k];
            if (report->shard_count == 1 && (row != worst || !is_finding))
                clear_shown(row);
            const bool is_kept = row == worst || report->shard_count > 1;
            if (!is_kept || row->volume < 0) {
                row->volume = -1;
                row->volume_error = 0;
            }
        }
        if (pair->row_count > 0) {
            pair->clearance = -1;
            pair->clearance_sample = 0;
        }
    }
    return true;
}

/* ---- Pairs of parts ----------------------------------------------------------------------------
 */

Summary pair_summary(const Report *report, const ReportPair *pair)
{
    Summary summary = {.first = -1, .worst = -1, .volume = -1};
    const ReportRow *worst = worst_row(pair);
    for (int64_t i = 0; i < pair->row_count; i++) {
        const ReportRow *row = &pair->rows[i];
        if (!row_counts(row))
            continue;
        if (summary.first < 0)
            summary.first = row->sample;
        summary.sample_count++;
        summary.measured_count += row->is_measured;
        if (row->volume > summary.volume) {
            summary.volume = row->volume;
            summary.volume_error = row->volume_error;
        }
        if (row->is_measured == worst->is_measured && row_verdict(row) > summary.verdict)
            summary.verdict = row_verdict(row);
        summary.is_finding |= !pair->is_allowed && is_over(report, row, row->is_measured);
    }
    summary.worst_row = worst;
    if (worst) {
        summary.worst = worst->sample;
        summary.max_pairs = worst->new_pairs;
        summary.max_depth = worst->depth;
    }
    return summary;
}

const char *pair_kind_word(PairKind kind)
{
    static const char *const words[] = {"checked", "rigid", "excluded", "alternatives",
                                        "undeformed"};
    return words[kind];
}

int64_t report_checked_count(const Report *report)
{
    int64_t count = 0;
    for (int32_t i = 0; i < report->pair_count; i++)
        count += report->pairs[i].kind <= PAIR_RIGID;
    return count;
}

/* The list that a pair of parts is of, from 1 on; 0: none. */
static int32_t list_of(const Report *report, const ReportPair *pair)
{
    const int32_t list = report->parts[pair->a].list;
    return list > 0 ? list : report->parts[pair->b].list;
}

/* Is there an earlier finding of the list? */
static bool is_counted(const Report *report, int32_t list, int32_t before)
{
    for (int32_t i = 0; i < before; i++)
        if (list_of(report, &report->pairs[i]) == list &&
            pair_summary(report, &report->pairs[i]).is_finding)
            return true;
    return false;
}

int64_t report_findings(const Report *report)
{
    int64_t count = 0;
    for (int32_t i = 0; i < report->pair_count; i++) {
        const int32_t list = list_of(report, &report->pairs[i]);
        if (pair_summary(report, &report->pairs[i]).is_finding &&
            (list == 0 || !is_counted(report, list, i)))
            count++;
    }
    return count;
}

/* What stands for a part: its list, or itself. */
static int32_t stand_in(const Report *report, int32_t part)
{
    return report->parts[part].list > 0 ? -report->parts[part].list : part;
}

static bool is_alike(const Report *report, const ReportPair *x, const ReportPair *y)
{
    const int32_t a = stand_in(report, x->a), b = stand_in(report, x->b);
    const int32_t c = stand_in(report, y->a), d = stand_in(report, y->b);
    return (x->a == x->b) == (y->a == y->b) && x->is_allowed == y->is_allowed &&
           ((a == c && b == d) || (a == d && b == c));
}

void report_fold(const Report *report, const int32_t *order, bool *is_folded)
{
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[order[i]];
        is_folded[order[i]] = false;
        for (int32_t k = 0; k < i && list_of(report, pair) > 0; k++)
            if (!is_folded[order[k]] && is_alike(report, pair, &report->pairs[order[k]]))
                is_folded[order[i]] = true;
    }
}

/* ---- Order -------------------------------------------------------------------------------------
 */

typedef struct Ranked {
    Summary summary;
    bool is_allowed;
    int32_t pair;
} Ranked;

static double cut_of(const Summary *summary)
{
    return summary->worst_row ? summary->worst_row->cut : 0;
}

static bool is_seen(const Summary *summary)
{
    return !summary->worst_row || summary->worst_row->shown != 0;
}

/* The greatest depth, times how much of it shows. */
static double shown_depth(const Summary *summary)
{
    const ReportRow *row = summary->worst_row;
    double most = 0;
    if (!row || row->shown < 0 || row->region_count == 0)
        return row ? row->depth * (row->shown < 0 ? 1 : row->shown) : 0;
    for (int32_t i = 0; i < row->region_count; i++)
        if (row->regions[i].depth * row->regions[i].shown > most)
            most = row->regions[i].depth * row->regions[i].shown;
    return most;
}

static double shown_cut(const Summary *summary)
{
    const ReportRow *row = summary->worst_row;
    return row ? row->cut * (row->shown < 0 ? 1 : row->shown) : 0;
}

static int compare_ranked(const void *left, const void *right)
{
    const Ranked *x = left, *y = right;
    int order = falling(x->summary.is_finding, y->summary.is_finding);
    if (order == 0)
        order = -falling(x->is_allowed, y->is_allowed);
    const Summary *p = &x->summary, *q = &y->summary;
    const double keys[][2] = {{is_seen(p), is_seen(q)},
                              {shown_depth(p), shown_depth(q)},
                              {p->max_depth, q->max_depth},
                              {shown_cut(p), shown_cut(q)},
                              {cut_of(p), cut_of(q)},
                              {p->verdict, q->verdict},
                              {(double)p->max_pairs, (double)q->max_pairs}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && order == 0; i++)
        order = falling(keys[i][0], keys[i][1]);
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
        for (int64_t k = 0; report->pairs[i].rows && k < report->pairs[i].row_count; k++)
            free(report->pairs[i].rows[k].regions);
        free(report->pairs[i].rows);
        free(report->pairs[i].a_faces);
        free(report->pairs[i].b_faces);
    }
    free(report->parts);
    free(report->runs);
    free(report->pairs);
    free(report->file);
    free(report->format);
    for (int32_t i = 0; report->joints && i < report->joint_count; i++)
        free(report->joints[i]);
    free(report->joints);
    free(report->baseline);
    free(report->unit);
    free(report->settings);
    free(report->incomplete);
    *report = (Report){0};
}

int32_t report_joint(Report *report, const char *name)
{
    for (int32_t i = 0; i < report->joint_count; i++)
        if (strcmp(report->joints[i], name) == 0)
            return i;
    char **joints = realloc(report->joints, ((size_t)report->joint_count + 1) * sizeof *joints);
    if (!joints)
        return -1;
    report->joints = joints;
    if (!(joints[report->joint_count] = strdup(name)))
        return -1;
    return report->joint_count++;
}
