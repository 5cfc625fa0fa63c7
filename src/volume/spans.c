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
                        .spans = {.item_size = sizeof(PliantSpan)},
                        .starts = {.item_size = sizeof(uint32_t)},
                        .keys = {.item_size = sizeof(uint64_t)}};
}

void pli_spans_free(PliSpans *spans, const PliantHost *host)
{
    pli_array_free(&spans->pixels, host);
    pli_array_free(&spans->spans, host);
    pli_array_free(&spans->starts, host);
    pli_array_free(&spans->keys, host);
}

/* A reader of spans may read so many behind the last one: points.c. */
enum { SPARE = 4 };

/* No pixel has anything. */
static PliantResult clear(PliSpans *spans, int32_t width, int32_t height, const PliantHost *host)
{
    const int64_t count = (int64_t)width * height;
    PLI_TRY(pli_array_reserve(&spans->pixels, host, count));
    spans->width = width;
    spans->height = height;
    spans->pixels.count = count;
    spans->spans.count = 0;
    spans->fragment_count = spans->bad_count = spans->max_fragments = 0;
    spans->hidden = 0;
    spans->winding = (PliWindingVolume){0};
    spans->is_regular = false;
    if (count > 0)
        memset(spans->pixels.items, 0, (size_t)count * sizeof(PliPixel));
    return PLIANT_OK;
}

PliantResult pli_spans_start(PliSpans *spans, const PliantView *view, int32_t width, int32_t height,
                             const PliantHost *host)
{
    spans->near = view->box.low[view->axis] + 0.0f;
    spans->far = view->box.high[view->axis] + 0.0f;
    return clear(spans, width, height, host);
}

/* ---- Sorting -----------------------------------------------------------------------------------
 */

/* Room for the keys, twice, and for where those of each pixel start. */
static PliantResult make_room(PliSpans *spans, int64_t pixel_count, int64_t fragment_count,
                              const PliantHost *host)
{
    if (fragment_count > INT32_MAX || spans->spans.count + fragment_count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(&spans->starts, host, pixel_count + 1));
    PLI_TRY(pli_array_reserve(&spans->keys, host, 2 * fragment_count + 1));
    return pli_array_reserve(&spans->spans, host, spans->spans.count + fragment_count + SPARE);
}

/* The rank of the depth above, the winding below. There is one zero. */
static uint64_t key_of(const PliSpans *spans, const PliantFragment *fragment)
{
    float depth = fragment->depth < spans->near ? spans->near : fragment->depth;
    depth = depth > spans->far ? spans->far : depth;
    return (uint64_t)pli_rank_of(depth + 0.0f) << 32 | (uint32_t)fragment->winding;
}

/* starts[i] is where the keys of pixel i begin, and starts[count] where all end. */
static void put_in_place(PliSpans *spans, int64_t pixel_count, const PliantFragment *fragments,
                         int64_t fragment_count)
{
    uint32_t *starts = spans->starts.items;
    uint64_t *keys = spans->keys.items;
    memset(starts, 0, ((size_t)pixel_count + 1) * sizeof *starts);
    for (int64_t i = 0; i < fragment_count; i++)
        starts[fragments[i].pixel]++;
    uint32_t sum = 0;
    for (int64_t i = 0; i <= pixel_count; i++) {
        sum += starts[i];
        starts[i] = sum;
    }
    for (int64_t i = fragment_count; i-- > 0;)
        keys[--starts[fragments[i].pixel]] = key_of(spans, &fragments[i]);
}

/* ---- Spans -------------------------------------------------------------------------------------
 */

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
static double winding_length(const PliSpans *spans, const uint64_t *keys, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum -= (int32_t)(uint32_t)keys[i] *
               ((double)pli_float_of((uint32_t)(keys[i] >> 32)) - spans->near);
    return sum;
}

/* Writes the spans of sorted keys, and returns how many; or PLI_BAD_PIXEL if a line that is all
 * there does not end outside, or a depth is not a number. Infinite ones were brought to the box.
 * There is room for one more than half of the keys. `is_simple` is whether the line winds 0 or 1
 * times everywhere. */
static uint32_t write_spans(const PliSpans *spans, const uint64_t *keys, uint32_t count,
                            PliEnds ends, PliantSpan *written, bool *is_simple)
{
    int64_t winding = ends == PLI_ENDS_HIGH ? winding_before(keys, count) : 0;
    uint32_t span_count = 0, i = 0;
    float low = spans->near;
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
    if (winding != 0 && ends == PLI_ENDS_LOW)
        return add_span(written, span_count, low, spans->far);
    return winding == 0 ? span_count : PLI_BAD_PIXEL;
}

/* How much more than its spans a line winds. */
static double excess(const PliSpans *spans, const uint64_t *keys, uint32_t count,
                     const PliantSpan *written, uint32_t span_count)
{
    double sum = winding_length(spans, keys, count);
    for (uint32_t i = 0; i < span_count && span_count != PLI_BAD_PIXEL; i++)
        sum -= (double)written[i].high - written[i].low;
    return sum;
}

PliantResult pli_spans_add(PliSpans *spans, const PliTile *tile, const PliantFragment *fragments,
                           int64_t fragment_count, PliEnds ends, const PliantHost *host)
{
    const int64_t pixel_count = (int64_t)tile->width * tile->height;
    PLI_TRY(make_room(spans, pixel_count, fragment_count, host));
    put_in_place(spans, pixel_count, fragments, fragment_count);
    spans->fragment_count += fragment_count;
    const uint32_t *starts = spans->starts.items;
    uint64_t *keys = spans->keys.items;
    PliantSpan *written = spans->spans.items;
    for (int32_t row = 0; row < tile->height; row++, starts += tile->width) {
        PliPixel *pixels = (PliPixel *)spans->pixels.items +
                           (int64_t)(tile->row + row) * spans->width + tile->column;
        for (int32_t i = 0; i < tile->width; i++) {
            const uint32_t count = starts[i + 1] - starts[i];
            const uint32_t first = (uint32_t)spans->spans.count;
            pli_sort_keys(keys + starts[i], keys + fragment_count, count, 64);
            bool is_simple;
            pixels[i] = (PliPixel){first, write_spans(spans, keys + starts[i], count, ends,
                                                      written + first, &is_simple)};
            if (!is_simple)
                spans->winding.excess +=
                    excess(spans, keys + starts[i], count, written + first, pixels[i].count);
            if (pixels[i].count == PLI_BAD_PIXEL)
                spans->bad_count++;
            else
                spans->spans.count += pixels[i].count;
            if (count > spans->max_fragments)
                spans->max_fragments = count;
        }
    }
    return PLIANT_OK;
}

void pli_spans_note(PliSpans *spans, const PliDrawing *drawing)
{
    spans->hidden += drawing->hidden;
    spans->is_regular |= pli_phases_are_regular(&drawing->phases);
    spans->winding.is_known = drawing->is_whole;
    for (int i = 0; i < PLI_PRISMS; i++)
        spans->winding.exact += drawing->prisms[i];
}

/* ---- In common ---------------------------------------------------------------------------------
 */

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

PliantResult pli_spans_intersect(PliSpans *common, const PliSpans *a, const PliSpans *b,
                                 const PliantHost *host)
{
    const int64_t most = a->spans.count + b->spans.count;
    if (most > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(clear(common, a->width, a->height, host));
    PLI_TRY(pli_array_reserve(&common->spans, host, most + SPARE));
    const PliPixel *a_pixels = a->pixels.items, *b_pixels = b->pixels.items;
    const PliantSpan *a_spans = a->spans.items, *b_spans = b->spans.items;
    PliPixel *pixels = common->pixels.items;
    PliantSpan *spans = common->spans.items;
    for (int64_t i = 0; i < common->pixels.count; i++) {
        const PliPixel p = a_pixels[i], q = b_pixels[i];
        pixels[i] = (PliPixel){(uint32_t)common->spans.count, PLI_BAD_PIXEL};
        if (p.count == PLI_BAD_PIXEL || q.count == PLI_BAD_PIXEL) {
            common->bad_count++;
            continue;
        }
        pixels[i].count = cut_spans(a_spans + p.first, p.count, b_spans + q.first, q.count,
                                    spans + common->spans.count);
        common->spans.count += pixels[i].count;
    }
    common->fragment_count = a->fragment_count + b->fragment_count;
    common->hidden = a->hidden + b->hidden;
    common->is_regular = a->is_regular || b->is_regular;
    common->max_fragments =
        a->max_fragments > b->max_fragments ? a->max_fragments : b->max_fragments;
    return PLIANT_OK;
}
