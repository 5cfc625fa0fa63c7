/* How bodies move: poses that are set from arrays, borrowed arrays, and the primitives of soups. */
#include "moves.h"

#include <string.h>

/* ---- Arrays ----------------------------------------------------------------------------------
 */

static int fail_delete(void)
{
    PyErr_SetString(PyExc_AttributeError, "this attribute cannot be deleted");
    return -1;
}

/* Ends a call that has set something: the world is free again, and a failure is raised. */
bool body_end_setting(World *world, PliantResult result)
{
    world_leave(world);
    return result == PLIANT_OK || raise_result(result) != NULL;
}

/* Replaces what is borrowed. The old arrays are closed last: that may run other code. */
static void keep_borrowed(World *world, PliantBody id, Array borrowed[2])
{
    Array old[2] = {{.copy = NULL}, {.copy = NULL}};
    if (id.index < world->slot_count) {
        memcpy(old, world->slots[id.index].borrowed, sizeof old);
        memcpy(world->slots[id.index].borrowed, borrowed, sizeof old);
    }
    array_close(&old[0]);
    array_close(&old[1]);
}

static void keep_nothing(World *world, PliantBody id)
{
    Array none[2] = {{.copy = NULL}, {.copy = NULL}};
    keep_borrowed(world, id, none);
}

static PliantResult give_transform(World *world, PliantBody id, const Array *array)
{
    return pliant_body_set_transform(world->world, id, (const PliantTransform *)array->data);
}

static PliantResult give_weights(World *world, PliantBody id, const Array *array)
{
    return pliant_body_set_weights(world->world, id, array->data, (int32_t)array->shape[0]);
}

static PliantResult give_joints(World *world, PliantBody id, const Array *array)
{
    return pliant_body_set_joints(world->world, id, (const PliantTransform *)array->data,
                                  (int32_t)array->shape[0]);
}

static PliantResult give_vertices(World *world, PliantBody id, const Array *array)
{
    return pliant_body_set_vertices(world->world, id, array_vertices(array));
}

static PliantResult give_vertices64(World *world, PliantBody id, const Array *array)
{
    return pliant_body_set_vertices64(world->world, id, array_vertices64(array));
}

const Setting transform_setting = {
    {"transform", NUMBER_F32, 2, {3, 4}, false}, give_transform, false};
const Setting weights_setting = {{"weights", NUMBER_F32, 1, {ANY}, false}, give_weights, true};
const Setting joints_setting = {{"joints", NUMBER_F32, 3, {ANY, 3, 4}, false}, give_joints, true};
const Setting vertices_setting = {
    {"vertices", NUMBER_F32, 2, {ANY, 3}, false}, give_vertices, true};
const Setting vertices64_setting = {
    {"vertices64", NUMBER_F64, 2, {ANY, 3}, false}, give_vertices64, true};

int body_set_array(PyObject *self, PyObject *value, void *closure)
{
    const Setting *setting = closure;
    Body *body = (Body *)self;
    Array array;
    if (value == NULL)
        return fail_delete();
    if (!array_open(value, &setting->rule, &array))
        return -1;
    bool is_set = false;
    if (count_fits(array.shape[0], setting->rule.name) && world_enter(body->world))
        is_set = body_end_setting(body->world, setting->set(body->world, body->id, &array));
    if (is_set && setting->ends_borrowing)
        keep_nothing(body->world, body->id);
    array_close(&array);
    return is_set ? 0 : -1;
}

PyObject *body_write_only(PyObject *self, void *closure)
{
    (void)self;
    PyErr_Format(PyExc_AttributeError, "%s can be set, but not read",
                 ((const Setting *)closure)->rule.name);
    return NULL;
}

static PliantResult lend_vertices(World *world, PliantBody id, const Array *array)
{
    return pliant_body_borrow_vertices(world->world, id, array_vertices(array));
}

static PliantResult lend_vertices64(World *world, PliantBody id, const Array *array)
{
    return pliant_body_borrow_vertices64(world->world, id, array_vertices64(array));
}

static PyObject *borrow(Body *body, PyObject *object, NumberKind kind,
                        PliantResult (*lend)(World *, PliantBody, const Array *))
{
    const ArrayRule rule = {"vertices", kind, 2, {ANY, 3}, true};
    Array arrays[2] = {{.copy = NULL}, {.copy = NULL}};
    if (!array_open(object, &rule, &arrays[0]))
        return NULL;
    if (!count_fits(arrays[0].shape[0], "vertices") || !world_enter(body->world) ||
        !body_end_setting(body->world, lend(body->world, body->id, &arrays[0]))) {
        array_close(&arrays[0]);
        return NULL;
    }
    keep_borrowed(body->world, body->id, arrays);
    Py_RETURN_NONE;
}

PyObject *body_borrow(PyObject *self, PyObject *object)
{
    return borrow((Body *)self, object, NUMBER_F32, lend_vertices);
}

PyObject *body_borrow64(PyObject *self, PyObject *object)
{
    return borrow((Body *)self, object, NUMBER_F64, lend_vertices64);
}

PyObject *body_rest(PyObject *self, PyObject *unused)
{
    (void)unused;
    Body *body = (Body *)self;
    if (!world_enter(body->world) ||
        !body_end_setting(body->world, pliant_body_reset_pose(body->world->world, body->id)))
        return NULL;
    keep_nothing(body->world, body->id);
    Py_RETURN_NONE;
}

/* ---- Soups ------------------------------------------------------------------------------------
 */

static bool open_primitives(Body *body, PyObject *vertices, PyObject *corners, bool is_borrowed,
                            Array arrays[2], PliantPrimitives *primitives)
{
    const World *world = body->world;
    const int count =
        body->id.index < world->slot_count ? world->slots[body->id.index].corner_count : 0;
    const ArrayRule vertex_rule = {"vertices", NUMBER_F32, 2, {ANY, 3}, is_borrowed};
    const ArrayRule corner_rule = {
        "corners", NUMBER_U32, count > 1 ? 2 : 1, {ANY, count}, is_borrowed};
    if (count == 0) {
        PyErr_SetString(PyExc_ValueError, "the body is no soup, or was removed");
        return false;
    }
    if (!array_open(vertices, &vertex_rule, &arrays[0]) ||
        !count_fits(arrays[0].shape[0], "vertices"))
        return false;
    primitives->vertices = array_vertices(&arrays[0]);
    primitives->count = primitives->vertices.count / count;
    if (corners == Py_None)
        return true;
    if (!array_open(corners, &corner_rule, &arrays[1]) ||
        !count_fits(arrays[1].shape[0], "corners"))
        return false;
    if (arrays[1].stride != 4 * count) {
        PyErr_SetString(PyExc_ValueError, "corners: the array must not have gaps");
        return false;
    }
    /* Corners are checked when they are set, and not again by queries. */
    if (is_borrowed && !array_own(&arrays[1], (size_t)(arrays[1].shape[0] * arrays[1].stride)))
        return false;
    primitives->corners = arrays[1].data;
    primitives->count = (int32_t)arrays[1].shape[0];
    return true;
}

static PyObject *give_primitives(PyObject *self, PyObject *arguments, PyObject *keywords,
                                 bool is_borrowed)
{
    static char *names[] = {"vertices", "corners", NULL};
    Body *body = (Body *)self;
    PyObject *vertices, *corners = Py_None;
    Array arrays[2] = {{.copy = NULL}, {.copy = NULL}};
    PliantPrimitives primitives = pliant_primitives_default();
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", names, &vertices, &corners))
        return NULL;
    bool is_set = false;
    if (open_primitives(body, vertices, corners, is_borrowed, arrays, &primitives) &&
        world_enter(body->world))
        is_set = body_end_setting(
            body->world, (is_borrowed ? pliant_body_borrow_primitives : pliant_body_set_primitives)(
                             body->world->world, body->id, &primitives));
    if (is_set && is_borrowed) {
        keep_borrowed(body->world, body->id, arrays);
        Py_RETURN_NONE;
    }
    if (is_set)
        keep_nothing(body->world, body->id);
    array_close(&arrays[0]);
    array_close(&arrays[1]);
    return is_set ? Py_NewRef(Py_None) : NULL;
}

PyObject *body_set_primitives(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return give_primitives(self, arguments, keywords, false);
}

PyObject *body_borrow_primitives(PyObject *self, PyObject *arguments, PyObject *keywords)
{
    return give_primitives(self, arguments, keywords, true);
}

/* ---- Ends -------------------------------------------------------------------------------------
 */

/* The end of a soup reads the copy of corners that belongs to its body: it gets its own. */
static PliantResult give_corners(World *world, PliantBody end, const Array arrays[2])
{
    PliantPrimitives primitives = pliant_primitives_default();
    primitives.vertices = array_vertices(&arrays[0]);
    primitives.count = (int32_t)arrays[1].shape[0];
    primitives.corners = arrays[1].data;
    return pliant_body_borrow_primitives(world->world, end, &primitives);
}

bool body_share_borrowed(World *world, PliantBody body, PliantBody end)
{
    Array from[2]; /* code of an array may add bodies, which moves the slots */
    memcpy(from, world->slots[body.index].borrowed, sizeof from);
    const size_t corner_size = (size_t)(from[1].shape[0] * from[1].stride);
    Array arrays[2] = {{.copy = NULL}, {.copy = NULL}};
    if (array_share(&from[0], 0, &arrays[0]) && array_share(&from[1], corner_size, &arrays[1])) {
        const PliantResult result =
            arrays[1].copy != NULL ? give_corners(world, end, arrays) : PLIANT_OK;
        if (result == PLIANT_OK) {
            keep_borrowed(world, end, arrays);
            return true;
        }
        raise_result(result);
    }
    array_close(&arrays[0]);
    array_close(&arrays[1]);
    return false;
}

/* ---- Other settings ---------------------------------------------------------------------------
 */

int body_set_filter(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    unsigned categories, collides_with;
    if (value == NULL)
        return fail_delete();
    if (!PyTuple_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "filter: (categories, collides_with)");
        return -1;
    }
    if (!PyArg_ParseTuple(value, "II", &categories, &collides_with) || !world_enter(body->world))
        return -1;
    return body_end_setting(body->world, pliant_body_set_filter(body->world->world, body->id,
                                                                categories, collides_with))
               ? 0
               : -1;
}

int body_set_self(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    if (value == NULL)
        return fail_delete();
    const int is_included = PyObject_IsTrue(value);
    if (is_included < 0 || !world_enter(body->world))
        return -1;
    return body_end_setting(body->world,
                            pliant_body_set_self(body->world->world, body->id, is_included != 0))
               ? 0
               : -1;
}

int body_set_loose_box(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    static const ArrayRule rule = {"loose_box", NUMBER_F32, 2, {2, 3}, false};
    Body *body = (Body *)self;
    Array array = {.copy = NULL};
    if (value == NULL)
        return fail_delete();
    if (value != Py_None && !array_open(value, &rule, &array))
        return -1;
    bool is_set = false;
    if (world_enter(body->world))
        is_set =
            body_end_setting(body->world, pliant_body_set_loose_box(body->world->world, body->id,
                                                                    (const PliantBox *)array.data));
    array_close(&array);
    return is_set ? 0 : -1;
}

int body_set_radius(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    Body *body = (Body *)self;
    if (value == NULL)
        return fail_delete();
    const double radius = PyFloat_AsDouble(value);
    if (PyErr_Occurred() || !world_enter(body->world))
        return -1;
    return body_end_setting(body->world,
                            pliant_body_set_radius(body->world->world, body->id, (float)radius))
               ? 0
               : -1;
}

int body_set_vertex_radii(PyObject *self, PyObject *value, void *closure)
{
    (void)closure;
    static const ArrayRule rule = {"vertex_radii", NUMBER_F32, 1, {ANY}, false};
    Body *body = (Body *)self;
    Array array = {.copy = NULL};
    if (value == NULL)
        return fail_delete();
    if (value != Py_None && !array_open(value, &rule, &array))
        return -1;
    bool is_set = false;
    if (world_enter(body->world))
        is_set = body_end_setting(
            body->world, pliant_body_set_vertex_radii(body->world->world, body->id, array.data,
                                                      (int32_t)array.shape[0]));
    array_close(&array);
    return is_set ? 0 : -1;
}

static const char *const update_words[] = {"hybrid", "bottom_up", "top_down", NULL};

PyObject *body_set_update(PyObject *self, PyObject *value)
{
    Body *body = (Body *)self;
    int kind;
    const char *word = PyUnicode_AsUTF8AndSize(value, NULL);
    if (word == NULL || !word_index("update", word, update_words, &kind) ||
        !world_enter(body->world) ||
        !body_end_setting(body->world, pliant_body_set_update_kind(body->world->world, body->id,
                                                                   (PliantUpdateKind)kind)))
        return NULL;
    Py_RETURN_NONE;
}

PyObject *body_set_patches(PyObject *self, PyObject *value)
{
    static const ArrayRule rule = {"patches", NUMBER_U32, 1, {ANY}, false};
    Body *body = (Body *)self;
    Array patches = {.copy = NULL};
    if (value != Py_None && !array_open(value, &rule, &patches))
        return NULL;
    if (!world_enter(body->world)) {
        array_close(&patches);
        return NULL;
    }
    const PliantResult result =
        pliant_body_set_patches(body->world->world, body->id, patches.data, patches.shape[0]);
    array_close(&patches);
    if (!body_end_setting(body->world, result))
        return NULL;
    Py_RETURN_NONE;
}
