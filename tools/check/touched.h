/* The triangles that a sample is about, each fetched once: for this folder alone. */
#ifndef TOOLS_TOUCHED_H
#define TOOLS_TOUCHED_H

#include "check/bodies.h"
#include "check/depth.h"

/* Of one part. Everything is as large as the most triangles that a sample has had, but for places,
 * which has one for each triangle of the part. */
typedef struct Touched {
    int32_t *corner_places; /* where a triangle is among those below; -1: not there */
    int32_t *triangles;     /* in the order in which they came */
    DepthTriangle *items;   /* likewise, those that are fetched */
    float *corners;         /* scratch */
    int32_t count, fetched, capacity;
} Touched;

bool touched_make(Touched *touched, int32_t triangle_count); /* false: no memory */
void touched_free(Touched *touched);

/* The place of a triangle, which is fetched with the next ones; -1: no memory. */
int32_t touched_add(Touched *touched, int32_t triangle);

/* Fetches what was added since the last time. */
PliantResult touched_fetch(Touched *touched, PliantWorld *world, PliantBody body);

/* None are touched: the bodies move on. */
void touched_clear(Touched *touched);

#endif
