/* A host that counts: the bytes that an owner holds, known at any time.
 *
 * It passes every call on to the host that the owner was given, and adds up the sizes. Counting is
 * atomic, so that several threads of one owner may allocate. */
#ifndef PLI_COUNTING_H
#define PLI_COUNTING_H

#include "base/memory.h"

#include <stdatomic.h>

typedef struct PliCountingHost {
    PliantHost inner; /* resolved */
    atomic_size_t byte_size;
} PliCountingHost;

/* Fills `counting`, which starts at `byte_size` bytes, and `host`, which passes on to it and is
 * resolved too. `counting` must stay where it is for as long as `host` is used. */
void pli_counting_host_init(PliCountingHost *counting, const PliantHost *inner, size_t byte_size,
                            PliantHost *host);

/* Bytes held now. */
static inline size_t pli_counting_host_bytes(const PliCountingHost *counting)
{
    return atomic_load_explicit(&counting->byte_size, memory_order_relaxed);
}

#endif
