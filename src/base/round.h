/* Counts and sizes rounded up to whole blocks: the one place for it. */
#ifndef PLI_ROUND_H
#define PLI_ROUND_H

#include <stdint.h>

/* How many blocks of `size` hold `count` items. Neither is negative, and their sum is in range. */
static inline int64_t pli_div_up(int64_t count, int64_t size)
{
    return (count + size - 1) / size;
}

/* The least multiple of `size` that is not below `count`. */
static inline int64_t pli_round_up(int64_t count, int64_t size)
{
    return pli_div_up(count, size) * size;
}

/* The least multiple of a power of two that is not below a size in bytes; 0 if there is none. */
static inline uint64_t pli_align_up(uint64_t size, uint64_t alignment)
{
    return (size + alignment - 1) & ~(alignment - 1);
}

#endif
