/* The HTML report: one file that opens offline.
 *
 * The shell is made from tools/web when the command is built; what is written here is data, which
 * the shell's script reads. See page.h for how the two are joined. The same scene and report give
 * the same bytes.
 */
#include "view/page.h"

#include <stdlib.h>
#include <string.h>

bool page_is_built_in(void)
{
    return page_shell_head_size > 0;
}

/* A report may have left parts out, so they are found by name. */
static int32_t part_named(const Scene *scene, const char *name, int32_t guess)
{
    if (guess < scene->part_count && strcmp(scene->parts[guess].name, name) == 0)
        return guess;
    for (int32_t i = 0; i < scene->part_count; i++)
        if (strcmp(scene->parts[i].name, name) == 0)
            return i;
    return -1;
}

static Verdict worst_verdict(const Report *report)
{
    Verdict worst = VERDICT_CLEAN;
    for (int32_t i = 0; i < report->pair_count; i++) {
        Verdict verdict = pair_summary(report, &report->pairs[i]).verdict;
        if (!report->pairs[i].is_allowed && verdict > worst)
            worst = verdict;
    }
    return worst;
}

static void add_head(Page *page)
{
    const Report *report = page->report;
    fputs("{\"file\":", page->facts);
    page_json_string(page->facts, report->file);
    fputs(",\"format\":", page->facts);
    page_json_string(page->facts, report->format);
    fputs(",\"baseline\":", page->facts);
    page_json_string(page->facts, report->baseline);
    fputs(",\"unit\":", page->facts);
    page_json_string(page->facts, report->unit);
    fputs(",\"incomplete\":", page->facts);
    page_json_string(page->facts, report->incomplete);
    fputs(",\"settings\":", page->facts);
    page_json_string(page->facts, report->settings);
    fprintf(page->facts, ",\"verdict\":\"%s\",\"findings\":%lld,\"maxPairs\":%lld,\"maxDepth\":",
            verdict_word(worst_verdict(report)), (long long)report_findings(report),
            (long long)report->max_pairs);
    page_json_number(page->facts, report->max_depth);
    fprintf(page->facts,
            ",\"hasSelf\":%s,\"shard\":%d,\"shardCount\":%d,\"sampleCount\":%lld,"
            "\"testedCount\":%lld",
            report->has_self ? "true" : "false", report->shard, report->shard_count,
            (long long)report->sample_count, (long long)report->tested_count);
}

/* The facts, a text, and the bytes that they point into. */
typedef struct PageData {
    char *facts;
    size_t facts_size;
    PageBytes packed;
    bool is_packed;
} PageData;

static bool write_all(const Page *page, const PageData *data, FILE *out)
{
    fwrite(page_shell_head, 1, page_shell_head_size, out);
    fputs("<script type=\"application/json\" id=\"facts\">", out);
    fwrite(data->facts, 1, data->facts_size, out);
    fprintf(out,
            "</script>\n<script type=\"application/octet-stream\" data-packing=\"%s\" id=\"blob\">",
            data->is_packed ? "deflate-raw" : "none");
    page_write_base64(out, data->is_packed ? &data->packed : &page->blob);
    fputs("</script>\n", out);
    fwrite(page_shell_tail, 1, page_shell_tail_size, out);
    return fflush(out) == 0 && !ferror(out);
}

/* What is made: false, with an error, if something cannot be. */
static bool make(Page *page, PageData *data)
{
    page->facts = open_memstream(&data->facts, &data->facts_size);
    if (!page->facts) {
        snprintf(page->error, 400, "there is no memory left");
        return false;
    }
    add_head(page);
    page_add_looks(page);
    bool is_made = page_add_parts(page);
    if (is_made) {
        page_add_found(page);
        page_add_depths(page);
        is_made = page_add_fits(page);
    }
    fputs("}", page->facts);
    bool is_lost = ferror(page->facts) || page->blob.is_lost;
    is_lost = fclose(page->facts) != 0 || is_lost;
    /* A stream that has no memory for its buffer may say nothing, and hold nothing. */
    is_lost |= data->facts_size == 0 || data->facts[data->facts_size - 1] != '}';
    if (is_made && !is_lost)
        data->is_packed = page_bytes_pack(&page->blob, &data->packed);
    is_lost |= data->packed.is_lost;
    if (is_made && is_lost)
        snprintf(page->error, 400, "there is no memory left");
    return is_made && !is_lost;
}

/* Everything is made before anything is written, so that a failure leaves no half of a page. */
static bool make_and_write(Page *page, FILE *out)
{
    PageData data = {0};
    const bool is_made = make(page, &data);
    const bool is_written = is_made && write_all(page, &data, out);
    if (is_made && !is_written)
        snprintf(page->error, 400, "the page could not be written");
    free(data.facts);
    page_bytes_free(&data.packed);
    return is_written;
}

bool page_write(const Scene *scene, const CheckOptions *options, const Report *report,
                const CheckContacts *contacts, FILE *out, char error[400])
{
    if (!page_is_built_in()) {
        snprintf(error, 400,
                 "this build of the command has no HTML report in it: it was built "
                 "without node and npm (PLIANT_PAGE)");
        return false;
    }
    Page page = {
        .scene = scene, .options = options, .report = report, .contacts = contacts, .error = error};
    page.part_of = malloc(sizeof *page.part_of * ((size_t)report->part_count + 1));
    if (!page.part_of) {
        snprintf(error, 400, "there is no memory left");
        return false;
    }
    for (int32_t i = 0; i < report->part_count; i++)
        page.part_of[i] = part_named(scene, report->parts[i].name, i);
    bool is_written = make_and_write(&page, out);
    if (is_written)
        error[0] = 0;
    free(page.part_of);
    page_bytes_free(&page.blob);
    return is_written;
}
