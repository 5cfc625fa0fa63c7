/* Copies of arrays for Python: see binding.h. */
#include "binding.h"

PyObject *copy_array(const void *data, const char *format, int dims, const Py_ssize_t *shape)
{
    int64_t size = format[1] - '0';
    for (int d = 0; d < dims; d++)
        size *= shape[d];
    return data == NULL || size == 0
               ? Py_NewRef(Py_None)
               : array_of_block(records_copy(RECORD_NUMBERS, data, size), format, dims, shape);
}

PyObject *copy_rows(const void *data, const char *format, Py_ssize_t count, Py_ssize_t width)
{
    const Py_ssize_t shape[] = {count, width};
    return copy_array(data, format, 2, shape);
}

PyObject *tuple_of(PyObject **items, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (tuple != NULL && items[i] != NULL)
            PyTuple_SetItem(tuple, i, items[i]);
        else
            Py_XDECREF(items[i]);
    }
    if (PyErr_Occurred())
        Py_CLEAR(tuple);
    return tuple;
}
