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
PliantResult pli_view_check(const PliantView *view, const PliantHost *host);

static inline PliantBox pli_nothing(void)
{
    return (PliantBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

#endif
