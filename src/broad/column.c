/* One column of a sweep: see column.h. Steps 2 to 4 of sweep.c. */
#include "broad/column.h"

#include <string.h>

enum {
    BEGINS_U = 1, /* the first of its cells on an axis */
    BEGINS_V = 2,
    BEGINS = BEGINS_U | BEGINS_V,
};

/* ---- Its boxes ------------------------------------------------------------------------------- */

/* Inserts from the end. Out of patience, appends; the column is sorted later. */
static void insert(PliFilling *filling, const PliColumnItem *item)
{
    PliColumnItem *items = filling->items;
    int64_t i = filling->count++;
    if (filling->patience >= 0) {
        int64_t from = i;
        for (; i > 0 && items[i - 1].low[2] > item->low[2]; i--)
            items[i] = items[i - 1];
        filling->patience -= from - i;
    }
    items[i] = *item;
}

static PliColumnItem make_item(const PliSweepAndPrune *sweep, const PliFilling *filling,
                               int32_t body)
{
    const PliBox *box = &sweep->input->boxes[body];
    const PliGrid *grid = sweep->grid;
    int u = grid->across[0], v = grid->across[1], w = grid->along;
    PliColumnItem item = {{box->low[u], box->low[v], box->low[w]},
                          BEGINS,
                          {box->high[u], box->high[v], box->high[w]},
                          body};
    if (filling->level > 0) {
        PliInt4 cells = pli_grid_cells(grid, filling->level, box);
        item.begins =
            (cells[0] == filling->u ? BEGINS_U : 0) | (cells[1] == filling->v ? BEGINS_V : 0);
    }
    return item;
}

/* Inserts the newcomers of the column up to a rank. */
static void insert_newcomers(const PliSweepAndPrune *sweep, PliBroadPart *part, PliFilling *filling,
                             uint32_t rank)
{
    while (part->next_newcomer < part->newcomer_end) {
        const PliRanked *newcomer = &sweep->newcomers[part->next_newcomer];
        if (newcomer->key != filling->key || newcomer->rank > rank)
            return;
        if (part->next_newcomer + PLI_AHEAD < part->newcomer_end)
            __builtin_prefetch(&sweep->input->boxes[newcomer[PLI_AHEAD].item]);
        PliColumnItem item = make_item(sweep, filling, newcomer->item);
        insert(filling, &item);
        part->next_newcomer++;
    }
}

static bool is_marked(const uint64_t *marks, int32_t body)
{
    return marks[body / 64] >> (body % 64) & 1;
}

static bool is_still_member(const PliSweepAndPrune *sweep, const PliFilling *filling, int32_t body)
{
    const PliCellRange *ranges = sweep->broad->ranges.items;
    if (body >= sweep->input->count)
        return false;
    return !is_marked(sweep->broad->changed.items, body) ||
           pli_range_covers(&ranges[body], filling->level, filling->u, filling->v);
}

/* Fills a column with its boxes, in the order of the sweep. */
static void fill(const PliSweepAndPrune *sweep, PliBroadPart *part, PliFilling *filling,
                 int64_t old_begin, int64_t old_end)
{
    const PliBox *boxes = sweep->input->boxes;
    int32_t count = sweep->input->count;
    for (int64_t i = old_begin; i < old_end; i++) {
        if (i + PLI_AHEAD < part->old_member_end && sweep->old_members[i + PLI_AHEAD] < count)
            __builtin_prefetch(&boxes[sweep->old_members[i + PLI_AHEAD]]);
        int32_t body = sweep->old_members[i];
        if (!is_still_member(sweep, filling, body))
            continue;
        PliColumnItem item = make_item(sweep, filling, body);
        insert_newcomers(sweep, part, filling, pli_rank_of(item.low[2]));
        insert(filling, &item);
    }
    insert_newcomers(sweep, part, filling, UINT32_MAX);
}

/* Permutes the items along the cycles of the order. */
static void permute(PliColumnItem *items, PliRanked *order, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        PliColumnItem first = items[i];
        int64_t to = i;
        while (order[to].item != i) {
            int64_t from = order[to].item;
            items[to] = items[from];
            order[to].item = (int32_t)to;
            to = from;
        }
        items[to] = first;
        order[to].item = (int32_t)to;
    }
}

/* Sorts a column that has lost its order. */
static PliantResult sort_items(const PliantHost *host, PliBroadPart *part, PliFilling *filling)
{
    for (int i = 0; i < 2; i++)
        PLI_TRY(pli_array_reserve_spare(&part->ranked[i], host, filling->count));
    PliRanked *ranked = part->ranked[0].items;
    for (int64_t i = 0; i < filling->count; i++)
        ranked[i] = (PliRanked){0, pli_rank_of(filling->items[i].low[2]), (int32_t)i};
    ranked = pli_sort_ranked(ranked, part->ranked[1].items, filling->count);
    permute(filling->items, ranked, filling->count);
    return PLIANT_OK;
}

/* ---- Pairs within it ------------------------------------------------------------------------- */

/* Removes those after the first `kept` pairs that the filters reject. */
static int64_t keep_allowed(const PliBroadInput *input, PliBroadPair *found, int64_t kept,
                            int64_t count)
{
    for (int64_t i = kept; i < count; i++)
        if (pli_filter_allows(input, found[i].a, found[i].b))
            found[kept++] = found[i];
    return kept;
}

/* Loads both corners. Their fourth lanes are ignored by pli_has_three(). */
static inline void load(const PliColumnItem *item, PliFloat4 *low, PliFloat4 *high)
{
    memcpy(low, (const char *)item + offsetof(PliColumnItem, low), sizeof *low);
    memcpy(high, (const char *)item + offsetof(PliColumnItem, high), sizeof *high);
}

/* Compares an item with others, in order, until one begins after it ends, and adds the pairs that
 * overlap. There is room for all of them. */
static inline void compare(const PliSweepAndPrune *sweep, PliBroadPart *part,
                           const PliColumnItem *one, const PliColumnItem *others, int64_t count)
{
    PliArray *found = &part->found;
    PliBroadPair *pairs = found->items;
    PliFloat4 low, high;
    load(one, &low, &high);
    int64_t n = found->count, i = 0;
    for (; i < count; i++) {
        const PliColumnItem *other = &others[i];
        if (other->low[2] > one->high[2])
            break;
        int32_t a = one->body, b = other->body;
        PliFloat4 other_low, other_high;
        load(other, &other_low, &other_high);
        PliInt4 overlaps = (low <= other_high) & (other_low <= high);
        bool is_overlap = pli_has_three(overlaps) & ((one->begins | other->begins) == BEGINS);
        pairs[n] = a < b ? (PliBroadPair){a, b} : (PliBroadPair){b, a};
        n += is_overlap;
    }
    found->count = sweep->is_filtered ? keep_allowed(sweep->input, pairs, found->count, n) : n;
    part->compared += i;
}

/* One more than can be found: compare() writes behind the last pair. */
static PliantResult make_room(PliArray *found, const PliantHost *host, int64_t extra)
{
    if (PLI_LIKELY(found->count + extra < found->capacity))
        return PLIANT_OK;
    return pli_array_reserve_spare(found, host, found->count + extra + 1);
}

static PliantResult sweep_column(const PliSweepAndPrune *sweep, PliBroadPart *part,
                                 const PliFilling *filling)
{
    const PliColumnItem *items = filling->items;
    const int64_t count = filling->count;
    for (int64_t i = 0; i < count; i++) {
        PLI_TRY(make_room(&part->found, sweep->broad->host, count - i));
        compare(sweep, part, &items[i], items + i + 1, count - i - 1);
    }
    return PLIANT_OK;
}

/* ---- Pairs with larger ones ------------------------------------------------------------------ */

/* The column of a coarser level with this key, or -1. */
static int64_t find_column(const PliSweepAndPrune *sweep, PliBroadPart *part, int level,
                           uint64_t key)
{
    const PliColumn *columns = sweep->columns;
    int64_t low = sweep->first[level], high = sweep->first[level + 1];
    const int64_t recent = part->recent[level];
    if (low == high)
        return -1;
    if (recent >= low && recent < high && columns[recent].key == key)
        return recent;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (columns[middle].key <= key)
            low = middle;
        else
            high = middle;
    }
    part->recent[level] = low;
    return columns[low].key == key ? low : -1;
}

/* Compares an item with those of a column, from the first whose reach comes to it: the reach of an
 * item is the greatest end of all items up to it. */
static PliantResult visit_column(const PliSweepAndPrune *sweep, PliBroadPart *part,
                                 const PliColumnItem *item, const PliColumn *column)
{
    const PliColumnItem *items = sweep->broad->coarse.items;
    const float *reaches = sweep->broad->reaches.items;
    int64_t low = column->begin, high = column->end;
    const int64_t end = high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (reaches[middle] < item->low[2])
            low = middle + 1;
        else
            high = middle;
    }
    PLI_TRY(make_room(&part->found, sweep->broad->host, end - low + 1));
    compare(sweep, part, item, items + low, end - low);
    return PLIANT_OK;
}

static PliantResult visit_level(const PliSweepAndPrune *sweep, PliBroadPart *part,
                                const PliColumnItem *item, int level)
{
    PliInt4 cells = {0, 0, 0, 0};
    PliColumnItem visitor = *item;
    if (level > 0)
        cells = pli_grid_cells(sweep->grid, level, &sweep->input->boxes[item->body]);
    for (int32_t u = cells[0]; u <= cells[2]; u++)
        for (int32_t v = cells[1]; v <= cells[3]; v++) {
            int64_t column = find_column(sweep, part, level, pli_grid_key(level, u, v));
            if (column < 0)
                continue;
            visitor.begins = (u == cells[0] ? BEGINS_U : 0) | (v == cells[1] ? BEGINS_V : 0);
            PLI_TRY(visit_column(sweep, part, &visitor, &sweep->columns[column]));
        }
    return PLIANT_OK;
}

/* Each body once: in its first cell. */
static PliantResult visit_coarser(const PliSweepAndPrune *sweep, PliBroadPart *part,
                                  const PliFilling *filling)
{
    for (int level = 0; level < filling->level; level++) {
        if (sweep->first[level] == sweep->first[level + 1])
            continue;
        for (int64_t i = 0; i < filling->count; i++) {
            if (filling->items[i].begins != BEGINS)
                continue;
            PLI_TRY(visit_level(sweep, part, &filling->items[i], level));
        }
    }
    return PLIANT_OK;
}

/* ---- The call -------------------------------------------------------------------------------- */

static PliantResult open_column(const PliantHost *host, PliBroadPart *part, PliFilling *filling,
                                int64_t max_count)
{
    PLI_TRY(pli_array_reserve_spare(&part->items, host, max_count));
    filling->items = part->items.items;
    filling->patience = 8 * max_count + 64;
    return PLIANT_OK;
}

static void close_column(const PliSweepAndPrune *sweep, PliBroadPart *part,
                         const PliFilling *filling)
{
    int32_t *members = sweep->members + part->member_begin + part->member_count;
    for (int64_t i = 0; i < filling->count; i++)
        members[i] = filling->items[i].body;
    const int64_t begin = part->member_begin + part->member_count;
    sweep->columns[part->column_begin + part->column_count++] =
        (PliColumn){filling->key, begin, begin + filling->count};
    part->member_count += filling->count;
    pli_raise_peak(&part->max_members, filling->count);
}

PliantResult pli_column_process(const PliSweepAndPrune *sweep, PliBroadPart *part,
                                PliFilling *filling, int64_t old_begin, int64_t old_end)
{
    const PliantHost *host = sweep->broad->host;
    int64_t max_count = old_end - old_begin;
    for (int64_t i = part->next_newcomer;
         i < part->newcomer_end && sweep->newcomers[i].key == filling->key; i++)
        max_count++;
    PLI_TRY(open_column(host, part, filling, max_count));
    fill(sweep, part, filling, old_begin, old_end);
    if (filling->count == 0)
        return PLIANT_OK;
    if (filling->patience < 0)
        PLI_TRY(sort_items(host, part, filling));
    PLI_TRY(sweep_column(sweep, part, filling));
    PLI_TRY(visit_coarser(sweep, part, filling));
    close_column(sweep, part, filling);
    return PLIANT_OK;
}
