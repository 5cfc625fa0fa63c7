/* Views: the axes, the pixels and the tiles of a picture. draw.c has pli_tile_of(). */
#ifndef PLI_VIEW_H
#define PLI_VIEW_H

#include "base/round.h"
#include "pose/pose.h"
#include <pliant/volume.h>

/* A tile is at most so wide and high. */
enum { PLI_TILE = 128 };

/* Part of a picture. */
typedef struct PliTile {
    int32_t column, row, width, height;
} PliTile;

static inline int64_t pli_tile_count(const PliantView *view)
{
    return pli_div_up(view->width, PLI_TILE) * pli_div_up(view->height, PLI_TILE);
}

PliTile pli_tile_of(const PliantView *view, int64_t number);

/* Along which axis pixels are counted, 0 (columns) and 1 (rows); 2 is the one looked along. */
static inline int pli_view_axis(const PliantView *view, int side)
{
    return ((int)view->axis + 1 + side) % 3;
}

/* The size of a pixel. */
static inline double pli_pixel_size(const PliantView *view, int side)
{
    const int axis = pli_view_axis(view, side);
    return ((double)view->box.high[axis] - view->box.low[axis]) /
           (side == 0 ? view->width : view->height);
}

#endif
