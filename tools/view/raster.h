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

typedef enum RasterKind {
    RASTER_SOLID, /* hides what is behind it */
    RASTER_VEIL,  /* can be seen through */
    RASTER_HEAT,  /* a mark: the color of a value, where that is positive; nothing elsewhere */
    RASTER_LINE   /* a mark */
} RasterKind;

/* Marks show through what is not far before them. */
typedef struct RasterTriangle {
    int32_t x[3], y[3];
    float nearness[3]; /* one over the distance from the eye, which is straight on the screen */
    float color[3]; /* red, green and blue from 0 to 1, by amounts of light; of heat, by which its
                       color is multiplied */
    float cover;    /* of a veil: how much of what is behind it is hidden */
    float heat[3];  /* of heat: at most 1, linear on the screen */
    float lifts[2]; /* of marks: how far before them a surface hides nothing; and how far before
                       them one can be for them to show through it. As distances from the eye */
    int32_t part;   /* see RasterCount */
    RasterKind kind;
} RasterTriangle;

enum { RASTER_TONES = 256 };

/* Samples that a mark is at: the nearest is before all surfaces, shows through one, or there is
 * none that is not hidden. */
typedef struct RasterCount {
    int64_t clear, through, hidden;
    int64_t *hiding; /* of each part: of the hidden ones, where it is before them; or NULL */
} RasterCount;

typedef struct Raster {
    int32_t width, height;
    float top[3], bottom[3]; /* colors of the background */
    const float (*tones)[3]; /* of heat from 0 to 1, RASTER_TONES of them; NULL: there is no heat */
    const RasterTriangle *triangles;
    int64_t count;
    RasterCount *counts; /* or NULL */
    uint8_t *covers;     /* a byte a pixel: how much of it is not background, which leaves no color
                            in the pixels then; or NULL */
} Raster;

/* Three bytes a pixel, row by row from the top; NULL: marks are counted, and that is all. False: no
 * memory. */
bool raster_draw(const Raster *raster, uint8_t *pixels);

#endif
