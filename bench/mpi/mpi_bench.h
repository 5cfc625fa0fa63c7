/* pliant-bench-mpi: worlds over ranks. bench/distributed runs it and prints its figures. */
#ifndef BENCH_MPI_H
#define BENCH_MPI_H

#include "bench.h"
#include <pliant/mpi.h>

/* What a query took and sent: sums of all ranks, or the most of any. */
typedef struct MpiFrame {
    double seconds;               /* of the slowest rank */
    double least;                 /* of the fastest of some frames */
    double work;                  /* of the processor, without MPI: the most of any rank */
    double local, boundary, wait; /* the means of all ranks */
    int64_t contacts, triangles, bytes, messages, bodies_sent, neighbors, pairs;
} MpiFrame;

/* A query of all ranks of a communicator, timed from a barrier on. */
MpiFrame mpi_frame(PliantMpi *mpi, MPI_Comm communicator);

/* The one of the median time, of so many. `pose` is called before each, and not timed. */
MpiFrame mpi_frames(PliantMpi *mpi, int count, void (*pose)(void *data, int frame), void *data);

/* The most memory that any rank has had so far, in bytes. */
double mpi_peak_memory(void);

/* All ranks wait for each other, asleep: in MPI they would spin. */
void mpi_wait_for_all(void);

int mpi_rank(void);
int mpi_rank_count(void);

/* Experiments. Each prints one line "mpi NAME=VALUE ...", from rank 0. */
int mpi_crowd(int64_t avatars, int frames);
int mpi_weak(int64_t avatars, int frames);
int mpi_sheets(int64_t triangles);
int mpi_latency(void);

#endif
