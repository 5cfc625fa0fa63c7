/* Shape: a mesh that bodies share. Its arrays are views of the library's own memory. */
#include "binding.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *shape_type;

static PyObject *create(PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    PliantShape *made = shape_from_arguments(arguments, keywords);
    if (made == NULL)
        return NULL;
    Shape *shape = (Shape *)PyType_GenericAlloc(type, 0);
    if (shape != NULL)
        shape->shape = made;
    else
        pliant_shape_release(made);
    return (PyObject *)shape;
}

static void release(PyObject *self)
{
    Shape *shape = (Shape *)self;
    pliant_shape_release(shape->shape);
    array_close(&shape->mapped);
    free(shape->block);
    free_object(self);
}

/* ---- Bytes ------------------------------------------------------------------------------------
 */

/* Bytes that are aligned as a mapped file are used in place; others are copied. */
static const void *aligned(Shape *shape, const void *data, size_t size)
{
    if ((uintptr_t)data % 64 == 0)
        return data;
    shape->block = aligned_alloc(64, (size + 63) / 64 * 64);
    if (shape->block == NULL)
        return PyErr_NoMemory();
    memcpy(shape->block, data, size);
    array_close(&shape->mapped);
    return shape->block;
}

static bool map(Shape *shape, PyObject *bytes)
{
    PliantHost host = binding_host();
    if (PyObject_GetBuffer(bytes, &shape->mapped.view, PyBUF_SIMPLE) != 0) {
        shape->mapped.view.obj = NULL;
        return false;
    }
    const size_t size = (size_t)shape->mapped.view.len;
    const void *data = aligned(shape, shape->mapped.view.buf, size);
    if (data == NULL)
        return false;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_shape_map(data, size, &host, &shape->shape);
    PyEval_RestoreThread(thread);
    return result == PLIANT_OK || raise_result(result) != NULL;
}

static PyObject *from_bytes(PyObject *class, PyObject *bytes)
{
    PyObject *shape = PyType_GenericAlloc((PyTypeObject *)class, 0);
    if (shape != NULL && !map((Shape *)shape, bytes))
        Py_CLEAR(shape);
    return shape;
}

static PyObject *to_bytes(PyObject *self, PyObject *unused)
{
    (void)unused;
    size_t size;
    const char *data = pliant_shape_data(((Shape *)self)->shape, &size);
    return PyBytes_FromStringAndSize(data, (Py_ssize_t)size);
}

static PyObject *reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *maker = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "from_bytes");
    PyObject *bytes = maker ? to_bytes(self, NULL) : NULL;
    PyObject *answer = bytes ? Py_BuildValue("O(O)", maker, bytes) : NULL;
    Py_XDECREF(maker);
    Py_XDECREF(bytes);
    return answer;
}

static int open_buffer(PyObject *self, Py_buffer *view, int flags)
{
    size_t size;
    const void *data = pliant_shape_data(((Shape *)self)->shape, &size);
    return PyBuffer_FillInfo(view, self, (void *)(uintptr_t)data, (Py_ssize_t)size, 1, flags);
}

/* ---- Attributes -------------------------------------------------------------------------------
 */

static PliantShapeInfo info_of(PyObject *self)
{
    PliantShapeInfo info = pliant_shape_info_default();
    (void)pliant_shape_info(((Shape *)self)->shape, &info);
    return info;
}

static PyObject *number_value(PyObject *self, void *closure)
{
    const PliantShapeInfo info = info_of(self);
    return PyLong_FromLong(*(const int32_t *)((const char *)&info + (size_t)(uintptr_t)closure));
}

static PyObject *byte_size(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromSize_t(info_of(self).byte_size);
}

static PyObject *is_closed(PyObject *self, void *closure)
{
    (void)closure;
    return PyBool_FromLong(info_of(self).is_closed);
}

static PyObject *vertices(PyObject *self, void *closure)
{
    (void)closure;
    const Py_ssize_t shape[] = {info_of(self).vertex_count, 3};
    return array_of_owner(self, pliant_shape_vertices(((Shape *)self)->shape), "f4", 2, shape);
}

static PyObject *triangles(PyObject *self, void *closure)
{
    (void)closure;
    const Py_ssize_t shape[] = {info_of(self).triangle_count, 3};
    return array_of_owner(self, pliant_shape_triangles(((Shape *)self)->shape), "u4", 2, shape);
}

static PyObject *vertex_order(PyObject *self, void *closure)
{
    (void)closure;
    const Py_ssize_t count = info_of(self).vertex_count;
    return array_of_owner(self, pliant_shape_vertex_order(((Shape *)self)->shape), "i4", 1, &count);
}

static PyObject *edges(PyObject *self, void *closure)
{
    (void)closure;
    const uint32_t *found = NULL;
    int32_t count = 0;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_shape_edges(((Shape *)self)->shape, &found, &count);
    PyEval_RestoreThread(thread);
    const Py_ssize_t shape[] = {count, 2};
    return result == PLIANT_OK ? array_of_owner(self, found, "u4", 2, shape) : raise_result(result);
}

static PyObject *text(PyObject *self)
{
    const PliantShapeInfo info = info_of(self);
    return PyUnicode_FromFormat("<pliant.Shape of %d vertices, %d triangles>",
                                (int)info.vertex_count, (int)info.triangle_count);
}

/* ---- The type ---------------------------------------------------------------------------------
 */

#define NUMBER(name, doc)                                                                          \
    {                                                                                              \
#name, number_value, NULL, doc, (void *)offsetof(PliantShapeInfo, name)                    \
    }

static PyGetSetDef attributes[] = {
    {"vertices", vertices, NULL, "rest pose, (n, 3) float32, a read-only view", NULL},
    {"triangles", triangles, NULL, "(m, 3) uint32, a read-only view", NULL},
    {"edges", edges, NULL, "(e, 2) uint32, in the order that queries name them by", NULL},
    {"vertex_order", vertex_order, NULL, "vertices in the order of the tree, (n,) int32", NULL},
    {"is_closed", is_closed, NULL, "whether a body of it has an inside", NULL},
    {"byte_size", byte_size, NULL, "bytes of the block that holds all of it", NULL},
    NUMBER(vertex_count, "vertices"),
    NUMBER(triangle_count, "triangles, and segments behind them"),
    NUMBER(segment_count, "segments: so many of triangle_count, the last ones"),
    NUMBER(nonfinite_count, "triangles with a NaN or an infinity at rest"),
    NUMBER(target_count, "morph targets"),
    NUMBER(joint_count, "joints of the skin"),
    NUMBER(piece_count, "of divided triangles, plus triangles that are not divided"),
    NUMBER(leaf_count, "of the tree"),
    NUMBER(node_count, "of the tree"),
    NUMBER(level_count, "of the tree"),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"from_bytes", from_bytes, METH_O | METH_CLASS,
     "from_bytes(data, /)\n--\n\nA shape from the bytes of another one. Bytes that are aligned to "
     "64,\nsuch as a mapped file, are used in place and kept alive."},
    {"to_bytes", to_bytes, METH_NOARGS,
     "to_bytes()\n--\n\nThe shape with its tree, as bytes that can be written to a file.\n\n"
     ">>> import numpy, pliant\n"
     ">>> shape = pliant.Shape(numpy.eye(3), numpy.array([[0, 1, 2]]))\n"
     ">>> pliant.Shape.from_bytes(shape.to_bytes()).triangle_count\n1\n"},
    {"__reduce__", reduce, METH_NOARGS, "Pickles the bytes: see to_bytes()."},
    {NULL, NULL, 0, NULL},
};

bool add_shape_type(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_new, create},
                           {Py_tp_dealloc, release},
                           {Py_tp_repr, text},
                           {Py_tp_getset, attributes},
                           {Py_tp_methods, methods},
                           {Py_tp_doc, (void *)shape_doc},
                           {Py_bf_getbuffer, open_buffer},
                           {0, NULL}};
    PyType_Spec spec = {"pliant.Shape", sizeof(Shape), 0, Py_TPFLAGS_DEFAULT, slots};
    return (shape_type = add_type(module, &spec)) != NULL;
}
