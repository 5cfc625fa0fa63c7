/* Where to look from, so that one place is seen: for this folder alone. */
#ifndef TOOLS_FOCUS_H
#define TOOLS_FOCUS_H

#include "view/sketch.h"

/* A scene in a pose. */
typedef struct PosedScene {
    const Scene *scene;
    float *vertices; /* of all parts, one part after another */
    int64_t vertex_count;
    double size;   /* of the model */
    bool *is_veil; /* of each part: how it is drawn */
    SketchStyle *styles;
} PosedScene;

/* What is framed. */
typedef struct Focus {
    const Cut *cut;
    const int32_t *parts; /* the two of the cut */
    Points points;        /* that fill the picture: of one of its regions */
    double reach;         /* see sketch_heat() */
} Focus;

/* What is framed of a cut: the points of its deepest region that are around the deepest one,
 * within six times the depth, but at least 2 % of the size of the model. Of a region without a
 * depth all points; without a region, the ends of all segments. They are to be freed; NULL: no
 * memory. */
Points focus_points(const Cut *cut, double size);

/* Frames the points. Unless the eye is turned already, turns it so that most of the marks around
 * them are seen, at their largest. Parts that still hide some become veils: of the two
 * themselves, one that hides more than a quarter. Then counts what is seen.
 * False: no memory. */
bool focus_choose(const PosedScene *posed, const Focus *focus, bool is_turned, Eye *eye,
                  RasterCount *counts);

/* Adds all parts. */
void focus_sketch_parts(const PosedScene *posed, Sketch *sketch);

#endif
