/* FBX: nodes, and the whole. See fbx.h. */
#include "scene/reader.h"

#ifdef HAS_ASSIMP
#include "scene/fbx.h"

#include <assimp/cimport.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Nodes ----------------------------------------------------------------------------------- */

bool fbx_matrix(Fbx *fbx, const struct aiMatrix4x4 *from, const char *where, float to[16])
{
    const float columns[16] = {from->a1, from->b1, from->c1, from->d1, from->a2, from->b2,
                               from->c2, from->d2, from->a3, from->b3, from->c3, from->d3,
                               from->a4, from->b4, from->c4, from->d4};
    for (int i = 0; i < 16; i++)
        if (!isfinite(columns[i]))
            return scene_fail(fbx->error, "'%.100s' has a matrix that is not finite", where);
    if (fabsf(columns[3]) > 1e-5f || fabsf(columns[7]) > 1e-5f || fabsf(columns[11]) > 1e-5f ||
        fabsf(columns[15] - 1) > 1e-5f)
        return scene_fail(fbx->error, "'%.100s' has a matrix whose last row is not 0 0 0 1", where);
    memcpy(to, columns, sizeof columns);
    return true;
}

/* Lists all nodes, parents first, without recursion: a file may be deep. */
static bool list_nodes(Fbx *fbx, int32_t *count, int32_t **parents)
{
    size_t room = 64, used = 1;
    *parents = malloc(room * sizeof **parents);
    fbx->nodes = malloc(room * sizeof(void *));
    bool is_listed = *parents && fbx->nodes;
    if (is_listed) {
        fbx->nodes[0] = fbx->file->mRootNode;
        (*parents)[0] = 0;
    }
    for (size_t i = 0; is_listed && i < used; i++) {
        const struct aiNode *node = fbx->nodes[i];
        const size_t needed = used + node->mNumChildren;
        if (needed > room) {
            room = 2 * needed;
            const struct aiNode **nodes = realloc(fbx->nodes, room * sizeof(void *));
            fbx->nodes = nodes ? nodes : fbx->nodes;
            int32_t *larger = realloc(*parents, room * sizeof *larger);
            *parents = larger ? larger : *parents;
            is_listed = nodes && larger;
        }
        for (unsigned k = 0; is_listed && k < node->mNumChildren; k++, used++) {
            fbx->nodes[used] = node->mChildren[k];
            (*parents)[used] = (int32_t)i + 1;
        }
    }
    *count = (int32_t)used;
    return is_listed || scene_fail(fbx->error, "there is no memory left");
}

/* Meters in a unit of the file. */
static double unit_of(const struct aiScene *file)
{
    const struct aiMetadata *data = file->mMetaData;
    double factor = 1;
    for (unsigned i = 0; data && i < data->mNumProperties; i++) {
        const struct aiMetadataEntry *entry = &data->mValues[i];
        if (strcmp(data->mKeys[i].data, "UnitScaleFactor") != 0)
            continue;
        if (entry->mType == AI_DOUBLE)
            factor = *(const double *)entry->mData;
        else if (entry->mType == AI_FLOAT)
            factor = (double)*(const float *)entry->mData;
        else if (entry->mType == AI_INT32)
            factor = *(const int32_t *)entry->mData;
    }
    return isfinite(factor) && factor > 1e-6 && factor < 1e6 ? factor / 100 : 0.01;
}

static int by_text(const void *a, const void *b)
{
    const FbxName *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    return order ? order : (x->node > y->node) - (x->node < y->node);
}

int32_t fbx_node(const Fbx *fbx, const struct aiString *name)
{
    int32_t low = 0, high = fbx->scene->node_count;
    while (low < high) { /* the first that is not before it */
        const int32_t middle = low + (high - low) / 2;
        if (strcmp(fbx->names[middle].text, name->data) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const bool is_there =
        low < fbx->scene->node_count && strcmp(fbx->names[low].text, name->data) == 0;
    return is_there ? fbx->names[low].node : -1;
}

static bool read_nodes(Fbx *fbx, const int32_t *parents, int32_t count)
{
    Scene *scene = fbx->scene;
    const float scale = (float)unit_of(fbx->file);
    scene->nodes =
        scene_allocate((size_t)count + 1, sizeof *scene->nodes, &fbx->budget, fbx->error);
    fbx->names = scene_allocate((size_t)count + 1, sizeof *fbx->names, &fbx->budget, fbx->error);
    if (!scene->nodes || !fbx->names)
        return false;
    scene->node_count = count + 1;
    for (int32_t i = 0; i <= count; i++) {
        SceneNode *node = &scene->nodes[i];
        *node = (SceneNode){.parent = i ? parents[i - 1] : -1, .is_in_scene = true};
        node->rotation[3] = node->scale[0] = node->scale[1] = node->scale[2] = 1;
        node->has_matrix = i > 0;
        if (!(node->name = strdup(i ? fbx->nodes[i - 1]->mName.data : "unit")))
            return scene_fail(fbx->error, "there is no memory left");
        fbx->names[i] = (FbxName){node->name, i};
        if (i && !fbx_matrix(fbx, &fbx->nodes[i - 1]->mTransformation, node->name, node->matrix))
            return false;
    }
    for (int k = 0; k < 3; k++)
        scene->nodes[0].scale[k] = scale;
    qsort(fbx->names, (size_t)count + 1, sizeof *fbx->names, by_text);
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void add_notes(const Fbx *fbx)
{
    if (fbx->line_count)
        scene_note(fbx->scene, "%lld points and lines are left out", (long long)fbx->line_count);
    if (fbx->loose_count)
        scene_note(fbx->scene, "%lld vertices of skins have no joint: they follow the first one",
                   (long long)fbx->loose_count);
    if (fbx->crowded_count)
        scene_note(fbx->scene, "%lld vertices have more than 8 joints: the 8 strongest are used",
                   (long long)fbx->crowded_count);
    if (fbx->morph_count)
        scene_note(
            fbx->scene,
            "%lld animation%s left out, of morph targets: of shapes in between, or of several "
            "meshes or deformers in one node; a GLB has them",
            (long long)fbx->morph_count, fbx->morph_count == 1 ? " is" : "s are");
    for (int32_t p = 0; p < fbx->scene->part_count; p++)
        if (fbx->scene->parts[p].target_count > 0) {
            scene_note(fbx->scene,
                       "weights of morph targets at rest are not read: they are 0 where "
                       "no animation moves them; --morph sets them");
            return;
        }
}

static bool read_all(Fbx *fbx)
{
    int32_t count = 0, *parents = NULL;
    if (!fbx->file->mRootNode)
        return scene_fail(fbx->error, "it has no nodes");
    const bool is_read = list_nodes(fbx, &count, &parents) && read_nodes(fbx, parents, count) &&
                         fbx_read_parts(fbx) && fbx_read_clips(fbx);
    free(parents);
    free(fbx->nodes);
    free(fbx->names);
    if (is_read)
        add_notes(fbx);
    return is_read && (!fbx->options->is_welded || scene_weld(fbx->scene, fbx->error));
}

Scene *scene_read_fbx(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error)
{
    Fbx fbx = {.options = options, .error = error, .budget = scene_budget(options, byte_count)};
    if (byte_count > UINT32_MAX || !(fbx.scene = scene_create("FBX", error))) {
        scene_fail(error, "the file is too large for libassimp");
        return NULL;
    }
    fbx.file = aiImportFileFromMemory(bytes, (unsigned)byte_count, 0, "fbx");
    if (!fbx.file)
        scene_fail(error, "libassimp cannot read it: %.300s", aiGetErrorString());
    if (!fbx.file || !read_all(&fbx)) {
        scene_free(fbx.scene);
        fbx.scene = NULL;
    }
    aiReleaseImport(fbx.file);
    return fbx.scene;
}

#else

Scene *scene_read_fbx(const void *bytes, size_t byte_count, const SceneOptions *options,
                      SceneError *error)
{
    (void)bytes;
    (void)byte_count;
    (void)options;
    scene_fail(error, "this build is without libassimp, which reads FBX: export it as glTF (.glb)");
    return NULL;
}

#endif
