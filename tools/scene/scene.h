/* scene: what a model file holds, whatever its format, and where it is at a moment.
 *
 * A reader turns a file into a Scene: parts (what is checked against what), the rig that moves them
 * (nodes, skins), and clips (animations). Nothing behind this header knows which format it was. The
 * one idea: a part is what a PliantShape wants, and a pose is what the calls of a PliantBody want,
 * so that between a file and a query nothing is evaluated vertex by vertex.
 *
 * Files are not trusted: every number in them is checked before it is used. What is not supported
 * is refused by its name, never read wrongly.
 */
#ifndef TOOLS_SCENE_H
#define TOOLS_SCENE_H

#include <pliant/pliant.h>

#include <stdio.h>

/* Why a file was refused: one sentence, with where it is in the file ("accessors[3].count is ...").
 */
typedef struct SceneError {
    char text[400];
} SceneError;

/* What parts are made of: all that a node draws, or each material of it by itself. */
typedef enum SceneBy { SCENE_BY_NODE, SCENE_BY_MATERIAL } SceneBy;

typedef struct SceneOptions {
    SceneBy by;
    bool has_hidden;    /* nodes that the file hides are parts too */
    bool is_welded;     /* vertices in one place, with the same skin and targets, are one */
    size_t max_bytes;   /* that a file may make us hold: refused beyond it */
    bool is_any_growth; /* up to max_bytes, however small the file; else see scene_budget() */
    double fps;         /* of what has frames but no times: sequences, caches without a rate */
    bool has_looks;     /* how parts look is read too, where a reader can */
    /* Is told each file that was read, and what it held; NULL: nobody is. */
    void (*watch)(void *user, const char *path, const void *bytes, size_t byte_count);
    void *watch_user;
} SceneOptions;

SceneOptions scene_options_default(void);

/* A triangle as its file counts: the mesh's primitive (0 where there are none), and the face in it
 * (a polygon of an OBJ is one face, however many triangles it makes). */
typedef struct SceneFace {
    int32_t primitive, face;
} SceneFace;

/* How a part looks, for pages: of no meaning for what is checked. All NULL: that is not known. */
typedef struct ScenePaint {
    int32_t *looks;  /* of each triangle, in Scene.looks; -1: plain */
    float *uvs;      /* two for each corner of each triangle; NULL: nothing has an image */
    uint8_t *colors; /* red, green, blue for each corner, linear; NULL: vertices have none */
} ScenePaint;

typedef struct ScenePart {
    char *name;   /* of no other part: the node's, or "node/material"; "#2" is added to a second */
    int32_t node; /* that places it, or -1: it is where its vertices are */
    int32_t skin; /* or -1 */
    int32_t cached; /* where its vertices begin in a frame of the scene's cache, or -1. The cache
                       alone moves them: of a skin it has just the names of joints */
    int32_t placed; /* its transform in a frame of the scene's cache, if that has any */
    int32_t vertex_count, triangle_count;
    int32_t read_count;      /* vertices before welding */
    float *vertices;         /* at rest, three floats each */
    uint32_t *triangles;     /* three vertices each */
    SceneFace *faces;        /* of each triangle */
    int32_t target_count;    /* morph targets, displacements of all vertices */
    float *targets;          /* target_count * vertex_count * 3 */
    char **target_names;     /* "0", "1", ... where the file names none */
    float *weights;          /* of the targets at rest */
    int32_t influence_count; /* joints of a vertex at most; 0 without a skin */
    uint16_t *joints;        /* influence_count for each vertex: indices into the skin's joints */
    float *joint_weights;    /* likewise, of sum one */
    int32_t *sources;        /* of an OBJ or PLY that is not welded: each vertex's number in the
                                file, rising; else NULL */
    ScenePaint paint;
} ScenePart;

/* Where a node is in its parent, at rest: by a matrix (columns, as in glTF), or by the three. */
typedef struct SceneNode {
    char *name;
    int32_t parent; /* or -1. A parent may stand after its children; there are no cycles */
    bool has_matrix;
    float matrix[16];
    float translation[3], rotation[4], scale[3];
    bool is_in_scene; /* shown: reached from the default scene's roots */
} SceneNode;

typedef struct SceneSkin {
    int32_t joint_count;
    int32_t *joints;            /* nodes */
    float (*inverse_binds)[16]; /* columns */
} SceneSkin;

typedef enum ScenePath { SCENE_TRANSLATION, SCENE_ROTATION, SCENE_SCALE, SCENE_WEIGHTS } ScenePath;
typedef enum SceneEase { SCENE_STEP, SCENE_LINEAR, SCENE_CUBIC } SceneEase;

/* One property of one node over time. */
typedef struct SceneTrack {
    int32_t node;
    ScenePath path;
    SceneEase ease;
    int32_t key_count, width; /* width: numbers of a value, of weights the number of targets */
    float *times;             /* rising */
    float *values;            /* key_count * width, three times that for cubic: in, value, out */
} SceneTrack;

typedef struct SceneClip {
    char *name;        /* of no other clip */
    double start, end; /* seconds */
    int32_t track_count;
    SceneTrack *tracks;
    int32_t frame_count; /* of the scene's cache; 0: it is made of tracks */
    double fps;          /* of the cache, or the file's own rate where its keys show one; else 0 */
} SceneClip;

/* Vertices of all cached parts, frame by frame, in the parts' order after welding. */
typedef struct SceneCache {
    int32_t vertex_count, frame_count;
    float *vertices;
    int32_t transform_count; /* of a frame */
    PliantTransform
        *transforms; /* frame by frame: these place all parts, and nodes none. Or NULL */
} SceneCache;

/* A color, linear, and an image that is multiplied by it. */
typedef struct SceneLook {
    float color[3];
    int32_t image; /* in Scene.images, or -1 */
} SceneLook;

/* A PNG or JPEG, as the file has it: nothing of it was read but how it begins. */
typedef struct SceneImage {
    uint8_t *bytes; /* NULL: it is not there, or too large */
    size_t size;
    bool is_png;
} SceneImage;

typedef struct Scene {
    char *format; /* "glTF 2.0", "GLB", "OBJ", "OBJ sequence", "PLY", "PC2 over OBJ" ... */
    int32_t part_count, node_count, skin_count, clip_count;
    ScenePart *parts;
    SceneNode *nodes;
    SceneSkin *skins;
    SceneClip *clips;
    SceneCache cache;
    int32_t source_count; /* vertices of the file, used or not, that parts' sources count */
    char **notes; /* what was read but means nothing here, one line each ("2 parts of lines left
                     out") */
    int32_t note_count;
    SceneLook *looks; /* only where they were asked for */
    SceneImage *images;
    int32_t look_count, image_count;
} Scene;

/* Reads a file by its ending (see formats.c); "name_####.obj" or
 * "name_%04d.ply" is a numbered sequence. NULL if it cannot be read: the error says why. */
Scene *scene_read(const char *path, const SceneOptions *options, SceneError *error);

/* Is it a model by its ending: one that is read, or one that is refused with what to do instead? */
bool scene_is_model(const char *path);
/* A cache of vertices, which goes with a mesh beside it? */
bool scene_is_cache(const char *path);
/* "walk_####.obj", "walk_%04d.ply": a numbered sequence? A file that has just this name is that
 * file. */
bool scene_is_sequence(const char *path);

/* The same from memory, for each format. What a file refers to is looked for in `folder`, NULL: it
 * may refer to nothing. */
Scene *scene_read_gltf(const void *bytes, size_t byte_count, const char *folder,
                       const SceneOptions *options, SceneError *error);
Scene *scene_read_obj(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error);
Scene *scene_read_ply(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error);
Scene *scene_read_stl(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error);
/* Through libassimp; refused in a build without it. */
Scene *scene_read_fbx(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error);
/* A point cache over the scene of an OBJ, which becomes one clip. Returns false, and leaves the
 * scene as it was, if it does not fit. */
bool scene_add_pc2(Scene *scene, const void *bytes, size_t byte_count, const SceneOptions *options,
                   SceneError *error);

bool scene_add_mdd(Scene *scene, const void *bytes, size_t byte_count, const SceneOptions *options,
                   SceneError *error);

/* Several caches with samples at the same times, as one scene: together.c. */
Scene *scene_read_together(const char *const *paths, int32_t count, const SceneOptions *options,
                           SceneError *error);

void scene_free(Scene *scene); /* NULL is ignored */

/* ---- Points: points.c --------------------------------------------------------------------------
 */

/* Leaves out triangles that are one point in every pose, and parts that have no others; notes say
 * so. */
void scene_drop_points(Scene *scene);

/* ---- Welding: weld.c --------------------------------------------------------------------------
 */

/* Makes vertices of a part one where positions, targets, joints and weights, and all frames of the
 * cache, are the same, to the bit but for -0. Triangles stay, in their order. */
bool scene_weld(Scene *scene, SceneError *error);

/* ---- Where everything is at a moment: rig.c -----------------------------------------------------
 */

/* What a part's body is to be told. What does not apply is NULL or the identity. */
typedef struct PartPose {
    PliantTransform transform;
    const PliantTransform *joints; /* of a part with a skin, joint_count of its skin */
    const float *weights;          /* of a part with targets */
    const float *vertices;         /* of a cached part */
} PartPose;

typedef struct ScenePose ScenePose; /* memory for one moment at a time; see rig.c */

ScenePose *scene_pose_create(const Scene *scene); /* NULL: no memory */
void scene_pose_free(ScenePose *pose);

/* Sets one target's weight, by the name of the target, in all parts that have it, over whatever
 * clips say; NAN gives it back to them. How many parts have it. */
int32_t scene_pose_set_morph(ScenePose *pose, const char *target, float weight);

/* Where everything is at a time of a clip; clip -1 is the rest pose, as the file has it. Times
 * beyond the ends are held. Globals are computed in double and rounded once. A track that is not
 * finite, or a matrix that overflows, gives false: the file is wrong there (error). */
bool scene_pose_at(ScenePose *pose, int32_t clip, double time, SceneError *error);

const PartPose *scene_pose_part(const ScenePose *pose, int32_t part);

/* The frames of a clip at a rate (0: its own, or 30): frame k is at clip->start + k / rate, and the
 * last one at or after its end, held there. At least one. */
int32_t scene_clip_frames(const SceneClip *clip, double rate, double *used_rate);

/* The number of its first frame at a rate, as the file counts: a clip that starts at 101 / 30 s has
 * frames from 101 on at 30 frames a second. 0 where its start is between frames. */
int32_t scene_clip_first(const SceneClip *clip, double rate);

#endif
