/* Parts, depths and cuts as triangles on the screen: for this folder alone. */
#ifndef TOOLS_SKETCH_H
#define TOOLS_SKETCH_H

#include "check/cut.h"
#include "view/eye.h"
#include "view/raster.h"

typedef struct Sketch {
    const Eye *eye;
    RasterTriangle *items;
    int64_t count, capacity;
    bool is_lost; /* there was no memory: it is not whole */
} Sketch;

void sketch_free(Sketch *sketch);

/* How parts are drawn. */
typedef enum SketchStyle {
    STYLE_ANY,   /* one of several colors */
    STYLE_FIRST, /* the two that are framed */
    STYLE_SECOND,
    STYLE_CONTEXT /* what is around them: gray */
} SketchStyle;

/* A part of the scene, by its number and its posed vertices. What is off the screen is left out. */
typedef struct SketchPart {
    const ScenePart *part;
    int32_t number;
    const float *vertices;
    SketchStyle style;
    bool is_veil;
} SketchPart;

void sketch_part(Sketch *sketch, const SketchPart *part);

/* Marks of a cut. `most` is the depth of the hottest color; `reach` how far before a mark a surface
 * can be that it shows through. */
void sketch_heat(Sketch *sketch, const Cut *cut, double most, double reach);
void sketch_lines(Sketch *sketch, const Cut *cut, double reach);

/* Colors of depths from 0 to the greatest, by amounts of light. */
void sketch_tones(float tones[RASTER_TONES][3]);

extern const float SKETCH_STYLES[][3];              /* by style, but for the first */
extern const float SKETCH_TOP[3], SKETCH_BOTTOM[3]; /* of the background */

#endif
