/* A ball that can morph: stretch, and grow a bump on either side; or become a larger ball, or a
 * rough one. It can follow joints, which stand in a row along x. */
#ifndef TEST_BALL_H
#define TEST_BALL_H

#include "scenes.h"
#include <pliant/pliant.h>

enum { BALL_TARGETS = 3, BALL_VERTICES = 642 }; /* an icosahedron, split thrice */
enum { BALL_JOINTS = 5, BALL_INFLUENCES = 4 };

typedef struct Ball {
    SceneMesh mesh;
    float data[BALL_TARGETS][BALL_VERTICES][3];
    uint32_t indices[BALL_TARGETS][BALL_VERTICES];
    PliantTarget
        displacements[BALL_TARGETS]; /* along y; at x > 0.9; at x < -0.9: the last two sparse */
    float positions[BALL_TARGETS][BALL_VERTICES][3];
    PliantTarget references[BALL_TARGETS]; /* as at rest; 1.25 times as large; rough */
    uint16_t joints[BALL_VERTICES][BALL_INFLUENCES];
    float joint_weights[BALL_VERTICES][BALL_INFLUENCES]; /* two of them, of sum one; the others 0 */
    PliantSkin skin;
} Ball;

/* In place: its parts point to each other. */
void ball_init(Ball *ball);
void ball_free(Ball *ball);

/* The def of a shape with its targets, of either kind. */
PliantShapeDef ball_def(const Ball *ball, PliantMorphKind kind, const PliantHost *host);

/* The same with its skin, and without targets. */
PliantShapeDef ball_skin_def(const Ball *ball, const PliantHost *host);

/* The ways to pose it, for tests that hold for each of them. The first two are the plain ones. */
typedef enum BallDrive {
    BALL_BY_WEIGHTS, /* of displacements */
    BALL_BY_JOINTS,
    BALL_BY_REFERENCES,
    BALL_BY_WEIGHTS_AND_JOINTS,
    BALL_BY_REFERENCES_AND_JOINTS,
    BALL_DRIVES
} BallDrive;

/* The def of a shape that can be posed in this way, and in no other. */
PliantShapeDef ball_driven_def(const Ball *ball, BallDrive drive, const PliantHost *host);

/* Joints that bend it about y, the last by this angle; the other end stays where it is. */
void ball_bend(double angle, PliantTransform joints[BALL_JOINTS]);

#endif
