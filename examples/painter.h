/* Pictures of triangles for the examples, as SVG: a small painter's algorithm. */
#ifndef PAINTER_H
#define PAINTER_H

#include <stdbool.h>
#include <stddef.h>

/* From where: turned about y, then tilted towards the viewer. Then so many units of the drawing
 * for one of the scene, whose origin comes to a place of its own. */
typedef struct PainterView {
    double turn, tilt, scale, x, y;
} PainterView;

/* A triangle as it is drawn. */
typedef struct PainterFace {
    double x[3], y[3], depth, light;
    int colour;
    bool is_in_front; /* seen from its counter-clockwise side */
} PainterFace;

/* Nine floats: the corners. */
PainterFace painter_face(const PainterView *view, const float *corners, int colour);

/* Draws the faces that are in front to the standard output, the farthest first; sorts all. Colours
 * are red, green and blue, up to 255. */
void painter_draw(PainterFace *faces, size_t count, const double (*colours)[3]);

#endif
