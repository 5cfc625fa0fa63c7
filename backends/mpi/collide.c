/* The steps of all queries, and those for contacts: see shared.h. */
#include "shared.h"

#include <string.h>

/* ---- First contacts ----------------------------------------------------------------------------
 */

/* Of sorted contacts, keeps the first of each pair of keys. */
static void keep_firsts(PliMpiArray *contacts)
{
    PliantMpiContact *items = contacts->items;
    int64_t kept = 0;
    for (int64_t i = 0; i < contacts->count; i++)
        if (kept == 0 || pli_mpi_compare_keys(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
    contacts->count = kept;
}

/* How many bytes each rank has, and where they are put. */
static PliantResult gather_counts(PliantMpi *mpi, int64_t count, int64_t *total)
{
    const int64_t size = sizeof(PliantMpiContact);
    int *counts = mpi->counts, *starts = mpi->counts + mpi->rank_count;
    PLI_MPI_CALL(
        MPI_Allgather(&count, 1, MPI_INT64_T, mpi->sizes, 1, MPI_INT64_T, mpi->communicator));
    *total = 0;
    for (int rank = 0; rank < mpi->rank_count; rank++) {
        if (mpi->sizes[rank] > INT32_MAX / size - *total)
            return PLIANT_TOO_LARGE; /* on all ranks */
        counts[rank] = (int)(mpi->sizes[rank] * size);
        starts[rank] = (int)(*total * size);
        *total += mpi->sizes[rank];
    }
    return PLIANT_OK;
}

/* All ranks learn the first contacts of each. They are few: one for each pair of bodies of which
 * the lesser is in parts. */
static PliantResult gather_firsts(PliantMpi *mpi)
{
    PliMpiArray *own = &mpi->contact_scratch;
    int64_t total = 0;
    PLI_MPI_TRY(gather_counts(mpi, own->count, &total));
    PLI_MPI_TRY(pli_mpi_agree(mpi, pli_mpi_reserve(&mpi->gathered, &mpi->memory, total)));
    PLI_MPI_CALL(MPI_Allgatherv(own->items, mpi->counts[mpi->rank], MPI_BYTE, mpi->gathered.items,
                                mpi->counts, mpi->counts + mpi->rank_count, MPI_BYTE,
                                mpi->communicator));
    mpi->gathered.count = total;
    return pli_mpi_agree(mpi,
                         pli_mpi_sort(&mpi->gathered, own, &mpi->memory, pli_mpi_compare_contacts));
}

/* Copies the first contacts of bodies in parts. */
static PliantResult list_part_firsts(PliantMpi *mpi)
{
    PliMpiArray *own = &mpi->contact_scratch;
    const PliantMpiContact *items = mpi->contacts.items;
    int64_t at = 0;
    own->count = 0;
    PLI_MPI_TRY(pli_mpi_list_keys(mpi, true));
    PLI_MPI_TRY(pli_mpi_reserve(own, &mpi->memory, mpi->contacts.count));
    const PliMpiKey *keys = mpi->keys.items;
    for (int64_t i = 0; i < mpi->contacts.count; i++) {
        while (at < mpi->keys.count && keys[at].key < items[i].key_a)
            at++;
        if (at < mpi->keys.count && keys[at].key == items[i].key_a)
            ((PliantMpiContact *)own->items)[own->count++] = items[i];
    }
    return PLIANT_OK;
}

/* Drops those of which another rank has a lesser one. Both are sorted. */
static void drop_later(PliantMpi *mpi)
{
    PliantMpiContact *items = mpi->contacts.items;
    const PliantMpiContact *all = mpi->gathered.items;
    int64_t kept = 0, at = 0;
    for (int64_t i = 0; i < mpi->contacts.count; i++) {
        while (at < mpi->gathered.count && pli_mpi_compare_keys(&all[at], &items[i]) < 0)
            at++;
        const bool is_later = at < mpi->gathered.count &&
                              pli_mpi_compare_keys(&all[at], &items[i]) == 0 &&
                              pli_mpi_compare_contacts(&all[at], &items[i]) < 0;
        if (!is_later)
            items[kept++] = items[i];
    }
    mpi->contacts.count = kept;
}

/* Of each pair of bodies one, on all ranks together. */
static PliantResult find_firsts(PliantMpi *mpi)
{
    keep_firsts(&mpi->contacts);
    if (!mpi->has_parts)
        return PLIANT_OK;
    PLI_MPI_TRY(pli_mpi_agree(mpi, list_part_firsts(mpi)));
    PLI_MPI_TRY(gather_firsts(mpi));
    keep_firsts(&mpi->gathered);
    drop_later(mpi);
    return PLIANT_OK;
}

/* One of all. A triangle of -1 is none. */
static PliantResult find_any(PliantMpi *mpi)
{
    PliantMpiContact own = {.triangle_a = -1}, *least = NULL;
    if (mpi->contacts.count > 0)
        memcpy(&own, mpi->contacts.items, sizeof own);
    PLI_MPI_CALL(MPI_Allgather(&own, sizeof own, MPI_BYTE, mpi->firsts, sizeof own, MPI_BYTE,
                               mpi->communicator));
    for (int rank = 0; rank < mpi->rank_count; rank++)
        if (mpi->firsts[rank].triangle_a >= 0 &&
            (!least || pli_mpi_compare_contacts(&mpi->firsts[rank], least) < 0))
            least = &mpi->firsts[rank];
    if (least != &mpi->firsts[mpi->rank])
        mpi->contacts.count = 0;
    return PLIANT_OK;
}

/* ---- The query ---------------------------------------------------------------------------------
 */

/* All ranks learn how each begins: the greatest failure, what is asked for, and its boxes. */
static PliantResult greet(PliantMpi *mpi, PliantResult result)
{
    PliMpiGreeting own = {
        .result = (int32_t)result, .kind = mpi->asked.kind, .limit = mpi->asked.limit};
    const PliMpiGreeting *all = mpi->greetings;
    const PliMpiBody *bodies = mpi->bodies.items;
    const double start = MPI_Wtime();
    if (result == PLIANT_OK)
        pli_mpi_find_rank_boxes(mpi, own.boxes);
    for (int64_t i = 0; i < mpi->bodies.count; i++)
        own.has_parts |= bodies[i].def.is_part;
    PLI_MPI_CALL(MPI_Allgather(&own, sizeof own, MPI_BYTE, mpi->greetings, sizeof own, MPI_BYTE,
                               mpi->communicator));
    mpi->stats.wait_seconds += MPI_Wtime() - start;
    mpi->has_parts = false;
    for (int rank = 0; rank < mpi->rank_count; rank++) {
        result = all[rank].result > (int32_t)result ? (PliantResult)all[rank].result : result;
        mpi->has_parts |= all[rank].has_parts != 0;
    }
    PLI_MPI_TRY(result);
    for (int rank = 0; rank < mpi->rank_count; rank++)
        if (all[rank].kind != all[0].kind ||
            pli_mpi_order_of(all[rank].limit) != pli_mpi_order_of(all[0].limit))
            return PLIANT_BAD_ARGUMENT;
    pli_mpi_find_neighbors(mpi);
    return PLIANT_OK;
}

/* Neighbors learn of bodies near each other, and both find the same pairs. */
static PliantResult find_pairs(PliantMpi *mpi)
{
    PLI_MPI_TRY(pli_mpi_exchange_start(mpi, &mpi->records, pli_mpi_list_records(mpi)));
    PLI_MPI_TRY(pli_mpi_exchange_wait(mpi, &mpi->records));
    const PliantResult result = pli_mpi_find_pairs(mpi);
    return result == PLIANT_OK ? pli_mpi_list_triangles(mpi) : result;
}

/* Puts what was found in order. */
static PliantResult sort_found(PliantMpi *mpi)
{
    if (mpi->asked.kind == PLI_MPI_NEAR)
        return pli_mpi_sort_near(mpi);
    return pli_mpi_sort(&mpi->contacts, &mpi->contact_scratch, &mpi->memory,
                        pli_mpi_compare_contacts);
}

/* While triangles are on their way, pairs within the rank; whatever comes of these, the triangles
 * are waited for. */
static PliantResult decide(PliantMpi *mpi)
{
    mpi->contacts.count = mpi->near_pairs.count = 0;
    mpi->earliest = pliant_mpi_earliest_default();
    double start = MPI_Wtime();
    PliantResult result =
        pli_mpi_includes_own(&mpi->asked) ? pli_mpi_decide(mpi, true) : pli_mpi_collide_local(mpi);
    mpi->stats.local_seconds = MPI_Wtime() - start;
    PLI_MPI_TRY(pli_mpi_exchange_wait(mpi, &mpi->triangles));
    start = MPI_Wtime();
    if (result == PLIANT_OK)
        result = pli_mpi_decide(mpi, false);
    if (result == PLIANT_OK)
        result = sort_found(mpi);
    mpi->stats.boundary_seconds += MPI_Wtime() - start;
    return pli_mpi_agree(mpi, result);
}

PliantResult pli_mpi_search(PliantMpi *mpi, PliMpiAsked asked, PliantResult result)
{
    mpi->asked = asked;
    mpi->stats = pliant_mpi_stats_default();
    if (result == PLIANT_OK)
        result = pli_mpi_find_boxes(mpi);
    PLI_MPI_TRY(greet(mpi, result));
    const double start = MPI_Wtime();
    const double waited = mpi->stats.wait_seconds;
    result = find_pairs(mpi);
    mpi->stats.boundary_seconds = MPI_Wtime() - start - (mpi->stats.wait_seconds - waited);
    PLI_MPI_TRY(pli_mpi_exchange_start(mpi, &mpi->triangles, result));
    return decide(mpi);
}

/* What is wrong with the arguments, which is told to all ranks. */
static PliantResult check(const PliantMpi *mpi, const PliantMpiQueryDef *given,
                          const PliantMpiContacts *contacts, PliantMpiQueryDef *def)
{
    const char *name = "pliant_mpi_collide";
    *def = pliant_mpi_query_def_default();
    if (given && !pli_backend_read(def, sizeof *def, given, given->struct_size))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_DEF, "def.struct_size is %zu",
                               given->struct_size);
    if (!contacts)
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_ARGUMENT, "contacts is NULL");
    if (!pli_backend_may_write(sizeof *contacts, contacts->struct_size))
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_DEF, "contacts.struct_size is %zu",
                               contacts->struct_size);
    if ((unsigned)def->kind > PLIANT_ANY_PAIR)
        return pli_mpi_mistake(&mpi->memory, name, PLIANT_BAD_ARGUMENT, "def.kind is %d",
                               (int)def->kind);
    return PLIANT_OK;
}

PliantResult pliant_mpi_collide(PliantMpi *mpi, const PliantMpiQueryDef *given,
                                PliantMpiContacts *contacts)
{
    PliantMpiQueryDef def;
    if (!mpi)
        return PLIANT_BAD_ARGUMENT;
    const PliantResult checked = check(mpi, given, contacts, &def);
    const PliMpiAsked asked = {.name = __func__, .kind = (int32_t)def.kind};
    PLI_MPI_TRY(pli_mpi_search(mpi, asked, checked));
    if (def.kind == PLIANT_FIRST_PAIRS)
        PLI_MPI_TRY(find_firsts(mpi));
    if (def.kind == PLIANT_ANY_PAIR)
        PLI_MPI_TRY(find_any(mpi));
    contacts->items = mpi->contacts.items;
    contacts->count = mpi->contacts.count;
    return PLIANT_OK;
}
