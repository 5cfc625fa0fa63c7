/* Spans: where the lines of pixels are inside a body. */
#ifndef PLI_SPANS_H
#define PLI_SPANS_H

#include "volume/draw.h"

/* Where the spans of a pixel are. */
typedef struct PliPixel {
    uint32_t first, count; /* PLI_BAD_PIXEL if it is bad */
} PliPixel;

#define PLI_BAD_PIXEL UINT32_MAX

/* A reader of spans may read so many behind the last one: points.c. */
enum { PLI_SPARE_SPANS = 4 };

/* What is known of the fragments of some lines. */
typedef struct PliLineCounts {
    int64_t fragment_count, bad_count;
    int64_t max_fragments; /* of a pixel */
} PliLineCounts;

void pli_line_counts_add(PliLineCounts *counts, const PliLineCounts *added);

/* The spans of a picture. */
typedef struct PliSpans {
    int32_t width, height;
    PliArray pixels; /* of PliPixel, row by row */
    PliArray spans;  /* of PliantSpan */
    PliLineCounts counts;
    double hidden; /* what walls may hide between the lines, as in PliDrawn */
    PliWindingVolume winding;
    bool is_regular; /* a body is in step with the pixels */
} PliSpans;

void pli_spans_init(PliSpans *spans);
void pli_spans_free(PliSpans *spans, const PliantHost *host);

/* A picture of this size, with nothing in it. */
PliantResult pli_spans_start(PliSpans *spans, int32_t width, int32_t height,
                             const PliantHost *host);

/* Some rows of a picture, whose pixels are known and whose spans are. Spans that are found are
 * appended. */
typedef struct PliSpanRows {
    int32_t width, height;
    PliPixel *pixels; /* the first one; `stride` of them from one row to the next */
    int64_t stride;
    PliArray *spans; /* of PliantSpan */
    const PliantHost *host;
} PliSpanRows;

/* All rows of a picture; no spans are appended to one without a host. */
static inline PliSpanRows pli_span_rows(PliSpans *spans, const PliantHost *host)
{
    return (PliSpanRows){spans->width, spans->height, spans->pixels.items,
                         spans->width, &spans->spans, host};
}

/* Scratch of one worker. */
typedef struct PliSorting {
    PliArray starts;   /* of uint32_t, for each pixel: where its fragments are */
    PliArray keys;     /* of uint64_t: fragments, sorted */
    PliArray excesses; /* of double: what pixels add to PliWindingVolume.excess, in order */
} PliSorting;

void pli_sorting_init(PliSorting *sorting);
void pli_sorting_free(PliSorting *sorting, const PliantHost *host);

/* The lines of some rows of a tile. */
typedef struct PliLines {
    const PliFragments *lists; /* of the tile; what is not of these rows is left out */
    int64_t list_count;
    int32_t first_row;
    float near, far; /* depths are brought to between these */
    PliEnds ends;
    const PliWorker *worker; /* that is asked whether the query goes on; NULL: nobody is */
} PliLines;

/* What the fragments of some rows, which are as wide as their tile, mean for their pixels. Excesses
 * are appended to those of `sorting`, whose memory is of `host`. */
PliantResult pli_spans_find(const PliSpanRows *rows, const PliLines *lines, PliSorting *sorting,
                            const PliantHost *host, PliLineCounts *counts);

/* What two pictures of one size have in common, in rows that are of neither. Returns how many
 * pixels are bad. */
PliantResult pli_spans_intersect(const PliSpanRows *common, const PliSpanRows *a,
                                 const PliSpanRows *b, int64_t *bad_count);

#endif
