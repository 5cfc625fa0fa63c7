/* Points: inside or not, by the spans of a picture. */
#ifndef PLI_POINTS_H
#define PLI_POINTS_H

#include "volume/spans.h"

void pli_points_inside(const PliSpans *spans, const PliantView *view, const PliantVertices *points,
                       uint8_t *states);

#endif
