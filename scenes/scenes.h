/* scenes: what tests, bench and examples look at, generated.
 *
 * Nothing is read from files, and no function of the C library's <math.h> takes part, so the
 * vertices are the same to the bit on every machine. A scene knows nothing of the library.
 */
#ifndef SCENES_H
#define SCENES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Random numbers ---------------------------------------------------------------------- */

typedef struct SceneRandom {
    uint64_t state;
} SceneRandom;

/* 64 random bits: SplitMix64 (Steele, Lea and Flood 2014). Any seed will do. */
uint64_t scene_random_bits(SceneRandom *random);

/* Uniform in [0, 1), a multiple of 2^-53. */
double scene_random(SceneRandom *random);

/* Uniform in 0 .. count - 1; count > 0. */
uint32_t scene_random_below(SceneRandom *random, uint32_t count);

/* ---- Numbers ----------------------------------------------------------------------------- */

/* Sine and cosine of x in radians, |x| below a million, to about 1e-13. */
double scene_sin(double x);
double scene_cos(double x);

/* ---- Meshes ------------------------------------------------------------------------------ */

/* An indexed triangle mesh: three floats a vertex, three indices a triangle. Owned. */
typedef struct SceneMesh {
    float *vertices;
    uint32_t *triangles;
    int32_t vertex_count, triangle_count;
} SceneMesh;

/* What a sphere is made from: 4, 8 or 20 triangles. */
typedef enum SceneSolid { SCENE_TETRAHEDRON, SCENE_OCTAHEDRON, SCENE_ICOSAHEDRON } SceneSolid;

/* A solid on the unit sphere, each triangle split in four `subdivisions` times: 4^n times its
 * triangles, n from 0 to 9, counter-clockwise seen from outside. The fewer triangles a solid has,
 * the less they are alike in the end. Stops the program when out of memory. */
SceneMesh scene_sphere(SceneSolid solid, int subdivisions);

/* The most even of these: 20 * 4^n triangles. */
SceneMesh scene_icosphere(int subdivisions);

void scene_mesh_free(SceneMesh *mesh);

/* Copies the corners of all triangles out, nine floats each. */
void scene_corners(const SceneMesh *mesh, const float *vertices, float *corners);

/* ---- Waving spheres ---------------------------------------------------------------------- */

/* A travelling wave on the unit sphere. */
typedef struct SceneWave {
    double direction[3], phase, speed; /* direction has the length of the spatial frequency */
} SceneWave;

/* A surface in motion: a radius of 1 and seven travelling waves of amplitude 0.022, of spatial
 * frequency 8 to 32 and a speed of 0.05 to 0.15 a step. */
enum { SCENE_WAVES = 7 };

void scene_random_waves(SceneRandom *random, SceneWave waves[SCENE_WAVES]);

/* The radius at a point of the unit sphere. */
double scene_radius(const SceneWave waves[SCENE_WAVES], const float point[3], int step);

/* Two bumpy spheres are pushed into each other: the first experiment of Larsson and Akenine-Moller,
 * "Collision Detection for Continuously Deforming Bodies", 2001, with more of a surface. Every
 * vertex moves in every step. The centres are 2.85 apart at step 0 and 0.3 apart at the last. */
enum { SCENE_BUMPY_STEPS = 200 };

typedef struct SceneBumpy {
    SceneMesh sphere; /* at rest; both bodies have its triangles */
    SceneWave waves[2][SCENE_WAVES];
} SceneBumpy;

/* Of icospheres, or of any other sphere, which becomes the scene's own. */
SceneBumpy scene_bumpy(int subdivisions);
SceneBumpy scene_bumpy_of(SceneMesh sphere);
void scene_bumpy_free(SceneBumpy *scene);

/* The world vertices of body 0 or 1 at a step, sphere.vertex_count of them. */
void scene_bumpy_vertices(const SceneBumpy *scene, int body, int step, float *vertices);

/* Twenty-seven bumpy spheres, each on a path of its own around a place in a 3 x 3 x 3 grid,
 * turning: neighbours meet and part again all the time. After the third experiment of the same
 * paper, whose bodies were kept apart by a response; here the paths do that. */
enum { SCENE_CROWD_BODIES = 27, SCENE_CROWD_STEPS = 200 };

typedef struct ScenePath {
    double centre[3], reach[3], phase[3], speed[3]; /* centre + reach sin(phase + speed step) */
    double axis[3], spin;                           /* radians a step about the axis */
} ScenePath;

typedef struct SceneCrowd {
    SceneMesh sphere;
    SceneWave waves[SCENE_CROWD_BODIES][SCENE_WAVES];
    ScenePath paths[SCENE_CROWD_BODIES];
} SceneCrowd;

SceneCrowd scene_crowd(int subdivisions);
void scene_crowd_free(SceneCrowd *scene);

/* The world vertices of a body at a step. */
void scene_crowd_vertices(const SceneCrowd *scene, int body, int step, float *vertices);

/* ---- Candidates -------------------------------------------------------------------------- */

/* All pairs of triangles whose boxes meet, two indices each, sorted; found by a sweep along x.
 * Owned: free() it. Corners as from scene_corners(). */
uint32_t *scene_box_pairs(const float *a, int32_t a_count, const float *b, int32_t b_count,
                          int64_t *pair_count);

#ifdef __cplusplus
}
#endif

#endif
