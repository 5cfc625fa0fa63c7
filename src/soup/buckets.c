/* Buckets as octants: see buckets.h. The box of a bucket is that of its primitives and may reach
 * out of its cell, so that no primitive has to be in two buckets. */
#include "soup/buckets.h"
#include "base/sort.h"
#include "soup/read.h"
#include "soup/survey.h"

/* Primitives in a bucket: the target over all buckets, and the limits for those that are not empty.
 */
enum { PER_BUCKET = 8, TOO_FEW = 3, TOO_MANY = 32 };

/* The usual number of levels. One more is used if most octants are empty. */
static int32_t usual_levels(int32_t count)
{
    const int32_t levels = pli_bits_below(count / PER_BUCKET + 1) / 3;
    return levels < 1 ? 1 : levels < PLIANT_MAX_SOUP_LEVELS ? levels : PLIANT_MAX_SOUP_LEVELS;
}

static int32_t max_levels(const PliSoup *soup, int32_t count)
{
    const int32_t levels = usual_levels(count);
    if (soup->asked_levels > 0)
        return soup->asked_levels;
    return levels < PLIANT_MAX_SOUP_LEVELS ? levels + 1 : levels;
}

PliSoupSizes pli_buckets_sizes(const PliSoup *soup, int32_t count)
{
    const int32_t levels = max_levels(soup, count);
    PliSoupSizes sizes = pli_soup_tree_sizes(count, (int64_t)1 << 3 * levels);
    sizes.table_items = 3 * ((int64_t)1 << levels);
    sizes.pointers = 3 * (((int64_t)1 << levels) + 1);
    return sizes;
}

/* The number of levels, from how full the buckets of the frame before were. */
static int32_t choose_levels(const PliSoup *soup)
{
    const int32_t most = max_levels(soup, soup->count), levels = soup->level_count;
    const int64_t count = soup->tree->item_count;
    int64_t filled = 0;
    for (int32_t n = soup->last_level; n < soup->octant_count; n++)
        filled += soup->tree->nodes[n].child_count;
    if (soup->asked_levels > 0)
        return most;
    if (filled == 0 || levels < most - 2 || levels > most)
        return usual_levels(soup->count);
    return count > TOO_MANY * filled && levels < most ? levels + 1
           : count < TOO_FEW * filled && levels > 1   ? levels - 1
                                                      : levels;
}

void pli_buckets_update(PliSoup *soup)
{
    const int32_t levels = choose_levels(soup);
    PliCells cells;
    soup->bucket_count = 1 << 3 * levels;
    pli_soup_survey(soup);
    pli_cells_octants(&cells, &soup->middles, levels, soup->tables.items);
    if (soup->kind == PLIANT_SOUP_BUCKETS)
        pli_soup_read_into(soup, &cells, INFINITY, 0);
    else
        pli_axes_assign(soup, &cells);
    soup->ordered_count = soup->count;
    pli_soup_make_tree(soup);
    pli_soup_fill_order(soup);
}
