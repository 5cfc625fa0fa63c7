/* Closest points of bodies to a batch of points. */
#ifndef PLI_WORLD_POINTS_H
#define PLI_WORLD_POINTS_H

#include "world/world.h"

typedef struct PliPoints {
    PliantWorld *world;
    int32_t number; /* of the body that is searched; -1: all are */
    PliantVertices points;
    PliantClosestDef def;
    PliantClosestPoint *closest;   /* of the world; NULL: they are not searched for */
    PliantWindingNumber *windings; /* likewise */
    atomic_bool is_undecided;      /* a sign is not certain */
} PliPoints;

static inline const float *pli_point_at(const PliPoints *batch, int32_t i)
{
    const size_t stride = batch->points.stride ? batch->points.stride : 3 * sizeof(float);
    return (const float *)(const void *)((const char *)batch->points.data + stride * (size_t)i);
}

/* Finds the closest points, or winding numbers, of a PliPoints. */
PliantResult pli_points_find(void *points);
PliantResult pli_points_wind(void *points);

/* From now on the first worker searches a body, whose bounds hold, for points. */
PliantResult pli_world_search_points(PliantWorld *world, PliBody *body);

/* The boundary of a body whose bounds hold. */
PliantResult pli_world_find_boundary(PliantWorld *world, PliBody *body, PliPosedBoundary *boundary);

#endif
