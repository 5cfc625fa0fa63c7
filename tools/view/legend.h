/* What stands on a picture: for this folder alone. */
#ifndef TOOLS_LEGEND_H
#define TOOLS_LEGEND_H

#include "view/raster.h"

/* Three bytes a pixel, row by row from the top. */
typedef struct Pixels {
    int32_t width, height;
    uint8_t *items;
} Pixels;

/* A name, and the color of what has it, by amounts of light. */
typedef struct LegendName {
    const char *text;
    const float *light;
} LegendName;

/* In the lower left corner: names, and a bar of all tones from 0 to a depth that is given in words.
 */
void legend_draw(const Pixels *pixels, const float tones[RASTER_TONES][3], const char *deepest,
                 const LegendName *names, int32_t name_count);

/* A picture in the upper left corner of another, with a frame around it. */
void legend_inset(const Pixels *pixels, const Pixels *inset);

/* A frame that is seen on light and dark ground, from one corner to the other. */
void legend_frame(const Pixels *pixels, int32_t left, int32_t top, int32_t right, int32_t bottom);

#endif
