/* How bodies move: what the type of a body takes from moves.c. */
#ifndef MOVES_H
#define MOVES_H

#include "binding.h"

/* One attribute that is set from an array: how it is read, and the call that gets it. */
typedef struct Setting {
    ArrayRule rule;
    PliantResult (*set)(World *world, PliantBody id, const Array *array);
    bool ends_borrowing;
} Setting;

extern const Setting transform_setting, weights_setting, joints_setting, vertices_setting,
    vertices64_setting;

/* Attributes. The closure of an array is its Setting. */
int body_set_array(PyObject *self, PyObject *value, void *closure);
PyObject *body_write_only(PyObject *self, void *closure);
int body_set_filter(PyObject *self, PyObject *value, void *closure);
int body_set_loose_box(PyObject *self, PyObject *value, void *closure);
int body_set_self(PyObject *self, PyObject *value, void *closure);
int body_set_radius(PyObject *self, PyObject *value, void *closure);
int body_set_vertex_radii(PyObject *self, PyObject *value, void *closure);

/* Methods. */
PyObject *body_borrow(PyObject *self, PyObject *object);
PyObject *body_borrow64(PyObject *self, PyObject *object);
PyObject *body_rest(PyObject *self, PyObject *unused);
PyObject *body_set_primitives(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *body_borrow_primitives(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *body_set_update(PyObject *self, PyObject *value);
PyObject *body_set_patches(PyObject *self, PyObject *value);

/* Keeps alive for a new end what its body borrows, which the end reads too. Raises. */
bool body_share_borrowed(World *world, PliantBody body, PliantBody end);

/* Leaves the world after a call, and raises what its result means. */
bool body_end_setting(World *world, PliantResult result);

#endif
