/* Still: which leaves of a pose are where they were when it was asked last.
 *
 * Where the triangles of a leaf are follows from the shape, from the joints and the weights that it
 * has a part in, and from the map. If all of these are the same bits as last time, so are they.
 */
#ifndef PLI_STILL_H
#define PLI_STILL_H

#include "base/memory.h"
#include "kernels/kernels.h"

typedef struct PliShaped PliShaped;

/* What it was last time. */
typedef struct PliStill {
    bool is_known, has_joints, has_weights, is_moved;
    PliMap map;
    PliMap *maps;      /* of each joint */
    float *weights;    /* of each target */
    uint8_t *joints;   /* of each joint: has it changed? */
    uint64_t *targets; /* a bit for each target that has */
} PliStill;

/* Its arrays are in the arena. */
PliantResult pli_still_init(PliStill *still, const PliShaped *pose, PliArena *arena);

/* Says of each leaf whether it may have moved since the last call, and remembers the pose. */
void pli_still_look(PliStill *still, const PliShaped *pose, uint8_t *moved);

#endif
