/* The index page of several reports: a card for each file, the worst first, with a picture of its
 * worst moment and a link to its own page. Plain HTML: no script, nothing from elsewhere.
 */
#include "report/moment.h"
#include "report/reports.h"
#include "report/text.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
    "style-src 'unsafe-inline'\">\n"
    "<title>pliant check</title>\n<style>\n"
    ":root { color-scheme: light dark; --back: #f6f7f9; --card: #fff; --text: #1b1f24;"
    " --dim: #57606a; --line: #d0d7de; --bad: #b42318; --good: #116329; --odd: #7d4e00;"
    " --sky: #fbfbfd; --ground: #dfe3ea; }\n"
    "@media (prefers-color-scheme: dark) { :root { --back: #14171b; --card: #1d2127;"
    " --text: #e6e9ed; --dim: #a2abb5; --line: #3a424b; --bad: #ff9d94; --good: #6fdd8b;"
    " --odd: #f0b860; --sky: #2f3640; --ground: #171b20; } }\n"
    "body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--back);"
    " color: var(--text); font: 1rem/1.45 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.4rem; margin: 0.5rem 0; }\n"
    "ul { list-style: none; margin: 1rem 0; padding: 0; display: grid; gap: 1rem;"
    " grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }\n"
    "li { background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;"
    " overflow: hidden; }\n"
    "img, .none { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: cover;"
    " background: linear-gradient(var(--sky), var(--ground)); }\n"
    "div.text { padding: 0.75rem; overflow-wrap: anywhere; }\n"
    "fieldset { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.75rem 0; padding: 0;"
    " border: 0; }\nlegend { float: left; padding: 0; color: var(--dim); }\n"
    "label { display: flex; gap: 0.35rem; align-items: center; cursor: pointer; }\n"
    "input { margin: 0; accent-color: var(--good); }\n"
    "main:has(#show-found:checked) li:not(.found), main:has(#show-unread:checked) li:not(.unread),"
    " main:has(#show-incomplete:checked) li:not(.incomplete),"
    " main:has(#show-clean:checked) li:not(.clean) { display: none; }\n"
    "h2 { font-size: 1rem; margin: 0 0 0.25rem; }\n.folder { font-size: 0.85rem; }\np { margin: 0; "
    "color: var(--dim); }\n"
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

/* ---- Cards -------------------------------------------------------------------------------------
 */

/* Kinds of cards, in the order in which they come. */
typedef enum CardKind { CARD_FOUND, CARD_UNREAD, CARD_INCOMPLETE, CARD_CLEAN, CARD_KINDS } CardKind;

/* Kinds as classes of CSS, and as people name them. */
static const char *const kind_names[CARD_KINDS] = {"found", "unread", "incomplete", "clean"};
static const char *const kind_words[CARD_KINDS] = {"With findings", "Could not be read",
                                                   "Incomplete", "Clean"};

typedef struct Card {
    const ReportFile *file;
    CardKind kind;
    int32_t number;    /* of the file */
    int32_t worst;     /* pair of its report; -1: none */
    Summary summary;   /* of that */
    double depth, cut; /* in meters; of a unit that is not known, as they are */
} Card;

static bool make_card(const ReportFile *file, int32_t number, Card *card)
{
    const Report *report = file->report;
    *card = (Card){.file = file, .number = number, .kind = CARD_UNREAD, .worst = -1};
    if (!report)
        return true;
    const int32_t worst = report_worst_pair(report);
    const double meters = unit_meters(report->unit), unit = meters > 0 ? meters : 1;
    card->worst = worst < 0 ? -1 : worst;
    card->kind = worst >= 0 ? CARD_FOUND : report->incomplete ? CARD_INCOMPLETE : CARD_CLEAN;
    if (worst >= 0) {
        card->summary = pair_summary(report, &report->pairs[worst]);
        card->depth = unit * card->summary.max_depth;
        card->cut = card->summary.worst_row ? unit * card->summary.worst_row->cut : 0;
    }
    return worst != -2;
}

/* By depth, by the extent of a cut, by verdict. */
static int compare_cards(const void *left, const void *right)
{
    const Card *x = left, *y = right;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    if (x->cut != y->cut)
        return x->cut > y->cut ? -1 : 1;
    if (x->summary.verdict != y->summary.verdict)
        return x->summary.verdict > y->summary.verdict ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* How much of all names is the folder that they have in common, with the slash at its end. */
static size_t common_folder(const Reports *reports)
{
    const char *first = reports->files[0].file;
    size_t common = strlen(first);
    for (int32_t i = 0; i < reports->count; i++) {
        size_t same = 0;
        while (same < common && reports->files[i].file[same] == first[same])
            same++;
        common = same;
    }
    while (common > 0 && first[common - 1] != '/')
        common--;
    return common;
}

/* The first bytes of a text. False: no memory. */
static bool put_start(const char *text, size_t length, FILE *out)
{
    char *start = malloc(length + 1);
    if (!start)
        return false;
    memcpy(start, text, length);
    start[length] = 0;
    put_text(start, out);
    free(start);
    return true;
}

/* ---- What is on a card -------------------------------------------------------------------------
 */

static void put_extent(const Card *card, FILE *out)
{
    char text[40];
    const Report *report = card->file->report;
    const bool is_deep = card->summary.max_depth > 0;
    if (!is_deep && !(card->cut > 0))
        return;
    words_length(report, is_deep ? card->summary.max_depth : card->summary.worst_row->cut, text);
    fprintf(out, "<strong>%s %s</strong>, ", text, is_deep ? "deep" : "cut");
}

static bool put_worst(const Card *card, FILE *out)
{
    const Report *report = card->file->report;
    const ReportPair *pair = &report->pairs[card->worst];
    const int64_t findings = report_findings(report);
    char *moment = moment_name(report, card->summary.worst, true);
    const bool is_named = moment != NULL;
    fputs("<p class=\"bad\">", out);
    put_extent(card, out);
    fprintf(out, "%s, %" PRId64 " finding%s</p>\n<p>", verdict_word(card->summary.verdict),
            findings, findings == 1 ? "" : "s");
    put_text(report->parts[pair->a].name, out);
    fputs(" with ", out);
    if (pair->a == pair->b)
        fputs("itself", out);
    else
        put_text(report->parts[pair->b].name, out);
    fputs(" at ", out);
    put_text(is_named ? moment : "", out);
    fputs("</p>\n", out);
    free(moment);
    return is_named;
}

static bool put_result(const Card *card, FILE *out)
{
    const Report *report = card->file->report;
    bool is_put = true;
    if (!report) {
        fputs("<p class=\"odd\">could not be read</p>\n<p>", out);
        put_text(card->file->error, out);
        fputs("</p>\n", out);
        return true;
    }
    if (card->kind == CARD_FOUND)
        is_put = put_worst(card, out);
    else if (card->kind == CARD_CLEAN)
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

/* The name of the file, and the folder it is in, behind what all have in common. */
static bool put_name(const ReportFile *file, size_t common, FILE *out)
{
    const char *name = file->file + common, *slash = strrchr(name, '/');
    bool is_put = true;
    fputs("<h2>", out);
    if (file->page) {
        fputs("<a href=\"", out);
        text_write_url(file->page, out);
        fputs("\">", out);
    }
    put_text(slash ? slash + 1 : name, out);
    fputs(file->page ? "</a></h2>\n" : "</h2>\n", out);
    if (slash) {
        fputs("<p class=\"folder\">", out);
        is_put = put_start(name, (size_t)(slash + 1 - name), out);
        fputs("</p>\n", out);
    }
    return is_put;
}

static bool put_card(const Card *card, size_t common, FILE *out)
{
    fprintf(out, "<li class=\"%s\">\n", kind_names[card->kind]);
    put_picture(card->file, out);
    fputs("<div class=\"text\">\n", out);
    bool is_put = put_name(card->file, common, out);
    is_put &= put_result(card, out);
    fputs("</div>\n</li>\n", out);
    return is_put;
}

/* ---- The page ----------------------------------------------------------------------------------
 */

/* A filter without a script: style hides cards of all kinds but that of the button. */
static void put_filter(const Reports *reports, const int32_t counts[CARD_KINDS], FILE *out)
{
    fprintf(out,
            "<fieldset>\n<legend>Show</legend>\n<label><input type=\"radio\" name=\"show\" "
            "id=\"show-all\" checked>All %" PRId32 "</label>\n",
            reports->count);
    for (int k = 0; k < CARD_KINDS; k++)
        if (counts[k] > 0 && counts[k] < reports->count)
            fprintf(out,
                    "<label><input type=\"radio\" name=\"show\" id=\"show-%s\">%s %" PRId32
                    "</label>\n",
                    kind_names[k], kind_words[k], counts[k]);
    fputs("</fieldset>\n", out);
}

static bool put_page(const Reports *reports, const Card *cards, const int32_t counts[CARD_KINDS],
                     FILE *out)
{
    const size_t common = common_folder(reports);
    bool is_put = true;
    fputs(head, out);
    fprintf(out, "<main>\n<h1>%" PRId32 " files: %" PRId32 " with findings", reports->count,
            counts[CARD_FOUND]);
    if (counts[CARD_UNREAD] > 0)
        fprintf(out, ", %" PRId32 " could not be read", counts[CARD_UNREAD]);
    fputs("</h1>\n", out);
    if (common > 0) {
        fputs("<p>in ", out);
        is_put &= put_start(reports->files[0].file, common, out);
        fputs("</p>\n", out);
    }
    put_filter(reports, counts, out);
    fputs("<ul>\n", out);
    for (int32_t i = 0; i < reports->count; i++)
        is_put &= put_card(&cards[i], common, out);
    fputs("</ul>\n</main>\n</body>\n</html>\n", out);
    return is_put && !ferror(out);
}

bool reports_write_index(const Reports *reports, FILE *out)
{
    int32_t counts[CARD_KINDS] = {0};
    Card *cards = calloc((size_t)reports->count + 1, sizeof *cards);
    bool is_made = cards != NULL;
    for (int32_t i = 0; i < reports->count && is_made; i++) {
        is_made = make_card(&reports->files[i], i, &cards[i]);
        counts[cards[i].kind]++;
    }
    if (is_made) {
        qsort(cards, (size_t)reports->count, sizeof *cards, compare_cards);
        is_made = put_page(reports, cards, counts, out);
    }
    free(cards);
    return is_made;
}
