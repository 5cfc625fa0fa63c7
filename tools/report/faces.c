/* Which triangles of each part touched which other part, for tools that hide or cut what is under
 * something else.
 *
 *   schema  "pliant-faces/1"
 *   file    as given
 *   parts   name, triangles (how many it has), and touched: for each other part that it touched in
 *           some sample (itself too, if it was looked for), with: that part's name, is_allowed, and
 *           triangles: their numbers in the part, rising, in the order of the file
 */
#include "report/report.h"
#include "report/text.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_touched(const Report *report, const ReportPair *pair, int32_t part, bool *is_first,
                        FILE *out)
{
    bool is_a = pair->a == part;
    const int32_t *faces = is_a ? pair->a_faces : pair->b_faces;
    int64_t count = is_a ? pair->a_face_count : pair->b_face_count;
    if (count == 0)
        return;
    fprintf(out, "%s\n        {\"with\": ", *is_first ? "" : ",");
    *is_first = false;
    text_write_json(report->parts[is_a ? pair->b : pair->a].name, out);
    fprintf(out, ", \"is_allowed\": %s, \"triangles\": [", pair->is_allowed ? "true" : "false");
    for (int64_t i = 0; i < count; i++)
        fprintf(out, "%s%" PRId32, i ? "," : "", faces[i]);
    fputs("]}", out);
}

/* The pairs that each part is in: those of part i are items[starts[i]] to items[starts[i + 1] - 1],
 * in the report's order. */
typedef struct PairsOf {
    int64_t *starts;
    int32_t *items;
} PairsOf;

static bool find_pairs(const Report *report, PairsOf *of)
{
    of->starts = calloc((size_t)report->part_count + 2, sizeof *of->starts);
    of->items = calloc(2 * (size_t)report->pair_count + 1, sizeof *of->items);
    if (!of->starts || !of->items)
        return false;
    int64_t *ends = of->starts + 1; /* of each part while it is filled: the start of the next */
    for (int32_t i = 0; i < report->pair_count; i++) {
        ends[report->pairs[i].a + 1]++;
        ends[report->pairs[i].b + 1] += report->pairs[i].a != report->pairs[i].b;
    }
    for (int32_t i = 1; i <= report->part_count; i++)
        ends[i] += ends[i - 1];
    for (int32_t i = 0; i < report->pair_count; i++) {
        const ReportPair *pair = &report->pairs[i];
        of->items[ends[pair->a]++] = i;
        if (pair->a != pair->b)
            of->items[ends[pair->b]++] = i;
    }
    return true;
}

static void put_part(const Report *report, int32_t part, const PairsOf *of, FILE *out)
{
    bool is_first = true;
    fputs("    {\n      \"name\": ", out);
    text_write_json(report->parts[part].name, out);
    fprintf(out, ",\n      \"triangles\": %" PRId32 ",\n      \"touched\": [",
            report->parts[part].triangle_count);
    for (int64_t i = of->starts[part]; i < of->starts[part + 1]; i++)
        put_touched(report, &report->pairs[of->items[i]], part, &is_first, out);
    fputs(is_first ? "]\n    }" : "\n      ]\n    }", out);
}

bool report_write_faces(const Report *report, FILE *out)
{
    PairsOf of = {0};
    bool is_found = find_pairs(report, &of);
    fputs("{\n  \"schema\": \"pliant-faces/1\",\n  \"file\": ", out);
    text_write_json(report->file, out);
    fputs(",\n  \"parts\": [", out);
    for (int32_t i = 0; is_found && i < report->part_count; i++) {
        fputs(i ? ",\n" : "\n", out);
        put_part(report, i, &of, out);
    }
    fputs("\n  ]\n}\n", out);
    free(of.starts);
    free(of.items);
    return is_found && !ferror(out);
}
