/* Scenes for the comparison with brute force: random bodies and how they move.
 *
 * A stage is a scene of one kind; it makes meshes, moves vertices and makes transforms, all in the
 * stage's own size and place, so that bodies touch however large, small or far away they are. */
#ifndef TEST_STAGE_H
#define TEST_STAGE_H

#include "scenes.h"
#include <pliant/pliant.h>

/* X(name, what is in it). */
#define STAGE_KINDS(X)                                                                             \
    X(bumpy, "bumpy spheres, deep in each other or hardly touching")                               \
    X(crumpled, "crumpled spheres: meshes that cut themselves")                                    \
    X(sheets, "sheets of whole numbers: they touch in corners, edges and planes")                  \
    X(soup, "separate triangles")                                                                  \
    X(whole_soup, "separate triangles of small whole numbers, some without area")                  \
    X(tiny_and_large, "a few triangles against thousands")                                         \
    X(strip, "strips whose triangles shrink: trees that lean to one side")                         \
    X(flat, "one axis squeezed, to nothing or nearly")                                             \
    X(far, "far from the origin: few bits are left")                                               \
    X(huge, "near the greatest numbers")                                                           \
    X(small, "so small that products underflow")                                                   \
    X(denormal, "a few times the least number")                                                    \
    X(odd, "NaN and infinity among the vertices")                                                  \
    X(copies, "the same body several times, at one place")                                         \
    X(points, "triangles that are points, the same in all bodies, which are moved alike")

typedef enum StageKind {
#define STAGE_KIND_ENUM(name, text) STAGE_##name,
    STAGE_KINDS(STAGE_KIND_ENUM)
#undef STAGE_KIND_ENUM
        STAGE_KIND_COUNT
} StageKind;

const char *stage_kind_name(StageKind kind);

typedef struct Stage {
    SceneRandom random;
    StageKind kind;
    bool is_whole;  /* all coordinates are small whole numbers, and stay so */
    bool has_large; /* bumpy spheres may have thousands of triangles */
    int body_count; /* meshes made so far */
    double scale, origin[3];
    double spread;      /* how far bodies are from the middle */
    uint64_t copy_seed; /* for what is the same in all bodies */
} Stage;

void stage_init(Stage *stage, StageKind kind, uint64_t seed);

/* The next body's mesh, in place. */
SceneMesh stage_mesh(Stage *stage);

/* The same, of three triangles at most. */
SceneMesh stage_few(Stage *stage);

/* Moves vertices as a body in motion would, or as none would. */
void stage_move(Stage *stage, float *vertices, int32_t count);

/* Moves all of them alike: by so much on each axis, at most. */
void stage_shift(Stage *stage, float *vertices, int32_t count, double far);

/* X(name): kinds of transforms. */
#define STAGE_TRANSFORMS(X)                                                                        \
    X(identity)                                                                                    \
    X(shift)                                                                                       \
    X(rotation)                                                                                    \
    X(scaling)                                                                                     \
    X(reflection)                                                                                  \
    X(shear)                                                                                       \
    X(singular)                                                                                    \
    X(any)

typedef enum StageTransform {
#define STAGE_TRANSFORM_ENUM(name) STAGE_TRANSFORM_##name,
    STAGE_TRANSFORMS(STAGE_TRANSFORM_ENUM)
#undef STAGE_TRANSFORM_ENUM
        STAGE_TRANSFORM_COUNT
} StageTransform;

PliantTransform stage_transform(Stage *stage, StageTransform kind);

/* Any linear map about the stage's origin, so that what is far away stays together, and then a
 * shift. Its numbers may be beyond all floats. */
typedef double StageMatrix[3][3];
PliantTransform stage_about(const Stage *stage, StageMatrix linear, const double shift[3]);

/* For points: a transform that is the same for all bodies in a frame. A bound that is off by one
 * unit in the last place then misses a pair. */
PliantTransform stage_common_transform(const Stage *stage, int frame);

/* Random helpers: whole numbers from low to high, and a number in [-1, 1). */
int stage_whole(SceneRandom *random, int low, int high);
double stage_signed(SceneRandom *random);

/* Makes segments of the last triangles of a mesh, in one of three: their last corner becomes the
 * one before. Returns how many. */
int32_t stage_make_segments(Stage *stage, SceneMesh *mesh);

/* The last so many triangles as segments, for the caller to free; NULL if there are none. Takes
 * them from the triangles of a def. */
uint32_t *stage_give_segments(const SceneMesh *mesh, int32_t count, PliantShapeDef *def);

#endif
