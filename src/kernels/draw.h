/* Drawing: what both versions of it share. */
#ifndef PLI_DRAW_H
#define PLI_DRAW_H

#include "kernels/kernels.h"

/* The number of a pixel, from its column and row. */
static inline int32_t pli_pixel_of(const PliPicture *picture, int32_t column, int32_t row)
{
    return column - picture->begin[0] +
           (picture->end[0] - picture->begin[0]) * (row - picture->begin[1]);
}

/* x brought to between two others; the first of them if it is NaN. */
static inline double pli_between(double x, double low, double high)
{
    return x > low ? (x < high ? x : high) : low;
}

#endif
