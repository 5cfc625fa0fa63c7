/* Measuring: sums over spans, the volume and its error. */
#ifndef PLI_MEASURE_H
#define PLI_MEASURE_H

#include "volume/spans.h"

/* Where the spans of some rows are, and how many. */
typedef struct PliExtent {
    int64_t span_count;
    int32_t low[2], high[2]; /* columns and rows that have any */
    float nearest, farthest;
} PliExtent;

/* Sums over the spans of a row of a tile. They are added up in order, whoever made them. */
typedef struct PliRowSums {
    double sums[4]; /* of lengths; and of lengths by columns, rows, and depths */
} PliRowSums;

/* Sums over the spans of a view. */
typedef struct PliMeasure {
    PliExtent extent;
    int64_t across;     /* tiles in a row of them */
    PliArray rows;      /* of PliRowSums: row by row of each tile, in the order of these */
    PliArray thickness; /* of float: of each pixel of the view, the sum of its spans */
    PliArray profile;   /* of double: room for sums of these, along each direction */
    int64_t bad_count;
    double hidden; /* what walls may hide, as in PliDrawn */
    PliWindingVolume winding;
    bool is_regular; /* a body is in step with the pixels: regular.c has to look again */
} PliMeasure;

void pli_measure_init(PliMeasure *measure);
void pli_measure_free(PliMeasure *measure, const PliantHost *host);

/* A view of so many tiles across. */
PliantResult pli_measure_start(PliMeasure *measure, const PliantView *view, int64_t across,
                               const PliantHost *host);

/* Measures some rows of a tile. Different rows may be measured at the same time. */
void pli_measure_rows(const PliMeasure *measure, const PliantView *view, const PliTile *tile,
                      int32_t first_row, const PliSpanRows *rows, PliExtent *extent);
void pli_measure_add_extent(PliMeasure *measure, const PliExtent *extent);

/* The volume, when all rows have been measured. If the worker has a crew, a large picture is summed
 * up by all of it. There may be no worker. */
void pli_measure_end(const PliMeasure *measure, const PliantView *view, PliWorker *worker,
                     PliantVolume *volume);

#endif
