/* The parts of test_volumes.c. Each returns how often it found the library wrong, and says so. */
#ifndef TEST_VOLUMES_H
#define TEST_VOLUMES_H

#include "solids.h"
#include <pliant/pliant.h>

typedef struct VolumeOptions {
    int64_t poses, pixels;
    int64_t pose; /* only this one; -1: all */
    uint64_t seed;
} VolumeOptions;

/* How fast errors fall with the size of pixels. */
int64_t check_orders(const VolumeOptions *options);

/* That errors are no greater than their estimates. */
int64_t check_errors(const VolumeOptions *options);

/* The same of bodies that are in step with the pixels. */
int64_t check_arrays(const VolumeOptions *options);

/* Any number of equal objects, n x n, against any number of pixels: 1,848 of them. */
int64_t check_squares(const VolumeOptions *options);

/* That closed bodies have no bad pixels. */
int64_t check_closed(const VolumeOptions *options);

/* Spans, pixel by pixel, against whole numbers. */
int64_t check_spans(const VolumeOptions *options);

/* Which bodies contain which, against solid angles. */
int64_t check_contained(const VolumeOptions *options);

/* ---- What they share ----------------------------------------------------------------------------
 */

/* Ends the program if a call failed that cannot. */
void volumes_must(PliantResult result, const char *what);

PliantWorld *volumes_world(uint32_t cpu_mask);

/* A body of the mesh: by a shape, or a soup. */
PliantBody volumes_body(PliantWorld *world, const SceneMesh *mesh, bool is_soup);

double volumes_any(SceneRandom *random, double low, double high);

/* The seed of one of many. */
SceneRandom volumes_random(const VolumeOptions *options, int part, int64_t which);

#endif
