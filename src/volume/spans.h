/* Spans: where the lines of pixels are inside a body. */
#ifndef PLI_SPANS_H
#define PLI_SPANS_H

#include "volume/draw.h"

/* Where the spans of a pixel are. */
typedef struct PliPixel {
    uint32_t first, count; /* PLI_BAD_PIXEL if it is bad */
} PliPixel;

#define PLI_BAD_PIXEL UINT32_MAX

typedef struct PliSpans {
    int32_t width, height;
    float near, far; /* depths are brought to between these */
    PliArray pixels; /* of PliPixel, row by row */
    PliArray spans;  /* of PliantSpan */
    int64_t fragment_count, bad_count;
    int64_t max_fragments; /* of a pixel */
    double hidden;         /* what walls may hide between the lines, as in PliDrawing */
    PliWindingVolume winding;
    bool is_regular; /* a body is in step with the pixels */
    PliArray starts; /* of uint32_t, for each pixel of a tile: where its fragments are */
    PliArray keys;   /* of uint64_t: fragments, sorted */
} PliSpans;

void pli_spans_init(PliSpans *spans);
void pli_spans_free(PliSpans *spans, const PliantHost *host);

/* Part of a view, with nothing in it. */
PliantResult pli_spans_start(PliSpans *spans, const PliantView *view, int32_t width, int32_t height,
                             const PliantHost *host);

/* What fragments of a tile mean for the pixels of it, which have none so far. */
PliantResult pli_spans_add(PliSpans *spans, const PliTile *tile, const PliantFragment *fragments,
                           int64_t fragment_count, PliEnds ends, const PliantHost *host);

/* What triangles said of it, besides. */
void pli_spans_note(PliSpans *spans, const PliDrawing *drawing);

/* What two pictures of one size have in common, which is none of the two. */
PliantResult pli_spans_intersect(PliSpans *common, const PliSpans *a, const PliSpans *b,
                                 const PliantHost *host);

#endif
