/* Tiles: a view, tile by tile, by one worker or by several.
 *
 * A view of many tiles is divided by tiles, each of which one worker draws and measures. A view of
 * few tiles is divided within each tile: parts of the bodies are drawn, and then strips, rows of
 * the tile, are turned into spans. Which of the two it is, and how many workers there are, does not
 * change what is found: sums are added up in the order of tiles, rows and leaves. */
#ifndef PLI_TILES_H
#define PLI_TILES_H

#include "volume/measure.h"

/* What one worker needs. */
typedef struct PliTileScratch {
    PliDrawn drawn[2]; /* of each body, in a tile */
    PliSorting sorting;
    PliSpans spans[3]; /* of a strip: of two bodies, and of what is measured */
    PliArray kept;     /* of PliantSpan: of strips whose spans are to be kept */
} PliTileScratch;

/* Some rows of a tile, and what came of them, by the worker that took them. */
typedef struct PliStrip {
    int32_t first_row, row_count; /* of the tile; no rows: it is not used */
    PliantResult result;
    PliLineCounts counts[2];       /* of each body */
    int64_t bad_count;             /* pixels that are bad in one of these */
    PliExtent extent;              /* if spans are measured */
    const PliTileScratch *scratch; /* in which the following are, from the first one to the end: */
    int64_t kept[2], excesses[2];
} PliStrip;

/* What drawing a tile has said besides. */
typedef struct PliTileNotes {
    PliantResult result;
    double hidden[2]; /* of each body, as all that follows */
    double prisms[2][PLI_PRISMS];
    bool is_regular, is_whole;
} PliTileNotes;

typedef struct PliTiles {
    PliArray drawings;       /* of PliDrawing, by the number of the worker */
    PliArray scratches;      /* of PliTileScratch, likewise */
    PliArray notes;          /* of PliTileNotes, for each tile */
    PliArray strips;         /* of PliStrip, some for each tile */
    bool divides_everything; /* for tests */
} PliTiles;

void pli_tiles_init(PliTiles *tiles);
void pli_tiles_free(PliTiles *tiles, const PliantHost *host);

/* Makes what so many workers need. On failure nothing is lost. */
PliantResult pli_tiles_reserve(PliTiles *tiles, int32_t worker_count, const PliantHost *host);

/* Gives every worker as much room as the one that has most. */
PliantResult pli_tiles_even(PliTiles *tiles, const PliantHost *host);

/* For one worker alone. */
static inline PliDrawing *pli_tiles_drawing(const PliTiles *tiles)
{
    return tiles->drawings.items;
}

/* Measures a body, or what two have in common. */
PliantResult pli_tiles_measure(PliTiles *tiles, const PliSubject *subjects, int subject_count,
                               const PliantView *view, PliWorker *worker, PliMeasure *measure);

/* Captures the spans of a body, or of what two have in common, in memory of `host`. */
PliantResult pli_tiles_capture(PliTiles *tiles, const PliSubject *subjects, int subject_count,
                               const PliantView *view, PliWorker *worker, PliSpans *spans,
                               const PliantHost *host);

#endif
