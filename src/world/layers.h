/* Layers, as the public calls see them. */
#ifndef PLI_LAYERS_H
#define PLI_LAYERS_H

#include "world/world.h"

#include <math.h>

struct PliantLayers {
    PliantHost host;          /* passes on to `counting` */
    PliCountingHost counting; /* the host that the caller gave, and the bytes held from it */
    PliantView view;
    PliSpans spans; /* what was captured last */
    PliSpans other; /* what is being built */
    PliSorting sorting;
    PliMeasure measure;
};

/* Is it a view that something can be seen in, or the view of nothing? */
PliantResult pli_view_check(const PliCall *call, const PliantView *view);

/* Reports PLIANT_NOT_CLOSED, and returns it: which of two bodies, which may be the same, is not
 * closed at how many pixels of a view, and how many pixels are bad in all. */
PliantResult pli_report_open(const PliCall *call, const PliantWorld *world,
                             const PliBody *const bodies[2], const int64_t bad_pixels[2],
                             int64_t bad_pixel_count, const PliantView *view);

/* Is it certain that two bodies have nothing in common: their surfaces do not touch, and neither
 * body is inside the other? PLIANT_NOT_CLOSED if a line shows that bodies[*open] is not closed. */
PliantResult pli_world_find_nothing(PliantWorld *world, PliBody *const bodies[2], bool *is_nothing,
                                    int *open);

static inline PliantBox pli_nothing(void)
{
    return (PliantBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

#endif
