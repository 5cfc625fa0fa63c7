/* Queries whose answer is more than one array: regions, intersections, volumes, statistics. */
#include "binding.h"

#include <stddef.h>
#include <string.h>

static PyTypeObject *volume_type;

/* ---- Regions and intersections ----------------------------------------------------------------
 */

/* Contacts that come from the caller: they were made by a query of a world. */
static bool read_contacts(PyObject *object, PliantContacts *contacts)
{
    *contacts = pliant_contacts_default();
    contacts->items = records_items(object, RECORD_CONTACTS, &contacts->count);
    if (contacts->items == NULL)
        return false;
    contacts->is_limit_reached = records_is_partial(object);
    return true;
}

static PyObject *numbers(const int32_t *items, int64_t count)
{
    const Py_ssize_t length = (Py_ssize_t)count;
    return array_of_block(records_copy(RECORD_NUMBERS, items, 4 * count), "i4", 1, &length);
}

static PyObject *copied(RecordKind kind, const void *items, int64_t count)
{
    return records_object(kind, records_copy(kind, items, count), count, false);
}

static PyObject *regions_object(const PliantRegions *regions)
{
    PyObject *object = copied(RECORD_REGIONS, regions->items, regions->count);
    if (object == NULL ||
        (records_add_extra(object, 0,
                           copied(RECORD_CURVES, regions->curves, regions->curve_count)) &&
         records_add_extra(object, 1,
                           copied(RECORD_CURVE_POINTS, regions->points, regions->point_count)) &&
         records_add_extra(object, 2, numbers(regions->triangles, regions->triangle_count)) &&
         records_add_extra(object, 3, numbers(regions->vertices, regions->vertex_count))))
        return object;
    Py_DECREF(object);
    return NULL;
}

static PyObject *regions(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"contacts", "depth_tolerance", NULL};
    World *world = (World *)self;
    PyObject *object;
    PliantContacts contacts;
    PliantRegionsDef def = pliant_regions_def_default();
    PliantRegions found = pliant_regions_default();
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$f", names, &object,
                                     &def.depth_tolerance) ||
        !read_contacts(object, &contacts) || !world_enter(world))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_contacts_regions(world->world, &contacts, &def, &found);
    PyEval_RestoreThread(thread);
    PyObject *answer = result == PLIANT_OK ? regions_object(&found) : raise_result(result);
    world_leave(world);
    return answer;
}

static PyObject *intersections(PyObject *self, PyObject *object)
{
    World *world = (World *)self;
    PliantContacts contacts;
    PliantIntersections found = pliant_intersections_default();
    if (!read_contacts(object, &contacts) || !world_enter(world))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_contacts_intersections(world->world, &contacts, &found);
    PyEval_RestoreThread(thread);
    PyObject *answer = result == PLIANT_OK ? copied(RECORD_INTERSECTIONS, found.items, found.count)
                                           : raise_result(result);
    if (answer != NULL &&
        !records_add_extra(answer, 0,
                           copied(RECORD_INTERSECTION_POINTS, found.points, found.point_count)))
        Py_CLEAR(answer);
    world_leave(world);
    return answer;
}

/* ---- Volumes ----------------------------------------------------------------------------------
 */

static const char *const axes_words[] = {"shortest", "x", "y", "z", "all", NULL};

static PyStructSequence_Field volume_fields[] = {
    {"volume", "in cubic units of the world"},
    {"error", "how far the volume may be off"},
    {"centroid", "(x, y, z)"},
    {"box", "((x, y, z), (x, y, z))"},
    {"resolution", "pixels along a side of the view"},
    {"is_reached", "the error is at most what was asked for"},
    {"bad_pixel_count", "lines that show an open surface"},
    {NULL, NULL},
};

static PyStructSequence_Desc volume_desc = {"pliant.Volume", "A volume, with its error.",
                                            volume_fields, 7};

static PyObject *volume_object(const PliantVolume *volume)
{
    const double *c = volume->centroid;
    const float *low = volume->box.low, *high = volume->box.high;
    PyObject *items[] = {
        PyFloat_FromDouble(volume->volume),
        PyFloat_FromDouble(volume->error),
        Py_BuildValue("ddd", c[0], c[1], c[2]),
        Py_BuildValue("(fff)(fff)", low[0], low[1], low[2], high[0], high[1], high[2]),
        PyLong_FromLong(volume->view.width),
        PyBool_FromLong(volume->is_reached),
        PyLong_FromLongLong(volume->bad_pixel_count),
    };
    PyObject *object = PyStructSequence_New(volume_type);
    for (Py_ssize_t i = 0; i < 7; i++) {
        if (object != NULL && items[i] != NULL)
            PyStructSequence_SetItem(object, i, items[i]);
        else
            Py_XDECREF(items[i]);
    }
    if (PyErr_Occurred())
        Py_CLEAR(object);
    return object;
}

static bool read_volume_def(PyObject *arguments, PyObject *keywords, PyObject *bodies[2],
                            PliantVolumeDef *def)
{
    static char *names[] = {"a",    "b",     "resolution",     "max_resolution",
                            "axes", "error", "relative_error", NULL};
    const char *word = "shortest";
    int axes = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O$iisdd", names, &bodies[0],
                                     &bodies[1], &def->resolution, &def->max_resolution, &word,
                                     &def->error, &def->relative_error) ||
        !word_index("axes", word, axes_words, &axes))
        return false;
    def->axes = (PliantAxes)axes;
    return true;
}

/* What is known of a surface that is not closed is an attribute of the exception. */
static void add_partial(PyObject *partial)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (partial != NULL && PyObject_SetAttrString(value, "volume", partial) != 0)
        PyErr_Clear();
    PyErr_Restore(type, value, traceback);
}

static PyObject *volume(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    World *world = (World *)self;
    PyObject *bodies[2] = {Py_None, Py_None};
    PliantBody ids[2] = {{0, 0, 0}, {0, 0, 0}};
    PliantVolumeDef def = pliant_volume_def_default();
    PliantVolume found = pliant_volume_default();
    if (!read_volume_def(arguments, keywords, bodies, &def) ||
        !body_argument(world, bodies[0], &ids[0]) || !body_argument(world, bodies[1], &ids[1]) ||
        !world_enter(world))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = bodies[1] == Py_None
                 ? pliant_body_volume(world->world, ids[0], &def, &found)
                 : pliant_bodies_volume(world->world, ids[0], ids[1], &def, &found);
    PyEval_RestoreThread(thread);
    world_leave(world);
    if (result == PLIANT_OK)
        return volume_object(&found);
    if (result == PLIANT_NOT_CLOSED) {
        PyObject *partial = volume_object(&found);
        raise_result(result);
        add_partial(partial);
        Py_XDECREF(partial);
        return NULL;
    }
    return raise_result(result);
}

static PyObject *contains(PyObject *self, PyObject *arguments)
{
    World *world = (World *)self;
    PyObject *outer, *inner;
    PliantBody ids[2] = {{0, 0, 0}, {0, 0, 0}};
    bool answer = false;
    if (!PyArg_ParseTuple(arguments, "OO", &outer, &inner) ||
        !body_argument(world, outer, &ids[0]) || !body_argument(world, inner, &ids[1]) ||
        !world_enter(world))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_bodies_contain(world->world, ids[0], ids[1], &answer);
    PyEval_RestoreThread(thread);
    world_leave(world);
    return result == PLIANT_OK ? PyBool_FromLong(answer) : raise_result(result);
}

/* ---- Statistics -------------------------------------------------------------------------------
 */

typedef struct Count {
    const char *name;
    size_t offset;
} Count;

#define COUNT(name)                                                                                \
    {                                                                                              \
#name, offsetof(PliantStats, name)                                                         \
    }

static const Count counts[] = {
    COUNT(vertices_read),    COUNT(primitives_placed),  COUNT(nodes_updated),
    COUNT(leaves_evaluated), COUNT(vertices_evaluated), COUNT(body_pairs),
    COUNT(node_pairs),       COUNT(bound_tests),        COUNT(plane_tests),
    COUNT(leaf_pairs),       COUNT(triangle_tests),     COUNT(undecided),
    COUNT(exact_fallbacks),  COUNT(contacts),           COUNT(byte_size),
};

static PyObject *stats(PyObject *self, PyObject *unused)
{
    (void)unused;
    World *world = (World *)self;
    PliantStats found = pliant_stats_default();
    if (!world_enter(world))
        return NULL;
    const PliantResult result = pliant_world_stats(world->world, &found);
    world_leave(world);
    if (result != PLIANT_OK)
        return raise_result(result);
    PyObject *all = PyDict_New();
    for (size_t i = 0; all != NULL && i < sizeof counts / sizeof *counts; i++) {
        const int64_t *count =
            (const int64_t *)(const void *)((const char *)&found + counts[i].offset);
        PyObject *number = PyLong_FromLongLong(*count);
        if (number == NULL || PyDict_SetItemString(all, counts[i].name, number) != 0)
            Py_CLEAR(all);
        Py_XDECREF(number);
    }
    return all;
}

/* ---- The table --------------------------------------------------------------------------------
 */

#define METHOD(function) (PyCFunction)(void (*)(void)) function, METH_VARARGS | METH_KEYWORDS

PyMethodDef surface_methods[] = {
    {"regions", METHOD(regions),
     "regions(contacts, *, depth_tolerance=0.01)\n--\n\n"
     "Joins all contacts of a query to regions: where bodies are inside each other, and how deep.\n"
     "Nothing may have been set since. Contacts that are limited, approximate, or of another kind\n"
     "than 'all' are refused.\n\n"
     "depth_tolerance: relative, of the depth. Infinite: the depth is left out."},
    {"intersections", intersections, METH_O,
     "intersections(contacts, /)\n--\n\nWhat the two triangles of each contact have in common: "
     "points, with names."},
    {"volume", METHOD(volume),
     "volume(a, b=None, *, resolution=128, max_resolution=4096, axes='shortest', error=0.0,\n"
     "       relative_error=0.0)\n--\n\n"
     "The volume of a body, or of what two have in common. Raises pliant.NotClosed, with what is\n"
     "known as its attribute `volume`.\n\n"
     "resolution, max_resolution: pixels along a side of the view, at first and at last.\n"
     "axes: the direction of the view; 'all' takes the best of three views.\n"
     "error, relative_error: the resolution is raised until the error is at most this, or this\n"
     "times the volume. Both 0: it is not raised."},
    {"contains", contains, METH_VARARGS,
     "contains(outer, inner, /)\n--\n\nWhether all of a body is inside another without touching "
     "it. "
     "Exact."},
    {"stats", stats, METH_NOARGS, "stats()\n--\n\nThe work of the last query, as a dict."},
    {NULL, NULL, 0, NULL},
};

bool add_surface_types(PyObject *module)
{
    volume_type = PyStructSequence_NewType(&volume_desc);
    return volume_type != NULL &&
           PyModule_AddObjectRef(module, "Volume", (PyObject *)volume_type) == 0;
}
