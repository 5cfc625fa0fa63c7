/* Points planted on a body: where its vertices are, and outermost of all or of a part of it.
 *
 * They share one point with the body, and often lie on the very face of a bound: nothing detects
 * sooner that one is too tight. */
#ifndef TEST_PLANT_H
#define TEST_PLANT_H

#include "brute.h"
#include "morphs.h"
#include "stage.h"

/* X(name, which vertices). */
#define PLANT_KINDS(X)                                                                             \
    X(axes, "outermost along an axis")                                                             \
    X(faces, "along a diagonal of a cube's face")                                                  \
    X(cube, "along a diagonal of a cube")                                                          \
    X(farthest, "farthest from the middle")                                                        \
    X(any, "any")

typedef enum PlantKind {
#define PLANT_KIND_ENUM(name, text) PLANT_##name,
    PLANT_KINDS(PLANT_KIND_ENUM)
#undef PLANT_KIND_ENUM
        PLANT_KIND_COUNT
} PlantKind;

/* A mesh of points on the body, one or several. */
SceneMesh plant_mesh(Stage *stage, const BruteBody *body, PlantKind kind);

/* Two targets, the first of which at a weight of one leaves the mesh where it is. */
Morph *plant_morph(Stage *stage, const SceneMesh *mesh);

#endif
