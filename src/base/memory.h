/* Memory: the host's allocator, growing arrays, and an arena for the scratch of one query.
 *
 * Every size is a count times an item size. The product is computed here only, with a check for
 * overflow. All blocks are aligned to 64 bytes: a cache line, and the widest vector. Memory is held
 * by the struct that is passed in, and nowhere else.
 *
 * Code that needs several blocks calls pli_allocate_all() or pli_arena_cut(), which fail once for
 * all of them.
 */
#ifndef PLI_MEMORY_H
#define PLI_MEMORY_H

#include "base/base.h"

#define PLI_ALIGNMENT ((size_t)64)

/* Fills `host` from what the caller gave (NULL: nothing), with defaults for missing hooks, so that
 * allocate and release can be called without looking. Fails with PLIANT_BAD_DEF if its struct_size
 * is wrong, PLIANT_BAD_ARGUMENT if only one of the two was given. */
PliantResult pli_host_resolve(const PliantHost *given, PliantHost *host);

/* The same in a public call, which says what is wrong. */
PliantResult pli_host_check(const PliCall *call, const PliantHost *given, PliantHost *host);

/* Memory for `count` items of `item_size` bytes, not cleared. Zero bytes give a NULL block, and
 * that is a success. `host` must be resolved. */
PliantResult pli_allocate(const PliantHost *host, size_t count, size_t item_size, void **block);

/* Releases a block that pli_allocate() returned for the same count and size. Ignores NULL. */
void pli_release(const PliantHost *host, void *block, size_t count, size_t item_size);

/* A block to allocate with others. `block` is set to NULL if any of them fails. */
typedef struct PliRequest {
    void **block;
    size_t count, item_size;
} PliRequest;

/* Allocates all blocks, or none of them. */
PliantResult pli_allocate_all(const PliantHost *host, const PliRequest *requests,
                              int request_count);

/* Releases what pli_allocate_all() allocated, and sets the blocks to NULL. */
void pli_release_all(const PliantHost *host, const PliRequest *requests, int request_count);

/* ---- Arrays ------------------------------------------------------------------------------ */

/* A growing array of items of one size. Starts as zeros but for item_size. The items move when it
 * grows. */
typedef struct PliArray {
    void *items;
    _Alignas(8) int64_t count; /* counted up by several threads at once, also where int64_t has 4 */
    int64_t capacity;
    size_t item_size;
} PliArray;

/* Reserves room for at least `capacity` items. Grows by half at least, so that pushing is O(1)
 * amortized. On failure the array is unchanged. */
PliantResult pli_array_reserve(PliArray *array, const PliantHost *host, int64_t capacity);

/* The same with a quarter to spare, and without a call if there is room: counts that vary a little
 * from frame to frame soon allocate nothing. */
static inline PliantResult pli_array_reserve_spare(PliArray *array, const PliantHost *host,
                                                   int64_t capacity)
{
    if (PLI_LIKELY(capacity <= array->capacity))
        return PLIANT_OK;
    return pli_array_reserve(array, host, capacity + capacity / 4 + 16);
}

/* The same, with zeros behind the items: no later frame waits for fresh pages. */
PliantResult pli_array_reserve_zeroed(PliArray *array, const PliantHost *host, int64_t capacity);

/* The same, and no more than that: for arrays that are to become as long as the longest of them,
 * which would never end if each grew by half. */
PliantResult pli_array_reserve_exactly(PliArray *array, const PliantHost *host, int64_t capacity);

/* Where item `index` is, or would be. An array without memory has none, and C has no sum of a null
 * pointer and 0. */
static inline void *pli_array_from(const PliArray *array, int64_t index)
{
    return array->items ? (char *)array->items + (size_t)index * array->item_size : NULL;
}

/* Adds `extra` items, not cleared; `first` points at them. On failure the array is unchanged. */
PliantResult pli_array_push(PliArray *array, const PliantHost *host, int64_t extra, void **first);

/* Appends the items of another array. On failure the array is unchanged. */
PliantResult pli_array_append(PliArray *array, const PliantHost *host, const PliArray *other);

/* Releases the memory and leaves an empty array. */
void pli_array_free(PliArray *array, const PliantHost *host);

/* Bytes held from the host. */
static inline size_t pli_array_bytes(const PliArray *array)
{
    return (size_t)array->capacity * array->item_size;
}

/* ---- Arena ------------------------------------------------------------------------------- */

/* Scratch memory for one query: allocated piece by piece, released all at once. A reset merges its
 * blocks into one, so that a repeated query allocates nothing from the second or third time on. */
typedef struct PliArenaBlock PliArenaBlock;
typedef struct PliArena {
    const PliantHost *host;
    PliArenaBlock *newest; /* a list, newest first; pieces are cut from the newest only */
    size_t used;           /* bytes cut from the newest */
    PliantResult failure;  /* of pli_arena_cut(): the first since the arena was made or reset */
} PliArena;

/* An empty arena. `host` is borrowed and must outlive it. */
void pli_arena_init(PliArena *arena, const PliantHost *host);

/* A piece for `count` items of `item_size` bytes, aligned to 64, not cleared, valid until the next
 * reset. Zero bytes give a NULL piece, and that is a success. On failure nothing has changed. */
PliantResult pli_arena_allocate(PliArena *arena, size_t count, size_t item_size, void **piece);

/* The same for code that needs many pieces: returns the piece, or NULL if there is no memory, and
 * from then on nothing but NULL. `failure` says at the end whether all pieces are there. */
void *pli_arena_cut(PliArena *arena, size_t count, size_t item_size);

/* Drops all pieces and keeps the memory. Never fails. */
void pli_arena_reset(PliArena *arena);

/* Releases all memory. The arena is then empty and may be used again. */
void pli_arena_free(PliArena *arena);

/* Bytes held from the host. */
size_t pli_arena_bytes(const PliArena *arena);

#endif
