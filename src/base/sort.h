/* Sorting: the only place for it.
 *
 * Keys are unsigned integers. Few are sorted by insertion, many by an LSD radix sort with digits of
 * eight bits. There is no comparison function, and qsort() is not used: its order of equal items
 * differs between C libraries. */
#ifndef PLI_SORT_H
#define PLI_SORT_H

#include "base/base.h"

#include <string.h>

/* Sorts keys below 2^bits. `scratch` has room for as many keys. */
void pli_sort_keys(uint64_t *keys, uint64_t *scratch, int64_t count, int bits);

/* The same by so many bits from `shift` on, if the bits below rise, as numbers of items do. */
void pli_sort_numbered(uint64_t *keys, uint64_t *scratch, int64_t count, int shift, int bits);

/* Sorts pairs, each first << 32 | second, of numbers below 2^first_bits and 2^second_bits. Fastest
 * if most first numbers have few second ones. */
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

/* A counting sort. The items of group g end up at firsts[g] to firsts[g + 1] - 1; `firsts` has
 * group_count + 1 places. Code that has no array of groups counts in firsts[g + 1], from zeros,
 * calls pli_groups_open(), places each item at firsts[g]++, and calls pli_groups_close(). */
void pli_groups_open(int32_t *firsts, int32_t group_count);
void pli_groups_close(int32_t *firsts, int32_t group_count);

/* Writes the numbers 0 to count - 1 by groups[number], in rising order within each. */
void pli_sort_by_group(const uint32_t *groups, int32_t count, int32_t group_count, int32_t *firsts,
                       int32_t *members);

/* Maps floats to integers in the same order, and back. -0 comes before 0. NaN has some rank. */
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

/* The number of bits that numbers below `count` take. */
static inline int pli_bits_below(int32_t count)
{
    return count > 1 ? 32 - __builtin_clz((unsigned)count - 1) : 0;
}

#endif
