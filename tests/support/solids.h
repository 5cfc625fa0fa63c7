/* Closed bodies for the tests of volumes, and an oracle of what they have in common.
 *
 * The oracle takes no picture. From a point of each body its triangles are seen as tetrahedra, some
 * of them inside out; the sum of how often they cover a place, with their signs, is how often the
 * surface winds around it. So what two bodies have in common is the sum over all pairs of
 * tetrahedra, one of each body, of what these have in common, with the product of both signs. It is
 * right for all bodies that wind around no place twice, convex or not, and to some 1e-13. */
#ifndef TEST_SOLIDS_H
#define TEST_SOLIDS_H

#include "scenes.h"
#include <pliant/pliant.h>

/* Of twelve triangles. */
SceneMesh solid_box(const float low[3], const float high[3]);

/* About z, of 2 * around * across triangles. */
SceneMesh solid_torus(double radius, double tube, int around, int across);

/* X(name, what it is). All of them reach about 1 from the origin, and none winds around a place
 * twice. */
#define SOLID_KINDS(X)                                                                             \
    X(box, "a box along the axes")                                                                 \
    X(step, "a box along the axes with a corner cut out")                                          \
    X(turned, "a box that is turned")                                                              \
    X(plate, "a thin box, along the axes or turned")                                               \
    X(leaning, "a thin box, turned by little")                                                     \
    X(rack, "thin boxes side by side along an axis")                                               \
    X(needle, "a long box, along the axes or turned")                                              \
    X(tetrahedron, "any four corners")                                                             \
    X(round, "a sphere of few triangles, stretched and turned")                                    \
    X(torus, "a torus, turned")                                                                    \
    X(bumpy, "a sphere with bumps")                                                                \
    X(star, "a sphere with spikes")                                                                \
    X(hollow, "a sphere that is hollow")                                                           \
    X(pair, "two balls apart, as one body")

typedef enum SolidKind {
#define SOLID_KIND_ENUM(name, text) SOLID_##name,
    SOLID_KINDS(SOLID_KIND_ENUM)
#undef SOLID_KIND_ENUM
        SOLID_KIND_COUNT
} SolidKind;

const char *solid_kind_name(SolidKind kind);

/* Any one of its kind. */
SceneMesh solid_random(SolidKind kind, SceneRandom *random);

/* Each vertex times a number, and moved. Rounded once. */
void solid_place(SceneMesh *mesh, double scale, const double position[3]);

/* Any rotation there is. */
void solid_random_rotation(SceneRandom *random, double rows[3][3]);

/* Both as one mesh, the triangles of the first before those of the second. The two stay. */
SceneMesh solid_join(const SceneMesh *a, const SceneMesh *b);

/* By the divergence theorem: negative if it is inside out. */
double solid_volume(const SceneMesh *mesh);

/* The oracle, for two that are not inside out. */
double solid_common_volume(const SceneMesh *a, const SceneMesh *b);

/* How often the surface winds around a point that is not on it: by solid angles. */
int solid_winding(const SceneMesh *mesh, const float point[3]);

/* A shape of the mesh; ends the program if it cannot be made. */
PliantShape *solid_shape(const SceneMesh *mesh);

#endif
