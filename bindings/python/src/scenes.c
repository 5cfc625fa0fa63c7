/* The project's generated scenes, for pliant.scenes: where the vertices of each body are at a step.
 *
 * A scene is a row of a table. All bodies are given by their vertices, as any method can read them.
 */
#include "binding.h"

#include <scenes.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_BODIES = 27 };

typedef union Content {
    SceneBumpy bumpy;
    SceneCrowd crowd;
    SceneMorph morph;
    struct {
        SceneMorph face;
        SceneMesh hand;
    } stroke;
    struct {
        SceneSkin avatar;
        SceneMesh room;
    } walk;
} Content;

typedef struct Rule {
    const char *name;
    int body_count, step_count;
    void (*create)(Content *content, const SceneMesh **meshes);
    void (*place)(const Content *content, int body, int step, float *vertices);
    void (*end)(Content *content);
} Rule;

static void transformed(const SceneMesh *mesh, float rows[3][4], float *vertices)
{
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        for (int i = 0; i < 3; i++) {
            const float *p = mesh->vertices + 3 * v, *row = rows[i];
            vertices[3 * v + i] = ((row[0] * p[0] + row[1] * p[1]) + row[2] * p[2]) + row[3];
        }
}

/* ---- Bumpy spheres ----------------------------------------------------------------------------
 */

static void create_bumpy(Content *content, const SceneMesh **meshes)
{
    content->bumpy = scene_bumpy(5);
    meshes[0] = meshes[1] = &content->bumpy.sphere;
}

static void place_bumpy(const Content *content, int body, int step, float *vertices)
{
    scene_bumpy_vertices(&content->bumpy, body, step, vertices);
}

static void end_bumpy(Content *content)
{
    scene_bumpy_free(&content->bumpy);
}

static void create_crowd(Content *content, const SceneMesh **meshes)
{
    content->crowd = scene_crowd(4);
    for (int body = 0; body < SCENE_CROWD_BODIES; body++)
        meshes[body] = &content->crowd.sphere;
}

static void place_crowd(const Content *content, int body, int step, float *vertices)
{
    scene_crowd_vertices(&content->crowd, body, step, vertices);
}

static void end_crowd(Content *content)
{
    scene_crowd_free(&content->crowd);
}

/* ---- Morphing bodies --------------------------------------------------------------------------
 */

static void create_passing(Content *content, const SceneMesh **meshes)
{
    content->morph = scene_passing();
    meshes[0] = meshes[1] = &content->morph.mesh;
}

static void place_passing(const Content *content, int body, int step, float *vertices)
{
    float weights[SCENE_PASSING_TARGETS], rows[3][4];
    scene_passing_weights(step, weights);
    scene_passing_rows(body, step, rows);
    scene_morph_vertices(&content->morph, weights, (const float(*)[4])rows, vertices);
}

static void end_morph(Content *content)
{
    scene_morph_free(&content->morph);
}

static void create_dolphins(Content *content, const SceneMesh **meshes)
{
    content->morph = scene_dolphin(2);
    for (int body = 0; body < SCENE_DOLPHINS; body++)
        meshes[body] = &content->morph.mesh;
}

static void place_dolphins(const Content *content, int body, int step, float *vertices)
{
    float weights[SCENE_DOLPHIN_TARGETS], rows[3][4];
    scene_dolphin_weights(body, step, weights);
    scene_dolphin_rows(body, step, rows);
    scene_morph_vertices(&content->morph, weights, (const float(*)[4])rows, vertices);
}

static void create_face(Content *content, const SceneMesh **meshes)
{
    content->stroke.face = scene_face();
    content->stroke.hand = scene_hand();
    meshes[0] = &content->stroke.face.mesh;
    meshes[1] = &content->stroke.hand;
}

static void place_face(const Content *content, int body, int step, float *vertices)
{
    float weights[SCENE_FACE_TARGETS], rows[3][4];
    if (body == 0) {
        scene_face_weights(step, weights);
        scene_morph_vertices(&content->stroke.face, weights, NULL, vertices);
        return;
    }
    scene_hand_rows(step, rows);
    transformed(&content->stroke.hand, rows, vertices);
}

static void end_face(Content *content)
{
    scene_morph_free(&content->stroke.face);
    scene_mesh_free(&content->stroke.hand);
}

/* ---- Characters -------------------------------------------------------------------------------
 */

static void create_walk(Content *content, const SceneMesh **meshes, SceneMesh room)
{
    content->walk.avatar = scene_avatar();
    content->walk.room = room;
    meshes[0] = &content->walk.avatar.mesh;
    meshes[1] = &content->walk.room;
}

static void create_museum(Content *content, const SceneMesh **meshes)
{
    create_walk(content, meshes, scene_museum());
}

static void create_living_room(Content *content, const SceneMesh **meshes)
{
    create_walk(content, meshes, scene_living_room());
}

static void place_walk(const Content *content, SceneRoom room, int body, int step, float *vertices)
{
    float joints[SCENE_AVATAR_JOINTS][3][4], rows[3][4];
    const SceneSkin *avatar = &content->walk.avatar;
    if (body == 1) {
        const size_t count = (size_t)content->walk.room.vertex_count;
        memcpy(vertices, content->walk.room.vertices, count * sizeof(float[3]));
        return;
    }
    scene_walk_pose(avatar, room, step, joints, rows);
    scene_skin_vertices(avatar, (const float(*)[3][4])joints, (const float(*)[4])rows, vertices);
}

static void place_museum(const Content *content, int body, int step, float *vertices)
{
    place_walk(content, SCENE_MUSEUM, body, step, vertices);
}

static void place_living_room(const Content *content, int body, int step, float *vertices)
{
    place_walk(content, SCENE_LIVING_ROOM, body, step, vertices);
}

static void end_walk(Content *content)
{
    scene_skin_free(&content->walk.avatar);
    scene_mesh_free(&content->walk.room);
}

static const Rule rules[] = {
    {"bumpy", 2, SCENE_BUMPY_STEPS, create_bumpy, place_bumpy, end_bumpy},
    {"crowd", SCENE_CROWD_BODIES, SCENE_CROWD_STEPS, create_crowd, place_crowd, end_crowd},
    {"passing", 2, SCENE_PASSING_STEPS, create_passing, place_passing, end_morph},
    {"dolphins", SCENE_DOLPHINS, SCENE_DOLPHIN_STEPS, create_dolphins, place_dolphins, end_morph},
    {"face", 2, SCENE_FACE_STEPS, create_face, place_face, end_face},
    {"museum", 2, SCENE_WALK_STEPS, create_museum, place_museum, end_walk},
    {"living_room", 2, SCENE_WALK_STEPS, create_living_room, place_living_room, end_walk},
};

enum { RULES = sizeof rules / sizeof *rules };

/* ---- In Python --------------------------------------------------------------------------------
 */

typedef struct SceneObject {
    PyObject_HEAD const Rule *rule;
    Content content;
    const SceneMesh *meshes[MAX_BODIES];
} SceneObject;

static PyTypeObject *scene_type;

static PyObject *open_scene(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *name, *names[RULES + 1] = {NULL};
    int index;
    for (int i = 0; i < RULES; i++)
        names[i] = rules[i].name;
    if (!PyArg_ParseTuple(arguments, "s", &name) || !word_index("name", name, names, &index))
        return NULL;
    SceneObject *scene = (SceneObject *)PyType_GenericAlloc(scene_type, 0);
    if (scene == NULL)
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    rules[index].create(&scene->content, scene->meshes);
    PyEval_RestoreThread(thread);
    scene->rule = &rules[index];
    return (PyObject *)scene;
}

static void release(PyObject *self)
{
    SceneObject *scene = (SceneObject *)self;
    if (scene->rule != NULL)
        scene->rule->end(&scene->content);
    free_object(self);
}

static PyObject *copy_rows(const void *data, const char *format, Py_ssize_t rows)
{
    const Py_ssize_t shape[] = {rows, 3};
    return array_of_block(records_copy(RECORD_NUMBERS, data, 12 * (int64_t)rows), format, 2, shape);
}

static bool check_range(int number, int count, const char *name)
{
    if (number >= 0 && number < count)
        return true;
    PyErr_Format(PyExc_IndexError, "%s is %d, there are %d", name, number, count);
    return false;
}

static PyObject *scene_triangles(PyObject *self, PyObject *arguments)
{
    const SceneObject *scene = (SceneObject *)self;
    int body;
    if (!PyArg_ParseTuple(arguments, "i", &body) ||
        !check_range(body, scene->rule->body_count, "body"))
        return NULL;
    return copy_rows(scene->meshes[body]->triangles, "u4", scene->meshes[body]->triangle_count);
}

static PyObject *scene_vertices(PyObject *self, PyObject *arguments)
{
    const SceneObject *scene = (SceneObject *)self;
    int body, step;
    if (!PyArg_ParseTuple(arguments, "ii", &body, &step) ||
        !check_range(body, scene->rule->body_count, "body") ||
        !check_range(step, scene->rule->step_count, "frame"))
        return NULL;
    const Py_ssize_t shape[] = {scene->meshes[body]->vertex_count, 3};
    float *block = records_block(RECORD_NUMBERS, 12 * (int64_t)shape[0]);
    if (block == NULL)
        return PyErr_NoMemory();
    PyThreadState *thread = PyEval_SaveThread();
    scene->rule->place(&scene->content, body, step, block);
    PyEval_RestoreThread(thread);
    return array_of_block(block, "f4", 2, shape);
}

static PyObject *counts(PyObject *self, void *closure)
{
    (void)closure;
    const Rule *rule = ((SceneObject *)self)->rule;
    return Py_BuildValue("ii", rule->body_count, rule->step_count);
}

static PyObject *icosphere(PyObject *module, PyObject *arguments)
{
    (void)module;
    int subdivisions;
    if (!PyArg_ParseTuple(arguments, "i", &subdivisions) ||
        !check_range(subdivisions, 10, "subdivisions"))
        return NULL;
    SceneMesh sphere = scene_icosphere(subdivisions);
    PyObject *vertices = copy_rows(sphere.vertices, "f4", sphere.vertex_count);
    PyObject *triangles =
        vertices ? copy_rows(sphere.triangles, "u4", sphere.triangle_count) : NULL;
    PyObject *both = triangles ? PyTuple_Pack(2, vertices, triangles) : NULL;
    Py_XDECREF(vertices);
    Py_XDECREF(triangles);
    scene_mesh_free(&sphere);
    return both;
}

static PyMethodDef functions[] = {
    {"_scene", open_scene, METH_VARARGS, NULL},
    {"_icosphere", icosphere, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

bool add_scenes(PyObject *module)
{
    static PyMethodDef methods[] = {{"triangles", scene_triangles, METH_VARARGS, NULL},
                                    {"vertices", scene_vertices, METH_VARARGS, NULL},
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
