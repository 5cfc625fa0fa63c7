/* Bodies that are drawn by OpenGL and by the processor: one of each kind, in one world. */
#ifndef TEST_GL_SUBJECTS_H
#define TEST_GL_SUBJECTS_H

#include "ball.h"
#include "scenes.h"
#include <pliant/gl.h>

/* X(name, how its surface comes about). All are closed. */
#define SUBJECTS(X)                                                                                \
    X(sphere, "at rest")                                                                           \
    X(bumpy, "vertices are given, another step each time")                                         \
    X(torus, "at rest, with a hole in it")                                                         \
    X(box, "at rest, of twelve triangles")                                                         \
    X(dolphin, "morphs between references")                                                        \
    X(ball, "morphs by displacements")                                                             \
    X(bent, "follows joints")                                                                      \
    X(soup, "a torus of which nothing is known")                                                   \
    X(hand, "at rest, five fingers")                                                               \
    X(pieces, "three spheres in each other: overlaps itself")

typedef enum SubjectKind {
#define SUBJECT_ENUM(name, text) SUBJECT_##name,
    SUBJECTS(SUBJECT_ENUM)
#undef SUBJECT_ENUM
        SUBJECT_COUNT
} SubjectKind;

const char *subject_name(SubjectKind kind);

/* Does the way of the stencil tell the same as that of lists? */
bool subject_is_simple(SubjectKind kind);

typedef struct Subjects {
    PliantWorld *world;
    Ball ball;
    SceneBumpy bumpy;
    SceneMorph dolphin;
    SceneMesh meshes[SUBJECT_COUNT];
    PliantShape *shapes[SUBJECT_COUNT];
    PliantBody bodies[2][SUBJECT_COUNT]; /* two of each */
    float *vertices;                     /* scratch */
} Subjects;

/* In place: its parts point to each other. Ends the program if anything fails. */
void subjects_init(Subjects *subjects);
void subjects_free(Subjects *subjects);

/* A new pose: deformed in its own way, of a size of about 1, turned, and somewhere within `reach`
 * of the origin. */
void subject_pose(Subjects *subjects, int which, SubjectKind kind, SceneRandom *random,
                  double reach);

/* A torus around z, of radius 1 and thickness 2 r. */
SceneMesh subject_torus(int around, int across, double r);
SceneMesh subject_box(const float low[3], const float high[3]);

/* Ends the program, unless the result is success. */
void subject_must(PliantResult result);

#endif
