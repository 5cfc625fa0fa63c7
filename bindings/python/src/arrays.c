/* Arrays that come in, through the buffer protocol.
 *
 * Numbers of the right kind without gaps are read in place. Others are converted into a copy that
 * lives as long as the call: float64 is rounded where float32 is wanted, integers are checked. A
 * borrowed array is never converted, because queries read it later; indices of it are copied,
 * because they are checked only once.
 */
#include "binding.h"

#include <string.h>

typedef struct NumberRule {
    size_t size;
    bool is_float;
    int64_t low, high; /* of integers */
    const char *words; /* for messages */
} NumberRule;

static const NumberRule rules[] = {
    [NUMBER_F32] = {4, true, 0, 0, "float32 or float64"},
    [NUMBER_F64] = {8, true, 0, 0, "float64 or float32"},
    [NUMBER_U32] = {4, false, 0, UINT32_MAX, "integers"},
    [NUMBER_U16] = {2, false, 0, UINT16_MAX, "integers"},
    [NUMBER_I32] = {4, false, INT32_MIN, INT32_MAX, "integers"},
};

/* One letter for what a buffer holds: f (float), i (signed) or u (unsigned); 0 if none of these, or
 * of another byte order. */
static char class_of(const char *format)
{
    if (format == NULL)
        return 'u';
    if (*format == '@' || *format == '=' || *format == '<')
        format++;
    if (format[0] == 0 || format[1] != 0)
        return 0;
    return strchr("fd", *format)       ? 'f'
           : strchr("bhilqn", *format) ? 'i'
           : strchr("BHILQN", *format) ? 'u'
                                       : 0;
}

static bool fail_shape(const ArrayRule *rule, const Py_buffer *view)
{
    char wanted[80], found[80];
    size_t w = 0, f = 0;
    for (int i = 0; i < rule->dims; i++)
        w += (size_t)(rule->shape[i] == ANY
                          ? PyOS_snprintf(wanted + w, sizeof wanted - w, "%sn", i ? ", " : "")
                          : PyOS_snprintf(wanted + w, sizeof wanted - w, "%s%zd", i ? ", " : "",
                                          rule->shape[i]));
    found[0] = 0;
    for (int i = 0; i < view->ndim && i < 3; i++)
        f += (size_t)PyOS_snprintf(found + f, sizeof found - f, "%s%zd", i ? ", " : "",
                                   view->shape[i]);
    PyErr_Format(PyExc_ValueError, "%s: the shape is (%s%s), it must be (%s)", rule->name, found,
                 view->ndim > 3 ? ", ..." : "", wanted);
    return false;
}

static bool check_shape(const ArrayRule *rule, const Py_buffer *view)
{
    if (view->ndim != rule->dims)
        return fail_shape(rule, view);
    for (int i = 0; i < rule->dims; i++)
        if (rule->shape[i] != ANY && rule->shape[i] != view->shape[i])
            return fail_shape(rule, view);
    return true;
}

static bool fail_kind(const ArrayRule *rule, const Py_buffer *view)
{
    const char *words = !rule->is_borrowed || !rules[rule->kind].is_float ? rules[rule->kind].words
                        : rule->kind == NUMBER_F32                        ? "float32"
                                                                          : "float64";
    PyErr_Format(PyExc_ValueError,
                 "%s: the numbers are '%s', they must be %s in this machine's order", rule->name,
                 view->format ? view->format : "B", words);
    return false;
}

/* Integers that are as wide and of the other sign are right if none is negative, or too large: they
 * are checked where they are. */
static bool is_plain(const ArrayRule *rule, const Py_buffer *view, char class)
{
    const NumberRule *number = &rules[rule->kind];
    return (size_t)view->itemsize == number->size && number->is_float == (class == 'f') &&
           (class == 'f' || (class == 'u') == (number->low == 0));
}

/* ---- Converting -------------------------------------------------------------------------------
 */

static double read_float(const char *at, Py_ssize_t size)
{
    float single;
    double number;
    if (size == 4) {
        memcpy(&single, at, 4);
        return single;
    }
    memcpy(&number, at, 8);
    return number;
}

/* Little-endian, as all machines are that this is built for. Sets is_large beyond 63 bits. */
static int64_t read_integer(const char *at, Py_ssize_t size, bool is_signed, bool *is_large)
{
    uint64_t bits = 0;
    memcpy(&bits, at, (size_t)size);
    const int unused = 64 - 8 * (int)size;
    if (is_signed)
        return (int64_t)(bits << unused) >> unused;
    *is_large = *is_large || bits > INT64_MAX;
    return (int64_t)bits;
}

static bool write_number(const NumberRule *rule, const char *at, Py_ssize_t size, char class,
                         char *to)
{
    if (rule->is_float) {
        const double number = read_float(at, size);
        const float rounded = (float)number;
        memcpy(to, rule->size == 8 ? (const void *)&number : &rounded, rule->size);
        return true;
    }
    bool is_large = false;
    const int64_t number = read_integer(at, size, class == 'i', &is_large);
    memcpy(to, &number, rule->size);
    return !is_large && number >= rule->low && number <= rule->high;
}

static bool convert(const ArrayRule *rule, Array *array, char class)
{
    const Py_buffer *view = &array->view;
    const NumberRule *number = &rules[rule->kind];
    const Py_ssize_t count = view->itemsize > 0 ? view->len / view->itemsize : 0;
    array->copy = PyMem_Malloc((size_t)(count > 0 ? count : 1) * number->size);
    if (array->copy == NULL)
        return PyErr_NoMemory() != NULL;
    Py_ssize_t at[MAX_DIMS] = {0};
    char *to = array->copy;
    for (Py_ssize_t i = 0; i < count; i++, to += number->size) {
        const char *from = view->buf;
        for (int d = 0; d < view->ndim; d++)
            from += at[d] * view->strides[d];
        if (!write_number(number, from, view->itemsize, class, to)) {
            PyErr_Format(PyExc_ValueError, "%s: number %zd is out of range", rule->name, i);
            return false;
        }
        for (int d = view->ndim - 1; d >= 0 && ++at[d] == view->shape[d]; d--)
            at[d] = 0;
    }
    array->data = array->copy;
    return true;
}

/* ---- Opening ----------------------------------------------------------------------------------
 */

/* Whether the rows are without gaps inside, and follow each other upwards. */
static bool has_rows(const Py_buffer *view)
{
    Py_ssize_t size = view->itemsize;
    for (int d = view->ndim - 1; d > 0; size *= view->shape[d--])
        if (view->strides[d] != size)
            return false;
    return view->shape[0] == 1 ||
           (view->strides[0] >= size && view->strides[0] % view->itemsize == 0);
}

static bool use(const ArrayRule *rule, Array *array)
{
    const Py_buffer *view = &array->view;
    const char class = class_of(view->format);
    if (class == 0 || (class == 'f') != rules[rule->kind].is_float)
        return fail_kind(rule, view);
    if (!check_shape(rule, view))
        return false;
    Py_ssize_t row = (Py_ssize_t)rules[rule->kind].size;
    for (int d = 0; d < rule->dims; d++) {
        array->shape[d] = view->shape[d];
        row *= d > 0 ? view->shape[d] : 1;
    }
    array->data = view->buf;
    array->stride = row;
    if (!rule->is_borrowed)
        return (is_plain(rule, view, class) && PyBuffer_IsContiguous(view, 'C') &&
                (uintptr_t)view->buf % rules[rule->kind].size == 0) ||
               convert(rule, array, class);
    if ((size_t)view->itemsize != rules[rule->kind].size)
        return fail_kind(rule, view);
    if ((view->shape[0] > 0 && !has_rows(view)) || (uintptr_t)view->buf % 4 != 0) {
        PyErr_Format(PyExc_ValueError, "%s: a borrowed array needs rows without gaps inside",
                     rule->name);
        return false;
    }
    array->stride = view->shape[0] > 1 ? view->strides[0] : row;
    return true;
}

bool array_open(PyObject *object, const ArrayRule *rule, Array *array)
{
    *array = (Array){0};
    if (PyObject_GetBuffer(object, &array->view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
        array->view.obj = NULL;
        if (PyErr_ExceptionMatches(PyExc_TypeError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s: an array is needed, such as one of numpy",
                         rule->name);
        }
        return false;
    }
    if (use(rule, array))
        return true;
    array_close(array);
    return false;
}

void array_close(Array *array)
{
    Py_buffer view = array->view;
    PyMem_Free(array->copy);
    *array = (Array){0};
    if (view.obj != NULL)
        PyBuffer_Release(&view);
}

bool array_own(Array *array, size_t size)
{
    Array own = *array;
    own.view = (Py_buffer){.obj = NULL};
    own.copy = PyMem_Malloc(size > 0 ? size : 1);
    if (own.copy == NULL)
        return PyErr_NoMemory() != NULL;
    if (size > 0)
        memcpy(own.copy, array->data, size);
    own.data = own.copy;
    array_close(array);
    *array = own;
    return true;
}

bool array_share(const Array *array, size_t size, Array *other)
{
    *other = *array;
    other->view = (Py_buffer){.obj = NULL};
    other->copy = NULL;
    if (array->copy != NULL)
        return array_own(other, size);
    if (array->view.obj == NULL)
        return true;
    if (PyObject_GetBuffer(array->view.obj, &other->view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
        other->view.obj = NULL;
        return false;
    }
    if (other->view.buf == array->view.buf)
        return true;
    array_close(other);
    PyErr_SetString(PyExc_BufferError, "the memory of a borrowed array has moved");
    return false;
}

PliantVertices array_vertices(const Array *array)
{
    return (PliantVertices){array->data, (int32_t)array->shape[0], (size_t)array->stride};
}

PliantVertices64 array_vertices64(const Array *array)
{
    return (PliantVertices64){array->data, (int32_t)array->shape[0], (size_t)array->stride};
}

bool count_fits(Py_ssize_t count, const char *name)
{
    if (count <= INT32_MAX)
        return true;
    PyErr_Format(PyExc_OverflowError, "%s: %zd are too many", name, count);
    return false;
}
