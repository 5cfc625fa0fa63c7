/* Layers, as the public calls see them. */
#ifndef PLI_LAYERS_H
#define PLI_LAYERS_H

#include "world/world.h"

#include <math.h>

struct PliantLayers {
    PliantHost host;
    PliantView view;
    PliSpans spans, other; /* those that are there, and room for others */
    PliMeasure measure;
};

/* Is it a view that something can be seen in, or the view of nothing? */
PliantResult pli_view_check(const PliCall *call, const PliantView *view);

/* Is it sure that two bodies have nothing in common, neither a point of their surfaces nor one
 * being within the other? PLIANT_NOT_CLOSED if a line shows that one of them is not. */
PliantResult pli_world_find_nothing(PliantWorld *world, PliBody *a, PliBody *b, bool *is_nothing);

static inline PliantBox pli_nothing(void)
{
    return (PliantBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

#endif
