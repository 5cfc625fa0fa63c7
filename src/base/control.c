/* How a query is watched and stopped: see control.h. */
#include "base/control.h"

void pli_control_start(PliControl *control, PliProgress *progress, void *user)
{
    control->progress = progress;
    control->user = user;
    control->total = 0;
    control->max_count = INT64_MAX;
    atomic_store(&control->done, 0);
    atomic_store(&control->found, 0);
    atomic_flag_clear(&control->is_asking);
}

bool pli_control_goes_on(PliControl *control)
{
    if (atomic_load_explicit(&control->is_cancelled, memory_order_relaxed) ||
        pli_control_is_exceeded(control))
        return false;
    if (!control->progress || atomic_flag_test_and_set(&control->is_asking))
        return true;
    const bool goes_on =
        control->progress(control->user, atomic_load(&control->done), control->total);
    if (!goes_on)
        atomic_store(&control->is_cancelled, true);
    atomic_flag_clear(&control->is_asking);
    return goes_on;
}
