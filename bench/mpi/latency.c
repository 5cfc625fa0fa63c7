/* What the messages of a query take by themselves: see mpi_bench.h. */
#include "mpi_bench.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 2000, BOXES = 208, LARGE = 1 << 24 };

/* A number of all ranks, as in an agreement. */
static double agreement(void)
{
    int own = 0, all = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < ROUNDS; i++)
        MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return (MPI_Wtime() - start) / ROUNDS;
}

/* The boxes of all ranks. */
static double rank_boxes(void)
{
    char own[BOXES] = {0}, *all = bench_allocate((size_t)mpi_rank_count(), BOXES);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < ROUNDS; i++)
        MPI_Allgather(own, BOXES, MPI_BYTE, all, BOXES, MPI_BYTE, MPI_COMM_WORLD);
    const double seconds = (MPI_Wtime() - start) / ROUNDS;
    free(all);
    return seconds;
}

/* Bytes to the next rank and from the one before, as between neighbors. */
static double exchange(int size, int rounds)
{
    const int ranks = mpi_rank_count(), to = (mpi_rank() + 1) % ranks;
    const int from = (mpi_rank() + ranks - 1) % ranks;
    char *out = calloc((size_t)size, 1), *in = calloc((size_t)size, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < rounds; i++)
        MPI_Sendrecv(out, size, MPI_BYTE, to, 0, in, size, MPI_BYTE, from, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    const double seconds = (MPI_Wtime() - start) / rounds;
    free(out);
    free(in);
    return seconds;
}

int mpi_latency(void)
{
    const double agree = agreement(), boxes = rank_boxes(), small = exchange(8, ROUNDS);
    const double large = exchange(LARGE, 20);
    if (mpi_rank() == 0)
        printf("mpi ranks=%d allreduce=%g allgather=%g message=%g bandwidth=%g\n", mpi_rank_count(),
               agree, boxes, small, LARGE / large);
    return 0;
}
