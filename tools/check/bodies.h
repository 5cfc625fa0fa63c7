/* Parts of a scene as bodies of a world: for this folder alone. */
#ifndef TOOLS_BODIES_H
#define TOOLS_BODIES_H

#include "check/plan.h"

/* A part's body, and what it was last told. */
typedef struct PartBody {
    const ScenePart *part;
    int32_t scene_part;
    bool is_closed;
    PliantBody body;   /* that is asked */
    PliantBody source; /* that is posed: the same one, or, of eager bodies, one elsewhere */
    bool is_posed;
    PliantTransform transform;
    PliantTransform *joints;
    int32_t joint_count;
    float *weights;
    float *vertices; /* of a cached part; or, of eager bodies, all that were evaluated */
} PartBody;

/* Bodies of some of a scene's parts, in their order, so that a body's index rises with its part.
 * Eager ones are evaluated whole at each pose, and refitted from the leaves up: every vertex comes
 * from a second world, and is given to a body without targets or joints. */
typedef struct Bodies {
    PliantHost host; /* writes what the library says into `message` */
    char message[400];
    PliantWorld *world;
    PliantWorld *sources; /* of eager bodies, else the same */
    bool is_eager;
    int32_t count;
    PartBody *items;
} Bodies;

/* The bodies stay where they are: the world refers to them. */
bool bodies_make(Bodies *bodies, const Scene *scene, const int32_t *parts, int32_t part_count,
                 bool is_eager, char error[400]);
void bodies_free(Bodies *bodies);

/* Tells each body where it is, unless it is there already. */
bool bodies_pose(Bodies *bodies, const ScenePose *pose, char error[400]);

/* The sentence for a result that is not PLIANT_OK, and false. */
bool bodies_fail(const Bodies *bodies, PliantResult result, const char *part, char error[400]);

#endif
