/* Drawing: from a body to the fragments of a tile. */
#ifndef PLI_VOLUME_DRAW_H
#define PLI_VOLUME_DRAW_H

#include "volume/see.h"

/* How much of each line was drawn: all; or, of a surface that is known to be closed, what is behind
 * the picture's box was left out, or what is before it. */
typedef enum PliEnds { PLI_ENDS_ALL, PLI_ENDS_LOW, PLI_ENDS_HIGH } PliEnds;

/* Where triangles are, modulo some pixels: regular.c. Of those that face down and up across, and
 * down and up the other way: sums of areas seen from the side, by place. */
enum { PLI_PHASE_PIXELS = 6, PLI_PHASES = 48 };

typedef struct PliPhases {
    double sums[4][PLI_PHASES];
    double squares[4]; /* sums over leaves, of squares */
    double all[4];     /* sums of whole areas */
    double narrow[4];  /* sums of what is no wall */
    int64_t leaf_count;
} PliPhases;

/* The integral of the winding number over the box of a view. `exact` is what triangles say of it,
 * in pixels and depths of the box. `excess` is how much more than their spans lines say, in
 * lengths: zero where a body does not overlap itself. See measure.c. */
typedef struct PliWindingVolume {
    bool is_known; /* all of a body was drawn */
    double exact, excess;
} PliWindingVolume;

/* What one worker needs to draw. */
typedef struct PliDrawing {
    PliSeeing seeing;
    PliArray fragments; /* of PliantFragment: all that it drew of a tile, body after body */
    PliNotes notes;     /* of what it drew of a body */
    PliArray rows;      /* of float: triangles that are handed out */
} PliDrawing;

void pli_drawing_init(PliDrawing *drawing);
void pli_drawing_free(PliDrawing *drawing, const PliantHost *host);

/* Fragments of a tile, and between which of its pixels they are, ends included. */
typedef struct PliFragments {
    const PliantFragment *items;
    int64_t count;
    int32_t first_pixel, last_pixel;
} PliFragments;

/* Part of the work of drawing, and what came of it, by the worker that took it. */
typedef struct PliDrawPart {
    PliantResult result;
    const PliDrawing *drawing; /* in which the following are, each from the first one to the end: */
    int64_t leaves[2], fragments[2], walls[2], prisms[2], samples[2];
    int32_t first_pixel, last_pixel;
} PliDrawPart;

/* A body as it was drawn in a tile. What it says does not depend on who drew which part. */
typedef struct PliDrawn {
    PliArray lists;         /* of PliFragments */
    int64_t fragment_count; /* in all of these */
    PliEnds ends;
    double hidden;   /* what walls may hide between the lines, four times, in whole pixels */
    bool is_regular; /* in step with the pixels, by some of its triangles */
    bool is_whole;   /* all of the body is in the box of the view */
    double prisms[PLI_PRISMS]; /* then: sums over its triangles of what is before them */

    PliArray
        tree_parts[2]; /* of int32_t, scratch: parts of the tree, and those of the next level */
    PliArray leaves;   /* of int32_t: over the picture, in order */
    PliArray parts;    /* of PliDrawPart */
} PliDrawn;

void pli_drawn_init(PliDrawn *drawn);
void pli_drawn_free(PliDrawn *drawn, const PliantHost *host);

/* A body that is drawn: its bounds hold, and are shared if the worker has a crew. */
typedef struct PliSubject {
    PliPose *pose;
    bool is_closed;
    PliSide side; /* for which workers count */
} PliSubject;

/* Trees with so many leaves are walked by several workers: their bounds must be shared then. */
enum { PLI_MIN_WALKED_LEAVES = 4096 };

/* Draws a body as it is now. Fragments are of pixels of the tile, and lie behind those that are in
 * `drawings`, one for each worker by its number, until these are cleared. With a crew, a body with
 * many leaves, or any if `divides_everything` is set, is drawn by all of it. */
PliantResult pli_draw(PliDrawn *drawn, PliDrawing *drawings, const PliSubject *subject,
                      const PliantView *view, const PliTile *tile, bool divides_everything,
                      PliWorker *worker);

/* Where the fragments of a body that was drawn are, now that none are added. If strips of the tile
 * are read on their own, those without a pixel of it are known. */
void pli_drawn_locate(PliDrawn *drawn, bool by_strips);

/* Its triangles over the whole picture, nine floats each, into `rows`. */
PliantResult pli_list_triangles(PliDrawing *drawing, PliPose *pose, const PliantView *view,
                                PliWorker *worker);

#endif
