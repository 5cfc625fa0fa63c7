/* Sorting numbers: the one place for it. By hand where they are few, else by digits of eight bits,
 * from the last to the first. No comparison function, and nothing of the C library's, whose order
 * of equals is its own. */
#ifndef PLI_SORT_H
#define PLI_SORT_H

#include "base/base.h"

/* Sorts keys below 2^bits. `scratch` is room for as many. */
void pli_sort_keys(uint64_t *keys, uint64_t *scratch, int64_t count, int bits);

/* Sorts pairs, each {first} << 32 | {second}, of numbers below 2^first_bits and 2^second_bits. Fast
 * where a first number has few second ones, as a rule. */
void pli_sort_pairs(uint64_t *keys, uint64_t *scratch, int64_t count, int first_bits,
                    int second_bits);

/* How many bits numbers below `count` take. */
static inline int pli_bits_below(int32_t count)
{
    return count > 1 ? 32 - __builtin_clz((unsigned)count - 1) : 0;
}

#endif
