/* volume: what is inside of bodies, as pictures see it.
 *
 * A view looks along an axis at a box, through the middle of each pixel. Triangles over the picture
 * are found through the tree and drawn, whatever kind of body they are of: each gives fragments,
 * which say at which depth the line of a pixel comes in or goes out. Fragments are counted by
 * pixel, then put where they belong and sorted by depth; what lies between the first that comes in
 * and the last that goes out is a span. Spans of two bodies are cut with each other, and summed up.
 *
 * The one idea: a step of the winding belongs to an edge, and the two triangles that share an edge
 * take the same step. So a closed surface leaves every pixel as often as it enters it, exactly
 * (kernels/draw_c.c), and a pixel where it does not is a hole that was found. Nothing is capped: a
 * pixel has as many layers as there are.
 *
 * Large pictures are drawn in tiles, each of which is done before the next one begins, so that
 * memory is that of a tile, unless the layers are to be kept. What is found does not depend on it.
 */
#ifndef PLI_VOLUME_H
#define PLI_VOLUME_H

#include "pose/pose.h"
#include <pliant/volume.h>

/* A tile is at most so wide and high. */
enum { PLI_TILE = 128 };

/* Part of a picture. */
typedef struct PliTile {
    int32_t column, row, width, height;
} PliTile;

static inline int64_t pli_tile_count(const PliantView *view)
{
    return (int64_t)((view->width + PLI_TILE - 1) / PLI_TILE) *
           ((view->height + PLI_TILE - 1) / PLI_TILE);
}

PliTile pli_tile_of(const PliantView *view, int64_t number);

/* Along which axis pixels are counted, 0 (columns) and 1 (rows); 2 is the one looked along. */
static inline int pli_view_axis(const PliantView *view, int side)
{
    return ((int)view->axis + 1 + side) % 3;
}

/* The size of a pixel. */
static inline double pli_pixel_size(const PliantView *view, int side)
{
    const int axis = pli_view_axis(view, side);
    return ((double)view->box.high[axis] - view->box.low[axis]) /
           (side == 0 ? view->width : view->height);
}

/* ---- Drawing: draw.c ------------------------------------------------------------------------ */

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

/* The integral of the winding number over the box of a view, in pixels and depths of the box: what
 * triangles say, exactly, and what lines say, in lengths. Their difference is the error of the
 * lines: see measure.c. */
typedef struct PliWindingVolume {
    bool is_known; /* all of a body was drawn */
    double exact, sampled;
} PliWindingVolume;

typedef struct PliDrawing {
    PliArray fragments; /* of PliantFragment: what was drawn last */
    PliEnds ends;       /* of these */
    double hidden;      /* what walls may hide between the lines, four times, in whole pixels */
    PliPhases phases;   /* of some of its triangles */
    bool is_whole;      /* all of the body is in the box of the view */
    double prisms[PLI_LEAF_SIZE]; /* then: sums over its triangles of what is before them */
    PliArray stack;               /* of int32_t: parts of a tree to be looked at */
    PliArray leaves;              /* of int32_t: leaves to be drawn */
    PliArray drawn;   /* of uint64_t: a bit for each triangle that was, if they are divided */
    PliArray numbers; /* of int32_t: which these are */
    PliArray rows;    /* of float: triangles that are handed out */
} PliDrawing;

void pli_drawing_init(PliDrawing *drawing);
void pli_drawing_free(PliDrawing *drawing, const PliantHost *host);

/* Triangles of a leaf, of which those are meant whose bits are set. */
typedef struct PliSeen {
    float rows[PLI_LEAF_SIZE * PLI_ROW_SIZE];
    uint32_t bits;
    int64_t max_pixels; /* that they can have in all */
} PliSeen;

typedef PliantResult PliTake(const PliSeen *seen, const PliPicture *picture, PliWorker *worker,
                             void *to);

/* How a body is looked at, and who takes what is seen. */
typedef struct PliViewQuery {
    PliPicture picture;
    float slack;       /* how much larger boxes of triangles are taken, in pixels */
    float node_slack;  /* and those of all else */
    double *hidden;    /* what walls may hide is added to this, unless it is NULL */
    PliPhases *phases; /* so are places of triangles */
    double *prisms; /* so are PLI_LEAF_SIZE sums of prisms, of leaves that begin in the picture */
    PliTake *take;
    void *to;
} PliViewQuery;

/* Hands out every triangle of a body, as it is now, that may be over the picture, once; its bounds
 * hold. */
PliantResult pli_see_all(PliDrawing *drawing, PliPose *pose, const PliViewQuery *look,
                         PliWorker *worker);

/* Draws a body as it is now, whose bounds hold. Fragments are of pixels of the tile. */
PliantResult pli_draw(PliDrawing *drawing, PliPose *pose, bool is_closed, const PliantView *view,
                      const PliTile *tile, PliWorker *worker);

/* Its triangles over the whole picture, nine floats each, into `rows`. */
PliantResult pli_list_triangles(PliDrawing *drawing, PliPose *pose, const PliantView *view,
                                PliWorker *worker);

/* ---- Spans: spans.c --------------------------------------------------------------------------
 */

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

/* ---- Measuring: measure.c ---------------------------------------------------------------------
 */

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

/* ---- Bodies in step with the pixels: regular.c -------------------------------------------------
 */

/* Of so many leaves, one in how many is to be added, and one in how many of their triangles. */
int64_t pli_phases_leaf_step(int64_t leaf_count);
int32_t pli_phases_triangle_step(int64_t leaf_count);
void pli_phases_add(PliPhases *phases, const PliPicture *picture, const float *rows, int32_t count,
                    int32_t step);
bool pli_phases_are_regular(const PliPhases *phases);

enum { PLI_LATTICES = 7 };

/* A view of at least the same box, with another lattice of lines. */
PliantView pli_lattice_view(const PliantView *view, int number);

/* How far a volume may be off that lattices of these views say this of. */
double pli_lattices_error(const double volumes[PLI_LATTICES], double volume);

/* ---- Points: points.c ----------------------------------------------------------------------- */

void pli_points_inside(const PliSpans *spans, const PliantView *view, const PliantVertices *points,
                       uint8_t *states);

/* ---- One point, exactly: winding.c ------------------------------------------------------------
 */

typedef struct PliWinding {
    int64_t above; /* how often the surface winds around the point: crossings above it */
    int64_t all;   /* of the whole line: zero if the surface is closed */
} PliWinding;

/* For a point that is not on the surface. */
PliantResult pli_winding_at(PliDrawing *drawing, PliPose *pose, const float *point,
                            PliWorker *worker, PliWinding *winding);

#endif
