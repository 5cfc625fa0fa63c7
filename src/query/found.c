/* What was found: see found.h. */
#include "query/found.h"
#include "base/sort.h"

void pli_found_init(PliFound *found, PliIsBefore *is_before)
{
    *found =
        (PliFound){.is_before = is_before,
                   .items = {.item_size = PLI_FOUND_SIZE},
                   .keys = {.item_size = sizeof(uint64_t)},
                   .ranked = {{.item_size = sizeof(PliRanked)}, {.item_size = sizeof(PliRanked)}},
                   .limit = PLI_NO_LIMIT};
}

void pli_found_free(PliFound *found, const PliantHost *host)
{
    pli_array_free(&found->items, host);
    pli_array_free(&found->keys, host);
    pli_array_free(&found->ranked[0], host);
    pli_array_free(&found->ranked[1], host);
}

void pli_found_start(PliFound *found)
{
    found->items.count = found->keys.count = 0;
    found->is_over = false;
    found->merge_at = found->limit < PLI_NO_LIMIT ? found->limit + 1 : PLI_NO_LIMIT;
}

static char *item_at(const PliFound *found, int64_t i)
{
    return (char *)found->items.items + (size_t)i * PLI_FOUND_SIZE;
}

/* Notes the keys of items that are new: soon after these were written, as they are far apart. */
static PliantResult note_keys(PliFound *found, const PliantHost *host)
{
    PLI_TRY(pli_array_reserve(&found->keys, host, found->items.count));
    uint64_t *keys = found->keys.items;
    for (int64_t i = found->keys.count; i < found->items.count; i++)
        keys[i] = pli_found_key(item_at(found, i));
    found->keys.count = found->items.count;
    return PLIANT_OK;
}

/* ---- In order ----------------------------------------------------------------------------------
 *
 * Items are sorted by numbers that have a key and the number of the item, if 64 bits are enough for
 * both; what no key has is left out. The result is a list of steps, in the same memory: twice the
 * number of an item, and one more for the first item with its key.
 */

static uint32_t step_of(bool is_new, int64_t item)
{
    return 2 * (uint32_t)item + is_new;
}

/* The parts of keys, as in pli_feature_key(), and how many bits they take. */
typedef struct KeyBits {
    int first, second, item;
} KeyBits;

static uint64_t part_of(uint64_t key, int shift)
{
    return key >> shift & INT32_MAX;
}

static int bits_of(uint64_t part)
{
    return part > 0 ? 64 - __builtin_clzll(part) : 0;
}

static KeyBits key_bits(const uint64_t *keys, int64_t count)
{
    uint64_t any = 0;
    for (int64_t i = 0; i < count; i++)
        any |= keys[i];
    return (KeyBits){bits_of(part_of(any, 31)), bits_of(part_of(any, 0)),
                     bits_of((uint64_t)count - 1)};
}

static uint32_t *sort_packed(PliFound *found, KeyBits bits)
{
    const int64_t count = found->items.count;
    const uint64_t *keys = found->keys.items;
    uint64_t *packed = found->ranked[0].items;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t edges = (keys[i] >> 62 << bits.first | part_of(keys[i], 31)) << bits.second |
                               part_of(keys[i], 0);
        packed[i] = edges << bits.item | (uint64_t)i;
    }
    pli_sort_numbered(packed, found->ranked[1].items, count, bits.item,
                      2 + bits.first + bits.second);
    uint32_t *steps = found->ranked[1].items;
    for (int64_t i = 0; i < count; i++)
        steps[i] = step_of(i == 0 || packed[i] >> bits.item != packed[i - 1] >> bits.item,
                           (int64_t)(packed[i] & ((UINT64_C(1) << bits.item) - 1)));
    return steps;
}

static uint32_t *sort_ranked(PliFound *found)
{
    const int64_t count = found->items.count;
    const uint64_t *keys = found->keys.items;
    PliRanked *ranked = found->ranked[0].items, *scratch = found->ranked[1].items;
    for (int64_t i = 0; i < count; i++)
        ranked[i] = (PliRanked){keys[i], 0, (int32_t)i};
    const PliRanked *order = pli_sort_ranked(ranked, scratch, count);
    uint32_t *steps = (uint32_t *)(void *)(order == ranked ? scratch : ranked);
    for (int64_t i = 0; i < count; i++)
        steps[i] = step_of(i == 0 || order[i].key != order[i - 1].key, order[i].item);
    return steps;
}

/* Sorts the items by keys, and equal ones as they were found. */
static PliantResult sort_items(PliFound *found, const PliantHost *host, uint32_t **steps)
{
    const int64_t count = found->items.count;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(note_keys(found, host));
    PLI_TRY(pli_array_reserve(&found->ranked[0], host, count));
    PLI_TRY(pli_array_reserve(&found->ranked[1], host, count));
    const KeyBits bits = key_bits(found->keys.items, count);
    *steps = 2 + bits.first + bits.second + bits.item <= 64 ? sort_packed(found, bits)
                                                            : sort_ranked(found);
    return PLIANT_OK;
}

/* Merges what was found several times. The best takes the place of the first, and these stay in the
 * order in which they were found. */
static PliantResult merge(PliFound *found, const PliantHost *host)
{
    uint32_t *steps;
    int64_t count = 0;
    PLI_TRY(sort_items(found, host, &steps));
    uint64_t *firsts =
        (uint64_t *)(void *)(steps == found->ranked[0].items ? found->ranked[1].items
                                                             : found->ranked[0].items);
    for (int64_t i = 0; i < found->items.count; i++) {
        const int64_t item = steps[i] / 2;
        if (steps[i] % 2) {
            firsts[count++] = (uint64_t)item;
            continue;
        }
        char *first = item_at(found, (int64_t)firsts[count - 1]);
        if (found->is_before(item_at(found, item), first))
            memcpy(first, item_at(found, item), PLI_FOUND_SIZE);
    }
    pli_sort_keys(firsts, (uint64_t *)(void *)steps, count, 31);
    for (int64_t i = 0; i < count; i++)
        memmove(item_at(found, i), item_at(found, (int64_t)firsts[i]), PLI_FOUND_SIZE);
    found->items.count = count;
    found->keys.count = 0;
    return PLIANT_OK;
}

/* Between two merges as many items come as are missing, or half of those that are there: merging is
 * linear in what is found, and memory in the limit. */
PliantResult pli_found_check(PliFound *found, const PliantHost *host)
{
    enum { LEAST = 2048 };
    if (found->items.count < found->merge_at)
        return note_keys(found, host);
    PLI_TRY(merge(found, host));
    const int64_t count = found->items.count, missing = found->limit + 1 - count;
    int64_t more = count / 2 > LEAST ? count / 2 : LEAST;
    more = missing > more ? missing : more;
    found->is_over = missing <= 0;
    found->merge_at = found->is_over ? PLI_NO_LIMIT : count + more;
    return PLIANT_OK;
}

static void copy_item(const PliFound *found, const char *item, void *to)
{
    memcpy(to, item, PLI_FOUND_SIZE);
    memcpy(to, found->bodies, sizeof found->bodies);
}

PliantResult pli_found_append(PliFound *found, PliArray *to, const PliantHost *host)
{
    if (found->items.count > found->limit) {
        PLI_TRY(merge(found, host));
        found->is_over = found->items.count > found->limit;
        found->items.count = found->is_over ? found->limit : found->items.count;
    }
    const int64_t count = found->items.count;
    enum { AHEAD = 16 };
    uint32_t *steps;
    if (count == 0)
        return PLIANT_OK;
    PLI_TRY(sort_items(found, host, &steps));
    PLI_TRY(pli_array_reserve(to, host, to->count + count));
    char *end = (char *)to->items + (size_t)to->count * PLI_FOUND_SIZE;
    for (int64_t i = 0; i < count; i++) {
        const char *item = item_at(found, steps[i] / 2);
        const char *later = item_at(found, steps[i + AHEAD < count ? i + AHEAD : i] / 2);
        __builtin_prefetch(later);
        __builtin_prefetch(later + PLI_FOUND_SIZE - 1);
        if (steps[i] % 2) {
            copy_item(found, item, end);
            end += PLI_FOUND_SIZE;
            to->count++;
        } else if (found->is_before(item, end - PLI_FOUND_SIZE)) {
            copy_item(found, item, end - PLI_FOUND_SIZE);
        }
    }
    return PLIANT_OK;
}

PliantResult pli_found_append_first(PliFound *found, PliArray *to, const PliantHost *host)
{
    const char *items = found->items.items, *first = items;
    void *room;
    if (found->items.count == 0)
        return PLIANT_OK;
    for (int64_t i = 1; i < found->items.count; i++)
        if (found->is_before(items + (size_t)i * PLI_FOUND_SIZE, first))
            first = items + (size_t)i * PLI_FOUND_SIZE;
    PLI_TRY(pli_array_push(to, host, 1, &room));
    copy_item(found, first, room);
    return PLIANT_OK;
}
