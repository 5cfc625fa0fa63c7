/* Pairs that are left out: see exclusions.h. */
#include "query/exclusions.h"
#include "base/sort.h"
#include <pliant/world.h>

#include <string.h>

void pli_exclusions_init(PliExclusions *exclusions, int32_t a, int32_t b)
{
    *exclusions = (PliExclusions){.a = a,
                                  .b = b,
                                  .patches = {.item_size = sizeof(uint32_t)},
                                  .keys = {.item_size = sizeof(uint64_t)}};
}

void pli_exclusions_free(PliExclusions *exclusions, const PliantHost *host)
{
    pli_array_free(&exclusions->patches, host);
    pli_array_free(&exclusions->keys, host);
}

/* ---- What is set -------------------------------------------------------------------------------
 */

PliantResult pli_exclusions_set_patches(PliExclusions *exclusions, const uint32_t *patches,
                                        int64_t count, const PliantHost *host)
{
    PLI_TRY(pli_array_reserve_exactly(&exclusions->patches, host, count));
    exclusions->patches.count = count;
    if (count > 0)
        memcpy(exclusions->patches.items, patches, (size_t)count * sizeof *patches);
    return PLIANT_OK;
}

static uint64_t key_of(bool is_self, uint32_t a, uint32_t b)
{
    const bool is_swapped = is_self && a > b;
    return (uint64_t)(is_swapped ? b : a) << 32 | (is_swapped ? a : b);
}

static uint32_t name_of(const uint32_t *groups, uint32_t vertex)
{
    return groups ? groups[vertex] : vertex;
}

static PliantResult sort(uint64_t *keys, int64_t count, const PliantHost *host)
{
    PliArray scratch = {.item_size = sizeof(uint64_t)};
    PLI_TRY(pli_array_reserve_exactly(&scratch, host, count));
    if (count > 0)
        pli_sort_keys(keys, scratch.items, count, 64);
    pli_array_free(&scratch, host);
    return PLIANT_OK;
}

/* Writes the keys of all pairs, in order. */
static PliantResult write_keys(const PliExclusions *exclusions, const uint32_t *pairs,
                               int64_t count, int first, const uint32_t *const groups[2],
                               const PliantHost *host, PliArray *keys)
{
    PLI_TRY(pli_array_reserve_exactly(keys, host, count));
    uint64_t *items = keys->items;
    for (int64_t i = 0; i < count; i++) {
        const uint32_t *pair = pairs + 2 * i;
        items[i] = key_of(exclusions->a == exclusions->b, name_of(groups[first], pair[first]),
                          name_of(groups[!first], pair[!first]));
    }
    keys->count = count;
    return sort(items, count, host);
}

PliantResult pli_exclusions_set_pairs(PliExclusions *exclusions, const uint32_t *pairs,
                                      int64_t count, int first, const uint32_t *const groups[2],
                                      const PliantHost *host)
{
    PliArray keys = {.item_size = sizeof(uint64_t)};
    const PliantResult result = write_keys(exclusions, pairs, count, first, groups, host, &keys);
    if (result != PLIANT_OK) {
        pli_array_free(&keys, host);
        return result;
    }
    pli_array_free(&exclusions->keys, host);
    exclusions->keys = keys;
    memset(exclusions->marks, 0, sizeof exclusions->marks);
    for (int64_t i = 0; i < count; i++) {
        const uint64_t mark = (((const uint64_t *)keys.items)[i] >> 32) % PLI_EXCLUDED_MARKS;
        exclusions->marks[mark / 64] |= UINT64_C(1) << mark % 64;
    }
    return PLIANT_OK;
}

/* ---- What is asked -----------------------------------------------------------------------------
 */

static bool has_key(const PliExclusions *exclusions, uint64_t key)
{
    const uint64_t *keys = exclusions->keys.items;
    const uint64_t mark = (key >> 32) % PLI_EXCLUDED_MARKS;
    if (!(exclusions->marks[mark / 64] >> mark % 64 & 1))
        return false;
    int64_t low = 0, high = exclusions->keys.count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < exclusions->keys.count && keys[low] == key;
}

static uint32_t patch_of(const PliExclusions *exclusions, uint32_t vertex)
{
    return vertex < exclusions->patches.count
               ? ((const uint32_t *)exclusions->patches.items)[vertex]
               : PLIANT_NO_PATCH;
}

/* Are all of these vertices of one patch? */
static bool are_of_patch(const PliExclusions *exclusions, uint32_t patch, const uint32_t *vertices,
                         int count)
{
    for (int i = 0; i < count; i++)
        if (patch_of(exclusions, vertices[i]) != patch)
            return false;
    return patch != PLIANT_NO_PATCH;
}

bool pli_exclusions_have(const PliExclusions *exclusions, const uint32_t *a, int a_count,
                         const uint32_t *b, int b_count)
{
    const bool is_self = exclusions->a == exclusions->b;
    const uint32_t patch = patch_of(exclusions, a[0]);
    if (are_of_patch(exclusions, patch, a, a_count) && are_of_patch(exclusions, patch, b, b_count))
        return true;
    if (exclusions->keys.count == 0)
        return false;
    for (int i = 0; i < a_count; i++)
        for (int k = 0; k < b_count; k++)
            if (has_key(exclusions, key_of(is_self, a[i], b[k])))
                return true;
    return false;
}

/* ---- All of a world ----------------------------------------------------------------------------
 */

/* Where the exclusions of two bodies are, or would be. */
static int64_t place_of(const PliArray *all, int32_t a, int32_t b)
{
    const PliExclusions *items = all->items;
    int64_t low = 0, high = all->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const PliExclusions *item = &items[middle];
        if (item->a < a || (item->a == a && item->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

PliExclusions *pli_exclusions_find(const PliArray *all, int32_t a, int32_t b)
{
    if (all->count == 0)
        return NULL;
    const int64_t place = place_of(all, a, b);
    PliExclusions *item = (PliExclusions *)all->items + place;
    return place < all->count && item->a == a && item->b == b ? item : NULL;
}

PliantResult pli_exclusions_add(PliArray *all, int32_t a, int32_t b, const PliantHost *host,
                                PliExclusions **exclusions)
{
    *exclusions = pli_exclusions_find(all, a, b);
    if (*exclusions)
        return PLIANT_OK;
    PLI_TRY(pli_array_reserve(all, host, all->count + 1));
    const int64_t place = place_of(all, a, b);
    PliExclusions *items = all->items;
    memmove(items + place + 1, items + place, (size_t)(all->count++ - place) * sizeof *items);
    pli_exclusions_init(&items[place], a, b);
    *exclusions = &items[place];
    return PLIANT_OK;
}

void pli_exclusions_drop_body(PliArray *all, int32_t number, const PliantHost *host)
{
    PliExclusions *items = all->items;
    int64_t kept = 0;
    for (int64_t i = 0; i < all->count; i++)
        if (items[i].a == number || items[i].b == number)
            pli_exclusions_free(&items[i], host);
        else
            memmove(&items[kept++], &items[i], sizeof *items);
    all->count = kept;
}

void pli_exclusions_free_all(PliArray *all, const PliantHost *host)
{
    PliExclusions *items = all->items;
    for (int64_t i = 0; i < all->count; i++)
        pli_exclusions_free(&items[i], host);
    pli_array_free(all, host);
}
