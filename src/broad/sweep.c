/* Sweep and prune in columns.
 *
 * 1. The cells of every body are computed (grid.h). If they differ from those of the last call, the
 *    body is marked, and becomes a newcomer in each new cell. Newcomers are sorted by cell and
 * along the sweep.
 * 2. Columns are processed in the order of their cells, coarse levels first. The members of the
 * last call that are still members come in their last order, merged with the newcomers, and each is
 *    inserted from the end. If little has moved, the end is the right position.
 * 3. Within a column, each box is compared with those that begin before it ends: these overlap it
 *    along the sweep. A pair that shares several columns is reported in the one that contains the
 *    lower corner of its intersection: there, along each of the two axes, one of the two boxes has
 *    its first cell.
 * 4. A body also visits the columns of each coarser level that it overlaps, to find larger bodies.
 *    It is no member there: a coarse column would have too many members to keep their order from
 *    call to call.
 *
 * While a column is processed its boxes are contiguous, in order, and small enough for the cache.
 * Between calls only the numbers of its members are kept.
 *
 * The worst case are long thin bodies in all directions: they share large cells, and are compared
 * with many that they do not overlap.
 */
#include "broad/sweep.h"

#include "base/sort.h"

#include <string.h>

enum {
    AHEAD = 16,   /* how many members ahead boxes are prefetched */
    BEGINS_U = 1, /* the first of its cells on an axis */
    BEGINS_V = 2,
    BEGINS = BEGINS_U | BEGINS_V,
};

/* One call. */
typedef struct Sweep {
    PliBroad *broad;
    const PliBroadInput *input;
    const PliGrid *grid;
    bool is_filtered;
    int64_t compared;
    int64_t member_count; /* in all columns */

    const PliRanked *newcomers;
    int64_t newcomer_count, next_newcomer;

    const PliColumn *old_columns;
    const int32_t *old_members;
    int64_t old_member_count;
    PliArray *columns, *members;

    /* Columns of each level: from first[level] to first[level + 1]; and the one that was visited
     * last. */
    int64_t first[PLI_GRID_LEVELS + 1], recent[PLI_GRID_LEVELS];
} Sweep;

/* ---- 1. Cells -------------------------------------------------------------------------------- */

static bool covers(const PliCellRange *range, int level, int32_t u, int32_t v)
{
    return range->level == level && u >= range->low[0] && u <= range->low[0] + range->span[0] &&
           v >= range->low[1] && v <= range->low[1] + range->span[1];
}

static PliantResult add_newcomers(PliBroad *broad, int32_t body, const PliCellRange *old,
                                  const PliCellRange *range, float low)
{
    if (range->level < 0)
        return PLIANT_OK;
    uint32_t rank = pli_rank_of(low);
    for (int32_t u = range->low[0]; u <= range->low[0] + range->span[0]; u++)
        for (int32_t v = range->low[1]; v <= range->low[1] + range->span[1]; v++) {
            void *item;
            if (covers(old, range->level, u, v))
                continue;
            PLI_TRY(pli_array_push(&broad->newcomers, broad->host, 1, &item));
            *(PliRanked *)item = (PliRanked){pli_grid_key(range->level, u, v), rank, body};
        }
    return PLIANT_OK;
}

static bool is_marked(const uint64_t *marks, int32_t body)
{
    return marks[body / 64] >> (body % 64) & 1;
}

/* Room for `count` bodies. New ones are in no cell, and none is marked. */
static PliantResult prepare_ranges(PliBroad *broad, int32_t count)
{
    PLI_TRY(pli_array_reserve_spare(&broad->ranges, broad->host, count));
    PLI_TRY(pli_array_reserve_spare(&broad->changed, broad->host, count / 64 + 1));
    PliCellRange *ranges = broad->ranges.items;
    for (int64_t i = broad->ranges.count; i < count; i++)
        ranges[i] = (PliCellRange){.level = -1};
    broad->ranges.count = count;
    memset(broad->changed.items, 0, ((size_t)count / 64 + 1) * sizeof(uint64_t));
    return PLIANT_OK;
}

static PliantResult locate_bodies(Sweep *sweep)
{
    PliBroad *broad = sweep->broad;
    int32_t count = sweep->input->count;
    PLI_TRY(prepare_ranges(broad, count));
    PliCellRange *ranges = broad->ranges.items;
    uint64_t *changed = broad->changed.items;
    broad->newcomers.count = 0;
    for (int32_t i = 0; i < count; i++) {
        const PliBox *box = &sweep->input->boxes[i];
        PliCellRange range = pli_grid_range(sweep->grid, box);
        sweep->member_count += range.level < 0 ? 0 : (range.span[0] + 1) * (range.span[1] + 1);
        if (memcmp(&range, &ranges[i], sizeof range) == 0)
            continue;
        changed[i / 64] |= (uint64_t)1 << (i % 64);
        PLI_TRY(add_newcomers(broad, i, &ranges[i], &range, box->low[sweep->grid->along]));
        ranges[i] = range;
    }
    return PLIANT_OK;
}

static PliantResult sort_newcomers(Sweep *sweep)
{
    PliBroad *broad = sweep->broad;
    sweep->newcomer_count = broad->newcomers.count;
    PLI_TRY(pli_array_reserve_spare(&broad->rest, broad->host, sweep->newcomer_count));
    sweep->newcomers =
        pli_sort_ranked(broad->newcomers.items, broad->rest.items, sweep->newcomer_count);
    return PLIANT_OK;
}

/* ---- 2. Columns ----------------------------------------------------------------------------- */

/* The members of a column, as they come in. */
typedef struct Filling {
    uint64_t key;
    int level;
    int32_t u, v;
    PliColumnItem *items;
    int64_t count;
    int64_t patience; /* moves that insertion may still take */
} Filling;

/* Inserts from the end. Out of patience, appends; the column is sorted later. */
static void insert(Filling *filling, const PliColumnItem *item)
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

static PliColumnItem make_item(const Sweep *sweep, const Filling *filling, int32_t body)
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
static void insert_newcomers(Sweep *sweep, Filling *filling, uint32_t rank)
{
    while (sweep->next_newcomer < sweep->newcomer_count) {
        const PliRanked *newcomer = &sweep->newcomers[sweep->next_newcomer];
        if (newcomer->key != filling->key || newcomer->rank > rank)
            return;
        if (sweep->next_newcomer + AHEAD < sweep->newcomer_count)
            __builtin_prefetch(&sweep->input->boxes[newcomer[AHEAD].item]);
        PliColumnItem item = make_item(sweep, filling, newcomer->item);
        insert(filling, &item);
        sweep->next_newcomer++;
    }
}

static bool is_still_member(const Sweep *sweep, const Filling *filling, int32_t body)
{
    const PliCellRange *ranges = sweep->broad->ranges.items;
    if (body >= sweep->input->count)
        return false;
    return !is_marked(sweep->broad->changed.items, body) ||
           covers(&ranges[body], filling->level, filling->u, filling->v);
}

/* Fills a column with its boxes, in the order of the sweep. */
static void fill(Sweep *sweep, Filling *filling, int64_t old_begin, int64_t old_end)
{
    const PliBox *boxes = sweep->input->boxes;
    int32_t count = sweep->input->count;
    for (int64_t i = old_begin; i < old_end; i++) {
        if (i + AHEAD < sweep->old_member_count && sweep->old_members[i + AHEAD] < count)
            __builtin_prefetch(&boxes[sweep->old_members[i + AHEAD]]);
        int32_t body = sweep->old_members[i];
        if (!is_still_member(sweep, filling, body))
            continue;
        PliColumnItem item = make_item(sweep, filling, body);
        insert_newcomers(sweep, filling, pli_rank_of(item.low[2]));
        insert(filling, &item);
    }
    insert_newcomers(sweep, filling, UINT32_MAX);
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
static PliantResult sort_items(Sweep *sweep, Filling *filling)
{
    PliBroad *broad = sweep->broad;
    for (int i = 0; i < 2; i++) {
        PLI_TRY(pli_array_reserve_spare(&broad->ranked[i], broad->host, filling->count));
    }
    PliRanked *ranked = broad->ranked[0].items;
    for (int64_t i = 0; i < filling->count; i++)
        ranked[i] = (PliRanked){0, pli_rank_of(filling->items[i].low[2]), (int32_t)i};
    ranked = pli_sort_ranked(ranked, broad->ranked[1].items, filling->count);
    permute(filling->items, ranked, filling->count);
    return PLIANT_OK;
}

/* ---- 3. Pairs within a column --------------------------------------------------------------- */

/* Removes those after the first `kept` pairs that the filters reject. */
static int64_t keep_allowed(const PliBroadInput *input, PliBroadPair *found, int64_t kept,
                            int64_t count)
{
    for (int64_t i = kept; i < count; i++)
        if (pli_filter_allows(input, found[i].a, found[i].b))
            found[kept++] = found[i];
    return kept;
}

/* Loads both corners. Their fourth lanes are ignored by has_three(). */
static inline void load(const PliColumnItem *item, PliFloat4 *low, PliFloat4 *high)
{
    memcpy(low, (const char *)item + offsetof(PliColumnItem, low), sizeof *low);
    memcpy(high, (const char *)item + offsetof(PliColumnItem, high), sizeof *high);
}

/* Are the first three lanes set? */
static inline bool has_three(PliInt4 lanes)
{
#if defined(__SSE2__)
    return (__builtin_ia32_movmskps((PliFloat4)lanes) & 7) == 7;
#else
    return (lanes[0] & lanes[1] & lanes[2]) != 0;
#endif
}

/* Compares an item with others, in order, until one begins after it ends, and adds the pairs that
 * overlap. There is room for all of them. */
static inline void compare(Sweep *sweep, const PliColumnItem *one, const PliColumnItem *others,
                           int64_t count)
{
    PliArray *found = &sweep->broad->found;
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
        bool is_overlap = has_three(overlaps) & ((one->begins | other->begins) == BEGINS);
        pairs[n] = a < b ? (PliBroadPair){a, b} : (PliBroadPair){b, a};
        n += is_overlap;
    }
    found->count = sweep->is_filtered ? keep_allowed(sweep->input, pairs, found->count, n) : n;
    sweep->compared += i;
}

/* One more than can be found: compare() writes behind the last pair. */
static PliantResult make_room(PliBroad *broad, int64_t extra)
{
    if (PLI_LIKELY(broad->found.count + extra < broad->found.capacity))
        return PLIANT_OK;
    return pli_array_reserve_spare(&broad->found, broad->host, broad->found.count + extra + 1);
}

static PliantResult sweep_column(Sweep *sweep, const PliColumnItem *items, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        PLI_TRY(make_room(sweep->broad, count - i));
        compare(sweep, &items[i], items + i + 1, count - i - 1);
    }
    return PLIANT_OK;
}

/* ---- 4. Pairs with larger ones -------------------------------------------------------------- */

/* The column of a coarser level with this key, or -1. */
static int64_t find_column(Sweep *sweep, int level, uint64_t key)
{
    const PliColumn *columns = sweep->columns->items;
    int64_t low = sweep->first[level], high = sweep->first[level + 1];
    int64_t recent = sweep->recent[level];
    if (low == high)
        return -1;
    if (columns[recent].key == key)
        return recent;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (columns[middle].key <= key)
            low = middle;
        else
            high = middle;
    }
    sweep->recent[level] = low;
    return columns[low].key == key ? low : -1;
}

/* Compares an item with those of a column, from the first whose reach comes to it: the reach of an
 * item is the greatest end of all items up to it. */
static PliantResult visit_column(Sweep *sweep, const PliColumnItem *item, int64_t column)
{
    const PliColumn *columns = sweep->columns->items;
    const PliColumnItem *items = sweep->broad->items.items;
    const float *reaches = sweep->broad->reaches.items;
    int64_t low = column > 0 ? columns[column - 1].end : 0, high = columns[column].end, end = high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (reaches[middle] < item->low[2])
            low = middle + 1;
        else
            high = middle;
    }
    PLI_TRY(make_room(sweep->broad, end - low + 1));
    compare(sweep, item, items + low, end - low);
    return PLIANT_OK;
}

static PliantResult visit_level(Sweep *sweep, const PliColumnItem *item, int level)
{
    PliInt4 cells = {0, 0, 0, 0};
    PliColumnItem visitor = *item;
    if (level > 0)
        cells = pli_grid_cells(sweep->grid, level, &sweep->input->boxes[item->body]);
    for (int32_t u = cells[0]; u <= cells[2]; u++)
        for (int32_t v = cells[1]; v <= cells[3]; v++) {
            int64_t column = find_column(sweep, level, pli_grid_key(level, u, v));
            if (column < 0)
                continue;
            visitor.begins = (u == cells[0] ? BEGINS_U : 0) | (v == cells[1] ? BEGINS_V : 0);
            PLI_TRY(visit_column(sweep, &visitor, column));
        }
    return PLIANT_OK;
}

/* Each body once: in its first cell. */
static PliantResult visit_coarser(Sweep *sweep, const Filling *filling)
{
    for (int level = 0; level < filling->level; level++) {
        if (sweep->first[level] == sweep->first[level + 1])
            continue;
        for (int64_t i = 0; i < filling->count; i++) {
            if (filling->items[i].begins != BEGINS)
                continue;
            PLI_TRY(visit_level(sweep, &filling->items[i], level));
        }
    }
    return PLIANT_OK;
}

/* ---- The call ------------------------------------------------------------------------------- */

/* Room for a column. The items of coarse columns stay; those of the finest level are overwritten by
 * the next column. */
static PliantResult open_column(Sweep *sweep, Filling *filling, int64_t max_count)
{
    PliBroad *broad = sweep->broad;
    int64_t kept = broad->items.count;
    PLI_TRY(pli_array_reserve_spare(&broad->items, broad->host, kept + max_count));
    const bool is_finest = filling->level == sweep->grid->level_count - 1;
    PLI_TRY(
        pli_array_reserve_spare(&broad->reaches, broad->host, is_finest ? 0 : kept + max_count));
    filling->items = (PliColumnItem *)broad->items.items + kept;
    filling->patience = 8 * max_count + 64;
    return PLIANT_OK;
}

static void close_column(Sweep *sweep, const Filling *filling)
{
    PliBroad *broad = sweep->broad;
    pli_raise_peak(&broad->peaks.column_members, filling->count);
    int32_t *members = sweep->members->items;
    PliColumn *columns = sweep->columns->items;
    for (int64_t i = 0; i < filling->count; i++)
        members[sweep->members->count++] = filling->items[i].body;
    for (int level = filling->level + 1; level <= PLI_GRID_LEVELS; level++)
        sweep->first[level] = sweep->columns->count + 1;
    sweep->recent[filling->level] = sweep->columns->count;
    columns[sweep->columns->count++] = (PliColumn){filling->key, sweep->members->count};
    if (filling->level == sweep->grid->level_count - 1)
        return;
    float *reaches = broad->reaches.items, reach = -INFINITY;
    for (int64_t i = 0; i < filling->count; i++) {
        reach = filling->items[i].high[2] > reach ? filling->items[i].high[2] : reach;
        reaches[broad->items.count++] = reach;
    }
    broad->reaches.count = broad->items.count;
}

static PliantResult process_column(Sweep *sweep, uint64_t key, int64_t old_begin, int64_t old_end)
{
    int64_t max_count = old_end - old_begin;
    for (int64_t i = sweep->next_newcomer;
         i < sweep->newcomer_count && sweep->newcomers[i].key == key; i++)
        max_count++;
    Filling filling = {.key = key,
                       .level = pli_key_level(key),
                       .u = pli_key_cell(key, 0),
                       .v = pli_key_cell(key, 1)};
    PLI_TRY(open_column(sweep, &filling, max_count));
    fill(sweep, &filling, old_begin, old_end);
    if (filling.count == 0)
        return PLIANT_OK;
    if (filling.patience < 0)
        PLI_TRY(sort_items(sweep, &filling));
    PLI_TRY(sweep_column(sweep, filling.items, filling.count));
    PLI_TRY(visit_coarser(sweep, &filling));
    close_column(sweep, &filling);
    return PLIANT_OK;
}

/* Reserves room for all members, and for all columns that there can be. */
static PliantResult prepare_columns(Sweep *sweep)
{
    PliBroad *broad = sweep->broad;
    int64_t old_column_count = broad->columns[broad->current].count, column_count;
    sweep->old_columns = broad->columns[broad->current].items;
    sweep->old_members = broad->members[broad->current].items;
    sweep->old_member_count = broad->members[broad->current].count;
    sweep->columns = &broad->columns[!broad->current];
    sweep->members = &broad->members[!broad->current];
    sweep->columns->count = sweep->members->count = 0;
    column_count = old_column_count;
    for (int64_t i = 0; i < sweep->newcomer_count; i++)
        column_count += i == 0 || sweep->newcomers[i].key != sweep->newcomers[i - 1].key;
    PLI_TRY(pli_array_reserve_spare(sweep->columns, broad->host, column_count));
    return pli_array_reserve_spare(sweep->members, broad->host, sweep->member_count);
}

/* Goes through old columns and those of newcomers, both in the order of their keys. */
static PliantResult process_columns(Sweep *sweep)
{
    PliBroad *broad = sweep->broad;
    const int64_t old_count = broad->columns[broad->current].count;
    PLI_TRY(prepare_columns(sweep));
    broad->items.count = broad->reaches.count = 0;
    for (int64_t old = 0, old_begin = 0;;) {
        const bool has_newcomer = sweep->next_newcomer < sweep->newcomer_count;
        bool is_old = old < old_count;
        if (!is_old && !has_newcomer)
            break;
        uint64_t key = is_old ? sweep->old_columns[old].key : UINT64_MAX;
        if (has_newcomer && sweep->newcomers[sweep->next_newcomer].key < key) {
            key = sweep->newcomers[sweep->next_newcomer].key;
            is_old = false;
        }
        const int64_t old_end = is_old ? sweep->old_columns[old].end : old_begin;
        PLI_TRY(process_column(sweep, key, old_begin, old_end));
        old_begin = old_end;
        old += is_old;
    }
    broad->current = !broad->current;
    pli_raise_peak(&broad->peaks.columns, sweep->columns->count);
    pli_raise_peak(&broad->peaks.members, sweep->members->count);
    pli_raise_peak(&broad->peaks.coarse_members, broad->items.count);
    return PLIANT_OK;
}

bool pli_filters_matter(const PliBroadInput *input)
{
    uint32_t categories = UINT32_MAX, collides_with = UINT32_MAX;
    for (int32_t i = 0; i < input->count; i++) {
        categories &= input->categories[i];
        collides_with &= input->collides_with[i];
    }
    return (categories & collides_with) == 0; /* else all have one bit in common */
}

void pli_sweep_forget(PliBroad *broad)
{
    for (int i = 0; i < 2; i++)
        broad->columns[i].count = broad->members[i].count = 0;
    broad->ranges.count = 0;
}

/* With the grid that the tuner wants. */
static PliantResult sweep_once(PliBroad *broad, const PliBroadInput *input)
{
    if (pli_grid_update(&broad->tuner, &broad->grid, input->boxes, input->count))
        pli_sweep_forget(broad);
    Sweep sweep = {.broad = broad,
                   .input = input,
                   .grid = &broad->grid,
                   .is_filtered = pli_filters_matter(input)};
    broad->found.count = 0;
    PLI_TRY(locate_bodies(&sweep));
    PLI_TRY(sort_newcomers(&sweep));
    PLI_TRY(process_columns(&sweep));
    pli_grid_learn(&broad->tuner, &broad->grid, (double)sweep.compared,
                   (double)input->count + (double)broad->found.count, (double)sweep.newcomer_count);
    return PLIANT_OK;
}

/* The search for a better grid takes place within one call. Otherwise a later call with the same
 * boxes would need memory for another grid. */
PliantResult pli_sweep(PliBroad *broad, const PliBroadInput *input)
{
    PliantResult result;
    do
        result = sweep_once(broad, input);
    while (result == PLIANT_OK && broad->tuner.is_due);
    return result;
}
