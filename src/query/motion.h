/* Motions: how far the vertices of a body have moved.
 *
 * A body may be searched with some bodies now, and with others later. A snapshot of its vertices
 * for each of these would take memory for each pair. Instead there is one for each body, and a sum
 * of what it has moved by from snapshot to snapshot: PliMotion.moved. By the triangle inequality no
 * vertex has moved by more between two queries than the sum has grown.
 *
 * What changes other than by moving begins a new epoch of the body: vertices that become finite or
 * cease to be, primitives of a soup, weights and joints, of which all vertices would have to be
 * evaluated.
 */
#ifndef PLI_MOTION_H
#define PLI_MOTION_H

#include "pose/pose.h"

typedef struct PliMotion {
    uint64_t epoch;    /* never 0, and never that of another body */
    uint64_t frame;    /* PliPose.frame_count, that all of this is of */
    double moved;      /* no vertex has moved by more than this has grown in the epoch */
    double settled;    /* the same when the snapshot was taken */
    bool is_followed;  /* else whatever changes begins an epoch, and there are no vertices: */
    int32_t count;     /* of vertices */
    float *now, *then; /* as they are, and as they were when the snapshot was taken; or NULL */
} PliMotion;

/* Measures how far a pose has moved since the last call; does nothing if it has not been updated
 * since. Its vertices are followed if `count`, their number, is not 0. `last_epoch` is that of all
 * bodies. On failure nothing has changed. */
PliantResult pli_motion_update(PliMotion **motion, const PliPose *pose, int32_t count,
                               uint64_t *last_epoch, const PliantHost *host);
void pli_motion_free(PliMotion *motion, const PliantHost *host);

/* Takes a new snapshot: what is searched now, up to a reach, counts from here. */
void pli_motion_settle(PliMotion *motion, float reach, uint64_t *last_epoch);

#endif
