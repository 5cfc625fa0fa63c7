/* Models in files, by the command's reader: what pliant.read() is made of.
 *
 * A part is what a shape is made from, and a pose is what a body is set to. Both go to Python as
 * tuples of arrays; the classes around them are in files.py.
 */
#include "model.h"

#include <string.h>

static PyTypeObject *model_type;

PyObject *model_object(Scene *scene)
{
    Model *model = (Model *)PyType_GenericAlloc(model_type, 0);
    if (model == NULL) {
        scene_free(scene);
        return NULL;
    }
    atomic_init(&model->left, -1);
    model->scene = scene;
    model->pose = scene_pose_create(scene);
    if (model->pose == NULL) {
        Py_DECREF(model);
        return PyErr_NoMemory();
    }
    return (PyObject *)model;
}

static PyObject *open_model(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *path;
    int is_welded, by_material;
    SceneError wrong = {{0}};
    if (!PyArg_ParseTuple(arguments, "spp", &path, &is_welded, &by_material))
        return NULL;
    SceneOptions options = scene_options_default();
    options.is_welded = is_welded != 0;
    options.by = by_material ? SCENE_BY_MATERIAL : SCENE_BY_NODE;
    PyThreadState *thread = PyEval_SaveThread();
    Scene *scene = scene_read(path, &options, &wrong);
    PyEval_RestoreThread(thread);
    if (scene == NULL) {
        PyErr_Format(PyExc_ValueError, "%s: %s", path, wrong.text);
        return NULL;
    }
    return model_object(scene);
}

static void release(PyObject *self)
{
    scene_pose_free(((Model *)self)->pose);
    scene_free(((Model *)self)->scene);
    free_object(self);
}

/* ---- What a model has --------------------------------------------------------------------------
 */

static PyObject *part_object(const Scene *scene, const ScenePart *part)
{
    const Py_ssize_t targets[] = {part->target_count, part->vertex_count, 3};
    const int joint_count = part->skin < 0 ? 0 : scene->skins[part->skin].joint_count;
    PyObject *items[] = {
        PyUnicode_DecodeUTF8(part->name, (Py_ssize_t)strlen(part->name), "replace"),
        copy_rows(part->vertices, "f4", part->vertex_count, 3),
        copy_rows(part->triangles, "u4", part->triangle_count, 3),
        copy_array(part->targets, "f4", 3, targets),
        copy_rows(part->joints, "u2", part->vertex_count, part->influence_count),
        copy_rows(part->joint_weights, "f4", part->vertex_count, part->influence_count),
        PyLong_FromLong(joint_count),
    };
    return tuple_of(items, sizeof items / sizeof *items);
}

/* The part's triangles, and which of the file's each is. */
static PyObject *make_source(const Model *model, int32_t number)
{
    const ScenePart *part = &model->scene->parts[number];
    PyObject *items[] = {
        PyUnicode_DecodeUTF8(part->name, (Py_ssize_t)strlen(part->name), "replace"),
        copy_rows(part->triangles, "u4", part->triangle_count, 3),
        copy_rows(part->faces, "i4", part->triangle_count, 2),
    };
    return tuple_of(items, sizeof items / sizeof *items);
}

static PyObject *clip_object(const SceneClip *clip)
{
    double rate = 0;
    const int32_t frames = scene_clip_frames(clip, 0, &rate);
    PyObject *items[] = {
        PyUnicode_DecodeUTF8(clip->name, (Py_ssize_t)strlen(clip->name), "replace"),
        PyFloat_FromDouble(clip->start),
        PyFloat_FromDouble(clip->end),
        PyFloat_FromDouble(rate),
        PyLong_FromLong(frames),
    };
    return tuple_of(items, sizeof items / sizeof *items);
}

/* A list of what a function makes of each number. */
static PyObject *list_of(const Model *model, int32_t count,
                         PyObject *(*make)(const Model *model, int32_t number))
{
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list != NULL && i < count; i++) {
        PyObject *item = make(model, i);
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *make_part(const Model *model, int32_t number)
{
    return part_object(model->scene, &model->scene->parts[number]);
}

static PyObject *make_clip(const Model *model, int32_t number)
{
    return clip_object(&model->scene->clips[number]);
}

static PyObject *parts(PyObject *self, PyObject *unused)
{
    (void)unused;
    const Model *model = (Model *)self;
    return list_of(model, model->scene->part_count, make_part);
}

static PyObject *sources(PyObject *self, PyObject *unused)
{
    (void)unused;
    const Model *model = (Model *)self;
    return list_of(model, model->scene->part_count, make_source);
}

static PyObject *clips(PyObject *self, PyObject *unused)
{
    (void)unused;
    const Model *model = (Model *)self;
    return list_of(model, model->scene->clip_count, make_clip);
}

/* ---- Where it is -------------------------------------------------------------------------------
 */

static PyObject *make_pose(const Model *model, int32_t number)
{
    const ScenePart *part = &model->scene->parts[number];
    const PartPose *pose = scene_pose_part(model->pose, number);
    const Py_ssize_t joint_count = part->skin < 0 ? 0 : model->scene->skins[part->skin].joint_count;
    const Py_ssize_t joints[] = {joint_count, 3, 4}, weights = part->target_count;
    PyObject *items[] = {
        copy_rows(&pose->transform, "f4", 3, 4),
        copy_array(pose->joints, "f4", 3, joints),
        copy_array(pose->weights, "f4", 1, &weights),
        copy_rows(pose->vertices, "f4", part->vertex_count, 3),
    };
    return tuple_of(items, sizeof items / sizeof *items);
}

static PyObject *pose_at(PyObject *self, PyObject *arguments)
{
    Model *model = (Model *)self;
    int clip;
    double time;
    SceneError wrong = {{0}};
    if (!PyArg_ParseTuple(arguments, "id", &clip, &time))
        return NULL;
    if (clip < -1 || clip >= model->scene->clip_count) {
        PyErr_Format(PyExc_IndexError, "clip is %d, there are %d", clip,
                     (int)model->scene->clip_count);
        return NULL;
    }
    if (!scene_pose_at(model->pose, clip, time, &wrong)) {
        PyErr_SetString(PyExc_ValueError, wrong.text);
        return NULL;
    }
    return list_of(model, model->scene->part_count, make_pose);
}

static PyMethodDef functions[] = {
    {"_read", open_model, METH_VARARGS, NULL},
    {"_model_of", model_of_meshes, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool add_models(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"parts", parts, METH_NOARGS, NULL},
        {"clips", clips, METH_NOARGS, NULL},
        {"pose", pose_at, METH_VARARGS, NULL},
        {"sources", sources, METH_NOARGS, NULL},
        {"check", (PyCFunction)(void (*)(void))check_model, METH_VARARGS | METH_KEYWORDS, NULL},
        {"cancel", cancel_model, METH_NOARGS, NULL},
        {"seconds_left", seconds_left, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL}};
    PyType_Slot slots[] = {{Py_tp_dealloc, release}, {Py_tp_methods, methods}, {0, NULL}};
    PyType_Spec spec = {"pliant._Model", sizeof(Model), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (model_type = add_type(module, &spec)) != NULL &&
           PyModule_AddFunctions(module, functions) == 0;
}
