/* What was found, for the page: runs, pairs of parts from worst to best, their rows, and which
 * triangles are red when. Pairs of parts that never intersected are counted, not listed. */
#include "view/page.h"

#include <stdlib.h>

static void add_runs(Page *page)
{
    fputs(",\"runs\":[", page->facts);
    for (int32_t i = 0; i < page->report->run_count; i++) {
        const ReportRun *run = &page->report->runs[i];
        fputs(i > 0 ? ",{\"name\":" : "{\"name\":", page->facts);
        page_json_string(page->facts, run->name);
        fputs(",\"start\":", page->facts);
        page_json_number(page->facts, run->start);
        fputs(",\"rate\":", page->facts);
        page_json_number(page->facts, run->rate);
        fprintf(page->facts, ",\"firstFrame\":%d,\"step\":%d,\"count\":%d,\"sample\":%lld}",
                run->first_frame, run->frame_step, run->frame_count, (long long)run->first_sample);
    }
    fputc(']', page->facts);
}

/* ---- Pairs of parts -------------------------------------------------------------------------- */

/* A row: samples since the one before, new pairs, other pairs, and the depth as a float; -1: it was
 * not measured. */
static void add_rows(Page *page, const ReportPair *pair)
{
    fprintf(page->facts, ",\"rowCount\":%lld,\"rows\":%zu", (long long)pair->row_count,
            page->blob.count);
    int64_t last = 0;
    for (int64_t i = 0; i < pair->row_count; i++) {
        const ReportRow *row = &pair->rows[i];
        page_bytes_varint(&page->blob, (uint64_t)(row->sample - last));
        page_bytes_varint(&page->blob, (uint64_t)row->new_pairs);
        page_bytes_varint(&page->blob, (uint64_t)(row->pairs - row->new_pairs));
        page_bytes_float(&page->blob, row->is_measured ? (float)row->depth : -1);
        last = row->sample;
    }
}

static const char *word_of(bool is_so)
{
    return is_so ? "true" : "false";
}

static void add_pair(Page *page, int32_t index)
{
    const ReportPair *pair = &page->report->pairs[index];
    Summary summary = pair_summary(page->report, pair);
    fprintf(page->facts,
            "{\"index\":%d,\"a\":%d,\"b\":%d,\"rigid\":%s,\"allowed\":%s,\"finding\":%s", index,
            page->part_of[pair->a], page->part_of[pair->b], word_of(pair->kind == PAIR_RIGID),
            word_of(pair->is_allowed), word_of(summary.is_finding));
    fprintf(page->facts, ",\"verdict\":\"%s\",\"first\":%lld,\"worst\":%lld",
            verdict_word(summary.verdict), (long long)summary.first, (long long)summary.worst);
    fprintf(page->facts,
            ",\"samples\":%lld,\"mostPairs\":%lld,\"mostDepth\":", (long long)summary.sample_count,
            (long long)summary.max_pairs);
    page_json_number(page->facts, summary.max_depth);
    fputs(",\"mostCut\":", page->facts);
    page_json_number(page->facts, summary.worst_row ? summary.worst_row->cut : 0);
    fputs(",\"shown\":", page->facts);
    page_json_number(page->facts, summary.worst_row ? summary.worst_row->shown : -1);
    fputs(",\"volume\":", page->facts);
    page_json_number(page->facts, summary.volume);
    fputs(",\"volumeError\":", page->facts);
    page_json_number(page->facts, summary.volume_error);
    add_rows(page, pair);
    fputc('}', page->facts);
}

static void add_pairs(Page *page)
{
    const Report *report = page->report;
    int32_t *order = malloc(sizeof *order * ((size_t)report->pair_count + 1));
    if (!order) {
        page->blob.is_lost = true;
        return;
    }
    for (int32_t i = 0; i < report->pair_count; i++)
        order[i] = i;
    (void)report_order(report, order); /* without memory they stay as they stand */
    int32_t clean = 0, written = 0;
    fputs(",\"pairs\":[", page->facts);
    for (int32_t i = 0; i < report->pair_count; i++) {
        if (report->pairs[order[i]].row_count == 0) {
            clean++;
            continue;
        }
        if (written++ > 0)
            fputc(',', page->facts);
        add_pair(page, order[i]);
    }
    fprintf(page->facts, "],\"cleanPairs\":%d", clean);
    free(order);
}

/* ---- Red triangles --------------------------------------------------------------------------- */

/* A set of triangles while it is collected, a bit each; all are 0 between two sets. */
typedef struct RedSet {
    uint64_t *words;
    int64_t count; /* of triangles in it */
} RedSet;

static void red_add(RedSet *set, int32_t triangle)
{
    uint64_t *word = &set->words[triangle / 64], bit = (uint64_t)1 << (triangle % 64);
    set->count += !(*word & bit);
    *word |= bit;
}

/* Writes a set and empties it: how many, the least, and the distances between them. */
static void add_list(PageBytes *bytes, RedSet *set)
{
    int32_t last = 0;
    page_bytes_varint(bytes, (uint64_t)set->count);
    for (size_t w = 0; set->count > 0; w++) {
        for (; set->words[w]; set->words[w] &= set->words[w] - 1, set->count--) {
            const int32_t triangle = (int32_t)w * 64 + __builtin_ctzll(set->words[w]);
            page_bytes_varint(bytes, (uint64_t)(triangle - last));
            last = triangle;
        }
    }
}

/* The triangles of a, then those of b; of a self-collision all are of a. */
static void add_lists_of(PageBytes *bytes, const int32_t *triangles, int64_t count, bool is_self,
                         RedSet *set)
{
    for (int64_t i = 0; i < count; i++)
        red_add(set, triangles[i * 2]);
    for (int64_t i = 0; i < count && is_self; i++)
        red_add(set, triangles[i * 2 + 1]);
    add_list(bytes, set);
    for (int64_t i = 0; i < count && !is_self; i++)
        red_add(set, triangles[i * 2 + 1]);
    add_list(bytes, set);
}

/* Room for the triangles of any part. */
static bool make_set(const Report *report, RedSet *set)
{
    int32_t most = 0;
    for (int32_t p = 0; p < report->part_count; p++)
        if (report->parts[p].triangle_count > most)
            most = report->parts[p].triangle_count;
    *set = (RedSet){.words = calloc((size_t)most / 64 + 1, sizeof *set->words)};
    return set->words != NULL;
}

/* Contacts by pair, then sample: one pose's triangles are much like those of the pose before, which
 * compression sees if they are near each other. Allocated; NULL: no memory. */
static int64_t *contacts_by_pair(const Page *page, int64_t count)
{
    const int32_t pair_count = page->report->pair_count;
    int64_t *order = calloc((size_t)count + 1, sizeof *order);
    int64_t *starts = calloc((size_t)pair_count + 1, sizeof *starts);
    for (int64_t i = 0; starts && i < count; i++)
        starts[page->contacts->items[i].pair + 1]++;
    for (int32_t i = 0; starts && i < pair_count; i++)
        starts[i + 1] += starts[i];
    for (int64_t i = 0; order && starts && i < count; i++)
        order[starts[page->contacts->items[i].pair]++] = i;
    if (!starts) {
        free(order);
        order = NULL;
    }
    free(starts);
    return order;
}

/* Each contact: pair, sample, how many bytes follow, and the sets. What has a length can be
 * skimmed, so sets are read only when they are shown. */
static void add_contact(Page *page, const CheckContact *contact, RedSet *red, PageBytes *sets)
{
    const ReportPair *pair = &page->report->pairs[contact->pair];
    sets->count = 0;
    add_lists_of(sets, page->contacts->triangles + contact->first, contact->count,
                 pair->a == pair->b, red);
    page->blob.is_lost |= sets->is_lost;
    page_bytes_varint(&page->blob, (uint64_t)contact->pair);
    page_bytes_varint(&page->blob, (uint64_t)contact->sample);
    page_bytes_varint(&page->blob, sets->count);
    page_bytes_add(&page->blob, sets->items, sets->count);
}

static void add_contacts(Page *page)
{
    const int64_t count = page->contacts ? page->contacts->count : 0;
    int64_t *order = contacts_by_pair(page, count);
    PageBytes sets = {0};
    RedSet red = {0};
    fprintf(page->facts, ",\"contactCount\":%lld,\"contacts\":%zu", (long long)count,
            page->blob.count);
    page->blob.is_lost |= !order || !make_set(page->report, &red);
    for (int64_t i = 0; i < count && !page->blob.is_lost; i++)
        add_contact(page, &page->contacts->items[order[i]], &red, &sets);
    free(order);
    free(red.words);
    page_bytes_free(&sets);
}

void page_add_found(Page *page)
{
    add_runs(page);
    add_pairs(page);
    add_contacts(page);
}
