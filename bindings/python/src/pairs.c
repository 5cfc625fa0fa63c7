/* Pairs of the caller, without a world: pliant_near_pairs() and pliant_sweep_pairs(). Both release
 * the GIL.
 */
#include "binding.h"

#include <stdlib.h>

static const char *const kind_words[] = {"vertex_triangle", "edge_edge", NULL};
static const PliantFeatures kinds[] = {PLIANT_VERTEX_TRIANGLE, PLIANT_EDGE_EDGE};

static const ArrayRule pair_rule = {"pairs", NUMBER_U32, 2, {ANY, 4}, false};

/* What both are given: pairs, and a distance or one for each. */
typedef struct Given {
    PliantFeatures kind;
    Array pairs, distances;
    float distance;
} Given;

static bool read_distance(PyObject *object, Given *given)
{
    const ArrayRule rule = {"distance", NUMBER_F32, 1, {given->pairs.shape[0]}, false};
    const double number = PyFloat_AsDouble(object);
    if (!PyErr_Occurred()) {
        given->distance = (float)number;
        return true;
    }
    if (!PyErr_ExceptionMatches(PyExc_TypeError))
        return false;
    PyErr_Clear();
    return array_open(object, &rule, &given->distances);
}

static void close_given(Given *given)
{
    array_close(&given->pairs);
    array_close(&given->distances);
}

static bool open_given(const char *word, PyObject *pairs, PyObject *distance, Given *given)
{
    int kind;
    *given = (Given){.distance = 0};
    if (!word_index("kind", word, kind_words, &kind) ||
        !array_open(pairs, &pair_rule, &given->pairs))
        return false;
    given->kind = kinds[kind];
    if (read_distance(distance, given))
        return true;
    close_given(given);
    return false;
}

/* An array of numbers for the caller, which takes the block. */
static PyObject *finish(PliantResult result, float *block, Py_ssize_t count)
{
    if (block != NULL && result == PLIANT_OK)
        return array_of_block(block, "f4", 1, &count);
    free(block);
    return block ? raise_result(result) : PyErr_NoMemory();
}

/* ---- near -------------------------------------------------------------------------------------
 */

static PyObject *find_near(const Given *given, const Array *vertices, bool has_details)
{
    PliantNearCandidates def = pliant_near_candidates_default();
    const PliantHost host = binding_host();
    const int64_t count = given->pairs.shape[0];
    float *distances = records_block(RECORD_NUMBERS, 4 * count);
    PliantNearPair *details = has_details ? records_block(RECORD_NEAR_PAIRS, count) : NULL;
    PliantResult result = PLIANT_OUT_OF_MEMORY;
    def.kind = given->kind;
    def.vertices = vertices->data;
    def.vertex_count = (int32_t)vertices->shape[0];
    def.pairs = given->pairs.data;
    def.pair_count = count;
    def.distance = given->distance;
    def.distances = given->distances.data;
    def.host = &host;
    PyThreadState *thread = PyEval_SaveThread();
    if (distances && (details || !has_details))
        result = pliant_near_pairs(&def, distances, details, count);
    PyEval_RestoreThread(thread);
    if (!has_details)
        return finish(result, distances, (Py_ssize_t)count);
    free(distances);
    if (result == PLIANT_OK)
        return records_object(RECORD_NEAR_PAIRS, details, count, NULL);
    free(details);
    return raise_result(result);
}

PyObject *near_pairs(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    (void)module;
    static const ArrayRule rule = {"vertices", NUMBER_F32, 2, {ANY, 3}, false};
    static char *names[] = {"kind", "vertices", "pairs", "distance", "details", NULL};
    const char *word;
    PyObject *objects[3], *answer = NULL;
    int has_details = 0;
    Given given;
    Array vertices;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "sOOO|$p", names, &word, &objects[0],
                                     &objects[1], &objects[2], &has_details) ||
        !open_given(word, objects[1], objects[2], &given))
        return NULL;
    if (array_open(objects[0], &rule, &vertices)) {
        if (count_fits(vertices.shape[0], "vertices"))
            answer = find_near(&given, &vertices, has_details != 0);
        array_close(&vertices);
    }
    close_given(&given);
    return answer;
}

const char near_pairs_doc[] =
    "near_pairs(kind, vertices, pairs, distance, *, details=False)\n--\n\n"
    "How far pairs of features are from each other, which the caller has found: (n,). Infinity if\n"
    "they are farther than the distance, or not finite. Which are within it is exact.\n\n"
    "kind: 'vertex_triangle' or 'edge_edge'.\n"
    "vertices: (m, 3).\n"
    "pairs: four vertices each, (n, 4): a vertex and the corners of a triangle, or the ends of "
    "two\n"
    "edges.\n"
    "distance: a number, or one for each pair, (n,).\n"
    "details: returns NearPairs with distances, normals, weights and regions. Their bodies are 0, "
    "and\n"
    "their features -1.\n\n"
    ">>> import numpy, pliant\n"
    ">>> vertices = numpy.array([[1, 1, 2], [0, 0, 0], [4, 0, 0], [0, 4, 0]], 'f4')\n"
    ">>> pliant.near_pairs('vertex_triangle', vertices, numpy.array([[0, 1, 2, 3]]), "
    "2.5).tolist()\n"
    "[2.0]\n";

/* ---- sweep ------------------------------------------------------------------------------------
 */

static PyObject *find_times(const Given *given, const Array ends[2], float max_time)
{
    PliantSweepPairs def = pliant_sweep_pairs_default();
    const PliantHost host = binding_host();
    const int64_t count = given->pairs.shape[0];
    float *times = records_block(RECORD_NUMBERS, 4 * count);
    PliantResult result = PLIANT_OUT_OF_MEMORY;
    def.kind = given->kind;
    def.start = ends[0].data;
    def.end = ends[1].data;
    def.vertex_count = (int32_t)ends[0].shape[0];
    def.pairs = given->pairs.data;
    def.pair_count = count;
    def.distance = given->distance;
    def.distances = given->distances.data;
    def.max_time = max_time;
    def.host = &host;
    PyThreadState *thread = PyEval_SaveThread();
    if (times)
        result = pliant_sweep_pairs(&def, times, count, NULL);
    PyEval_RestoreThread(thread);
    return finish(result, times, (Py_ssize_t)count);
}

/* The vertices at both ends: as many at the second one. */
static bool open_ends(PyObject *objects[2], Array ends[2])
{
    static const ArrayRule start_rule = {"start", NUMBER_F32, 2, {ANY, 3}, false};
    ArrayRule end_rule = {"end", NUMBER_F32, 2, {ANY, 3}, false};
    if (!array_open(objects[0], &start_rule, &ends[0]))
        return false;
    end_rule.shape[0] = ends[0].shape[0];
    if (array_open(objects[1], &end_rule, &ends[1]))
        return true;
    array_close(&ends[0]);
    return false;
}

PyObject *sweep_pairs(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    (void)module;
    static char *names[] = {"kind", "start", "end", "pairs", "distance", "max_time", NULL};
    const char *word;
    PyObject *ends_given[2], *pairs, *zero = PyFloat_FromDouble(0), *distance = zero,
                                     *answer = NULL;
    float max_time = 1;
    Given given;
    Array ends[2];
    if (zero != NULL &&
        PyArg_ParseTupleAndKeywords(arguments, keywords, "sOOO|$Of", names, &word, &ends_given[0],
                                    &ends_given[1], &pairs, &distance, &max_time) &&
        open_given(word, pairs, distance, &given)) {
        if (open_ends(ends_given, ends)) {
            if (count_fits(ends[0].shape[0], "start"))
                answer = find_times(&given, ends, max_time);
            array_close(&ends[0]);
            array_close(&ends[1]);
        }
        close_given(&given);
    }
    Py_XDECREF(zero);
    return answer;
}

const char sweep_pairs_doc[] =
    "sweep_pairs(kind, start, end, pairs, *, distance=0.0, max_time=1.0)\n--\n\n"
    "When pairs of features touch first on their way, which the caller has found: (n,). Infinity "
    "if\n"
    "they do not up to max_time, or are not finite. Exact, rounded down.\n\n"
    "kind: 'vertex_triangle' or 'edge_edge'.\n"
    "start, end: where vertices are at time 0 and 1, (m, 3).\n"
    "pairs: four vertices each, (n, 4), as in near_pairs().\n"
    "distance: a number, or one for each pair, (n,). Where it is above 0, a time before which the\n"
    "pair is certainly farther: never late, but it may be early, and pairs may be added.\n"
    "max_time: later impacts are infinity.\n\n"
    ">>> import numpy, pliant\n"
    ">>> start = numpy.array([[1, 1, 2], [0, 0, 0], [4, 0, 0], [0, 4, 0]], 'f4')\n"
    ">>> end = start.copy()\n"
    ">>> end[0, 2] = -2\n"
    ">>> pliant.sweep_pairs('vertex_triangle', start, end, numpy.array([[0, 1, 2, 3]])).tolist()\n"
    "[0.5]\n";
