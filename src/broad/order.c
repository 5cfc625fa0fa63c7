/* Pairs brought into their order: see order.h. */
#include "broad/order.h"
#include "base/sort.h"

#include <string.h>

PliantResult pli_pairs_order(PliBroad *broad, int32_t count)
{
    const PliArray *all = &((const PliBroadPart *)broad->parts.items)->found;
    const int64_t found_count = all->count;
    const int bits = pli_bits_below(count);
    if (found_count == 0)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve_spare(&broad->pairs, broad->host, found_count));
    /* A pair and a key are of one size, and what was found is not needed once it is copied. */
    _Static_assert(sizeof(PliBroadPair) == sizeof(uint64_t), "keys stand where pairs do");
    const PliBroadPair *found = all->items;
    PliBroadPair *pairs = broad->pairs.items;
    for (int64_t i = 0; i < found_count; i++) {
        uint64_t key = (uint64_t)(uint32_t)found[i].a << 32 | (uint32_t)found[i].b;
        memcpy(&pairs[i], &key, sizeof key);
    }
    pli_sort_pairs(broad->pairs.items, all->items, found_count, bits, bits);
    for (int64_t i = 0; i < found_count; i++) {
        uint64_t key;
        memcpy(&key, &pairs[i], sizeof key);
        pairs[i] = (PliBroadPair){(int32_t)(key >> 32), (int32_t)(uint32_t)key};
    }
    broad->pairs.count = found_count;
    return PLIANT_OK;
}
