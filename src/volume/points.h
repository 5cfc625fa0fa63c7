/* Points: inside or not, by the spans of a picture. */
#ifndef PLI_POINTS_H
#define PLI_POINTS_H

#include "volume/spans.h"

/* Sets the state of each point. The host may run it as tasks if there are many. */
void pli_points_inside(const PliSpans *spans, const PliantView *view, const PliantVertices *points,
                       uint8_t *states, const PliantHost *host);

#endif
