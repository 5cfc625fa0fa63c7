/* Measuring: sums over spans, the volume and its error. */
#ifndef PLI_MEASURE_H
#define PLI_MEASURE_H

#include "volume/spans.h"

/* Sums over spans, tile by tile. */
typedef struct PliMeasure {
    double sums[4];          /* of lengths; and of lengths by columns, rows, and depths */
    int64_t span_count;      /* how many */
    int32_t low[2], high[2]; /* columns and rows that have any */
    float nearest, farthest;
    PliArray thickness; /* of float: of each pixel of the view, the sum of its spans */
    PliArray profile;   /* of double: room for sums of these along a direction */
    int64_t bad_count;
    double hidden; /* what walls may hide, likewise */
    PliWindingVolume winding;
    bool is_regular; /* a body is in step with the pixels: regular.c has to look again */
} PliMeasure;

void pli_measure_init(PliMeasure *measure);
void pli_measure_free(PliMeasure *measure, const PliantHost *host);

PliantResult pli_measure_start(PliMeasure *measure, const PliantView *view, const PliantHost *host);
void pli_measure_add(PliMeasure *measure, const PliantView *view, const PliTile *tile,
                     const PliSpans *spans);
void pli_measure_end(const PliMeasure *measure, const PliantView *view, PliantVolume *volume);

#endif
