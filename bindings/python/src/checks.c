/* The command's check of a model: its report, and what the report is of.
 *
 * All of it runs without the GIL. What was found goes to Python as JSON, which is what the command
 * writes, and as arrays; the classes around them are in checks.py.
 */
#include "model.h"

#include <check/check.h>
#include <view/view.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_GLOBS = 1024 };

/* A check under way. */
typedef struct Checking {
    Progress progress;
    Model *model;
    CheckOptions options;
    CheckAllow pairs[2][MAX_GLOBS]; /* allowed, excluded */
    const char *globs[MAX_GLOBS];
    const char *file;
    int has_page;
    Report report;
    CheckContacts contacts;
    char *texts[2]; /* JSON, and the page */
    size_t sizes[2];
    char error[400];
} Checking;

/* Depths are measured when all samples are done: the hook is then called with all of them. */
static bool step(void *user, const CheckProgress *progress)
{
    Checking *checking = user;
    atomic_store(&checking->model->left, check_seconds_left(progress));
    return progress_hook(&checking->progress, progress->done, progress->all);
}

static const char *stop(void *user)
{
    const Checking *checking = user;
    return atomic_load(&checking->model->is_cancelled) ? "cancelled" : NULL;
}

PyObject *cancel_model(PyObject *self, PyObject *unused)
{
    (void)unused;
    atomic_store(&((Model *)self)->is_cancelled, true);
    Py_RETURN_NONE;
}

PyObject *seconds_left(PyObject *self, PyObject *unused)
{
    (void)unused;
    const double left = atomic_load(&((Model *)self)->left);
    return left < 0 ? Py_NewRef(Py_None) : PyFloat_FromDouble(left);
}

/* ---- Options -----------------------------------------------------------------------------------
 */

/* The texts of a tuple, which it keeps. -1: it raised. */
static int32_t read_globs(PyObject *tuple, const char **globs)
{
    const Py_ssize_t count = PyTuple_Size(tuple);
    if (count > MAX_GLOBS) {
        PyErr_Format(PyExc_ValueError, "there are more than %d names", (int)MAX_GLOBS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!(globs[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL)))
            return -1;
    return (int32_t)count;
}

/* A tuple (a, b, a, b, ...) as pairs. */
static int32_t read_pairs(PyObject *tuple, CheckAllow *pairs)
{
    const Py_ssize_t count = PyTuple_Size(tuple) / 2;
    if (count > MAX_GLOBS) {
        PyErr_Format(PyExc_ValueError, "there are more than %d pairs", (int)MAX_GLOBS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        pairs[i].a = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, 2 * i), NULL);
        pairs[i].b = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, 2 * i + 1), NULL);
        if (!pairs[i].a || !pairs[i].b)
            return -1;
    }
    return (int32_t)count;
}

static bool read_options(Checking *checking, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"file",   "unit",    "within",   "depth",     "rate", "frames",
                            "clips",  "allow",   "exclude",  "max_depth", "keep", "page",
                            "volume", "threads", "progress", NULL};
    static const char *const selves[] = {"deformed", "none", "all", NULL};
    static const char *const depths[] = {"worst", "all", "none", NULL};
    CheckOptions *options = &checking->options;
    const char *self = "deformed", *depth = "worst";
    PyObject *clips, *allow, *exclude;
    int self_kind = 0, depth_kind = 0, keeps = 1, has_volume = 1, threads = 0;
    *options = check_options_default();
    checking->progress.function = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "szssd(iii)O!O!O!dpppi|O", names,
                                     &checking->file, &options->unit, &self, &depth, &options->rate,
                                     &options->first, &options->last, &options->step, &PyTuple_Type,
                                     &clips, &PyTuple_Type, &allow, &PyTuple_Type, &exclude,
                                     &options->max_depth, &keeps, &checking->has_page, &has_volume,
                                     &threads, &checking->progress.function) ||
        !word_index("within", self, selves, &self_kind) ||
        !word_index("depth", depth, depths, &depth_kind))
        return false;
    options->self = (CheckSelf)self_kind;
    options->depth = (CheckDepth)depth_kind;
    options->keeps_contacts = options->keeps_depths = keeps || checking->has_page;
    options->has_volume = has_volume != 0;
    options->jobs = threads;
    options->clips = checking->globs;
    options->allows = checking->pairs[0];
    options->excludes = checking->pairs[1];
    options->progress = checking->progress.function == Py_None ? NULL : step;
    options->stop = stop;
    options->user = checking;
    return (options->clip_glob_count = read_globs(clips, checking->globs)) >= 0 &&
           (options->allow_count = read_pairs(allow, checking->pairs[0])) >= 0 &&
           (options->exclude_count = read_pairs(exclude, checking->pairs[1])) >= 0;
}

/* ---- Without the GIL ---------------------------------------------------------------------------
 */

static bool write_text(Checking *checking, int number)
{
    const Scene *scene = checking->model->scene;
    FILE *out = open_memstream(&checking->texts[number], &checking->sizes[number]);
    if (out == NULL)
        return false;
    const bool is_written = number == 0 ? report_write_json(&checking->report, out)
                                        : page_write(scene, &checking->options, &checking->report,
                                                     &checking->contacts, out, checking->error);
    return fclose(out) == 0 && is_written;
}

static bool run(Checking *checking)
{
    snprintf(checking->error, sizeof checking->error, "there is no memory left");
    return check_run(checking->model->scene, checking->file, &checking->options, &checking->report,
                     &checking->contacts, checking->error) &&
           write_text(checking, 0) && (!checking->has_page || write_text(checking, 1));
}

/* ---- What was found ----------------------------------------------------------------------------
 */

/* Rows of (sample, pair, first, count of a, count of b). */
static PyObject *list_contacts(const CheckContacts *contacts)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list != NULL && i < contacts->count; i++) {
        const CheckContact *item = &contacts->items[i];
        PyObject *row = Py_BuildValue("LiLL", (long long)item->sample, (int)item->pair,
                                      (long long)item->first / 2, (long long)item->count);
        if (row == NULL || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *list_insides(const CheckInsides *insides)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list != NULL && i < insides->count; i++) {
        const CheckInside *item = &insides->items[i];
        PyObject *row =
            Py_BuildValue("LiLii", (long long)item->sample, (int)item->pair, (long long)item->first,
                          (int)item->counts[0], (int)item->counts[1]);
        if (row == NULL || PyList_Append(list, row) != 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* Numbers of pairs, from worst to best. */
static PyObject *list_order(const Report *report)
{
    int32_t *order = calloc((size_t)report->pair_count + 1, sizeof *order);
    if (order == NULL || !report_order(report, order)) {
        free(order);
        return PyErr_NoMemory();
    }
    PyObject *list = PyList_New(report->pair_count);
    for (int32_t i = 0; list != NULL && i < report->pair_count; i++) {
        PyObject *number = PyLong_FromLong(order[i]);
        if (number == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, number);
    }
    free(order);
    return list;
}

/* Vertices and depths beside each other: eight bytes a row, which numpy takes apart. */
static PyObject *found_object(const Checking *checking)
{
    const CheckContacts *contacts = &checking->contacts;
    const CheckInsides *insides = &contacts->insides;
    PyObject *items[] = {
        PyUnicode_DecodeUTF8(checking->texts[0], (Py_ssize_t)checking->sizes[0], "replace"),
        checking->texts[1]
            ? PyBytes_FromStringAndSize(checking->texts[1], (Py_ssize_t)checking->sizes[1])
            : Py_NewRef(Py_None),
        list_contacts(contacts),
        copy_rows(contacts->triangles, "i4", (Py_ssize_t)(contacts->triangle_count / 2), 2),
        list_insides(insides),
        copy_rows(insides->vertices, "i4", (Py_ssize_t)insides->vertex_count, 2),
        list_order(&checking->report),
    };
    _Static_assert(sizeof(CheckVertex) == 8, "a row of two numbers");
    return tuple_of(items, sizeof items / sizeof *items);
}

static void release(Checking *checking)
{
    free(checking->texts[0]);
    free(checking->texts[1]);
    check_contacts_free(&checking->contacts);
    report_free(&checking->report);
    end_progress(&checking->progress);
    free(checking);
}

PyObject *check_model(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    Checking *checking = calloc(1, sizeof *checking);
    PyObject *found = NULL;
    if (checking == NULL)
        return PyErr_NoMemory();
    checking->model = (Model *)self;
    if (read_options(checking, arguments, keywords)) {
        atomic_store(&checking->model->is_cancelled, false);
        atomic_store(&checking->model->left, -1);
        PyThreadState *thread = PyEval_SaveThread();
        const bool is_run = run(checking);
        PyEval_RestoreThread(thread);
        atomic_store(&checking->model->left, -1);
        Progress *progress = &checking->progress;
        if (progress->type != NULL) {
            PyErr_Restore(progress->type, progress->value, progress->traceback);
            progress->type = progress->value = progress->traceback = NULL;
        } else if (is_run)
            found = found_object(checking);
        else
            PyErr_SetString(PyExc_ValueError, checking->error);
    }
    release(checking);
    return found;
}
