/* Nodes and skins: who stands on whom, and what is shown. Files are walked from child to parent,
 * one step at a time, so that a chain of a million nodes needs no stack.
 */
#include "scene/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Where a node is ------------------------------------------------------------------------- */

/* How far the last row of a matrix may be from 0 0 0 1, which writers round. */
#define AFFINE_SLACK 1e-5f

static bool is_affine(const float matrix[16])
{
    return fabsf(matrix[3]) <= AFFINE_SLACK && fabsf(matrix[7]) <= AFFINE_SLACK &&
           fabsf(matrix[11]) <= AFFINE_SLACK && fabsf(matrix[15] - 1) <= AFFINE_SLACK;
}

static bool read_place(Gltf *gltf, const GltfItem *item, SceneNode *node)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    bool is_there;
    memcpy(node->matrix, identity, sizeof identity);
    node->rotation[3] = node->scale[0] = node->scale[1] = node->scale[2] = 1;
    if (!gltf_numbers(gltf, item, "matrix", 16, node->matrix, &node->has_matrix) ||
        !gltf_numbers(gltf, item, "translation", 3, node->translation, &is_there) ||
        !gltf_numbers(gltf, item, "rotation", 4, node->rotation, &is_there) ||
        !gltf_numbers(gltf, item, "scale", 3, node->scale, &is_there))
        return false;
    if (!is_affine(node->matrix))
        return scene_fail(gltf->error, "%s.matrix has a last row that is not 0 0 0 1", item->where);
    const float *q = node->rotation;
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
        return scene_fail(gltf->error, "%s.rotation is zero", item->where);
    return true;
}

static bool adopt_children(Gltf *gltf, const GltfItem *item, int32_t parent)
{
    json_t *list;
    int32_t count, child;
    SceneNode *nodes = gltf->scene->nodes;
    if (!gltf_list(gltf, item, "children", &list, &count))
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (!gltf_reference_at(gltf, item, "children", list, i, "nodes", &child))
            return false;
        if (nodes[child].parent >= 0)
            return scene_fail(gltf->error, "%s.children[%d] is %d, which nodes[%d] has already",
                              item->where, (int)i, (int)child, (int)nodes[child].parent);
        nodes[child].parent = parent;
    }
    return true;
}

/* ---- What is shown --------------------------------------------------------------------------- */

enum State { UNKNOWN, HIDDEN, SHOWN, ON_THE_WAY };

/* Marks the roots: those of the file's scene, of its first one if it names none, or all of them if
 * there are no scenes. */
static bool mark_roots(Gltf *gltf, uint8_t *states)
{
    json_t *list;
    GltfItem top = {.json = gltf->root}, item;
    int32_t index, scene_count, count, root;
    const Scene *scene = gltf->scene;
    if (!gltf_count(gltf, "scenes", &scene_count) ||
        !gltf_reference(gltf, &top, "scene", "scenes", &index))
        return false;
    for (int32_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].parent < 0)
            states[i] = scene_count == 0 ? SHOWN : HIDDEN;
    if (scene_count == 0)
        return true;
    if (index < 0 && scene_count > 1)
        scene_note(gltf->scene, "the first of %d scenes is read", (int)scene_count);
    if (!gltf_item(gltf, "scenes", index < 0 ? 0 : index, &item) ||
        !gltf_list(gltf, &item, "nodes", &list, &count))
        return false;
    for (int32_t i = 0; i < count; i++) {
        if (!gltf_reference_at(gltf, &item, "nodes", list, i, "nodes", &root))
            return false;
        if (scene->nodes[root].parent >= 0)
            return scene_fail(gltf->error, "%s.nodes[%d] is %d, which is a child of nodes[%d]",
                              item.where, (int)i, (int)root, (int)scene->nodes[root].parent);
        states[root] = SHOWN;
    }
    return true;
}

/* A node is shown if its root is. Each node is passed twice, however deep they are. */
static bool settle(Gltf *gltf, int32_t start, uint8_t *states)
{
    const SceneNode *nodes = gltf->scene->nodes;
    int32_t end = start;
    while (states[end] == UNKNOWN) {
        states[end] = ON_THE_WAY;
        end = nodes[end].parent;
    }
    if (states[end] == ON_THE_WAY)
        return scene_fail(gltf->error, "nodes[%d] is among its own descendants", (int)end);
    for (int32_t node = start; node != end; node = nodes[node].parent)
        states[node] = states[end];
    return true;
}

static bool is_hidden(Gltf *gltf, int32_t node, bool *is_so)
{
    GltfItem item;
    if (!gltf_item(gltf, "nodes", node, &item))
        return false;
    *is_so =
        json_is_false(json_object_get(gltf_extension(&item, "KHR_node_visibility"), "visible"));
    return true;
}

/* Hides nodes that the file hides, and all below them. There are no cycles by now. */
static bool hide(Gltf *gltf, uint8_t *states)
{
    int32_t count = 0;
    const Scene *scene = gltf->scene;
    for (int32_t i = 0; i < scene->node_count; i++) {
        bool is_so;
        if (!is_hidden(gltf, i, &is_so))
            return false;
        if (is_so)
            states[i] = HIDDEN;
        else if (scene->nodes[i].parent >= 0)
            states[i] = UNKNOWN;
        count += is_so;
    }
    for (int32_t i = 0; i < scene->node_count; i++)
        if (!settle(gltf, i, states))
            return false;
    if (count > 0)
        scene_note(gltf->scene,
                   "%d node%s hidden by KHR_node_visibility, and not checked; --hidden checks all",
                   (int)count, count == 1 ? " is" : "s are");
    return true;
}

static bool find_shown(Gltf *gltf)
{
    Scene *scene = gltf->scene;
    uint8_t *states = scene_allocate((size_t)scene->node_count, 1, &gltf->budget, gltf->error);
    bool is_ok = states && mark_roots(gltf, states);
    for (int32_t i = 0; is_ok && i < scene->node_count; i++)
        is_ok = settle(gltf, i, states);
    if (is_ok && !gltf->options->has_hidden)
        is_ok = hide(gltf, states);
    for (int32_t i = 0; is_ok && i < scene->node_count; i++)
        scene->nodes[i].is_in_scene = states[i] == SHOWN;
    free(states);
    return is_ok;
}

/* ---- Skins ----------------------------------------------------------------------------------- */

static bool read_binds(Gltf *gltf, const GltfItem *item, SceneSkin *skin)
{
    int32_t index;
    GltfAccessor accessor;
    if (!gltf_reference(gltf, item, "inverseBindMatrices", "accessors", &index))
        return false;
    for (int32_t i = 0; i < skin->joint_count; i++)
        for (int k = 0; k < 16; k++)
            skin->inverse_binds[i][k] = k % 5 == 0;
    if (index < 0)
        return true;
    if (!gltf_accessor(gltf, index, 16, &accessor))
        return false;
    if (accessor.count < skin->joint_count)
        return scene_fail(gltf->error, "%s has %d joints, and %s has %d matrices", item->where,
                          (int)skin->joint_count, accessor.item.where, (int)accessor.count);
    float *matrices =
        scene_allocate((size_t)accessor.count, sizeof(float[16]), &gltf->budget, gltf->error);
    bool is_ok = matrices && gltf_read_floats(gltf, &accessor, matrices);
    if (is_ok)
        memcpy(skin->inverse_binds, matrices, (size_t)skin->joint_count * sizeof(float[16]));
    free(matrices);
    for (int32_t i = 0; is_ok && i < skin->joint_count; i++)
        if (!is_affine(skin->inverse_binds[i]))
            return scene_fail(gltf->error, "%s: matrix %d has a last row that is not 0 0 0 1",
                              accessor.item.where, (int)i);
    return is_ok;
}

static bool read_skin(Gltf *gltf, int32_t index, SceneSkin *skin)
{
    json_t *list;
    int32_t count;
    GltfItem item;
    if (!gltf_item(gltf, "skins", index, &item) || !gltf_list(gltf, &item, "joints", &list, &count))
        return false;
    if (count < 1 || count > 65536)
        return scene_fail(gltf->error, "%s has %d joints, not from 1 to 65536", item.where,
                          (int)count);
    size_t room = (size_t)count;
    skin->joint_count = count;
    skin->joints = scene_allocate(room, sizeof *skin->joints, &gltf->budget, gltf->error);
    skin->inverse_binds =
        scene_allocate(room, sizeof *skin->inverse_binds, &gltf->budget, gltf->error);
    if (!skin->joints || !skin->inverse_binds)
        return false;
    for (int32_t i = 0; i < count; i++)
        if (!gltf_reference_at(gltf, &item, "joints", list, i, "nodes", &skin->joints[i]))
            return false;
    return read_binds(gltf, &item, skin);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static bool read_node(Gltf *gltf, int32_t index)
{
    GltfItem item;
    SceneNode *node = &gltf->scene->nodes[index];
    if (!gltf_item(gltf, "nodes", index, &item) || !read_place(gltf, &item, node))
        return false;
    node->name = gltf_name(gltf, &item, "node", index);
    return node->name && adopt_children(gltf, &item, index);
}

bool gltf_read_nodes(Gltf *gltf)
{
    int32_t node_count, skin_count;
    Scene *scene = gltf->scene;
    if (!gltf_count(gltf, "nodes", &node_count) || !gltf_count(gltf, "skins", &skin_count))
        return false;
    scene->nodes =
        scene_allocate((size_t)node_count, sizeof *scene->nodes, &gltf->budget, gltf->error);
    scene->skins =
        scene_allocate((size_t)skin_count, sizeof *scene->skins, &gltf->budget, gltf->error);
    if (!scene->nodes || !scene->skins)
        return false;
    scene->node_count = node_count;
    scene->skin_count = skin_count;
    for (int32_t i = 0; i < node_count; i++)
        scene->nodes[i].parent = -1;
    for (int32_t i = 0; i < node_count; i++)
        if (!read_node(gltf, i))
            return false;
    for (int32_t i = 0; i < skin_count; i++)
        if (!read_skin(gltf, i, &scene->skins[i]))
            return false;
    return find_shown(gltf);
}
