/* Sorting by digits, see order.h. */
#include "broad/order.h"
#include "base/sort.h"

#include <string.h>

PliantResult pli_reserve_spare(PliArray *array, const PliantHost *host, int64_t count)
{
    if (PLI_LIKELY(count <= array->capacity))
        return PLIANT_OK;
    return pli_array_reserve(array, host, count + count / 4 + 16);
}

/* ---- Radix sort ----------------------------------------------------------------------------- */

static uint32_t digit_of(const PliRanked *item, int digit)
{
    return (digit < 4 ? item->rank >> (8 * digit) : (uint32_t)(item->key >> (8 * (digit - 4)))) &
           0xff;
}

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

PliRanked *pli_radix_sort(PliRanked *items, PliRanked *scratch, int64_t count)
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

/* ---- Pairs ---------------------------------------------------------------------------------- */

PliantResult pli_pairs_order(PliBroad *broad, int32_t count)
{
    const int64_t found_count = broad->found.count;
    const int bits = pli_bits_below(count);
    if (found_count == 0)
        return PLIANT_OK;
    PliantResult result = pli_reserve_spare(&broad->pairs, broad->host, found_count);
    if (result != PLIANT_OK)
        return result;
    /* A pair and a key are of one size, and what was found is not needed once it is copied. */
    _Static_assert(sizeof(PliBroadPair) == sizeof(uint64_t), "keys stand where pairs do");
    const PliBroadPair *found = broad->found.items;
    PliBroadPair *pairs = broad->pairs.items;
    for (int64_t i = 0; i < found_count; i++) {
        uint64_t key = (uint64_t)(uint32_t)found[i].a << 32 | (uint32_t)found[i].b;
        memcpy(&pairs[i], &key, sizeof key);
    }
    pli_sort_pairs(broad->pairs.items, broad->found.items, found_count, bits, bits);
    for (int64_t i = 0; i < found_count; i++) {
        uint64_t key;
        memcpy(&key, &pairs[i], sizeof key);
        pairs[i] = (PliBroadPair){(int32_t)(key >> 32), (int32_t)(uint32_t)key};
    }
    broad->pairs.count = found_count;
    return PLIANT_OK;
}
