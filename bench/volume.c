/* pliant-bench volume: the experiments of Heidelberger, Teschner and Gross, "Volumetric Collision
 * Detection for Deformable Objects", 2003, whose figures (a Pentium IV of 2.8 GHz with a GeForce 4)
 * are printed beside ours: on one thread, without a graphics card.
 *
 * First their second table: layers of whole statues, and 100,000 points in their boxes. Then the
 * first, and the knot in the dragon: what two statues have in common; the last against one pass
 * over all triangles that are over the picture. Then snow. */
#include "experiments.h"
#include "volumes.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const names[SCENE_STATUES] = {"knot", "rabbit", "reptile", "santa", "dragon"};

/* ---- Statues ------------------------------------------------------------------------------- */

/* The paper's second table: depth complexity; stages 1 and 2, and stage 3, in ms. */
static const struct {
    int depth;
    double layers, points;
} paper_statues[SCENE_STATUES] = {
    {8, 11, 26}, {8, 29, 27}, {12, 83, 28}, {8, 79, 26}, {10, 307, 27}};

static int64_t count_inside(const VolumeBed *bed)
{
    int64_t count = 0;
    for (int i = 0; i < VOLUME_POINTS; i++)
        count += bed->states[i] == PLIANT_POINT_INSIDE;
    return count;
}

static void time_statue(SceneStatue statue, int rounds)
{
    SceneMesh mesh = scene_statue(statue);
    VolumeBed bed = volume_bed(&mesh, 1);
    BenchTurn turns[] = {{"layers", volume_layers, &bed, 0}, {"inside", volume_inside, &bed, 0}};
    volume_turns(&bed, turns, 2, rounds);
    const PliantLayersInfo info = volume_layers_info(bed.layers[0]);
    const double layers = 1e3 * turns[0].median, points = 1e3 * turns[1].median;
    printf("  %-7s %9" PRId32 " %9" PRId32 " (%2d) %10.3f (%3.0f) %10.3f (%2.0f) %11" PRId64
           " %8" PRId64 " %9.1f\n",
           names[statue], mesh.triangle_count, info.depth_complexity, paper_statues[statue].depth,
           layers, paper_statues[statue].layers, points, paper_statues[statue].points,
           info.fragment_count, count_inside(&bed), 1e-6 * (double)info.byte_size);
    if (statue == SCENE_DRAGON) {
        bench_figure("volume.layers_dragon", layers, "ms");
        bench_figure("volume.points", points, "ms");
    }
    volume_bed_free(&bed);
    scene_mesh_free(&mesh);
    fflush(stdout);
}

static void time_statues(bool is_quick)
{
    printf("layers of whole statues at %d x %d, and %d points (in brackets: the paper's)\n",
           VOLUME_RESOLUTION, VOLUME_RESOLUTION, VOLUME_POINTS);
    printf("  %-7s %9s %14s %16s %15s %11s %8s %9s\n", "", "triangles", "depth", "layers, ms",
           "points, ms", "fragments", "inside", "MB");
    for (int i = 0; i < SCENE_STATUES; i++)
        time_statue((SceneStatue)i, is_quick ? 5 : 25);
}

/* ---- Pairs --------------------------------------------------------------------------------- */

/* The paper's first table, and what it says of the knot and the dragon: depth complexities, and
 * all stages in ms. */
static const struct {
    int depths[2];
    double time;
} paper_pairs[SCENE_STATUE_PAIRS] = {{{3, 1}, 20}, {{4, 6}, 57},  {{7, 5}, 37}, {{4, 2}, 49},
                                     {{1, 3}, 26}, {{8, 6}, 115}, {{7, 8}, 256}};

static int64_t triangles_over(const VolumeBed *bed, int body)
{
    const float *corners;
    int64_t count;
    bench_must(
        pliant_body_triangles(bed->world, bed->bodies[body], &bed->volume.view, &corners, &count));
    return count;
}

static void print_pair(int number, const SceneStatuePair *pair, const VolumeBed *bed,
                       const BenchTurn *turns)
{
    printf("  %-7s %-7s %-6s %3d /%3d (%d / %d) %8" PRId64 " %8" PRId64
           " %9.3f %9.3f %9.3f (%3.0f) %6.0f %11.6f %9.6f\n",
           names[pair->statues[0]], names[pair->statues[1]], pair->is_deep ? "deep" : "little",
           volume_layers_info(bed->layers[0]).depth_complexity,
           volume_layers_info(bed->layers[1]).depth_complexity, paper_pairs[number].depths[0],
           paper_pairs[number].depths[1], triangles_over(bed, 0), triangles_over(bed, 1),
           1e3 * turns[1].median, 1e3 * turns[2].median, 1e3 * turns[0].median,
           paper_pairs[number].time, paper_pairs[number].time / (1e3 * turns[0].median),
           bed->volume.volume, bed->volume.error);
}

static void print_floor(const VolumeFloor *pass, double whole, double floor)
{
    printf("  floor: the boxes of the %" PRId64 " and %" PRId64
           " triangles that are over the picture: %.3f ms\n",
           pass->counts[0], pass->counts[1], 1e3 * floor);
    bench_figure("volume.figure_dragon", 1e3 * whole, "ms");
    bench_figure("volume.figure_dragon_vs_floor", whole / floor, "x");
}

/* Returns whether they have a volume in common. */
static bool time_pair(int number, int rounds)
{
    SceneStatuePair pair = scene_statue_pair(number);
    VolumeBed bed = volume_bed(pair.meshes, 2);
    volume_show(&bed);
    volume_common(&bed);
    VolumeFloor pass = volume_floor(&bed, &bed.volume.view);
    BenchTurn turns[] = {{"volume", volume_common, &bed, 0},
                         {"layers", volume_layers_of_both, &bed, 0},
                         {"common", volume_layers_common, &bed, 0},
                         {"floor", volume_floor_boxes, &pass, 0}};
    volume_turns(&bed, turns, 4, rounds);
    volume_layers_of_both(&bed); /* as they are before they are intersected */
    print_pair(number, &pair, &bed, turns);
    if (number == SCENE_KNOT_IN_DRAGON)
        print_floor(&pass, turns[0].median, turns[3].median);
    const bool is_fine = bed.volume.volume > 0;
    volume_floor_free(&pass);
    volume_bed_free(&bed);
    scene_statue_pair_free(&pair);
    fflush(stdout);
    return is_fine;
}

static bool time_pairs(bool is_quick)
{
    bool is_fine = true;
    printf("what two statues have in common at %d x %d (in brackets: the paper's)\n",
           VOLUME_RESOLUTION, VOLUME_RESOLUTION);
    printf("  %-22s %17s %17s %9s %9s %15s %6s %11s %9s\n", "", "depth", "triangles over it",
           "layers", "common", "one call, ms", "times", "volume", "error");
    for (int i = 0; i < SCENE_STATUE_PAIRS; i++)
        is_fine &= time_pair(i, is_quick ? 5 : 25);
    return is_fine;
}

int bench_volume(const BenchOptions *options)
{
    time_statues(options->is_quick);
    const bool is_fine = time_pairs(options->is_quick);
    if (!is_fine)
        printf("NOTHING IN COMMON\n");
    return volume_snow(options) | (is_fine ? 0 : 1);
}
