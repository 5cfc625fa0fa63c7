/* Worker: what one thread needs to read poses.
 *
 * A query reads bodies and shapes, and writes to a worker: scratch memory, and counts of what was
 * done. A world has one worker for each thread that takes part in a query. The exceptions are
 * listed in docs/internals.md: bounds that a node gets when it is reached are kept by the pose.
 */
#ifndef PLI_WORKER_H
#define PLI_WORKER_H

#include "base/control.h"
#include "base/memory.h"
#include "kernels/kernels.h"

/* What was done for one body. */
typedef struct PliPoseCounts {
    int64_t opened_nodes;       /* nodes whose children's bounds were renewed */
    int64_t fetched_leaves;     /* leaves whose triangles were fetched */
    int64_t evaluated_vertices; /* vertices evaluated from weights or joints for these */
} PliPoseCounts;

static inline void pli_pose_counts_add(PliPoseCounts *counts, const PliPoseCounts *extra)
{
    counts->opened_nodes += extra->opened_nodes;
    counts->fetched_leaves += extra->fetched_leaves;
    counts->evaluated_vertices += extra->evaluated_vertices;
}

/* Which of the two bodies of a pair something is done for. A query about one body has side A only.
 */
typedef enum PliSide { PLI_SIDE_A, PLI_SIDE_B } PliSide;

typedef struct PliCrew PliCrew;

typedef struct PliWorker {
    const PliantHost *host;
    const PliantHost *body_host; /* of what bodies own, and of the scratch below */
    const PliKernels *kernels;
    int32_t number;          /* in its crew; the first is 0 */
    PliControl *control;     /* of the query; NULL: it cannot be stopped */
    PliCrew *crew;           /* with which it may divide work; NULL: it works alone */
    PliPoseCounts counts[2]; /* by PliSide, since the owner of the worker set them to zero */

    /* Scratch, reserved before it is needed: opening a node and fetching a leaf cannot fail. */
    PliArray terms;        /* of const float *: the terms of a sum of morph targets */
    PliArray term_weights; /* of float: their weights */
    PliArray boxes;        /* of PliBox: for the update of a body */
} PliWorker;

/* `host` and `kernels` are borrowed and must outlive the worker. `host` is that of bodies too,
 * unless the owner of the worker sets another before anything is reserved. */
void pli_worker_init(PliWorker *worker, const PliantHost *host, const PliKernels *kernels);
void pli_worker_free(PliWorker *worker);

/* Makes room for a body: for sums of so many terms, and for so many boxes. On failure nothing is
 * lost. */
PliantResult pli_worker_reserve(PliWorker *worker, int64_t term_count, int64_t box_count);

/* Asks whether the query goes on: after every few thousand steps, or some milliseconds of work.
 * Returns PLIANT_CANCELLED if it is to end. */
static inline PliantResult pli_worker_check(const PliWorker *worker)
{
    return worker->control ? pli_control_check(worker->control) : PLIANT_OK;
}

/* The same between two of these: whether another thread has ended the query. */
static inline PliantResult pli_worker_check_cancelled(const PliWorker *worker)
{
    return worker->control && pli_control_is_cancelled(worker->control) ? PLIANT_CANCELLED
                                                                        : PLIANT_OK;
}

/* ---- Dividing work --------------------------------------------------------------------------- */

/* The workers that one call has, each of which works alone. */
struct PliCrew {
    PliWorker **workers; /* the first is the one that divides */
    int32_t count;
};

/* Part `index` of some work. What it writes must be its own, or claimed. */
typedef void PliWork(void *data, int32_t index, PliWorker *worker);

/* Into how many parts work may be divided; 1: not at all. */
static inline int32_t pli_worker_crew_count(const PliWorker *worker)
{
    return worker->crew ? worker->crew->count : 1;
}

/* Does all parts of some work, one after the other. */
static inline void pli_worker_do_all(PliWorker *worker, PliWork *work, void *data, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        work(data, i, worker);
}

/* Does all parts of some work, in any order: with the crew of the worker if it has one, else one
 * after the other. Parts do not divide their work further. What they count is then in `worker`. */
void pli_worker_divide(PliWorker *worker, PliWork *work, void *data, int32_t count);

#endif
