/* What touches on the way, by brute force: part of test_sweeps.
 *
 * The features of a body are listed from its triangles alone, and each is decided with each by
 * pliant_sweep_pairs(), which test_sweep compares with the oracles: what is tested here is that
 * none is missed, and none there twice. */
#ifndef TEST_SWEEPS_H
#define TEST_SWEEPS_H

#include "feature_lists.h"

/* Two features that touch. */
typedef struct SweepsImpact {
    PliantFeatures kind;
    int32_t feature_a, feature_b;
    float time;
    float start[4][3], end[4][3]; /* of the four vertices */
    uint32_t names[4];            /* of these: the lowest of their groups */
} SweepsImpact;

/* Those of two bodies, or within one: by features, and then by time. If vertices of a group are
 * apart, features may touch at several places. */
typedef struct SweepsImpacts {
    const FeatureBody *a, *b;
    SweepsImpact *items;
    int64_t count, capacity;
} SweepsImpacts;

/* Sets `impacts`, which are all zeros or from an earlier call: without pairs that left_out.h leaves
 * out, if that is set. Returns how many pairs were decided:
 * all there are. */
int64_t sweeps_find(const FeatureBody *a, const FeatureBody *b, uint32_t cpu_mask, bool excludes,
                    SweepsImpacts *impacts);
void sweeps_free(SweepsImpacts *impacts);

/* A query, and of which pairs of bodies: in order. */
typedef struct SweepsQuery {
    PliantSweepKind query;
    float until;
    const SweepsImpacts *const *pairs;
    int pair_count;
} SweepsQuery;

/* Compares. Returns what is wrong, or NULL, and sets `at`. */
const char *sweeps_compare(const SweepsQuery *query, const PliantImpacts *found, int64_t *at);

/* How far the two points of an impact were apart at most, as a part of how large all coordinates
 * are. */
extern double sweeps_worst;

#endif
