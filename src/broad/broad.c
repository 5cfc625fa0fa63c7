/* The call, and brute force for few boxes: see broad.h.
 *
 * Brute force compares a box with four others at once, stored by coordinate. Measured at the
 * density of bench/broad.c, the sweep becomes faster from about PLI_BROAD_FEW boxes that move a
 * little.
 */
#include "broad/broad.h"

#include "base/round.h"
#include "base/sort.h"
#include "broad/order.h"
#include "broad/sweep.h"

/* ---- Memory --------------------------------------------------------------------------------- */

/* Where the arrays are, and the size of what is in each. */
typedef struct ArrayPlace {
    size_t offset, item_size;
} ArrayPlace;

static const ArrayPlace array_places[] = {
    {offsetof(PliBroad, columns[0]), sizeof(PliColumn)},
    {offsetof(PliBroad, columns[1]), sizeof(PliColumn)},
    {offsetof(PliBroad, members[0]), sizeof(int32_t)},
    {offsetof(PliBroad, members[1]), sizeof(int32_t)},
    {offsetof(PliBroad, ranges), sizeof(PliCellRange)},
    {offsetof(PliBroad, parts), sizeof(PliBroadPart)},
    {offsetof(PliBroad, changed), sizeof(uint64_t)},
    {offsetof(PliBroad, rest), sizeof(PliRanked)},
    {offsetof(PliBroad, sample), sizeof(uint64_t)},
    {offsetof(PliBroad, coarse), sizeof(PliColumnItem)},
    {offsetof(PliBroad, reaches), sizeof(float)},
    {offsetof(PliBroad, lanes), sizeof(PliFloat4)},
    {offsetof(PliBroad, pairs), sizeof(PliBroadPair)},
};
enum { ARRAYS = sizeof array_places / sizeof *array_places };

static PliArray *array_at(PliBroad *broad, int i)
{
    return (PliArray *)(void *)((char *)broad + array_places[i].offset);
}

void pli_broad_init(PliBroad *broad, const PliantHost *host)
{
    *broad = (PliBroad){.host = host};
    for (int i = 0; i < ARRAYS; i++)
        array_at(broad, i)->item_size = array_places[i].item_size;
}

static void free_part(PliBroadPart *part, const PliantHost *host)
{
    pli_array_free(&part->newcomers, host);
    pli_array_free(&part->items, host);
    pli_array_free(&part->ranked[0], host);
    pli_array_free(&part->ranked[1], host);
    pli_array_free(&part->found, host);
}

void pli_broad_free(PliBroad *broad)
{
    for (int64_t i = 0; i < broad->parts.count; i++)
        free_part((PliBroadPart *)broad->parts.items + i, broad->host);
    for (int i = 0; i < ARRAYS; i++)
        pli_array_free(array_at(broad, i), broad->host);
    pli_broad_init(broad, broad->host);
}

PliantResult pli_broad_make_parts(PliBroad *broad, int32_t count)
{
    PLI_TRY(pli_array_reserve(&broad->parts, broad->host, count));
    for (PliBroadPart *part; broad->parts.count < count; broad->parts.count++) {
        part = (PliBroadPart *)broad->parts.items + broad->parts.count;
        *part = (PliBroadPart){
            .newcomers.item_size = sizeof(PliRanked),
            .items.item_size = sizeof(PliColumnItem),
            .ranked = {{.item_size = sizeof(PliRanked)}, {.item_size = sizeof(PliRanked)}},
            .found.item_size = sizeof(PliBroadPair)};
    }
    return PLIANT_OK;
}

/* ---- Few ------------------------------------------------------------------------------------ */

/* Four boxes by coordinate. */
typedef struct Four {
    PliFloat4 low[3], high[3];
} Four;

typedef int64_t Long2 __attribute__((vector_size(16)));

/* Absent boxes become NaN, which compares as false, and so do the unused lanes of the last four. */
static void fill_fours(const PliBroadInput *input, Four *fours)
{
    for (int64_t i = 0; i < pli_round_up(input->count, 4); i++) {
        bool is_present = i < input->count && pli_box_is_present(&input->boxes[i]);
        for (int k = 0; k < 3; k++) {
            fours[i / 4].low[k][i % 4] = is_present ? input->boxes[i].low[k] : NAN;
            fours[i / 4].high[k][i % 4] = is_present ? input->boxes[i].high[k] : NAN;
        }
    }
}

/* All bits set in the lanes that overlap a box. */
static inline PliInt4 overlap(const Four *four, const PliFloat4 low[3], const PliFloat4 high[3])
{
    PliInt4 overlaps = (four->low[0] <= high[0]) & (four->high[0] >= low[0]);
    overlaps &= (four->low[1] <= high[1]) & (four->high[1] >= low[1]);
    return overlaps & (four->low[2] <= high[2]) & (four->high[2] >= low[2]);
}

/* Writes the pairs of box a with those after it. There is room for all of them. */
static int64_t brute_one(const PliBroadInput *input, const Four *fours, int32_t a,
                         PliBroadPair *pairs)
{
    PliFloat4 low[3], high[3];
    for (int k = 0; k < 3; k++) {
        float l = fours[a / 4].low[k][a % 4], h = fours[a / 4].high[k][a % 4];
        low[k] = (PliFloat4){l, l, l, l};
        high[k] = (PliFloat4){h, h, h, h};
    }
    const int64_t four_count = pli_div_up(input->count, 4);
    int64_t count = 0;
    for (int64_t f = a / 4; f < four_count; f++) {
        PliInt4 overlaps = overlap(&fours[f], low, high);
        if (PLI_LIKELY((((Long2)overlaps)[0] | ((Long2)overlaps)[1]) == 0))
            continue;
        for (int lane = 0; lane < 4; lane++) {
            int64_t b = 4 * f + lane;
            if (overlaps[lane] && b > a && pli_filter_allows(input, a, (int32_t)b))
                pairs[count++] = (PliBroadPair){a, (int32_t)b};
        }
    }
    return count;
}

static PliantResult brute(PliBroad *broad, const PliBroadInput *input)
{
    PliArray *lanes = &broad->lanes, *pairs = &broad->pairs;
    const int64_t four_count = pli_div_up(input->count, 4);
    PLI_TRY(pli_array_reserve_spare(lanes, broad->host, 6 * four_count));
    if (input->count == 0)
        return PLIANT_OK;
    fill_fours(input, lanes->items);
    for (int32_t a = 0; a < input->count; a++) {
        PLI_TRY(pli_array_reserve_spare(pairs, broad->host, pairs->count + input->count - a));
        PliBroadPair *to = (PliBroadPair *)pairs->items + pairs->count;
        pairs->count += brute_one(input, lanes->items, a, to);
    }
    return PLIANT_OK;
}

/* ---- Peaks ---------------------------------------------------------------------------------- */

/* Reserves what a later call can need that exceeds no peak. Such a call may fill either of the two
 * sets of columns. Its columns are at most those of the call before and as many new ones; likewise
 * the members of one column, before the ones that have left are dropped. All members can be
 * newcomers, any column can lose its order, and pairs are found with a whole column, or all boxes,
 * still to compare. */
static PliantResult reserve_peaks(PliBroad *broad, int32_t box_count)
{
    PliBroadPeaks *peaks = &broad->peaks;
    pli_raise_peak(&peaks->boxes, box_count);
    pli_raise_peak(&peaks->pairs, broad->pairs.count);
    PLI_TRY(pli_broad_make_parts(broad, 1));
    PliBroadPart *part = broad->parts.items; /* the only one, with one worker */
    const struct {
        PliArray *array;
        int64_t count;
    } needs[] = {
        {&broad->columns[0], 2 * peaks->columns},
        {&broad->columns[1], 2 * peaks->columns},
        {&broad->members[0], peaks->members},
        {&broad->members[1], peaks->members},
        {&part->newcomers, peaks->members},
        {&broad->rest, peaks->members},
        {&part->ranked[0], peaks->column_members},
        {&part->ranked[1], peaks->column_members},
        {&part->items, 2 * peaks->column_members},
        {&part->found, peaks->columns > 0 ? peaks->pairs + peaks->column_members + 2 : 0},
        {&broad->coarse, peaks->coarse_members},
        {&broad->reaches, peaks->coarse_members},
        {&broad->pairs, broad->lanes.capacity > 0 ? peaks->pairs + peaks->boxes : peaks->pairs},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        PLI_TRY(pli_array_reserve_spare(needs[i].array, broad->host, needs[i].count));
    }
    return PLIANT_OK;
}

/* ---- The call ------------------------------------------------------------------------------- */

static PliantResult find(PliBroad *broad, const PliBroadInput *input)
{
    bool is_few = input->kind == PLI_BROAD_AUTO && input->count <= PLI_BROAD_FEW;
    if (is_few || input->kind == PLI_BROAD_BRUTE)
        return brute(broad, input);
    const PliantResult result = pli_sweep(broad, input);
    if (result != PLIANT_OK)
        pli_broad_forget_columns(broad); /* columns and ranges may be of different calls */
    PLI_TRY(result);
    return pli_pairs_order(broad, input->count);
}

PliantResult pli_broad_find(PliBroad *broad, const PliBroadInput *input, const PliBroadPair **pairs,
                            int64_t *pair_count)
{
    broad->pairs.count = 0;
    PLI_TRY(find(broad, input));
    PLI_TRY(reserve_peaks(broad, input->count));
    *pairs = broad->pairs.items;
    *pair_count = broad->pairs.count;
    return PLIANT_OK;
}
