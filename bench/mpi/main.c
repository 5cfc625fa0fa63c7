/* pliant-bench-mpi: worlds over ranks. See mpi_bench.h.
 *
 *     mpirun -n RANKS pliant-bench-mpi crowd AVATARS [FRAMES]    avatars in all, divided by cost
 *     mpirun -n RANKS pliant-bench-mpi weak AVATARS [FRAMES]     as many on each rank, and alone
 *     mpirun -n RANKS pliant-bench-mpi sheets TRIANGLES          two sheets that cross, in parts
 *     mpirun -n RANKS pliant-bench-mpi latency                   of the messages of a query */
#include "mpi_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* ---- What a rank does besides MPI --------------------------------------------------------------
 */

/* Time of the processor, and how much of it went by in MPI: ranks that wait spin. These calls stand
 * before those of MPI, which has them under other names for that. */
static double mpi_processor_seconds;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm communicator)
{
    const double start = processor_seconds();
    const int result = PMPI_Allreduce(from, to, count, type, op, communicator);
    mpi_processor_seconds += processor_seconds() - start;
    return result;
}

int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int to_count,
                  MPI_Datatype to_type, MPI_Comm communicator)
{
    const double start = processor_seconds();
    const int result = PMPI_Allgather(from, count, type, to, to_count, to_type, communicator);
    mpi_processor_seconds += processor_seconds() - start;
    return result;
}

int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses)
{
    const double start = processor_seconds();
    const int result = PMPI_Waitall(count, requests, statuses);
    mpi_processor_seconds += processor_seconds() - start;
    return result;
}

/* ---- Frames ------------------------------------------------------------------------------------
 */

int mpi_rank(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

int mpi_rank_count(void)
{
    int count = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    return count;
}

void mpi_wait_for_all(void)
{
    MPI_Request request;
    int is_done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &is_done, MPI_STATUS_IGNORE); !is_done;
         MPI_Test(&request, &is_done, MPI_STATUS_IGNORE))
        nanosleep(&(const struct timespec){.tv_nsec = 1000000}, NULL);
}

double mpi_peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double own = 1024.0 * (double)usage.ru_maxrss, most = 0;
    MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

MpiFrame mpi_frame(PliantMpi *mpi, MPI_Comm communicator)
{
    PliantMpiContacts contacts = pliant_mpi_contacts_default();
    PliantMpiStats stats = pliant_mpi_stats_default();
    MpiFrame frame = {0};
    MPI_Barrier(communicator);
    const double start = MPI_Wtime();
    const double work_start = processor_seconds() - mpi_processor_seconds;
    bench_must(pliant_mpi_collide(mpi, NULL, &contacts));
    const double work = processor_seconds() - mpi_processor_seconds - work_start;
    const double seconds = MPI_Wtime() - start;
    bench_must(pliant_mpi_stats(mpi, &stats));
    const double times[3] = {stats.local_seconds, stats.boundary_seconds, stats.wait_seconds};
    const int64_t counts[7] = {contacts.count,      stats.triangles_sent, stats.bytes_sent,
                               stats.messages_sent, stats.bodies_sent,    stats.neighbor_count,
                               stats.pairs_decided};
    double all_times[3];
    int64_t all[7];
    MPI_Allreduce(&seconds, &frame.seconds, 1, MPI_DOUBLE, MPI_MAX, communicator);
    MPI_Allreduce(&work, &frame.work, 1, MPI_DOUBLE, MPI_MAX, communicator);
    MPI_Allreduce(times, all_times, 3, MPI_DOUBLE, MPI_SUM, communicator);
    MPI_Allreduce(counts, all, 7, MPI_INT64_T, MPI_SUM, communicator);
    int ranks = 1;
    MPI_Comm_size(communicator, &ranks);
    frame.least = frame.seconds;
    frame.local = all_times[0] / ranks;
    frame.boundary = all_times[1] / ranks;
    frame.wait = all_times[2] / ranks;
    frame.contacts = all[0];
    frame.triangles = all[1];
    frame.bytes = all[2];
    frame.messages = all[3];
    frame.bodies_sent = all[4];
    frame.neighbors = all[5];
    frame.pairs = all[6];
    return frame;
}

static int by_seconds(const void *one, const void *other)
{
    const MpiFrame *x = one, *y = other;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

MpiFrame mpi_frames(PliantMpi *mpi, int count, void (*pose)(void *data, int frame), void *data)
{
    MpiFrame *frames = bench_allocate((size_t)count, sizeof *frames);
    double *work = bench_allocate((size_t)count, sizeof *work);
    for (int i = -1; i < count; i++) { /* the first is not counted */
        pose(data, i + 1);
        const MpiFrame frame = mpi_frame(mpi, MPI_COMM_WORLD);
        if (i >= 0)
            frames[i] = frame;
    }
    qsort(frames, (size_t)count, sizeof *frames, by_seconds);
    MpiFrame median = frames[count / 2];
    median.least = frames[0].seconds;
    for (int i = 0; i < count; i++)
        work[i] = frames[i].work;
    median.work = bench_median(work, count);
    free(work);
    free(frames);
    return median;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int64_t size = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;
    const int frames = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 5;
    int result = 2;
    MPI_Init(&argc, &argv);
    if (strcmp(name, "crowd") == 0 && size > 0)
        result = mpi_crowd(size, frames);
    else if (strcmp(name, "weak") == 0 && size > 0)
        result = mpi_weak(size, frames);
    else if (strcmp(name, "sheets") == 0 && size > 0)
        result = mpi_sheets(size);
    else if (strcmp(name, "latency") == 0)
        result = mpi_latency();
    else if (mpi_rank() == 0)
        fprintf(stderr, "usage: pliant-bench-mpi crowd|weak|sheets|latency [SIZE] [FRAMES]\n");
    MPI_Finalize();
    return result;
}
