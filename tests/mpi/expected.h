/* What is near, and what touches first, in one world without MPI: by soups of all triangles of each
 * two bodies, and tables of all pairs of triangles. */
#ifndef TEST_MPI_EXPECTED_H
#define TEST_MPI_EXPECTED_H

#include "cast.h"
#include <pliant/mpi.h>

typedef struct NearPairs {
    PliantMpiNearPair *items;
    int64_t count;
} NearPairs;

/* The order of near pairs: by keys, then by triangles. */
int compare_near(const void *one, const void *other);

/* Of members that are there as a whole. */
NearPairs expect_near(PliantWorld *world, const Member *members, int count, float distance);
PliantMpiEarliest expect_earliest(PliantWorld *world, const Member *members, int count,
                                  float until);

#endif
