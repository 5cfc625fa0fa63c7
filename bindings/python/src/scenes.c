/* The project's generated scenes, for pliant.scenes: where the vertices of each body are at a step,
 * and how a body is rigged and posed, for those that are.
 */
#include "binding.h"
#include "scene_rules.h"

enum { MAX_RULES = 16 };

typedef struct SceneObject {
    PyObject_HEAD const SceneRule *rule;
    SceneContent content;
    const SceneMesh *meshes[SCENE_MAX_BODIES];
} SceneObject;

static PyTypeObject *scene_type;

static bool check_range(int number, int count, const char *name)
{
    if (number >= 0 && number < count)
        return true;
    PyErr_Format(PyExc_IndexError, "%s is %d, there are %d", name, number, count);
    return false;
}

static PyObject *open_scene(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *name, *names[MAX_RULES] = {NULL};
    int index, size = -1;
    for (int i = 0; i < scene_rule_count; i++)
        names[i] = scene_rules[i].name;
    if (!PyArg_ParseTuple(arguments, "s|i", &name, &size) ||
        !word_index("name", name, names, &index))
        return NULL;
    const SceneRule *rule = &scene_rules[index];
    size = size < 0 ? rule->default_size : size;
    if (!check_range(size, rule->size_count, "size"))
        return NULL;
    SceneObject *scene = (SceneObject *)PyType_GenericAlloc(scene_type, 0);
    if (scene == NULL)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    rule->create(&scene->content, size, scene->meshes);
    PyEval_RestoreThread(thread);
    scene->rule = rule;
    return (PyObject *)scene;
}

static void release(PyObject *self)
{
    SceneObject *scene = (SceneObject *)self;
    if (scene->rule != NULL)
        scene->rule->end(&scene->content);
    free_object(self);
}

/* ---- Meshes, as arrays
 * -----------------------------------------------------------------------------------
 */

static PyObject *mesh_object(const SceneMesh *mesh)
{
    PyObject *items[] = {copy_rows(mesh->vertices, "f4", mesh->vertex_count, 3),
                         copy_rows(mesh->triangles, "u4", mesh->triangle_count, 3)};
    return tuple_of(items, 2);
}

/* ---- One body of a scene ----------------------------------------------------------------------
 */

static PyObject *scene_triangles(PyObject *self, PyObject *arguments)
{
    const SceneObject *scene = (SceneObject *)self;
    int body;
    if (!PyArg_ParseTuple(arguments, "i", &body) ||
        !check_range(body, scene->rule->body_count, "body"))
        return NULL;
    return copy_rows(scene->meshes[body]->triangles, "u4", scene->meshes[body]->triangle_count, 3);
}

static bool parse_frame(const SceneObject *scene, PyObject *arguments, int *body, int *step)
{
    return PyArg_ParseTuple(arguments, "ii", body, step) &&
           check_range(*body, scene->rule->body_count, "body") &&
           check_range(*step, scene->rule->step_count, "frame");
}

static PyObject *scene_vertices(PyObject *self, PyObject *arguments)
{
    const SceneObject *scene = (SceneObject *)self;
    int body, step;
    if (!parse_frame(scene, arguments, &body, &step))
        return NULL;
    const SceneMesh *mesh = scene->meshes[body];
    const Py_ssize_t shape[] = {mesh->vertex_count, 3};
    float *block = records_block(RECORD_NUMBERS, 12 * (int64_t)shape[0]);
    if (block == NULL)
        return PyErr_NoMemory();
    PyThreadState *thread = PyEval_SaveThread();
    rule_place(scene->rule, &scene->content, mesh, body, step, block);
    PyEval_RestoreThread(thread);
    return array_of_block(block, "f4", 2, shape);
}

/* An array, or indices and an array. */
static PyObject *target_object(const SceneTarget *target)
{
    const Py_ssize_t count = target->count;
    PyObject *items[] = {copy_array(target->indices, "u4", 1, &count),
                         copy_rows(target->vertices, "f4", count, 3)};
    if (target->indices != NULL)
        return tuple_of(items, 2);
    Py_XDECREF(items[0]);
    return items[1];
}

/* A list of targets; None of nothing. */
static PyObject *targets_object(const SceneMorph *morph)
{
    if (morph == NULL)
        Py_RETURN_NONE;
    PyObject *list = PyList_New(0);
    for (int32_t i = 0; list != NULL && i < morph->target_count; i++) {
        PyObject *item = target_object(&morph->targets[i]);
        if (item == NULL || PyList_Append(list, item) != 0)
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/* Joints and weights of each vertex, and how many joints there are; None of nothing. */
static PyObject *skin_object(const SceneSkin *skin)
{
    if (skin == NULL)
        Py_RETURN_NONE;
    const Py_ssize_t rows = skin->mesh.vertex_count, columns = skin->influence_count;
    PyObject *items[] = {copy_rows(skin->joints, "u2", rows, columns),
                         copy_rows(skin->weights, "f4", rows, columns),
                         PyLong_FromLong(skin->joint_count)};
    return tuple_of(items, 3);
}

/* (vertices, targets, whether these are references, skin): what a shape is made of. */
static PyObject *scene_rig(PyObject *self, PyObject *arguments)
{
    const SceneObject *scene = (SceneObject *)self;
    int body;
    if (!PyArg_ParseTuple(arguments, "i", &body) ||
        !check_range(body, scene->rule->body_count, "body"))
        return NULL;
    const SceneMesh *mesh = scene->meshes[body];
    const SceneRig rig = rule_rig(scene->rule, &scene->content, body);
    PyObject *items[] = {
        copy_rows(mesh->vertices, "f4", mesh->vertex_count, 3), targets_object(rig.morph),
        PyBool_FromLong(rig.morph != NULL && rig.morph->has_references), skin_object(rig.skin)};
    return tuple_of(items, 4);
}

/* (transform, weights, joints): None of what a body does not have. */
static PyObject *scene_pose(PyObject *self, PyObject *arguments)
{
    const SceneObject *scene = (SceneObject *)self;
    int body, step;
    SceneBodyPose pose;
    if (!parse_frame(scene, arguments, &body, &step))
        return NULL;
    const SceneRig rig = rule_rig(scene->rule, &scene->content, body);
    rule_pose(scene->rule, &scene->content, body, step, &pose);
    const Py_ssize_t weights = rig.morph != NULL ? rig.morph->target_count : 0;
    const Py_ssize_t joints[] = {rig.skin != NULL ? rig.skin->joint_count : 0, 3, 4};
    PyObject *items[] = {copy_rows(pose.rows, "f4", 3, 4),
                         copy_array(rig.morph != NULL ? pose.weights : NULL, "f4", 1, &weights),
                         copy_array(rig.skin != NULL ? pose.joints : NULL, "f4", 3, joints)};
    return tuple_of(items, 3);
}

/* Of bodies and frames, and whether bodies are posed. */
static PyObject *counts(PyObject *self, void *closure)
{
    (void)closure;
    const SceneRule *rule = ((SceneObject *)self)->rule;
    return Py_BuildValue("iii", rule->body_count, rule->step_count, rule->pose != NULL);
}

/* ---- Meshes -----------------------------------------------------------------------------------
 */

static PyObject *icosphere(PyObject *module, PyObject *arguments)
{
    (void)module;
    int subdivisions;
    if (!PyArg_ParseTuple(arguments, "i", &subdivisions) ||
        !check_range(subdivisions, 10, "subdivisions"))
        return NULL;
    SceneMesh sphere = scene_icosphere(subdivisions);
    PyObject *both = mesh_object(&sphere);
    scene_mesh_free(&sphere);
    return both;
}

static PyObject *statue(PyObject *module, PyObject *arguments)
{
    (void)module;
    int number;
    if (!PyArg_ParseTuple(arguments, "i", &number) || !check_range(number, SCENE_STATUES, "statue"))
        return NULL;
    SceneMesh mesh = scene_statue((SceneStatue)number);
    PyObject *both = mesh_object(&mesh);
    scene_mesh_free(&mesh);
    return both;
}

/* The numbers of two statues, whether they are deep in each other, and their meshes. */
static PyObject *statue_pair(PyObject *module, PyObject *arguments)
{
    (void)module;
    int number;
    if (!PyArg_ParseTuple(arguments, "i", &number) ||
        !check_range(number, SCENE_STATUE_PAIRS, "pair"))
        return NULL;
    SceneStatuePair pair = scene_statue_pair(number);
    PyObject *items[] = {Py_BuildValue("ii", (int)pair.statues[0], (int)pair.statues[1]),
                         PyBool_FromLong(pair.is_deep), mesh_object(&pair.meshes[0]),
                         mesh_object(&pair.meshes[1])};
    scene_statue_pair_free(&pair);
    return tuple_of(items, 4);
}

static PyMethodDef functions[] = {
    {"_scene", open_scene, METH_VARARGS, NULL},
    {"_icosphere", icosphere, METH_VARARGS, NULL},
    {"_statue", statue, METH_VARARGS, NULL},
    {"_statue_pair", statue_pair, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool add_scenes(PyObject *module)
{
    static PyMethodDef methods[] = {{"triangles", scene_triangles, METH_VARARGS, NULL},
                                    {"vertices", scene_vertices, METH_VARARGS, NULL},
                                    {"rig", scene_rig, METH_VARARGS, NULL},
                                    {"pose", scene_pose, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyGetSetDef attributes[] = {{"counts", counts, NULL, NULL, NULL},
                                       {NULL, NULL, NULL, NULL, NULL}};
    PyType_Slot slots[] = {
        {Py_tp_dealloc, release}, {Py_tp_methods, methods}, {Py_tp_getset, attributes}, {0, NULL}};
    PyType_Spec spec = {"pliant._Scene", sizeof(SceneObject), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return (scene_type = add_type(module, &spec)) != NULL &&
           PyModule_AddFunctions(module, functions) == 0;
}
