/* Buckets along a curve: see sorted.h.
 *
 * A grid assigns buckets, which are sorted by their numbers. As long as buckets have not grown
 * much, the order is kept and only their boxes are computed again. An order that lasted for several
 * frames is replaced once by a better one, which takes longer to make (place_carefully). */
#include "soup/sorted.h"
#include "base/round.h"
#include "base/sort.h"
#include "soup/cells.h"
#include "soup/halve.h"
#include "soup/read.h"
#include "soup/survey.h"

/* Primitives in a bucket that is not empty: the target, and the limits beyond which cells are
 * halved once more or less in the next frame. Twice as many in a large soup. */
enum { FEWEST = 28, PER_BUCKET = 40, MAX_VALUE = 56 };

/* There is never more than one cell for this many primitives. */
enum { LEAST_PER_CELL = 8 };

/* The growth of one bucket counts for this much at most in the mean: one of its primitives may have
 * gone far away. */
#define MAX_GROWTH 16.0f

/* An order that was kept for this many frames is replaced by a better one. */
enum { LONG = 8 };

/* From this many primitives on the boxes of all leaves no longer fit the L2 cache. */
enum { MANY = 1 << 17 };

/* Late primitives, which were not there when the order was made, go to buckets behind all others:
 * up to 1 / LATE_PART of all, LATE_SIZE in a bucket. LOOKS primitives of a bucket are sampled. */
enum { LATE_PART = 8, LATE_SIZE = PLI_LEAF_SIZE, LOOKS = 8 };

/* The greatest number whose power of two is not above `count`. */
static int32_t log_below(int32_t count)
{
    return count > 1 ? pli_bits_below(count / 2 + 1) : 0;
}

static int32_t max_bits(int32_t count)
{
    return log_below(count / LEAST_PER_CELL);
}

static int32_t max_late_buckets(int32_t count)
{
    return (int32_t)pli_div_up(count / LATE_PART, LATE_SIZE);
}

PliSoupSizes pli_sorted_sizes(int32_t count)
{
    const int32_t bits = max_bits(count);
    const int32_t axis_bits = bits < PLI_MAX_AXIS_BITS ? bits : PLI_MAX_AXIS_BITS;
    const int64_t cells = (int64_t)2 << bits, leaves = (int32_t)pli_div_up(count, PLI_LEAF_SIZE);
    PliSoupSizes sizes =
        pli_soup_tree_sizes(count, (cells > leaves ? cells : leaves) + max_late_buckets(count));
    sizes.table_items = 3 * ((int64_t)1 << axis_bits);
    return sizes;
}

/* ---- How good an order still is -------------------------------------------------------------- */

/* The ratio of sizes, clamped to 1 .. MAX_GROWTH. */
static float growth_of(float size, float old_size)
{
    return size <= old_size ? 1 : size < MAX_GROWTH * old_size ? size / old_size : MAX_GROWTH;
}

/* Records the sizes of all buckets. Those that are empty now stay empty in later passes. */
static void start_growth(PliSoup *soup)
{
    PliBucket *buckets = soup->buckets.items;
    float size = 0, count = 0;
    for (int32_t b = 0; b < soup->bucket_count; b++) {
        if (buckets[b].mark != soup->mark)
            buckets[b].count = 0;
        buckets[b].size = pli_size_of(&buckets[b].box);
        size += buckets[b].count > 0 ? buckets[b].size : 0;
        count += buckets[b].count > 0;
    }
    soup->bucket_size = count > 0 ? size / count : 0;
}

/* The mean growth of the buckets since start_growth(). */
static float measure_growth(const PliSoup *soup)
{
    const PliBucket *buckets = soup->buckets.items;
    float growth = 0, count = 0;
    for (int32_t b = 0; b < soup->bucket_count; b++)
        if (buckets[b].count > 0) {
            growth += growth_of(pli_size_of(&buckets[b].box), buckets[b].size);
            count++;
        }
    return count > 0 ? growth / count : 1;
}

/* The size of a bucket, by some of its midpoints. */
static float measure_bucket(const PliSoup *soup, const PliBucket *bucket)
{
    const int32_t step = (int32_t)pli_div_up(bucket->count, LOOKS);
    PliBox all = pli_box_empty(), box;
    for (int32_t i = 0; i < bucket->count; i += step)
        if (pli_soup_read(soup, soup->tree->order[bucket->first + i], &box))
            pli_box_add_point(&all, pli_quarter_middle(&box));
    return pli_size_of(&all);
}

/* Records the sizes of some buckets, spread over the order. */
static void start_samples(PliSoup *soup)
{
    const uint32_t *bucket_of = soup->bucket_of.items;
    const PliBucket *buckets = soup->buckets.items;
    const int64_t item_count = soup->tree->item_count;
    soup->has_samples = item_count > 0;
    for (int32_t i = 0; i < PLI_SOUP_SAMPLES && soup->has_samples; i++) {
        const int32_t primitive = soup->tree->order[i * item_count / PLI_SOUP_SAMPLES];
        soup->samples[i] = (PliSoupSample){(int32_t)bucket_of[primitive], 0};
        soup->samples[i].size = measure_bucket(soup, &buckets[soup->samples[i].bucket]);
    }
}

/* The mean growth of these buckets since start_samples(). */
static float sample_growth(const PliSoup *soup)
{
    const PliBucket *buckets = soup->buckets.items;
    float growth = 0;
    for (int32_t i = 0; i < PLI_SOUP_SAMPLES && soup->has_samples; i++)
        growth += growth_of(measure_bucket(soup, &buckets[soup->samples[i].bucket]),
                            soup->samples[i].size);
    return growth / PLI_SOUP_SAMPLES;
}

/* Records the state that the order is compared with in later frames. */
static void start_order(PliSoup *soup)
{
    soup->ordered_count = soup->count;
    soup->kept_count = soup->late_count = 0;
    soup->late_first = soup->bucket_count;
    start_growth(soup);
    start_samples(soup);
}

/* ---- Sorting --------------------------------------------------------------------------------- */

/* How often to halve cells: from the number of primitives, and from what was learned. */
static int32_t choose_bits(const PliSoup *soup)
{
    const int32_t most = max_bits(soup->count);
    const int32_t per_bucket = PER_BUCKET << (soup->count >= MANY);
    int32_t bits = log_below(soup->count / per_bucket), extra = soup->extra_bits;
    if (bits + extra < 0)
        extra = -bits;
    return bits + extra < most ? bits + extra : most;
}

/* Once more or less in the next frame, by how full the buckets are. */
static void learn_bits(PliSoup *soup)
{
    const PliBucket *buckets = soup->buckets.items;
    const int64_t count = soup->tree->item_count;
    int64_t filled = 0;
    for (int32_t b = 0; b < soup->bucket_count; b++)
        filled += (int64_t)(buckets[b].mark == soup->mark) << (soup->count >= MANY);
    soup->extra_bits += count > MAX_VALUE * filled ? 1 : count < FEWEST * filled ? -1 : 0;
    soup->extra_bits = soup->extra_bits < -2 ? -2 : soup->extra_bits > 8 ? 8 : soup->extra_bits;
}

/* Makes a new order, by a grid. */
static void place_anew(PliSoup *soup)
{
    PliCells cells;
    pli_soup_survey(soup);
    pli_cells_halve(&cells, &soup->middles, choose_bits(soup), soup->tables.items);
    const bool has_large =
        pli_soup_read_into(soup, &cells, PLI_LARGE * soup->usual_size, 1u << cells.bits);
    soup->is_careful = false;
    soup->bucket_count = (has_large ? 2 : 1) << cells.bits;
    pli_soup_make_tree(soup);
    pli_soup_fill_order(soup);
    learn_bits(soup);
    start_order(soup);
}

/* Reads all primitives of the order as items, large ones last. Returns how many come before the
 * large ones, rounded up to whole leaves. */
static int32_t read_items(const PliSoup *soup, PliItem *items)
{
    const int32_t count = soup->tree->item_count, *order = soup->tree->order;
    const float large = PLI_LARGE * soup->usual_size;
    int32_t first = 0, last = count;
    for (int32_t p = 0; p < count; p++) {
        PliBox box;
        if (!pli_soup_read(soup, order[p], &box))
            box = pli_box_empty();
        items[pli_size_of(&box) > large ? --last : first++] =
            pli_item(pli_quarter_middle(&box), order[p]);
    }
    const int32_t whole = (int32_t)pli_round_up(first, PLI_LEAF_SIZE);
    return whole < count ? whole : count;
}

static void order_items(PliItem *items, PliItem *spare, int32_t count, int32_t *order)
{
    const PliItem *halved = pli_items_halve(items, spare, count);
    for (int32_t i = 0; i < count; i++)
        order[i] = pli_item_number(halved[i]);
}

/* Makes a new order by halving the old one over and over: it takes longer and gives a better tree.
 * Each leaf becomes a bucket, or each node of leaves in a large soup. */
static void place_carefully(PliSoup *soup, PliBox *scratch)
{
    const int32_t count = soup->tree->item_count;
    const int32_t size = count < MANY ? PLI_LEAF_SIZE : PLI_LEAF_NODE_SIZE;
    uint32_t *bucket_of = soup->bucket_of.items;
    int32_t *order = soup->tree->order;
    PliItem *items = (PliItem *)scratch;
    PliBucket *buckets = soup->buckets.items;
    const int32_t small_count = read_items(soup, items);
    order_items(items, items + count, small_count, order);
    order_items(items + small_count, items + count, count - small_count, order + small_count);
    for (int32_t p = 0; p < count; p++)
        bucket_of[order[p]] = (uint32_t)(p / size);
    soup->is_careful = true;
    soup->bucket_count = (int32_t)pli_div_up(count, size);
    for (int32_t b = 0; b < soup->bucket_count; b++)
        buckets[b].count = count - b * size < size ? count - b * size : size;
    pli_soup_read_kept(soup, NULL, 0);
    pli_soup_make_tree(soup);
    soup->base.placed_count += count;
    start_order(soup);
}

/* ---- Keeping --------------------------------------------------------------------------------- */

/* Puts late primitives into buckets behind all others, as they come. The recorded size of these is
 * the mean, since they have no size from when the order was made. */
static void add_late(PliSoup *soup, const uint32_t *late, int32_t late_count)
{
    const int32_t item_count = soup->tree->item_count;
    PliBucket *buckets = soup->buckets.items;
    uint32_t *bucket_of = soup->bucket_of.items;
    for (int32_t i = 0; i < late_count; i++, soup->late_count++) {
        const int32_t primitive = (int32_t)late[i];
        const int32_t number = soup->late_first + soup->late_count / LATE_SIZE;
        PliBucket *bucket = &buckets[number];
        PliBox box = pli_box_empty();
        pli_soup_read(soup, primitive, &box);
        if (soup->late_count % LATE_SIZE == 0)
            *bucket = (PliBucket){box, soup->mark, 0, 0, soup->bucket_size};
        pli_box_add(&bucket->box, &box);
        bucket->count++;
        bucket_of[primitive] = (uint32_t)number;
        soup->tree->order[item_count + i] = primitive;
    }
    soup->bucket_count = soup->late_first + (int32_t)pli_div_up(soup->late_count, LATE_SIZE);
    soup->base.placed_count += late_count;
    pli_soup_make_tree(soup);
}

/* Is there an order that may be kept? Samples tell before all primitives are read. */
static bool may_keep(const PliSoup *soup)
{
    const bool has_order = soup->ordered_count > 0 && soup->ordered_count <= soup->count;
    return soup->kind == PLIANT_SOUP_AUTO && has_order && soup->vertices.count > 0 &&
           sample_growth(soup) <= PLI_ENOUGH_GROWTH;
}

/* Keeps the order for this frame. False, and a new order has to be made, if less than half of it is
 * left, if too many primitives have come since, or if its buckets have grown too much. */
static bool keep(PliSoup *soup)
{
    if (!may_keep(soup))
        return false;
    const int32_t max_late = soup->count / LATE_PART - soup->late_count;
    const PliKeptCounts counts = pli_soup_read_kept(soup, soup->spare.items, max_late);
    if (counts.live < soup->tree->item_count / 2 || counts.late > max_late)
        return false;
    if (counts.late > 0)
        add_late(soup, soup->spare.items, counts.late);
    soup->ordered_count = soup->count;
    soup->kept_count++;
    return measure_growth(soup) <= PLI_ENOUGH_GROWTH;
}

void pli_sorted_update(PliSoup *soup, PliBox *scratch)
{
    const bool is_kept = keep(soup), was_good = soup->kept_count >= LONG;
    if (!is_kept)
        place_anew(soup);
    if (was_good && !soup->is_careful)
        place_carefully(soup, scratch);
}
