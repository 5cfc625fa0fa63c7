/* Full trees: split by surface area, only where it leaves full nodes behind.
 *
 * A node's children are to hold `unit` items each, leaf_size times a power of child_count, but for
 * the last. So a range of several units is cut in two after a whole number of them, again and
 * again. Where, and along which axis, the surface area heuristic says (Goldsmith and Salmon 1987):
 * the sum over both sides of area times items is to be least. The areas are estimated from bins
 * along each axis; the cut itself is exact, by a radix selection, so that the cost is O(n) a level
 * whatever the input is.
 */
#include "base/sort.h"
#include "tree/split.h"

#include <string.h>

enum { BINS = 32 };

typedef struct Bin {
    PliBox box;
    int32_t count;
} Bin;

/* Half the surface; 0 for an empty box, and for what is not finite. */
static double half_area(const PliBox *box)
{
    double x = (double)box->high[0] - box->low[0], y = (double)box->high[1] - box->low[1];
    double z = (double)box->high[2] - box->low[2], area = x * y + y * z + z * x;
    return area >= 0 && area < INFINITY && x >= 0 ? area : 0;
}

/* ---- Where to cut ------------------------------------------------------------------------- */

typedef struct Cut {
    int axis;
    int32_t units; /* on the first side */
    double cost;
} Cut;

/* The range of middles along each axis. */
static void middle_range(const PliSplitter *splitter, PliRange range, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int32_t i = 0; i < range.count; i++) {
        const PliBox *box = &splitter->def->boxes[splitter->order[range.first + i]];
        for (int k = 0; k < 3; k++) {
            float middle = pli_item_middle(box, k);
            low[k] = middle < low[k] ? middle : low[k];
            high[k] = middle > high[k] ? middle : high[k];
        }
    }
}

static void fill_bins(const PliSplitter *splitter, PliRange range, const float low[3],
                      const double scale[3], Bin bins[3][BINS])
{
    for (int k = 0; k < 3; k++)
        for (int b = 0; b < BINS; b++)
            bins[k][b] = (Bin){pli_box_empty(), 0};
    for (int32_t i = 0; i < range.count; i++) {
        const PliBox *box = &splitter->def->boxes[splitter->order[range.first + i]];
        for (int k = 0; k < 3; k++) {
            int b = (int)(((double)pli_item_middle(box, k) - low[k]) * scale[k]);
            Bin *bin = &bins[k][b < BINS ? b : BINS - 1];
            pli_box_add(&bin->box, box);
            bin->count++;
        }
    }
}

/* Tries the cuts along one axis. An end of a side that falls within a bin counts all of it. */
static void try_axis(const Bin bins[BINS], int axis, int32_t unit, int32_t count, Cut *best)
{
    double areas_before[BINS + 1], areas_after[BINS + 1];
    int32_t counts_before[BINS + 1];
    PliBox before = pli_box_empty(), after = pli_box_empty();
    areas_before[0] = areas_after[BINS] = 0;
    counts_before[0] = 0;
    for (int b = 0; b < BINS; b++) {
        pli_box_add(&before, &bins[b].box);
        areas_before[b + 1] = half_area(&before);
        counts_before[b + 1] = counts_before[b] + bins[b].count;
    }
    for (int b = BINS; b-- > 0;) {
        pli_box_add(&after, &bins[b].box);
        areas_after[b] = half_area(&after);
    }
    for (int32_t units = 1; units * (int64_t)unit < count; units++) {
        int32_t first = units * unit;
        int b = 0;
        while (counts_before[b + 1] < first)
            b++;
        /* The cut is in bin b, or just behind it. */
        bool is_behind = counts_before[b + 1] == first;
        double cost = areas_before[b + 1] * first +
                      areas_after[is_behind ? b + 1 : b] * (double)(count - first);
        if (cost < best->cost)
            *best = (Cut){axis, units, cost};
    }
}

static Cut best_split(const PliSplitter *splitter, PliRange range, int32_t unit)
{
    float low[3], high[3];
    double scale[3];
    middle_range(splitter, range, low, high);
    for (int k = 0; k < 3; k++) {
        double extent = (double)high[k] - low[k];
        scale[k] = extent > 0 ? BINS / extent : 0;
    }
    Bin bins[3][BINS];
    fill_bins(splitter, range, low, scale, bins);
    Cut best = {0, 1, INFINITY};
    for (int k = 0; k < 3; k++)
        if (scale[k] > 0)
            try_axis(bins[k], k, unit, range.count, &best);
    return best;
}

/* ---- The cut -------------------------------------------------------------------------------- */

/* The key of which fewer than `wanted` are less, and at least `wanted` less or equal. */
static uint32_t select_key(const PliSortItem *items, int32_t count, int32_t wanted)
{
    uint32_t prefix = 0, prefix_mask = 0;
    static const int shifts[3] = {21, 10, 0}, widths[3] = {11, 11, 10};
    for (int pass = 0; pass < 3; pass++) {
        int32_t histogram[1 << 11] = {0};
        uint32_t digit_mask = (1u << widths[pass]) - 1;
        for (int32_t i = 0; i < count; i++)
            if ((items[i].key & prefix_mask) == prefix)
                histogram[items[i].key >> shifts[pass] & digit_mask]++;
        uint32_t digit = 0;
        while (histogram[digit] < wanted)
            wanted -= histogram[digit++];
        prefix |= digit << shifts[pass];
        prefix_mask |= digit_mask << shifts[pass];
    }
    return prefix;
}

/* The items with the least middles first, `first_count` of them; otherwise in the order that they
 * were in. */
static void cut(PliSplitter *splitter, PliRange range, int axis, int32_t first_count)
{
    int32_t *order = splitter->order + range.first;
    PliSortItem *items = splitter->scratch;
    for (int32_t i = 0; i < range.count; i++)
        items[i] = (PliSortItem){
            pli_rank_of(pli_item_middle(&splitter->def->boxes[order[i]], axis)), order[i]};
    uint32_t key = select_key(items, range.count, first_count);
    int32_t ties = first_count;
    for (int32_t i = 0; i < range.count; i++)
        ties -= items[i].key < key;
    int32_t low = 0, high = first_count;
    for (int32_t i = 0; i < range.count; i++) {
        bool is_low = items[i].key < key || (items[i].key == key && ties-- > 0);
        order[is_low ? low++ : high++] = items[i].item;
    }
}

int32_t pli_split_full(PliSplitter *splitter, PliRange range, int32_t counts[8])
{
    const PliTreeDef *def = splitter->def;
    int64_t unit = def->leaf_size;
    while (unit * def->child_count < range.count)
        unit *= def->child_count;

    /* Pieces of more than one unit are cut until there are none; a piece comes before its rest. */
    PliRange pieces[8] = {range};
    int32_t piece_count = 1;
    for (int32_t i = 0; i < piece_count;) {
        if (pieces[i].count <= unit) {
            i++;
            continue;
        }
        Cut best = best_split(splitter, pieces[i], (int32_t)unit);
        int32_t first_count = best.units * (int32_t)unit;
        cut(splitter, pieces[i], best.axis, first_count);
        memmove(pieces + i + 2, pieces + i + 1, (size_t)(piece_count - i - 1) * sizeof *pieces);
        pieces[i + 1] = (PliRange){pieces[i].first + first_count, pieces[i].count - first_count};
        pieces[i].count = first_count;
        piece_count++;
    }
    for (int32_t i = 0; i < piece_count; i++)
        counts[i] = pieces[i].count;
    return piece_count;
}
