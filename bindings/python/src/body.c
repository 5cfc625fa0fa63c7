/* Body: a shape in motion, or a soup. Its attributes are how it moves. */
#include "moves.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *body_type;

PyObject *body_object(World *world, PliantBody id)
{
    Body *body = (Body *)PyType_GenericAlloc(body_type, 0);
    if (body != NULL) {
        body->world = (World *)Py_NewRef((PyObject *)world);
        body->id = id;
    }
    return (PyObject *)body;
}

bool body_argument(World *world, PyObject *object, PliantBody *id)
{
    if (object == Py_None)
        return true;
    if (!PyObject_TypeCheck(object, body_type)) {
        PyErr_SetString(PyExc_TypeError, "a pliant.Body is needed");
        return false;
    }
    if (((Body *)object)->world != world_home(world)) {
        PyErr_SetString(PyExc_ValueError, "the body is of another world");
        return false;
    }
    *id = ((Body *)object)->id;
    return true;
}

/* A borrowed array may refer to the body whose world keeps it: such a cycle is ended by the world.
 */
static int visit_world(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT((PyObject *)((Body *)self)->world);
    return 0;
}

static void release(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    Py_DECREF((PyObject *)((Body *)self)->world);
    free_object(self);
}

static PyObject *compare(PyObject *self, PyObject *other, int operation)
{
    if (!PyObject_TypeCheck(other, body_type) || (operation != Py_EQ && operation != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    const Body *a = (Body *)self, *b = (Body *)other;
    const bool is_same = a->world == b->world && memcmp(&a->id, &b->id, sizeof a->id) == 0;
    return PyBool_FromLong(is_same == (operation == Py_EQ));
}

static Py_hash_t hash(PyObject *self)
{
    const PliantBody id = ((Body *)self)->id;
    return (Py_hash_t)(id.index ^ (uint64_t)id.serial << 32);
}

static PyObject *text(PyObject *self)
{
    return PyUnicode_FromFormat("<pliant.Body %u>", (unsigned)((Body *)self)->id.index);
}

/* ---- Reading ----------------------------------------------------------------------------------
 */

static bool read_info(Body *body, PliantBodyInfo *info)
{
    if (!world_enter(body->world))
        return false;
    *info = pliant_body_info_default();
    return body_end_setting(body->world, pliant_body_info(body->world->world, body->id, info));
}

static PyObject *transform(PyObject *self, void *closure)
{
    (void)closure;
    PliantBodyInfo info;
    static const Py_ssize_t shape[] = {3, 4};
    if (!read_info((Body *)self, &info))
        return NULL;
    return array_of_block(records_copy(RECORD_NUMBERS, &info.transform, sizeof info.transform),
                          "f4", 2, shape);
}

static PyObject *filter(PyObject *self, void *closure)
{
    (void)closure;
    PliantBodyInfo info;
    if (!read_info((Body *)self, &info))
        return NULL;
    return Py_BuildValue("II", info.categories, info.collides_with);
}

static PyObject *has_self(PyObject *self, void *closure)
{
    (void)closure;
    PliantBodyInfo info;
    return read_info((Body *)self, &info) ? PyBool_FromLong(info.has_self) : NULL;
}

static PyObject *radius(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    float value = 0;
    if (!world_enter(body->world) ||
        !body_end_setting(body->world, pliant_body_radius(body->world->world, body->id, &value)))
        return NULL;
    return PyFloat_FromDouble((double)value);
}

static PyObject *rounding_error(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    float value;
    if (!world_enter(body->world) ||
        !body_end_setting(body->world,
                          pliant_body_rounding_error(body->world->world, body->id, &value)))
        return NULL;
    return PyFloat_FromDouble((double)value);
}

static PyObject *vertex_radii(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    PliantBodyInfo info;
    if (!read_info(body, &info))
        return NULL;
    float *block = records_block(RECORD_NUMBERS, 4 * (int64_t)info.vertex_count);
    if (block == NULL)
        return PyErr_NoMemory();
    if (!world_enter(body->world)) {
        free(block);
        return NULL;
    }
    if (!body_end_setting(body->world, pliant_body_vertex_radii(body->world->world, body->id, block,
                                                                info.vertex_count))) {
        free(block);
        return NULL;
    }
    const Py_ssize_t shape[] = {info.vertex_count};
    return array_of_block(block, "f4", 1, shape);
}

static PyObject *count_value(PyObject *self, void *closure)
{
    PliantBodyInfo info;
    if (!read_info((Body *)self, &info))
        return NULL;
    return PyLong_FromLong(*(const int32_t *)((const char *)&info + (size_t)(uintptr_t)closure));
}

static PyObject *vertices(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    PliantBodyInfo info;
    if (!read_info(body, &info))
        return NULL;
    float *block = records_block(RECORD_NUMBERS, 12 * (int64_t)info.vertex_count);
    if (block == NULL)
        return PyErr_NoMemory();
    if (!world_enter(body->world)) {
        free(block);
        return NULL;
    }
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_body_vertices(body->world->world, body->id, block, info.vertex_count);
    PyEval_RestoreThread(thread);
    if (!body_end_setting(body->world, result)) {
        free(block);
        return NULL;
    }
    const Py_ssize_t shape[] = {info.vertex_count, 3};
    return array_of_block(block, "f4", 2, shape);
}

static PyObject *corners(PyObject *self, PyObject *object)
{
    static const ArrayRule rule = {"triangles", NUMBER_I32, 1, {ANY}, false};
    Body *body = (Body *)self;
    Array array;
    if (!array_open(object, &rule, &array))
        return NULL;
    const int64_t count = array.shape[0];
    float *block = records_block(RECORD_NUMBERS, 36 * count);
    PliantResult result = PLIANT_OUT_OF_MEMORY;
    if (!world_enter(body->world)) {
        array_close(&array);
        free(block);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    if (block != NULL)
        result = pliant_body_corners(body->world->world, body->id, array.data, count, block, count);
    PyEval_RestoreThread(thread);
    array_close(&array);
    if (!body_end_setting(body->world, result)) {
        free(block);
        return NULL;
    }
    const Py_ssize_t shape[] = {(Py_ssize_t)count, 3, 3};
    return array_of_block(block, "f4", 3, shape);
}

static PyObject *box(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    PliantBox found;
    PliantResult result;
    static const Py_ssize_t shape[] = {2, 3};
    if (!world_enter(body->world))
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_body_box(body->world->world, body->id, &found);
    PyEval_RestoreThread(thread);
    if (!body_end_setting(body->world, result))
        return NULL;
    return array_of_block(records_copy(RECORD_NUMBERS, &found, sizeof found), "f4", 2, shape);
}

static PyObject *nonfinite_count(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    int64_t count = 0;
    if (!world_enter(body->world) ||
        !body_end_setting(body->world,
                          pliant_body_nonfinite_count(body->world->world, body->id, &count)))
        return NULL;
    return PyLong_FromLongLong(count);
}

static PyObject *index_value(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLong(((Body *)self)->id.index);
}

static PyObject *world_value(PyObject *self, void *closure)
{
    (void)closure;
    return Py_NewRef((PyObject *)((Body *)self)->world);
}

static PyObject *is_alive(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    if (!world_enter(body->world))
        return NULL;
    const bool alive = pliant_body_is_alive(body->world->world, body->id);
    world_leave(body->world);
    return PyBool_FromLong(alive);
}

/* The slot of a body that lives; NULL with an exception. */
static BodySlot *living_slot(Body *body)
{
    PliantBodyInfo info;
    return read_info(body, &info) ? world_slot(body->world, body->id) : NULL;
}

static PyObject *shape_value(PyObject *self, void *closure)
{
    (void)closure;
    const BodySlot *slot = living_slot((Body *)self);
    return slot == NULL ? NULL : Py_NewRef(slot->shape ? slot->shape : Py_None);
}

/* Creates the end of a body. The world is in use meanwhile, whatever code an array runs. */
static bool create_end(World *world, PliantBody body)
{
    PliantBody end;
    const PliantResult result = pliant_body_create_end(world->world, body, &end);
    if (result != PLIANT_OK)
        return raise_result(result) != NULL;
    if (world_slot(world, end) == NULL || !body_share_borrowed(world, body, end)) {
        (void)pliant_body_destroy(world->world, end);
        return false;
    }
    BodySlot *own = world_slot(world, body), *slot = world_slot(world, end);
    slot->body = own->end = end;
    slot->shape = Py_XNewRef(own->shape);
    slot->corner_count = own->corner_count;
    return true;
}

static PyObject *end_value(PyObject *self, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    const BodySlot *slot = living_slot(body);
    if (slot == NULL)
        return NULL;
    if (!pliant_body_is_alive(body->world->world, slot->end)) {
        if (!world_enter(body->world))
            return NULL;
        const bool is_created = create_end(body->world, body->id);
        world_leave(body->world);
        if (!is_created)
            return NULL;
    }
    return body_object(body->world, world_slot(body->world, body->id)->end);
}

/* ---- The type ---------------------------------------------------------------------------------
 */

#define COUNT(name, doc)                                                                           \
    {                                                                                              \
#name, count_value, NULL, doc, (void *)offsetof(PliantBodyInfo, name)                      \
    }
#define SETTING(name) (void *)&name##_setting

static PyGetSetDef attributes[] = {
    {"transform", transform, body_set_array, "(3, 4): applied last", SETTING(transform)},
    {"vertices", vertices, body_set_array,
     "(n, 3): where they are now, in world coordinates, bit for bit as queries see them. Setting "
     "copies",
     SETTING(vertices)},
    {"vertices64", body_write_only, body_set_array,
     "(n, 3): the same in float64, less World.origin; near() and sweep() then cover what is lost "
     "by "
     "rounding. Setting copies",
     SETTING(vertices64)},
    {"rounding_error", rounding_error, NULL,
     "how far a vertex may be from its float64, less World.origin; 0: not at all", NULL},
    {"weights", body_write_only, body_set_array, "(targets,): of the morph targets",
     SETTING(weights)},
    {"joints", body_write_only, body_set_array, "(joints, 3, 4): matrices of the skin",
     SETTING(joints)},
    {"filter", filter, body_set_filter, "(categories, collides_with): 32 bits each", NULL},
    {"has_self", has_self, body_set_self,
     "True: queries with includes_self consider pairs within the body", NULL},
    {"radius", radius, body_set_radius,
     "how thick the surface is on each side: World.near() and World.sweep() add it to the distance",
     NULL},
    {"vertex_radii", vertex_radii, body_set_vertex_radii,
     "(n,): the radius of each vertex, in place of that of the body. Setting copies; None removes "
     "them",
     NULL},
    {"loose_box", NULL, body_set_loose_box, "(2, 3): the body promises to stay within; or None",
     NULL},
    {"box", box, NULL, "(2, 3): low and high, of all finite triangles", NULL},
    {"end", end_value, NULL,
     "the body at the end of a step, for sweeps. Created by the first access, where the body is "
     "then; it borrows what the body borrows",
     NULL},
    {"shape", shape_value, NULL, "its Shape; None of a soup", NULL},
    {"index", index_value, NULL, "by which results name the body", NULL},
    {"world", world_value, NULL, "that it is in", NULL},
    {"is_alive", is_alive, NULL, "False once the body was removed", NULL},
    {"nonfinite_count", nonfinite_count, NULL, "triangles with a NaN or an infinity now", NULL},
    COUNT(vertex_count, "vertices of the shape, or of the soup"),
    COUNT(triangle_count, "triangles, or points of a soup of points"),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"borrow", body_borrow, METH_O,
     "borrow(vertices, /)\n--\n\nReads a float32 array (n, 3) in place, in this and every later "
     "query. The array is\nkept alive, and cannot be resized, until the body moves in another way."
     "\n\n>>> import numpy, pliant\n"
     ">>> world = pliant.World()\n"
     ">>> body = world.add(pliant.Shape(numpy.eye(3), numpy.array([[0, 1, 2]])))\n"
     ">>> positions = numpy.eye(3, dtype='f4')\n"
     ">>> body.borrow(positions)\n"
     ">>> positions += 1\n"
     ">>> body.box.tolist()\n"
     "[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]\n"},
    {"rest", body_rest, METH_NOARGS,
     "rest()\n--\n\nReturns to the rest pose; the transform stays."},
    {"borrow64", body_borrow64, METH_O,
     "borrow64(vertices, /)\n--\n\nThe same for a float64 array, which is read at the start of "
     "each query. See vertices64."},
    {"set_primitives", (PyCFunction)(void (*)(void))body_set_primitives,
     METH_VARARGS | METH_KEYWORDS,
     "set_primitives(vertices, corners=None)\n--\n\nSets the triangles, segments or points of a "
     "soup. "
     "Copies."},
    {"borrow_primitives", (PyCFunction)(void (*)(void))body_borrow_primitives,
     METH_VARARGS | METH_KEYWORDS,
     "borrow_primitives(vertices, corners=None)\n--\n\nThe same, but vertices are read in place by "
     "every query, as in borrow().\nCorners are copied: integers of 32 bits, without gaps."},
    {"set_update", body_set_update, METH_O,
     "set_update(kind, /)\n--\n\n'hybrid', 'bottom_up' or 'top_down'. An experiment: affects "
     "speed only. Not frozen at 1.0."},
    {"set_patches", body_set_patches, METH_O,
     "set_patches(patches, /)\n--\n\nA number for each vertex: World.near and World.sweep leave "
     "out pairs within this body whose\nvertices all have one number. 0xffffffff: in no patch; "
     "None "
     "removes them."},
    {"corners", corners, METH_O,
     "corners(triangles, /)\n--\n\nPositions of the corners of some triangles, (n, 3, 3)."},
    {"self_collide", (PyCFunction)(void (*)(void))body_self_collide, METH_VARARGS | METH_KEYWORDS,
     "self_collide(*, kind='all', max_contacts=0, count_only=False, progress=None)\n--\n\n"
     "Pairs of triangles that intersect beyond the vertices or edges that they share. The same as\n"
     "World.collide(body, body).\n\n"
     "kind, max_contacts, count_only, progress: as in World.collide()."},
    {NULL, NULL, 0, NULL},
};

bool add_body_type(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_dealloc, release},
                           {Py_tp_traverse, visit_world},
                           {Py_tp_repr, text},
                           {Py_tp_richcompare, compare},
                           {Py_tp_hash, hash},
                           {Py_tp_getset, attributes},
                           {Py_tp_methods, methods},
                           {Py_tp_doc, (void *)"A shape in a world, or a soup: see World.add()."},
                           {0, NULL}};
    PyType_Spec spec = {"pliant.Body", sizeof(Body), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        slots};
    return (body_type = add_type(module, &spec)) != NULL;
}
