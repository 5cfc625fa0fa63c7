/* bench: how fast, measured; each experiment of pliant-bench and of pliant-bench-peers.
 *
 * Everything here sees the public headers and scenes/ only. What is printed for people is also
 * printed as a line "figure KEY VALUE UNIT" for scripts. Times on shared machines drift: what is
 * compared is timed in turns within one run, and claims are ratios of medians.
 */
#ifndef BENCH_H
#define BENCH_H

#include "scenes.h"
#include <pliant/pliant.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BenchOptions {
    bool is_quick; /* under a minute, for a first look and for CI */
} BenchOptions;

/* An experiment; returns the exit code. */
typedef int BenchRun(const BenchOptions *options);

typedef struct BenchExperiment {
    const char *name, *text;
    BenchRun *run;
} BenchExperiment;

/* Reads the command line, and runs what it names: "PROGRAM NAME [--quick]". */
int bench_main(int argc, char **argv, const BenchExperiment *experiments, int experiment_count);

/* Prints "figure KEY VALUE UNIT". */
void bench_figure(const char *key, double value, const char *unit);

/* Seconds from some fixed moment. */
double bench_seconds(void);

/* The end of the program, if a call failed. */
void bench_must(PliantResult result);

/* A query of one kind, and what a shape is. */
PliantCollideDef bench_query(PliantCollideKind kind);
PliantShapeInfo bench_shape_info(const PliantShape *shape);

/* Sorts them. */
double bench_median(double *values, int count);

/* Memory, or the end of the program. */
void *bench_allocate(size_t count, size_t size);

/* ---- Timing in turns ------------------------------------------------------------------------ */

/* One of the things that are compared: `run` does it once. */
typedef struct BenchTurn {
    const char *name;
    void (*run)(void *data);
    void *data;
    double median; /* out: seconds */
} BenchTurn;

/* Runs each in turn, `rounds` times (after one that does not count), and takes medians. */
void bench_turns(BenchTurn *turns, int turn_count, int rounds);

/* ---- Shapes --------------------------------------------------------------------------------- */

/* A shape that morphs between the references of a scene; `def` says all else about it. */
PliantShape *bench_morph_shape(const SceneMorph *morph, PliantShapeDef def);

/* ---- Candidate pairs ------------------------------------------------------------------------ */

/* The triangles of two bodies and the pairs of them whose boxes overlap. */
typedef struct BenchPairs {
    float *a, *b; /* nine floats a triangle */
    uint32_t *pairs;
    int64_t pair_count;
    int32_t triangle_count; /* on each side */
} BenchPairs;

/* The bumpy spheres at a step. */
BenchPairs bench_bumpy_pairs(int subdivisions, int step);
void bench_pairs_free(BenchPairs *pairs);

#ifdef __cplusplus
}
#endif

#endif
