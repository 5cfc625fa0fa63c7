/* Queries of a world whose answer is one array: collide, near, sweep, rays, closest points.
 *
 * A query enters the world, releases the GIL, copies the answer into a block of the caller, takes
 * the GIL again and leaves the world. The world's own arrays are read while it is still entered.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* ---- One query --------------------------------------------------------------------------------
 */

/* A query under way: what is asked, of which bodies, and its answer. */
typedef struct Query {
    World *world;
    PyObject *body_objects[2];
    PliantBody bodies[2];
    Progress progress;
    RecordKind kind;
    PliantResult result;
    void *block; /* NULL after success: there was no memory for it */
    int64_t count;
    AnswerFacts facts;
} Query;

static Query query_of(PyObject *self, RecordKind kind)
{
    return (Query){.world = (World *)self,
                   .body_objects = {Py_None, Py_None},
                   .progress = {.function = Py_None},
                   .kind = kind};
}

/* Reads the bodies and enters the world. */
static bool begin(Query *query)
{
    if (query->body_objects[0] == Py_None && query->body_objects[1] != Py_None) {
        PyErr_SetString(PyExc_ValueError, "the first body is missing");
        return false;
    }
    if (!body_argument(query->world, query->body_objects[0], &query->bodies[0]) ||
        !body_argument(query->world, query->body_objects[1], &query->bodies[1]) ||
        !world_enter(query->world))
        return false;
    hooks_enter(&query->progress, query->world);
    return true;
}

static void leave(Query *query)
{
    hooks_leave(&query->progress);
    world_leave(query->world);
}

/* Without the GIL: copies the answer. */
static void copy_answer(Query *query, PliantResult result, const void *items, int64_t count)
{
    query->result = result;
    if (result != PLIANT_OK)
        return;
    query->block = records_copy(query->kind, items, count);
    query->count = count;
}

/* Likewise, of a record with items, count, stamp and is_limit_reached. */
#define COPY_ANSWER(query, result, found)                                                          \
    do {                                                                                           \
        copy_answer(query, result, (found).items, (found).count);                                  \
        (query)->facts.stamp = (found).stamp;                                                      \
        (query)->facts.is_limit_reached = (found).is_limit_reached;                                \
    } while (0)

static PyObject *finish(Query *query)
{
    leave(query);
    if (query->result != PLIANT_OK || query->progress.has_failed) {
        free(query->block);
        return raise_query(query->result, &query->progress);
    }
    end_progress(&query->progress);
    return records_object(query->kind, query->block, query->count, &query->facts);
}

/* Whether there are any arguments: most calls in a loop have none. */
static bool has_arguments(PyObject *arguments, PyObject *keywords)
{
    return keywords != NULL || PyTuple_Size(arguments) > 0;
}

/* ---- Contacts ---------------------------------------------------------------------------------
 */

static const char *const query_words[] = {"all", "first", "any", NULL};

static PliantResult collide_some(Query *query, const PliantCollideDef *def,
                                 PliantContacts *contacts)
{
    PliantWorld *world = query->world->world;
    if (query->body_objects[0] == Py_None)
        return pliant_world_collide(world, def, contacts);
    if (query->body_objects[1] == Py_None)
        return pliant_body_collide(world, query->bodies[0], def, contacts);
    return pliant_bodies_collide(world, query->bodies[0], query->bodies[1], def, contacts);
}

static PyObject *run_collide(Query *query, const PliantCollideDef *def)
{
    PliantContacts contacts = pliant_contacts_default();
    if (!begin(query))
        return NULL;
    query->facts.is_partial = def->kind != PLIANT_ALL_PAIRS;
    PyThreadState *thread = PyEval_SaveThread();
    query->result = collide_some(query, def, &contacts);
    if (!def->count_only)
        COPY_ANSWER(query, query->result, contacts);
    PyEval_RestoreThread(thread);
    if (!def->count_only || query->result != PLIANT_OK || query->progress.has_failed)
        return finish(query);
    leave(query);
    end_progress(&query->progress);
    return PyLong_FromLongLong(contacts.count);
}

static PyObject *collide(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"a",          "b",           "kind",          "max_contacts",
                            "count_only", "approximate", "includes_self", "progress",
                            NULL};
    Query query = query_of(self, RECORD_CONTACTS);
    PliantCollideDef def = pliant_collide_def_default();
    const char *word = "all";
    int kind = 0, count_only = 0, includes_self = 0;
    long long max = 0;
    PliantExperiments experiments = pliant_experiments_default();
    if (has_arguments(arguments, keywords) &&
        (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO$sLpIpO", names,
                                      &query.body_objects[0], &query.body_objects[1], &word, &max,
                                      &count_only, &experiments.approximations, &includes_self,
                                      &query.progress.function) ||
         !word_index("kind", word, query_words, &kind)))
        return NULL;
    def.kind = (PliantCollideKind)kind;
    def.max_contact_count = max;
    def.count_only = count_only != 0;
    def.experiments = &experiments;
    def.includes_self = includes_self != 0;
    SET_PROGRESS(def, query.progress);
    return run_collide(&query, &def);
}

PyObject *body_self_collide(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"kind", "max_contacts", "count_only", "progress", NULL};
    Query query = query_of((PyObject *)((Body *)self)->world, RECORD_CONTACTS);
    PliantCollideDef def = pliant_collide_def_default();
    const char *word = "all";
    int kind = 0, count_only = 0;
    long long max = 0;
    query.body_objects[0] = query.body_objects[1] = self;
    if (has_arguments(arguments, keywords) &&
        (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$sLpO", names, &word, &max,
                                      &count_only, &query.progress.function) ||
         !word_index("kind", word, query_words, &kind)))
        return NULL;
    def.kind = (PliantCollideKind)kind;
    def.max_contact_count = max;
    def.count_only = count_only != 0;
    SET_PROGRESS(def, query.progress);
    return run_collide(&query, &def);
}

/* ---- Pairs of bodies --------------------------------------------------------------------------
 */

typedef PliantResult FindPairs(PliantWorld *, const PliantBodyPairsDef *, PliantBodyPairs *);

static PyObject *find_pairs(PyObject *self, PyObject *arguments, PyObject *keywords,
                            FindPairs *find)
{
    static char *names[] = {"distance", "max_pairs", "progress", NULL};
    Query query = query_of(self, RECORD_BODY_PAIRS);
    PliantBodyPairsDef def = pliant_body_pairs_def_default();
    PliantBodyPairs pairs = pliant_body_pairs_default();
    long long max = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|f$LO", names, &def.distance, &max,
                                     &query.progress.function))
        return NULL;
    def.max_pair_count = max;
    SET_PROGRESS(def, query.progress);
    if (!begin(&query))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = find(query.world->world, &def, &pairs);
    COPY_ANSWER(&query, result, pairs);
    PyEval_RestoreThread(thread);
    return finish(&query);
}

static PyObject *body_pairs(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return find_pairs(self, arguments, keywords, pliant_world_body_pairs);
}

static PyObject *bodies_within(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return find_pairs(self, arguments, keywords, pliant_world_bodies_within);
}

/* ---- Near -------------------------------------------------------------------------------------
 */

static PyObject *near(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"distance", "a",         "b",        "includes_self", "rest_distance",
                            "margin",   "max_pairs", "progress", "unique",        NULL};
    Query query = query_of(self, RECORD_NEAR_PAIRS);
    PliantNearDef def = pliant_near_def_default();
    int includes_self = 0, unique = 0;
    long long max = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "f|OO$pffLOp", names, &def.distance,
                                     &query.body_objects[0], &query.body_objects[1], &includes_self,
                                     &def.rest_distance, &def.margin, &max,
                                     &query.progress.function, &unique))
        return NULL;
    def.max_pair_count = max;
    def.is_unique = unique != 0;
    def.includes_self = includes_self != 0;
    SET_PROGRESS(def, query.progress);
    if (query.body_objects[0] != Py_None && query.body_objects[1] == Py_None)
        query.body_objects[1] = query.body_objects[0];
    PliantNearPairs pairs = pliant_near_pairs_default();
    if (!begin(&query))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = query.body_objects[0] == Py_None
                 ? pliant_world_near(query.world->world, &def, &pairs)
                 : pliant_bodies_near(query.world->world, query.bodies[0], query.bodies[1], &def,
                                      &pairs);
    COPY_ANSWER(&query, result, pairs);
    PyEval_RestoreThread(thread);
    return finish(&query);
}

static PyObject *closest(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"a", "b", "max_distance", "progress", NULL};
    Query query = query_of(self, RECORD_NEAR_PAIRS);
    PliantDistanceDef def = pliant_distance_def_default();
    PliantDistance distance = pliant_distance_default();
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|f$O", names, &query.body_objects[0],
                                     &query.body_objects[1], &def.max_distance,
                                     &query.progress.function))
        return NULL;
    SET_PROGRESS(def, query.progress);
    if (!begin(&query))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = pliant_bodies_distance(query.world->world, query.bodies[0], query.bodies[1], &def,
                                    &distance);
    copy_answer(&query, result, &distance.pair, distance.is_found);
    query.facts.stamp = distance.stamp;
    PyEval_RestoreThread(thread);
    return finish(&query);
}

/* ---- Sweeps -----------------------------------------------------------------------------------
 */

static const char *const sweep_words[] = {"earliest", "first", "all", NULL};

static PyObject *sweep(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"a",        "b",     "kind",   "max_time",    "includes_self",
                            "distance", "slack", "margin", "max_impacts", "rest_distance",
                            "progress", NULL};
    Query query = query_of(self, RECORD_IMPACTS);
    PliantSweepDef def = pliant_sweep_def_default();
    const char *word = "earliest";
    int kind = 0, includes_self = 0;
    long long max = 0;
    if (!PyArg_ParseTupleAndKeywords(
            arguments, keywords, "|OO$sfpfffLfO", names, &query.body_objects[0],
            &query.body_objects[1], &word, &def.max_time, &includes_self, &def.distance, &def.slack,
            &def.margin, &max, &def.rest_distance, &query.progress.function) ||
        !word_index("kind", word, sweep_words, &kind))
        return NULL;
    def.max_impact_count = max;
    def.kind = (PliantSweepKind)kind;
    def.includes_self = includes_self != 0;
    SET_PROGRESS(def, query.progress);
    if (query.body_objects[0] != Py_None && query.body_objects[1] == Py_None)
        query.body_objects[1] = query.body_objects[0];
    PliantImpacts impacts = pliant_impacts_default();
    if (!begin(&query))
        return NULL;
    PliantResult result;
    PyThreadState *thread = PyEval_SaveThread();
    result = query.body_objects[0] == Py_None
                 ? pliant_world_sweep(query.world->world, &def, &impacts)
                 : pliant_bodies_sweep(query.world->world, query.bodies[0], query.bodies[1], &def,
                                       &impacts);
    COPY_ANSWER(&query, result, impacts);
    query.facts.flag = impacts.is_conservative;
    PyEval_RestoreThread(thread);
    return finish(&query);
}

/* ---- Rays -------------------------------------------------------------------------------------
 */

static const char *const ray_words[] = {"first", "any", "all", NULL};

static const char *const side_words[] = {"both", "front", "back", NULL};

/* What a cast is given for each ray. */
typedef struct RayArrays {
    Array rays, categories, collides_with;
    PliantBody *ignored;
} RayArrays;

static void close_rays(RayArrays *arrays)
{
    array_close(&arrays->rays);
    array_close(&arrays->categories);
    array_close(&arrays->collides_with);
    free(arrays->ignored);
}

/* A body, or None, for each ray. */
static bool open_ignored(World *world, PyObject *object, Py_ssize_t count, RayArrays *arrays)
{
    if (object == Py_None)
        return true;
    if (PySequence_Size(object) != count) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "ignored needs a body, or None, for each ray");
        return false;
    }
    arrays->ignored = calloc((size_t)count + 1, sizeof *arrays->ignored);
    if (arrays->ignored == NULL)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *body = PySequence_GetItem(object, i);
        const bool is_read = body && body_argument(world, body, &arrays->ignored[i]);
        Py_XDECREF(body);
        if (!is_read)
            return false;
    }
    return true;
}

/* Bits for each ray, or nothing. */
static bool open_bits(const char *name, PyObject *object, Py_ssize_t count, Array *array)
{
    const ArrayRule rule = {name, NUMBER_U32, 1, {count}, false};
    return object == Py_None || array_open(object, &rule, array);
}

static bool open_rays(World *world, PyObject *objects[4], RayArrays *arrays)
{
    static const ArrayRule rule = {"rays", NUMBER_F32, 2, {ANY, 7}, false};
    if (!array_open(objects[0], &rule, &arrays->rays))
        return false;
    const Py_ssize_t count = arrays->rays.shape[0];
    return open_ignored(world, objects[1], count, arrays) &&
           open_bits("ray_categories", objects[2], count, &arrays->categories) &&
           open_bits("ray_collides_with", objects[3], count, &arrays->collides_with);
}

/* Reads the arguments of a cast, but for the progress function. */
static bool read_cast(PyObject *arguments, PyObject *keywords, Query *query, PliantRayDef *def,
                      RayArrays *arrays)
{
    static char *names[] = {
        "rays",     "body",  "kind",    "categories",     "collides_with",     "max_hits",
        "progress", "sides", "ignored", "ray_categories", "ray_collides_with", NULL};
    PyObject *objects[4] = {NULL, Py_None, Py_None, Py_None};
    const char *word = "first", *side_word = "both";
    int kind = 0, sides = 0;
    long long max = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O$sIILOsOOO", names, &objects[0],
                                     &query->body_objects[0], &word, &def->categories,
                                     &def->collides_with, &max, &query->progress.function,
                                     &side_word, &objects[1], &objects[2], &objects[3]) ||
        !word_index("kind", word, ray_words, &kind) ||
        !word_index("sides", side_word, side_words, &sides) ||
        !open_rays(query->world, objects, arrays))
        return false;
    def->kind = (PliantRayKind)kind;
    def->sides = (PliantRaySides)sides;
    def->max_hit_count = max;
    def->ignored = arrays->ignored;
    def->ray_categories = arrays->categories.data;
    def->ray_collides_with = arrays->collides_with.data;
    return true;
}

static PyObject *cast_rays(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    Query query = query_of(self, RECORD_RAY_HITS);
    PliantRayDef def = pliant_ray_def_default();
    PliantRayHits hits = pliant_ray_hits_default();
    RayArrays arrays = {.ignored = NULL};
    if (!read_cast(arguments, keywords, &query, &def, &arrays) || !begin(&query)) {
        close_rays(&arrays);
        return NULL;
    }
    SET_PROGRESS(def, query.progress);
    PliantResult result;
    const PliantRay *rays = arrays.rays.data;
    PyThreadState *thread = PyEval_SaveThread();
    result =
        query.body_objects[0] == Py_None
            ? pliant_world_cast_rays(query.world->world, &def, rays, arrays.rays.shape[0], &hits)
            : pliant_body_cast_rays(query.world->world, query.bodies[0], &def, rays,
                                    arrays.rays.shape[0], &hits);
    COPY_ANSWER(&query, result, hits);
    PyEval_RestoreThread(thread);
    PyObject *found = finish(&query);
    close_rays(&arrays);
    return found;
}

/* ---- Closest points ---------------------------------------------------------------------------
 */

static const ArrayRule point_rule = {"points", NUMBER_F32, 2, {ANY, 3}, false};

static PliantResult find_closest(const Query *query, const Array *points,
                                 const PliantClosestDef *def, PliantClosestPoints *found)
{
    return query->body_objects[0] == Py_None
               ? pliant_world_closest_points(query->world->world, array_vertices(points), def,
                                             found)
               : pliant_body_closest_points(query->world->world, query->bodies[0],
                                            array_vertices(points), def, found);
}

static PyObject *closest_points(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"points",     "body",          "max_distance", "is_signed",
                            "categories", "collides_with", "progress",     NULL};
    Query query = query_of(self, RECORD_CLOSEST_POINTS);
    PliantClosestDef def = pliant_closest_def_default();
    PyObject *object;
    Array points;
    int is_signed = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O$fpIIO", names, &object,
                                     &query.body_objects[0], &def.max_distance, &is_signed,
                                     &def.categories, &def.collides_with,
                                     &query.progress.function) ||
        !array_open(object, &point_rule, &points))
        return NULL;
    def.is_signed = is_signed != 0;
    SET_PROGRESS(def, query.progress);
    PliantClosestPoints closest = pliant_closest_points_default();
    if (!count_fits(points.shape[0], "points") || !begin(&query)) {
        array_close(&points);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const PliantResult result = find_closest(&query, &points, &def, &closest);
    COPY_ANSWER(&query, result, closest);
    query.facts.flag = closest.is_certain;
    PyEval_RestoreThread(thread);
    PyObject *found = finish(&query);
    array_close(&points);
    return found;
}

static PyObject *winding_numbers(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"points", "body", "progress", NULL};
    Query query = query_of(self, RECORD_WINDING_NUMBERS);
    PliantWindingDef def = pliant_winding_def_default();
    PyObject *object;
    Array points;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|$O", names, &object,
                                     &query.body_objects[0], &query.progress.function) ||
        !array_open(object, &point_rule, &points))
        return NULL;
    SET_PROGRESS(def, query.progress);
    PliantWindingNumbers windings = pliant_winding_numbers_default();
    if (!count_fits(points.shape[0], "points") || !begin(&query)) {
        array_close(&points);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    const PliantResult result = pliant_body_winding_numbers(
        query.world->world, query.bodies[0], array_vertices(&points), &def, &windings);
    COPY_ANSWER(&query, result, windings);
    query.facts.flag = windings.is_certain;
    PyEval_RestoreThread(thread);
    PyObject *found = finish(&query);
    array_close(&points);
    return found;
}

/* ---- The table --------------------------------------------------------------------------------
 */

#define METHOD(function) (PyCFunction)(void (*)(void)) function, METH_VARARGS | METH_KEYWORDS

PyMethodDef query_methods[] = {
    {"collide", METHOD(collide),
     "collide(a=None, b=None, *, kind='all', max_contacts=0, count_only=False, approximate=0,\n"
     "        includes_self=False, progress=None)\n--\n\n"
     "Pairs of triangles that share a point: of all bodies, of one with the others, or of two. If\n"
     "both are the same body, pairs within that body.\n\n"
     "kind: 'all', 'first' (one for each two bodies) or 'any' (one).\n"
     "max_contacts: the limit on their number; 0: no limit. Contacts.is_limit_reached says "
     "whether\n"
     "there are more.\n"
     "count_only: returns just their number.\n"
     "approximate: an experiment, not frozen at 1.0. 0 is exact; bits are for less work. 1 takes\n"
     "planes for divided triangles, and adds pairs. 2 skips triangles whose neighbors are all\n"
     "tested, and misses pairs.\n"
     "includes_self: pairs within each body too, unless its Body.has_self is False.\n"
     "progress: a function of (done, total), which count pairs of bodies. If it returns False, "
     "the\n"
     "query ends with pliant.Cancelled."},
    {"body_pairs", METHOD(body_pairs),
     "body_pairs(distance=0.0, *, max_pairs=0, progress=None)\n--\n\n"
     "Pairs of bodies whose boxes overlap, or are no farther apart than a distance along each\n"
     "axis.\n\n"
     "max_pairs: the limit on their number; 0: no limit.\n"
     "progress: as in collide()."},
    {"bodies_within", METHOD(bodies_within),
     "bodies_within(distance=0.0, *, max_pairs=0, progress=None)\n--\n\n"
     "Pairs of bodies whose surfaces are within a distance. Exact.\n\n"
     "max_pairs: the limit on their number; 0: no limit.\n"
     "progress: as in collide()."},
    {"near", METHOD(near),
     "near(distance, a=None, b=None, *, includes_self=False, rest_distance=0.0, margin=0.0,\n"
     "     max_pairs=0, progress=None, unique=False)\n--\n\n"
     "Pairs of a vertex and a triangle, and of two edges, within a distance. Of all bodies, within "
     "one,\nor of two. Radii of bodies add to the distance.\n\n"
     "includes_self: pairs within each body too, of features without a common vertex.\n"
     "rest_distance: of these, pairs no farther apart at rest are left out. 0: by the radii; <0: "
     "none.\n"
     "margin: searches so much farther, and keeps that for the next query. Affects speed only.\n"
     "max_pairs: the most pairs to return; 0: all. With a limit, margin has no effect.\n"
     "progress: as in collide().\n"
     "unique: closest features, each pair once: a vertex and a triangle, an edge or a vertex, or "
     "two\n"
     "edges. pair_counts says how many pairs each stands for, as potentials need it.\n\n"
     ">>> import numpy, pliant\n"
     ">>> world = pliant.World()\n"
     ">>> shape = pliant.Shape(numpy.eye(3), numpy.array([[0, 1, 2]]))\n"
     ">>> a, b = world.add(shape), world.add(shape)\n"
     ">>> b.transform = numpy.hstack([numpy.eye(3), [[.5]] * 3])\n"
     ">>> near = world.near(1.0)\n"
     ">>> len(near), round(float(near.distances.min()), 4)\n"
     "(15, 0.866)\n"
     ">>> unique = world.near(1.0, unique=True)\n"
     ">>> len(unique) < len(near), int(unique.pair_counts.sum())\n"
     "(True, 15)\n"},
    {"closest", METHOD(closest),
     "closest(a, b, max_distance=inf, *, progress=None)\n--\n\n"
     "The closest features of two bodies: one pair, or none within the distance. If both are the\n"
     "same body, its two closest features that have no vertex in common.\n\n"
     "progress: as in collide()."},
    {"sweep", METHOD(sweep),
     "sweep(a=None, b=None, *, kind='earliest', max_time=1.0, includes_self=False, distance=0.0,\n"
     "      slack=0.0, margin=0.0, max_impacts=0, rest_distance=0.0, progress=None)\n--\n\n"
     "What touches on the way from where bodies are to their ends (Body.end), and when.\n\n"
     "kind: 'earliest', 'first' (of each two bodies) or 'all'.\n"
     "max_time: later impacts do not count.\n"
     "includes_self: pairs within each body too, of features without a common vertex.\n"
     "distance, slack: how far features are to stay apart, and how far vertices may be from their\n"
     "straight lines. Above 0, pairs may be added and times may be early, but never late.\n"
     "margin: searches so much farther, and keeps that for the next query. Affects speed only.\n"
     "max_impacts: the most impacts to return; 0: all. With a limit, margin has no effect.\n"
     "rest_distance: as in near().\n"
     "progress: as in collide().\n\n"
     ">>> import numpy, pliant\n"
     ">>> world = pliant.World()\n"
     ">>> shape = pliant.Shape(numpy.eye(3), numpy.array([[0, 1, 2]]))\n"
     ">>> a, b = world.add(shape), world.add(shape)\n"
     ">>> b.transform = numpy.hstack([numpy.eye(3), [[1.]] * 3])\n"
     ">>> b.end.transform = numpy.hstack([numpy.eye(3), [[-1.]] * 3])\n"
     ">>> world.sweep().times.tolist()\n"
     "[0.5]\n"},
    {"cast_rays", METHOD(cast_rays),
     "cast_rays(rays, body=None, *, kind='first', categories=0xffffffff, "
     "collides_with=0xffffffff,\n          max_hits=0, progress=None, sides='both', ignored=None, "
     "ray_categories=None,\n          ray_collides_with=None)\n--\n\n"
     "Triangles that rays hit. A ray is a row of seven: origin, direction, greatest parameter.\n\n"
     "kind: 'first', 'any' or 'all' hits of each ray. Exact.\n"
     "categories, collides_with: the filter of the rays, as Body.filter.\n"
     "sides: 'both', 'front' or 'back': only hits from there count.\n"
     "ignored: a Body, or None, for each ray, which the ray does not hit.\n"
     "ray_categories, ray_collides_with: a filter for each ray, (n,), in place of the other.\n"
     "max_hits: the limit on the number of hits; 0: no limit.\n"
     "progress: as in collide(); steps are rays.\n\n"
     ">>> import numpy, pliant\n"
     ">>> world = pliant.World()\n"
     ">>> body = world.add(pliant.Shape(numpy.eye(3), numpy.array([[0, 1, 2]])))\n"
     ">>> hits = world.cast_rays(numpy.array([[0, 0, 0, 1, 1, 1, numpy.inf]], 'f4'))\n"
     ">>> round(float(hits.t[0]), 4), hits.sides.tolist()\n"
     "(0.3333, [-1])\n"},
    {"closest_points", METHOD(closest_points),
     "closest_points(points, body=None, *, max_distance=inf, is_signed=False,\n"
     "               categories=0xffffffff, collides_with=0xffffffff, progress=None)\n--\n\n"
     "The closest point of a body, or of all bodies, to each of the points, (n, 3).\n\n"
     "max_distance: nothing farther is searched for.\n"
     "is_signed: distances are negative inside a body, as winding_numbers() says.\n"
     "categories, collides_with: the filter of the points, as Body.filter.\n"
     "progress: as in collide()."},
    {"winding_numbers", METHOD(winding_numbers),
     "winding_numbers(points, body, *, progress=None)\n--\n\n"
     "How often the surface of a body winds around each of the points, (n, 3): an integer if it "
     "is\n"
     "closed, about 1 well inside a surface with holes.\n\n"
     "progress: as in collide()."},
    {NULL, NULL, 0, NULL},
};
