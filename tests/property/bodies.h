/* Bodies whose bounds are held against their vertices: shapes that morph or follow joints, and how
 * they are posed.
 *
 * Some shapes are planted. Of one that morphs, the outermost vertices of the mesh are so in every
 * target, too, and weights have the signs of their targets. The end of a box is then the sum that a
 * vertex has, to the bit: all ends must be attained. A sum in another order shows at once.
 *
 * Of one that follows joints, points are planted in clusters at one place each, which have every
 * combination of the least and the greatest weight of each joint: among them is the one that the
 * bound is made for, whatever the joints are. With grains all numbers but the largest are about a
 * unit in its last place: they are lost or doubled as they are added, all the same way, and that is
 * what uses most of a margin. From frame to frame joints are jittered by such units. */
#ifndef TEST_BODIES_H
#define TEST_BODIES_H

#include "mesh_pose/mesh_pose.h"
#include "morphs.h"
#include "skins.h"
#include "stage.h"

/* X(name, what its shape has). */
#define BODY_KINDS(X)                                                                              \
    X(morphs, "targets")                                                                           \
    X(skins, "joints")                                                                             \
    X(both, "both")

typedef enum BodyKind {
#define BODY_KIND_ENUM(name, text) BODY_##name,
    BODY_KINDS(BODY_KIND_ENUM)
#undef BODY_KIND_ENUM
        BODY_KIND_COUNT
} BodyKind;

/* What weights of targets are multiplied by, now and then. */
enum { FACTOR_COUNT = 4 };

/* How joints are set: as in skins.h; or planted: all a multiple of one, with grains, or those that
 * were, jittered. */
enum { SET_EVEN = JOINT_KIND_COUNT, SET_GRAIN, SET_JITTER, SET_COUNT };

/* X(name, size): counters, none of which may be zero in the end. */
#define BODY_COUNTERS(X)                                                                           \
    X(kind, BODY_KIND_COUNT)                                                                       \
    X(tree, 4)                                                                                     \
    X(children, 3)                                                                                 \
    X(leaf, 3)                                                                                     \
    X(morph, 2)                                                                                    \
    X(targets, 4)                                                                                  \
    X(target, 2)                                                                                   \
    X(between, MOST_BETWEEN + 1)                                                                   \
    X(planted, 3)                                                                                  \
    X(weights, WEIGHT_KIND_COUNT + 1)                                                              \
    X(factor, FACTOR_COUNT)                                                                        \
    X(transform, STAGE_TRANSFORM_COUNT)                                                            \
    X(size, 3)                                                                                     \
    X(skin, SKIN_KIND_COUNT)                                                                       \
    X(skin_planted, 3)                                                                             \
    X(joints, SET_COUNT)

#define COUNTER_EXTERN(name, size) extern int64_t name##_counts[size];
BODY_COUNTERS(COUNTER_EXTERN)
#undef COUNTER_EXTERN

/* An instruction set. */
typedef struct Version {
    uint32_t cpu;
    PliKernels kernels;
} Version;

typedef struct Body {
    Stage stage;
    BodyKind kind;
    int frame;
    uint64_t seed;
    int64_t scene;
    SceneMesh mesh;
    Morph *morph;              /* or NULL */
    float signs[MOST_TARGETS]; /* of the weights, if it is planted */
    float weights[MOST_TARGETS];
    Skin *skin; /* or NULL */
    PliantTransform joints[MOST_JOINTS];
    PliantBoundKind bound;
    int between_count;
    PliantShape *shape;
    PliShaped pose;
    PliWorker worker; /* of whichever version is at work */
    const Version *opener, *fetcher;
    float *vertices;    /* as pli_pose_vertices() says */
    int32_t *finite;    /* how many corners are, before each, in the order of the tree */
    double *columns[9]; /* of each corner: how far it is along each slab; NaN if it is not finite */
    int32_t column_count;
    bool is_planted, has_planted_skin, has_grain; /* the last two of its skin */
    bool is_along_axes;                           /* the transform takes each axis to itself */
} Body;

/* A shape, and a pose of it at rest. The stage, its kind and the opener are set. */
void body_init(Body *body);
void body_free(Body *body);

/* New weights, joints and a map. */
void body_set_weights(Body *body);
void body_set_joints(Body *body);
void body_set_map(Body *body);

/* Random whole numbers, and what is true once in so many times. */
int body_whole(Body *body, int low, int high);
bool body_chance(Body *body, int one_in);

#endif
