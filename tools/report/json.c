/* A report as JSON, version REPORT_SCHEMA. The same report gives the same bytes.
 *
 *   schema          "pliant-report/1"
 *   file, format    as given; what it was read as
 *   baseline        "none", "rest" or the name of a report
 *   max_pairs       more new pairs than this, and
 *   max_depth       deeper than this (null: any depth), are a finding
 *   has_self        whether self-collision of parts was checked
 *   shard, shard_count, sample_count, tested_count
 *   incomplete      why tested_count is not all samples of the shard; not there if it is
 *   findings        * how many pairs of parts are findings
 *   parts           name, vertices, triangles, is_closed
 *   runs            name, start, rate, first_frame, frame_step, frame_count: sample i of a run is
 *                   frame first_frame + i * frame_step, at start + frame / rate seconds. Samples
 *                   are counted through all runs, from 0
 *   pairs           every pair of parts that was checked:
 *     a, b          numbers of parts, a <= b
 *     names         * theirs
 *     is_allowed
 *     verdict, is_finding *
 *     first, worst  * sample, run, frame, time; worst also pairs (new ones), depth, and volume with
 *                   volume_error where it was measured; not there if it is clean
 *     samples       * how many samples have new pairs; not there if it is clean
 *     depth         * the greatest in any of them; likewise
 *     a_faces, b_faces  triangles that touched the other part, as ranges: "12-17,20". A pair of one
 *                   part, its self-collision, has a_faces alone
 *     rows          sample, pairs, new, depth; volume and volume_error where it was measured
 *
 * What has a star follows from the rest. It is for readers of the file, and is not read back.
 */
#include "report/report.h"
#include "report/text.h"

#include <inttypes.h>

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
    fprintf(out, "  \"max_pairs\": %" PRId64 ",\n  \"max_depth\": ", report->max_pairs);
    if (report->max_depth < 0)
        fputs("null", out);
    else
        text_write_number(report->max_depth, out);
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
    fprintf(out, ", \"vertices\": %" PRId32 ", \"triangles\": %" PRId32 ", \"is_closed\": %s}",
            part->vertex_count, part->triangle_count, part->is_closed ? "true" : "false");
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

static void put_summary(const Report *report, const Summary *summary, FILE *out)
{
    fprintf(out, "      \"verdict\": \"%s\", \"is_finding\": %s", verdict_word(summary->verdict),
            summary->is_finding ? "true" : "false");
    if (!summary->worst_row)
        return;
    fputs(",\n", out);
    put_moment(report, "first", summary->first, out);
    fputs("},\n", out);
    put_moment(report, "worst", summary->worst, out);
    fprintf(out, ", \"pairs\": %" PRId64, summary->worst_row->new_pairs);
    put_number(", \"depth\": ", summary->worst_row->depth, out);
    put_volume(summary->worst_row, out);
    fprintf(out, "},\n      \"samples\": %" PRId64, summary->sample_count);
    put_number(", \"depth\": ", summary->max_depth, out);
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

static void put_rows(const ReportPair *pair, FILE *out)
{
    fputs(",\n      \"rows\": [", out);
    for (int64_t i = 0; i < pair->row_count; i++) {
        const ReportRow *row = &pair->rows[i];
        fprintf(out,
                "%s\n        {\"sample\": %" PRId64 ", \"pairs\": %" PRId64 ", \"new\": %" PRId64,
                i ? "," : "", row->sample, row->pairs, row->new_pairs);
        put_number(", \"depth\": ", row->depth, out);
        put_volume(row, out);
        putc('}', out);
    }
    fputs(pair->row_count ? "\n      ]" : "]", out);
}

static void put_pair(const Report *report, const ReportPair *pair, FILE *out)
{
    Summary summary = pair_summary(report, pair);
    fprintf(out, "    {\n      \"a\": %" PRId32 ", \"b\": %" PRId32 ", \"names\": [", pair->a,
            pair->b);
    text_write_json(report->parts[pair->a].name, out);
    fputs(", ", out);
    text_write_json(report->parts[pair->b].name, out);
    fprintf(out, "], \"is_allowed\": %s,\n", pair->is_allowed ? "true" : "false");
    put_summary(report, &summary, out);
    put_faces("a_faces", pair->a_faces, pair->a_face_count, out);
    if (pair->a != pair->b)
        put_faces("b_faces", pair->b_faces, pair->b_face_count, out);
    put_rows(pair, out);
    fputs("\n    }", out);
}

bool report_write_json(const Report *report, FILE *out)
{
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
        put_pair(report, &report->pairs[i], out);
    }
    fputs("\n  ]\n}\n", out);
    return !ferror(out);
}
