/* Bodies of a world, of a scene's parts: for this folder alone. */
#ifndef TOOLS_BODIES_H
#define TOOLS_BODIES_H

#include "check/shapes.h"

/* A part's body, and what it was last told. */
typedef struct PartBody {
    const PartShape *shape;
    PliantBody body;   /* that is asked */
    PliantBody source; /* that is posed: the same one, or, of eager bodies, one elsewhere */
    bool is_posed;
    PliantTransform transform;
    PliantTransform *joints;
    float *weights;
    float *vertices; /* of a cached part; or, of eager bodies, all that were evaluated */
} PartBody;

/* A body of each shape, in their order, so that a body's index rises with its part. Eager ones are
 * evaluated whole at each pose, and refitted from the leaves up: every vertex comes from a second
 * world, and is given to a body of the plain shape. */
typedef struct Bodies {
    Heard heard; /* by both worlds */
    PliantWorld *world;
    PliantWorld *sources; /* of eager bodies, else the same */
    bool is_eager;
    int32_t count;
    PartBody *items;
} Bodies;

/* The bodies stay where they are, since the world refers to them, and so do the shapes. The pool
 * may be NULL: queries then run on the calling thread alone. */
bool bodies_make(Bodies *bodies, const Shapes *shapes, PliantPool *pool, char error[400]);
void bodies_free(Bodies *bodies);

/* Tells each body where it is, unless it is there already. */
bool bodies_pose(Bodies *bodies, const ScenePose *pose, char error[400]);

/* All vertices of a body, three floats each: to be freed, also after a failure. */
PliantResult bodies_vertices(const Bodies *bodies, const PartBody *item, float **vertices);

/* Poses may be such that a vertex is not finite, and the library takes no such point. */
bool point_is_finite(const float *point);

/* The distance of each point from a body: negative inside of it, where its winding number is
 * greater; infinite if it is more than `reach`, or if the point is not finite, which then
 * becomes another point. `closest` may be NULL. */
PliantResult bodies_distances(const Bodies *bodies, const PartBody *from, float reach,
                              float *points, int32_t count, float *distances,
                              PliantClosestPoints *closest);

#endif
