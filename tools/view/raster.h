/* Triangles to pixels, off screen: for this folder alone.
 *
 * Pictures are drawn in bands of rows, each sample of which keeps what is nearest; every pixel has
 * RASTER_SIDE times as many samples across and down, and is their average. Where places of corners
 * are whole numbers, of 64 to a sample, no sample along an edge that two triangles share is left
 * out or drawn twice.
 */
#ifndef TOOLS_RASTER_H
#define TOOLS_RASTER_H

#include <stdbool.h>
#include <stdint.h>

enum { RASTER_SIDE = 3, RASTER_STEPS = 64, RASTER_UNIT = RASTER_SIDE * RASTER_STEPS };

/* Places are pixels from the upper left, times RASTER_UNIT, and within RASTER_FAR. */
#define RASTER_FAR ((double)(1 << 28))

typedef struct RasterTriangle {
    int32_t x[3], y[3];
    float nearness[3]; /* one over the distance from the eye, which is straight on the screen */
    float color[3];    /* red, green and blue from 0 to 1, by amounts of light */
    float cover;       /* how much of what is behind it is hidden, if it can be seen through */
    bool is_mark;      /* is never seen through, and shows through all others */
} RasterTriangle;

typedef struct Raster {
    int32_t width, height;
    bool is_see_through;
    float top[3], bottom[3]; /* colors of the background */
    const RasterTriangle *triangles;
    int64_t count;
} Raster;

/* Three bytes a pixel, row by row from the top. False: no memory. */
bool raster_draw(const Raster *raster, uint8_t *pixels);

#endif
