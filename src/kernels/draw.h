/* Rasterization: triangles to fragments, for layered depth images.
 *
 * A point has pixel coordinates (x - low) * scale, rounded twice. Lines go through the centers of
 * pixels: the line after a pixel coordinate t is that of pixel ceil(t - 0.5), clamped to the drawn
 * region, its end included. A triangle covers the rows that are after one of its corners and not
 * after another. In such a row two of its edges begin or end it, each at the line after
 *
 *     x_low + (row + 0.5 - y_low) * ((x_high - x_low) / (y_high - y_low)),
 *
 * clamped to between x_low and x_high, where `low` is the end of the edge with the least y.
 * draw_c.c says why a closed mesh has an even number of layers in every pixel. */
#ifndef PLI_DRAW_H
#define PLI_DRAW_H

#include "kernels/fetch.h"

/* How triangles are drawn, and which region of a picture. */
typedef struct PliPicture {
    int32_t axes[3];          /* across, up, and along the lines */
    double low[2], scale[2];  /* of pixel coordinates, across and up */
    int32_t begin[2], end[2]; /* columns and rows of the drawn region, from 0 on */
    int32_t whole[2];         /* how many there are in all */

    /* For boxes, in floats: pixel coordinates, and depths. A box is visible if it begins at or
     * before reach[1] and ends at or after reach[0]. */
    float box_low[2], box_scale[2];
    float reach[2];

    /* For walls: the drawn region, in the order of the axes, and one over its depth. */
    float low_ends[3], high_ends[3], depth_scale;
} PliPicture;

/* Where a line intersects a triangle. It has the layout of the public PliantFragment, which is
 * above this folder, and may alias it; src/volume asserts the layout. */
typedef struct __attribute__((may_alias)) PliFragment {
    int32_t pixel; /* numbered from the first of the drawn region, row by row */
    float depth;
    int32_t winding; /* 1: the line comes in; -1: it goes out */
} PliFragment;

/* Which of `count` boxes, 8 or 16, have a line between their ends, both ways, within reach? `boxes`
 * has rows of low x, low y, low z, high x, high y, high z, `count` floats each. Boxes are enlarged
 * by `slack` pixels on each side. A box with a NaN has no lines. */
typedef uint32_t PliVisibleBoxes(const PliPicture *picture, const float *boxes, int32_t count,
                                 float slack);

/* How much each of 16 triangles can hide between lines: nothing, unless it is a wall, which is
 * parallel to the lines or nearly so. Lengths are in pixels, and along the lines in depths of the
 * drawn region. With n the cross product of two sides, as (across, up, along), and
 * s = |n[0]| + |n[1]|, it is a wall if |n[2]| <= s. It hides s, or what fits into its box within
 * the drawn region, 2 (w + h) d if that is w by h by d, whichever is less. Returns a bit for each
 * triangle that hides something, or may do so because that is NaN.
 *
 * Unless it is NULL, `prisms` gets PLI_PRISMS sums. In the same units, x[i] is the volume between
 * triangle i, of those below `count`, and the near end of the box, counted as lines are that cross
 * it: negative if they go in. Sum k is (x[k] + x[k + 8]) + (x[k + 4] + x[k + 12]). */
enum { PLI_PRISMS = 4 };

typedef uint32_t PliFindWalls(const PliPicture *picture, const float *rows,
                              const PliLeafBoxes *boxes, int32_t count, float *hidden,
                              float *prisms);

/* Draws the triangles, of up to 16, whose bits are set and whose coordinates are all finite: rows
 * of nine floats. The line of a pixel intersects a triangle at the depth of its plane, clamped to
 * the depths of its corners. Fragments come in any order. Returns how many there are. There must be
 * room for all pixels of all triangles and 16 more, which may be written. */
typedef int64_t PliDrawTriangles(const PliPicture *picture, const float *rows, uint32_t bits,
                                 PliFragment *fragments);

/* The number of a pixel, from its column and row. */
static inline int32_t pli_pixel_of(const PliPicture *picture, int32_t column, int32_t row)
{
    return column - picture->begin[0] +
           (picture->end[0] - picture->begin[0]) * (row - picture->begin[1]);
}

/* x clamped to between two others; the first of them if x is NaN. */
static inline double pli_between(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low;
}

#endif
