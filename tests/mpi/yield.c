/* Ranks that wait give way to others: for tests with more ranks than cores.
 *
 * MPICH, and OpenMPI by default, spin while they wait, until the kernel takes the core away: with
 * eight ranks on two cores every message takes a time slice of each of the others. These calls
 * stand before those of MPI, which has them under other names for that. Each starts what can be
 * waited for, asks whether it is done, and gives way until it is; after a while it sleeps, since
 * one rank makes what the others are compared with. */
#include <mpi.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

static void give_way(int is_done, int *times)
{
    if (is_done)
        return;
    if ((*times)++ < 20)
        sched_yield();
    else
        nanosleep(&(const struct timespec){.tv_nsec = 20000}, NULL);
}

static int finish(int started, MPI_Request *request)
{
    int is_done = 0;
    for (int times = 0; started == MPI_SUCCESS && !is_done; give_way(is_done, &times))
        started = PMPI_Test(request, &is_done, MPI_STATUS_IGNORE);
    return started;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    int is_done = 0, result = MPI_SUCCESS;
    for (int times = 0; result == MPI_SUCCESS && !is_done; give_way(is_done, &times))
        result = PMPI_Testall(count, requests, &is_done, statuses);
    return result;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm communicator)
{
    MPI_Request request;
    return finish(PMPI_Iallreduce(from, to, count, type, op, communicator, &request), &request);
}

int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int to_count,
                  MPI_Datatype to_type, MPI_Comm communicator)
{
    MPI_Request request;
    return finish(PMPI_Iallgather(from, count, type, to, to_count, to_type, communicator, &request),
                  &request);
}

int MPI_Allgatherv(const void *from, int count, MPI_Datatype type, void *to, const int *to_counts,
                   const int *starts, MPI_Datatype to_type, MPI_Comm communicator)
{
    MPI_Request request;
    return finish(
        PMPI_Iallgatherv(from, count, type, to, to_counts, starts, to_type, communicator, &request),
        &request);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm communicator)
{
    MPI_Request request;
    return finish(PMPI_Ibcast(data, count, type, root, communicator, &request), &request);
}

int MPI_Gather(const void *from, int count, MPI_Datatype type, void *to, int to_count,
               MPI_Datatype to_type, int root, MPI_Comm communicator)
{
    MPI_Request request;
    return finish(
        PMPI_Igather(from, count, type, to, to_count, to_type, root, communicator, &request),
        &request);
}

int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to, const int *to_counts,
                const int *starts, MPI_Datatype to_type, int root, MPI_Comm communicator)
{
    MPI_Request request;
    return finish(PMPI_Igatherv(from, count, type, to, to_counts, starts, to_type, root,
                                communicator, &request),
                  &request);
}

int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm *copy)
{
    MPI_Request request;
    return finish(PMPI_Comm_idup(communicator, copy, &request), &request);
}
