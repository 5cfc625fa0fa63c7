/* World: bodies, and what Python keeps alive for them.
 *
 * A Body refers to its world. A world does not refer to Body objects, but to what they use: shapes
 * and borrowed arrays, in a slot for each body. So nothing that a query reads can be released
 * before the body lets go of it, in whichever order objects are deleted.
 */
#include "binding.h"
#include "moves.h"

#include <stddef.h>
#include <string.h>

PyTypeObject *world_type;

static const char *const broad_words[] = {"auto", "brute", "sweep", NULL};
static const char *const primitive_words[] = {"triangles", "points", "segments", NULL};
static const int primitive_corners[] = {
    [PLIANT_TRIANGLES] = 3, [PLIANT_POINTS] = 1, [PLIANT_SEGMENTS] = 2};
static const char *const soup_words[] = {"auto", "sorted", "buckets", "coherent_buckets", NULL};

/* ---- Slots ------------------------------------------------------------------------------------
 */

BodySlot *world_slot(World *world, PliantBody id)
{
    if (id.index >= world->slot_count) {
        const uint32_t count = id.index + id.index / 2 + 8;
        BodySlot *slots = PyMem_Realloc(world->slots, count * sizeof *slots);
        if (slots == NULL) {
            PyErr_NoMemory();
            return NULL;
        }
        memset(slots + world->slot_count, 0, (count - world->slot_count) * sizeof *slots);
        world->slots = slots;
        world->slot_count = count;
    }
    return &world->slots[id.index];
}

/* Empties the slot of a body, and returns what was in it. Index 0 is no body. */
static BodySlot empty_slot(World *world, uint32_t index)
{
    BodySlot slot = {0};
    if (index < world->slot_count) {
        slot = world->slots[index];
        world->slots[index] = (BodySlot){0};
    }
    return slot;
}

/* Releases what was kept for a body. Other Python code may run, and may give its index to another
 * body: all slots that are to be closed have to be emptied before. */
static void close_slot(BodySlot *slot)
{
    Py_XDECREF(slot->shape);
    array_close(&slot->borrowed[0]);
    array_close(&slot->borrowed[1]);
}

/* ---- Creating and closing ---------------------------------------------------------------------
 */

static bool open_world(World *world, int threads, PliantBroadKind broad)
{
    PliantHost host = binding_host();
    PliantPoolDef pool_def = pliant_pool_def_default();
    PliantWorldDef def = pliant_world_def_default();
    PliantResult result = PLIANT_OK;
    pool_def.host = def.host = &host;
    pool_def.worker_count = threads;
    PliantExperiments experiments = pliant_experiments_default();
    experiments.broad_kind = broad;
    def.experiments = &experiments;
    if (world->may_pair != NULL) {
        def.may_pair = may_pair_hook;
        def.user = world;
    }
    if (threads != 1)
        result = pliant_pool_create(&pool_def, &world->pool);
    if (result == PLIANT_OK) {
        if (world->pool != NULL)
            pliant_pool_attach(world->pool, &host);
        result = pliant_world_create(&def, &world->world);
    }
    return result == PLIANT_OK || raise_result(result) != NULL;
}

static PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"threads", "broad", "may_pair", NULL};
    int threads = 1, broad = 0;
    const char *broad_word = "auto";
    PyObject *may_pair = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$isO", names, &threads, &broad_word,
                                     &may_pair) ||
        !word_index("broad", broad_word, broad_words, &broad))
        return NULL;
    if (may_pair != Py_None && !PyCallable_Check(may_pair)) {
        PyErr_SetString(PyExc_TypeError, "may_pair: a function is needed");
        return NULL;
    }
    World *world = (World *)PyType_GenericAlloc(type, 0);
    if (world != NULL) {
        world->fork_count = fork_count;
        world->may_pair = may_pair != Py_None ? Py_NewRef(may_pair) : NULL;
        if (!open_world(world, threads, (PliantBroadKind)broad))
            Py_CLEAR(world);
    }
    return (PyObject *)world;
}

/* The threads of a pool are not there in a forked child: it cannot be ended there. */
static void close_world(World *world)
{
    PliantWorld *closed = world->world;
    world->world = NULL;
    pliant_world_destroy(closed);
    if (world->fork_count == fork_count)
        pliant_pool_destroy(world->pool);
    world->pool = NULL;
    for (uint32_t i = 0; i < world->slot_count; i++) {
        BodySlot slot = empty_slot(world, i);
        close_slot(&slot);
    }
    Py_CLEAR(world->may_pair);
    Py_CLEAR(world->read);
}

static int visit_all(PyObject *self, visitproc visit, void *arg)
{
    World *world = (World *)self;
    Py_VISIT(Py_TYPE(self));
    Py_VISIT((PyObject *)world->read);
    Py_VISIT(world->may_pair);
    for (uint32_t i = 0; i < world->slot_count; i++) {
        Py_VISIT(world->slots[i].shape);
        Py_VISIT(world->slots[i].borrowed[0].view.obj);
        Py_VISIT(world->slots[i].borrowed[1].view.obj);
    }
    return 0;
}

static int clear(PyObject *self)
{
    close_world((World *)self);
    return 0;
}

static void release(PyObject *self)
{
    World *world = (World *)self;
    PyObject_GC_UnTrack(self);
    close_world(world);
    PyMem_Free(world->slots);
    free_object(self);
}

/* ---- Bodies -----------------------------------------------------------------------------------
 */

/* Gives a new body its slot; without memory for that, the body is destroyed. */
static PyObject *keep_body(World *world, PliantBody id, PyObject *shape, int corner_count)
{
    BodySlot *slot = world_slot(world, id);
    PyObject *body = slot ? body_object(world, id) : NULL;
    if (body == NULL) {
        (void)pliant_body_destroy(world->world, id);
        return NULL;
    }
    *slot = (BodySlot){.body = id, .shape = shape, .corner_count = corner_count};
    Py_XINCREF(shape);
    return body;
}

static PyObject *add(PyObject *self, PyObject *object)
{
    World *world = (World *)self;
    PliantBody id;
    if (!PyObject_TypeCheck(object, shape_type)) {
        PyErr_SetString(PyExc_TypeError, "a pliant.Shape is needed");
        return NULL;
    }
    if (!world_enter(world))
        return NULL;
    const PliantResult result = pliant_body_create(world->world, ((Shape *)object)->shape, &id);
    PyObject *body = result == PLIANT_OK ? keep_body(world, id, object, 0) : raise_result(result);
    world_leave(world);
    return body;
}

static PyObject *add_soup(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"primitives", "order", "levels", NULL};
    World *world = (World *)self;
    const char *primitive_word = "triangles", *soup_word = "auto";
    int primitive = 0, kind = 0;
    PliantSoupDef def = pliant_soup_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    PliantBody id;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|s$si", names, &primitive_word,
                                     &soup_word, &experiments.soup_level_count) ||
        !word_index("primitives", primitive_word, primitive_words, &primitive) ||
        !word_index("order", soup_word, soup_words, &kind) || !world_enter(world))
        return NULL;
    def.primitive_kind = (PliantPrimitiveKind)primitive;
    experiments.soup_kind = (PliantSoupKind)kind;
    def.experiments = &experiments;
    const PliantResult result = pliant_body_create_soup(world->world, &def, &id);
    PyObject *body = result == PLIANT_OK ? keep_body(world, id, NULL, primitive_corners[primitive])
                                         : raise_result(result);
    world_leave(world);
    return body;
}

/* The index of the end that is destroyed with a body; 0 if there is none. An end that was removed
 * does not count: its index may be that of another body by now. */
static uint32_t end_index(const World *world, PliantBody id)
{
    const PliantBody none = {0, 0};
    const PliantBody end = id.index < world->slot_count ? world->slots[id.index].end : none;
    return pliant_body_is_alive(world->world, end) ? end.index : 0;
}

static PyObject *remove_body(PyObject *self, PyObject *object)
{
    World *world = (World *)self;
    PliantBody id = {0, 0};
    if (!body_argument(world, object, &id) || !world_enter(world))
        return NULL;
    const uint32_t end = end_index(world, id);
    const PliantResult result = pliant_body_destroy(world->world, id);
    world_leave(world);
    if (result != PLIANT_OK)
        return raise_result(result);
    BodySlot slots[] = {empty_slot(world, id.index), empty_slot(world, end)};
    close_slot(&slots[0]);
    close_slot(&slots[1]);
    Py_RETURN_NONE;
}

static PyObject *bodies(PyObject *self, void *closure)
{
    (void)closure;
    World *world = (World *)self;
    if (!world_enter(world))
        return NULL;
    PyObject *list = PyList_New(0);
    for (PliantBody id = {0, 0}; list != NULL;) {
        id = pliant_world_next_body(world->world, id);
        if (id.index == 0)
            break;
        PyObject *body = body_object(world_home(world), id);
        if (body == NULL || PyList_Append(list, body) != 0)
            Py_CLEAR(list);
        Py_XDECREF(body);
    }
    world_leave(world);
    return list;
}

static PyObject *body_at(PyObject *self, PyObject *number)
{
    World *world = world_home((World *)self);
    const size_t index = PyLong_AsSize_t(number);
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_OverflowError))
        return NULL;
    PyErr_Clear();
    if (index == 0 || index >= world->slot_count || world->slots[index].body.index == 0) {
        PyErr_Format(PyExc_IndexError, "no body of the world has the index %S", number);
        return NULL;
    }
    return body_object(world, world->slots[index].body);
}

/* Takes no part in world_enter(): it is for a world that a query is using. */
static PyObject *cancel(PyObject *self, PyObject *unused)
{
    (void)unused;
    pliant_world_cancel(((World *)self)->world);
    Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    Py_INCREF(self);
    return self;
}

static PyObject *exclude_vertices(PyObject *self, PyObject *arguments)
{
    static const ArrayRule rule = {"pairs", NUMBER_U32, 2, {ANY, 2}, false};
    World *world = (World *)self;
    PyObject *objects[3];
    PliantBody a, b;
    Array pairs = {.copy = NULL};
    if (!PyArg_ParseTuple(arguments, "OOO", &objects[0], &objects[1], &objects[2]) ||
        !body_argument(world, objects[0], &a) || !body_argument(world, objects[1], &b) ||
        (objects[2] != Py_None && !array_open(objects[2], &rule, &pairs)))
        return NULL;
    if (!world_enter(world)) {
        array_close(&pairs);
        return NULL;
    }
    const PliantResult result =
        pliant_bodies_exclude_vertices(world->world, a, b, pairs.data, pairs.shape[0]);
    array_close(&pairs);
    if (!body_end_setting(world, result))
        return NULL;
    Py_RETURN_NONE;
}

/* `with world.hold():` holds it, enters, and releases it at the end. */
static PyObject *hold(PyObject *self, PyObject *unused)
{
    World *world = (World *)self;
    if (!world_enter(world))
        return NULL;
    const PliantResult result = pliant_world_hold(world->world);
    world_leave(world);
    return result == PLIANT_OK ? enter(self, unused) : raise_result(result);
}

static PyObject *end_hold(PyObject *self, PyObject *unused)
{
    (void)unused;
    World *world = (World *)self;
    if (!world_enter(world))
        return NULL;
    const PliantResult result = pliant_world_release(world->world);
    world_leave(world);
    if (result != PLIANT_OK)
        return raise_result(result);
    Py_RETURN_NONE;
}

static PyObject *add_reader(PyObject *self, PyObject *unused)
{
    (void)unused;
    World *world = (World *)self, *reader;
    if (!world_enter(world))
        return NULL;
    reader = (World *)PyType_GenericAlloc(Py_TYPE(self), 0);
    if (reader != NULL) {
        reader->fork_count = fork_count;
        const PliantResult result = pliant_reader_create(world->world, &reader->world);
        if (result == PLIANT_OK) {
            Py_INCREF(self);
            reader->read = world;
        } else {
            Py_CLEAR(reader);
            raise_result(result);
        }
    }
    world_leave(world);
    return (PyObject *)reader;
}

static Py_ssize_t length(PyObject *self)
{
    return pliant_world_body_count(((World *)self)->world);
}

static PyObject *threads(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(pliant_pool_worker_count(((World *)self)->pool));
}

/* ---- The type ---------------------------------------------------------------------------------
 */

static const char doc[] =
    "World(*, threads=1, broad='auto', may_pair=None)\n--\n\n"
    "Bodies that move, and what can be asked about them. Answers are exact, in one order, and the\n"
    "same with any number of threads.\n\n"
    "threads: workers of a query; 0: one for each processor.\n"
    "broad: an experiment, how pairs of bodies are found. Affects speed only. Not frozen at\n"
    "1.0.\n"
    "may_pair: a function of two bodies, the one with the lower index first. If it returns False,\n"
    "collide(), near(), sweep(), body_pairs() and bodies_within() leave out all pairs of these "
    "two.\n"
    "Queries of two given bodies ignore it. It is called on the thread that asks, must not use "
    "the\n"
    "world, and must return the same throughout a query. What it raises ends the query.\n\n"
    "Queries release the GIL. A world belongs to one thread at a time: a second call on it\n"
    "meanwhile, setters of its bodies included, raises pliant.Busy. cancel() is for other "
    "threads.\n"
    "\n"
    ">>> import numpy, pliant\n"
    ">>> corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 'f4')\n"
    ">>> shape = pliant.Shape(corners, numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))\n"
    ">>> world = pliant.World()\n"
    ">>> a, b = world.add(shape), world.add(shape)\n"
    ">>> b.transform = numpy.array([[1, 0, 0, .5], [0, 1, 0, .25], [0, 0, 1, .125]])\n"
    ">>> contacts = world.collide()\n"
    ">>> contacts.triangles.tolist()\n"
    "[[3, 0], [3, 1], [3, 2]]\n"
    ">>> contacts.bodies.tolist() == [[a.index, b.index]] * 3\n"
    "True\n";

static PyMethodDef own_methods[] = {
    {"add", add, METH_O, "add(shape, /)\n--\n\nAdds a body of a shape, in its rest pose."},
    {"add_soup", (PyCFunction)(void (*)(void))add_soup, METH_VARARGS | METH_KEYWORDS,
     "add_soup(primitives='triangles', *, order='auto', levels=0)\n--\n\n"
     "Adds a body without a shape: 'triangles' or 'points', any number each frame.\n\n"
     "order: an experiment, how primitives are kept in order. Affects speed only. Not frozen at\n"
     "1.0.\n"
     "levels: likewise, of the octree of buckets, 1 to 7; 0: by the number of primitives.\n\n"
     ">>> import numpy, pliant\n"
     ">>> world = pliant.World()\n"
     ">>> soup, points = world.add_soup(), world.add_soup('points')\n"
     ">>> soup.set_primitives(numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], 'f4'))\n"
     ">>> points.set_primitives(numpy.array([[.25, .25, 0], [1, 1, 0]], 'f4'))\n"
     ">>> world.collide().triangles.tolist()\n"
     "[[0, 0]]\n"},
    {"remove", remove_body, METH_O,
     "remove(body, /)\n--\n\nRemoves a body, and its end. Borrowed arrays are let go."},
    {"exclude_vertices", exclude_vertices, METH_VARARGS,
     "exclude_vertices(a, b, pairs, /)\n--\n\nPairs of vertices that never count, (n, 2): of a "
     "and of b, which may be one body. near() and\nsweep() leave out pairs of features that have "
     "one, a vertex on each side. Replaces what was set for\nthese bodies; None removes it."},
    {"cancel", cancel, METH_NOARGS,
     "cancel()\n--\n\nEnds the query that runs on another thread: it raises pliant.Cancelled "
     "within some\nmilliseconds. Later queries are not affected. Any thread."},
    {"hold", hold, METH_NOARGS,
     "hold()\n--\n\nHolds the world until release(): a promise that nothing is set, and that no "
     "borrowed array is\nwritten. Queries in between read borrowed vertices once. Setters raise "
     "pliant.Busy.\n\n"
     ">>> import pliant\n"
     ">>> world = pliant.World()\n"
     ">>> with world.hold():\n"
     "...     contacts, pairs = world.collide(), world.near(0.1)\n"},
    {"release", end_hold, METH_NOARGS,
     "release()\n--\n\nEnds a hold; `with world.hold():` does so."},
    {"reader", add_reader, METH_NOARGS,
     "reader()\n--\n\nA reader: while the world is held, it answers every query as the world does, "
     "on another\nthread. Each thread needs a reader of its own. Without a hold it raises "
     "pliant.Busy."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", end_hold, METH_VARARGS, NULL},
    {"body", body_at, METH_O,
     "body(index, /)\n--\n\nThe body that results name by this index: Body.index."},
};

enum { MAX_METHODS = 40 };

/* The methods of a world are in four files: here they are one table. */
static PyMethodDef *all_methods(void)
{
    static PyMethodDef all[MAX_METHODS];
    size_t count = 0;
    for (size_t i = 0; i < sizeof own_methods / sizeof *own_methods; i++)
        all[count++] = own_methods[i];
    for (const PyMethodDef *method = query_methods; method->ml_name != NULL; method++)
        all[count++] = *method;
    for (const PyMethodDef *method = hit_methods; method->ml_name != NULL; method++)
        all[count++] = *method;
    for (const PyMethodDef *method = surface_methods; method->ml_name != NULL; method++)
        all[count++] = *method;
    return all;
}

static PyObject *origin(PyObject *self, void *closure)
{
    (void)closure;
    World *world = (World *)self;
    double x[3];
    if (!world_enter(world))
        return NULL;
    const PliantResult result = pliant_world_origin(world->world, x);
    world_leave(world);
    return result == PLIANT_OK ? Py_BuildValue("(ddd)", x[0], x[1], x[2]) : raise_result(result);
}

static int set_origin(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    World *world = (World *)self;
    PyObject *three = value ? PySequence_Tuple(value) : NULL;
    double x[3];
    if (value == NULL)
        PyErr_SetString(PyExc_AttributeError, "this attribute cannot be deleted");
    if (three == NULL)
        return -1;
    const bool is_read =
        PyArg_ParseTuple(three, "ddd;origin: three numbers are needed", &x[0], &x[1], &x[2]);
    Py_DECREF(three);
    if (!is_read || !world_enter(world))
        return -1;
    const PliantResult result = pliant_world_set_origin(world->world, x);
    world_leave(world);
    return result == PLIANT_OK || raise_result(result) != NULL ? 0 : -1;
}

static PyGetSetDef attributes[] = {
    {"bodies", bodies, NULL, "all bodies, by index", NULL},
    {"threads", threads, NULL, "workers of a query", NULL},
    {"origin", origin, set_origin,
     "(x, y, z): what is subtracted from Body.vertices64 before they are rounded. At first zeros",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool add_world_type(PyObject *module)
{
    PyType_Slot slots[] = {
        {Py_tp_new, create},      {Py_tp_dealloc, release},   {Py_tp_traverse, visit_all},
        {Py_tp_clear, clear},     {Py_tp_getset, attributes}, {Py_tp_methods, all_methods()},
        {Py_tp_doc, (void *)doc}, {Py_sq_length, length},     {0, NULL}};
    PyType_Spec spec = {"pliant.World", sizeof(World), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                        slots};
    return (world_type = add_type(module, &spec)) != NULL;
}
