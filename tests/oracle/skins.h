/* Skins for the comparison with brute force: joints that the bodies of a stage follow, and how
 * these move.
 *
 * Like morphs: in the stage's own size and place, and the same for all bodies where these are
 * copies of each other. */
#ifndef TEST_SKINS_H
#define TEST_SKINS_H

#include "stage.h"

enum { MAX_JOINTS = 200, MAX_INFLUENCES = 8 };

/* X(name, which weights its vertices have). */
#define SKIN_KINDS(X)                                                                              \
    X(parts, "one joint each, of weight one: rigid parts")                                         \
    X(smooth, "of the nearest joints, of sum one or nearly so")                                    \
    X(loose, "the same, of sums from 0.2 to 1.8")                                                  \
    X(gaps, "the same, and some vertices have none")                                               \
    X(twice, "of sum one, and joints that are named twice")                                        \
    X(any, "of any joints, from 0 to 2")                                                           \
    X(extreme, "the same, all or some of them times a power of two")

typedef enum SkinKind {
#define SKIN_KIND_ENUM(name, text) SKIN_##name,
    SKIN_KINDS(SKIN_KIND_ENUM)
#undef SKIN_KIND_ENUM
        SKIN_KIND_COUNT
} SkinKind;

typedef struct Skin {
    SkinKind kind;
    PliantSkin def;   /* for the library */
    uint16_t *joints; /* the same arrays */
    float *weights;
    int user_count;
} Skin;

/* For a mesh whose vertices may be anything. With one user. */
Skin *skin_create(Stage *stage, const SceneMesh *mesh);

/* One whose weights are all zero yet. */
Skin *skin_allocate(int32_t vertex_count, int32_t joint_count, int32_t influence_count);

/* One joint that all vertices follow with a weight of one. */
Skin *skin_create_rigid(int32_t vertex_count);

/* The last one frees it. NULL is ignored. */
void skin_release(Skin *skin);

/* For the mesh with its vertices in another order: the first of them is vertex order[0]. */
void skin_reorder(Skin *skin, const int32_t *order, int32_t vertex_count);

/* X(name, where joints are). Every number is finite. */
#define JOINT_KINDS(X)                                                                             \
    X(rest, "all as at rest")                                                                      \
    X(rigid, "each turned and shifted on its own")                                                 \
    X(chain, "each turned and shifted a little from the one before")                               \
    X(scaled, "by 2^-10 to 2^10 along each axis")                                                  \
    X(sheared, "sheared")                                                                          \
    X(mirrored, "mirrored")                                                                        \
    X(zero, "some take all there is to one point")                                                 \
    X(opposed, "far off, each second one the other way: sums cancel")                              \
    X(any, "any transforms")                                                                       \
    X(extreme, "numbers of any size")                                                              \
    X(changed, "one of them changed")                                                              \
    X(again, "as they were")

typedef enum JointKind {
#define JOINT_KIND_ENUM(name, text) JOINT_##name,
    JOINT_KINDS(JOINT_KIND_ENUM)
#undef JOINT_KIND_ENUM
        JOINT_KIND_COUNT
} JointKind;

/* The next joints, from those that were. */
void skin_joints(Stage *stage, const Skin *skin, JointKind kind, PliantTransform *joints);

/* The same for all bodies of a stage in a frame, if their skins are. Returns their kind. */
JointKind skin_common_joints(const Stage *stage, const Skin *skin, int frame,
                             PliantTransform *joints);

#endif
