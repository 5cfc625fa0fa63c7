/* Queries whose answer is more than one array: regions, intersections, volumes, statistics. */
#include "binding.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static PyTypeObject *volume_type, *containment_type;

/* ---- Regions and intersections ----------------------------------------------------------------
 */

/* Contacts that come from the caller: an answer, or some of its items. */
typedef struct GivenContacts {
    PliantContacts contacts;
    PliantContact *block; /* of items that are no answer */
} GivenContacts;

static bool fail_contacts(void)
{
    PyErr_SetString(PyExc_TypeError,
                    "pliant.Contacts are needed, or some of their items: contacts[rows]");
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
        return fail_contacts();
    }
    const bool is_open = array_open(field, rule, array);
    Py_DECREF(field);
    return is_open;
}

static bool copy_items(const World *world, const Array fields[3], GivenContacts *given)
{
    const uint32_t *a = fields[0].data, *b = fields[1].data;
    const int32_t *triangles = fields[2].data;
    const Py_ssize_t count = fields[2].shape[0];
    if (fields[0].shape[0] != count || fields[1].shape[0] != count)
        return fail_contacts();
    given->block = records_block(RECORD_CONTACTS, count);
    if (given->block == NULL)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        given->block[i] = (PliantContact){world_body_of(world, a[i]), world_body_of(world, b[i]),
                                          triangles[2 * i], triangles[2 * i + 1]};
    given->contacts.items = given->block;
    given->contacts.count = count;
    return true;
}

/* Items have no stamp. Their bodies are found by index: a copy of a structured array has nothing
 * but its fields. */
static bool read_items(const World *world, PyObject *object, GivenContacts *given)
{
    static const ArrayRule rules[3] = {{"body_a", NUMBER_U32, 1, {ANY}, false},
                                       {"body_b", NUMBER_U32, 1, {ANY}, false},
                                       {"triangles", NUMBER_I32, 2, {ANY, 2}, false}};
    Array fields[3] = {{.copy = NULL}, {.copy = NULL}, {.copy = NULL}};
    bool is_read = true;
    for (int i = 0; i < 3 && is_read; i++)
        is_read = open_field(object, &rules[i], &fields[i]);
    is_read = is_read && copy_items(world, fields, given);
    for (int i = 0; i < 3; i++)
        array_close(&fields[i]);
    return is_read;
}

static bool read_contacts(const World *world, PyObject *object, GivenContacts *given)
{
    AnswerFacts facts;
    *given = (GivenContacts){.contacts = pliant_contacts_default()};
    given->contacts.items = records_items(object, RECORD_CONTACTS, &given->contacts.count, &facts);
    if (given->contacts.items == NULL)
        return read_items(world, object, given);
    given->contacts.stamp = facts.stamp;
    given->contacts.is_limit_reached = facts.is_limit_reached || facts.is_partial;
    return true;
}

static PyObject *numbers(const void *items, const char *format, int64_t count)
{
    const Py_ssize_t length = (Py_ssize_t)count;
    return array_of_block(records_copy(RECORD_NUMBERS, items, 4 * count), format, 1, &length);
}

static PyObject *copied(RecordKind kind, const void *items, int64_t count, const AnswerFacts *facts)
{
    return records_object(kind, records_copy(kind, items, count), count, facts);
}

/* None if they were not asked for. */
static PyObject *depths_object(const PliantRegions *regions)
{
    if (regions->vertex_depths == NULL)
        Py_RETURN_NONE;
    return numbers(regions->vertex_depths, "f4", regions->vertex_count);
}

static PyObject *regions_object(const PliantRegions *regions)
{
    const AnswerFacts facts = {.stamp = regions->stamp,
                               .is_limit_reached = regions->is_limit_reached};
    PyObject *object = copied(RECORD_REGIONS, regions->items, regions->count, &facts);
    if (object == NULL ||
        (records_add_extra(object, 0,
                           copied(RECORD_CURVES, regions->curves, regions->curve_count, NULL)) &&
         records_add_extra(
             object, 1, copied(RECORD_CURVE_POINTS, regions->points, regions->point_count, NULL)) &&
         records_add_extra(object, 2, numbers(regions->triangles, "i4", regions->triangle_count)) &&
         records_add_extra(object, 3, numbers(regions->vertices, "i4", regions->vertex_count)) &&
         records_add_extra(object, 4, depths_object(regions)) &&
         records_add_extra(
             object, 5, copied(RECORD_REGION_PIECES, regions->pieces, regions->piece_count, NULL))))
        return object;
    Py_DECREF(object);
    return NULL;
}

static PyObject *intersections_object(const PliantIntersections *found)
{
    const AnswerFacts facts = {.stamp = found->stamp, .is_limit_reached = found->is_limit_reached};
    PyObject *object = copied(RECORD_INTERSECTIONS, found->items, found->count, &facts);
    if (object != NULL &&
        !records_add_extra(
            object, 0, copied(RECORD_INTERSECTION_POINTS, found->points, found->point_count, NULL)))
        Py_CLEAR(object);
    return object;
}

/* Ends a query: the answer of the world was copied to `object`, unless it failed. */
static PyObject *finish(World *world, GivenContacts *given, PliantResult result, PyObject *object,
                        Progress *progress)
{
    world_leave(world);
    free(given->block);
    if (result != PLIANT_OK)
        return raise_query(result, progress);
    end_progress(progress);
    return object;
}

static PyObject *regions(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"contacts",   "depth_tolerance", "max_regions", "vertex_depths",
                            "piece_size", "progress",        NULL};
    World *world = (World *)self;
    PyObject *object;
    GivenContacts given;
    Progress progress = {.function = Py_None};
    PliantRegionsDef def = pliant_regions_def_default();
    PliantRegions found = pliant_regions_default();
    long long max = 0;
    int with_vertex_depths = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$fLpfO", names, &object,
                                     &def.depth_tolerance, &max, &with_vertex_depths,
                                     &def.piece_size, &progress.function) ||
        !world_enter(world))
        return NULL;
    def.max_region_count = max;
    def.with_vertex_depths = with_vertex_depths != 0;
    SET_PROGRESS(def, progress);
    if (!read_contacts(world, object, &given)) {
        world_leave(world);
        return NULL;
    }
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_contacts_regions(world->world, &given.contacts, &def, &found);
    PyEval_RestoreThread(thread);
    return finish(world, &given, result, result == PLIANT_OK ? regions_object(&found) : NULL,
                  &progress);
}

static PyObject *intersections(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"contacts", "max_intersections", "progress", NULL};
    World *world = (World *)self;
    PyObject *object;
    GivenContacts given;
    Progress progress = {.function = Py_None};
    PliantIntersectionsDef def = pliant_intersections_def_default();
    PliantIntersections found = pliant_intersections_default();
    long long max = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$LO", names, &object, &max,
                                     &progress.function) ||
        !world_enter(world))
        return NULL;
    def.max_intersection_count = max;
    SET_PROGRESS(def, progress);
    if (!read_contacts(world, object, &given)) {
        world_leave(world);
        return NULL;
    }
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_contacts_intersections(world->world, &given.contacts, &def, &found);
    PyEval_RestoreThread(thread);
    return finish(world, &given, result, result == PLIANT_OK ? intersections_object(&found) : NULL,
                  &progress);
}

/* ---- Distances of vertices ---------------------------------------------------------------------
 */

static bool read_pairs(PyObject *object, PliantNearPairs *pairs)
{
    AnswerFacts facts;
    *pairs = pliant_near_pairs_default();
    pairs->items = records_items(object, RECORD_NEAR_PAIRS, &pairs->count, &facts);
    if (pairs->items == NULL) {
        PyErr_SetString(PyExc_TypeError, "pliant.NearPairs are needed");
        return false;
    }
    pairs->stamp = facts.stamp;
    pairs->is_limit_reached = facts.is_limit_reached;
    return true;
}

static PliantResult find_distances(World *world, PliantBody id, const PliantNearPairs *pairs,
                                   float **block, Py_ssize_t *count)
{
    PliantBodyInfo info = pliant_body_info_default();
    const PliantResult result = pliant_body_info(world->world, id, &info);
    if (result != PLIANT_OK)
        return result;
    *count = info.vertex_count;
    *block = records_block(RECORD_NUMBERS, 4 * (int64_t)info.vertex_count);
    return *block == NULL ? PLIANT_OUT_OF_MEMORY
                          : pliant_near_vertex_distances(world->world, pairs, id, *block, *count);
}

static PyObject *vertex_distances(PyObject *self, PyObject *arguments)
{
    World *world = (World *)self;
    PyObject *object, *body;
    PliantNearPairs pairs;
    PliantBody id = {0, 0};
    float *block = NULL;
    Py_ssize_t count = 0;
    if (!PyArg_ParseTuple(arguments, "OO", &object, &body) || !read_pairs(object, &pairs) ||
        !body_argument(world, body, &id) || !world_enter(world))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = find_distances(world, id, &pairs, &block, &count);
    PyEval_RestoreThread(thread);
    world_leave(world);
    if (result == PLIANT_OK)
        return array_of_block(block, "f4", 1, &count);
    free(block);
    return raise_result(result);
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
    {"is_closed", "no line has shown that a surface is open"},
    {NULL, NULL},
};

static PyStructSequence_Desc volume_desc = {"pliant.Volume", "A volume, with its error.",
                                            volume_fields, 8};

static PyStructSequence_Field containment_fields[] = {
    {"contains", "all of one body is inside the other; what the object is as a bool"},
    {"is_closed", "no line has shown that the outer body is open"},
    {NULL, NULL},
};

static PyStructSequence_Desc containment_desc = {
    "pliant.Containment", "Whether a body is inside another.", containment_fields, 2};

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
        PyBool_FromLong(volume->is_closed),
    };
    PyObject *object = PyStructSequence_New(volume_type);
    for (Py_ssize_t i = 0; i < 8; i++) {
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
                            PliantVolumeDef *def, PyObject **progress)
{
    static char *names[] = {"a",    "b",     "resolution",     "max_resolution",
                            "axes", "error", "relative_error", "progress",
                            NULL};
    const char *word = "shortest";
    int axes = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O$iisddO", names, &bodies[0],
                                     &bodies[1], &def->resolution, &def->max_resolution, &word,
                                     &def->error, &def->relative_error, progress) ||
        !word_index("axes", word, axes_words, &axes))
        return false;
    def->axes = (PliantAxes)axes;
    return true;
}

static PyObject *volume(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    World *world = (World *)self;
    PyObject *bodies[2] = {Py_None, Py_None};
    PliantBody ids[2] = {{0, 0}, {0, 0}};
    PliantVolumeDef def = pliant_volume_def_default();
    PliantVolume found = pliant_volume_default();
    Progress progress = {.function = Py_None};
    if (!read_volume_def(arguments, keywords, bodies, &def, &progress.function) ||
        !body_argument(world, bodies[0], &ids[0]) || !body_argument(world, bodies[1], &ids[1]) ||
        !world_enter(world))
        return NULL;
    SET_PROGRESS(def, progress);
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = bodies[1] == Py_None
                 ? pliant_body_volume(world->world, ids[0], &def, &found)
                 : pliant_bodies_volume(world->world, ids[0], ids[1], &def, &found);
    PyEval_RestoreThread(thread);
    world_leave(world);
    if (result != PLIANT_OK)
        return raise_query(result, &progress);
    end_progress(&progress);
    return volume_object(&found);
}

/* What `contains` of it is. */
static PyObject *containment_bool(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(PyStructSequence_GetItem(self, 0));
}

static PyMethodDef containment_method = {"__bool__", containment_bool, METH_NOARGS, NULL};

static PyObject *containment_object(const PliantContainment *containment)
{
    PyObject *object = PyStructSequence_New(containment_type);
    if (object == NULL)
        return NULL;
    PyStructSequence_SetItem(object, 0, PyBool_FromLong(containment->contains));
    PyStructSequence_SetItem(object, 1, PyBool_FromLong(containment->is_closed));
    return object;
}

static PyObject *contains(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"", "", "progress", NULL};
    World *world = (World *)self;
    PyObject *outer, *inner;
    PliantBody ids[2] = {{0, 0}, {0, 0}};
    PliantContainDef def = pliant_contain_def_default();
    PliantContainment found = pliant_containment_default();
    Progress progress = {.function = Py_None};
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|$O", names, &outer, &inner,
                                     &progress.function) ||
        !body_argument(world, outer, &ids[0]) || !body_argument(world, inner, &ids[1]) ||
        !world_enter(world))
        return NULL;
    SET_PROGRESS(def, progress);
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_bodies_contain(world->world, ids[0], ids[1], &def, &found);
    PyEval_RestoreThread(thread);
    world_leave(world);
    if (result != PLIANT_OK)
        return raise_query(result, &progress);
    end_progress(&progress);
    return containment_object(&found);
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

static PyObject *memory(PyObject *self, PyObject *unused)
{
    (void)unused;
    World *world = (World *)self;
    PliantWorldMemory found = pliant_world_memory_default();
    if (!world_enter(world))
        return NULL;
    const PliantResult result = pliant_world_memory(world->world, &found);
    world_leave(world);
    if (result != PLIANT_OK)
        return raise_result(result);
    return Py_BuildValue("{snsnsnsnsnsn}", "bodies", (Py_ssize_t)found.bodies, "broad_phase",
                         (Py_ssize_t)found.broad_phase, "workers", (Py_ssize_t)found.workers,
                         "answers", (Py_ssize_t)found.answers, "candidates",
                         (Py_ssize_t)found.candidates, "total", (Py_ssize_t)found.total);
}

static PyObject *trim(PyObject *self, PyObject *unused)
{
    (void)unused;
    World *world = (World *)self;
    if (!world_enter(world))
        return NULL;
    const PliantResult result = pliant_world_trim(world->world);
    world_leave(world);
    if (result != PLIANT_OK)
        return raise_result(result);
    Py_RETURN_NONE;
}

/* ---- The table --------------------------------------------------------------------------------
 */

#define METHOD(function) (PyCFunction)(void (*)(void)) function, METH_VARARGS | METH_KEYWORDS

PyMethodDef surface_methods[] = {
    {"regions", METHOD(regions),
     "regions(contacts, *, depth_tolerance=0.01, max_regions=0, vertex_depths=False,\n"
     "        piece_size=0.0, progress=None)\n--\n\n"
     "Joins all contacts of a query to regions: where bodies are inside each other, and how deep.\n"
     "Raises pliant.Stale if a body has changed since the query. Contacts that are limited,\n"
     "approximate, only some rows of an answer, or of another kind than 'all' are refused.\n\n"
     "depth_tolerance: relative, of the depth. Infinite: the depth is left out.\n"
     "max_regions: the limit on their number; 0: no limit.\n"
     "vertex_depths: also how deep each vertex of a region is.\n"
     "piece_size: also pieces with no longer edges, and the depth of their corners; 0: none.\n"
     "progress: as in collide(); steps are contacts."},
    {"intersections", METHOD(intersections),
     "intersections(contacts, *, max_intersections=0, progress=None)\n--\n\n"
     "What the two triangles of each contact have in common: points, with names. Raises\n"
     "pliant.Stale if a body has changed since the query. Some rows of an answer, contacts[rows],\n"
     "have no stamp: each is decided again, and pliant.BadArgument is raised if triangles have\n"
     "nothing in common.\n\n"
     "max_intersections: of the first so many contacts; 0: no limit.\n"
     "progress: as in collide(); steps are contacts."},
    {"vertex_distances", vertex_distances, METH_VARARGS,
     "vertex_distances(pairs, body, /)\n--\n\n"
     "The least distance of the pairs of near() that each vertex of a body is in, (n,); infinity\n"
     "if it is in none."},
    {"volume", METHOD(volume),
     "volume(a, b=None, *, resolution=128, max_resolution=4096, axes='shortest', error=0.0,\n"
     "       relative_error=0.0, progress=None)\n--\n\n"
     "The volume of a body, or of what two have in common. If is_closed of the answer is false, a\n"
     "surface is open: the volume is what all other lines say.\n\n"
     "resolution, max_resolution: pixels along a side of the view, at first and at last.\n"
     "axes: the direction of the view; 'all' takes the best of three views.\n"
     "error, relative_error: the resolution is raised until the error is at most this, or this\n"
     "times the volume. Both 0: it is not raised.\n"
     "progress: as in collide()."},
    {"contains", METHOD(contains),
     "contains(outer, inner, /, *, progress=None)\n--\n\n"
     "Whether all of a body is inside another without touching it. Exact. The answer is true or\n"
     "false as a bool. If its is_closed is false, outer is open, and it contains nothing.\n\n"
     "progress: as in collide()."},
    {"stats", stats, METH_NOARGS, "stats()\n--\n\nThe work of the last query, as a dict."},
    {"memory", memory, METH_NOARGS,
     "memory()\n--\n\n"
     "The bytes that the world holds now, as a dict: of bodies, broad_phase, workers, answers and\n"
     "candidates, and their total."},
    {"trim", trim, METH_NOARGS,
     "trim()\n--\n\n"
     "Releases all memory but that of bodies. Later queries allocate again, and return the same\n"
     "answers. Answers that were returned stay."},
    {NULL, NULL, 0, NULL},
};

bool add_surface_types(PyObject *module)
{
    volume_type = PyStructSequence_NewType(&volume_desc);
    containment_type = PyStructSequence_NewType(&containment_desc);
    if (volume_type == NULL || containment_type == NULL)
        return false;
    PyObject *method = PyDescr_NewMethod(containment_type, &containment_method);
    const bool is_set = method != NULL && PyObject_SetAttrString((PyObject *)containment_type,
                                                                 "__bool__", method) == 0;
    Py_XDECREF(method);
    return is_set && PyModule_AddObjectRef(module, "Volume", (PyObject *)volume_type) == 0 &&
           PyModule_AddObjectRef(module, "Containment", (PyObject *)containment_type) == 0;
}
