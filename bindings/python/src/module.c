/* The module: results as exceptions, the report hook, and what the parts add. */
#include "binding.h"

#include <string.h>

/* ---- Exceptions -------------------------------------------------------------------------------
 */

static PyObject *error, *errors[PLIANT_RESULT_COUNT];
int fork_count;

/* The exception of a result, and the built-in class that it also is. */
typedef struct ErrorRule {
    const char *name;
    PyObject **base;
} ErrorRule;

static const ErrorRule error_rules[PLIANT_RESULT_COUNT] = {
    [PLIANT_OUT_OF_MEMORY] = {"OutOfMemory", &PyExc_MemoryError},
    [PLIANT_TOO_LARGE] = {"TooLarge", &PyExc_OverflowError},
    [PLIANT_BAD_ARGUMENT] = {"BadArgument", &PyExc_ValueError},
    [PLIANT_BAD_INDEX] = {"BadIndex", &PyExc_IndexError},
    [PLIANT_BAD_DEF] = {"BadDef", &PyExc_SystemError},
    [PLIANT_BAD_DATA] = {"BadData", &PyExc_ValueError},
    [PLIANT_BAD_VERSION] = {"BadVersion", &PyExc_ValueError},
    [PLIANT_BAD_ID] = {"BadId", &PyExc_ReferenceError},
    [PLIANT_UNSUPPORTED] = {"Unsupported", &PyExc_NotImplementedError},
    [PLIANT_CANCELLED] = {"Cancelled", &PyExc_RuntimeError},
    [PLIANT_STALE] = {"Stale", &PyExc_ValueError},
    [PLIANT_BUSY] = {"Busy", &PyExc_RuntimeError},
};

/* What the library reported last on this thread. */
static _Thread_local struct {
    PliantResult result;
    char text[500];
} last_report;

static void report(void *user, PliantResult result, const char *message)
{
    (void)user;
    last_report.result = result;
    PyOS_snprintf(last_report.text, sizeof last_report.text, "%s", message);
}

PliantHost binding_host(void)
{
    PliantHost host = pliant_host_default();
    host.report = report;
    return host;
}

PyObject *raise_result(PliantResult result)
{
    const bool is_reported = last_report.result == result && last_report.text[0] != 0;
    const char *message = is_reported ? last_report.text : pliant_result_text(result);
    PyObject *class = result > PLIANT_OK && result < PLIANT_RESULT_COUNT ? errors[result] : error;
    PyErr_SetString(class, message);
    last_report.result = PLIANT_OK;
    return NULL;
}

bool world_enter(World *world)
{
    if (world->is_busy) {
        PyErr_SetString(errors[PLIANT_BUSY], "the world is in use by another call: a world belongs "
                                             "to one thread at a time");
        return false;
    }
    if (world->world == NULL) {
        PyErr_SetString(error, "the world is closed");
        return false;
    }
    if (world->pool != NULL && world->fork_count != fork_count) {
        PyErr_SetString(error, "the process has forked: threads of a world do not live on in the "
                               "child, create the world there");
        return false;
    }
    return world->is_busy = true;
}

void world_leave(World *world)
{
    world->is_busy = false;
}

static PyObject *new_error(PyObject *module, const char *name, const char *doc, PyObject *bases)
{
    char full[64];
    PyOS_snprintf(full, sizeof full, "pliant.%s", name);
    PyObject *class = PyErr_NewExceptionWithDoc(full, doc, bases, NULL);
    if (class != NULL && PyModule_AddObjectRef(module, name, class) != 0)
        Py_CLEAR(class);
    return class;
}

static PyObject *new_error_of(PyObject *module, const char *name, const char *doc, PyObject *base)
{
    PyObject *bases = PyTuple_Pack(2, error, base);
    PyObject *class = bases ? new_error(module, name, doc, bases) : NULL;
    Py_XDECREF(bases);
    return class;
}

static bool add_errors(PyObject *module)
{
    if ((error = new_error(module, "Error", "a call of the library failed", NULL)) == NULL)
        return false;
    for (int i = 1; i < PLIANT_RESULT_COUNT; i++) {
        const char *text = pliant_result_text((PliantResult)i);
        errors[i] = new_error_of(module, error_rules[i].name, text, *error_rules[i].base);
        if (errors[i] == NULL)
            return false;
    }
    return true;
}

/* ---- Helpers ----------------------------------------------------------------------------------
 */

bool word_index(const char *what, const char *word, const char *const *words, int *value)
{
    char all[200] = "";
    size_t size = 0;
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], word) == 0) {
            *value = i;
            return true;
        }
        size +=
            (size_t)PyOS_snprintf(all + size, sizeof all - size, "%s'%s'", i ? ", " : "", words[i]);
    }
    PyErr_Format(PyExc_ValueError, "%s is '%s', it must be one of %s", what, word, all);
    return false;
}

void free_object(void *object)
{
    PyTypeObject *type = Py_TYPE((PyObject *)object);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    const char *name = strrchr(spec->name, '.') + 1;
    if (type != NULL && PyModule_AddObjectRef(module, name, type) != 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

/* ---- Functions of the module ------------------------------------------------------------------
 */

static PyObject *after_fork(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    fork_count++;
    Py_RETURN_NONE;
}

static PyObject *cpu_name(PyObject *module, PyObject *unused)
{
    (void)module, (void)unused;
    return PyUnicode_FromString(pliant_cpu_name(PLIANT_CPU_ALL));
}

static PyObject *triangles_intersect(PyObject *module, PyObject *arguments)
{
    (void)module;
    static const ArrayRule rule_a = {"a", NUMBER_F32, 2, {3, 3}, false};
    static const ArrayRule rule_b = {"b", NUMBER_F32, 2, {3, 3}, false};
    PyObject *objects[2], *answer = NULL;
    Array a, b;
    if (!PyArg_ParseTuple(arguments, "OO", &objects[0], &objects[1]) ||
        !array_open(objects[0], &rule_a, &a))
        return NULL;
    if (array_open(objects[1], &rule_b, &b)) {
        answer = PyBool_FromLong(pliant_triangles_intersect(a.data, b.data));
        array_close(&b);
    }
    array_close(&a);
    return answer;
}

static PyObject *mollifier_threshold(PyObject *module, PyObject *arguments)
{
    (void)module;
    static const ArrayRule rule_a = {"a", NUMBER_F32, 2, {2, 3}, false};
    static const ArrayRule rule_b = {"b", NUMBER_F32, 2, {2, 3}, false};
    PyObject *objects[2], *answer = NULL;
    Array a, b;
    if (!PyArg_ParseTuple(arguments, "OO", &objects[0], &objects[1]) ||
        !array_open(objects[0], &rule_a, &a))
        return NULL;
    if (array_open(objects[1], &rule_b, &b)) {
        const float *ends[2] = {a.data, b.data};
        answer = PyFloat_FromDouble(
            pliant_edge_edge_mollifier_threshold(ends[0], ends[0] + 3, ends[1], ends[1] + 3));
        array_close(&b);
    }
    array_close(&a);
    return answer;
}

static PyMethodDef methods[] = {
    {"_after_fork", after_fork, METH_NOARGS, NULL},
    {"cpu_name", cpu_name, METH_NOARGS,
     "cpu_name()\n--\n\nName of the widest instruction set that is used on this machine."},
    {"triangles_intersect", triangles_intersect, METH_VARARGS,
     "triangles_intersect(a, b, /)\n--\n\nWhether two closed triangles, (3, 3) each, share a "
     "point. "
     "Exact.\n\n>>> import numpy, pliant\n>>> a = numpy.eye(3, dtype='f4')\n"
     ">>> pliant.triangles_intersect(a, a + numpy.float32(1))\nFalse\n"},
    {"edge_edge_mollifier_threshold", mollifier_threshold, METH_VARARGS,
     "edge_edge_mollifier_threshold(a, b, /)\n--\n\nIPC's mollifier threshold: 0.001 times the "
     "squared lengths of two edges at rest, (2, 3) each.\n\n"
     ">>> import numpy, pliant\n"
     ">>> pliant.edge_edge_mollifier_threshold(numpy.eye(2, 3, dtype='f4'), numpy.eye(2, 3, "
     "dtype='f4'))\n"
     "0.004\n"},
    {"near_pairs", (PyCFunction)(void (*)(void))near_pairs, METH_VARARGS | METH_KEYWORDS,
     near_pairs_doc},
    {"sweep_pairs", (PyCFunction)(void (*)(void))sweep_pairs, METH_VARARGS | METH_KEYWORDS,
     sweep_pairs_doc},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "pliant._pliant",
                                        "The library, as Python sees it.",
                                        -1,
                                        methods,
                                        NULL,
                                        NULL,
                                        NULL,
                                        NULL};

static bool fill(PyObject *module)
{
    return add_errors(module) && add_record_types(module) && add_shape_type(module) &&
           add_body_type(module) && add_world_type(module) && add_surface_types(module) &&
           add_scenes(module) && add_models(module) &&
           PyModule_AddStringConstant(module, "__version__", pliant_version()) == 0;
}

PyMODINIT_FUNC PyInit__pliant(void);

PyMODINIT_FUNC PyInit__pliant(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && !fill(module))
        Py_CLEAR(module);
    return module;
}
