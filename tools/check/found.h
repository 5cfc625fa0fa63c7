/* What is found for each pair of parts, while it is being found: for this folder alone. */
#ifndef TOOLS_FOUND_H
#define TOOLS_FOUND_H

#include "report/report.h"
#include "scene/scene.h"

/* A set of triangles of a part, a bit each; NULL is the empty one. */
typedef uint64_t FaceSet;

static inline bool faces_have(const FaceSet *set, int32_t face)
{
    return set && (set[face / 64] >> (face % 64) & 1);
}

static inline void faces_add(FaceSet *set, int32_t face)
{
    set[face / 64] |= (uint64_t)1 << (face % 64);
}

/* Triangles of two parts that touch the other part. Of a self-collision both are one set. */
typedef struct FacePair {
    FaceSet *a, *b;
    int32_t contained; /* of a baseline: each of ReportContained that was, a bit */
    float *depths[2];  /* of a baseline: how deep each vertex was; of a self-collision the first
                          alone. NULL: nothing was */
} FacePair;

/* Makes room, if there is none yet. */
bool face_pair_make(FacePair *faces, int32_t a_count, int32_t b_count, bool is_self);
void face_pair_free(FacePair *faces);

/* What a worker found of one pair of parts. */
typedef struct Found {
    FacePair touched; /* in some sample */
    ReportRow *rows;
    int64_t row_count, row_capacity;
    double
        clearance; /* the least distance, if there is no row; -1: none within what is asked for */
    int64_t clearance_sample;
} Found;

void found_free(Found *found);

/* A pair of triangles is known, and not new, if both of its triangles are: if each touched the
 * other part in the baseline, be it there or elsewhere. */
static inline bool found_is_known(const FacePair *known, int32_t a, int32_t b)
{
    return faces_have(known->a, a) && faces_have(known->b, b);
}

/* False: no memory. */
bool found_add_row(Found *found, const ReportRow *row);

/* Keeps the least distance, at the first of its samples. */
void found_add_clearance(Found *found, double distance, int64_t sample);

/* Adds what another worker found of the pair, and leaves nothing there. False: no memory. */
bool found_merge(Found *found, Found *other, const Report *report, const ReportPair *pair);

/* Hands rows, by sample, and faces over to the report's pair. False: no memory. */
bool found_settle(Found *found, const Report *report, ReportPair *pair);

/* What a stored report says of this report's pairs as their known faces and depths. Parts are the
 * same if their names are, and then have to have as many triangles. `parts` are the scene's, of
 * each part of the report. */
bool found_read_baseline(const Report *baseline, const Report *report, const Scene *scene,
                         const int32_t *parts, FacePair *known, char error[400]);

#endif
