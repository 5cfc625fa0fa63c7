/* Parts of a scene as shapes, which all workers of a check share: for this folder alone. */
#ifndef TOOLS_SHAPES_H
#define TOOLS_SHAPES_H

#include "check/plan.h"

#include <pliant/pool.h>

/* What the library says: the last message, without the name of the function in front. */
typedef struct Heard {
    char text[400];
} Heard;

/* A host that writes what the library says into `heard`, which has to outlive it. */
PliantHost heard_host(Heard *heard);

/* The sentence for a result that is not PLIANT_OK, and false. */
bool heard_fail(const Heard *heard, PliantResult result, const char *part, char error[400]);

typedef struct PartShape {
    const ScenePart *part;
    int32_t scene_part;
    int32_t joint_count;
    PliantShape *shape;
    PliantShape *plain; /* of eager bodies: its triangles alone; else NULL */
    bool is_closed;
    int32_t *pieces; /* a triangle of each piece, where no two pieces share a vertex */
    int32_t piece_count;
    bool is_turned;      /* its triangles are, since they faced inward in the rest pose */
    PliantResult result; /* of making it */
    Heard heard;
} PartShape;

/* Shapes of some of a scene's parts, in their order. They are immutable: any thread may read them.
 */
typedef struct Shapes {
    int32_t count;
    bool is_eager; /* all have a plain shape */
    PartShape *items;
} Shapes;

/* Each shape is made by one worker of the pool. The items stay where they are: hosts refer to them.
 * False: the error is that of the first part that failed, and nothing is held. */
bool shapes_make(Shapes *shapes, const Scene *scene, const int32_t *parts, int32_t part_count,
                 bool is_eager, PliantPool *pool, char error[400]);
void shapes_free(Shapes *shapes);

#endif
