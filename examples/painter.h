/* Pictures for the examples: of triangles, as SVG, by a small painter's algorithm; of pixels, as
 * PNG where libpng is. */
#ifndef PAINTER_H
#define PAINTER_H

#include <stdbool.h>
#include <stddef.h>

/* From where: turned about y, then tilted toward the viewer. Then so many units of the drawing
 * for one of the scene, whose origin comes to a place of its own. */
typedef struct PainterView {
    double turn, tilt, scale, x, y;
} PainterView;

/* Turns and tilts: x is to the right then, y up and z toward the viewer. */
void painter_rotation(const PainterView *view, double rows[3][3]);

/* How bright a surface is, up to 1, by its normal as the viewer sees it, of any length. */
double painter_light(const double normal[3]);

/* A triangle as it is drawn. */
typedef struct PainterFace {
    double x[3], y[3], depth, light;
    int color;
    bool is_in_front; /* seen from its counter-clockwise side */
} PainterFace;

/* Nine floats: the corners. */
PainterFace painter_face(const PainterView *view, const float *corners, int color);

/* Draws the faces that are in front to the standard output, the farthest first; sorts all. Colors
 * are red, green and blue, up to 255. */
void painter_draw(PainterFace *faces, size_t count, const double (*colors)[3]);

/* Writes a PNG: red, green, blue and alpha of each pixel, up to 255, row by row from the top. False
 * if it cannot be written. */
bool painter_write(const char *path, int width, int height, const unsigned char *pixels);

#endif
