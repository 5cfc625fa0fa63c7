/* The host's hooks, as in the core, whose own are not public: see device.h. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    size_t whole = (size + alignment - 1) / alignment * alignment;
    return whole < size ? NULL : aligned_alloc(alignment, whole);
}

static void default_release(void *user, void *block, size_t size, size_t alignment)
{
    (void)user;
    (void)size;
    (void)alignment;
    free(block);
}

PliantResult pli_gl_host_resolve(const PliantHost *given, PliantHost *host)
{
    *host = pliant_host_default();
    if (given && !pli_gl_def_read(host, sizeof *host, given, given->struct_size))
        return pli_gl_mistake(NULL, PLIANT_BAD_DEF, "host: start from pliant_host_default()");
    if (!host->allocate != !host->release)
        return pli_gl_mistake(host, PLIANT_BAD_ARGUMENT,
                              "host: allocate and release go together: give both or none");
    if (!host->allocate) {
        host->allocate = default_allocate;
        host->release = default_release;
    }
    return PLIANT_OK;
}

PliantResult pli_gl_mistake(const PliantHost *host, PliantResult result, const char *message)
{
    if (host && host->report)
        host->report(host->user, result, message);
#ifdef PLIANT_ASSERTS
    else
        __builtin_trap(); /* a call was given something wrong: `message` says what */
#endif
    return result;
}

bool pli_gl_def_read(void *def, size_t def_size, const void *caller_def, size_t caller_size)
{
    /* These defs have had one length so far; one that is longer must not ask for more. */
    if (caller_size < def_size || caller_size > 4096 || caller_size % sizeof(size_t) != 0)
        return false;
    /* struct_size stays that of this copy. */
    memcpy((char *)def + sizeof(size_t), (const char *)caller_def + sizeof(size_t),
           def_size - sizeof(size_t));
    const unsigned char *bytes = caller_def;
    for (size_t i = def_size; i < caller_size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

PliantResult pli_gl_block_need(PliGlBlock *block, const PliantHost *host, int64_t count,
                               size_t item_size)
{
    if ((uint64_t)count > SIZE_MAX / 2 / item_size)
        return PLIANT_TOO_LARGE;
    size_t size = (size_t)count * item_size;
    if (size <= block->byte_size)
        return PLIANT_OK;
    size += size / 2;
    void *items = host->allocate(host->user, size, ALIGNMENT);
    if (!items)
        return PLIANT_OUT_OF_MEMORY;
    pli_gl_block_free(block, host);
    *block = (PliGlBlock){items, size};
    return PLIANT_OK;
}

void pli_gl_block_free(PliGlBlock *block, const PliantHost *host)
{
    if (block->items)
        host->release(host->user, block->items, block->byte_size, ALIGNMENT);
    *block = (PliGlBlock){0};
}
