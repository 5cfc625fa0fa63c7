/* Agreement of all ranks, and messages between neighbors: see shared.h.
 *
 * Messages are sent from point to point, and not by neighborhood collectives: those count in ints,
 * and need another communicator whenever the neighbors change. */
#include "shared.h"

enum { SIZE_TAG = 1, BYTES_TAG = 2 };

PliantResult pli_mpi_agree(PliantMpi *mpi, PliantResult result)
{
    int mine = (int)result, greatest = (int)result;
    const double start = MPI_Wtime();
    PLI_MPI_CALL(MPI_Allreduce(&mine, &greatest, 1, MPI_INT, MPI_MAX, mpi->communicator));
    mpi->stats.wait_seconds += MPI_Wtime() - start;
    return (PliantResult)greatest;
}

/* Each neighbor learns how many bytes there will be; none, if the query has failed here. */
static PliantResult exchange_sizes(PliantMpi *mpi, PliMpiExchange *exchange, bool is_failed)
{
    const int count = mpi->neighbor_count;
    int64_t *to = mpi->sizes, *from = mpi->sizes + mpi->rank_count;
    for (int n = 0; n < count; n++) {
        to[n] = is_failed ? 0 : exchange->out_starts[n + 1] - exchange->out_starts[n];
        mpi->requests[2 * n] = mpi->requests[2 * n + 1] = MPI_REQUEST_NULL;
        if (pli_mpi_is_own(mpi, n)) {
            from[n] = to[n];
            continue;
        }
        mpi->stats.messages_sent++;
        PLI_MPI_CALL(MPI_Irecv(&from[n], 1, MPI_INT64_T, mpi->neighbors[n], SIZE_TAG,
                               mpi->communicator, &mpi->requests[2 * n]));
        PLI_MPI_CALL(MPI_Isend(&to[n], 1, MPI_INT64_T, mpi->neighbors[n], SIZE_TAG,
                               mpi->communicator, &mpi->requests[2 * n + 1]));
    }
    PLI_MPI_CALL(MPI_Waitall(2 * count, mpi->requests, MPI_STATUSES_IGNORE));
    exchange->in_starts[0] = 0;
    for (int n = 0; n < count; n++)
        exchange->in_starts[n + 1] = exchange->in_starts[n] + from[n];
    return PLIANT_OK;
}

static int64_t message_count(const PliantMpi *mpi, const int64_t *starts)
{
    int64_t count = 0;
    for (int n = 0; n < mpi->neighbor_count; n++)
        count += pli_mpi_is_own(mpi, n)
                     ? 0
                     : (starts[n + 1] - starts[n] + mpi->message_size - 1) / mpi->message_size;
    return count;
}

/* Room for all that comes. */
static PliantResult make_room(PliantMpi *mpi, PliMpiExchange *exchange)
{
    const int64_t sent = message_count(mpi, exchange->out_starts);
    const int64_t count = sent + message_count(mpi, exchange->in_starts);
    if (count > INT32_MAX)
        return PLIANT_TOO_LARGE;
    PLI_MPI_TRY(
        pli_mpi_reserve(&exchange->in, &mpi->memory, exchange->in_starts[mpi->neighbor_count]));
    PLI_MPI_TRY(pli_mpi_reserve(&exchange->requests, &mpi->memory, count));
    exchange->in.count = exchange->in_starts[mpi->neighbor_count];
    mpi->stats.messages_sent += sent;
    for (int n = 0; n < mpi->neighbor_count; n++)
        if (!pli_mpi_is_own(mpi, n))
            mpi->stats.bytes_sent += exchange->out_starts[n + 1] - exchange->out_starts[n];
    return PLIANT_OK;
}

/* Messages of one size between two ranks do not overtake each other. */
static PliantResult start_messages(PliantMpi *mpi, PliMpiExchange *exchange)
{
    MPI_Request *requests = exchange->requests.items;
    char *in = exchange->in.items;
    const char *out = exchange->out.items;
    int64_t count = 0;
    for (int n = 0; n < mpi->neighbor_count; n++) {
        const int rank = mpi->neighbors[n];
        const int64_t own_size = exchange->in_starts[n + 1] - exchange->in_starts[n];
        if (rank == mpi->rank) {
            if (own_size > 0)
                memcpy(in + exchange->in_starts[n], out + exchange->out_starts[n],
                       (size_t)own_size);
            continue;
        }
        for (int64_t at = exchange->in_starts[n], end = exchange->in_starts[n + 1]; at < end;) {
            const int size = end - at < mpi->message_size ? (int)(end - at) : mpi->message_size;
            PLI_MPI_CALL(MPI_Irecv(in + at, size, MPI_BYTE, rank, BYTES_TAG, mpi->communicator,
                                   &requests[count++]));
            at += size;
        }
        for (int64_t at = exchange->out_starts[n], end = exchange->out_starts[n + 1]; at < end;) {
            const int size = end - at < mpi->message_size ? (int)(end - at) : mpi->message_size;
            PLI_MPI_CALL(MPI_Isend(out + at, size, MPI_BYTE, rank, BYTES_TAG, mpi->communicator,
                                   &requests[count++]));
            at += size;
        }
    }
    exchange->requests.count = count;
    return PLIANT_OK;
}

PliantResult pli_mpi_exchange_start(PliantMpi *mpi, PliMpiExchange *exchange, PliantResult result)
{
    const double start = MPI_Wtime();
    PLI_MPI_TRY(exchange_sizes(mpi, exchange, result != PLIANT_OK));
    mpi->stats.wait_seconds += MPI_Wtime() - start;
    if (result == PLIANT_OK)
        result = make_room(mpi, exchange);
    PLI_MPI_TRY(pli_mpi_agree(mpi, result));
    return start_messages(mpi, exchange);
}

PliantResult pli_mpi_exchange_wait(PliantMpi *mpi, PliMpiExchange *exchange)
{
    const double start = MPI_Wtime();
    PLI_MPI_CALL(
        MPI_Waitall((int)exchange->requests.count, exchange->requests.items, MPI_STATUSES_IGNORE));
    exchange->requests.count = 0;
    mpi->stats.wait_seconds += MPI_Wtime() - start;
    return PLIANT_OK;
}
