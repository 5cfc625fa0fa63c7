/* The host's hooks, records, arrays and sorting, as in the core, whose own are not public: see
 * shared.h. */
#include "shared.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* ---- Hooks -------------------------------------------------------------------------------------
 */

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    const size_t whole = (size + alignment - 1) / alignment * alignment;
    return whole < size ? NULL : aligned_alloc(alignment, whole);
}

static void default_release(void *user, void *block, size_t size, size_t alignment)
{
    (void)user;
    (void)size;
    (void)alignment;
    free(block);
}

PliantResult pli_mpi_memory_init(PliMpiMemory *memory, const PliantHost *given)
{
    *memory = (PliMpiMemory){.host = pliant_host_default()};
    PliantHost *host = &memory->host;
    if (given && !pli_backend_read(host, sizeof *host, given, given->struct_size))
        return PLIANT_BAD_DEF;
    if (!host->allocate != !host->release)
        return PLIANT_BAD_ARGUMENT;
    if (!host->allocate) {
        host->allocate = default_allocate;
        host->release = default_release;
    }
    return PLIANT_OK;
}

PliantResult pli_mpi_mistake(const PliMpiMemory *memory, const char *function, PliantResult result,
                             const char *format, ...)
{
    char message[256];
    va_list arguments;
    const bool is_heard = memory && memory->host.report;
    const int start = snprintf(message, sizeof message, "%s: ", function);
    va_start(arguments, format);
    if (start > 0 && (size_t)start < sizeof message)
        (void)vsnprintf(message + start, sizeof message - (size_t)start, format, arguments);
    va_end(arguments);
    if (is_heard)
        memory->host.report(memory->host.user, result, message);
#ifdef PLIANT_ASSERTS
    if (!is_heard)
        __builtin_trap(); /* a call was given something wrong: `message` says what */
#endif
    return result;
}

/* ---- Arrays ------------------------------------------------------------------------------------
 */

PliantResult pli_mpi_reserve(PliMpiArray *array, PliMpiMemory *memory, int64_t capacity)
{
    if (capacity <= array->capacity)
        return PLIANT_OK;
    int64_t grown = array->capacity + array->capacity / 2 + 16;
    grown = grown < capacity ? capacity : grown;
    if ((uint64_t)grown > SIZE_MAX / 2 / array->item_size)
        return PLIANT_TOO_LARGE;
    const size_t size = (size_t)grown * array->item_size;
    void *items = memory->host.allocate(memory->host.user, size, ALIGNMENT);
    if (!items)
        return PLIANT_OUT_OF_MEMORY;
    if (array->count > 0)
        memcpy(items, array->items, (size_t)array->count * array->item_size);
    const int64_t count = array->count;
    pli_mpi_free(array, memory);
    *array = (PliMpiArray){items, count, grown, array->item_size};
    memory->byte_size += size;
    return PLIANT_OK;
}

void *pli_mpi_push(PliMpiArray *array, PliMpiMemory *memory, int64_t extra)
{
    if (pli_mpi_reserve(array, memory, array->count + extra) != PLIANT_OK)
        return NULL;
    void *first = (char *)array->items + (size_t)array->count * array->item_size;
    array->count += extra;
    return first;
}

void pli_mpi_free(PliMpiArray *array, PliMpiMemory *memory)
{
    const size_t size = (size_t)array->capacity * array->item_size;
    if (array->items)
        memory->host.release(memory->host.user, array->items, size, ALIGNMENT);
    memory->byte_size -= array->items ? size : 0;
    *array = (PliMpiArray){.item_size = array->item_size};
}

/* ---- Sorting -----------------------------------------------------------------------------------
 */

/* The end of the sorted run that begins at `first`. */
static int64_t run_end(const char *items, size_t size, int64_t first, int64_t count,
                       PliMpiCompare *compare)
{
    int64_t end = first + 1;
    while (end < count &&
           compare(items + (size_t)(end - 1) * size, items + (size_t)end * size) <= 0)
        end++;
    return end < count ? end : count;
}

static void merge(const char *from, int64_t first, int64_t middle, int64_t end, size_t size,
                  char *to, PliMpiCompare *compare)
{
    int64_t i = first, j = middle;
    for (int64_t k = first; k < end; k++) {
        const bool is_left = j == end || (i < middle && compare(from + (size_t)i * size,
                                                                from + (size_t)j * size) <= 0);
        memcpy(to + (size_t)k * size, from + (size_t)(is_left ? i++ : j++) * size, size);
    }
}

/* A natural merge sort: two runs after two, until there is one. */
PliantResult pli_mpi_sort(PliMpiArray *array, PliMpiArray *scratch, PliMpiMemory *memory,
                          PliMpiCompare *compare)
{
    const int64_t count = array->count;
    const size_t size = array->item_size;
    while (count > 0 && run_end(array->items, size, 0, count, compare) < count) {
        PLI_MPI_TRY(pli_mpi_reserve(scratch, memory, count));
        for (int64_t first = 0, end; first < count; first = end) {
            const int64_t middle = run_end(array->items, size, first, count, compare);
            end = middle < count ? run_end(array->items, size, middle, count, compare) : middle;
            merge(array->items, first, middle, end, size, scratch->items, compare);
        }
        const PliMpiArray other = *array;
        *array = *scratch;
        array->count = count;
        *scratch = other;
    }
    return PLIANT_OK;
}
