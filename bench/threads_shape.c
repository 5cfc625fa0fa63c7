/* Shapes built by several workers, a part of pliant-bench threads: in turns, and the bytes must be
 * the same. The least time of some rounds counts. */
#include "scenes.h"
#include "span.h"
#include "threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A ball with bumps. */
static void place_bumpy(const void *data, double u, double v, double point[3])
{
    (void)data;
    const double pi = 3.14159265358979323846, a = pi * u, b = 2 * pi * v;
    const double radius = 1 + 0.1 * scene_sin(7 * a) * scene_cos(5 * b);
    point[0] = radius * scene_sin(a) * scene_cos(b);
    point[1] = radius * scene_sin(a) * scene_sin(b);
    point[2] = radius * scene_cos(a);
}

static double build(const SceneMesh *mesh, const PliantHost *host, PliantShape **shape)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    def.host = host;
    const double start = bench_seconds();
    bench_must(pliant_shape_create(&def, shape));
    return bench_seconds() - start;
}

static bool is_same(const PliantShape *a, const PliantShape *b)
{
    size_t size_a, size_b;
    const void *bytes_a = pliant_shape_data(a, &size_a), *bytes_b = pliant_shape_data(b, &size_b);
    return size_a == size_b && memcmp(bytes_a, bytes_b, size_a) == 0;
}

/* How much is serial, and what 64 workers could gain. */
static void bound_shape(const SceneMesh *mesh, double one)
{
    BenchSpan span = {0};
    PliantHost host = pliant_host_default();
    PliantShape *shape;
    bench_span_attach(&span, &host);
    const double seconds = build(mesh, &host, &shape);
    pliant_shape_release(shape);
    bench_span_print(&span, "shape.build", seconds, one);
}

static double least_of(const double *seconds, int count)
{
    double least = seconds[0];
    for (int i = 1; i < count; i++)
        least = seconds[i] < least ? seconds[i] : least;
    return least;
}

/* Returns the time of one worker, or -1. */
static double play_shape(PliantPool *pool, const char *key, const SceneMesh *mesh, int rounds)
{
    enum { MAX_ROUNDS = 64 };
    double seconds[2][MAX_ROUNDS];
    PliantHost hosts[2] = {pliant_host_default(), pliant_host_default()};
    pliant_pool_attach(pool, &hosts[1]);
    for (int round = -1; round < rounds; round++) { /* the first one is not counted */
        PliantShape *shapes[2];
        for (int turn = 0; turn < 2; turn++) {
            const int i = (turn + round + 2) % 2;
            seconds[i][round < 0 ? 0 : round] = build(mesh, &hosts[i], &shapes[i]);
        }
        const bool are_same = is_same(shapes[0], shapes[1]);
        pliant_shape_release(shapes[0]);
        pliant_shape_release(shapes[1]);
        if (!are_same) {
            fprintf(stderr, "threads.%s: a shape differs with two workers\n", key);
            return -1;
        }
    }
    const double one = least_of(seconds[0], rounds), two = least_of(seconds[1], rounds);
    printf("threads.%s: %" PRId32 " triangles, one worker %.1f ms, two %.1f ms, %.2f x\n", key,
           mesh->triangle_count, 1e3 * one, 1e3 * two, one / two);
    char name[64];
    snprintf(name, sizeof name, "threads.%s", key);
    bench_figure(name, one / two, "x");
    return one;
}

bool threads_shapes(PliantPool *pool, bool is_quick)
{
    const int ring_count = is_quick ? 810 : 2236;
    SceneMesh small = scene_icosphere(4),
              large = scene_rings(ring_count, ring_count, place_bumpy, NULL);
    const double few = play_shape(pool, "shape.small", &small, 63),
                 many = play_shape(pool, "shape.build", &large, 3);
    bound_shape(&large, many);
    scene_mesh_free(&small);
    scene_mesh_free(&large);
    return few > 0 && many > 0;
}
