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

/* Is it certain that two bodies have nothing in common: their surfaces do not touch, and neither
 * body is inside the other? *is_closed is false if a line shows that one of them is open. */
PliantResult pli_world_find_nothing(PliantWorld *world, PliBody *const bodies[2], bool *is_nothing,
                                    bool *is_closed);

static inline PliantBox pli_nothing(void)
{
    return (PliantBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

#endif
