/* FBX, as libassimp gives it: for fbx*.c alone.
 *
 * libassimp is used for this format and for no other: those that we read ourselves it reads with
 * less care. What it returns is checked as a file is: every index and every number.
 *
 * FBX measures in centimeters times a factor of the file, and libassimp leaves that to its caller:
 * a node above all others scales to meters.
 */
#ifndef TOOLS_FBX_H
#define TOOLS_FBX_H

#include "scene/reader.h"

#include <assimp/scene.h>

typedef struct FbxName {
    const char *text;
    int32_t node;
} FbxName;

typedef struct Fbx {
    const struct aiScene *file;
    const SceneOptions *options;
    SceneError *error;
    size_t budget;
    Scene *scene;
    const struct aiNode **nodes; /* node i of the scene is nodes[i - 1]; 0 is that of the unit */
    FbxName *names;              /* of all nodes, sorted */
    int64_t line_count, loose_count, crowded_count, morph_count; /* for notes */
} Fbx;

/* The node of a name; -1: none. */
int32_t fbx_node(const Fbx *fbx, const struct aiString *name);

/* Columns, as scenes have them. False, with an error: it is not affine, or not finite. */
bool fbx_matrix(Fbx *fbx, const struct aiMatrix4x4 *from, const char *where, float to[16]);

bool fbx_read_parts(Fbx *fbx); /* fbx_mesh.c */
bool fbx_read_clips(Fbx *fbx); /* fbx_clip.c */

#endif
