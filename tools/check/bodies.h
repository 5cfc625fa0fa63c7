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

#endif
