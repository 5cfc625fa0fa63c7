/* Bodies in motion for test_sweeps: every kind there is, with a start and an end.
 *
 * A mover is a body, and an end of it or none. It knows how both were made, and nothing of trees:
 * where its vertices are, the library is asked. */
#ifndef TEST_MOVERS_H
#define TEST_MOVERS_H

#include "morphs.h"
#include "skins.h"
#include "soups.h"
#include "stage.h"
#include "sweeps.h"

/* X(name, how a body gets from its start to its end). */
#define MOTIONS(X)                                                                                 \
    X(none, "it has no end")                                                                       \
    X(same, "its end is given the same vertices")                                                  \
    X(small, "each vertex moves a little")                                                         \
    X(together, "all bodies move alike, and each vertex a little")                                 \
    X(like, "the same pose, but for some of it and the transform")                                 \
    X(other, "any other pose")

typedef enum Motion {
#define MOTION_ENUM(name, text) MOTION_##name,
    MOTIONS(MOTION_ENUM)
#undef MOTION_ENUM
        MOTION_COUNT
} Motion;

/* X(name): what a body, or its end, is posed by. */
#define POSES(X)                                                                                   \
    X(rest)                                                                                        \
    X(copied)                                                                                      \
    X(borrowed)                                                                                    \
    X(weights)                                                                                     \
    X(joints)                                                                                      \
    X(both)                                                                                        \
    X(soup)

typedef enum Pose {
#define POSE_ENUM(name) POSE_##name,
    POSES(POSE_ENUM)
#undef POSE_ENUM
        POSE_COUNT
} Pose;

/* A body or its end. */
typedef struct Side {
    PliantBody name;
    Pose pose;
    bool is_moved;
    PliantTransform transform;
    float weights[MAX_TARGETS];
    PliantTransform joints[MAX_JOINTS];
    float *given;      /* what is borrowed, or was copied */
    uint32_t *corners; /* of a soup, likewise */
    float *vertices;   /* as the library says, and one of NaN */
} Side;

typedef struct Mover {
    SceneMesh mesh;        /* of a soup: its triangles alone */
    int32_t segment_count; /* of a shape: the last triangles are segments */
    uint32_t *groups;
    Soup *soup;
    Morph *morph;
    Skin *skin;
    PliantShape *shape;
    bool is_divided;
    Side sides[2];
    bool has_end;
    Motion motion;
    uint32_t categories, collides_with;
} Mover;

/* What moves in a frame. */
typedef struct Crowd {
    Stage stage;
    PliantWorld *world;
    double drift[3]; /* of all that move together, in the size of the stage */
    int max_triangles;
} Crowd;

void mover_enter(Crowd *crowd, Mover *mover);
void mover_leave(Crowd *crowd, Mover *mover);

/* Another start and another end, and reads the vertices of both. */
void mover_act(Crowd *crowd, Mover *mover);

/* Moves vertices that were given, of the start or of the end, by up to a step; all or one. */
void mover_nudge(Crowd *crowd, Mover *mover, float step);

FeatureBody mover_body(const Mover *mover);

bool crowd_chance(Crowd *crowd, int one_in);
void *crowd_allocate(size_t size);
void crowd_must(PliantResult result);

#endif
