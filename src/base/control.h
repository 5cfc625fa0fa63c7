/* How a query is watched and stopped.
 *
 * One control belongs to each world. A query asks it, every few thousand steps and from any worker,
 * whether to go on. It ends if the caller's progress function returns false, or if another thread
 * has called pliant_world_cancel(), or if more answers were found than the caller wants. */
#ifndef PLI_CONTROL_H
#define PLI_CONTROL_H

#include "base/base.h"

#include <stdatomic.h>

typedef bool PliProgress(void *user, int64_t done, int64_t total);

typedef struct PliControl {
    PliProgress *progress; /* NULL: the caller is not asked */
    void *user;
    int64_t total;             /* steps of the query, as its progress function counts them */
    atomic_int_least64_t done; /* steps that are finished */
    atomic_bool is_cancelled;
    atomic_flag is_asking;      /* the caller is asked by one worker at a time */
    int64_t max_count;          /* answers that are wanted; INT64_MAX: all */
    atomic_int_least64_t found; /* answers so far, of all workers */
} PliControl;

/* Starts a query. Its number of steps is set when it is known. */
void pli_control_start(PliControl *control, PliProgress *progress, void *user);

/* Returns true if the query goes on; else it is to return PLIANT_CANCELLED. Any worker. */
bool pli_control_goes_on(PliControl *control);

/* The same while the number of steps is not known: the caller is not asked. */
static inline bool pli_control_is_cancelled(PliControl *control)
{
    return atomic_load_explicit(&control->is_cancelled, memory_order_relaxed);
}

/* Whether the query goes on, as a step that can fail. */
static inline PliantResult pli_control_check(PliControl *control)
{
    return pli_control_goes_on(control) ? PLIANT_OK : PLIANT_CANCELLED;
}

/* Counts answers. Returns false if there are more than the caller wants. Any worker. */
static inline bool pli_control_add_found(PliControl *control, int64_t count)
{
    return control->max_count == INT64_MAX ||
           atomic_fetch_add_explicit(&control->found, count, memory_order_relaxed) + count <=
               control->max_count;
}

/* Did the query end because there were more answers than the caller wants? */
static inline bool pli_control_is_exceeded(PliControl *control)
{
    return atomic_load(&control->found) > control->max_count;
}

/* Counts finished steps. Any worker. */
static inline void pli_control_count(PliControl *control, int64_t steps)
{
    if (steps > 0) /* clang turns the addition of 0 into a load, which needs libatomic on i386 */
        atomic_fetch_add_explicit(&control->done, steps, memory_order_relaxed);
}

#endif
