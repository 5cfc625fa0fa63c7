/* Closest points of bodies to a batch of points. */
#ifndef PLI_WORLD_POINTS_H
#define PLI_WORLD_POINTS_H

#include "world/world.h"

typedef struct PliPoints {
    PliantWorld *world;
    int32_t number; /* of the body that is searched; -1: all are */
    PliantVertices points;
    PliantClosestDef def;
    PliantClosestPoint *closest; /* of the world */
    atomic_bool is_open;         /* a line has shown that a body is open */
} PliPoints;

static inline const float *pli_point_at(const PliPoints *batch, int32_t i)
{
    const size_t stride = batch->points.stride ? batch->points.stride : 3 * sizeof(float);
    return (const float *)(const void *)((const char *)batch->points.data + stride * (size_t)i);
}

/* Finds them: a PliPoints. */
PliantResult pli_points_find(void *points);

#endif
