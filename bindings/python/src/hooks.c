/* Functions of Python that queries call: progress, and which bodies make pairs.
 *
 * Both are called without the GIL, and take it. What they raise is kept with the query, which ends
 * and raises it. A progress function may be called by a worker. may_pair() is called by the thread
 * that asks, whichever world or reader that asks: so it finds its query by the thread.
 */
#include "binding.h"

/* The query of this thread that is under way. Others are below it, if a function asks a world. */
static _Thread_local Progress *asking;

void hooks_enter(Progress *progress, World *world)
{
    progress->world = world;
    progress->outer = asking;
    asking = progress;
}

void hooks_leave(Progress *progress)
{
    asking = progress->outer;
}

bool progress_hook(void *user, int64_t done, int64_t total)
{
    Progress *progress = user;
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject *answer = progress->type ? NULL
                                      : PyObject_CallFunction(progress->function, "LL",
                                                              (long long)done, (long long)total);
    const bool goes_on = answer != NULL && (answer == Py_None || PyObject_IsTrue(answer) == 1);
    if (PyErr_Occurred())
        PyErr_Fetch(&progress->type, &progress->value, &progress->traceback);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return goes_on && progress->type == NULL;
}

/* 1, 0, or -1 with an exception. */
static int ask_may_pair(World *home, PliantBody a, PliantBody b)
{
    PyObject *bodies[2] = {body_object(home, a), body_object(home, b)}, *answer = NULL;
    if (bodies[0] != NULL && bodies[1] != NULL)
        answer = PyObject_CallFunctionObjArgs(home->may_pair, bodies[0], bodies[1], NULL);
    const int truth = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    Py_XDECREF(bodies[0]);
    Py_XDECREF(bodies[1]);
    return truth;
}

/* Once it has raised, no other pair is asked for: the query ends soon. */
bool may_pair_hook(void *user, PliantBody a, PliantBody b)
{
    Progress *progress = asking;
    const PyGILState_STATE state = PyGILState_Ensure();
    const int truth = progress->type ? 0 : ask_may_pair(user, a, b);
    if (truth < 0) {
        PyErr_Fetch(&progress->type, &progress->value, &progress->traceback);
        progress->has_failed = true;
        pliant_world_cancel(progress->world->world);
    }
    PyGILState_Release(state);
    return truth > 0;
}

PyObject *raise_query(PliantResult result, Progress *progress)
{
    if (progress->type == NULL)
        return raise_result(result);
    PyErr_Restore(progress->type, progress->value, progress->traceback);
    return NULL;
}

void end_progress(Progress *progress)
{
    Py_XDECREF(progress->type);
    Py_XDECREF(progress->value);
    Py_XDECREF(progress->traceback);
}
