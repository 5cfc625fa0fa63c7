/* Insertion and radix sorts: see sort.h. */
#include "base/sort.h"

/* Below this many keys insertion is faster. */
enum { FEW = 32 };

/* Moves for each key before insertion is given up, of keys that should be nearly sorted. */
enum { MAX_MOVES = 32 };

/* Insertion sort. Stops and returns false after more than `patience` moves; all keys are there
 * still, in some order. */
static bool sort_by_insertion(uint64_t *keys, int64_t count, int64_t patience)
{
    for (int64_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        int64_t j = i;
        for (; j > 0 && keys[j - 1] > key; j--)
            keys[j] = keys[j - 1];
        keys[j] = key;
        patience -= i - j;
        if (patience < 0)
            return false;
    }
    return true;
}

/* Stable, by one byte. */
static void sort_by_byte(const uint64_t *keys, uint64_t *sorted, int64_t count, int shift)
{
    int64_t starts[256] = {0}, start = 0;
    for (int64_t i = 0; i < count; i++)
        starts[keys[i] >> shift & 255]++;
    for (int digit = 0; digit < 256; digit++) {
        int64_t here = starts[digit];
        starts[digit] = start;
        start += here;
    }
    for (int64_t i = 0; i < count; i++)
        sorted[starts[keys[i] >> shift & 255]++] = keys[i];
}

/* Stable, by `bits` bits from `shift` on. */
static void sort_by_bytes(uint64_t *keys, uint64_t *scratch, int64_t count, int shift, int bits)
{
    uint64_t *from = keys, *to = scratch;
    for (; bits > 0; bits -= 8, shift += 8) {
        sort_by_byte(from, to, count, shift);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys)
        memcpy(keys, from, (size_t)count * sizeof *keys);
}

void pli_sort_numbered(uint64_t *keys, uint64_t *scratch, int64_t count, int shift, int bits)
{
    if (count < FEW)
        sort_by_insertion(keys, count, INT64_MAX);
    else
        sort_by_bytes(keys, scratch, count, shift, bits);
}

void pli_sort_keys(uint64_t *keys, uint64_t *scratch, int64_t count, int bits)
{
    pli_sort_numbered(keys, scratch, count, 0, bits);
}

/* A radix sort by first numbers leaves little to do within each of them, as a rule: insertion does
 * it. If that is more than 8 moves for each key, the second numbers are sorted by digits too. */
void pli_sort_pairs(uint64_t *keys, uint64_t *scratch, int64_t count, int first_bits,
                    int second_bits)
{
    if (count < FEW) {
        sort_by_insertion(keys, count, INT64_MAX);
        return;
    }
    sort_by_bytes(keys, scratch, count, 32, first_bits);
    if (sort_by_insertion(keys, count, 8 * count))
        return;
    sort_by_bytes(keys, scratch, count, 0, second_bits);
    sort_by_bytes(keys, scratch, count, 32, first_bits);
}

void pli_sort_nearly_sorted(uint64_t *keys, uint64_t *scratch, int64_t count, int bits)
{
    if (!sort_by_insertion(keys, count, MAX_MOVES * count))
        sort_by_bytes(keys, scratch, count, 0, bits);
}

/* ---- Groups --------------------------------------------------------------------------------- */

/* From counts to where each group begins. */
void pli_groups_open(int32_t *firsts, int32_t group_count)
{
    for (int32_t g = 0; g < group_count; g++)
        firsts[g + 1] += firsts[g];
}

/* Placing has moved each beginning to its end, which is where the next one begins. */
void pli_groups_close(int32_t *firsts, int32_t group_count)
{
    memmove(firsts + 1, firsts, (size_t)group_count * sizeof *firsts);
    firsts[0] = 0;
}

void pli_sort_by_group(const uint32_t *groups, int32_t count, int32_t group_count, int32_t *firsts,
                       int32_t *members)
{
    memset(firsts, 0, ((size_t)group_count + 1) * sizeof *firsts);
    for (int32_t i = 0; i < count; i++)
        firsts[groups[i] + 1]++;
    pli_groups_open(firsts, group_count);
    for (int32_t i = 0; i < count; i++)
        members[firsts[groups[i]]++] = i;
    pli_groups_close(firsts, group_count);
}

/* ---- Keys of 96 bits ------------------------------------------------------------------------ */

/* Byte 0 is the last of the rank, byte 11 the first of the key. */
static uint32_t digit_of(const PliRanked *item, int digit)
{
    return (digit < 4 ? item->rank >> (8 * digit) : (uint32_t)(item->key >> (8 * (digit - 4)))) &
           0xff;
}

/* Stable, by one byte of the key. */
static void sort_by_digit(const PliRanked *from, PliRanked *to, int64_t count, int digit)
{
    int64_t next[256] = {0};
    for (int64_t i = 0; i < count; i++)
        next[digit_of(&from[i], digit)]++;
    int64_t start = 0;
    for (int d = 0; d < 256; d++) {
        int64_t here = next[d];
        next[d] = start;
        start += here;
    }
    for (int64_t i = 0; i < count; i++)
        to[next[digit_of(&from[i], digit)]++] = from[i];
}

PliRanked *pli_sort_ranked(PliRanked *items, PliRanked *scratch, int64_t count)
{
    /* Digits that are the same in all need no pass: most of a key's are. */
    PliRanked varies = {0};
    for (int64_t i = 1; i < count; i++) {
        varies.key |= items[i].key ^ items[0].key;
        varies.rank |= items[i].rank ^ items[0].rank;
    }
    for (int digit = 0; digit < 12; digit++) {
        if (digit_of(&varies, digit) == 0)
            continue;
        sort_by_digit(items, scratch, count, digit);
        PliRanked *swapped = items;
        items = scratch;
        scratch = swapped;
    }
    return items;
}
