/* Soups that are sorted along a curve, and kept in that order: see soup.h. */
#include "soup/sorted.h"
#include "base/round.h"
#include "base/sort.h"
#include "soup/cells.h"
#include "soup/halve.h"
#include "soup/read.h"
#include "soup/survey.h"

/* Primitives to a bucket that is not empty, and twice as many of a soup of many. Cells are halved
 * once more, or less, if there were more or fewer the last time. */
enum { FEWEST = 28, PER_BUCKET = 40, MOST = 56 };

/* Cells are never so many that there is one for less than so many primitives. */
enum { LEAST_PER_CELL = 8 };

/* An order is kept while its buckets have not grown more than that on average, of which one counts
 * for no more than MOST_GROWTH. */
#define MOST_GROWTH 16.0f

/* An order that was kept so many times was worth some care, and so will be the next one. */
enum { LONG = 8 };

/* So many that the boxes of all leaves would not be in a cache that is near. */
enum { MANY = 1 << 17 };

/* One of so many primitives may come late, into a bucket behind all others; and primitives that are
 * looked at of a bucket. */
enum { LATE_PART = 8, LATE_SIZE = PLI_LEAF_SIZE, LOOKS = 8 };

/* The greatest number whose power of two is not above `count`. */
static int32_t log_below(int32_t count)
{
    return count > 1 ? pli_bits_below(count / 2 + 1) : 0;
}

static int32_t most_bits(int32_t count)
{
    return log_below(count / LEAST_PER_CELL);
}

static int32_t most_late_buckets(int32_t count)
{
    return (int32_t)pli_div_up(count / LATE_PART, LATE_SIZE);
}

PliSoupSizes pli_sorted_sizes(int32_t count)
{
    const int32_t bits = most_bits(count);
    const int32_t axis_bits = bits < PLI_MOST_AXIS_BITS ? bits : PLI_MOST_AXIS_BITS;
    const int64_t cells = (int64_t)2 << bits, leaves = (int32_t)pli_div_up(count, PLI_LEAF_SIZE);
    PliSoupSizes sizes =
        pli_soup_tree_sizes(count, (cells > leaves ? cells : leaves) + most_late_buckets(count));
    sizes.table_items = 3 * ((int64_t)1 << axis_bits);
    return sizes;
}

/* ---- How good an order still is ----------------------------------------------------------------
 */

/* How many times as large something has become. What grows beyond all measure, since one of its
 * primitives is elsewhere, counts for no more than MOST_GROWTH. */
static float growth_of(float size, float old_size)
{
    return size <= old_size ? 1 : size < MOST_GROWTH * old_size ? size / old_size : MOST_GROWTH;
}

/* Remembers how large buckets are. Those that nothing was put into have nothing from now on, in
 * readings to come as well. */
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

/* How much buckets have grown, on average. */
static float take_growth(const PliSoup *soup)
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

/* How large a bucket is, by some of its midpoints. */
static float look_at(const PliSoup *soup, const PliBucket *bucket)
{
    const int32_t step = (int32_t)pli_div_up(bucket->count, LOOKS);
    PliBox all = pli_box_empty(), box;
    for (int32_t i = 0; i < bucket->count; i += step)
        if (pli_soup_read(soup, soup->tree->order[bucket->first + i], &box))
            pli_box_add_point(&all, pli_quarter_middle(&box));
    return pli_size_of(&all);
}

/* Remembers some buckets, all over the order. */
static void start_samples(PliSoup *soup)
{
    const uint32_t *bucket_of = soup->bucket_of.items;
    const PliBucket *buckets = soup->buckets.items;
    const int64_t item_count = soup->tree->item_count;
    soup->has_samples = item_count > 0;
    for (int32_t i = 0; i < PLI_SOUP_SAMPLES && soup->has_samples; i++) {
        const int32_t primitive = soup->tree->order[i * item_count / PLI_SOUP_SAMPLES];
        soup->samples[i] = (PliSoupSample){(int32_t)bucket_of[primitive], 0};
        soup->samples[i].size = look_at(soup, &buckets[soup->samples[i].bucket]);
    }
}

/* How much these have grown, on average. */
static float take_samples(const PliSoup *soup)
{
    const PliBucket *buckets = soup->buckets.items;
    float growth = 0;
    for (int32_t i = 0; i < PLI_SOUP_SAMPLES && soup->has_samples; i++)
        growth +=
            growth_of(look_at(soup, &buckets[soup->samples[i].bucket]), soup->samples[i].size);
    return growth / PLI_SOUP_SAMPLES;
}

/* What an order is compared with from now on. */
static void start_order(PliSoup *soup)
{
    soup->taken_count = soup->count;
    soup->kept_count = soup->late_count = 0;
    soup->late_first = soup->bucket_count;
    start_growth(soup);
    start_samples(soup);
}

/* ---- Sorting -----------------------------------------------------------------------------------
 */

/* How often cells are to be halved, from how full buckets were. */
static int32_t choose_bits(const PliSoup *soup)
{
    const int32_t most = most_bits(soup->count);
    const int32_t per_bucket = PER_BUCKET << (soup->count >= MANY);
    int32_t bits = log_below(soup->count / per_bucket), more = soup->more_bits;
    if (bits + more < 0)
        more = -bits;
    return bits + more < most ? bits + more : most;
}

/* One more the next time, or one less. */
static void learn_bits(PliSoup *soup)
{
    const PliBucket *buckets = soup->buckets.items;
    const int64_t count = soup->tree->item_count;
    int64_t filled = 0;
    for (int32_t b = 0; b < soup->bucket_count; b++)
        filled += (int64_t)(buckets[b].mark == soup->mark) << (soup->count >= MANY);
    soup->more_bits += count > MOST * filled ? 1 : count < FEWEST * filled ? -1 : 0;
    soup->more_bits = soup->more_bits < -2 ? -2 : soup->more_bits > 8 ? 8 : soup->more_bits;
}

/* All of them anew. */
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

/* All that are in the order as items, the large ones last; returns how many come before them, in
 * whole leaves. */
static int32_t take_items(const PliSoup *soup, PliItem *items)
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

/* All that are in the order, by halving it over and over: it takes longer and makes a better tree.
 * Leaves are then the buckets, or nodes of leaves where there are many. */
static void place_carefully(PliSoup *soup, PliBox *scratch)
{
    const int32_t count = soup->tree->item_count;
    const int32_t size = count < MANY ? PLI_LEAF_SIZE : PLI_LEAF_NODE_SIZE;
    uint32_t *bucket_of = soup->bucket_of.items;
    int32_t *order = soup->tree->order;
    PliItem *items = (PliItem *)scratch;
    PliBucket *buckets = soup->buckets.items;
    const int32_t small_count = take_items(soup, items);
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

/* ---- Keeping -----------------------------------------------------------------------------------
 */

/* Those that came late get buckets of their own, behind all others, as if these had been as large
 * as any when the order was made: late ones are put together as they come. */
static void take_late(PliSoup *soup, const uint32_t *late, int32_t late_count)
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
    const bool has_order = soup->taken_count > 0 && soup->taken_count <= soup->count;
    return soup->kind == PLIANT_SOUP_AUTO && has_order && soup->vertices.count > 0 &&
           take_samples(soup) <= PLI_ENOUGH_GROWTH;
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
        take_late(soup, soup->spare.items, counts.late);
    soup->taken_count = soup->count;
    soup->kept_count++;
    return take_growth(soup) <= PLI_ENOUGH_GROWTH;
}

void pli_sorted_update(PliSoup *soup, PliBox *scratch)
{
    const bool is_kept = keep(soup), was_good = soup->kept_count >= LONG;
    if (!is_kept)
        place_anew(soup);
    if (was_good && !soup->is_careful)
        place_carefully(soup, scratch);
}
