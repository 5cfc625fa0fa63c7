/* A model: parts, what moves them, and clips. Read from a file (models.c), or made of arrays that a
 * host program has, such as Blender (meshes.c). The command's check runs on either (checks.c).
 */
#ifndef BINDING_MODEL_H
#define BINDING_MODEL_H

#include "binding.h"

#include <scene/scene.h>

#include <stdatomic.h>

typedef struct Model {
    PyObject_HEAD Scene *scene;
    ScenePose *pose;          /* of one moment at a time: the GIL is held */
    atomic_bool is_cancelled; /* of the checks that run */
    _Atomic double left;      /* seconds of a check that runs; negative: not known */
} Model;

/* The object of a scene, which it owns. NULL: it raised, and the scene is freed. */
PyObject *model_object(Scene *scene);

PyObject *model_of_meshes(PyObject *module, PyObject *arguments); /* meshes.c */

PyObject *check_model(PyObject *self, PyObject *arguments, PyObject *keywords); /* checks.c */
PyObject *cancel_model(PyObject *self, PyObject *unused);
PyObject *seconds_left(PyObject *self, PyObject *unused);

#endif
