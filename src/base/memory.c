/* The host's allocator, arrays, arena: see memory.h. */
#include "base/memory.h"
#include "base/round.h"

#include <stdlib.h>
#include <string.h>

/* ---- Host -------------------------------------------------------------------------------- */

#ifdef _WIN32 /* no aligned_alloc(), because its blocks would need a free() of their own */
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define aligned_free _aligned_free
#else
#define aligned_free free
#endif

static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    /* aligned_alloc() wants a multiple of the alignment. */
    size_t rounded = (size_t)pli_align_up(size, alignment);
    return rounded < size ? NULL : aligned_alloc(alignment, rounded);
}

static void default_release(void *user, void *block, size_t size, size_t alignment)
{
    (void)user, (void)size, (void)alignment;
    aligned_free(block);
}

PliantResult pli_host_resolve(const PliantHost *given, PliantHost *host)
{
    PliantHost resolved = pliant_host_default();
    if (given && !pli_record_read(&resolved, sizeof resolved, PLI_RECORD_SIZE(PliantHost, user),
                                  given, given->struct_size))
        return PLIANT_BAD_DEF;
    if (!resolved.allocate != !resolved.release)
        return PLIANT_BAD_ARGUMENT;
    if (resolved.worker_count < 0 || resolved.worker_count > PLIANT_MAX_WORKERS)
        return PLIANT_BAD_ARGUMENT;
    if (!resolved.run && resolved.worker_count > 1)
        return PLIANT_BAD_ARGUMENT;
    if (!resolved.run || resolved.worker_count == 0)
        resolved.worker_count = 1;
    if (!resolved.allocate) {
        resolved.allocate = default_allocate;
        resolved.release = default_release;
    }
    *host = resolved;
    return PLIANT_OK;
}

PliantResult pli_host_check(const PliCall *call, const PliantHost *given, PliantHost *host)
{
    const PliantResult result = pli_host_resolve(given, host);
    PLI_CHECK(call, result != PLIANT_BAD_DEF, result,
              "host.struct_size is %zu: start from pliant_host_default()", given->struct_size);
    PLI_CHECK(call, !given || !given->allocate == !given->release, result,
              "host.allocate and host.release go together: one of them is NULL");
    PLI_CHECK(call, !given || given->run || given->worker_count <= 1, result,
              "host.worker_count is %d and host.run is NULL: nothing would run the tasks",
              (int)given->worker_count);
    PLI_CHECK(call, result == PLIANT_OK, result, "host.worker_count is %d, at most %d",
              (int)given->worker_count, PLIANT_MAX_WORKERS);
    return PLIANT_OK;
}

PliantResult pli_allocate(const PliantHost *host, size_t count, size_t item_size, void **block)
{
    size_t size;
    if (__builtin_mul_overflow(count, item_size, &size) || size > PTRDIFF_MAX)
        return PLIANT_TOO_LARGE;
    void *fresh = NULL;
    if (size > 0 && !(fresh = host->allocate(host->user, size, PLI_ALIGNMENT)))
        return PLIANT_OUT_OF_MEMORY;
    *block = fresh;
    return PLIANT_OK;
}

void pli_release(const PliantHost *host, void *block, size_t count, size_t item_size)
{
    if (block)
        host->release(host->user, block, count * item_size, PLI_ALIGNMENT);
}

PliantResult pli_allocate_all(const PliantHost *host, const PliRequest *requests, int request_count)
{
    for (int i = 0; i < request_count; i++)
        *requests[i].block = NULL;
    for (int i = 0; i < request_count; i++) {
        const PliRequest *request = &requests[i];
        PliantResult result =
            pli_allocate(host, request->count, request->item_size, request->block);
        if (result != PLIANT_OK) {
            pli_release_all(host, requests, i);
            return result;
        }
    }
    return PLIANT_OK;
}

void pli_release_all(const PliantHost *host, const PliRequest *requests, int request_count)
{
    for (int i = 0; i < request_count; i++) {
        pli_release(host, *requests[i].block, requests[i].count, requests[i].item_size);
        *requests[i].block = NULL;
    }
}

/* ---- Arrays ------------------------------------------------------------------------------ */

/* Exactly so much, which is more than it has. */
static PliantResult grow(PliArray *array, const PliantHost *host, int64_t grown)
{
    void *items;
    if ((uint64_t)grown > SIZE_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_allocate(host, (size_t)grown, array->item_size, &items));
    /* Neither grown nor item_size is zero, so items is not NULL. */
    if (array->count > 0)
        memcpy(items, array->items, (size_t)array->count * array->item_size); /* NOLINT */
    pli_release(host, array->items, (size_t)array->capacity, array->item_size);
    array->items = items;
    array->capacity = grown;
    return PLIANT_OK;
}

PliantResult pli_array_reserve(PliArray *array, const PliantHost *host, int64_t capacity)
{
    if (capacity <= array->capacity)
        return PLIANT_OK;

    /* Half again, but at least what is needed and at least one cache line. Near the end of the
     * range it is what is needed, and the allocation decides. */
    int64_t grown = array->capacity;
    if (__builtin_add_overflow(grown, grown / 2, &grown) || grown < capacity)
        grown = capacity;
    int64_t line = (int64_t)(PLI_ALIGNMENT / array->item_size);
    return grow(array, host, grown < line ? line : grown);
}

static void clear_room(PliArray *array)
{
    char *end = (char *)array->items + (size_t)array->count * array->item_size;
    memset(end, 0, (size_t)(array->capacity - array->count) * array->item_size); /* NOLINT */
}

PliantResult pli_array_reserve_zeroed(PliArray *array, const PliantHost *host, int64_t capacity)
{
    if (capacity <= array->capacity)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(array, host, capacity));
    clear_room(array);
    return PLIANT_OK;
}

PliantResult pli_array_reserve_exactly(PliArray *array, const PliantHost *host, int64_t capacity)
{
    if (capacity <= array->capacity)
        return PLIANT_OK;
    PLI_TRY(grow(array, host, capacity));
    clear_room(array);
    return PLIANT_OK;
}

PliantResult pli_array_push(PliArray *array, const PliantHost *host, int64_t extra, void **first)
{
    int64_t count;
    if (extra < 0 || __builtin_add_overflow(array->count, extra, &count))
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(array, host, count));
    *first = pli_array_from(array, array->count);
    array->count = count;
    return PLIANT_OK;
}

PliantResult pli_array_append(PliArray *array, const PliantHost *host, const PliArray *other)
{
    void *room;
    PLI_TRY(pli_array_push(array, host, other->count, &room));
    if (room && other->count > 0)
        memcpy(room, other->items, (size_t)other->count * other->item_size);
    return PLIANT_OK;
}

void pli_array_free(PliArray *array, const PliantHost *host)
{
    pli_release(host, array->items, (size_t)array->capacity, array->item_size);
    array->items = NULL;
    array->count = array->capacity = 0;
}

/* ---- Arena ------------------------------------------------------------------------------- */

/* The header takes one alignment unit at the start of each block; pieces follow. */
struct PliArenaBlock {
    PliArenaBlock *older;
    size_t size; /* of the whole block, header included */
};

enum { FIRST_BLOCK_SIZE = 1 << 14, MAX_SPARE_SIZE = 1 << 20 };

_Static_assert(sizeof(PliArenaBlock) <= 64, "the header fits its unit");

void pli_arena_init(PliArena *arena, const PliantHost *host)
{
    *arena = (PliArena){.host = host};
}

/* Adds a block with room for `payload` bytes. It is as large as all blocks before it together, if
 * there is memory for it, so that there are few blocks; but no larger than MAX_SPARE_SIZE for that,
 * since what is not cut is lost. */
static PliantResult add_block(PliArena *arena, size_t payload)
{
    size_t least;
    if (__builtin_add_overflow(payload, PLI_ALIGNMENT, &least))
        return PLIANT_TOO_LARGE;
    size_t size = pli_arena_bytes(arena);
    size = size > FIRST_BLOCK_SIZE ? size : FIRST_BLOCK_SIZE;
    size = size < MAX_SPARE_SIZE ? size : MAX_SPARE_SIZE;
    size = size > least ? size : least;
    void *memory = NULL;
    PliantResult result = pli_allocate(arena->host, size, 1, &memory);
    if (result == PLIANT_OUT_OF_MEMORY && size > least) {
        size = least;
        result = pli_allocate(arena->host, size, 1, &memory);
    }
    PLI_TRY(result);

    PliArenaBlock *block = memory;
    block->older = arena->newest; /* NOLINT: size is not zero, so block is not NULL */
    block->size = size;
    arena->newest = block;
    arena->used = PLI_ALIGNMENT;
    return PLIANT_OK;
}

PliantResult pli_arena_allocate(PliArena *arena, size_t count, size_t item_size, void **piece)
{
    size_t size;
    if (__builtin_mul_overflow(count, item_size, &size) || size > PTRDIFF_MAX)
        return PLIANT_TOO_LARGE;
    if (size == 0) {
        *piece = NULL;
        return PLIANT_OK;
    }

    size = (size_t)pli_align_up(size, PLI_ALIGNMENT);
    if (!arena->newest || arena->newest->size - arena->used < size) {
        PLI_TRY(add_block(arena, size));
    }
    *piece = (char *)arena->newest + arena->used;
    arena->used += size;
    return PLIANT_OK;
}

void *pli_arena_cut(PliArena *arena, size_t count, size_t item_size)
{
    void *piece = NULL;
    if (arena->failure == PLIANT_OK)
        arena->failure = pli_arena_allocate(arena, count, item_size, &piece);
    return piece;
}

/* Frees the blocks of a list but for `kept`, then the only block of the arena; NULL for all. */
static void keep_one(PliArena *arena, PliArenaBlock *block, PliArenaBlock *kept)
{
    while (block) {
        PliArenaBlock *older = block->older;
        if (block != kept)
            pli_release(arena->host, block, block->size, 1);
        block = older;
    }
    if (kept)
        kept->older = NULL;
    arena->newest = kept;
    arena->used = PLI_ALIGNMENT;
}

void pli_arena_reset(PliArena *arena)
{
    PliArenaBlock *largest = arena->newest;
    arena->failure = PLIANT_OK;
    if (!largest)
        return;
    arena->used = PLI_ALIGNMENT;
    if (!largest->older)
        return;

    /* Replaces several blocks by one that holds as much. Without memory for it the largest is kept,
     * and the next reset tries again. */
    for (PliArenaBlock *block = largest; block; block = block->older)
        largest = block->size > largest->size ? block : largest;
    if (add_block(arena, pli_arena_bytes(arena) - PLI_ALIGNMENT) == PLIANT_OK)
        largest = arena->newest;
    keep_one(arena, arena->newest, largest);
}

void pli_arena_free(PliArena *arena)
{
    keep_one(arena, arena->newest, NULL);
}

size_t pli_arena_bytes(const PliArena *arena)
{
    size_t bytes = 0;
    for (const PliArenaBlock *block = arena->newest; block; block = block->older)
        bytes += block->size;
    return bytes;
}
