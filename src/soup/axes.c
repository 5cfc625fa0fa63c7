/* Buckets by sorting along the axes: see soup.h, and Algorithm 2 of Ganovelli, Dingliana and
 * O'Sullivan, 2000.
 *
 * Three arrays have all primitives in the order of x, of y and of z. What was in order is nearly in
 * order, and so each is sorted by insertion, from where the last time left it. A slice of the box
 * is then a part of an array, from one pointer to the next, and pointers too move on from where
 * they were. In which bucket a primitive is follows from its three slices: it is never divided by
 * anything.
 *
 * Sorting by insertion takes time with the square of what is out of order. So there is a limit to
 * the steps that it takes: beyond that the array is sorted by digits. */
#include "base/sort.h"
#include "soup/buckets.h"
#include "soup/read.h"

/* Steps for each primitive before insertion is given up. */
enum { MOST_STEPS = 32 };

/* False if it would take too many steps; all items are there still, in whatever order. */
static bool insert_all(PliAxisItem *items, int32_t count)
{
    int64_t steps = (int64_t)MOST_STEPS * count;
    for (int32_t i = 1; i < count && steps > 0; i++) {
        const PliAxisItem item = items[i];
        int32_t to = i;
        for (; to > 0 && items[to - 1].key > item.key; to--)
            items[to] = items[to - 1];
        items[to] = item;
        steps -= i - to;
    }
    return steps > 0;
}

/* In place, through numbers of the same size. */
static void sort_all(PliAxisItem *items, uint64_t *keys, uint64_t *scratch, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        keys[i] = (uint64_t)pli_rank_of(items[i].key) << 32 | (uint32_t)items[i].primitive;
    pli_sort_keys(keys, scratch, count, 64);
    for (int32_t i = 0; i < count; i++)
        items[i] =
            (PliAxisItem){pli_float_of((uint32_t)(keys[i] >> 32)), (int32_t)(uint32_t)keys[i]};
}

/* One array with the keys of today: without those that are gone, and with those that are new. */
static void renew(PliSoup *soup, int axis, const uint32_t *late, int32_t late_count)
{
    const PliFloat4 *middles = soup->all_middles.items;
    const uint32_t *bucket_of = soup->bucket_of.items;
    PliAxisItem *items = soup->axes[axis].items;
    int32_t count = 0;
    for (int32_t i = 0; i < soup->axis_count; i++) {
        const int32_t primitive = items[i].primitive;
        if (primitive < soup->count && bucket_of[primitive] != PLI_NO_BUCKET)
            items[count++] = (PliAxisItem){middles[primitive][axis], primitive};
    }
    for (int32_t i = 0; i < late_count; i++)
        items[count++] = (PliAxisItem){middles[late[i]][axis], (int32_t)late[i]};
    if (count > 0 && !insert_all(items, count))
        sort_all(items, soup->keys.items, (uint64_t *)soup->keys.items + count, count);
}

/* Moves the pointers of an axis to where its slices begin now, and says of each primitive in which
 * it is. */
static void take_slices(PliSoup *soup, int axis, const PliCells *cells)
{
    const PliAxisItem *items = soup->axes[axis].items;
    const int32_t slice_count = 1 << cells->bits / 3, count = soup->axis_count;
    int32_t *pointers = (int32_t *)soup->pointers.items + axis * (slice_count + 1);
    uint32_t *codes = soup->codes.items;
    const float low = soup->middles.low[axis];
    const float size = (soup->middles.high[axis] - low) / (float)slice_count;
    pointers[0] = 0;
    for (int32_t s = 1; s < slice_count; s++) {
        const float threshold = low + size * (float)s;
        int32_t at = pointers[s] > pointers[s - 1] ? pointers[s] : pointers[s - 1];
        at = at < count ? at : count;
        while (at > 0 && items[at - 1].key >= threshold)
            at--;
        while (at < count && items[at].key < threshold)
            at++;
        pointers[s] = at > pointers[s - 1] ? at : pointers[s - 1];
    }
    pointers[slice_count] = count;
    for (int32_t s = 0; s < slice_count; s++)
        for (int32_t i = pointers[s]; i < pointers[s + 1]; i++) {
            uint32_t *code = &codes[items[i].primitive];
            *code = (axis > 0 ? *code : 0) | cells->tables[axis][s];
        }
}

void pli_axes_place(PliSoup *soup, const PliCells *cells)
{
    uint32_t *bucket_of = soup->bucket_of.items;
    const uint32_t *late = soup->spare.items;
    int32_t gone_count;
    const int32_t late_count = pli_soup_read_all_middles(soup, soup->spare.items, &gone_count);
    for (int axis = 0; axis < 3; axis++)
        renew(soup, axis, late, late_count);
    soup->axis_count = soup->count - gone_count;
    for (int axis = 0; axis < 3; axis++)
        take_slices(soup, axis, cells);
    const PliAxisItem *items = soup->axes[0].items;
    for (int32_t i = 0; i < soup->axis_count; i++)
        bucket_of[items[i].primitive] = ((uint32_t *)soup->codes.items)[items[i].primitive];
    pli_soup_read_again(soup);
}
