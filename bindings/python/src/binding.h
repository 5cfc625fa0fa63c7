/* binding: the Python module `pliant._pliant`, on the public headers of the library alone.
 *
 * Plain C with the limited API of Python 3.11, so one file serves that version and all later ones.
 * numpy is used through the buffer protocol and by calls, without its headers.
 *
 * The one idea: arrays come in as buffers that are read in place (arrays.c), and results go out as
 * blocks that belong to the caller and that numpy wraps (records.c). Between the two, each call is
 * a row of a table and a few lines.
 *
 * Threads: every call with a world passes world_enter() and world_leave(), under the GIL. Queries
 * release the GIL in between. A second call on the same world is refused meanwhile.
 */
#ifndef BINDING_H
#define BINDING_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pliant/pliant.h>

#include <stdbool.h>

/* ---- Errors: module.c ------------------------------------------------------------------------ */

/* Raises the exception of a result, with the sentence that the library reported. Returns NULL. */
PyObject *raise_result(PliantResult result);

/* The host of all owners: reports go to the thread that made the call. */
PliantHost binding_host(void);

/* Sets `value` to the index of a word in a list that ends with NULL. Raises ValueError. */
bool word_index(const char *what, const char *word, const char *const *words, int *value);

/* The type of an object's module-level constructor, for objects of types that are made here. */
void free_object(void *object);

/* Creates a type and adds it to the module. */
PyTypeObject *add_type(PyObject *module, PyType_Spec *spec);

/* How many times this process has forked: threads of a pool do not live on in the child. */
extern int fork_count;

/* ---- Arrays that come in: arrays.c ------------------------------------------------------------
 */

typedef enum NumberKind { NUMBER_F32, NUMBER_F64, NUMBER_U32, NUMBER_U16, NUMBER_I32 } NumberKind;

enum { MAX_DIMS = 3, ANY = -1 };

/* What an argument has to be. Dimensions that are ANY may have any length. */
typedef struct ArrayRule {
    const char *name;
    NumberKind kind;
    int dims;
    Py_ssize_t shape[MAX_DIMS];
    bool is_borrowed; /* read in place: not converted, and rows may have gaps */
} ArrayRule;

/* An argument, as the library wants it. Zeros: none. */
typedef struct Array {
    Py_buffer view; /* view.obj is NULL if there is none */
    void *copy;     /* numbers of another kind or in another order, converted */
    const void *data;
    Py_ssize_t shape[MAX_DIMS];
    Py_ssize_t stride; /* bytes from one row to the next */
} Array;

/* Opens a buffer. Raises TypeError if there is none, ValueError for its numbers or its shape. */
bool array_open(PyObject *object, const ArrayRule *rule, Array *array);
void array_close(Array *array);

/* Copies a borrowed array of `size` bytes without gaps, and closes its buffer: what the caller
 * writes later is not seen. Raises MemoryError. */
bool array_own(Array *array, size_t size);

/* Makes a second owner of a borrowed array, which reads the same memory, or of an own copy of
 * `size` bytes, which is copied. Nothing if there is none. Raises. */
bool array_share(const Array *array, size_t size, Array *other);

/* An array of rows of three floats. */
PliantVertices array_vertices(const Array *array);
PliantVertices64 array_vertices64(const Array *array);

/* Rounds 64-bit counts to what the library takes. Raises OverflowError. */
bool count_fits(Py_ssize_t count, const char *name);

/* ---- Arrays that go out: records.c -------------------------------------------------------------
 */

typedef enum RecordKind {
    RECORD_CONTACTS,
    RECORD_BODY_PAIRS,
    RECORD_NEAR_PAIRS,
    RECORD_IMPACTS,
    RECORD_RAY_HITS,
    RECORD_HIT_POINTS,
    RECORD_CLOSEST_POINTS,
    RECORD_WINDING_NUMBERS,
    RECORD_REGIONS,
    RECORD_REGION_PIECES,
    RECORD_CURVES,
    RECORD_CURVE_POINTS,
    RECORD_INTERSECTIONS,
    RECORD_INTERSECTION_POINTS,
    RECORD_NUMBERS, /* a plain array, read by numpy alone */
    RECORD_KINDS
} RecordKind;

enum { MAX_EXTRAS = 6 };

typedef struct Records Records;

bool add_record_types(PyObject *module);

/* A block of `count` items for the caller of Python. May be called without the GIL: NULL if there
 * is no memory. */
void *records_block(RecordKind kind, int64_t count);
void *records_copy(RecordKind kind, const void *items, int64_t count);

/* What is true of an answer as a whole. */
typedef struct AnswerFacts {
    uint64_t stamp;
    bool is_limit_reached;
    bool flag;       /* that of the kind */
    bool is_partial; /* of contacts: another kind than all */
} AnswerFacts;

/* The object that owns such a block, which it releases if it fails. Facts may be NULL. */
PyObject *records_object(RecordKind kind, void *block, int64_t count, const AnswerFacts *facts);

/* Gives an object its arrays beside the items, by their number in the kind. Takes the reference;
 * false if that is NULL. */
bool records_add_extra(PyObject *records, int number, PyObject *extra);

/* The items of an object, with their number and facts; NULL if it is not of this kind. */
const void *records_items(PyObject *object, RecordKind kind, int64_t *count, AnswerFacts *facts);

/* A numpy array of items of `format` ("f4"). Of a block that the array owns; or of memory that
 * `owner` has, read only. */
PyObject *array_of_block(void *block, const char *format, int dims, const Py_ssize_t *shape);
PyObject *array_of_owner(PyObject *owner, const void *data, const char *format, int dims,
                         const Py_ssize_t *shape);

/* ---- Copies: copies.c --------------------------------------------------------------------------
 */

/* A numpy array with a copy of the data; None if there is none. Rows are of two dimensions. */
PyObject *copy_array(const void *data, const char *format, int dims, const Py_ssize_t *shape);
PyObject *copy_rows(const void *data, const char *format, Py_ssize_t count, Py_ssize_t width);

/* A tuple of objects, whose references it takes; NULL if one is missing. */
PyObject *tuple_of(PyObject **items, Py_ssize_t count);

/* ---- Shapes: shape.c, shape_def.c --------------------------------------------------------------
 */

typedef struct Shape {
    PyObject_HEAD PliantShape *shape;
    Array mapped; /* bytes that the shape is mapped from */
    void *block;  /* or a copy of them, aligned */
} Shape;

extern PyTypeObject *shape_type;
bool add_shape_type(PyObject *module);

/* Creates a shape of the library from the arguments of Shape(). Raises and returns NULL. */
PliantShape *shape_from_arguments(PyObject *arguments, PyObject *keywords);
extern const char shape_doc[];

/* ---- Worlds: world.c ---------------------------------------------------------------------------
 */

/* What Python keeps alive for a body, by the body's index. */
typedef struct BodySlot {
    PliantBody body;
    PliantBody end;    /* where it goes, if that was asked for */
    PyObject *shape;   /* NULL of a soup */
    Array borrowed[2]; /* vertices that queries read, and a copy of corners */
    int corner_count;  /* of a primitive of a soup */
} BodySlot;

typedef struct World {
    PyObject_HEAD PliantWorld *world;
    PliantPool *pool;
    int fork_count; /* when the pool was made */
    bool is_busy;
    BodySlot *slots;
    uint32_t slot_count;
    struct World *read; /* of a reader: the world that it reads, and whose bodies it has */
    PyObject *may_pair; /* a function, or NULL */
} World;

/* The world that has the bodies of a world, or of a reader. */
static inline World *world_home(World *world)
{
    return world->read ? world->read : world;
}

/* The body that has an index now; none if there is none. */
static inline PliantBody world_body_of(const World *world, uint32_t index)
{
    const World *home = world->read ? world->read : world;
    return index < home->slot_count ? home->slots[index].body : (PliantBody){0, 0};
}

typedef struct Body {
    PyObject_HEAD World *world;
    PliantBody id;
} Body;

extern PyTypeObject *world_type, *body_type;
bool add_world_type(PyObject *module);
bool add_body_type(PyObject *module);

/* Marks a world as in use. Raises if it is in use already, or was closed. */
bool world_enter(World *world);
void world_leave(World *world);

PyObject *body_object(World *world, PliantBody id);
BodySlot *world_slot(World *world, PliantBody id); /* grows the slots; raises MemoryError */

/* Sets `id` to the handle of a body of this world; None leaves it as it is. Raises. */
bool body_argument(World *world, PyObject *object, PliantBody *id);

/* ---- Functions that queries call: hooks.c ------------------------------------------------------
 */

/* Calls Python functions from a query. */
typedef struct Progress {
    PyObject *function, *type, *value, *traceback; /* what it raised, or what may_pair() did */
    bool has_failed;                               /* may_pair() raised: there is no answer */
    World *world;                                  /* the one that is asked */
    struct Progress *outer;                        /* of a query in whose function this one is */
} Progress;

bool progress_hook(void *user, int64_t done, int64_t total);

/* PliantWorldDef.may_pair; `user` is the world that has the bodies. */
bool may_pair_hook(void *user, PliantBody a, PliantBody b);

/* Around all queries that ask for pairs of bodies, on the thread that asks. */
void hooks_enter(Progress *progress, World *world);
void hooks_leave(Progress *progress);

/* Sets the hook of a def, if there is a function. */
#define SET_PROGRESS(def, asked)                                                                   \
    do {                                                                                           \
        if ((asked).function != Py_None) {                                                         \
            (def).progress = progress_hook;                                                        \
            (def).user = &(asked);                                                                 \
        }                                                                                          \
    } while (0)

/* Ends a query that failed: raises the exception of the progress function, or of the result. */
PyObject *raise_query(PliantResult result, Progress *progress);

/* Drops what a progress function raised when the query had its answer already. */
void end_progress(Progress *progress);

/* ---- Queries: queries.c, surfaces.c, hits.c ----------------------------------------------------
 */

extern PyMethodDef query_methods[], surface_methods[], hit_methods[];
PyObject *body_self_collide(PyObject *self, PyObject *arguments, PyObject *keywords);

bool add_surface_types(PyObject *module);

/* ---- Pairs of the caller: pairs.c --------------------------------------------------------------
 */

PyObject *near_pairs(PyObject *module, PyObject *arguments, PyObject *keywords);
PyObject *sweep_pairs(PyObject *module, PyObject *arguments, PyObject *keywords);
extern const char near_pairs_doc[], sweep_pairs_doc[];

/* ---- Scenes: scenes.c, scene_rules.c ------------------------------------------------------------
 */

bool add_scenes(PyObject *module);

/* ---- Models: models.c, meshes.c, checks.c, where the command is built --------------------------
 */

#ifdef HAS_READER
bool add_models(PyObject *module);
#else
static inline bool add_models(PyObject *module)
{
    return module != NULL;
}
#endif

#endif
