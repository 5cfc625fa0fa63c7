/* Volumes that are timed: see volumes.h. */
#include "volumes.h"

#include <stdlib.h>

/* ---- Bodies -------------------------------------------------------------------------------- */

static PliantShape *shape_of(const SceneMesh *mesh)
{
    PliantShapeDef def = pliant_shape_def_default();
    def.vertices = (PliantVertices){mesh->vertices, mesh->vertex_count, 0};
    def.triangles = (PliantTriangles){mesh->triangles, mesh->triangle_count};
    PliantShape *shape;
    bench_must(pliant_shape_create(&def, &shape));
    return shape;
}

static void scatter_points(VolumeBed *bed)
{
    PliantView view;
    SceneRandom random = {1};
    bench_must(pliant_body_view(bed->world, bed->bodies[0], 1, &view));
    for (int i = 0; i < 3 * VOLUME_POINTS; i++) {
        const double low = view.box.low[i % 3], high = view.box.high[i % 3];
        bed->points[i] = (float)(low + (high - low) * scene_random(&random));
    }
}

VolumeBed volume_bed(const SceneMesh *meshes, int body_count)
{
    VolumeBed bed = {.meshes = meshes, .body_count = body_count, .volume = pliant_volume_default()};
    bench_must(pliant_world_create(NULL, &bed.world));
    for (int i = 0; i < body_count; i++) {
        PliantShape *shape = shape_of(&meshes[i]);
        bench_must(pliant_body_create(bed.world, shape, &bed.bodies[i]));
        bench_must(pliant_layers_create(NULL, &bed.layers[i]));
        pliant_shape_release(shape);
        bed.vertices[i] = bench_allocate(3 * (size_t)meshes[i].vertex_count + 1, sizeof(float));
    }
    bed.points = bench_allocate(VOLUME_POINTS, 3 * sizeof(float));
    bed.states = bench_allocate(VOLUME_POINTS, 1);
    scatter_points(&bed);
    return bed;
}

void volume_bed_free(VolumeBed *bed)
{
    for (int i = 0; i < bed->body_count; i++) {
        pliant_layers_destroy(bed->layers[i]);
        free(bed->vertices[i]);
    }
    pliant_world_destroy(bed->world);
    free(bed->points);
    free(bed->states);
}

void volume_show(VolumeBed *bed)
{
    /* A thousandth longer along one axis, or shorter. */
    const int frame = bed->frame++;
    const float stretch = frame % 2 ? 1.001f : 0.999f;
    for (int i = 0; i < bed->body_count; i++) {
        const float *from = bed->meshes[i].vertices;
        float *to = bed->vertices[i];
        for (int32_t k = 0; k < 3 * bed->meshes[i].vertex_count; k += 3) {
            to[k] = stretch * from[k];
            to[k + 1] = from[k + 1];
            to[k + 2] = from[k + 2];
        }
    }
}

void volume_turns(VolumeBed *bed, BenchTurn *turns, int turn_count, int rounds)
{
    double *times = bench_allocate((size_t)turn_count * (size_t)rounds, sizeof *times);
    for (int round = -1; round < rounds; round++)
        for (int i = 0; i < turn_count; i++) {
            volume_show(bed);
            const double start = bench_seconds();
            turns[i].run(turns[i].data);
            const double time = bench_seconds() - start;
            if (round >= 0)
                times[i * rounds + round] = time;
        }
    for (int i = 0; i < turn_count; i++)
        turns[i].median = bench_median(times + i * rounds, rounds);
    free(times);
}

/* ---- Turns --------------------------------------------------------------------------------- */

static void report(const VolumeBed *bed)
{
    for (int i = 0; i < bed->body_count; i++) {
        const PliantVertices now = {bed->vertices[i], bed->meshes[i].vertex_count, 0};
        bench_must(pliant_body_borrow_vertices(bed->world, bed->bodies[i], now));
    }
}

void volume_common(void *data)
{
    VolumeBed *bed = data;
    PliantVolumeDef def = pliant_volume_def_default();
    def.resolution = VOLUME_RESOLUTION;
    report(bed);
    bench_must(
        pliant_bodies_volume(bed->world, bed->bodies[0], bed->bodies[1], &def, &bed->volume));
}

void volume_layers_of_both(void *data)
{
    VolumeBed *bed = data;
    PliantView view;
    report(bed);
    bench_must(
        pliant_bodies_view(bed->world, bed->bodies[0], bed->bodies[1], VOLUME_RESOLUTION, &view));
    for (int i = 0; i < 2; i++)
        bench_must(pliant_layers_capture(bed->layers[i], bed->world, bed->bodies[i], &view, NULL));
}

void volume_layers_common(void *data)
{
    VolumeBed *bed = data;
    PliantVolume volume = pliant_volume_default();
    bench_must(pliant_layers_intersect(bed->layers[0], bed->layers[1]));
    bench_must(pliant_layers_volume(bed->layers[0], &volume));
}

void volume_layers(void *data)
{
    VolumeBed *bed = data;
    PliantView view;
    report(bed);
    bench_must(pliant_body_view(bed->world, bed->bodies[0], VOLUME_RESOLUTION, &view));
    bench_must(pliant_layers_capture(bed->layers[0], bed->world, bed->bodies[0], &view, NULL));
}

PliantLayersInfo volume_layers_info(const PliantLayers *layers)
{
    PliantLayersInfo info = pliant_layers_info_default();
    bench_must(pliant_layers_info(layers, &info));
    return info;
}

void volume_inside(void *data)
{
    VolumeBed *bed = data;
    bench_must(pliant_layers_inside(bed->layers[0], (PliantVertices){bed->points, VOLUME_POINTS, 0},
                                    bed->states, VOLUME_POINTS));
}
