/* Part of pliant-bench volume: snow falls on Santa, who wobbles.
 *
 * A frame is all of it but the picture: where his vertices are, his layers, which of the flakes are
 * inside, and where they go then. */
#include "volumes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FLAKES = 20000, UNTIMED_FRAMES = 60, MOST_FRAMES = 600, PARTS = 4 };

typedef struct Winter {
    SceneMesh santa;
    SceneSnow snow;
    VolumeBed bed;
    uint8_t *states;
} Winter;

static Winter make_winter(void)
{
    Winter winter = {.santa = scene_small_santa(), .snow = scene_snow(FLAKES, 1)};
    winter.states = bench_allocate(FLAKES, 1);
    return winter;
}

/* Returns how many are inside. */
static int64_t run_frame(Winter *winter, int frame, double times[PARTS])
{
    VolumeBed *bed = &winter->bed;
    double moments[PARTS + 1];
    int64_t inside_count = 0;
    moments[0] = bench_seconds();
    scene_santa_vertices(&winter->santa, frame, bed->vertices[0]);
    moments[1] = bench_seconds();
    volume_layers(bed);
    moments[2] = bench_seconds();
    bench_must(pliant_layers_inside(
        bed->layers[0], (PliantVertices){winter->snow.points, FLAKES, 0}, winter->states, FLAKES));
    moments[3] = bench_seconds();
    scene_snow_next(&winter->snow, winter->states);
    moments[4] = bench_seconds();
    for (int i = 0; i < PARTS; i++)
        times[i] = moments[i + 1] - moments[i];
    for (int i = 0; i < FLAKES; i++)
        inside_count += winter->states[i] == PLIANT_POINT_INSIDE;
    return inside_count;
}

int volume_snow(const BenchOptions *options)
{
    const int frames = options->is_quick ? 60 : MOST_FRAMES;
    Winter winter = make_winter();
    winter.bed = volume_bed(&winter.santa, 1);
    double *all = bench_allocate((PARTS + 1) * MOST_FRAMES, sizeof *all), medians[PARTS + 1];
    int64_t inside_count = 0;
    for (int frame = -UNTIMED_FRAMES; frame < frames; frame++) {
        double times[PARTS], sum = 0;
        const int64_t inside_now = run_frame(&winter, UNTIMED_FRAMES + frame, times);
        if (frame < 0)
            continue;
        inside_count += inside_now;
        for (int i = 0; i < PARTS; i++) {
            all[i * MOST_FRAMES + frame] = times[i];
            sum += times[i];
        }
        all[PARTS * MOST_FRAMES + frame] = sum;
    }
    for (int i = 0; i <= PARTS; i++)
        medians[i] = 1e3 * bench_median(all + i * MOST_FRAMES, frames);
    printf("snow: %d flakes on a Santa of %" PRId32 " triangles, %.0f of them inside: deformation "
           "%.3f ms, layers %.3f ms, points %.3f ms, flakes %.3f ms; together %.3f ms, %.0f frames "
           "a second (paper: 29, with its picture)\n",
           FLAKES, winter.santa.triangle_count, (double)inside_count / frames, medians[0],
           medians[1], medians[2], medians[3], medians[PARTS], 1e3 / medians[PARTS]);
    bench_figure("volume.snow", 1e3 / medians[PARTS], "fps");
    free(all);
    free(winter.states);
    volume_bed_free(&winter.bed);
    scene_snow_free(&winter.snow);
    scene_mesh_free(&winter.santa);
    return inside_count > 0 ? 0 : 1;
}
