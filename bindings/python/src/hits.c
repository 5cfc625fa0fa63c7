/* What hits of rays say of the surface: joints, positions and normals. */
#include "binding.h"

#include <stdlib.h>

/* Hits that come from the caller: an answer, or some of its items. */
typedef struct GivenHits {
    PliantRayHits hits;
    PliantRayHit *block; /* of items that are no answer */
} GivenHits;

static bool fail_hits(void)
{
    PyErr_SetString(PyExc_TypeError,
                    "pliant.RayHits are needed, or some of their items: hits[rows]");
    return false;
}

/* Opens a field of a structured array. */
static bool open_field(PyObject *object, const ArrayRule *rule, Array *array)
{
    PyObject *name = PyUnicode_FromString(rule->name);
    PyObject *field = name ? PyObject_GetItem(object, name) : NULL;
    Py_XDECREF(name);
    if (field == NULL) {
        PyErr_Clear();
        return fail_hits();
    }
    const bool is_open = array_open(field, rule, array);
    Py_DECREF(field);
    return is_open;
}

static bool copy_items(World *world, const Array fields[3], GivenHits *given)
{
    const uint32_t *bodies = fields[0].data;
    const int32_t *triangles = fields[1].data;
    const float *weights = fields[2].data;
    const Py_ssize_t count = fields[0].shape[0];
    if (fields[1].shape[0] != count || fields[2].shape[0] != count)
        return fail_hits();
    given->block = records_block(RECORD_RAY_HITS, count);
    if (given->block == NULL)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < count; i++, weights += 3)
        given->block[i] = (PliantRayHit){.body = world_body_of(world, bodies[i]),
                                         .triangle = triangles[i],
                                         .weights = {weights[0], weights[1], weights[2]}};
    given->hits.items = given->block;
    given->hits.count = count;
    return true;
}

/* Items have no stamp: they follow their bodies. These are found by index. */
static bool read_items(World *world, PyObject *object, GivenHits *given)
{
    static const ArrayRule rules[3] = {{"bodies", NUMBER_U32, 1, {ANY}, false},
                                       {"triangles", NUMBER_I32, 1, {ANY}, false},
                                       {"weights", NUMBER_F32, 2, {ANY, 3}, false}};
    Array fields[3] = {{.copy = NULL}, {.copy = NULL}, {.copy = NULL}};
    bool is_read = true;
    for (int i = 0; i < 3 && is_read; i++)
        is_read = open_field(object, &rules[i], &fields[i]);
    is_read = is_read && copy_items(world, fields, given);
    for (int i = 0; i < 3; i++)
        array_close(&fields[i]);
    return is_read;
}

static bool read_hits(World *world, PyObject *object, GivenHits *given)
{
    AnswerFacts facts;
    *given = (GivenHits){.hits = pliant_ray_hits_default()};
    given->hits.items = records_items(object, RECORD_RAY_HITS, &given->hits.count, &facts);
    if (given->hits.items == NULL)
        return read_items(world, object, given);
    given->hits.stamp = facts.stamp;
    given->hits.is_limit_reached = facts.is_limit_reached;
    return true;
}

static PyObject *points_object(const PliantHitPoints *points)
{
    const AnswerFacts facts = {.stamp = points->stamp,
                               .is_limit_reached = points->is_limit_reached};
    return records_object(RECORD_HIT_POINTS,
                          records_copy(RECORD_HIT_POINTS, points->items, points->count),
                          points->count, &facts);
}

static PyObject *hit_points(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"hits", "max_points", "progress", NULL};
    World *world = (World *)self;
    PyObject *object;
    GivenHits given;
    Progress progress = {.function = Py_None};
    PliantHitPointsDef def = pliant_hit_points_def_default();
    PliantHitPoints points = pliant_hit_points_default();
    long long max = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$LO", names, &object, &max,
                                     &progress.function) ||
        !world_enter(world))
        return NULL;
    def.max_point_count = max;
    SET_PROGRESS(def, progress);
    if (!read_hits(world, object, &given)) {
        world_leave(world);
        return NULL;
    }
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_hits_points(world->world, &given.hits, &def, &points);
    PyEval_RestoreThread(thread);
    PyObject *found = result == PLIANT_OK ? points_object(&points) : NULL;
    world_leave(world);
    free(given.block);
    if (result != PLIANT_OK)
        return raise_query(result, &progress);
    end_progress(&progress);
    return found;
}

static PliantResult find_joints(World *world, const PliantRayHits *hits, int32_t *joints)
{
    PliantResult result = PLIANT_OK;
    for (int64_t i = 0; i < hits->count && result == PLIANT_OK; i++)
        result = pliant_hit_joint(world->world, &hits->items[i], &joints[i]);
    return result;
}

static PyObject *hit_joints(PyObject *self, PyObject *object)
{
    World *world = (World *)self;
    GivenHits given;
    if (!world_enter(world))
        return NULL;
    if (!read_hits(world, object, &given)) {
        world_leave(world);
        return NULL;
    }
    const Py_ssize_t count = (Py_ssize_t)given.hits.count;
    int32_t *joints = records_block(RECORD_NUMBERS, 4 * given.hits.count);
    const PliantResult result =
        joints ? find_joints(world, &given.hits, joints) : PLIANT_OUT_OF_MEMORY;
    world_leave(world);
    free(given.block);
    if (result == PLIANT_OK)
        return array_of_block(joints, "i4", 1, &count);
    free(joints);
    return raise_result(result);
}

PyMethodDef hit_methods[] = {
    {"hit_points", (PyCFunction)(void (*)(void))hit_points, METH_VARARGS | METH_KEYWORDS,
     "hit_points(hits, *, max_points=0, progress=None)\n--\n\n"
     "The position and the smooth normal of each hit of cast_rays(), where its body is now. "
     "Raises\n"
     "pliant.Stale if a body was set since the cast. Some rows of an answer, hits[rows], have no\n"
     "stamp: keep them, and their points follow the bodies, as decals do.\n\n"
     "max_points: of the first so many hits; 0: no limit.\n"
     "progress: as in collide(); steps are hits.\n\n"
     ">>> import numpy, pliant\n"
     ">>> world = pliant.World()\n"
     ">>> body = world.add(pliant.Shape(numpy.eye(3), numpy.array([[0, 1, 2]])))\n"
     ">>> hits = world.cast_rays(numpy.array([[1, 1, 1, -1, -1, -1, 9]], 'f4'))\n"
     ">>> world.hit_points(hits).normals.round(4).tolist() == [[numpy.float32(0.5774)] * 3]\n"
     "True\n"},
    {"hit_joints", hit_joints, METH_O,
     "hit_joints(hits, /)\n--\n\n"
     "The joint that the skin follows most at each hit of cast_rays(), (n,); -1 if there is none.\n"
     "Some rows of an answer, hits[rows], do as well: joints do not depend on the pose."},
    {NULL, NULL, 0, NULL},
};
