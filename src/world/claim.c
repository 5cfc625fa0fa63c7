/* Who uses a world, and who ends what it does: see claim.h. */
#include "world/world.h"

bool pli_world_begin_change(PliantWorld *world)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(world->claims, &none, -1))
        return false;
    atomic_store(&world->control.is_cancelled, false); /* that was for an earlier call */
    return true;
}

void pli_world_end_change(PliantWorld *const *world)
{
    atomic_store_explicit((*world)->claims, 0, memory_order_release);
}

bool pli_world_begin_read(const PliantWorld *world)
{
    int readers = atomic_load(world->claims);
    while (readers >= 0 && !atomic_compare_exchange_weak(world->claims, &readers, readers + 1))
        ;
    return readers >= 0;
}

void pli_world_end_read(const PliantWorld *const *world)
{
    atomic_fetch_sub((*world)->claims, 1);
}

void pliant_world_cancel(PliantWorld *world)
{
    if (world)
        atomic_store(&world->control.is_cancelled, true);
}
