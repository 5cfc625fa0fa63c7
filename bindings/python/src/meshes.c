/* A model of arrays: what a host program has evaluated, frame by frame.
 *
 * Vertices are those of a cache, and each part has a transform in each frame. Skins and targets
 * move nothing here: they tell which vertices are one, as they do for files, and joints have names
 * for reports.
 */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* What is built, and the arrays of the part that is read. */
typedef struct Making {
    Scene *scene;
    Py_ssize_t frame_count, part_count, joint_count;
    Array arrays[6];
} Making;

enum { REST, TRIANGLES, FRAMES, TARGETS, JOINTS, WEIGHTS };

static void *copy_of(const void *data, size_t count, size_t size)
{
    void *copy = malloc(count * size + 1);
    if (copy == NULL)
        PyErr_NoMemory();
    else if (data != NULL && count > 0)
        memcpy(copy, data, count * size);
    return copy;
}

static char *text_of(PyObject *object)
{
    Py_ssize_t size = 0;
    const char *text = PyUnicode_AsUTF8AndSize(object, &size);
    return text ? copy_of(text, (size_t)size + 1, 1) : NULL;
}

/* ---- Arrays of a part --------------------------------------------------------------------------
 */

/* Every triangle has vertices that are there. */
static bool check_triangles(const Making *making, Py_ssize_t vertex_count)
{
    const uint32_t *triangles = making->arrays[TRIANGLES].data;
    const Py_ssize_t count = 3 * making->arrays[TRIANGLES].shape[0];
    for (Py_ssize_t i = 0; i < count; i++)
        if (triangles[i] >= (size_t)vertex_count) {
            PyErr_Format(PyExc_IndexError, "triangles: %zd has vertex %lu, there are %zd", i / 3,
                         (unsigned long)triangles[i], vertex_count);
            return false;
        }
    return true;
}

static bool check_joints(const Making *making)
{
    const Array *joints = &making->arrays[JOINTS];
    const uint16_t *numbers = joints->data;
    for (Py_ssize_t i = 0; numbers && i < joints->shape[0] * joints->shape[1]; i++)
        if (numbers[i] >= making->joint_count) {
            PyErr_Format(PyExc_IndexError, "joints: %d, there are %zd", (int)numbers[i],
                         making->joint_count);
            return false;
        }
    return true;
}

static bool open_arrays(Making *making, PyObject *const objects[6])
{
    const ArrayRule rest = {"vertices", NUMBER_F32, 2, {ANY, 3}, false};
    Array *arrays = making->arrays;
    if (!array_open(objects[REST], &rest, &arrays[REST]))
        return false;
    const Py_ssize_t count = arrays[REST].shape[0];
    const ArrayRule rules[] = {
        [TRIANGLES] = {"triangles", NUMBER_U32, 2, {ANY, 3}, false},
        [FRAMES] = {"frames", NUMBER_F32, 3, {making->frame_count, count, 3}, false},
        [TARGETS] = {"targets", NUMBER_F32, 3, {ANY, count, 3}, false},
        [JOINTS] = {"joints", NUMBER_U16, 2, {count, ANY}, false},
        [WEIGHTS] = {"weights", NUMBER_F32, 2, {count, ANY}, false},
    };
    for (int i = TRIANGLES; i <= WEIGHTS; i++)
        if (objects[i] != Py_None && !array_open(objects[i], &rules[i], &arrays[i]))
            return false;
    if (count == 0 || arrays[TRIANGLES].shape[0] == 0 ||
        arrays[JOINTS].shape[1] != arrays[WEIGHTS].shape[1]) {
        PyErr_SetString(PyExc_ValueError, "a part has vertices and triangles, and as many weights "
                                          "as joints");
        return false;
    }
    return count_fits(count, "vertices") && count_fits(arrays[TRIANGLES].shape[0], "triangles") &&
           check_triangles(making, count) && check_joints(making);
}

/* ---- Parts -------------------------------------------------------------------------------------
 */

static bool fill_part(const Making *making, ScenePart *part)
{
    const Array *arrays = making->arrays;
    const size_t vertices = (size_t)arrays[REST].shape[0];
    const size_t triangles = (size_t)arrays[TRIANGLES].shape[0];
    const size_t influences = (size_t)arrays[JOINTS].shape[1];
    part->node = part->cached = -1;
    part->skin = arrays[JOINTS].data ? 0 : -1;
    part->vertex_count = part->read_count = (int32_t)vertices;
    part->triangle_count = (int32_t)triangles;
    part->target_count = (int32_t)arrays[TARGETS].shape[0];
    part->influence_count = (int32_t)influences;
    part->vertices = copy_of(arrays[REST].data, vertices, sizeof(float[3]));
    part->triangles = copy_of(arrays[TRIANGLES].data, triangles, sizeof(uint32_t[3]));
    part->faces = calloc(triangles, sizeof *part->faces);
    part->targets =
        copy_of(arrays[TARGETS].data, vertices * (size_t)part->target_count, sizeof(float[3]));
    part->joints = copy_of(arrays[JOINTS].data, vertices * influences, sizeof *part->joints);
    part->joint_weights =
        copy_of(arrays[WEIGHTS].data, vertices * influences, sizeof *part->joint_weights);
    for (size_t t = 0; part->faces && t < triangles; t++)
        part->faces[t].face = (int32_t)t;
    return part->vertices && part->triangles && part->faces && part->targets && part->joints &&
           part->joint_weights;
}

/* Appends the frames of a part to the cache. Frames are whole there: so all move up. */
static bool add_frames(const Making *making, ScenePart *part)
{
    SceneCache *cache = &making->scene->cache;
    const float *frames = making->arrays[FRAMES].data;
    const size_t row = 3 * (size_t)part->vertex_count, old = 3 * (size_t)cache->vertex_count;
    if (frames == NULL)
        return true;
    if (!count_fits((Py_ssize_t)cache->vertex_count + part->vertex_count, "vertices"))
        return false;
    float *both =
        realloc(cache->vertices, (size_t)making->frame_count * (old + row) * sizeof *both);
    if (both == NULL)
        return PyErr_NoMemory() != NULL;
    cache->vertices = both;
    for (size_t f = (size_t)making->frame_count; f-- > 0;) {
        memmove(both + f * (old + row), both + f * old, old * sizeof *both);
        memcpy(both + f * (old + row) + old, frames + f * row, row * sizeof *both);
    }
    part->cached = cache->vertex_count;
    cache->vertex_count += part->vertex_count;
    return true;
}

static bool add_part(Making *making, PyObject *tuple)
{
    Scene *scene = making->scene;
    ScenePart *part = &scene->parts[scene->part_count];
    PyObject *name, *objects[6];
    if (!PyArg_ParseTuple(tuple, "UOOOOOO", &name, &objects[REST], &objects[TRIANGLES],
                          &objects[FRAMES], &objects[TARGETS], &objects[JOINTS], &objects[WEIGHTS]))
        return false;
    part->placed = scene->part_count++;
    const bool is_added = (part->name = text_of(name)) && open_arrays(making, objects) &&
                          fill_part(making, part) && add_frames(making, part);
    for (int i = 0; i < 6; i++)
        array_close(&making->arrays[i]);
    return is_added;
}

static bool add_parts(Making *making, PyObject *parts)
{
    Scene *scene = making->scene;
    scene->parts = calloc((size_t)making->part_count + 1, sizeof *scene->parts);
    bool is_added = scene->parts != NULL;
    if (!is_added)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; is_added && i < making->part_count; i++) {
        PyObject *part = PySequence_GetItem(parts, i);
        is_added = part != NULL && add_part(making, part);
        Py_XDECREF(part);
    }
    return is_added;
}

/* ---- What they share ---------------------------------------------------------------------------
 */

static bool add_transforms(Making *making, PyObject *transforms)
{
    const ArrayRule rule = {"transforms", NUMBER_F32, 3, {ANY, making->part_count, 12}, false};
    SceneCache *cache = &making->scene->cache;
    Array array;
    if (!array_open(transforms, &rule, &array))
        return false;
    making->frame_count = array.shape[0];
    cache->frame_count = (int32_t)making->frame_count;
    cache->transform_count = (int32_t)making->part_count;
    cache->transforms =
        copy_of(array.data, (size_t)(array.shape[0] * making->part_count), sizeof(PliantTransform));
    array_close(&array);
    if (making->frame_count > 0)
        return cache->transforms && count_fits(making->frame_count, "frames");
    PyErr_SetString(PyExc_ValueError, "transforms: there are no frames");
    return false;
}

/* Joints are nodes that move nothing: reports have their names. */
static bool add_joints(Making *making, PyObject *names)
{
    Scene *scene = making->scene;
    const size_t count = (size_t)making->joint_count;
    scene->nodes = calloc(count + 1, sizeof *scene->nodes);
    scene->skins = calloc(1, sizeof *scene->skins);
    if (!scene->nodes || !scene->skins)
        return PyErr_NoMemory() != NULL;
    scene->skin_count = 1;
    scene->skins->joints = calloc(count + 1, sizeof *scene->skins->joints);
    scene->skins->inverse_binds = calloc(count + 1, sizeof *scene->skins->inverse_binds);
    if (!scene->skins->joints || !scene->skins->inverse_binds)
        return PyErr_NoMemory() != NULL;
    for (; scene->node_count < making->joint_count; scene->node_count++) {
        PyObject *name = PySequence_GetItem(names, scene->node_count);
        SceneNode *node = &scene->nodes[scene->node_count];
        node->parent = -1;
        node->name = name ? text_of(name) : NULL;
        Py_XDECREF(name);
        if (node->name == NULL)
            return false;
        scene->skins->joints[scene->skins->joint_count++] = scene->node_count;
    }
    return true;
}

static bool add_clip(Making *making, const char *name, double start, double rate)
{
    Scene *scene = making->scene;
    scene->clips = calloc(1, sizeof *scene->clips);
    if (!scene->clips)
        return PyErr_NoMemory() != NULL;
    scene->clip_count = 1;
    *scene->clips = (SceneClip){.name = strdup(name),
                                .frame_count = (int32_t)making->frame_count,
                                .fps = rate,
                                .start = start,
                                .end = start + (double)(making->frame_count - 1) / rate};
    return scene->clips->name || PyErr_NoMemory() != NULL;
}

/* Vertices become one, as files' do. What targets say is known then. */
static bool settle(Scene *scene, bool is_welded, SceneError *wrong)
{
    const bool is_settled = !is_welded || scene_weld(scene, wrong);
    if (is_settled)
        scene_drop_points(scene);
    for (int32_t i = 0; i < scene->part_count; i++)
        scene->parts[i].target_count = 0;
    return is_settled;
}

PyObject *model_of_meshes(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *parts, *transforms, *joints;
    const char *format, *name;
    double start, rate;
    int is_welded;
    SceneError wrong;
    if (!PyArg_ParseTuple(arguments, "ssOOOddp", &format, &name, &parts, &transforms, &joints,
                          &start, &rate, &is_welded))
        return NULL;
    Making making = {.scene = calloc(1, sizeof *making.scene),
                     .part_count = PySequence_Size(parts),
                     .joint_count = PySequence_Size(joints)};
    bool is_made = making.part_count >= 0 && making.joint_count >= 0;
    if (is_made &&
        (making.joint_count > UINT16_MAX || making.part_count > UINT16_MAX || !(rate > 0))) {
        PyErr_SetString(PyExc_ValueError, "there are too many parts or joints, or rate is not "
                                          "positive");
        is_made = false;
    }
    is_made = is_made && making.scene && (making.scene->format = strdup(format)) &&
              add_transforms(&making, transforms) && add_joints(&making, joints) &&
              add_parts(&making, parts) && add_clip(&making, name, start, rate);
    if (is_made && settle(making.scene, is_welded != 0, &wrong))
        return model_object(making.scene);
    scene_free(making.scene);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}
