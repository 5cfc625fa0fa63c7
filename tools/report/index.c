/* The index page of several reports: a card for each file, with a picture of its worst moment and a
 * link to its own page. Plain HTML: no script, nothing from elsewhere.
 */
#include "report/moment.h"
#include "report/reports.h"
#include "report/text.h"

#include <inttypes.h>
#include <stdlib.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
    "style-src 'unsafe-inline'\">\n"
    "<title>pliant check</title>\n<style>\n"
    ":root { color-scheme: light dark; --back: #f6f7f9; --card: #fff; --text: #1b1f24;"
    " --dim: #57606a; --line: #d0d7de; --bad: #b42318; --good: #116329; --odd: #7d4e00; }\n"
    "@media (prefers-color-scheme: dark) { :root { --back: #14171b; --card: #1d2127;"
    " --text: #e6e9ed; --dim: #a2abb5; --line: #3a424b; --bad: #ff9d94; --good: #6fdd8b;"
    " --odd: #f0b860; } }\n"
    "body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--back);"
    " color: var(--text); font: 1rem/1.45 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.4rem; margin: 0.5rem 0; }\n"
    "ul { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: 1rem;"
    " grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }\n"
    "li { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;"
    " overflow: hidden; }\n"
    "img, .none { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: cover;"
    " background: var(--line); }\n"
    "div.text { padding: 0.75rem; overflow-wrap: anywhere; }\n"
    "h2 { font-size: 1rem; margin: 0 0 0.25rem; }\np { margin: 0; color: var(--dim); }\n"
    "a { color: inherit; }\n"
    ".bad { color: var(--bad); } .good { color: var(--good); } .odd { color: var(--odd); }\n"
    "</style>\n</head>\n<body>\n";

static void put_base64(const uint8_t *bytes, size_t size, FILE *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t bits = (uint32_t)bytes[i] << 16 |
                              (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) |
                              (i + 2 < size ? bytes[i + 2] : 0);
        for (int k = 0; k < 4; k++)
            putc(i + (size_t)k > size ? '=' : digits[bits >> (18 - 6 * k) & 63], out);
    }
}

static void put_text(const char *text, FILE *out)
{
    fputs("<bdi>", out);
    text_write_xml(text, out);
    fputs("</bdi>", out);
}

static void put_picture(const ReportFile *file, FILE *out)
{
    if (file->picture_size == 0) {
        fputs("<div class=\"none\"></div>\n", out);
        return;
    }
    fputs("<img alt=\"\" loading=\"lazy\" src=\"data:image/png;base64,", out);
    put_base64(file->picture, file->picture_size, out);
    fputs("\">\n", out);
}

static bool put_worst(const Report *report, int32_t worst, FILE *out)
{
    const ReportPair *pair = &report->pairs[worst];
    const Summary summary = pair_summary(report, pair);
    char *moment = moment_name(report, summary.worst, true);
    const bool is_named = moment != NULL;
    fprintf(out, "<p class=\"bad\">%s, %" PRId64 " finding%s</p>\n<p>",
            verdict_word(summary.verdict), report_findings(report),
            report_findings(report) == 1 ? "" : "s");
    put_text(report->parts[pair->a].name, out);
    fputs(pair->a == pair->b ? " , self-collision, at " : " with ", out);
    if (pair->a != pair->b) {
        put_text(report->parts[pair->b].name, out);
        fputs(" at ", out);
    }
    put_text(is_named ? moment : "", out);
    fputs("</p>\n", out);
    free(moment);
    return is_named;
}

static bool put_result(const ReportFile *file, FILE *out)
{
    const Report *report = file->report;
    if (!report) {
        fputs("<p class=\"odd\">could not be read</p>\n<p>", out);
        put_text(file->error, out);
        fputs("</p>\n", out);
        return true;
    }
    const int32_t worst = report_worst_pair(report);
    bool is_put = worst != -2;
    if (worst >= 0)
        is_put = put_worst(report, worst, out);
    else if (!report->incomplete)
        fputs("<p class=\"good\">clean</p>\n", out);
    if (report->incomplete) {
        fputs("<p class=\"odd\">incomplete: ", out);
        put_text(report->incomplete, out);
        fputs("</p>\n", out);
    }
    fprintf(out, "<p>%" PRId32 " part%s, %" PRId64 " frame%s</p>\n", report->part_count,
            report->part_count == 1 ? "" : "s", report->tested_count,
            report->tested_count == 1 ? "" : "s");
    return is_put;
}

static bool put_card(const ReportFile *file, FILE *out)
{
    fputs("<li>\n", out);
    put_picture(file, out);
    fputs("<div class=\"text\">\n<h2>", out);
    if (file->page) {
        fputs("<a href=\"", out);
        text_write_url(file->page, out);
        fputs("\">", out);
    }
    put_text(file->file, out);
    fputs(file->page ? "</a></h2>\n" : "</h2>\n", out);
    const bool is_put = put_result(file, out);
    fputs("</div>\n</li>\n", out);
    return is_put;
}

bool reports_write_index(const Reports *reports, FILE *out)
{
    int64_t found = 0, errors = 0;
    bool is_put = true;
    for (int32_t i = 0; i < reports->count; i++) {
        const Report *report = reports->files[i].report;
        found += report && report_findings(report) > 0;
        errors += report == NULL;
    }
    fputs(head, out);
    fprintf(out,
            "<main>\n<h1>%" PRId32 " files: %" PRId64 " with findings, %" PRId64
            " could not be read</h1>\n<ul>\n",
            reports->count, found, errors);
    for (int32_t i = 0; i < reports->count; i++)
        is_put &= put_card(&reports->files[i], out);
    fputs("</ul>\n</main>\n</body>\n</html>\n", out);
    return is_put && !ferror(out);
}
