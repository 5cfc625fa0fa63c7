/* scenes: the bodies of tests, bench and examples, generated.
 *
 * Nothing is read from files, and no function of the C library's <math.h> takes part, so the
 * vertices are the same to the bit on every machine. A scene knows nothing of the library.
 */
#ifndef SCENES_H
#define SCENES_H

#include <stdbool.h>
#include <stddef.h>
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

/* The rows of the rotation by an angle about an axis of length 1. */
void scene_rotation(const double axis[3], double angle, double rows[3][3]);

/* First `second`, then `first`. */
void scene_rotation_product(double first[3][3], double second[3][3], double rows[3][3]);

/* Both as one: a point p goes to rows * (p, 1). */
void scene_set_rows(double rotation[3][3], const double position[3], float rows[3][4]);

/* From 0 at x = 0, and before, to 1 at x = 1, and after: without a corner. */
double scene_rise(double x);

/* From 1 in the middle to 0 where x reaches 1 or -1, and beyond: (1 - x^2)^2, without a corner. */
double scene_bump(double x);

/* A path of Catmull and Rom through rising keys, `width` numbers each, the first of which is x:
 * what the column has there. */
double scene_through(const double *keys, int key_count, int width, int column, double x);

/* ---- Meshes ------------------------------------------------------------------------------ */

/* An indexed triangle mesh: three floats a vertex, three indices a triangle. Owned. */
typedef struct SceneMesh {
    float *vertices;
    uint32_t *triangles;
    int32_t vertex_count, triangle_count;
} SceneMesh;

/* Memory, all zero, or the end of the program. free() it. */
void *scene_allocate(size_t count, size_t size);

/* What a sphere is made from: 4, 8 or 20 triangles. */
typedef enum SceneSolid { SCENE_TETRAHEDRON, SCENE_OCTAHEDRON, SCENE_ICOSAHEDRON } SceneSolid;

/* A solid on the unit sphere, each triangle split in four `subdivisions` times: 4^n times its
 * triangles, n from 0 to 9, counter-clockwise seen from outside. The fewer triangles a solid has,
 * the less they are alike in the end. Stops the program when out of memory. */
SceneMesh scene_sphere(SceneSolid solid, int subdivisions);

/* The most even of these: 20 * 4^n triangles. */
SceneMesh scene_icosphere(int subdivisions);

/* Where a surface has its point at u, from 0 at one pole to 1 at the other, and v, from 0 to 1 once
 * around. With u down and v to the left, as seen from outside, triangles come out
 * counter-clockwise. */
typedef void ScenePlace(const void *data, double u, double v, double point[3]);

/* A closed surface of rings between two poles: 2 * ring_count * segment_count triangles. Whatever
 * their number, the surface is the same. */
SceneMesh scene_rings(int ring_count, int segment_count, ScenePlace *index, const void *data);

void scene_mesh_free(SceneMesh *mesh);

/* Takes a piece and makes it a part of the mesh, which may be empty at first: {0}. Mirrored, its x
 * is turned to -x, and its triangles round with it. */
void scene_mesh_append(SceneMesh *mesh, SceneMesh piece, bool is_mirrored);

/* Cuts triangles in half across their longest edge until none is longer than that, as one who makes
 * a mesh could have done. No vertex of one piece is that of another. */
void scene_mesh_cut(SceneMesh *mesh, double longest);

/* Moves all vertices. */
void scene_mesh_move(SceneMesh *mesh, double rotation[3][3], const double position[3]);

/* Copies the corners of all triangles out, nine floats each. */
void scene_corners(const SceneMesh *mesh, const float *vertices, float *corners);

/* ---- Waving spheres ---------------------------------------------------------------------- */

/* A traveling wave on the unit sphere. */
typedef struct SceneWave {
    double direction[3], phase, speed; /* direction has the length of the spatial frequency */
} SceneWave;

/* A surface in motion: a radius of 1 and seven traveling waves of amplitude 0.022, of spatial
 * frequency 8 to 32 and a speed of 0.05 to 0.15 a step. */
enum { SCENE_WAVES = 7 };

void scene_random_waves(SceneRandom *random, SceneWave waves[SCENE_WAVES]);

/* The radius at a point of the unit sphere. */
double scene_radius(const SceneWave waves[SCENE_WAVES], const float point[3], int step);

/* Two bumpy spheres are pushed into each other: the first experiment of Larsson and Akenine-Moller,
 * "Collision Detection for Continuously Deforming Bodies", 2001, with more of a surface. Every
 * vertex moves in every step. The centers are 2.85 apart at step 0 and 0.3 apart at the last. */
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
 * turning: neighbors touch and part again all the time. After the third experiment of the same
 * paper, whose bodies were kept apart by a response; here the paths do that. */
enum { SCENE_CROWD_BODIES = 27, SCENE_CROWD_STEPS = 200 };

typedef struct ScenePath {
    double center[3], reach[3], phase[3], speed[3]; /* center + reach sin(phase + speed step) */
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

/* ---- Cloth ------------------------------------------------------------------------------- */

/* A cloth of 40,000 triangles, draped over a bumpy sphere of 81,920 triangles, or folded and alone.
 * Every vertex moves in every step. The distance is 0.5 % of the cloth's shorter side, which has
 * 125 cells. */
enum { SCENE_CLOTH_STEPS = 60 };
#define SCENE_CLOTH_DISTANCE (0.005 * 125 * 0.0192)

typedef struct SceneCloth {
    SceneMesh meshes[2]; /* the cloth at step 0, and the unit sphere */
    int body_count;
    SceneWave waves[SCENE_WAVES]; /* of the sphere */
    double height;                /* of the waves of a folded cloth */
} SceneCloth;

/* The cloth covers the sphere, lies on its bumps, and hangs down around it. */
SceneCloth scene_draped_cloth(void);

/* Folded three times, into layers that wave against each other, three distances apart. `height` is
 * in distances. With 1.35, layers are at least a third of the distance apart; above 1.5, they
 * intersect. */
SceneCloth scene_folded_cloth(double height);

void scene_cloth_free(SceneCloth *scene);

/* The world vertices of a body at a step. */
void scene_cloth_vertices(const SceneCloth *scene, int body, int step, float *vertices);

/* ---- Morphing meshes --------------------------------------------------------------------- */

/* A reference: `count` positions, one for each vertex. Or displacements of these vertices. */
typedef struct SceneTarget {
    float *vertices;   /* three floats each */
    uint32_t *indices; /* rising; NULL: all vertices */
    int32_t count;
} SceneTarget;

enum { SCENE_MAX_REFERENCES = 16 };

/* A mesh that morphs, by weights. Owned. */
typedef struct SceneMorph {
    SceneMesh mesh; /* its vertices are at rest */
    SceneTarget *targets;
    int32_t target_count;
    bool has_references; /* SCENE_MAX_REFERENCES at most; or displacements, any number */
} SceneMorph;

void scene_morph_free(SceneMorph *morph);

/* Makes the vertices of a mesh a reference, takes the mesh, and keeps it if it is the first. */
void scene_morph_add_reference(SceneMorph *morph, int32_t target, SceneMesh mesh);

/* Where the vertices are, as a user works it out who blends by himself: of references
 * (w0 * p0 + w1 * p1) + ..., of displacements (rest + w0 * d0) + ..., targets of weight zero left
 * out; then ((row[0] * x + row[1] * y) + row[2] * z) + row[3] for each row, unless `rows` is NULL.
 * In float, each operation rounded. */
void scene_morph_vertices(const SceneMorph *morph, const float *weights, const float (*rows)[4],
                          float *vertices);

/* The experiments of Larsson and Akenine-Moller, "Efficient collision detection for models deformed
 * by morphing", 2003. In the first, two bodies of 20,480 triangles turn from a ball to a star and
 * from that to a dumb-bell while they pass right through each other. The weights are the same for
 * both; not more than two neighbors of the three are above zero. */
enum { SCENE_PASSING_STEPS = 400, SCENE_PASSING_TARGETS = 3 };

SceneMorph scene_passing(void);
void scene_passing_weights(int step, float weights[SCENE_PASSING_TARGETS]);
void scene_passing_rows(int body, int step, float rows[3][4]);

/* In the second, twelve dolphins roll and swim closely together. The references have the tail up,
 * level and down; all three take part at most steps. */
enum {
    SCENE_DOLPHINS = 12,
    SCENE_DOLPHIN_STEPS = 400,
    SCENE_DOLPHIN_TARGETS = 3,
    SCENE_DOLPHIN_SIZES = 6
};

/* Triangles of a dolphin: 564, 2,256, 9,024, 36,096, 147,456 or 589,824. */
int32_t scene_dolphin_triangles(int size);

SceneMorph scene_dolphin(int size);
void scene_dolphin_weights(int body, int step, float weights[SCENE_DOLPHIN_TARGETS]);
void scene_dolphin_rows(int body, int step, float rows[3][4]);

/* A face of 40,000 triangles with 150 local displacements, six of which are in use at a step, and a
 * hand of 4,992 triangles that comes, strokes it with the tips of its fingers, and goes. */
enum { SCENE_FACE_STEPS = 200, SCENE_FACE_TARGETS = 150, SCENE_FACE_ACTIVE = 6 };

SceneMorph scene_face(void);
void scene_face_weights(int step, float weights[SCENE_FACE_TARGETS]);

SceneMesh scene_hand(void);
void scene_hand_rows(int step, float rows[3][4]);

/* ---- Characters -------------------------------------------------------------------------- */

/* So many joints of a vertex at most. */
enum { SCENE_MAX_INFLUENCES = 4 };

typedef struct SceneSkinBlock SceneSkinBlock;

/* A mesh that follows joints. Owned. */
typedef struct SceneSkin {
    SceneMesh mesh; /* its vertices are at rest */
    int32_t joint_count, influence_count;
    int32_t foot_vertex_count; /* of an avatar: the first vertices of the mesh */
    uint16_t *joints;       /* influence_count for each vertex: rising, and 0 where the weight is */
    float *weights;         /* likewise, of sum one to a few ulp */
    SceneSkinBlock *blocks; /* the same once more, as skinning wants it */
} SceneSkin;

/* Makes the blocks, of all the others. */
void scene_skin_pack(SceneSkin *skin);

void scene_skin_free(SceneSkin *skin);

/* Where the vertices are, as a user works it out who skins by himself: the joints' parts in their
 * order, w * (M p), those of weight zero left out; then the transform, unless `rows` is NULL. In
 * float, each operation rounded. As fast as we know: it is the loop that users of the peers have.
 */
void scene_skin_vertices(const SceneSkin *skin, const float (*joints)[3][4], const float (*rows)[4],
                         float *vertices);

/* The scenes of Mujika, Oyarzun, Arrieta and Carretero, "Real time accurate collision detection for
 * virtual characters", made anew: somebody of 44,345 vertices in a museum of 9,482 and in a living
 * room of 133,139. Meters; y is up. Rooms have walls, floors and ceilings of triangles larger than
 * the visitor, and do not lie along the axes.
 *
 * He or she is 1.75 m tall, looks along z and has x at the left; at rest with arms held away from
 * the body, at half a right angle. 53 joints: hips, three of the spine, neck, head, jaw; on each
 * side clavicle, upper arm, forearm, hand, three for each finger, thigh, shin, foot and toes. Made
 * of twenty closed pieces which reach into each other. */
enum { SCENE_AVATAR_JOINTS = 53, SCENE_AVATAR_INFLUENCES = 4 };

SceneSkin scene_avatar(void);

/* The same with rings and segments divided by 1 to 4, those of the head by half of that: 3 leaves
 * 10,800 triangles. */
SceneSkin scene_avatar_coarse(int divisor);

/* The matrices of the joints at a phase of walking, 0 to 1 for two paces, on the spot: the lowest
 * vertex is at y = 0, to a micrometre. `reach` from 0 to 1 takes the left arm out to the side. */
void scene_avatar_pose(const SceneSkin *avatar, double phase, double reach, float (*joints)[3][4]);

SceneMesh scene_museum(void);
SceneMesh scene_living_room(void);

/* A walk along a wall, in either: the first SCENE_WALK_CLOSE steps a few millimeters from the wall
 * and over the floor, touching neither. Then the left hand goes out to the wall, and hand and feet
 * reach a millimeter or two into it and the floor. */
enum { SCENE_WALK_STEPS = 120, SCENE_WALK_CLOSE = 80 };

typedef enum SceneRoom { SCENE_MUSEUM, SCENE_LIVING_ROOM } SceneRoom;

void scene_walk_pose(const SceneSkin *avatar, SceneRoom room, int step, float (*joints)[3][4],
                     float rows[3][4]);

/* A hundred visitors to the museum, each with a place and a pace of his own, walking in small
 * rounds. Some come close to walls, some into each other; one in ten has the feet half a millimeter
 * in the floor, all others walk two millimeters over it. */
enum { SCENE_VISITORS = 100, SCENE_VISITOR_STEPS = 200 };

void scene_visitor_pose(const SceneSkin *avatar, int visitor, int step, float (*joints)[3][4],
                        float rows[3][4]);

/* ---- Soups -------------------------------------------------------------------------------- */

/* Two clouds of small triangles that reach into each other, after the experiment of Ganovelli,
 * Dingliana and O'Sullivan, "BucketTree: Improving Collision Detection Between Deformable Objects",
 * 2000. Each cloud fills a ball of radius 1, evenly, or two thirds of it are in 20 clusters of
 * radius 0.02 to 0.2. Triangles are so small that each of them would touch one other if both clouds
 * were even and in the same place. */
typedef enum SceneSoupFill { SCENE_SOUP_EVEN, SCENE_SOUP_CLUSTERED } SceneSoupFill;

/* How triangles go on from one step to the next. Of the paper: in a direction that is drawn for the
 * whole cloud at each step, each within an angle of it, which is small or any; all as far, 0.015,
 * and clouds do not go far from their start. Or all of them are put somewhere else. */
typedef enum SceneSoupMotion {
    SCENE_SOUP_TOGETHER,  /* the angle is 0 */
    SCENE_SOUP_COHERENT,  /* 5 degrees */
    SCENE_SOUP_SCATTERED, /* any angle, as far in each step */
    SCENE_SOUP_ANEW,      /* anywhere in the cloud, at each step */
} SceneSoupMotion;

enum { SCENE_SOUP_STEPS = 60 };

typedef struct SceneSoup {
    SceneSoupFill fill;
    SceneSoupMotion motion;
    int32_t triangle_count; /* of each cloud */
    int step;               /* that the corners are of */
    SceneRandom random;
    float *corners[2]; /* nine floats a triangle */
    void *state;
} SceneSoup;

/* At step 0, where the balls overlap by a third of their diameter. */
SceneSoup scene_soup(SceneSoupFill fill, SceneSoupMotion motion, int32_t triangle_count,
                     uint64_t seed);
void scene_soup_free(SceneSoup *soup);

/* Goes on to the next step. */
void scene_soup_next(SceneSoup *soup);

/* A ball of jelly is cut by a blade over 50 steps, and falls apart; from step 85 on both pieces
 * fuse. The jelly is a soup whose number of triangles changes. Vertices stay, and new ones come
 * behind them. Places of triangles stay too; some are emptied (all corners UINT32_MAX) and filled
 * again, the more so as the blade is drawn back once on its way. The jelly is closed at every step:
 * each edge has two triangles, of one piece. It lies on y = -1; the blade moves along y. */
enum { SCENE_CUT_STEPS = 100 };

typedef struct SceneCut {
    SceneMesh blade;                   /* rigid and closed, moved by scene_cut_rows() */
    int32_t vertex_count, index_count; /* neither ever falls */
    int32_t triangle_count;            /* places that are not empty */
    float *vertices;                   /* three floats each, also of those not in use */
    uint32_t *corners;                 /* three for each place */
    int32_t *pieces; /* of each place: which connected piece it belongs to, 0 or 1; if empty, 0 */
    int step;
    void *state;
} SceneCut;

/* At step 0, with 20 * 4^subdivisions triangles, and about half as many more once it is cut. */
SceneCut scene_cut(int subdivisions);
void scene_cut_free(SceneCut *cut);

/* Goes on to the next step: new vertices, corners and counts; corners and pieces may move. */
void scene_cut_next(SceneCut *cut);

void scene_cut_rows(int step, float rows[3][4]);

/* Points that fly about among the twelve dolphins, in a box that swims with them: each on a path of
 * its own. About six in a hundred are inside a dolphin. At a step, three floats a point. */
void scene_particles(int32_t count, uint64_t seed, int step, float *points);

/* ---- Statues ------------------------------------------------------------------------------ */

/* Closed bodies in the place of those of Heidelberger, Teschner and Gross, "Volumetric Collision
 * Detection for Deformable Objects", 2003: as many triangles, and about as many layers as one looks
 * through them along the shortest side of their box. The knot, the rabbit and the reptile do not
 * cut themselves. */
typedef enum SceneStatue {
    SCENE_KNOT,    /* 12,000 triangles */
    SCENE_RABBIT,  /* 50,000 */
    SCENE_REPTILE, /* 110,000 */
    SCENE_SANTA,   /* 150,000, of nine pieces that reach into each other */
    SCENE_DRAGON,  /* 520,000 */
    SCENE_STATUES
} SceneStatue;

SceneMesh scene_statue(SceneStatue statue);

/* Two of them that reach into each other: a little, or deeply. First those of the paper's table,
 * in its order; then the knot in the dragon. */
enum { SCENE_STATUE_PAIRS = 7, SCENE_KNOT_IN_DRAGON = 6 };

typedef struct SceneStatuePair {
    SceneStatue statues[2];
    bool is_deep;
    SceneMesh meshes[2]; /* where they are. Owned */
} SceneStatuePair;

SceneStatuePair scene_statue_pair(int pair);
void scene_statue_pair_free(SceneStatuePair *pair);

/* Santa of 10,000 triangles, who wobbles: his vertices at a step. */
SceneMesh scene_small_santa(void);
void scene_santa_vertices(const SceneMesh *santa, int step, float *vertices);

/* Snow falls on him: points, three floats each. A step goes on from what is known about them,
 * a byte for each that is not 0 if it is inside. */
typedef struct SceneSnow {
    int32_t count;
    float *points, *speeds;
    SceneRandom random;
} SceneSnow;

SceneSnow scene_snow(int32_t count, uint64_t seed);
void scene_snow_free(SceneSnow *snow);
void scene_snow_next(SceneSnow *snow, const uint8_t *is_inside);

/* ---- Candidates -------------------------------------------------------------------------- */

/* All pairs of triangles whose boxes overlap, two indices each, sorted; found by a sweep along x.
 * Owned: free() it. Corners as from scene_corners(). */
uint32_t *scene_box_pairs(const float *a, int32_t a_count, const float *b, int32_t b_count,
                          int64_t *pair_count);

#ifdef __cplusplus
}
#endif

#endif
