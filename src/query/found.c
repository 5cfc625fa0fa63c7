/* What was found: see found.h. */
#include "query/found.h"
#include "base/sort.h"

void pli_found_init(PliFound *found, PliIsBefore *is_before)
{
    *found =
        (PliFound){.is_before = is_before,
                   .items = {.item_size = PLI_FOUND_SIZE},
                   .ranked = {{.item_size = sizeof(PliRanked)}, {.item_size = sizeof(PliRanked)}},
                   .limit = PLI_NO_LIMIT};
}

void pli_found_free(PliFound *found, const PliantHost *host)
{
    pli_array_free(&found->items, host);
    pli_array_free(&found->ranked[0], host);
    pli_array_free(&found->ranked[1], host);
}

void pli_found_start(PliFound *found)
{
    found->items.count = 0;
    found->is_over = false;
    found->merge_at = found->limit < PLI_NO_LIMIT ? found->limit + 1 : PLI_NO_LIMIT;
}

static char *item_at(const PliFound *found, int64_t i)
{
    return (char *)found->items.items + (size_t)i * PLI_FOUND_SIZE;
}

/* Sorts the items by keys, and equal ones as they were found. */
static PliantResult sort_items(PliFound *found, const PliantHost *host, PliRanked **order)
{
    const int64_t count = found->items.count;
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_TRY(pli_array_reserve(&found->ranked[0], host, count));
    PLI_TRY(pli_array_reserve(&found->ranked[1], host, count));
    PliRanked *ranked = found->ranked[0].items;
    for (int64_t i = 0; i < count; i++)
        ranked[i] = (PliRanked){pli_found_key(item_at(found, i)), 0, (int32_t)i};
    *order = pli_sort_ranked(ranked, found->ranked[1].items, count);
    return PLIANT_OK;
}

/* Merges what was found several times. The best takes the place of the first, and these stay in the
 * order in which they were found. */
static PliantResult merge(PliFound *found, const PliantHost *host)
{
    PliRanked *order;
    int64_t count = 0;
    uint64_t key = 0;
    PLI_TRY(sort_items(found, host, &order));
    for (int64_t i = 0; i < found->items.count; i++) {
        const int32_t item = order[i].item;
        const bool is_new = i == 0 || order[i].key != key;
        key = order[i].key;
        if (is_new) {
            order[count++] = (PliRanked){(uint64_t)item, 0, item};
            continue;
        }
        char *first = item_at(found, order[count - 1].item);
        if (found->is_before(item_at(found, item), first))
            memcpy(first, item_at(found, item), PLI_FOUND_SIZE);
    }
    const bool is_in_first = order == found->ranked[0].items;
    order = pli_sort_ranked(order, found->ranked[is_in_first].items, count);
    for (int64_t i = 0; i < count; i++)
        memmove(item_at(found, i), item_at(found, order[i].item), PLI_FOUND_SIZE);
    found->items.count = count;
    return PLIANT_OK;
}

/* Between two merges as many items come as are missing, or half of those that are there: merging is
 * linear in what is found, and memory in the limit. */
PliantResult pli_found_check(PliFound *found, const PliantHost *host)
{
    enum { LEAST = 2048 };
    if (found->items.count < found->merge_at)
        return PLIANT_OK;
    PLI_TRY(merge(found, host));
    const int64_t count = found->items.count, missing = found->limit + 1 - count;
    int64_t more = count / 2 > LEAST ? count / 2 : LEAST;
    more = missing > more ? missing : more;
    found->is_over = missing <= 0;
    found->merge_at = found->is_over ? PLI_NO_LIMIT : count + more;
    return PLIANT_OK;
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
    PliRanked *order;
    if (count == 0)
        return PLIANT_OK;
    PLI_TRY(sort_items(found, host, &order));
    PLI_TRY(pli_array_reserve(to, host, to->count + count));
    char *end = (char *)to->items + (size_t)to->count * PLI_FOUND_SIZE;
    for (int64_t i = 0; i < count; i++) {
        const char *item = item_at(found, order[i].item);
        __builtin_prefetch(item_at(found, order[i + AHEAD < count ? i + AHEAD : i].item));
        if (i == 0 || order[i].key != order[i - 1].key) {
            memcpy(end, item, PLI_FOUND_SIZE);
            end += PLI_FOUND_SIZE;
            to->count++;
        } else if (found->is_before(item, end - PLI_FOUND_SIZE)) {
            memcpy(end - PLI_FOUND_SIZE, item, PLI_FOUND_SIZE);
        }
    }
    return PLIANT_OK;
}
