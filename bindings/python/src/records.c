/* Arrays that go out: blocks of the library's own structs, which numpy wraps.
 *
 * A kind is a table of fields. Each field is an attribute, a view of the block: `triangles` of
 * contacts has the shape (n, 2). A block as a whole is a structured array: numpy.asarray(records).
 * A field of two bodies whose numbers are not next to each other is two fields of the structured
 * array, with _a and _b behind their stem.
 */
#include "record_kinds.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct Records {
    PyObject_HEAD const Kind *kind;
    int64_t count;
    void *items;       /* owned, unless there is an owner */
    PyObject *owner;   /* of the items, if they are not owned */
    AnswerFacts facts; /* the flag of plain memory: it is read only */
    PyObject *extras[MAX_EXTRAS];
};

static PyTypeObject *types[RECORD_KINDS];
static PyObject *numpy_ndarray, *numpy_dtype, *dtypes[RECORD_KINDS];

/* ---- numpy ------------------------------------------------------------------------------------
 */

/* numpy is imported when the first array is asked for: a program that only counts needs none. */
static bool find_numpy(void)
{
    if (numpy_dtype != NULL)
        return true;
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL)
        return false;
    numpy_ndarray = PyObject_GetAttrString(numpy, "ndarray");
    numpy_dtype = numpy_ndarray ? PyObject_GetAttrString(numpy, "dtype") : NULL;
    Py_DECREF(numpy);
    return numpy_dtype != NULL;
}

static PyObject *number_tuple(const Py_ssize_t *numbers, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple != NULL && i < count; i++) {
        PyObject *number = PyLong_FromSsize_t(numbers[i]);
        if (number == NULL || PyTuple_SetItem(tuple, i, number) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Memory that an array of numpy refers to, and the object that it belongs to. The records
 * themselves have no buffer: numpy would take that for bytes. */
static PyObject *memory_of(PyObject *owner, const void *items, int64_t size, bool is_read_only)
{
    Records *memory = PyObject_New(Records, types[RECORD_NUMBERS]);
    if (memory == NULL)
        return NULL;
    memory->kind = &record_kinds[RECORD_NUMBERS];
    memory->count = size;
    memory->items = (void *)(uintptr_t)items;
    memory->owner = Py_NewRef(owner);
    memory->facts = (AnswerFacts){.flag = is_read_only};
    memset(memory->extras, 0, sizeof memory->extras);
    return (PyObject *)memory;
}

/* numpy.ndarray(shape, dtype, buffer, offset, strides). An empty array has no buffer, because its
 * offset would be behind the end. */
static PyObject *wrap(PyObject *buffer, bool is_empty, PyObject *dtype, size_t offset, int dims,
                      const Py_ssize_t *shape, const Py_ssize_t *strides)
{
    PyObject *array = NULL, *lengths = number_tuple(shape, dims),
             *steps = number_tuple(strides, dims);
    if (lengths != NULL && steps != NULL)
        array = is_empty ? PyObject_CallFunction(numpy_ndarray, "OO", lengths, dtype)
                         : PyObject_CallFunction(numpy_ndarray, "OOOnO", lengths, dtype, buffer,
                                                 (Py_ssize_t)offset, steps);
    Py_XDECREF(lengths);
    Py_XDECREF(steps);
    return array;
}

/* A view of the items of records. */
static PyObject *wrap_items(PyObject *self, PyObject *dtype, size_t offset, int dims,
                            const Py_ssize_t *shape, const Py_ssize_t *strides)
{
    const Records *records = (Records *)self;
    PyObject *memory =
        memory_of(self, records->items, records->count * (int64_t)records->kind->size, false);
    PyObject *array =
        memory ? wrap(memory, records->count == 0, dtype, offset, dims, shape, strides) : NULL;
    Py_XDECREF(memory);
    return array;
}

static PyObject *field_value(PyObject *self, void *closure)
{
    const Field *field = closure;
    const Records *records = (Records *)self;
    const Py_ssize_t shape[] = {(Py_ssize_t)records->count, field->shape[0], field->shape[1]};
    const Py_ssize_t strides[] = {(Py_ssize_t)records->kind->size, field->strides[0],
                                  field->strides[1]};
    PyObject *array = NULL, *format = PyUnicode_FromString(field->format);
    if (format != NULL && find_numpy())
        array = wrap_items(self, format, field->offset, 1 + (shape[1] != 0) + (shape[2] != 0),
                           shape, strides);
    Py_XDECREF(format);
    return array;
}

/* ---- The structured array ---------------------------------------------------------------------
 */

/* Adds a name, a format such as "i4" or ("f4", (3,)), and an offset to three lists. */
static bool add_to_dtype(PyObject *lists[3], const Field *field, const char *suffix, size_t offset,
                         Py_ssize_t count)
{
    PyObject *parts[] = {
        PyUnicode_FromFormat("%s%s", field->stem ? field->stem : field->name, suffix),
        count > 0 ? Py_BuildValue("(s(n))", field->format, count)
                  : PyUnicode_FromString(field->format),
        PyLong_FromSize_t(offset),
    };
    bool is_done = true;
    for (int i = 0; i < 3; i++) {
        is_done = is_done && parts[i] != NULL && PyList_Append(lists[i], parts[i]) == 0;
        Py_XDECREF(parts[i]);
    }
    return is_done;
}

static bool list_fields(PyObject *lists[3], const Field *fields)
{
    for (const Field *field = fields; field->name != NULL; field++) {
        if (field->stem == NULL) {
            if (!add_to_dtype(lists, field, "", field->offset, field->shape[0]))
                return false;
            continue;
        }
        for (int side = 0; side < 2; side++)
            if (!add_to_dtype(lists, field, side ? "_b" : "_a",
                              field->offset + (size_t)(side * field->strides[0]), field->shape[1]))
                return false;
    }
    return true;
}

static PyObject *new_dtype(const Kind *kind)
{
    PyObject *lists[] = {PyList_New(0), PyList_New(0), PyList_New(0)}, *dtype = NULL;
    if (lists[0] != NULL && lists[1] != NULL && lists[2] != NULL &&
        list_fields(lists, kind->fields)) {
        PyObject *parts = Py_BuildValue("{sOsOsOsn}", "names", lists[0], "formats", lists[1],
                                        "offsets", lists[2], "itemsize", (Py_ssize_t)kind->size);
        dtype = parts ? PyObject_CallFunctionObjArgs(numpy_dtype, parts, NULL) : NULL;
        Py_XDECREF(parts);
    }
    for (int i = 0; i < 3; i++)
        Py_XDECREF(lists[i]);
    return dtype;
}

static PyObject *structured(PyObject *self, void *closure)
{
    (void)closure;
    Records *records = (Records *)self;
    const int number = (int)(records->kind - record_kinds);
    if (!find_numpy() ||
        (dtypes[number] == NULL && (dtypes[number] = new_dtype(records->kind)) == NULL))
        return NULL;
    const Py_ssize_t shape = (Py_ssize_t)records->count, stride = (Py_ssize_t)records->kind->size;
    return wrap_items(self, dtypes[number], 0, 1, &shape, &stride);
}

/* numpy.asarray(records), with or without a dtype. */
static PyObject *as_array(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO", names, &dtype, &copy))
        return NULL;
    PyObject *array = structured(self, NULL);
    if (array == NULL || dtype == Py_None)
        return array;
    PyObject *other = PyObject_CallMethod(array, "astype", "O", dtype);
    Py_DECREF(array);
    return other;
}

/* The items as bytes, for programs without numpy. */
static PyObject *memory(PyObject *self, PyObject *unused)
{
    (void)unused;
    const Records *records = (Records *)self;
    PyObject *block =
        memory_of(self, records->items, records->count * (int64_t)records->kind->size, false);
    PyObject *view = block ? PyMemoryView_FromObject(block) : NULL;
    Py_XDECREF(block);
    return view;
}

static PyObject *item(PyObject *self, PyObject *key)
{
    PyObject *array = structured(self, NULL);
    PyObject *value = array ? PyObject_GetItem(array, key) : NULL;
    Py_XDECREF(array);
    return value;
}

/* ---- The type ---------------------------------------------------------------------------------
 */

static int open_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Records *records = (Records *)self;
    static char nothing;
    const Py_ssize_t size = (Py_ssize_t)records->count * (Py_ssize_t)records->kind->size;
    return PyBuffer_FillInfo(view, self, records->items ? records->items : &nothing, size,
                             records->facts.flag, flags);
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)((Records *)self)->count;
}

/* The closure is the offset of a bool in AnswerFacts. */
static PyObject *fact_value(PyObject *self, void *closure)
{
    const char *facts = (const char *)&((Records *)self)->facts;
    return PyBool_FromLong(*(const bool *)(facts + (size_t)(uintptr_t)closure));
}

static PyObject *stamp_value(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromUnsignedLongLong(((Records *)self)->facts.stamp);
}

static PyObject *extra_value(PyObject *self, void *closure)
{
    PyObject *extra = ((Records *)self)->extras[(intptr_t)closure];
    return Py_NewRef(extra ? extra : Py_None);
}

static PyObject *text(PyObject *self)
{
    Records *records = (Records *)self;
    return PyUnicode_FromFormat("<pliant.%s of %lld>", records->kind->name,
                                (long long)records->count);
}

static void release(PyObject *self)
{
    Records *records = (Records *)self;
    if (records->owner == NULL)
        free(records->items);
    Py_XDECREF(records->owner);
    for (int i = 0; i < MAX_EXTRAS; i++)
        Py_XDECREF(records->extras[i]);
    free_object(self);
}

enum { MAX_ATTRIBUTES = 26 };

static const char stamp_doc[] = "names the state of the bodies; 0 of approximate contacts";
static const char limit_doc[] = "there are more than the limit of the query";

/* The attributes of a kind: its fields, its facts, its extras, and the structured array. */
static void list_attributes(const Kind *kind, PyGetSetDef *attributes)
{
    for (const Field *field = kind->fields; field->name != NULL; field++)
        *attributes++ = (PyGetSetDef){field->name, field_value, NULL, field->doc, (void *)field};
    if (kind->is_answer) {
        *attributes++ = (PyGetSetDef){"stamp", stamp_value, NULL, stamp_doc, NULL};
        *attributes++ = (PyGetSetDef){"is_limit_reached", fact_value, NULL, limit_doc,
                                      (void *)offsetof(AnswerFacts, is_limit_reached)};
    }
    if (kind->flag.name != NULL)
        *attributes++ = (PyGetSetDef){kind->flag.name, fact_value, NULL, kind->flag.doc,
                                      (void *)offsetof(AnswerFacts, flag)};
    const Attribute *extras = kind->extras;
    for (intptr_t i = 0; i < MAX_EXTRAS && extras[i].name != NULL; i++)
        *attributes++ = (PyGetSetDef){extras[i].name, extra_value, NULL, extras[i].doc, (void *)i};
    *attributes =
        (PyGetSetDef){"array", structured, NULL, "a structured array of all fields", NULL};
}

bool add_record_types(PyObject *module)
{
    static PyGetSetDef attributes[RECORD_KINDS][MAX_ATTRIBUTES];
    static PyMethodDef methods[] = {
        {"__array__", (PyCFunction)(void (*)(void))as_array, METH_VARARGS | METH_KEYWORDS, NULL},
        {"memory", memory, METH_NOARGS,
         "memory()\n--\n\nThe items as bytes, as the C structs that they are, without numpy."},
        {NULL, NULL, 0, NULL}};
    for (int i = 0; i < RECORD_KINDS; i++) {
        char name[64];
        list_attributes(&record_kinds[i], attributes[i]);
        PyOS_snprintf(name, sizeof name, "pliant.%s", record_kinds[i].name);
        PyType_Slot slots[] = {{Py_tp_dealloc, release},
                               {Py_tp_repr, text},
                               {Py_tp_getset, attributes[i]},
                               {Py_tp_methods, methods},
                               {Py_tp_doc, (void *)record_kinds[i].doc},
                               {Py_mp_length, length},
                               {Py_mp_subscript, item},
                               {0, NULL},
                               {0, NULL}};
        if (i == RECORD_NUMBERS)
            slots[7] = (PyType_Slot){Py_bf_getbuffer, open_buffer};
        PyType_Spec spec = {name, sizeof(Records), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
        if ((types[i] = add_type(module, &spec)) == NULL)
            return false;
    }
    return true;
}

/* ---- Blocks and objects -----------------------------------------------------------------------
 */

void *records_block(RecordKind kind, int64_t count)
{
    const size_t size = record_kinds[kind].size;
    if (count < 0 || (uint64_t)count > PY_SSIZE_T_MAX / size)
        return NULL;
    return malloc(count > 0 ? (size_t)count * size : 1);
}

void *records_copy(RecordKind kind, const void *items, int64_t count)
{
    void *block = records_block(kind, count);
    if (block != NULL && count > 0)
        memcpy(block, items, (size_t)count * record_kinds[kind].size);
    return block;
}

PyObject *records_object(RecordKind kind, void *block, int64_t count, const AnswerFacts *facts)
{
    if (block == NULL)
        return PyErr_NoMemory();
    Records *records = PyObject_New(Records, types[kind]);
    if (records == NULL) {
        free(block);
        return NULL;
    }
    records->kind = &record_kinds[kind];
    records->count = count;
    records->items = block;
    records->owner = NULL;
    records->facts = facts ? *facts : (AnswerFacts){.stamp = 0};
    memset(records->extras, 0, sizeof records->extras);
    return (PyObject *)records;
}

bool records_add_extra(PyObject *records, int number, PyObject *extra)
{
    ((Records *)records)->extras[number] = extra;
    return extra != NULL;
}

const void *records_items(PyObject *object, RecordKind kind, int64_t *count, AnswerFacts *facts)
{
    if (!PyObject_TypeCheck(object, types[kind]))
        return NULL;
    *count = ((Records *)object)->count;
    *facts = ((Records *)object)->facts;
    return ((Records *)object)->items;
}

static PyObject *array_of(PyObject *numbers, const char *format, int dims, const Py_ssize_t *shape)
{
    PyObject *array = NULL, *word = PyUnicode_FromString(format);
    Py_ssize_t strides[MAX_DIMS], size = format[1] - '0';
    for (int d = dims - 1; d >= 0; size *= shape[d--])
        strides[d] = size;
    if (word != NULL && find_numpy())
        array = wrap(numbers, size == 0, word, 0, dims, shape, strides);
    Py_XDECREF(word);
    Py_DECREF(numbers);
    return array;
}

static int64_t byte_count(const char *format, int dims, const Py_ssize_t *shape)
{
    int64_t size = format[1] - '0';
    for (int d = 0; d < dims; d++)
        size *= shape[d];
    return size;
}

PyObject *array_of_block(void *block, const char *format, int dims, const Py_ssize_t *shape)
{
    PyObject *numbers =
        records_object(RECORD_NUMBERS, block, byte_count(format, dims, shape), NULL);
    return numbers ? array_of(numbers, format, dims, shape) : NULL;
}

PyObject *array_of_owner(PyObject *owner, const void *data, const char *format, int dims,
                         const Py_ssize_t *shape)
{
    PyObject *memory = memory_of(owner, data, byte_count(format, dims, shape), true);
    return memory ? array_of(memory, format, dims, shape) : NULL;
}
