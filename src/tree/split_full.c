/* Full trees: split by surface area, only where it leaves full nodes behind.
 *
 * A node's children are to hold `unit` items each, leaf_size times a power of child_count, but for
 * the last. So a range of several units is cut in two after a whole number of them, again and
 * again. Where, and along which axis, the surface area heuristic says (Goldsmith and Salmon 1987):
 * the sum over both sides of area times items is to be least. The areas are estimated from bins
 * along each axis; the cut itself is exact, by a radix selection, so that the cost is O(n) a level
 * whatever the input is.
 *
 * How many items each node has does not depend on where they are: only the order does. A range is
 * arranged by cutting it in two and arranging both sides, which have nothing in common. So large
 * ranges are cut by all workers, each taking a part of the items, until there are enough ranges for
 * all; each of these is then arranged by one worker. What the parts of a cut count and bound does
 * not depend on where parts begin, and items are placed in the order in which one worker would.
 */
#include "base/sort.h"
#include "base/tasks.h"
#include "tree/split.h"

#include <string.h>

enum { BINS = 32, MAX_DIGITS = 1 << 11 };

typedef struct Bin {
    PliBox box;
    int32_t count;
} Bin;

/* What is known of one part of the items of a range. */
typedef struct Tally {
    float low[3], high[3]; /* of their middles */
    Bin bins[3][BINS];
    int32_t histogram[MAX_DIGITS];
    int32_t below, ties; /* keys less than that of the cut, and equal ones */
} Tally;

/* Parts of a cut for each worker, and at most: their histograms are added up by one. And of all
 * items together: a part has more items than a tally is large. */
enum { PARTS_PER_WORKER = 2, MAX_PARTS = 64, PARTS_OF_ALL = 1024 };

static int32_t least_of(int32_t x, int32_t y)
{
    return x < y ? x : y;
}

/* A range that is cut in two, in parts; tallies[0] has them all in the end. */
typedef struct Cutter {
    PliSplitter *splitter;
    const PliantHost *host; /* of one worker if there is one part */
    Tally *tallies;
    int32_t max_part_count; /* and so many tallies */

    PliRange range;
    int32_t part_count;
    double scale[3];
    int axis;
    int pass; /* of the selection */
    uint32_t key, key_mask;
    int32_t first_count;
} Cutter;

static void run(Cutter *cutter, PliPartTask *task)
{
    pli_parts_run(cutter->host, task, cutter, cutter->range.count, cutter->part_count);
}

/* How many items each child of a node of so many has, but for the last. It is the same for some of
 * the children together. */
static int64_t full_unit(const PliTreeDef *def, int32_t count)
{
    int64_t unit = def->leaf_size;
    while (unit * def->child_count < count)
        unit *= def->child_count;
    return unit;
}

static const PliBox *box_at(const Cutter *cutter, int64_t i)
{
    const PliSplitter *splitter = cutter->splitter;
    return &splitter->def->boxes[splitter->order[cutter->range.first + i]];
}

/* ---- Where to cut ------------------------------------------------------------------------- */

typedef struct Cut {
    int axis;
    int32_t units; /* on the first side */
    double cost;
} Cut;

/* Half the surface; 0 for an empty box, and for what is not finite. */
static double half_area(const PliBox *box)
{
    double x = (double)box->high[0] - box->low[0], y = (double)box->high[1] - box->low[1];
    double z = (double)box->high[2] - box->low[2], area = x * y + y * z + z * x;
    return area >= 0 && area < INFINITY && x >= 0 ? area : 0;
}

/* PliPartTask: the range of middles along each axis. */
static void find_middles(void *data, const PliPart *part)
{
    const Cutter *cutter = data;
    Tally *tally = &cutter->tallies[part->index];
    for (int k = 0; k < 3; k++) {
        tally->low[k] = INFINITY;
        tally->high[k] = -INFINITY;
    }
    for (int64_t i = part->begin; i < part->end; i++) {
        const PliBox *box = box_at(cutter, i);
        for (int k = 0; k < 3; k++) {
            float middle = pli_item_middle(box, k);
            tally->low[k] = middle < tally->low[k] ? middle : tally->low[k];
            tally->high[k] = middle > tally->high[k] ? middle : tally->high[k];
        }
    }
}

/* PliPartTask. */
static void fill_bins(void *data, const PliPart *part)
{
    const Cutter *cutter = data;
    const float *low = cutter->tallies[0].low;
    Bin(*bins)[BINS] = cutter->tallies[part->index].bins;
    for (int k = 0; k < 3; k++)
        for (int b = 0; b < BINS; b++)
            bins[k][b] = (Bin){pli_box_empty(), 0};
    for (int64_t i = part->begin; i < part->end; i++) {
        const PliBox *box = box_at(cutter, i);
        for (int k = 0; k < 3; k++) {
            int b = (int)(((double)pli_item_middle(box, k) - low[k]) * cutter->scale[k]);
            Bin *bin = &bins[k][b < BINS ? b : BINS - 1];
            pli_box_add(&bin->box, box);
            bin->count++;
        }
    }
}

static void join_middles(const Cutter *cutter)
{
    Tally *all = &cutter->tallies[0];
    for (int32_t p = 1; p < cutter->part_count; p++) {
        const Tally *tally = &cutter->tallies[p];
        for (int k = 0; k < 3; k++) {
            all->low[k] = tally->low[k] < all->low[k] ? tally->low[k] : all->low[k];
            all->high[k] = tally->high[k] > all->high[k] ? tally->high[k] : all->high[k];
        }
    }
}

static void join_bins(const Cutter *cutter)
{
    for (int32_t p = 1; p < cutter->part_count; p++)
        for (int k = 0; k < 3; k++)
            for (int b = 0; b < BINS; b++) {
                const Bin *bin = &cutter->tallies[p].bins[k][b];
                pli_box_add(&cutter->tallies[0].bins[k][b].box, &bin->box);
                cutter->tallies[0].bins[k][b].count += bin->count;
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

static Cut best_split(Cutter *cutter, int32_t unit)
{
    const Tally *all = &cutter->tallies[0];
    run(cutter, find_middles);
    join_middles(cutter);
    for (int k = 0; k < 3; k++) {
        double extent = (double)all->high[k] - all->low[k];
        cutter->scale[k] = extent > 0 ? BINS / extent : 0;
    }
    run(cutter, fill_bins);
    join_bins(cutter);
    Cut best = {0, 1, INFINITY};
    for (int k = 0; k < 3; k++)
        if (cutter->scale[k] > 0)
            try_axis(all->bins[k], k, unit, cutter->range.count, &best);
    return best;
}

/* ---- The cut -------------------------------------------------------------------------------- */

static const int shifts[3] = {21, 10, 0}, widths[3] = {11, 11, 10};

/* The keys of the range: each has its place in the scratch. */
static PliSortItem *keys_of(const Cutter *cutter)
{
    return cutter->splitter->scratch + cutter->range.first;
}

/* PliPartTask. */
static void make_keys(void *data, const PliPart *part)
{
    const Cutter *cutter = data;
    const int32_t *order = cutter->splitter->order + cutter->range.first;
    PliSortItem *items = keys_of(cutter);
    for (int64_t i = part->begin; i < part->end; i++)
        items[i] =
            (PliSortItem){pli_rank_of(pli_item_middle(box_at(cutter, i), cutter->axis)), order[i]};
}

/* PliPartTask: one digit of the keys that begin as the selected one does. */
static void count_digits(void *data, const PliPart *part)
{
    const Cutter *cutter = data;
    const PliSortItem *items = keys_of(cutter);
    const uint32_t key = cutter->key, key_mask = cutter->key_mask;
    const int shift = shifts[cutter->pass];
    const uint32_t digit_mask = (1u << widths[cutter->pass]) - 1;
    int32_t *histogram = cutter->tallies[part->index].histogram;
    memset(histogram, 0, sizeof cutter->tallies->histogram);
    for (int64_t i = part->begin; i < part->end; i++)
        if ((items[i].key & key_mask) == key)
            histogram[items[i].key >> shift & digit_mask]++;
}

static void join_histograms(const Cutter *cutter)
{
    for (int32_t p = 1; p < cutter->part_count; p++)
        for (int d = 0; d < MAX_DIGITS; d++)
            cutter->tallies[0].histogram[d] += cutter->tallies[p].histogram[d];
}

/* Selects the key of which fewer than first_count are less, and at least so many less or equal. */
static void select_key(Cutter *cutter)
{
    const int32_t *histogram = cutter->tallies[0].histogram;
    int32_t wanted = cutter->first_count;
    cutter->key = cutter->key_mask = 0;
    for (cutter->pass = 0; cutter->pass < 3; cutter->pass++) {
        run(cutter, count_digits);
        join_histograms(cutter);
        uint32_t digit = 0;
        while (histogram[digit] < wanted)
            wanted -= histogram[digit++];
        cutter->key |= digit << shifts[cutter->pass];
        cutter->key_mask |= ((1u << widths[cutter->pass]) - 1) << shifts[cutter->pass];
    }
}

/* PliPartTask. */
static void count_sides(void *data, const PliPart *part)
{
    const Cutter *cutter = data;
    const PliSortItem *items = keys_of(cutter);
    Tally *tally = &cutter->tallies[part->index];
    tally->below = tally->ties = 0;
    for (int64_t i = part->begin; i < part->end; i++) {
        tally->below += items[i].key < cutter->key;
        tally->ties += items[i].key == cutter->key;
    }
}

/* From the counts of each part to where its first item goes on the first side, and how many equal
 * keys are still to go there. The rest of a part goes to the other side. */
static void place_sides(const Cutter *cutter)
{
    int32_t ties = cutter->first_count, low = 0;
    for (int32_t p = 0; p < cutter->part_count; p++)
        ties -= cutter->tallies[p].below;
    for (int32_t p = 0; p < cutter->part_count; p++) {
        Tally *tally = &cutter->tallies[p];
        const int32_t below = tally->below, taken = tally->ties < ties ? tally->ties : ties;
        tally->below = low;
        tally->ties = ties;
        low += below + taken;
        ties -= taken;
    }
}

/* PliPartTask. What has gone to the first side before a part, has not gone to the second. */
static void move_items(void *data, const PliPart *part)
{
    const Cutter *cutter = data;
    const PliSortItem *items = keys_of(cutter);
    const Tally *tally = &cutter->tallies[part->index];
    int32_t *order = cutter->splitter->order + cutter->range.first;
    int32_t low = tally->below, ties = tally->ties;
    int64_t high = cutter->first_count + (part->begin - low);
    for (int64_t i = part->begin; i < part->end; i++) {
        bool is_low = items[i].key < cutter->key || (items[i].key == cutter->key && ties-- > 0);
        order[is_low ? low++ : high++] = items[i].item;
    }
}

/* Cuts the range in two: the items with the least middles first, otherwise in the order that they
 * were in. Returns how many the first side has. */
static int32_t cut(Cutter *cutter, PliRange range)
{
    const PliTreeDef *def = cutter->splitter->def;
    const int64_t unit = full_unit(def, range.count);
    const int64_t share = (int64_t)PARTS_OF_ALL * range.count / def->item_count;
    cutter->range = range;
    cutter->part_count = share < 1 ? 1 : least_of((int32_t)share, cutter->max_part_count);
    const Cut best = best_split(cutter, (int32_t)unit);
    cutter->axis = best.axis;
    cutter->first_count = best.units * (int32_t)unit;
    run(cutter, make_keys);
    select_key(cutter);
    run(cutter, count_sides);
    place_sides(cutter);
    run(cutter, move_items);
    return cutter->first_count;
}

/* ---- All cuts ------------------------------------------------------------------------------- */

/* With up to 2^31 items, a range is the result of at most seven cuts for each of eleven levels. */
enum { MAX_DEPTH = 80 };

/* Arranges a range by one worker. */
static void arrange(PliSplitter *splitter, PliRange range)
{
    static const PliantHost alone = {.worker_count = 1};
    Tally tally;
    Cutter cutter = {.splitter = splitter, .host = &alone, .tallies = &tally, .max_part_count = 1};
    PliRange stack[MAX_DEPTH];
    int depth = 0;
    stack[depth++] = range;
    while (depth > 0) {
        const PliRange whole = stack[--depth];
        if (whole.count <= splitter->def->leaf_size)
            continue;
        const int32_t first_count = cut(&cutter, whole);
        stack[depth++] = (PliRange){whole.first + first_count, whole.count - first_count};
        stack[depth++] = (PliRange){whole.first, first_count};
    }
}

/* Ranges for each worker, and at most: each is the result of a cut by all of them. */
enum { RANGES_PER_WORKER = 16, MAX_RANGES = 128 };

/* Ranges that are to be arranged by one worker each. */
typedef struct Ranges {
    PliSplitter *splitter;
    PliArray array; /* of PliRange */
} Ranges;

/* PliantTask. */
static void arrange_one(void *data, int32_t index, int32_t worker)
{
    const Ranges *ranges = data;
    (void)worker;
    arrange(ranges->splitter, ((const PliRange *)ranges->array.items)[index]);
}

static PliantResult add_range(Ranges *ranges, const PliantHost *host, PliRange range)
{
    void *room;
    PLI_TRY(pli_array_push(&ranges->array, host, 1, &room));
    *(PliRange *)room = range;
    return PLIANT_OK;
}

/* Cuts ranges by all workers until none has more than `most` items. */
static PliantResult cut_large(Cutter *cutter, int32_t most, Ranges *ranges)
{
    PLI_TRY(add_range(ranges, cutter->host, (PliRange){0, cutter->splitter->def->item_count}));
    for (int64_t i = 0; i < ranges->array.count;) {
        PliRange *range = (PliRange *)ranges->array.items + i;
        if (range->count <= most) {
            i++;
            continue;
        }
        const int32_t first_count = cut(cutter, *range);
        const PliRange rest = {range->first + first_count, range->count - first_count};
        range->count = first_count;
        PLI_TRY(add_range(ranges, cutter->host, rest));
    }
    return PLIANT_OK;
}

static PliantResult arrange_divided(PliSplitter *splitter, const PliantHost *host, Tally *tallies,
                                    int32_t part_count)
{
    const PliTreeDef *def = splitter->def;
    Cutter cutter = {
        .splitter = splitter, .host = host, .tallies = tallies, .max_part_count = part_count};
    Ranges ranges = {splitter, {.item_size = sizeof(PliRange)}};
    int32_t most = def->item_count / least_of(RANGES_PER_WORKER * host->worker_count, MAX_RANGES);
    most = most > def->leaf_size ? most : def->leaf_size;
    const PliantResult result = cut_large(&cutter, most, &ranges);
    if (result == PLIANT_OK)
        pli_tasks_run(host, arrange_one, &ranges, (int32_t)ranges.array.count);
    pli_array_free(&ranges.array, host);
    return result;
}

PliantResult pli_full_arrange(PliSplitter *splitter, const PliantHost *host)
{
    if (pli_worker_count(host) == 1) {
        arrange(splitter, (PliRange){0, splitter->def->item_count});
        return PLIANT_OK;
    }
    const int32_t part_count = least_of(PARTS_PER_WORKER * host->worker_count, MAX_PARTS);
    void *tallies = NULL;
    PLI_TRY(pli_allocate(host, (size_t)part_count, sizeof(Tally), &tallies));
    const PliantResult result = arrange_divided(splitter, host, tallies, part_count);
    pli_release(host, tallies, (size_t)part_count, sizeof(Tally));
    return result;
}

/* ---- Counts --------------------------------------------------------------------------------- */

int32_t pli_split_full(PliSplitter *splitter, PliRange range, int32_t counts[8])
{
    const int64_t unit = full_unit(splitter->def, range.count);
    int32_t part_count = 0;
    for (int64_t rest = range.count; rest > 0; rest -= unit)
        counts[part_count++] = (int32_t)(rest < unit ? rest : unit);
    return part_count;
}
