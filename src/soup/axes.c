/* Buckets by sorting along the axes: Algorithm 2 of Ganovelli, Dingliana and O'Sullivan, 2000. See
 * buckets.h.
 *
 * Three arrays hold all primitives in the order of x, of y and of z. What was sorted in the frame
 * before is nearly sorted now, so that sorting takes linear time as a rule. A slice of the box is
 * then a part of an array, from one pointer to the next. Pointers move on from where they were in
 * the frame before. The bucket of a primitive follows from its three slices, without a division. */
#include "base/sort.h"
#include "soup/buckets.h"
#include "soup/read.h"

/* An item of an array: the rank of a coordinate, then the number of a primitive. */
static inline uint64_t axis_item(float x, uint32_t primitive)
{
    return (uint64_t)pli_rank_of(x + 0.0f) << 32 | primitive; /* -0 is 0 */
}

static inline uint32_t rank_in(uint64_t item)
{
    return (uint32_t)(item >> 32);
}

static inline uint32_t primitive_in(uint64_t item)
{
    return (uint32_t)item;
}

/* Updates the keys of one array. Removes primitives that are gone, adds those that are new, and
 * sorts. */
static void update_axis(PliSoup *soup, int axis, const uint32_t *late, int32_t late_count)
{
    const PliFloat4 *middles = soup->all_middles.items;
    const uint32_t *bucket_of = soup->bucket_of.items;
    uint64_t *items = soup->axes[axis].items;
    int32_t count = 0;
    for (int32_t i = 0; i < soup->axis_count; i++) {
        const uint32_t primitive = primitive_in(items[i]);
        if (primitive < (uint32_t)soup->count && bucket_of[primitive] != PLI_NO_BUCKET)
            items[count++] = axis_item(middles[primitive][axis], primitive);
    }
    for (int32_t i = 0; i < late_count; i++)
        items[count++] = axis_item(middles[late[i]][axis], late[i]);
    pli_sort_nearly_sorted(items, soup->keys.items, count, 64);
}

/* Moves the pointers of an axis to where its slices begin now. */
static void move_pointers(const PliSoup *soup, int axis, int32_t slice_count, int32_t *pointers)
{
    const uint64_t *items = soup->axes[axis].items;
    const int32_t count = soup->axis_count;
    const float low = soup->middles.low[axis];
    const float size = (soup->middles.high[axis] - low) / (float)slice_count;
    pointers[0] = 0;
    for (int32_t s = 1; s < slice_count; s++) {
        const uint32_t threshold = pli_rank_of(low + size * (float)s + 0.0f);
        int32_t at = pointers[s] > pointers[s - 1] ? pointers[s] : pointers[s - 1];
        at = at < count ? at : count;
        while (at > 0 && rank_in(items[at - 1]) >= threshold)
            at--;
        while (at < count && rank_in(items[at]) < threshold)
            at++;
        pointers[s] = at > pointers[s - 1] ? at : pointers[s - 1];
    }
    pointers[slice_count] = count;
}

/* Adds the slice of each primitive along an axis to the number of its cell. */
static void add_slices(PliSoup *soup, int axis, const PliCells *cells)
{
    const uint64_t *items = soup->axes[axis].items;
    const int32_t slice_count = 1 << cells->bits / 3;
    int32_t *pointers = (int32_t *)soup->pointers.items + axis * (slice_count + 1);
    uint32_t *codes = soup->codes.items;
    move_pointers(soup, axis, slice_count, pointers);
    for (int32_t s = 0; s < slice_count; s++)
        for (int32_t i = pointers[s]; i < pointers[s + 1]; i++) {
            uint32_t *code = &codes[primitive_in(items[i])];
            *code = (axis > 0 ? *code : 0) | cells->tables[axis][s];
        }
}

void pli_axes_place(PliSoup *soup, const PliCells *cells)
{
    uint32_t *bucket_of = soup->bucket_of.items;
    const uint32_t *late = soup->spare.items, *codes = soup->codes.items;
    int32_t gone_count;
    const int32_t late_count = pli_soup_read_all_middles(soup, soup->spare.items, &gone_count);
    for (int axis = 0; axis < 3; axis++)
        update_axis(soup, axis, late, late_count);
    soup->axis_count = soup->count - gone_count;
    for (int axis = 0; axis < 3; axis++)
        add_slices(soup, axis, cells);
    const uint64_t *items = soup->axes[0].items;
    for (int32_t i = 0; i < soup->axis_count; i++)
        bucket_of[primitive_in(items[i])] = codes[primitive_in(items[i])];
    pli_soup_read_again(soup);
}
