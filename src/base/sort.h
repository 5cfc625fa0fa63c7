/* Sorting numbers: the one place for it. By hand where they are few, else by digits of eight bits,
 * from the last to the first. No comparison function, and nothing of the C library's, whose order
 * of equals is its own. */
#ifndef PLI_SORT_H
#define PLI_SORT_H

#include "base/base.h"

#include <string.h>

/* Sorts keys below 2^bits. `scratch` is room for as many. */
void pli_sort_keys(uint64_t *keys, uint64_t *scratch, int64_t count, int bits);

/* Sorts pairs, each {first} << 32 | {second}, of numbers below 2^first_bits and 2^second_bits. Fast
 * where a first number has few second ones, as a rule. */
void pli_sort_pairs(uint64_t *keys, uint64_t *scratch, int64_t count, int first_bits,
                    int second_bits);

/* The same for keys that are nearly sorted already: linear if they are. */
void pli_sort_nearly_sorted(uint64_t *keys, uint64_t *scratch, int64_t count, int bits);

/* An item with a key of 96 bits: ordered by `key`, then `rank`. */
typedef struct PliRanked {
    uint64_t key;
    uint32_t rank;
    int32_t item;
} PliRanked;

/* Sorts, keeping the order of equals, in linear time. `scratch` is room for as many. Returns where
 * the result is: items or scratch. */
PliRanked *pli_sort_ranked(PliRanked *items, PliRanked *scratch, int64_t count);

/* Floats as numbers in the same order, and back. NaN is somewhere. */
static inline uint32_t pli_rank_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static inline float pli_float_of(uint32_t rank)
{
    const uint32_t bits = rank & 0x80000000u ? rank & 0x7fffffffu : ~rank;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* How many bits numbers below `count` take. */
static inline int pli_bits_below(int32_t count)
{
    return count > 1 ? 32 - __builtin_clz((unsigned)count - 1) : 0;
}

#endif
