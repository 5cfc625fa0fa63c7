/* A report as JSON, version REPORT_SCHEMA. The same report gives the same bytes.
 *
 *   schema          "pliant-report/3"
 *   file, format    as given; what it was read as
 *   baseline        "none", "rest" or the name of a report
 *   unit            of all lengths: "m", "cm", "mm", ...; "" if it is not known. Areas and volumes
 *                   have its square and cube
 *   size            the diagonal of the box of all parts in the rest pose
 *   settings        that change what is checked, as in a config file
 *   max_pairs       more new pairs than this, and
 *   max_depth       deeper than this, are a finding; and without a depth,
 *   max_cut         longer than this
 *   max_clearance   pairs that never touch are told if they come nearer; null: they are not
 *   is_all_measured every row was to be measured; else those that report_choose() chooses
 *   has_self        whether self-collision of parts was checked
 *   shard, shard_count, sample_count, tested_count
 *   incomplete      why tested_count is not all samples of the shard; not there if it is
 *   findings        * how many pairs of parts are findings; all of a list of alternatives are one
 *   parts           name, vertices, triangles, is_closed; is_two_sided: every triangle
 *                   is there twice, back to back; list: the number of the list of
 *                   alternatives that it is in, from 1 on
 *   runs            name, start, rate, first_frame, frame_step, frame_count: sample i of a run is
 *                   frame first_frame + i * frame_step, at start + frame / rate seconds. Samples
 *                   are counted through all runs, from 0
 *   pairs           every pair of parts that was checked:
 *     a, b          numbers of parts, a <= b
 *     names         * theirs
 *     kind          "checked"; "rigid": at the first sample alone, since nothing moves one against
 *                   the other; or why it is not: "excluded", "alternatives", "undeformed"
 *     is_allowed
 *     verdict, is_finding *
 *     first, worst  * sample, run, frame, time; worst also pairs (new ones), depth, and volume with
 *                   volume_error where it was measured; not there if it is clean
 *     samples       * how many samples have rows that count; not there if it is clean
 *     measured      * how many of these are measured; likewise
 *     depth         * that of the worst; likewise
 *     relative_depth  * the same as a part of size; likewise
 *     shown         * how much of the worst one sees from outside, 0 to 1; of a finding
 *     words         * the worst in one sentence; likewise
 *     clearance, clearance_sample  how near they come, and when, if they never touch
 *     a_faces, b_faces  triangles that touched the other part, as ranges: "12-17,20". A pair of one
 *                   part, its self-collision, has a_faces alone
 *     stretches     where they intersect:
 *       sample      the first one
 *       pairs       a number for each sample from there on (sample + k * shard_count)
 *       new         likewise, if they are not all of the pairs
 *       through     an edge goes through a triangle, and
 *       contained   "a" or "b": it is inside the other, or a piece of it: in all of these samples
 *     rows          the samples that are measured:
 *       sample, also  later samples with the same measures
 *       depth, max_depth  it is between these
 *       cut         how long a curve is that divides neither surface, so that there is no depth
 *       is_solid, is_coincident
 *       small_regions  how many are not listed
 *       shown       of the worst row of a finding: how much one sees from outside, 0 to 1, of the
 *                   place of the greatest depth times that
 *       volume, volume_error
 *       regions     the deepest first:
 *         depth, max_depth, known_depth  how deep it was in the baseline, which is not in depth
 *         areas     of both sides
 *         inner     "a" or "b": the side that is inside
 *         is_solid, is_poking, pokes *  the part that sticks out
 *         shown     of the deepest, where the row has it
 *         deepest, closest  points, and deepest_triangle, closest_triangle
 *         joints, side_joints  name and share
 *
 * What has a star follows from the rest. It is for readers of the file, and is not read back. What
 * is not there in stretches, rows and regions is 0, false or none.
 */
#include "report/report.h"
#include "report/text.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_field(const char *name, const char *text, FILE *out)
{
    fprintf(out, "  \"%s\": ", name);
    text_write_json(text, out);
    fputs(",\n", out);
}

static void put_number(const char *before, double number, FILE *out)
{
    fputs(before, out);
    text_write_number(number, out);
}

static void put_head(const Report *report, FILE *out)
{
    put_field("schema", REPORT_SCHEMA, out);
    put_field("file", report->file, out);
    put_field("format", report->format, out);
    put_field("baseline", report->baseline, out);
    put_field("unit", report->unit, out);
    put_field("settings", report->settings, out);
    put_number("  \"size\": ", report->size, out);
    fprintf(out, ",\n  \"max_pairs\": %" PRId64, report->max_pairs);
    put_number(",\n  \"max_depth\": ", report->max_depth, out);
    put_number(",\n  \"max_cut\": ", report->max_cut, out);
    fputs(",\n  \"max_clearance\": ", out);
    if (report->max_clearance < 0)
        fputs("null", out);
    else
        text_write_number(report->max_clearance, out);
    fprintf(out, ",\n  \"is_all_measured\": %s", report->is_all_measured ? "true" : "false");
    fprintf(out, ",\n  \"has_self\": %s,\n", report->has_self ? "true" : "false");
    fprintf(out, "  \"shard\": %" PRId32 ",\n  \"shard_count\": %" PRId32 ",\n", report->shard,
            report->shard_count);
    fprintf(out, "  \"sample_count\": %" PRId64 ",\n  \"tested_count\": %" PRId64 ",\n",
            report->sample_count, report->tested_count);
    if (report->incomplete)
        put_field("incomplete", report->incomplete, out);
    fprintf(out, "  \"findings\": %" PRId64 ",\n", report_findings(report));
}

static void put_part(const ReportPart *part, FILE *out)
{
    fputs("    {\"name\": ", out);
    text_write_json(part->name, out);
    fprintf(out, ", \"vertices\": %" PRId32 ", \"triangles\": %" PRId32 ", \"is_closed\": %s",
            part->vertex_count, part->triangle_count, part->is_closed ? "true" : "false");
    if (part->is_two_sided)
        fputs(", \"is_two_sided\": true", out);
    if (part->list > 0)
        fprintf(out, ", \"list\": %" PRId32, part->list);
    putc('}', out);
}

static void put_run(const ReportRun *run, FILE *out)
{
    fputs("    {\"name\": ", out);
    text_write_json(run->name, out);
    put_number(", \"start\": ", run->start, out);
    put_number(", \"rate\": ", run->rate, out);
    fprintf(out,
            ", \"first_frame\": %" PRId32 ", \"frame_step\": %" PRId32 ", \"frame_count\": %" PRId32
            "}",
            run->first_frame, run->frame_step, run->frame_count);
}

static void put_moment(const Report *report, const char *name, int64_t sample, FILE *out)
{
    const ReportRun *run = report_run_of(report, sample);
    fprintf(out, "      \"%s\": {\"sample\": %" PRId64 ", \"run\": ", name, sample);
    text_write_json(run->name, out);
    fprintf(out, ", \"frame\": %" PRId32, report_frame_of(run, sample));
    put_number(", \"time\": ", report_time_of(run, sample), out);
}

static void put_volume(const ReportRow *row, FILE *out)
{
    if (row->volume < 0)
        return;
    put_number(", \"volume\": ", row->volume, out);
    put_number(", \"volume_error\": ", row->volume_error, out);
}

/* False: no memory. */
static bool put_summary(const Report *report, const ReportPair *pair, const Summary *summary,
                        FILE *out)
{
    fprintf(out, "      \"verdict\": \"%s\", \"is_finding\": %s", verdict_word(summary->verdict),
            summary->is_finding ? "true" : "false");
    if (!summary->worst_row)
        return true;
    fputs(",\n", out);
    put_moment(report, "first", summary->first, out);
    fputs("},\n", out);
    put_moment(report, "worst", summary->worst, out);
    fprintf(out, ", \"pairs\": %" PRId64, summary->worst_row->new_pairs);
    put_number(", \"depth\": ", summary->worst_row->depth, out);
    put_volume(summary->worst_row, out);
    fprintf(out, "},\n      \"samples\": %" PRId64, summary->sample_count);
    fprintf(out, ", \"measured\": %" PRId64, summary->measured_count);
    put_number(", \"depth\": ", summary->max_depth, out);
    put_number(", \"relative_depth\": ", report->size > 0 ? summary->max_depth / report->size : 0,
               out);
    if (summary->worst_row->shown >= 0)
        put_number(", \"shown\": ", summary->worst_row->shown, out);
    char *words = words_row(report, pair, summary->worst_row);
    fputs(",\n      \"words\": ", out);
    text_write_json(words ? words : "", out);
    const bool is_put = words != NULL;
    free(words);
    return is_put;
}

static void put_faces(const char *name, const int32_t *faces, int64_t count, FILE *out)
{
    fprintf(out, ",\n      \"%s\": \"", name);
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && faces[end] == faces[end - 1] + 1; end++)
            ;
        fprintf(out, "%s%" PRId32, i ? "," : "", faces[i]);
        if (end - i > 1)
            fprintf(out, "-%" PRId32, faces[end - 1]);
    }
    putc('"', out);
}

static const char *bool_word(bool value)
{
    return value ? "true" : "false";
}

static void put_point(const char *name, const double *point, int count, FILE *out)
{
    fprintf(out, ", \"%s\": [", name);
    for (int k = 0; k < count; k++)
        put_number(k ? ", " : "", point[k], out);
    putc(']', out);
}

static void put_flag(const char *name, bool value, FILE *out)
{
    if (value)
        fprintf(out, ", \"%s\": true", name);
}

/* ---- Stretches ---------------------------------------------------------------------------------
 */

static bool is_next(const Report *report, const ReportRow *row, const ReportRow *next)
{
    return next->sample == row->sample + report->shard_count &&
           next->goes_through == row->goes_through && next->contained == row->contained;
}

static int64_t pairs_of(const ReportRow *row)
{
    return row->pairs;
}

static int64_t new_pairs_of(const ReportRow *row)
{
    return row->new_pairs;
}

static void put_counts(const char *name, const ReportRow *rows, int64_t count,
                       int64_t (*count_of)(const ReportRow *row), FILE *out)
{
    fprintf(out, ", \"%s\": [", name);
    for (int64_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRId64, i ? "," : "", count_of(&rows[i]));
    putc(']', out);
}

static void put_stretch(const ReportRow *rows, int64_t count, FILE *out)
{
    bool is_all_new = true;
    for (int64_t i = 0; i < count; i++)
        is_all_new &= rows[i].new_pairs == rows[i].pairs;
    fprintf(out, "\n        {\"sample\": %" PRId64, rows->sample);
    put_flag("through", rows->goes_through, out);
    if (rows->contained != CONTAINED_NONE)
        fprintf(out, ", \"contained\": \"%s\"", rows->contained == CONTAINED_A ? "a" : "b");
    put_counts("pairs", rows, count, pairs_of, out);
    if (!is_all_new)
        put_counts("new", rows, count, new_pairs_of, out);
    putc('}', out);
}

static void put_stretches(const Report *report, const ReportPair *pair, FILE *out)
{
    const ReportRow *rows = pair->rows;
    fputs(",\n      \"stretches\": [", out);
    for (int64_t i = 0, end; i < pair->row_count; i = end) {
        for (end = i + 1; end < pair->row_count && is_next(report, &rows[end - 1], &rows[end]);)
            end++;
        fputs(i ? "," : "", out);
        put_stretch(rows + i, end - i, out);
    }
    putc(']', out);
}

/* ---- Regions -----------------------------------------------------------------------------------
 */

static void put_shares(const Report *report, const ReportRegion *region, int side, FILE *out)
{
    putc('[', out);
    for (int32_t i = 0; i < region->share_counts[side]; i++) {
        const ReportShare *share = &region->shares[side][i];
        fputs(i ? ", [" : "[", out);
        text_write_json(report->joints[share->joint], out);
        put_number(", ", share->share, out);
        putc(']', out);
    }
    putc(']', out);
}

static void put_joints(const Report *report, const ReportRegion *region, FILE *out)
{
    if (region->share_counts[0] + region->share_counts[1] + region->share_counts[2] == 0)
        return;
    fputs(",\n           \"joints\": ", out);
    put_shares(report, region, 2, out);
    fputs(", \"side_joints\": [", out);
    put_shares(report, region, 0, out);
    fputs(", ", out);
    put_shares(report, region, 1, out);
    putc(']', out);
}

static void put_region(const Report *report, const ReportPair *pair, const ReportRegion *region,
                       FILE *out)
{
    put_number("\n          {\"depth\": ", region->depth, out);
    put_number(", \"max_depth\": ", region->max_depth, out);
    if (region->known_depth > 0)
        put_number(", \"known_depth\": ", region->known_depth, out);
    put_point("areas", region->areas, 2, out);
    fprintf(out, ", \"inner\": \"%s\"", region->inner == 0 ? "a" : "b");
    put_flag("is_solid", region->is_solid, out);
    put_flag("is_poking", region->is_poking, out);
    if (region->shown >= 0)
        put_number(", \"shown\": ", region->shown, out);
    if (region->is_poking) {
        fputs(", \"pokes\": ", out);
        text_write_json(report->parts[region->inner == 0 ? pair->b : pair->a].name, out);
    }
    put_point("deepest", region->deepest, 3, out);
    put_point("closest", region->closest, 3, out);
    fprintf(out, ", \"deepest_triangle\": %" PRId32 ", \"closest_triangle\": %" PRId32,
            region->deepest_triangle, region->closest_triangle);
    put_joints(report, region, out);
    putc('}', out);
}

/* ---- Measured rows -----------------------------------------------------------------------------
 */

/* Poses come again, and so do their measures: one after another, by sample, where they are sorted.
 */
typedef struct Measure {
    const Report *report;
    const ReportRow *row;
    const struct Measure *next; /* the next row of the same measures, or NULL */
} Measure;

static int compare_numbers(const double *x, const double *y, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int compare_shares(const Report *report, const ReportRegion *x, const ReportRegion *y)
{
    int order = 0;
    for (int side = 0; side < 3 && order == 0; side++) {
        order = x->share_counts[side] - y->share_counts[side];
        for (int32_t i = 0; i < x->share_counts[side] && order == 0; i++) {
            const ReportShare *a = &x->shares[side][i], *b = &y->shares[side][i];
            order = strcmp(report->joints[a->joint], report->joints[b->joint]);
            if (order == 0)
                order = compare_numbers(&a->share, &b->share, 1);
        }
    }
    return order;
}

static int compare_regions(const Report *report, const ReportRegion *x, const ReportRegion *y)
{
    const double a[] = {x->depth,      x->max_depth,        x->areas[0],         x->areas[1],
                        x->inner,      x->is_solid,         x->is_poking,        x->deepest[0],
                        x->deepest[1], x->deepest[2],       x->closest[0],       x->closest[1],
                        x->closest[2], x->deepest_triangle, x->closest_triangle, x->known_depth,
                        x->shown};
    const double b[] = {y->depth,      y->max_depth,        y->areas[0],         y->areas[1],
                        y->inner,      y->is_solid,         y->is_poking,        y->deepest[0],
                        y->deepest[1], y->deepest[2],       y->closest[0],       y->closest[1],
                        y->closest[2], y->deepest_triangle, y->closest_triangle, y->known_depth,
                        y->shown};
    const int order = compare_numbers(a, b, sizeof a / sizeof *a);
    return order ? order : compare_shares(report, x, y);
}

static int compare_measures(const Measure *left, const Measure *right)
{
    const ReportRow *x = left->row, *y = right->row;
    const double a[] = {x->depth,         x->max_depth,   x->cut,          x->is_solid,
                        x->is_coincident, x->small_count, x->region_count, x->volume,
                        x->volume_error,  x->shown};
    const double b[] = {y->depth,         y->max_depth,   y->cut,          y->is_solid,
                        y->is_coincident, y->small_count, y->region_count, y->volume,
                        y->volume_error,  y->shown};
    int order = compare_numbers(a, b, sizeof a / sizeof *a);
    for (int32_t i = 0; i < x->region_count && order == 0; i++)
        order = compare_regions(left->report, &x->regions[i], &y->regions[i]);
    return order;
}

static int by_measures(const void *left, const void *right)
{
    const Measure *x = left, *y = right;
    const int order = compare_measures(x, y);
    return order ? order : (x->row->sample > y->row->sample) - (x->row->sample < y->row->sample);
}

static int by_sample(const void *left, const void *right)
{
    const Measure *const *x = left, *const *y = right;
    return ((*x)->row->sample > (*y)->row->sample) - ((*x)->row->sample < (*y)->row->sample);
}

static void put_measure(const ReportPair *pair, const Measure *measure, FILE *out)
{
    const ReportRow *row = measure->row;
    fprintf(out, "\n        {\"sample\": %" PRId64, row->sample);
    for (const Measure *later = measure->next; later; later = later->next)
        fprintf(out, "%s%" PRId64, later == measure->next ? ", \"also\": [" : ",",
                later->row->sample);
    fputs(measure->next ? "]" : "", out);
    put_number(", \"depth\": ", row->depth, out);
    put_number(", \"max_depth\": ", row->max_depth, out);
    if (row->cut > 0)
        put_number(", \"cut\": ", row->cut, out);
    put_flag("is_solid", row->is_solid, out);
    put_flag("is_coincident", row->is_coincident, out);
    if (row->small_count > 0)
        fprintf(out, ", \"small_regions\": %" PRId32, row->small_count);
    if (row->shown >= 0)
        put_number(", \"shown\": ", row->shown, out);
    put_volume(row, out);
    for (int32_t i = 0; i < row->region_count; i++) {
        fputs(i ? "," : ", \"regions\": [", out);
        put_region(measure->report, pair, &row->regions[i], out);
    }
    fputs(row->region_count ? "]}" : "}", out);
}

/* Links rows of the same measures, and lists the first of each, by sample. */
static int64_t link_measures(Measure *measures, int64_t count, const Measure **firsts)
{
    int64_t first_count = 0;
    qsort(measures, (size_t)count, sizeof *measures, by_measures);
    for (int64_t i = 0; i < count; i++)
        if (i > 0 && compare_measures(&measures[i - 1], &measures[i]) == 0)
            measures[i - 1].next = &measures[i];
        else
            firsts[first_count++] = &measures[i];
    qsort(firsts, (size_t)first_count, sizeof(void *), by_sample);
    return first_count;
}

/* False: no memory. */
static bool put_rows(const Report *report, const ReportPair *pair, FILE *out)
{
    int64_t room = 0, count = 0;
    for (int64_t i = 0; i < pair->row_count; i++)
        room += pair->rows[i].is_measured;
    Measure *measures = calloc((size_t)room + 1, sizeof *measures);
    const Measure **firsts = calloc((size_t)room + 1, sizeof(void *));
    for (int64_t i = 0; i < pair->row_count && measures; i++)
        if (pair->rows[i].is_measured)
            measures[count++] = (Measure){.report = report, .row = &pair->rows[i]};
    const int64_t first_count = measures && firsts ? link_measures(measures, count, firsts) : 0;
    fputs(",\n      \"rows\": [", out);
    for (int64_t i = 0; i < first_count; i++) {
        fputs(i ? "," : "", out);
        put_measure(pair, firsts[i], out);
    }
    putc(']', out);
    const bool is_put = measures && firsts;
    free(measures);
    free(firsts);
    return is_put;
}

/* ---- The whole ---------------------------------------------------------------------------------
 */

static bool put_pair(const Report *report, const ReportPair *pair, FILE *out)
{
    Summary summary = pair_summary(report, pair);
    fprintf(out, "    {\n      \"a\": %" PRId32 ", \"b\": %" PRId32 ", \"names\": [", pair->a,
            pair->b);
    text_write_json(report->parts[pair->a].name, out);
    fputs(", ", out);
    text_write_json(report->parts[pair->b].name, out);
    fprintf(out, "], \"kind\": \"%s\", \"is_allowed\": %s,\n", pair_kind_word(pair->kind),
            bool_word(pair->is_allowed));
    bool is_put = put_summary(report, pair, &summary, out);
    if (pair->clearance >= 0) {
        put_number(",\n      \"clearance\": ", pair->clearance, out);
        fprintf(out, ", \"clearance_sample\": %" PRId64, pair->clearance_sample);
    }
    put_faces("a_faces", pair->a_faces, pair->a_face_count, out);
    if (pair->a != pair->b)
        put_faces("b_faces", pair->b_faces, pair->b_face_count, out);
    put_stretches(report, pair, out);
    is_put &= put_rows(report, pair, out);
    fputs("\n    }", out);
    return is_put;
}

bool report_write_json(const Report *report, FILE *out)
{
    bool is_put = true;
    fputs("{\n", out);
    put_head(report, out);
    fputs("  \"parts\": [", out);
    for (int32_t i = 0; i < report->part_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_part(&report->parts[i], out);
    }
    fputs("\n  ],\n  \"runs\": [", out);
    for (int32_t i = 0; i < report->run_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_run(&report->runs[i], out);
    }
    fputs("\n  ],\n  \"pairs\": [", out);
    for (int32_t i = 0; i < report->pair_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        is_put &= put_pair(report, &report->pairs[i], out);
    }
    fputs("\n  ]\n}\n", out);
    return is_put && !ferror(out);
}
