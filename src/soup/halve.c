/* Halving items until each part is one leaf: see halve.h. */
#include "soup/halve.h"
#include "kernels/fetch.h"

/* Four boxes at a time, so that no minimum waits for the one before. */
static PliBox box_of(const PliItem *items, int32_t count)
{
    PliBox boxes[4] = {pli_box_empty(), pli_box_empty(), pli_box_empty(), pli_box_empty()};
    int32_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int32_t part = 0; part < 4; part++)
            pli_box_add_point(&boxes[part], items[i + part]);
    for (; i < count; i++)
        pli_box_add_point(&boxes[0], items[i]);
    for (int32_t part = 1; part < 4; part++)
        pli_box_add(&boxes[0], &boxes[part]);
    return boxes[0];
}

/* Items are compared by the slices of their box that they are in. */
enum { FEW_SLICES = 64, MAX_SLICES = 1024, FEW_ITEMS = 128 };

typedef struct Slices {
    float low, scale, most;
    int axis;
} Slices;

static Slices slices_across(const PliBox *box, int32_t count)
{
    const PliFloat4 sides = box->high - box->low;
    const int32_t longer = sides[1] > sides[0], longest = sides[2] > sides[longer] ? 2 : longer;
    const float slices = count > FEW_ITEMS ? MAX_SLICES : FEW_SLICES;
    return (Slices){box->low[longest], slices / sides[longest], slices - 1, longest};
}

/* NaN is in the first one. */
static inline int32_t slice_of(const Slices *slices, PliItem item)
{
    const float index = (item[slices->axis] - slices->low) * slices->scale;
    return (int32_t)(index > 0 ? index < slices->most ? index : slices->most : 0);
}

/* Halves items across the longest side of their box: `half` of them first, each of which comes no
 * later along that side than the others, but for those in one slice. */
static void halve(const PliItem *items, PliItem *halves, int32_t count, int32_t half)
{
    const PliBox box = box_of(items, count);
    const Slices slices = slices_across(&box, count);
    int32_t counts[MAX_SLICES], middle = 0, left = half, at[2] = {0, half};
    memset(counts, 0, ((size_t)slices.most + 1) * sizeof *counts);
    for (int32_t i = 0; i < count; i++)
        counts[slice_of(&slices, items[i])]++;
    while (left > counts[middle])
        left -= counts[middle++];
    for (int32_t i = 0; i < count; i++) {
        const int32_t slice = slice_of(&slices, items[i]);
        const bool is_middle = slice == middle;
        const bool is_late = !((slice < middle) | (is_middle & (left > 0)));
        left -= is_middle;
        halves[at[is_late]++] = items[i];
    }
}

PliItem *pli_items_halve(PliItem *items, PliItem *spare, int32_t count)
{
    int64_t span = PLI_LEAF_SIZE;
    while (span < count)
        span *= 2;
    for (; span > PLI_LEAF_SIZE; span /= 2) {
        for (int64_t first = 0; first < count; first += span) {
            const int64_t here = count - first < span ? count - first : span;
            if (here > span / 2)
                halve(items + first, spare + first, (int32_t)here, (int32_t)(span / 2));
            else
                memcpy(spare + first, items + first, (size_t)here * sizeof *items);
        }
        PliItem *halved = spare;
        spare = items;
        items = halved;
    }
    return items;
}
