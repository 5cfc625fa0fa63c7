/* Pairs of closed meshes that intersect, for oracles of what they have in common. */
#ifndef TEST_TWOS_H
#define TEST_TWOS_H

#include "scenes.h"

typedef struct Two {
    const char *name;
    SceneMesh meshes[2];
} Two;

/* Bumpy spheres, dolphins, rings and solids, in turns. */
Two two_make(int64_t number);
void two_free(Two *two);

#endif
