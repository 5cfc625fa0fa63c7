/* What all experiments use: see bench.h. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_usage(FILE *to, const char *program, const BenchExperiment *experiments,
                        int count)
{
    fprintf(to, "usage: %s NAME [--quick]\n", program);
    for (int i = 0; i < count; i++)
        fprintf(to, "  %-10s %s\n", experiments[i].name, experiments[i].text);
}

int bench_main(int argc, char **argv, const BenchExperiment *experiments, int experiment_count)
{
    BenchOptions options = {0};
    const char *name = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--quick") == 0) {
            options.is_quick = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            print_usage(stdout, argv[0], experiments, experiment_count);
            return 0;
        } else if (argv[i][0] == '-' || name) {
            fprintf(stderr, "%s: what is '%s'?\n", argv[0], argv[i]);
            return 2;
        } else {
            name = argv[i];
        }
    }
    for (int i = 0; name && i < experiment_count; i++)
        if (strcmp(experiments[i].name, name) == 0)
            return experiments[i].run(&options);
    if (name)
        fprintf(stderr, "%s: there is no experiment '%s'\n", argv[0], name);
    print_usage(stderr, argv[0], experiments, experiment_count);
    return 2;
}

void bench_figure(const char *key, double value, const char *unit)
{
    printf("figure %s %.4g %s\n", key, value, unit);
}

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void bench_must(PliantResult result)
{
    if (result == PLIANT_OK)
        return;
    fprintf(stderr, "bench: %s\n", pliant_result_text(result));
    exit(1);
}

PliantCollideDef bench_query(PliantCollideKind kind)
{
    PliantCollideDef def = pliant_collide_def_default();
    def.kind = kind;
    return def;
}

PliantShapeInfo bench_shape_info(const PliantShape *shape)
{
    PliantShapeInfo info = pliant_shape_info_default();
    bench_must(pliant_shape_info(shape, &info));
    return info;
}

void *bench_allocate(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size);
    if (!block) {
        fprintf(stderr, "bench: out of memory\n");
        exit(1);
    }
    return block;
}

static int by_value(const void *x, const void *y)
{
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

void bench_turns(BenchTurn *turns, int turn_count, int rounds)
{
    double *times = bench_allocate((size_t)turn_count * (size_t)rounds, sizeof *times);
    for (int round = -1; round < rounds; round++) {
        for (int i = 0; i < turn_count; i++) {
            double start = bench_seconds();
            turns[i].run(turns[i].data);
            double time = bench_seconds() - start;
            if (round >= 0)
                times[i * rounds + round] = time;
        }
    }
    for (int i = 0; i < turn_count; i++)
        turns[i].median = bench_median(times + i * rounds, rounds);
    free(times);
}

PliantShape *bench_morph_shape(const SceneMorph *morph, PliantShapeDef def)
{
    PliantTarget *targets = bench_allocate((size_t)morph->target_count, sizeof *targets);
    for (int i = 0; i < morph->target_count; i++)
        targets[i] = (PliantTarget){{morph->targets[i].vertices, morph->targets[i].count, 0}, NULL};
    def.vertices = (PliantVertices){morph->mesh.vertices, morph->mesh.vertex_count, 0};
    def.triangles = (PliantTriangles){morph->mesh.triangles, morph->mesh.triangle_count};
    def.morph_kind = PLIANT_MORPH_REFERENCES;
    def.targets = targets;
    def.target_count = morph->target_count;
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    free(targets);
    return shape;
}

BenchPairs bench_bumpy_pairs(int subdivisions, int step)
{
    SceneBumpy scene = scene_bumpy(subdivisions);
    BenchPairs result = {.triangle_count = scene.sphere.triangle_count};
    float *vertices = bench_allocate(3 * (size_t)scene.sphere.vertex_count, sizeof *vertices);
    float **sides[2] = {&result.a, &result.b};
    for (int body = 0; body < 2; body++) {
        *sides[body] = bench_allocate(9 * (size_t)result.triangle_count, sizeof(float));
        scene_bumpy_vertices(&scene, body, step, vertices);
        scene_corners(&scene.sphere, vertices, *sides[body]);
    }
    free(vertices);
    scene_bumpy_free(&scene);
    result.pairs = scene_box_pairs(result.a, result.triangle_count, result.b, result.triangle_count,
                                   &result.pair_count);
    return result;
}

void bench_pairs_free(BenchPairs *pairs)
{
    free(pairs->a);
    free(pairs->b);
    free(pairs->pairs);
    *pairs = (BenchPairs){0};
}
