/* Who uses a world, and who ends what it does: see claim.h. */
#include "world/world.h"

/* A reader can be asked while its world is held. */
static bool enter(const PliantWorld *reader)
{
    atomic_int *asked = &reader->read->asked;
    int count = atomic_load(asked);
    while (count >= 0 && !atomic_compare_exchange_weak(asked, &count, count + 1))
        ;
    return count >= 0;
}

const char *pli_world_busy_text(const PliantWorld *world)
{
    return world->read && atomic_load(&world->read->asked) < 0
               ? "a reader can be asked while its world is held"
               : "another call uses this world: on another thread, or on this one around a hook";
}

bool pli_world_begin_change(PliantWorld *world)
{
    int none = 0;
    if (!atomic_compare_exchange_strong(world->claims, &none, -1))
        return false;
    if (world->read && !enter(world)) {
        atomic_store(world->claims, 0);
        return false;
    }
    atomic_store(&world->control.is_cancelled, false); /* that was for an earlier call */
    return true;
}

void pli_world_end_change(PliantWorld *const *world)
{
    if ((*world)->read)
        atomic_fetch_sub(&(*world)->read->asked, 1);
    atomic_store_explicit((*world)->claims, 0, memory_order_release);
}

bool pli_world_begin_read(const PliantWorld *world)
{
    int readers = atomic_load(world->claims);
    while (readers >= 0 && !atomic_compare_exchange_weak(world->claims, &readers, readers + 1))
        ;
    if (readers >= 0 && world->read && !enter(world)) {
        atomic_fetch_sub(world->claims, 1);
        return false;
    }
    return readers >= 0;
}

void pli_world_end_read(const PliantWorld *const *world)
{
    if ((*world)->read)
        atomic_fetch_sub(&(*world)->read->asked, 1);
    atomic_fetch_sub((*world)->claims, 1);
}
