/* Reports as SARIF 2.1.0, as code hosts read it: a result for each finding, with the file as its
 * place and the two parts as logical locations. What is allowed is a suppressed result. A file that
 * could not be read, or was not read to the end, is a notification, and the run did not succeed.
 *
 * A result is the same as one of before if file and parts are: that is its fingerprint, whatever
 * else was found, and however deep it is.
 */
#include "report/hash.h"
#include "report/moment.h"
#include "report/reports.h"
#include "report/text.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A name within a message: brackets would be a link there, and braces a placeholder. */
static bool put_name(const char *name, FILE *out)
{
    char *escaped = malloc(2 * strlen(name) + 1), *to = escaped;
    if (!escaped)
        return false;
    for (; *name; name++) {
        if (strchr("[]\\", *name))
            *to++ = '\\';
        else if (strchr("{}", *name))
            *to++ = *name;
        *to++ = *name;
    }
    *to = 0;
    text_write_json_inner(escaped, out);
    free(escaped);
    return true;
}

/* The path from the folder, if it is in there: code hosts take no others. */
static const char *path_of(const Reports *reports, const char *file)
{
    const size_t length = reports->folder ? strlen(reports->folder) : 0;
    if (length > 0 && strncmp(file, reports->folder, length) == 0 && file[length] == '/')
        file += length + strspn(file + length, "/");
    while (strncmp(file, "./", 2) == 0)
        file += 1 + strspn(file + 1, "/");
    return file;
}

static void put_location(const Reports *reports, const char *file, FILE *out)
{
    const char *path = path_of(reports, file);
    fprintf(out, "\"physicalLocation\": {\"artifactLocation\": {\"uri\": \"%s",
            *path == '/' ? "file://" : "");
    text_write_url(path, out);
    fputs(*path == '/' ? "\"}}" : "\", \"uriBaseId\": \"%SRCROOT%\"}}", out);
}

/* Under the name that code hosts look for, and under one of our own, which says of what it is. */
static void put_fingerprints(const Reports *reports, const Report *report, const ReportPair *pair,
                             FILE *out)
{
    Hash hash;
    hash_start(&hash);
    hash_add_text(&hash, path_of(reports, report->file));
    hash_add_text(&hash, report->parts[pair->a].name);
    hash_add_text(&hash, report->parts[pair->b].name);
    const HashText text = hash_end(&hash);
    fprintf(out,
            ",\n         \"partialFingerprints\": {\"partsOfFile/v1\": \"%.16s\", "
            "\"primaryLocationLineHash\": \"%.16s:1\"}",
            text.digits, text.digits);
}

static void put_part(const char *name, FILE *out)
{
    fputs("{\"kind\": \"object\", \"name\": ", out);
    text_write_json(name, out);
    putc('}', out);
}

/* "body is 500 mm inside suit; worst at slide 30 (1.00 s) with 12 pairs of triangles; in 5 frames"
 */
static bool put_message(const Report *report, const ReportPair *pair, const Summary *summary,
                        FILE *out)
{
    char *moment = moment_name(report, summary->worst, true);
    char *words = words_row(report, pair, summary->worst_row);
    bool is_put = moment && words && put_name(words, out);
    fputs("; worst at ", out);
    is_put = is_put && put_name(moment, out);
    fprintf(out, " with %" PRId64 " pairs of triangles; in %" PRId64 " frame%s", summary->max_pairs,
            summary->sample_count, summary->sample_count == 1 ? "" : "s");
    free(moment);
    free(words);
    return is_put;
}

static bool put_result(const Reports *reports, const Report *report, const ReportPair *pair,
                       const Summary *summary, FILE *out)
{
    fprintf(out,
            "        {\"ruleId\": \"%s\", \"level\": \"%s\",\n         \"message\": {\"text\": \"",
            verdict_word(summary->verdict), summary->is_finding ? "error" : "note");
    const bool is_put = put_message(report, pair, summary, out);
    fputs("\"},\n         \"locations\": [{", out);
    put_location(reports, report->file, out);
    fputs(", \"logicalLocations\": [", out);
    put_part(report->parts[pair->a].name, out);
    if (pair->a != pair->b) {
        fputs(", ", out);
        put_part(report->parts[pair->b].name, out);
    }
    fputs("]}]", out);
    put_fingerprints(reports, report, pair, out);
    if (pair->is_allowed)
        fputs(",\n         \"suppressions\": [{\"kind\": \"external\", \"justification\": "
              "\"--allow\"}]",
              out);
    putc('}', out);
    return is_put;
}

static bool put_results(const Reports *reports, FILE *out)
{
    bool is_put = true, is_first = true;
    fputs("      \"results\": [", out);
    for (int32_t i = 0; i < reports->count; i++) {
        const Report *report = reports_file(reports, i)->report;
        for (int32_t p = 0; report && p < report->pair_count; p++) {
            const Summary summary = pair_summary(report, &report->pairs[p]);
            if (!summary.is_finding && !(report->pairs[p].is_allowed && summary.worst_row))
                continue;
            fputs(is_first ? "\n" : ",\n", out);
            is_first = false;
            is_put &= put_result(reports, report, &report->pairs[p], &summary, out);
        }
    }
    fputs(is_first ? "]\n" : "\n      ]\n", out);
    return is_put;
}

/* What went wrong, for each file that something did. */
static bool put_notifications(const Reports *reports, FILE *out)
{
    bool is_put = true, is_first = true;
    for (int32_t i = 0; i < reports->count; i++) {
        const ReportFile *file = reports_file(reports, i);
        const char *what = file->report ? file->report->incomplete : file->error;
        if (!what)
            continue;
        fprintf(out, "%s\n          {\"level\": \"error\", \"message\": {\"text\": \"%s",
                is_first ? "" : ",", file->report ? "incomplete: " : "");
        is_put &= put_name(what, out);
        fputs("\"}, \"locations\": [{", out);
        put_location(reports, file->file, out);
        fputs("}]}", out);
        is_first = false;
    }
    return is_put;
}

static bool is_whole(const Reports *reports)
{
    for (int32_t i = 0; i < reports->count; i++) {
        const Report *report = reports_file(reports, i)->report;
        if (!report || report->incomplete)
            return false;
    }
    return true;
}

static const struct {
    Verdict verdict;
    const char *text;
} rules[] = {
    {VERDICT_TOUCHING, "Surfaces share points, and no point of one is inside the other."},
    {VERDICT_COINCIDENT, "Surfaces lie in each other, and nothing is deeper."},
    {VERDICT_CONTAINED, "Surfaces share no point, and one, or a piece of it, is inside the other."},
    {VERDICT_INTERSECTING, "Surfaces go through each other, and what is behind is not closed."},
    {VERDICT_PENETRATING, "Part of a surface is inside a closed one."},
};

bool reports_write_sarif(const Reports *reports, FILE *out)
{
    fputs("{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
          "  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n"
          "      \"tool\": {\"driver\": {\"name\": \"pliant\", \"rules\": [",
          out);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        fprintf(out, "%s\n        {\"id\": \"%s\", \"shortDescription\": {\"text\": \"%s\"}}",
                i ? "," : "", verdict_word(rules[i].verdict), rules[i].text);
    fprintf(out,
            "\n      ]}},\n      \"invocations\": [{\"executionSuccessful\": %s, "
            "\"toolExecutionNotifications\": [",
            is_whole(reports) ? "true" : "false");
    bool is_put = put_notifications(reports, out);
    fputs("]}],\n", out);
    is_put &= put_results(reports, out);
    fputs("    }\n  ]\n}\n", out);
    return is_put && !ferror(out);
}
