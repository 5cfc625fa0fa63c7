/* pliant-bench broad: how long it takes to find the pairs of bodies whose boxes overlap.
 *
 * 10,000 to 1,000,000 bodies of one small shape drift (drift.h). Each overlaps about one other,
 * however many there are; then a good way of finding them takes as long for each of a million as
 * for each of ten thousand. Only the query is timed, not the setting of transforms. */
#include "drift.h"
#include "experiments.h"
#include <pliant/pliant.h>
#include <pliant/world.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_FRAMES = 200, UNTIMED_FRAMES = 5 };

/* The median time of a query, in nanoseconds a body. */
static double time_bodies(PliantShape *shape, const char *key, int32_t count, int frames)
{
    BenchDrift drift = bench_drift(count);
    PliantWorldDef def = pliant_world_def_default();
    PliantExperiments experiments = pliant_experiments_default();
    def.experiments = &experiments;
    PliantWorld *world;
    PliantBody *bodies = bench_allocate((size_t)count, sizeof *bodies);
    experiments.broad_kind = PLIANT_BROAD_SWEEP;
    bench_must(pliant_world_create(&def, &world));
    for (int32_t i = 0; i < count; i++)
        bench_must(pliant_body_create(world, shape, &bodies[i]));
    double times[MAX_FRAMES];
    int64_t pair_count = 0;
    for (int frame = -UNTIMED_FRAMES; frame < frames; frame++) {
        bench_drift_step(&drift);
        bench_drift_place(&drift, world, bodies);
        double start = bench_seconds();
        PliantBodyPairs pairs = pliant_body_pairs_default();
        bench_must(pliant_world_body_pairs(world, NULL, &pairs));
        pair_count = pairs.count;
        if (frame >= 0)
            times[frame] = bench_seconds() - start;
    }
    double each = 1e9 * bench_median(times, frames) / count;
    printf("%9" PRId32 " bodies: %6.1f ns each, %8.3f ms a query; %.2f pairs each\n", count, each,
           1e-6 * each * count, (double)pair_count / count);
    char name[64];
    snprintf(name, sizeof name, "broad.%s.ns", key);
    bench_figure(name, each, "ns");
    pliant_world_destroy(world);
    free(bodies);
    bench_drift_free(&drift);
    return each;
}

int bench_broad(const BenchOptions *options)
{
    PliantShape *shape = bench_drift_shape();
    double few = time_bodies(shape, "10k", 10000, MAX_FRAMES);
    if (!options->is_quick)
        time_bodies(shape, "100k", 100000, 40);
    double many = time_bodies(shape, "million", 1000000, options->is_quick ? 5 : 15);
    printf("a million bodies take %.2f times as long each as ten thousand (wanted: at most 2)\n",
           many / few);
    bench_figure("broad.million.growth", many / few, "x");
    pliant_shape_release(shape);
    return 0;
}
