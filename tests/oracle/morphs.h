/* Morphs for the comparison with brute force: what the bodies of a stage can morph to, and weights.
 *
 * Everything is in the stage's own size and place. Where bodies are copies of each other, so are
 * their morphs: then corresponding vertices coincide as long as their weights are the same. */
#ifndef TEST_MORPHS_H
#define TEST_MORPHS_H

#include "stage.h"

enum { MAX_TARGETS = 150, MAX_BETWEEN = 3 };

typedef struct MorphTarget {
    float *data; /* without gaps */
    uint32_t *indices;
} MorphTarget;

typedef struct Morph {
    PliantMorphKind kind;
    int32_t target_count;
    PliantTarget targets[MAX_TARGETS]; /* for the library */
    MorphTarget owned[MAX_TARGETS];    /* the same arrays */
    int user_count;
} Morph;

/* For a mesh whose vertices may be anything; targets are finite. With one user. */
Morph *morph_create(Stage *stage, const SceneMesh *mesh);

/* Adds a target, whose arrays become the morph's own. */
void morph_add(Morph *morph, MorphTarget target, int32_t count);

/* The last one frees it. NULL is ignored. */
void morph_release(Morph *morph);

/* For the mesh with its vertices in another order: the first of them is vertex order[0]. */
void morph_reorder(Morph *morph, const int32_t *order, int32_t vertex_count);

/* X(name, what they are). */
#define WEIGHT_KINDS(X)                                                                            \
    X(zero, "all zero")                                                                            \
    X(one, "one, and all others zero")                                                             \
    X(two, "two neighbors, of sum one")                                                            \
    X(nearly_two, "two neighbors, of sum one but for rounding, or of any sum")                     \
    X(convex, "none below zero, of sum one")                                                       \
    X(few, "a few from -1 to 2, all others zero")                                                  \
    X(any, "all from -1 to 2")                                                                     \
    X(changed, "one of them changed")                                                              \
    X(again, "as they were")

typedef enum WeightKind {
#define WEIGHT_KIND_ENUM(name, text) WEIGHT_##name,
    WEIGHT_KINDS(WEIGHT_KIND_ENUM)
#undef WEIGHT_KIND_ENUM
        WEIGHT_KIND_COUNT
} WeightKind;

/* The next weights, from those that were. */
void morph_weights(Stage *stage, const Morph *morph, WeightKind kind, float *weights);

/* The same for all bodies of a stage in a frame, if their morphs are. Returns their kind. */
WeightKind morph_common_weights(const Stage *stage, const Morph *morph, int frame, float *weights);

#endif
