/* Sweep and prune in columns.
 *
 * 1. The cells of every body are computed (grid.h). If they differ from those of the last call, the
 *    body is marked, and becomes a newcomer in each new cell. Newcomers are sorted by cell and
 *    along the sweep.
 * 2. Columns are processed in the order of their cells, coarse levels first. The members of the
 *    last call that are still members come in their last order, merged with the newcomers, and each
 * is inserted from the end. If little has moved, the end is the right position.
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
 * Several workers take bodies by number in step 1, then columns by key. Each works on a part of
 * them, and writes to that part and to places of its own in the arrays of all. Coarse columns come
 * first and are done by one, since the others visit them.
 *
 * The worst case are long thin bodies in all directions: they share large cells, and are compared
 * with many that they do not overlap.
 */
#include "broad/column.h"

#include "base/round.h"
#include "base/tasks.h"

#include <string.h>

/* ---- 1. Cells -------------------------------------------------------------------------------- */

static PliantResult add_newcomers(PliBroadPart *part, const PliantHost *host, int32_t body,
                                  const PliCellRange *old, const PliCellRange *range, float low)
{
    if (range->level < 0)
        return PLIANT_OK;
    uint32_t rank = pli_rank_of(low);
    for (int32_t u = range->low[0]; u <= range->low[0] + range->span[0]; u++)
        for (int32_t v = range->low[1]; v <= range->low[1] + range->span[1]; v++) {
            void *item;
            if (pli_range_covers(old, range->level, u, v))
                continue;
            PLI_TRY(pli_array_push(&part->newcomers, host, 1, &item));
            *(PliRanked *)item = (PliRanked){pli_grid_key(range->level, u, v), rank, body};
        }
    return PLIANT_OK;
}

/* Room for `count` bodies. New ones are in no cell. */
static PliantResult prepare_ranges(PliBroad *broad, int32_t count)
{
    PLI_TRY(pli_array_reserve_spare(&broad->ranges, broad->host, count));
    PLI_TRY(pli_array_reserve_spare(&broad->changed, broad->host, count / 64 + 1));
    PliCellRange *ranges = broad->ranges.items;
    for (int64_t i = broad->ranges.count; i < count; i++)
        ranges[i] = (PliCellRange){.level = -1};
    broad->ranges.count = count;
    return PLIANT_OK;
}

/* Computes the cells of some bodies, beginning with a word of marks. */
static PliantResult locate(const PliSweepAndPrune *sweep, PliBroadPart *part, int32_t first,
                           int32_t end)
{
    const PliBroad *broad = sweep->broad;
    const PliBroadInput *input = sweep->input;
    PliCellRange *ranges = broad->ranges.items;
    uint64_t *changed = broad->changed.items;
    if (end > first)
        memset(changed + first / 64, 0, (size_t)((end - first + 63) / 64) * sizeof *changed);
    for (int32_t i = first; i < end; i++) {
        const PliBox *box = &input->boxes[i];
        PliCellRange range = pli_grid_range(sweep->grid, box);
        part->member_count += range.level < 0 ? 0 : (range.span[0] + 1) * (range.span[1] + 1);
        part->categories &= input->categories[i];
        part->collides_with &= input->collides_with[i];
        if (memcmp(&range, &ranges[i], sizeof range) == 0)
            continue;
        changed[i / 64] |= (uint64_t)1 << (i % 64);
        PLI_TRY(
            add_newcomers(part, broad->host, i, &ranges[i], &range, box->low[sweep->grid->along]));
        ranges[i] = range;
    }
    return PLIANT_OK;
}

/* PliantTask. */
static void locate_part(void *data, int32_t index, int32_t worker)
{
    (void)worker;
    const PliSweepAndPrune *sweep = data;
    PliBroadPart *part = &sweep->parts[index];
    const int64_t words = sweep->input->count / 64 + 1;
    const int64_t first = 64 * pli_part_begin(index, sweep->part_count, words),
                  end = 64 * pli_part_begin(index + 1, sweep->part_count, words);
    part->newcomers.count = 0;
    part->member_count = 0;
    part->categories = part->collides_with = UINT32_MAX;
    part->result = locate(sweep, part, (int32_t)first,
                          end < sweep->input->count ? (int32_t)end : sweep->input->count);
}

/* Finds the newcomers of all bodies, in the order of these. Returns the number of members that
 * columns will have. */
static PliantResult locate_bodies(PliSweepAndPrune *sweep, int64_t *member_count)
{
    PliBroad *broad = sweep->broad;
    PliArray *newcomers = &sweep->parts[0].newcomers;
    uint32_t categories = UINT32_MAX, collides_with = UINT32_MAX;
    PLI_TRY(prepare_ranges(broad, sweep->input->count));
    pli_tasks_run(broad->host, locate_part, sweep, sweep->part_count);
    for (int32_t i = 0; i < sweep->part_count; i++) {
        const PliBroadPart *part = &sweep->parts[i];
        PLI_TRY(part->result);
        if (i > 0)
            PLI_TRY(pli_array_append(newcomers, broad->host, &part->newcomers));
        *member_count += part->member_count;
        categories &= part->categories;
        collides_with &= part->collides_with;
    }
    sweep->is_filtered = (categories & collides_with) == 0; /* else all have one bit in common */
    return PLIANT_OK;
}

static PliantResult sort_newcomers(PliSweepAndPrune *sweep)
{
    PliBroad *broad = sweep->broad;
    PliArray *newcomers = &sweep->parts[0].newcomers;
    sweep->newcomer_count = newcomers->count;
    PLI_TRY(pli_array_reserve_spare(&broad->rest, broad->host, sweep->newcomer_count));
    sweep->newcomers = pli_sort_ranked(newcomers->items, broad->rest.items, newcomers->count);
    return PLIANT_OK;
}

/* ---- 2. Columns ------------------------------------------------------------------------------ */

/* The next column of a part, of those that were there and those of newcomers, both in the order of
 * their keys. */
static PliFilling next_column(const PliSweepAndPrune *sweep, const PliBroadPart *part, bool *is_old)
{
    *is_old = part->next_old < part->old_end;
    uint64_t key = *is_old ? sweep->old_columns[part->next_old].key : UINT64_MAX;
    if (part->next_newcomer < part->newcomer_end &&
        sweep->newcomers[part->next_newcomer].key < key) {
        key = sweep->newcomers[part->next_newcomer].key;
        *is_old = false;
    }
    return (PliFilling){.key = key,
                        .level = pli_key_level(key),
                        .u = pli_key_cell(key, 0),
                        .v = pli_key_cell(key, 1)};
}

/* Keeps the boxes of a coarse column, since bodies of finer ones visit it. Coarse columns come
 * first: their boxes are where their members are. */
static PliantResult keep_coarse(PliSweepAndPrune *sweep, const PliBroadPart *part,
                                const PliFilling *filling)
{
    PliBroad *broad = sweep->broad;
    void *items, *room;
    PLI_TRY(pli_array_push(&broad->coarse, broad->host, filling->count, &items));
    PLI_TRY(pli_array_push(&broad->reaches, broad->host, filling->count, &room));
    if (filling->count > 0)
        memcpy(items, filling->items, (size_t)filling->count * sizeof *filling->items);
    float *reaches = room, reach = -INFINITY;
    for (int64_t i = 0; i < filling->count; i++) {
        reach = filling->items[i].high[2] > reach ? filling->items[i].high[2] : reach;
        reaches[i] = reach;
    }
    for (int level = filling->level + 1; level <= PLI_GRID_LEVELS; level++)
        sweep->first[level] = part->column_count;
    return PLIANT_OK;
}

/* The coarse columns, which are in the first part. */
static PliantResult process_coarse(PliSweepAndPrune *sweep)
{
    PliBroadPart *part = &sweep->parts[0];
    const PliColumn none = {0};
    sweep->broad->coarse.count = sweep->broad->reaches.count = 0;
    for (bool is_old;;) {
        PliFilling filling = next_column(sweep, part, &is_old);
        if (filling.level >= sweep->grid->level_count - 1)
            return PLIANT_OK;
        const PliColumn *old = is_old ? &sweep->old_columns[part->next_old++] : &none;
        PLI_TRY(pli_column_process(sweep, part, &filling, old->begin, old->end));
        PLI_TRY(keep_coarse(sweep, part, &filling));
    }
}

static PliantResult process_fine(const PliSweepAndPrune *sweep, PliBroadPart *part)
{
    const PliColumn none = {0};
    while (part->next_old < part->old_end || part->next_newcomer < part->newcomer_end) {
        bool is_old;
        PliFilling filling = next_column(sweep, part, &is_old);
        const PliColumn *old = is_old ? &sweep->old_columns[part->next_old++] : &none;
        PLI_TRY(pli_column_process(sweep, part, &filling, old->begin, old->end));
    }
    return PLIANT_OK;
}

/* PliantTask. */
static void process_part(void *data, int32_t index, int32_t worker)
{
    (void)worker;
    const PliSweepAndPrune *sweep = data;
    PliBroadPart *part = &sweep->parts[index];
    part->result = process_fine(sweep, part);
}

/* ---- Which columns are in which part --------------------------------------------------------- */

/* The first newcomer, and the first old column, that has at least this key. */
static int64_t first_newcomer(const PliSweepAndPrune *sweep, uint64_t key)
{
    int64_t low = 0, high = sweep->newcomer_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sweep->newcomers[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t first_old_column(const PliSweepAndPrune *sweep, uint64_t key)
{
    int64_t low = 0, high = sweep->old_column_count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sweep->old_columns[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t count_new_keys(const PliRanked *newcomers, int64_t begin, int64_t end)
{
    int64_t keys = end > begin;
    for (int64_t i = begin + 1; i < end; i++)
        keys += newcomers[i].key != newcomers[i - 1].key;
    return keys;
}

/* Gives each part the columns from its first key to that of the next part, and room for as many
 * columns and members as these can have. Returns how many that is in all. */
static void start_parts(PliSweepAndPrune *sweep, int64_t *column_count, int64_t *member_count)
{
    int64_t newcomer = 0, old = 0, columns = 0, members = 0;
    for (int32_t i = 0; i < sweep->part_count; i++) {
        PliBroadPart *part = &sweep->parts[i];
        const bool is_last = i == sweep->part_count - 1;
        part->next_newcomer = newcomer;
        part->next_old = old;
        newcomer = is_last ? sweep->newcomer_count : first_newcomer(sweep, part[1].first_key);
        old = is_last ? sweep->old_column_count : first_old_column(sweep, part[1].first_key);
        part->newcomer_end = newcomer;
        part->old_end = old;
        part->old_member_end = old > 0 ? sweep->old_columns[old - 1].end : 0;
        part->column_begin = columns;
        part->member_begin = members;
        columns += old - part->next_old;
        columns += count_new_keys(sweep->newcomers, part->next_newcomer, newcomer);
        members += newcomer - part->next_newcomer;
        for (int64_t k = part->next_old; k < old; k++)
            members += sweep->old_columns[k].end - sweep->old_columns[k].begin;
        part->column_count = part->member_count = part->compared = part->max_members = 0;
        part->found.count = 0;
        memset(part->recent, 0, sizeof part->recent);
    }
    *column_count = columns;
    *member_count = members;
}

/* Where parts begin, so that each has about as many bodies: from the cells of a sample. */
static PliantResult choose_first_keys(PliSweepAndPrune *sweep)
{
    enum { SAMPLES = 64 };
    const PliBroad *broad = sweep->broad;
    const PliCellRange *ranges = broad->ranges.items;
    const int finest = sweep->grid->level_count - 1;
    const int64_t wanted = (int64_t)SAMPLES * sweep->part_count;
    const int64_t step = pli_div_up(sweep->input->count, wanted);
    PLI_TRY(pli_array_reserve_spare(&sweep->broad->sample, broad->host, 2 * wanted));
    uint64_t *keys = broad->sample.items;
    int64_t count = 0;
    for (int64_t i = 0; i < sweep->input->count && sweep->part_count > 1; i += step)
        if (ranges[i].level == finest)
            keys[count++] = pli_grid_key(finest, ranges[i].low[0], ranges[i].low[1]);
    pli_sort_keys(keys, keys + wanted, count, 64);
    sweep->parts[0].first_key = 0;
    for (int32_t i = 1; i < sweep->part_count; i++)
        sweep->parts[i].first_key = count > 0 ? keys[i * count / sweep->part_count] : UINT64_MAX;
    return PLIANT_OK;
}

/* ---- The call ------------------------------------------------------------------------------- */

/* So many boxes are divided among workers, into so many parts for each. */
enum { MIN_DIVIDED = 16384, PARTS_PER_WORKER = 4 };

static PliantResult make_parts(PliSweepAndPrune *sweep)
{
    PliBroad *broad = sweep->broad;
    const bool is_divided = broad->host->worker_count > 1 &&
                            (sweep->input->count >= MIN_DIVIDED || broad->divides_everything);
    sweep->part_count = is_divided ? PARTS_PER_WORKER * broad->host->worker_count : 1;
    PLI_TRY(pli_broad_make_parts(broad, sweep->part_count));
    sweep->parts = broad->parts.items;
    return PLIANT_OK;
}

/* Room for the columns of this call. If there is one part, the number of members is known. */
static PliantResult prepare_columns(PliSweepAndPrune *sweep, int64_t member_count)
{
    PliBroad *broad = sweep->broad;
    PliArray *columns = &broad->columns[!broad->current],
             *members = &broad->members[!broad->current];
    int64_t max_columns, max_members;
    sweep->old_columns = broad->columns[broad->current].items;
    sweep->old_column_count = broad->columns[broad->current].count;
    sweep->old_members = broad->members[broad->current].items;
    PLI_TRY(choose_first_keys(sweep));
    start_parts(sweep, &max_columns, &max_members);
    PLI_TRY(pli_array_reserve_spare(columns, broad->host, max_columns));
    PLI_TRY(pli_array_reserve_spare(members, broad->host,
                                    sweep->part_count == 1 ? member_count : max_members));
    sweep->columns = columns->items;
    sweep->members = members->items;
    return PLIANT_OK;
}

/* Behind the members of a part there is room that it did not need. The next call looks so far ahead
 * of the last of them: at numbers that are no body's. */
static void mark_room(const PliSweepAndPrune *sweep, int32_t index)
{
    const PliBroadPart *part = &sweep->parts[index];
    const int64_t begin = part->member_begin + part->member_count;
    for (int64_t i = begin; i < begin + PLI_AHEAD && i < part[1].member_begin; i++)
        sweep->members[i] = INT32_MAX;
}

/* Brings the columns of all parts together, and all pairs to those of the first part. */
static PliantResult gather_parts(PliSweepAndPrune *sweep, int64_t *compared)
{
    PliBroad *broad = sweep->broad;
    int64_t column_count = 0, member_count = 0;
    for (int32_t i = 0; i < sweep->part_count; i++) {
        const PliBroadPart *part = &sweep->parts[i];
        PLI_TRY(part->result);
        if (part->column_count > 0)
            memmove(sweep->columns + column_count, sweep->columns + part->column_begin,
                    (size_t)part->column_count * sizeof *sweep->columns);
        column_count += part->column_count;
        member_count += part->member_count;
        *compared += part->compared;
        pli_raise_peak(&broad->peaks.column_members, part->max_members);
        if (i < sweep->part_count - 1)
            mark_room(sweep, i);
        if (i > 0)
            PLI_TRY(pli_array_append(&sweep->parts[0].found, broad->host, &part->found));
    }
    const PliBroadPart *last = &sweep->parts[sweep->part_count - 1];
    broad->columns[!broad->current].count = column_count;
    broad->members[!broad->current].count = last->member_begin + last->member_count;
    broad->current = !broad->current;
    pli_raise_peak(&broad->peaks.columns, column_count);
    pli_raise_peak(&broad->peaks.members, member_count);
    pli_raise_peak(&broad->peaks.coarse_members, broad->coarse.count);
    return PLIANT_OK;
}

void pli_broad_forget_columns(PliBroad *broad)
{
    for (int i = 0; i < 2; i++)
        broad->columns[i].count = broad->members[i].count = 0;
    broad->ranges.count = 0;
}

/* With the grid that the tuner wants. */
static PliantResult sweep_once(PliBroad *broad, const PliBroadInput *input)
{
    if (pli_grid_update(&broad->tuner, &broad->grid, input->boxes, input->count))
        pli_broad_forget_columns(broad);
    PliSweepAndPrune sweep = {.broad = broad, .input = input, .grid = &broad->grid};
    int64_t member_count = 0, compared = 0;
    PLI_TRY(make_parts(&sweep));
    PLI_TRY(locate_bodies(&sweep, &member_count));
    PLI_TRY(sort_newcomers(&sweep));
    PLI_TRY(prepare_columns(&sweep, member_count));
    PLI_TRY(process_coarse(&sweep));
    pli_tasks_run(broad->host, process_part, &sweep, sweep.part_count);
    PLI_TRY(gather_parts(&sweep, &compared));
    pli_grid_learn(&broad->tuner, &broad->grid, (double)compared,
                   (double)input->count + (double)sweep.parts[0].found.count,
                   (double)sweep.newcomer_count);
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
