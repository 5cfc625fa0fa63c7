/* Drawing: from a body to the fragments of a tile. */
#ifndef PLI_VOLUME_DRAW_H
#define PLI_VOLUME_DRAW_H

#include "volume/view.h"

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

typedef struct PliDrawing {
    PliArray fragments; /* of PliantFragment: what was drawn last */
    PliEnds ends;       /* of these */
    double hidden;      /* what walls may hide between the lines, four times, in whole pixels */
    PliPhases phases;   /* of some of its triangles */
    bool is_whole;      /* all of the body is in the box of the view */
    double prisms[PLI_PRISMS]; /* then: sums over its triangles of what is before them */
    PliArray stack;            /* of int32_t: parts of a tree to be visited */
    PliArray leaves;           /* of int32_t: leaves to be drawn */
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

/* How a body is seen, and who receives what is seen. */
typedef struct PliViewQuery {
    PliPicture picture;
    float slack;       /* how much larger boxes of triangles are taken, in pixels */
    float node_slack;  /* and those of all else */
    double *hidden;    /* what walls may hide is added to this, unless it is NULL */
    PliPhases *phases; /* so are places of triangles */
    double *prisms;    /* so are PLI_PRISMS sums of prisms, of leaves that begin in the picture */
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

#endif
