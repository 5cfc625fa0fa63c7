/* Dividing items among ranks, along a Hilbert curve: see pliant/mpi.h.
 *
 * A rank has a range of the curve. Where ranges end is found by halves, for all ends at once: in
 * each of 63 rounds all ranks add up what is before the ends that are tried. So no rank ever has
 * the items of another, and costs are whole numbers, whose sum does not depend on who adds them.
 * The curve is J. Skilling's, "Programming the Hilbert curve", 2004: three coordinates of 21 bits.
 */
#include "shared.h"

#include <math.h>
#include <string.h>

enum { BITS = 21, ROUNDS = 3 * BITS };

/* An item, and what it costs with all before it on the curve. */
typedef struct Item {
    uint64_t key, cost;
    int64_t item;
} Item;

/* ---- The curve ---------------------------------------------------------------------------------
 */

/* Coordinates to the "transpose" of the place on the curve. */
static void turn_axes(uint32_t x[3])
{
    for (uint32_t q = UINT32_C(1) << (BITS - 1); q > 1; q >>= 1)
        for (int i = 0; i < 3; i++) {
            const uint32_t exchanged = x[i] & q ? 0 : (x[0] ^ x[i]) & (q - 1);
            x[0] ^= x[i] & q ? q - 1 : exchanged;
            x[i] ^= exchanged;
        }
    for (int i = 1; i < 3; i++)
        x[i] ^= x[i - 1];
    uint32_t turned = 0;
    for (uint32_t q = UINT32_C(1) << (BITS - 1); q > 1; q >>= 1)
        turned ^= x[2] & q ? q - 1 : 0;
    for (int i = 0; i < 3; i++)
        x[i] ^= turned;
}

static uint64_t place_on_curve(const PliantBox *box, const double low[3], double size)
{
    const double cells = (double)(UINT32_C(1) << BITS);
    uint32_t x[3];
    for (int k = 0; k < 3; k++) {
        const double middle = (double)box->low[k] / 2 + (double)box->high[k] / 2;
        const double cell = size > 0 ? (middle - low[k]) / size * cells : 0;
        x[k] = cell >= cells ? (UINT32_C(1) << BITS) - 1 : cell > 0 ? (uint32_t)cell : 0;
    }
    turn_axes(x);
    uint64_t place = 0;
    for (int bit = BITS - 1; bit >= 0; bit--)
        for (int k = 0; k < 3; k++)
            place = place << 1 | (x[k] >> bit & 1);
    return place;
}

/* The least middle of all ranks' boxes along each axis, and how far they reach. */
static PliantResult find_extent(MPI_Comm communicator, const PliantMpiPartition *partition,
                                double low[3], double *size)
{
    double ends[6], all[6]; /* low ends, and high ends below zero: the least of both */
    for (int k = 0; k < 6; k++)
        ends[k] = INFINITY;
    for (int64_t i = 0; i < partition->count; i++)
        for (int k = 0; k < 3; k++) {
            const PliantBox *box = &partition->boxes[i];
            const double middle = (double)box->low[k] / 2 + (double)box->high[k] / 2;
            ends[k] = middle < ends[k] ? middle : ends[k];
            ends[k + 3] = -middle < ends[k + 3] ? -middle : ends[k + 3];
        }
    PLI_MPI_CALL(MPI_Allreduce(ends, all, 6, MPI_DOUBLE, MPI_MIN, communicator));
    *size = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = all[k];
        *size = -all[k + 3] - all[k] > *size ? -all[k + 3] - all[k] : *size;
    }
    return PLIANT_OK;
}

/* ---- Ranges ------------------------------------------------------------------------------------
 */

static int by_place(const void *one, const void *other)
{
    const Item *x = one, *y = other;
    return PLI_MPI_ORDER(x->key, y->key);
}

/* What this rank's items cost whose places are below a key. */
static uint64_t cost_below(const Item *items, int64_t count, uint64_t key)
{
    int64_t low = 0, high = count;
    while (low < high) {
        const int64_t half = low + (high - low) / 2;
        if (items[half].key < key)
            low = half + 1;
        else
            high = half;
    }
    return low > 0 ? items[low - 1].cost : 0;
}

/* Sets ends[r] to the greatest key below which is not more than the share of the ranks 0 to r. */
static PliantResult find_ends(MPI_Comm communicator, const PliMpiArray *items, int rank_count,
                              uint64_t total, uint64_t *ends, uint64_t *own, uint64_t *all)
{
    memset(ends, 0, (size_t)rank_count * sizeof *ends);
    for (int round = ROUNDS - 1; round >= 0; round--) {
        for (int r = 0; r < rank_count; r++)
            own[r] = cost_below(items->items, items->count, ends[r] | UINT64_C(1) << round);
        PLI_MPI_CALL(MPI_Allreduce(own, all, rank_count, MPI_UINT64_T, MPI_SUM, communicator));
        for (int r = 0; r < rank_count; r++) {
            const double share = (double)total / rank_count * (r + 1);
            ends[r] |= (double)all[r] <= share ? UINT64_C(1) << round : 0;
        }
    }
    return PLIANT_OK;
}

/* Items of one place are on one rank. */
static void assign(const PliMpiArray *array, const uint64_t *ends, int rank_count, int32_t *ranks)
{
    const Item *items = array->items;
    int32_t rank = 0;
    for (int64_t i = 0; i < array->count; i++) {
        while (rank < rank_count - 1 && items[i].key >= ends[rank])
            rank++;
        ranks[items[i].item] = rank;
    }
}

/* The most expensive rank before and after. */
static PliantResult find_gain(MPI_Comm communicator, const PliantMpiPartition *partition,
                              const int32_t *ranks, int rank_count, uint64_t *own, uint64_t *all,
                              double *gain)
{
    uint64_t before = 0, max_before = 0, max_after = 0;
    memset(own, 0, (size_t)rank_count * sizeof *own);
    for (int64_t i = 0; i < partition->count; i++) {
        const uint64_t cost = partition->costs ? partition->costs[i] : 1;
        own[ranks[i]] += cost;
        before += cost;
    }
    PLI_MPI_CALL(MPI_Allreduce(own, all, rank_count, MPI_UINT64_T, MPI_SUM, communicator));
    PLI_MPI_CALL(MPI_Allreduce(&before, &max_before, 1, MPI_UINT64_T, MPI_MAX, communicator));
    for (int r = 0; r < rank_count; r++)
        max_after = all[r] > max_after ? all[r] : max_after;
    *gain = max_after > 0 ? (double)max_before / (double)max_after : 1;
    return PLIANT_OK;
}

/* ---- The call ----------------------------------------------------------------------------------
 */

typedef struct Scratch {
    PliMpiMemory memory;
    PliMpiArray items, spare; /* of Item */
    PliMpiArray numbers;      /* of uint64_t: three for each rank */
} Scratch;

static PliantResult check(const PliantMpiPartition *given, const int32_t *ranks, int64_t capacity,
                          PliantMpiPartition *partition, PliMpiMemory *memory)
{
    const char *name = "pliant_mpi_partition";
    *partition = pliant_mpi_partition_default();
    PLI_MPI_TRY(pli_mpi_memory_init(memory, NULL));
    if (!given)
        return PLIANT_BAD_ARGUMENT;
    if (!pli_backend_read(partition, sizeof *partition, given, given->struct_size))
        return PLIANT_BAD_DEF;
    PLI_MPI_TRY(pli_mpi_memory_init(memory, partition->host));
    if (partition->count < 0 || capacity < partition->count || !(partition->min_gain >= 1) ||
        (partition->count > 0 && (!partition->boxes || !ranks)))
        return pli_mpi_mistake(memory, name, PLIANT_BAD_ARGUMENT,
                               "count, capacity, min_gain, boxes or ranks is out of its range");
    for (int64_t i = 0; i < 6 * partition->count; i++)
        if (!isfinite(
                (i % 6 < 3 ? partition->boxes[i / 6].low : partition->boxes[i / 6].high)[i % 3]))
            return pli_mpi_mistake(memory, name, PLIANT_BAD_ARGUMENT, "boxes[%lld] is not finite",
                                   (long long)(i / 6));
    return PLIANT_OK;
}

static PliantResult make_room(Scratch *scratch, const PliantMpiPartition *partition, int rank_count)
{
    PLI_MPI_TRY(pli_mpi_reserve(&scratch->items, &scratch->memory, partition->count));
    PLI_MPI_TRY(pli_mpi_reserve(&scratch->spare, &scratch->memory, partition->count));
    return pli_mpi_reserve(&scratch->numbers, &scratch->memory, 3 * (int64_t)rank_count);
}

/* Puts items along the curve. Returns what they cost. */
static uint64_t line_up(Scratch *scratch, const PliantMpiPartition *partition, const double low[3],
                        double size)
{
    uint64_t cost = 0;
    scratch->items.count = partition->count;
    for (int64_t i = 0; i < partition->count; i++)
        ((Item *)scratch->items.items)[i] = (Item){place_on_curve(&partition->boxes[i], low, size),
                                                   partition->costs ? partition->costs[i] : 1, i};
    (void)pli_mpi_sort(&scratch->items, &scratch->spare, &scratch->memory, by_place);
    for (int64_t i = 0; i < partition->count; i++) {
        cost += ((Item *)scratch->items.items)[i].cost;
        ((Item *)scratch->items.items)[i].cost = cost;
    }
    return cost;
}

static PliantResult divide(MPI_Comm communicator, Scratch *scratch,
                           const PliantMpiPartition *partition, int rank, int rank_count,
                           int32_t *ranks)
{
    double low[3], size = 0, gain = 1;
    uint64_t total = 0, *ends = scratch->numbers.items, *own = ends + rank_count;
    uint64_t *all = own + rank_count;
    PLI_MPI_TRY(find_extent(communicator, partition, low, &size));
    const uint64_t cost = line_up(scratch, partition, low, size);
    PLI_MPI_CALL(MPI_Allreduce(&cost, &total, 1, MPI_UINT64_T, MPI_SUM, communicator));
    PLI_MPI_TRY(find_ends(communicator, &scratch->items, rank_count, total, ends, own, all));
    assign(&scratch->items, ends, rank_count, ranks);
    PLI_MPI_TRY(find_gain(communicator, partition, ranks, rank_count, own, all, &gain));
    for (int64_t i = 0; i < partition->count && gain < partition->min_gain; i++)
        ranks[i] = rank;
    return PLIANT_OK;
}

PliantResult pliant_mpi_partition(MPI_Comm communicator, const PliantMpiPartition *given,
                                  int32_t *ranks, int64_t capacity)
{
    PliantMpiPartition partition;
    Scratch scratch = {.items = {.item_size = sizeof(Item)},
                       .spare = {.item_size = sizeof(Item)},
                       .numbers = {.item_size = sizeof(uint64_t)}};
    int rank = 0, rank_count = 1, greatest = 0;
    PLI_MPI_CALL(MPI_Comm_rank(communicator, &rank));
    PLI_MPI_CALL(MPI_Comm_size(communicator, &rank_count));
    PliantResult result = check(given, ranks, capacity, &partition, &scratch.memory);
    if (result == PLIANT_OK)
        result = make_room(&scratch, &partition, rank_count);
    const int mine = (int)result;
    if (MPI_Allreduce(&mine, &greatest, 1, MPI_INT, MPI_MAX, communicator) != MPI_SUCCESS)
        greatest = PLIANT_UNSUPPORTED;
    result = (PliantResult)greatest;
    if (result == PLIANT_OK)
        result = divide(communicator, &scratch, &partition, rank, rank_count, ranks);
    pli_mpi_free(&scratch.items, &scratch.memory);
    pli_mpi_free(&scratch.spare, &scratch.memory);
    pli_mpi_free(&scratch.numbers, &scratch.memory);
    return result;
}
