/* The arguments of Shape(), as the library wants them. All arrays are open until the shape is made.
 */
#include "binding.h"

#include <string.h>

static const char *const tree_words[] = {"full", "middle", "mean", "connected", NULL};
static const char *const bound_words[] = {"dop18", "dop14", "box", "sphere", NULL};
static const char *const divide_words[] = {"auto", "none", "quarters", "corners", NULL};
static const char *const morph_words[] = {"displacements", "references", NULL};

/* What a def refers to. */
typedef struct Making {
    PliantShapeDef def;
    PliantHost host;
    PliantSkin skin;
    PliantExperiments experiments;
    Array vertices, triangles, segments, joints, weights, groups, tree_weights;
    PliantTarget *targets;
    Array
        *target_arrays; /* two for each target: displacements, and the vertices that they are of */
    uint32_t *welded;
    PliantPool *pool;
} Making;

const char shape_doc[] =
    "Shape(vertices, triangles, *, targets=None, morph='displacements', skin=None, groups=None,\n"
    "      weld=False, tree='full', bounds='dop18', divide='auto', divide_size=0.0, between=0,\n"
    "      tree_weights=None, leaf_size=16, child_count=8, threads=1, segments=None)\n"
    "--\n\n"
    "A triangle mesh that bodies share, with a tree. It never changes; arrays are copied.\n\n"
    "vertices: (n, 3), float32; float64 is rounded. triangles: (m, 3), integers.\n"
    "segments: (k, 2), integers: rods. Answers number them behind the triangles, which may be\n"
    "none then: an array of shape (0, 3).\n"
    "targets: morph targets, (n, 3) each, or pairs (indices, displacements).\n"
    "morph: targets are 'displacements' of the vertices, or 'references' that are blended.\n"
    "skin: (joints, weights) or (joints, weights, joint_count), (n, k) each, k from 1 to 8.\n"
    "groups: for each vertex the lowest one that is the same vertex of the surface, split at a\n"
    "seam. weld=True finds these by position.\n"
    "between, tree_weights: how the tree is made and bounded. Affects speed, never answers.\n"
    "divide, divide_size: how triangles with longer edges are divided; 0: chosen by the library.\n"
    "Likewise.\n"
    "threads: workers that build the tree; 0: one for each processor.\n"
    "tree, bounds, leaf_size, child_count: experiments with the kind of tree and of bounds. They\n"
    "affect speed, never answers. Not frozen at 1.0.\n\n"
    ">>> import numpy, pliant\n"
    ">>> corners = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 'f4')\n"
    ">>> faces = numpy.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])\n"
    ">>> shape = pliant.Shape(corners, faces)\n"
    ">>> shape.triangle_count, shape.is_closed\n"
    "(4, True)\n"
    ">>> pliant.Shape(corners, faces + 1)\n"
    "Traceback (most recent call last):\n"
    "pliant.BadIndex: pliant_shape_create: def.triangles.data[5] is 4, def.vertices.count is 4\n";

static bool open_matrix(PyObject *object, const char *name, NumberKind kind, int dims,
                        Py_ssize_t rows, Py_ssize_t columns, Array *array)
{
    const ArrayRule rule = {name, kind, dims, {rows, columns}, false};
    return array_open(object, &rule, array);
}

/* ---- Targets ----------------------------------------------------------------------------------
 */

static bool open_target(Making *making, PyObject *object, Py_ssize_t number)
{
    Array *arrays = making->target_arrays + 2 * number;
    PliantTarget *target = making->targets + number;
    PyObject *indices = NULL, *rows = object;
    if (PyTuple_Check(object) && !PyArg_ParseTuple(object, "OO", &indices, &rows))
        return false;
    const Py_ssize_t count = indices ? ANY : making->vertices.shape[0];
    if (!open_matrix(rows, "targets", NUMBER_F32, 2, count, 3, &arrays[0]))
        return false;
    target->vertices = array_vertices(&arrays[0]);
    if (indices == NULL)
        return true;
    if (!open_matrix(indices, "targets", NUMBER_U32, 1, arrays[0].shape[0], 0, &arrays[1]))
        return false;
    target->indices = arrays[1].data;
    return true;
}

static bool open_targets(Making *making, PyObject *objects)
{
    const Py_ssize_t count = PySequence_Size(objects);
    if (count < 0 || !count_fits(count, "targets"))
        return false;
    making->targets = PyMem_Calloc((size_t)count + 1, sizeof *making->targets);
    making->target_arrays = PyMem_Calloc(2 * (size_t)count + 1, sizeof *making->target_arrays);
    if (making->targets == NULL || making->target_arrays == NULL)
        return PyErr_NoMemory() != NULL;
    making->def.targets = making->targets;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *object = PySequence_GetItem(objects, i);
        making->def.target_count = (int32_t)i + 1;
        const bool is_open = object != NULL && open_target(making, object, i);
        Py_XDECREF(object);
        if (!is_open)
            return false;
    }
    return true;
}

/* ---- The skin ---------------------------------------------------------------------------------
 */

static int32_t greatest_joint(const Array *joints)
{
    const uint16_t *numbers = joints->data;
    int32_t greatest = 0;
    for (Py_ssize_t i = 0; i < joints->shape[0] * joints->shape[1]; i++)
        greatest = numbers[i] > greatest ? numbers[i] : greatest;
    return greatest;
}

static bool open_skin(Making *making, PyObject *skin)
{
    PyObject *joints, *weights;
    int joint_count = 0;
    if (!PyTuple_Check(skin)) {
        PyErr_SetString(PyExc_TypeError,
                        "skin: (joints, weights) or (joints, weights, joint_count)");
        return false;
    }
    const Py_ssize_t count = making->vertices.shape[0];
    if (!PyArg_ParseTuple(skin, "OO|i", &joints, &weights, &joint_count) ||
        !open_matrix(joints, "joints of the skin", NUMBER_U16, 2, count, ANY, &making->joints) ||
        !open_matrix(weights, "weights of the skin", NUMBER_F32, 2, count, making->joints.shape[1],
                     &making->weights))
        return false;
    making->skin = pliant_skin_default();
    making->skin.joint_count = joint_count ? joint_count : greatest_joint(&making->joints) + 1;
    making->skin.influence_count = (int32_t)making->joints.shape[1];
    making->skin.joints = making->joints.data;
    making->skin.weights = making->weights.data;
    making->def.skin = &making->skin;
    return true;
}

/* ---- All of it --------------------------------------------------------------------------------
 */

static bool open_groups(Making *making, PyObject *groups, bool is_welded)
{
    if (groups != Py_None) {
        if (!open_matrix(groups, "groups", NUMBER_U32, 1, making->vertices.shape[0], 0,
                         &making->groups))
            return false;
        making->def.groups = making->groups.data;
        return true;
    }
    if (!is_welded)
        return true;
    const int64_t count = making->vertices.shape[0];
    making->welded = PyMem_Malloc((size_t)count * sizeof *making->welded + 1);
    if (making->welded == NULL)
        return PyErr_NoMemory() != NULL;
    const PliantResult result = pliant_mesh_weld(&making->def, making->welded, count, NULL);
    making->def.groups = making->welded;
    return result == PLIANT_OK || raise_result(result) != NULL;
}

static bool open_pool(Making *making, int threads)
{
    if (threads == 1)
        return true;
    PliantPoolDef def = pliant_pool_def_default();
    def.host = &making->host;
    def.worker_count = threads;
    const PliantResult result = pliant_pool_create(&def, &making->pool);
    if (result != PLIANT_OK)
        return raise_result(result) != NULL;
    pliant_pool_attach(making->pool, &making->host);
    return true;
}

static bool open_segments(Making *making, PyObject *segments)
{
    if (segments == Py_None)
        return true;
    if (!open_matrix(segments, "segments", NUMBER_U32, 2, ANY, 2, &making->segments) ||
        !count_fits(making->segments.shape[0], "segments"))
        return false;
    making->def.segments =
        (PliantSegments){making->segments.data, (int32_t)making->segments.shape[0]};
    return true;
}

static bool open_mesh(Making *making, PyObject *vertices, PyObject *triangles)
{
    if (!open_matrix(vertices, "vertices", NUMBER_F32, 2, ANY, 3, &making->vertices) ||
        !open_matrix(triangles, "triangles", NUMBER_U32, 2, ANY, 3, &making->triangles) ||
        !count_fits(making->vertices.shape[0], "vertices") ||
        !count_fits(making->triangles.shape[0], "triangles"))
        return false;
    making->def.vertices = array_vertices(&making->vertices);
    making->def.triangles =
        (PliantTriangles){making->triangles.data, (int32_t)making->triangles.shape[0]};
    return true;
}

static bool open_tree_weights(Making *making, PyObject *weights)
{
    if (weights == Py_None)
        return true;
    const bool is_open = open_matrix(weights, "tree_weights", NUMBER_F32, 1,
                                     making->def.target_count, 0, &making->tree_weights);
    making->def.tree_weights = making->tree_weights.data;
    return is_open;
}

static bool read_arguments(Making *making, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {
        "vertices",     "triangles", "targets",     "morph",   "skin",        "groups",
        "weld",         "tree",      "bounds",      "divide",  "divide_size", "between",
        "tree_weights", "leaf_size", "child_count", "threads", "segments",    NULL};
    PyObject *vertices, *triangles, *targets = Py_None, *skin = Py_None, *groups = Py_None;
    PyObject *tree_weights = Py_None, *segments = Py_None;
    const char *morph = "displacements", *tree = "full", *bounds = "dop18", *divide = "auto";
    int is_welded = 0, threads = 1, morph_kind = 0, tree_kind = 0, bound_kind = 0, divide_kind = 0;
    PliantShapeDef *def = &making->def;
    PliantExperiments *experiments = &making->experiments;
    if (!PyArg_ParseTupleAndKeywords(
            arguments, keywords, "OO|$OsOOpsssfiOiiiO", names, &vertices, &triangles, &targets,
            &morph, &skin, &groups, &is_welded, &tree, &bounds, &divide, &def->divide_size,
            &def->between_count, &tree_weights, &experiments->tree_leaf_size,
            &experiments->tree_child_count, &threads, &segments) ||
        !word_index("morph", morph, morph_words, &morph_kind) ||
        !word_index("tree", tree, tree_words, &tree_kind) ||
        !word_index("bounds", bounds, bound_words, &bound_kind) ||
        !word_index("divide", divide, divide_words, &divide_kind))
        return false;
    def->morph_kind = (PliantMorphKind)morph_kind;
    experiments->tree_kind = (PliantTreeKind)tree_kind;
    experiments->bound_kind = (PliantBoundKind)bound_kind;
    def->divide_kind = (PliantDivideKind)divide_kind;
    return open_mesh(making, vertices, triangles) && open_segments(making, segments) &&
           (targets == Py_None || open_targets(making, targets)) &&
           open_tree_weights(making, tree_weights) &&
           (skin == Py_None || open_skin(making, skin)) && open_groups(making, groups, is_welded) &&
           open_pool(making, threads);
}

static void close_all(Making *making)
{
    Array *arrays[] = {&making->vertices, &making->triangles, &making->segments,    &making->joints,
                       &making->weights,  &making->groups,    &making->tree_weights};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        array_close(arrays[i]);
    for (int32_t i = 0; making->target_arrays != NULL && i < 2 * making->def.target_count; i++)
        array_close(&making->target_arrays[i]);
    PyMem_Free(making->targets);
    PyMem_Free(making->target_arrays);
    PyMem_Free(making->welded);
    pliant_pool_destroy(making->pool);
}

PliantShape *shape_from_arguments(PyObject *arguments, PyObject *keywords)
{
    Making making = {.def = pliant_shape_def_default(),
                     .host = binding_host(),
                     .experiments = pliant_experiments_default()};
    PliantShape *shape = NULL;
    PliantResult result = PLIANT_OK;
    making.def.host = &making.host;
    making.def.experiments = &making.experiments;
    const bool is_read = read_arguments(&making, arguments, keywords);
    if (is_read) {
        PyThreadState *thread = PyEval_SaveThread();
        result = pliant_shape_create(&making.def, &shape);
        PyEval_RestoreThread(thread);
    }
    close_all(&making);
    if (result != PLIANT_OK)
        raise_result(result);
    return shape;
}
