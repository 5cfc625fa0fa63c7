/* pliant-bench tritri: the exact triangle test, one by one and in batches, on every instruction
 * set.
 *
 * On the pairs that a tree would hand over: triangles whose boxes overlap. First two bumpy spheres
 * pushed into each other, the ordinary case; then two equal spheres at one place, where most signs
 * are zero and the filters cannot help. */
#include "tritri.h"
#include "experiments.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOBS = 5 };

static const uint32_t masks[JOBS] = {0, PLIANT_CPU_NONE, PLIANT_CPU_VECTOR128, PLIANT_CPU_AVX2,
                                     PLIANT_CPU_AVX512};

/* Times everything that this machine has on the pairs; the last turn is the widest. */
static int time_pairs(const char *key, const BenchPairs *pairs, int rounds)
{
    TritriJob jobs[JOBS];
    BenchTurn turns[JOBS];
    int count = 0;
    for (int i = 0; i < JOBS; i++) {
        if (masks[i] != 0 && !(masks[i] & pliant_cpu_features()))
            continue;
        jobs[count] = (TritriJob){.pairs = pairs,
                                  .cpu_mask = masks[i],
                                  .intersects = bench_allocate((size_t)pairs->pair_count, 1)};
        turns[count] = (BenchTurn){.name = i == 0 ? "scalar" : pliant_cpu_name(masks[i]),
                                   .run = i == 0 ? tritri_scalar : tritri_batch,
                                   .data = &jobs[count]};
        count++;
    }
    bench_turns(turns, count, rounds);

    const PliantTriangleCounts *c = &jobs[count - 1].counts;
    printf("%s: %" PRId32 " triangles a body, %" PRId64 " pairs, %" PRId64 " intersect, %" PRId64
           " undecided in float32, %" PRId64 " flat, exact signs: %" PRId64 " narrow, %" PRId64
           " wide\n",
           key, pairs->triangle_count, c->pairs, c->intersecting, c->undecided, c->flat,
           c->exact3_narrow + c->exact2_narrow, c->exact3_wide + c->exact2_wide);
    int failed = 0;
    double per_pair = 1e9 / (double)pairs->pair_count;
    for (int i = 0; i < count; i++) {
        bool is_equal =
            memcmp(jobs[i].intersects, jobs[0].intersects, (size_t)pairs->pair_count) == 0;
        printf("  %-10s %7.2f ns a pair  %6.2f x  %6.1f million pairs/s%s\n", turns[i].name,
               turns[i].median * per_pair, turns[0].median / turns[i].median,
               1e-6 * (double)pairs->pair_count / turns[i].median,
               is_equal ? "" : "  DIFFERENT ANSWERS");
        failed |= !is_equal;
    }
    char name[64];
    snprintf(name, sizeof name, "%s.scalar", key);
    bench_figure(name, turns[0].median * per_pair, "ns/pair");
    snprintf(name, sizeof name, "%s.batch", key);
    bench_figure(name, turns[count - 1].median * per_pair, "ns/pair");
    for (int i = 2; i < count; i++) {
        snprintf(name, sizeof name, "%s.%s.batch_speedup", key, turns[i].name);
        bench_figure(name, turns[0].median / turns[i].median, "x");
    }
    snprintf(name, sizeof name, "%s.batch_speedup", key);
    bench_figure(name, turns[0].median / turns[count - 1].median, "x");
    for (int i = 0; i < count; i++)
        free(jobs[i].intersects);
    return failed;
}

int bench_tritri(const BenchOptions *options)
{
    int failed = 0;
    BenchPairs pairs = bench_bumpy_pairs(5, SCENE_BUMPY_STEPS - 1);
    failed |= time_pairs("tritri", &pairs, options->is_quick ? 101 : 1001);

    memcpy(pairs.b, pairs.a, 9 * (size_t)pairs.triangle_count * sizeof *pairs.a);
    free(pairs.pairs);
    pairs.pairs = scene_box_pairs(pairs.a, pairs.triangle_count, pairs.b, pairs.triangle_count,
                                  &pairs.pair_count);
    failed |= time_pairs("tritri.coincident", &pairs, options->is_quick ? 5 : 51);
    bench_pairs_free(&pairs);

    if (!options->is_quick) {
        pairs = bench_bumpy_pairs(7, SCENE_BUMPY_STEPS - 1);
        failed |= time_pairs("tritri.large", &pairs, 301);
        bench_pairs_free(&pairs);
    }
    return failed;
}
