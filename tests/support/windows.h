/* Blocks of any alignment for Windows, which has no aligned_alloc(): blocks of _aligned_malloc()
 * are not for free(). So all blocks of scenes, tests, benchmarks and examples come from there. The
 * build includes this first in each of their files; the library and the command do without. */
#ifndef TEST_WINDOWS_H
#define TEST_WINDOWS_H

#include <stdlib.h>
#include <string.h>

static inline void *windows_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *block = _aligned_malloc(bytes, 16);
    return block ? memset(block, 0, bytes) : NULL;
}

#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define malloc(size) _aligned_malloc(size, 16)
#define calloc(count, size) windows_calloc(count, size)
#define realloc(block, size) _aligned_realloc(block, size, 16)
#define free _aligned_free

#endif
