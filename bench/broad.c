/* pliant-bench broad: how long it takes to find the pairs of bodies whose boxes overlap.
 *
 * 10,000 to 1,000,000 bodies of one small shape drift through a cube and bounce off its sides. The
 * cube grows with their number, so that each body's box always overlaps about one other; then a
 * good way of finding them takes as long for each of a million as for each of ten thousand. Only
 * the query is timed, not the setting of transforms. */
#include "experiments.h"
#include <pliant/pliant.h>
#include <pliant/world.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_FRAMES = 200, UNTIMED_FRAMES = 5 };

/* A tetrahedron in a cube of side one. */
static PliantShape *small_shape(void)
{
    static const float vertices[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    static const uint32_t triangles[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){&vertices[0][0], 4, 0};
    def.triangles = (PliantTriangles){&triangles[0][0], 4};
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

typedef struct Drift {
    PliantWorld *world;
    PliantBody *bodies;
    float (*positions)[3], (*steps)[3];
    int32_t count;
    float side;
} Drift;

/* A cube with room for about six bodies for each that is there. */
static float side_for(int32_t count)
{
    float side = 1;
    while (side * side * side < 6 * (float)count)
        side *= 1.001f;
    return side;
}

static Drift make_drift(PliantShape *shape, int32_t count)
{
    Drift drift = {.count = count, .side = side_for(count)};
    PliantWorldDef def = pliant_world_def_default();
    def.broad_kind = PLIANT_BROAD_SWEEP;
    bench_must(pliant_world_create(&def, &drift.world));
    drift.bodies = bench_allocate((size_t)count, sizeof *drift.bodies);
    drift.positions = bench_allocate((size_t)count, sizeof *drift.positions);
    drift.steps = bench_allocate((size_t)count, sizeof *drift.steps);
    SceneRandom random = {1};
    for (int32_t i = 0; i < count; i++) {
        bench_must(pliant_body_create(drift.world, shape, &drift.bodies[i]));
        for (int k = 0; k < 3; k++) {
            drift.positions[i][k] = (float)scene_random(&random) * drift.side;
            drift.steps[i][k] = ((float)scene_random(&random) - 0.5f) * 0.1f;
        }
    }
    return drift;
}

static void free_drift(Drift *drift)
{
    pliant_world_destroy(drift->world);
    free(drift->bodies);
    free(drift->positions);
    free(drift->steps);
}

static void step(Drift *drift)
{
    for (int32_t i = 0; i < drift->count; i++) {
        PliantTransform transform = pliant_transform_identity();
        for (int k = 0; k < 3; k++) {
            float next = drift->positions[i][k] + drift->steps[i][k];
            if (next < 0 || next > drift->side)
                drift->steps[i][k] = -drift->steps[i][k];
            drift->positions[i][k] = transform.rows[k][3] = next;
        }
        bench_must(pliant_body_set_transform(drift->world, drift->bodies[i], &transform));
    }
}

/* The median time of a query, in nanoseconds a body. */
static double time_bodies(PliantShape *shape, const char *key, int32_t count, int frames)
{
    Drift drift = make_drift(shape, count);
    double times[MAX_FRAMES];
    int64_t pair_count = 0;
    for (int frame = -UNTIMED_FRAMES; frame < frames; frame++) {
        const PliantBodyPair *pairs;
        step(&drift);
        double start = bench_seconds();
        bench_must(pliant_world_body_pairs(drift.world, &pairs, &pair_count));
        if (frame >= 0)
            times[frame] = bench_seconds() - start;
    }
    double each = 1e9 * bench_median(times, frames) / count;
    printf("%9" PRId32 " bodies: %6.1f ns each, %8.3f ms a query; %.2f pairs each\n", count, each,
           1e-6 * each * count, (double)pair_count / count);
    char name[64];
    snprintf(name, sizeof name, "broad.%s.ns", key);
    bench_figure(name, each, "ns");
    free_drift(&drift);
    return each;
}

int bench_broad(const BenchOptions *options)
{
    PliantShape *shape = small_shape();
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
