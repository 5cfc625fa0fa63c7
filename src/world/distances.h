/* How far bodies are from each other. */
#ifndef PLI_DISTANCES_H
#define PLI_DISTANCES_H

#include "world/items.h"

/* What is asked: of all pairs of bodies which ones are within a distance, or of two how far. */
typedef struct PliDistances {
    PliQuery base;
    int32_t a, b;         /* numbers of two bodies */
    float distance;       /* that bodies are within */
    bool is_one_enough;   /* any features of two bodies within it will do */
    int64_t limit;        /* pairs of bodies to find */
    PliDistanceGoal goal; /* of two bodies, unless one is enough */
} PliDistances;

/* Finds the pairs of bodies that are within the distance: world->pairs_within; or the goal of two
 * bodies. Both get a PliDistances. */
PliantResult pli_distances_find(void *distances);
PliantResult pli_distances_find_two(void *distances);

#endif
