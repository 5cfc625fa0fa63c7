/* Layers held against each other, pixel by pixel. */
#ifndef TEST_GL_COMPARE_H
#define TEST_GL_COMPARE_H

#include <pliant/gl.h>

typedef struct Compared {
    double apart;    /* the length of all that just one of the two has inside, over all pixels */
    double swept;    /* what one of them has inside and its neighbor in the picture has not */
    double thickest; /* the longest that any pixel has inside */
    int64_t bad;     /* pixels that are bad in either */
} Compared;

/* What is known about a PliantGl that is there. */
PliantGlInfo compare_gl_info(const PliantGl *gl);

/* Of one view. Written without reading the backend's own. */
Compared compare_layers(const PliantLayers *a, const PliantLayers *b);

/* Are they alike, but for vertices that moved by 2^-bits pixels at most? What a surface sweeps that
 * moves as far, in both directions of the picture, is `swept` by as much; the lines of pixels are a
 * sample of it, which a few of them, at rims that lie along rows or columns, are out of. */
bool compare_is_alike(const Compared *compared, int bits, double columns);

#endif
