/* Meshes of an FBX as parts, with their targets and skins. See fbx.h. */
#include "scene/fbx.h"

#include <assimp/cimport.h>
#include <assimp/material.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INFLUENCES = 8, MAX_JOINTS = 65536 };

/* The meshes of a node that are one part. */
typedef struct Group {
    const struct aiNode *node;
    int32_t material; /* -1: all of them */
} Group;

static const struct aiMesh *mesh_at(const Fbx *fbx, const Group *group, unsigned i)
{
    const unsigned number = group->node->mMeshes[i];
    const struct aiMesh *mesh = number < fbx->file->mNumMeshes ? fbx->file->mMeshes[number] : NULL;
    const bool is_in = mesh && mesh->mVertices &&
                       (group->material < 0 || mesh->mMaterialIndex == (unsigned)group->material);
    return is_in ? mesh : NULL;
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* Polygons become fans, as those of an OBJ do. */
static bool read_faces(Fbx *fbx, const struct aiMesh *mesh, int32_t number, uint32_t first,
                       ScenePart *part)
{
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        for (unsigned k = 0; k < face->mNumIndices; k++)
            if (face->mIndices[k] >= mesh->mNumVertices)
                return scene_fail(fbx->error, "face %u of '%.100s' has vertex %u of %u", f,
                                  mesh->mName.data, face->mIndices[k], mesh->mNumVertices);
        fbx->line_count += face->mNumIndices < 3;
        for (unsigned k = 2; k < face->mNumIndices; k++) {
            uint32_t *corners = part->triangles + 3 * (size_t)part->triangle_count;
            corners[0] = first + face->mIndices[0];
            corners[1] = first + face->mIndices[k - 1];
            corners[2] = first + face->mIndices[k];
            part->faces[part->triangle_count++] = (SceneFace){number, (int32_t)f};
        }
    }
    return true;
}

static bool put_vertex(Fbx *fbx, const struct aiMesh *mesh, const struct aiVector3D *from,
                       const struct aiVector3D *rest, float *to)
{
    to[0] = from->x - (rest ? rest->x : 0);
    to[1] = from->y - (rest ? rest->y : 0);
    to[2] = from->z - (rest ? rest->z : 0);
    return (isfinite(to[0]) && isfinite(to[1]) && isfinite(to[2])) ||
           scene_fail(fbx->error, "'%.100s' has a vertex that is not finite", mesh->mName.data);
}

/* libassimp has targets as vertices, and their weights at rest are not to be had: 0. */
static bool read_vertices(Fbx *fbx, const struct aiMesh *mesh, size_t first, ScenePart *part)
{
    for (unsigned v = 0; v < mesh->mNumVertices; v++)
        if (!put_vertex(fbx, mesh, &mesh->mVertices[v], NULL, part->vertices + 3 * (first + v)))
            return false;
    for (unsigned t = 0; t < mesh->mNumAnimMeshes; t++) {
        const struct aiAnimMesh *target = mesh->mAnimMeshes[t];
        float *to = part->targets + 3 * ((size_t)t * (size_t)part->vertex_count + first);
        if (!target->mVertices || target->mNumVertices != mesh->mNumVertices)
            continue;
        for (unsigned v = 0; v < mesh->mNumVertices; v++)
            if (!put_vertex(fbx, mesh, &target->mVertices[v], &mesh->mVertices[v], to + 3 * v))
                return false;
    }
    return true;
}

static bool name_targets(Fbx *fbx, const struct aiMesh *mesh, ScenePart *part)
{
    for (int32_t t = 0; t < part->target_count; t++) {
        char number[16];
        snprintf(number, sizeof number, "%d", (int)t);
        const bool has_name =
            (unsigned)t < mesh->mNumAnimMeshes && mesh->mAnimMeshes[t]->mName.length > 0;
        part->target_names[t] = strdup(has_name ? mesh->mAnimMeshes[t]->mName.data : number);
        if (!part->target_names[t])
            return scene_fail(fbx->error, "there is no memory left");
    }
    return true;
}

/* ---- Skins ----------------------------------------------------------------------------------- */

static bool are_same(const float a[16], const float b[16])
{
    for (int i = 0; i < 16; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* The joint of a bone in the skin, which is added if it is a new one; -1: an error. Meshes of one
 * part share joints, so that vertices along their seams move alike. */
static int32_t joint_of(Fbx *fbx, const struct aiBone *bone, SceneSkin *skin)
{
    float bind[16];
    const int32_t node = fbx_node(fbx, &bone->mName);
    if (node < 0) {
        scene_fail(fbx->error, "joint '%.100s' is no node", bone->mName.data);
        return -1;
    }
    if (!fbx_matrix(fbx, &bone->mOffsetMatrix, bone->mName.data, bind))
        return -1;
    for (int32_t j = 0; j < skin->joint_count; j++)
        if (skin->joints[j] == node && are_same(skin->inverse_binds[j], bind))
            return j;
    if (skin->joint_count == MAX_JOINTS) {
        scene_fail(fbx->error, "a skin has more than %d joints", MAX_JOINTS);
        return -1;
    }
    skin->joints[skin->joint_count] = node;
    memcpy(skin->inverse_binds[skin->joint_count], bind, sizeof bind);
    return skin->joint_count++;
}

/* A joint of a vertex: where there are eight, it takes the place of the weakest. */
static void add_influence(Fbx *fbx, ScenePart *part, size_t vertex, int32_t joint, float weight,
                          uint8_t *counts)
{
    uint16_t *joints = part->joints + vertex * MAX_INFLUENCES;
    float *weights = part->joint_weights + vertex * MAX_INFLUENCES;
    size_t at = counts[vertex];
    if (at == MAX_INFLUENCES) {
        fbx->crowded_count++;
        at = 0;
        for (size_t k = 1; k < MAX_INFLUENCES; k++)
            at = weights[k] < weights[at] ? k : at;
        if (weights[at] >= weight)
            return;
    } else {
        counts[vertex]++;
    }
    joints[at] = (uint16_t)joint;
    weights[at] = weight;
}

static bool read_bones(Fbx *fbx, const struct aiMesh *mesh, size_t first, ScenePart *part,
                       uint8_t *counts)
{
    SceneSkin *skin = &fbx->scene->skins[part->skin];
    for (unsigned b = 0; b < mesh->mNumBones; b++) {
        const struct aiBone *bone = mesh->mBones[b];
        const int32_t joint = joint_of(fbx, bone, skin);
        if (joint < 0)
            return false;
        for (unsigned i = 0; i < bone->mNumWeights; i++) {
            const struct aiVertexWeight *weight = &bone->mWeights[i];
            if (weight->mVertexId >= mesh->mNumVertices || !(weight->mWeight >= 0) ||
                !isfinite(weight->mWeight))
                return scene_fail(fbx->error, "joint '%.100s' has vertex %u of %u, by %g",
                                  bone->mName.data, weight->mVertexId, mesh->mNumVertices,
                                  (double)weight->mWeight);
            if (weight->mWeight > 0)
                add_influence(fbx, part, first + weight->mVertexId, joint, weight->mWeight, counts);
        }
    }
    return true;
}

/* Weights of a vertex sum to one. */
static void normalise(Fbx *fbx, ScenePart *part)
{
    for (size_t v = 0; v < (size_t)part->vertex_count; v++) {
        float *own = part->joint_weights + v * MAX_INFLUENCES;
        double sum = 0;
        for (int k = 0; k < MAX_INFLUENCES; k++)
            sum += (double)own[k];
        if (!(sum > 0)) {
            fbx->loose_count++;
            own[0] = 1;
            sum = 1;
        }
        for (int k = 0; k < MAX_INFLUENCES; k++)
            own[k] = (float)((double)own[k] / sum);
    }
}

/* Room for eight joints is made before it is known how many vertices have: what none needs goes. */
static void pack_influences(ScenePart *part, const uint8_t *counts)
{
    size_t width = 1;
    for (int32_t v = 0; v < part->vertex_count; v++)
        width = counts[v] > width ? counts[v] : width;
    for (size_t v = 0; v < (size_t)part->vertex_count; v++)
        for (size_t k = 0; k < width; k++) {
            part->joints[v * width + k] = part->joints[v * MAX_INFLUENCES + k];
            part->joint_weights[v * width + k] = part->joint_weights[v * MAX_INFLUENCES + k];
        }
    part->influence_count = (int32_t)width;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

typedef struct Size {
    int64_t vertices, triangles, bones, targets;
} Size;

static Size measure(const Fbx *fbx, const Group *group)
{
    Size size = {0};
    for (unsigned i = 0; i < group->node->mNumMeshes; i++) {
        const struct aiMesh *mesh = mesh_at(fbx, group, i);
        size.vertices += mesh ? mesh->mNumVertices : 0;
        size.bones += mesh ? mesh->mNumBones : 0;
        if (mesh && mesh->mNumAnimMeshes > size.targets)
            size.targets = mesh->mNumAnimMeshes;
        for (unsigned f = 0; mesh && f < mesh->mNumFaces; f++)
            size.triangles += mesh->mFaces[f].mNumIndices > 2 ? mesh->mFaces[f].mNumIndices - 2 : 0;
    }
    return size;
}

static bool add_skin(Fbx *fbx, int64_t bone_count, ScenePart *part)
{
    SceneSkin *skins =
        realloc(fbx->scene->skins, ((size_t)fbx->scene->skin_count + 1) * sizeof *skins);
    if (!skins)
        return scene_fail(fbx->error, "there is no memory left");
    fbx->scene->skins = skins;
    part->skin = fbx->scene->skin_count++;
    SceneSkin *skin = &skins[part->skin];
    *skin = (SceneSkin){0};
    skin->joints =
        scene_allocate((size_t)bone_count, sizeof *skin->joints, &fbx->budget, fbx->error);
    skin->inverse_binds =
        scene_allocate((size_t)bone_count, sizeof *skin->inverse_binds, &fbx->budget, fbx->error);
    return skin->joints && skin->inverse_binds;
}

static bool allocate(Fbx *fbx, const Size *size, ScenePart *part)
{
    if (size->vertices > INT32_MAX || size->triangles > INT32_MAX)
        return scene_fail(fbx->error, "'%.100s' is too large", part->name);
    const size_t v = (size_t)size->vertices, t = (size_t)size->triangles,
                 targets = (size_t)size->targets, joints = size->bones ? MAX_INFLUENCES * v : 0;
    size_t *budget = &fbx->budget;
    SceneError *error = fbx->error;
    part->vertex_count = part->read_count = (int32_t)v;
    part->influence_count = size->bones ? MAX_INFLUENCES : 0;
    return (part->vertices = scene_allocate(v, sizeof(float[3]), budget, error)) &&
           (part->triangles = scene_allocate(t, sizeof(uint32_t[3]), budget, error)) &&
           (part->faces = scene_allocate(t, sizeof *part->faces, budget, error)) &&
           (part->targets = scene_allocate(targets * v, sizeof(float[3]), budget, error)) &&
           (part->weights = scene_allocate(targets, sizeof(float), budget, error)) &&
           (part->joints = scene_allocate(joints, sizeof(uint16_t), budget, error)) &&
           (part->joint_weights = scene_allocate(joints, sizeof(float), budget, error)) &&
           (part->target_names = scene_allocate(targets, sizeof(char *), budget, error));
}

static bool fill(Fbx *fbx, const Group *group, const Size *size, ScenePart *part)
{
    size_t first = 0;
    bool is_read = true;
    uint8_t *counts =
        scene_allocate((size_t)part->vertex_count, sizeof *counts, &fbx->budget, fbx->error);
    for (unsigned i = 0; counts && is_read && i < group->node->mNumMeshes; i++) {
        const struct aiMesh *mesh = mesh_at(fbx, group, i);
        if (!mesh)
            continue;
        if (part->target_count == 0 && size->targets > 0) {
            part->target_count = (int32_t)size->targets;
            is_read = name_targets(fbx, mesh, part);
        }
        is_read = is_read && read_vertices(fbx, mesh, first, part) &&
                  read_faces(fbx, mesh, (int32_t)i, (uint32_t)first, part) &&
                  (part->skin < 0 || read_bones(fbx, mesh, first, part, counts));
        first += mesh->mNumVertices;
    }
    is_read = counts && is_read;
    if (is_read && part->skin >= 0) {
        normalise(fbx, part);
        pack_influences(part, counts);
    }
    free(counts);
    return is_read;
}

static bool name_part(Fbx *fbx, const Group *group, ScenePart *part)
{
    struct aiString material = {0};
    const size_t room = sizeof material.data + (size_t)group->node->mName.length + 2;
    if (group->material >= 0 && (unsigned)group->material < fbx->file->mNumMaterials)
        (void)aiGetMaterialString(fbx->file->mMaterials[group->material], AI_MATKEY_NAME,
                                  &material);
    part->name = malloc(room);
    if (part->name)
        snprintf(part->name, room, "%s%s%s", group->node->mName.data,
                 group->material < 0 ? "" : "/", material.data);
    return part->name || scene_fail(fbx->error, "there is no memory left");
}

static bool read_group(Fbx *fbx, int32_t node, const Group *group)
{
    Scene *scene = fbx->scene;
    const Size size = measure(fbx, group);
    if (size.triangles == 0)
        return true;
    ScenePart *parts = realloc(scene->parts, ((size_t)scene->part_count + 1) * sizeof *parts);
    if (!parts)
        return scene_fail(fbx->error, "there is no memory left");
    scene->parts = parts;
    ScenePart *part = &parts[scene->part_count++];
    *part = (ScenePart){.node = node, .skin = -1, .cached = -1};
    return name_part(fbx, group, part) && (size.bones == 0 || add_skin(fbx, size.bones, part)) &&
           allocate(fbx, &size, part) && fill(fbx, group, &size, part);
}

static bool make_names_unique(Fbx *fbx)
{
    Scene *scene = fbx->scene;
    char **names =
        scene_allocate((size_t)scene->part_count, sizeof *names, &fbx->budget, fbx->error);
    for (int32_t i = 0; names && i < scene->part_count; i++)
        names[i] = scene->parts[i].name;
    const bool is_ok = names && scene_make_unique(names, scene->part_count, fbx->error);
    for (int32_t i = 0; names && i < scene->part_count; i++)
        scene->parts[i].name = names[i];
    free(names);
    return is_ok;
}

bool fbx_read_parts(Fbx *fbx)
{
    const bool is_by_material = fbx->options->by == SCENE_BY_MATERIAL;
    for (int32_t i = 1; i < fbx->scene->node_count; i++) {
        Group group = {fbx->nodes[i - 1], -1};
        if (group.node->mNumMeshes == 0)
            continue;
        const int32_t count = is_by_material ? (int32_t)fbx->file->mNumMaterials : 1;
        for (int32_t m = 0; m < count; m++) {
            group.material = is_by_material ? m : -1;
            if (!read_group(fbx, i, &group))
                return false;
        }
    }
    return make_names_unique(fbx);
}
