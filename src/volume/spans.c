/* From fragments to spans: see volume.h.
 *
 * Fragments are counted by pixel first and then put in their places, so that a pixel has room for
 * all that it has. A fragment is a key then, its depth above and its winding below, and the keys of
 * a pixel are sorted. Those of one depth are taken together, whatever their order: between one
 * depth and the next the line is inside if the sum of all windings so far is not zero. */
#include "base/sort.h"
#include "volume/volume.h"

#include <string.h>

void pli_spans_init(PliSpans *spans)
{
    *spans = (PliSpans){.pixels = {.item_size = sizeof(PliPixel)},
                        .spans = {.item_size = sizeof(PliantSpan)}};
}

void pli_spans_free(PliSpans *spans, const PliantHost *host)
{
    pli_array_free(&spans->pixels, host);
    pli_array_free(&spans->spans, host);
}

PliantResult pli_spans_start(PliSpans *spans, int32_t width, int32_t height, const PliantHost *host)
{
    const int64_t count = (int64_t)width * height;
    PLI_TRY(pli_array_reserve(&spans->pixels, host, count));
    spans->width = width;
    spans->height = height;
    spans->pixels.count = count;
    spans->spans.count = 0;
    spans->counts = (PliLineCounts){0};
    spans->hidden = 0;
    spans->winding = (PliWindingVolume){0};
    spans->is_regular = false;
    return PLIANT_OK;
}

void pli_line_counts_add(PliLineCounts *counts, const PliLineCounts *added)
{
    counts->fragment_count += added->fragment_count;
    counts->bad_count += added->bad_count;
    if (added->max_fragments > counts->max_fragments)
        counts->max_fragments = added->max_fragments;
}

void pli_sorting_init(PliSorting *sorting)
{
    *sorting = (PliSorting){.starts = {.item_size = sizeof(uint32_t)},
                            .keys = {.item_size = sizeof(uint64_t)},
                            .excesses = {.item_size = sizeof(double)}};
}

void pli_sorting_free(PliSorting *sorting, const PliantHost *host)
{
    pli_array_free(&sorting->starts, host);
    pli_array_free(&sorting->keys, host);
    pli_array_free(&sorting->excesses, host);
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* The rank of the depth above, the winding below. There is one zero. */
static uint64_t key_of(const PliLines *lines, const PliantFragment *fragment)
{
    float depth = fragment->depth < lines->near ? lines->near : fragment->depth;
    depth = depth > lines->far ? lines->far : depth;
    return (uint64_t)pli_rank_of(depth + 0.0f) << 32 | (uint32_t)fragment->winding;
}

/* Pixels of a tile, from the first one on. */
typedef struct PixelRange {
    int32_t first;
    uint32_t count;
} PixelRange;

/* Has a list none of the pixels? */
static bool is_beside(const PliFragments *list, PixelRange range)
{
    return list->last_pixel < range.first ||
           list->first_pixel - (int64_t)range.first >= (int64_t)range.count;
}

/* The pixel of a fragment in the range; the one behind the last if it is of another. */
static uint32_t pixel_in(const PliantFragment *fragment, PixelRange range)
{
    const uint32_t pixel = (uint32_t)fragment->pixel - (uint32_t)range.first;
    return pixel < range.count ? pixel : range.count;
}

/* starts[i] is where the keys of pixel i end, and starts[count - 1] where all do. */
static void count_fragments(const PliLines *lines, PixelRange range, uint32_t *starts)
{
    memset(starts, 0, ((size_t)range.count + 1) * sizeof *starts);
    for (int64_t k = 0; k < lines->list_count; k++) {
        const PliFragments *list = &lines->lists[k];
        if (is_beside(list, range))
            continue;
        for (int64_t i = 0; i < list->count; i++)
            starts[pixel_in(&list->items[i], range)]++;
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < range.count; i++) {
        sum += starts[i];
        starts[i] = sum;
    }
    starts[range.count] = sum;
}

/* starts[i] is where the keys of pixel i begin then, and starts[count] where all end. */
static void put_in_place(const PliLines *lines, PixelRange range, uint32_t *starts, uint64_t *keys)
{
    for (int64_t k = lines->list_count; k-- > 0;) {
        const PliFragments *list = &lines->lists[k];
        if (is_beside(list, range))
            continue;
        for (int64_t i = list->count; i-- > 0;) {
            const uint32_t pixel = pixel_in(&list->items[i], range);
            if (pixel < range.count)
                keys[--starts[pixel]] = key_of(lines, &list->items[i]);
        }
    }
}

/* Sorts fragments by pixels: room for the keys is twice as much. */
static PliantResult sort_fragments(const PliLines *lines, PixelRange range, PliSorting *sorting,
                                   const PliantHost *host, int64_t *fragment_count)
{
    int64_t most = 0;
    for (int64_t k = 0; k < lines->list_count; k++)
        most += lines->lists[k].count;
    if (most > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(&sorting->starts, host, (int64_t)range.count + 1));
    uint32_t *starts = sorting->starts.items;
    count_fragments(lines, range, starts);
    *fragment_count = starts[range.count];
    PLI_TRY(pli_array_reserve(&sorting->keys, host, 2 * *fragment_count + 1));
    put_in_place(lines, range, starts, sorting->keys.items);
    return PLIANT_OK;
}

/* ---- Spans ----------------------------------------------------------------------------------- */

/* Those at the ends of the box may have no length. */
static uint32_t add_span(PliantSpan *spans, uint32_t count, float low, float high)
{
    spans[count] = (PliantSpan){low, high};
    return count + (low < high);
}

/* How often a line that ends outside is inside before its first fragment. */
static int64_t winding_before(const uint64_t *keys, uint32_t count)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += (int32_t)(uint32_t)keys[i];
    return -sum;
}

/* The sum over a line of its winding number times length, whose whole sum of keys is zero. */
static double winding_length(const PliLines *lines, const uint64_t *keys, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum -= (int32_t)(uint32_t)keys[i] *
               ((double)pli_float_of((uint32_t)(keys[i] >> 32)) - lines->near);
    return sum;
}

/* Writes the spans of sorted keys, and returns how many; or PLI_BAD_PIXEL if a line that is all
 * there does not end outside, or a depth is not a number. Infinite ones were brought to the box.
 * There is room for one more than half of the keys. `is_simple` is whether the line winds 0 or 1
 * times everywhere. */
static uint32_t write_spans(const PliLines *lines, const uint64_t *keys, uint32_t count,
                            PliantSpan *written, bool *is_simple)
{
    int64_t winding = lines->ends == PLI_ENDS_HIGH ? winding_before(keys, count) : 0;
    uint32_t span_count = 0, i = 0;
    float low = lines->near;
    *is_simple = (uint64_t)winding <= 1;
    while (i < count) {
        const uint32_t rank = (uint32_t)(keys[i] >> 32);
        const float depth = pli_float_of(rank);
        const bool was_inside = winding != 0;
        for (; i < count && (uint32_t)(keys[i] >> 32) == rank; i++)
            winding += (int32_t)(uint32_t)keys[i];
        if (depth != depth)
            return PLI_BAD_PIXEL;
        *is_simple &= (uint64_t)winding <= 1;
        if (!was_inside)
            low = depth;
        else if (winding == 0)
            span_count = add_span(written, span_count, low, depth);
    }
    if (winding != 0 && lines->ends == PLI_ENDS_LOW)
        return add_span(written, span_count, low, lines->far);
    return winding == 0 ? span_count : PLI_BAD_PIXEL;
}

/* How much more than its spans a line winds. */
static double excess(const PliLines *lines, const uint64_t *keys, uint32_t count,
                     const PliantSpan *written, uint32_t span_count)
{
    double sum = winding_length(lines, keys, count);
    for (uint32_t i = 0; i < span_count && span_count != PLI_BAD_PIXEL; i++)
        sum -= (double)written[i].high - written[i].low;
    return sum;
}

static PliantResult note_excess(PliSorting *sorting, double added, const PliantHost *host)
{
    void *room;
    PLI_TRY(pli_array_push(&sorting->excesses, host, 1, &room));
    *(double *)room = added;
    return PLIANT_OK;
}

/* The spans of one pixel, from its keys. */
static PliantResult find_pixel(const PliSpanRows *rows, const PliLines *lines, PliSorting *sorting,
                               const uint64_t *keys, uint32_t count, const PliantHost *host,
                               PliPixel *pixel)
{
    const uint32_t first = (uint32_t)rows->spans->count;
    PliantSpan *written = (PliantSpan *)rows->spans->items + first;
    bool is_simple;
    *pixel = (PliPixel){first, write_spans(lines, keys, count, written, &is_simple)};
    rows->spans->count += pixel->count == PLI_BAD_PIXEL ? 0 : pixel->count;
    return is_simple
               ? PLIANT_OK
               : note_excess(sorting, excess(lines, keys, count, written, pixel->count), host);
}

/* The query is asked whether it goes on after so many fragments: some 2 ms. */
enum { FRAGMENTS_OF_A_TURN = 1 << 16 };

PliantResult pli_spans_find(const PliSpanRows *rows, const PliLines *lines, PliSorting *sorting,
                            const PliantHost *host, PliLineCounts *counts)
{
    const PixelRange range = {lines->first_row * rows->width,
                              (uint32_t)rows->width * (uint32_t)rows->height};
    *counts = (PliLineCounts){0};
    PLI_TRY(sort_fragments(lines, range, sorting, host, &counts->fragment_count));
    const int64_t most = rows->spans->count + counts->fragment_count;
    if (most > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(rows->spans, rows->host, most + PLI_SPARE_SPANS));
    const uint32_t *starts = sorting->starts.items;
    uint64_t *keys = sorting->keys.items, *scratch = keys + counts->fragment_count;
    int64_t work = 0;
    for (int32_t row = 0; row < rows->height; row++, starts += rows->width) {
        PliPixel *pixels = rows->pixels + row * rows->stride;
        work += starts[rows->width] - starts[0];
        if (lines->worker && work >= FRAGMENTS_OF_A_TURN) {
            PLI_TRY(pli_worker_check(lines->worker));
            work = 0;
        }
        for (int32_t i = 0; i < rows->width; i++) {
            const uint32_t count = starts[i + 1] - starts[i];
            pli_sort_keys(keys + starts[i], scratch, count, 64);
            PLI_TRY(find_pixel(rows, lines, sorting, keys + starts[i], count, host, &pixels[i]));
            counts->bad_count += pixels[i].count == PLI_BAD_PIXEL;
            if (count > counts->max_fragments)
                counts->max_fragments = count;
        }
    }
    return PLIANT_OK;
}

/* ---- In common ------------------------------------------------------------------------------- */

/* What two pixels have in common. */
static uint32_t cut_spans(const PliantSpan *a, uint32_t a_count, const PliantSpan *b,
                          uint32_t b_count, PliantSpan *common)
{
    uint32_t i = 0, j = 0, count = 0;
    while (i < a_count && j < b_count) {
        const float low = a[i].low > b[j].low ? a[i].low : b[j].low;
        const float high = a[i].high < b[j].high ? a[i].high : b[j].high;
        if (low < high)
            common[count++] = (PliantSpan){low, high};
        if (a[i].high < b[j].high)
            i++;
        else
            j++;
    }
    return count;
}

/* The same of a row. Returns how many of its pixels are bad. */
static int64_t cut_row(const PliSpanRows *common, const PliSpanRows *a, const PliSpanRows *b,
                       int32_t row)
{
    const PliPixel *a_pixels = a->pixels + row * a->stride, *b_pixels = b->pixels + row * b->stride;
    const PliantSpan *a_spans = a->spans->items, *b_spans = b->spans->items;
    PliPixel *pixels = common->pixels + row * common->stride;
    PliantSpan *spans = common->spans->items;
    int64_t count = common->spans->count, bad_count = 0;
    for (int32_t i = 0; i < common->width; i++) {
        const PliPixel p = a_pixels[i], q = b_pixels[i];
        pixels[i] = (PliPixel){(uint32_t)count, PLI_BAD_PIXEL};
        if (p.count == PLI_BAD_PIXEL || q.count == PLI_BAD_PIXEL) {
            bad_count++;
            continue;
        }
        pixels[i].count =
            cut_spans(a_spans + p.first, p.count, b_spans + q.first, q.count, spans + count);
        count += pixels[i].count;
    }
    common->spans->count = count;
    return bad_count;
}

PliantResult pli_spans_intersect(const PliSpanRows *common, const PliSpanRows *a,
                                 const PliSpanRows *b, int64_t *bad_count)
{
    const int64_t most = common->spans->count + a->spans->count + b->spans->count;
    if (most > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(common->spans, common->host, most + PLI_SPARE_SPANS));
    *bad_count = 0;
    for (int32_t row = 0; row < common->height; row++)
        *bad_count += cut_row(common, a, b, row);
    return PLIANT_OK;
}
