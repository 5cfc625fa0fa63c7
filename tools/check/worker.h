/* One worker of a check: for this folder alone.
 *
 * A worker has a world of its own, in which it poses bodies at the samples that it is given, and
 * keeps what it finds there. What it finds at a sample does not depend on the samples before:
 * queries for all pairs return sets in canonical order, whatever a world remembers. So samples may
 * be given to any worker in any order, and what workers found is put together by sample.
 */
#ifndef TOOLS_WORKER_H
#define TOOLS_WORKER_H

#include "check/bodies.h"
#include "check/contacts.h"
#include "check/found.h"
#include "check/measure.h"

/* What all workers read, and none of them writes. */
typedef struct Subject {
    const Scene *scene;
    const CheckOptions *options;
    Plan plan;
    Shapes shapes;
    Report *report;
    FacePair *known;  /* in the baseline, by pair of parts */
    PliantPool *pool; /* of queries; NULL: there are several workers, and a query has one */
} Subject;

typedef struct TrianglePair {
    int32_t a, b;
} TrianglePair;

typedef struct Worker {
    const Subject *subject; /* NULL: nothing is held */
    bool is_made;
    Bodies bodies;
    Bodies rest; /* likewise, in the rest pose; of no items unless that is the baseline */
    ScenePose *pose;
    Found *found;            /* by pair of parts */
    bool *is_touching;       /* likewise, at the sample */
    CheckContacts contacts;  /* if they are kept */
    TrianglePair *new_pairs; /* of a group */
    int64_t new_count, new_capacity;
    PliantBodyPair *body_pairs; /* whose boxes overlap */
    int64_t body_pair_capacity;
    int64_t sample; /* that bodies are posed at; -1: none */
    char error[400];
} Worker;

/* All return false if they fail; the worker's error says why. A worker is all zeros before it is
 * made, and stays where it is until it is freed, also if it failed to be made. */
bool worker_make(Worker *worker, const Subject *subject);
void worker_free(Worker *worker);

/* Adds what touches in the rest pose, with the morphs that are held, to the known faces and depths.
 * No other worker may run. */
bool worker_read_rest(Worker *worker, FacePair *known);

/* Adds what touches at a sample. */
bool worker_read_sample(Worker *worker, int64_t sample);

/* Measures a row of a pair of parts: its depth and regions. On trial nothing is kept but the row.
 */
bool worker_measure(Worker *worker, int32_t pair, bool is_trial, ReportRow *row);

/* Measures the volume in common of two parts, into a row of theirs. */
bool worker_measure_volume(Worker *worker, int32_t pair, ReportRow *row);

/* Measures how much of a measured row's places is shown. */
bool worker_measure_shown(Worker *worker, int32_t pair, ReportRow *row);

/* The diagonal of the box of all parts in the rest pose. */
bool worker_measure_size(Worker *worker, double *size);

#endif
