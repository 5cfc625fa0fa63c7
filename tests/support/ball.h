/* A ball that can morph: stretch, and grow a bump on either side; or become a larger ball, or a
 * rough one. */
#ifndef TEST_BALL_H
#define TEST_BALL_H

#include "scenes.h"
#include <pliant/pliant.h>

enum { BALL_TARGETS = 3, BALL_VERTICES = 642 }; /* an icosahedron, split thrice */

typedef struct Ball {
    SceneMesh mesh;
    float data[BALL_TARGETS][BALL_VERTICES][3];
    uint32_t indices[BALL_TARGETS][BALL_VERTICES];
    PliantTarget
        displacements[BALL_TARGETS]; /* along y; at x > 0.9; at x < -0.9: the last two sparse */
    float positions[BALL_TARGETS][BALL_VERTICES][3];
    PliantTarget references[BALL_TARGETS]; /* as at rest; 1.25 times as large; rough */
} Ball;

/* In place: its parts point to each other. */
void ball_init(Ball *ball);
void ball_free(Ball *ball);

/* The def of a shape with its targets, of either kind. */
PliantShapeDef ball_def(const Ball *ball, PliantMorphKind kind, const PliantHost *host);

#endif
