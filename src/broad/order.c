/* Sorting by digits, see order.h. */
#include "broad/order.h"

#include <string.h>

uint32_t pli_rank_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits & 0x80000000 ? ~bits : bits | 0x80000000;
}

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

enum { FEW = 32 };

static void sort_few(PliBroadPair *pairs, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        PliBroadPair pair = pairs[i];
        int64_t j = i;
        for (; j > 0 && pairs[j - 1].b > pair.b; j--)
            pairs[j] = pairs[j - 1];
        pairs[j] = pair;
    }
}

/* The pairs of one body that meets many. */
static PliantResult sort_many(PliBroad *broad, PliBroadPair *pairs, int64_t count)
{
    for (int i = 0; i < 2; i++) {
        PliantResult result = pli_reserve_spare(&broad->ranked[i], broad->host, count);
        if (result != PLIANT_OK)
            return result;
    }
    PliRanked *ranked = broad->ranked[0].items;
    for (int64_t i = 0; i < count; i++)
        ranked[i] = (PliRanked){0, (uint32_t)pairs[i].b, 0};
    ranked = pli_radix_sort(ranked, broad->ranked[1].items, count);
    for (int64_t i = 0; i < count; i++)
        pairs[i].b = (int32_t)ranked[i].rank;
    return PLIANT_OK;
}

/* By a, in the order in which they come. Leaves in `ends` where the pairs of each body end. */
static void group(const PliBroadPair *found, int64_t found_count, PliBroadPair *pairs,
                  int64_t *ends, int32_t count)
{
    memset(ends, 0, ((size_t)count + 1) * sizeof *ends);
    for (int64_t i = 0; i < found_count; i++)
        ends[found[i].a]++;
    int64_t start = 0;
    for (int32_t a = 0; a < count; a++) {
        int64_t here = ends[a];
        ends[a] = start;
        start += here;
    }
    for (int64_t i = 0; i < found_count; i++)
        pairs[ends[found[i].a]++] = found[i];
}

PliantResult pli_pairs_order(PliBroad *broad, int32_t count)
{
    int64_t found_count = broad->found.count;
    if (found_count == 0)
        return PLIANT_OK;
    PliantResult result = pli_reserve_spare(&broad->starts, broad->host, (int64_t)count + 1);
    if (result == PLIANT_OK)
        result = pli_reserve_spare(&broad->pairs, broad->host, found_count);
    if (result != PLIANT_OK)
        return result;
    PliBroadPair *pairs = broad->pairs.items;
    int64_t *ends = broad->starts.items;
    group(broad->found.items, found_count, pairs, ends, count);
    for (int64_t start = 0, a = 0; a < count; a++) {
        int64_t end = ends[a];
        if (end - start <= FEW)
            sort_few(pairs + start, end - start);
        else if ((result = sort_many(broad, pairs + start, end - start)) != PLIANT_OK)
            return result;
        start = end;
    }
    broad->pairs.count = found_count;
    return PLIANT_OK;
}
