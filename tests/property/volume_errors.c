/* Estimates of errors against errors: in all poses, of all kinds of bodies, the estimate must be no
 * less. How much greater it is says how useful it is: that is printed by classes. */
#include "volumes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* X(name, what is in it). */
#define CLASSES(X)                                                                                 \
    X(aligned, "two steps or a step and a box, along the axes")                                    \
    X(walls, "a box or a step along the axes, and any other")                                      \
    X(flat, "boxes that are turned, tetrahedra")                                                   \
    X(round, "spheres that are stretched")                                                         \
    X(thin, "a plate or a needle, and any other")                                                  \
    X(along, "a plate that leans a little or a rack of them, and any other")                       \
    X(rough, "a torus, a bumpy, spiky or hollow one, and any other")                               \
    X(alone, "one body of any kind")

typedef enum PoseClass {
#define CLASS_ENUM(name, text) CLASS_##name,
    CLASSES(CLASS_ENUM)
#undef CLASS_ENUM
        CLASS_COUNT
} PoseClass;

static const char *const class_names[] = {
#define CLASS_NAME(name, text) #name,
    CLASSES(CLASS_NAME)
#undef CLASS_NAME
};

/* Of one estimate: how often the error it is, and what it is beside the volume. */
typedef struct Margin {
    int group[3]; /* class, axes, resolution */
    double times, share;
} Margin;

typedef struct Pose {
    PoseClass pose_class;
    SolidKind kinds[2];
    SceneMesh meshes[2];
    PliantVolumeDef def;
    double truth;
} Pose;

static SolidKind any_kind(SceneRandom *random)
{
    return (SolidKind)scene_random_below(random, SOLID_KIND_COUNT);
}

static SolidKind one_of(SceneRandom *random, const SolidKind *kinds, uint32_t count)
{
    return kinds[scene_random_below(random, count)];
}

static void choose_kinds(Pose *pose, SceneRandom *random)
{
    static const SolidKind walls[] = {SOLID_box, SOLID_step};
    static const SolidKind flat[] = {SOLID_turned, SOLID_tetrahedron};
    static const SolidKind thin[] = {SOLID_plate, SOLID_needle};
    static const SolidKind along[] = {SOLID_leaning, SOLID_rack};
    static const SolidKind rough[] = {SOLID_torus, SOLID_bumpy, SOLID_star, SOLID_hollow,
                                      SOLID_pair};
    SolidKind *kinds = pose->kinds;
    kinds[0] = any_kind(random);
    kinds[1] = any_kind(random);
    switch (pose->pose_class) {
    case CLASS_aligned:
        kinds[0] = SOLID_step;
        kinds[1] = one_of(random, walls, 2);
        break;
    case CLASS_walls:
        kinds[0] = one_of(random, walls, 2);
        break;
    case CLASS_flat:
        kinds[0] = one_of(random, flat, 2);
        kinds[1] = one_of(random, flat, 2);
        break;
    case CLASS_round:
        kinds[0] = kinds[1] = SOLID_round;
        break;
    case CLASS_thin:
        kinds[0] = one_of(random, thin, 2);
        break;
    case CLASS_along:
        kinds[0] = one_of(random, along, 2);
        break;
    case CLASS_rough:
        kinds[0] = one_of(random, rough, 5);
        break;
    default:
        break;
    }
}

/* From one inside the other to hardly touching, or not at all; then both somewhere, in some size.
 */
static void place_pose(Pose *pose, SceneRandom *random)
{
    const double size = pow(10, volumes_any(random, -1, 0));
    const double sizes[2] = {1, scene_random_below(random, 3) ? size : 1};
    const double closeness = scene_random(random);
    const double far = (sizes[0] + sizes[1]) * (scene_random_below(random, 4) ? closeness : 0.05);
    const double scale = pow(10, volumes_any(random, -2, 2));
    double rows[3][3], at[3], position[3];
    solid_random_rotation(random, rows);
    for (int k = 0; k < 3; k++) {
        at[k] = scale * volumes_any(random, -2, 2);
        position[k] = at[k] + scale * far * rows[0][k];
    }
    const uint32_t larger = scene_random_below(random, 2);
    solid_place(&pose->meshes[larger], scale, at);
    solid_place(&pose->meshes[1 - larger], scale * sizes[1], position);
}

static Pose make_pose(const VolumeOptions *options, int64_t number)
{
    SceneRandom random = volumes_random(options, 2, number);
    Pose pose = {.pose_class = (PoseClass)(number % CLASS_COUNT)};
    choose_kinds(&pose, &random);
    for (int i = 0; i < 2; i++)
        pose.meshes[i] = solid_random(pose.kinds[i], &random);
    place_pose(&pose, &random);
    pose.def = pliant_volume_def_default();
    pose.def.resolution = (int32_t)(16 * pow(2, 4 * scene_random(&random)));
    pose.def.axes = (PliantAxes)scene_random_below(&random, PLIANT_AXES_ALL + 1);
    pose.truth = pose.pose_class == CLASS_alone
                     ? solid_volume(&pose.meshes[0])
                     : solid_common_volume(&pose.meshes[0], &pose.meshes[1]);
    return pose;
}

static PliantVolume prefetch(const Pose *pose, int64_t number)
{
    PliantVolume volume = pliant_volume_default();
    PliantWorld *world = volumes_world(PLIANT_CPU_ALL);
    const PliantBody a = volumes_body(world, &pose->meshes[0], number / CLASS_COUNT % 2);
    const PliantBody b = volumes_body(world, &pose->meshes[1], number / CLASS_COUNT % 3 == 0);
    volumes_must(pose->pose_class == CLASS_alone
                     ? pliant_body_volume(world, a, &pose->def, &volume)
                     : pliant_bodies_volume(world, a, b, &pose->def, &volume),
                 "volume");
    volumes_must(volume.is_closed ? PLIANT_OK : PLIANT_BAD_DATA, "a closed surface");
    pliant_world_destroy(world);
    return volume;
}

/* What the oracle itself may be off by. */
static double slack(const Pose *pose)
{
    double size = 0;
    for (int i = 0; i < 2; i++)
        for (int32_t v = 0; v < 3 * pose->meshes[i].vertex_count; v++)
            size = fmax(size, fabs((double)pose->meshes[i].vertices[v]));
    return 1e-14 * size * size * size;
}

static void show_pose(const VolumeOptions *options, int64_t number, const Pose *pose,
                      const PliantVolume *volume)
{
    static const char *const axes_names[] = {"shortest", "x", "y", "z", "all"};
    printf("seed %" PRIu64 " pose %" PRId64 " (%s: %s, %s), %d pixels along %s: %.9g, is %.9g, "
           "error %.3g, estimate %.3g\n",
           options->seed, number, class_names[pose->pose_class], solid_kind_name(pose->kinds[0]),
           pose->pose_class == CLASS_alone ? "none" : solid_kind_name(pose->kinds[1]),
           pose->def.resolution, axes_names[pose->def.axes], volume->volume, pose->truth,
           fabs(volume->volume - pose->truth), volume->error);
}

/* True if the estimate is right. */
static bool check_pose(const VolumeOptions *options, int64_t number, Margin *margin)
{
    Pose pose = make_pose(options, number);
    const PliantVolume volume = prefetch(&pose, number);
    const double error = fmax(fabs(volume.volume - pose.truth) - slack(&pose), 0);
    const bool is_right = volume.error >= error && volume.volume >= 0;
    *margin = (Margin){{pose.pose_class, (int)pose.def.axes,
                        pose.def.resolution < 32    ? 0
                        : pose.def.resolution < 64  ? 1
                        : pose.def.resolution < 128 ? 2
                                                    : 3},
                       error > 0 ? volume.error / error : INFINITY,
                       pose.truth > 0 ? volume.error / pose.truth : INFINITY};
    if (!is_right || options->pose >= 0)
        show_pose(options, number, &pose, &volume);
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&pose.meshes[i]);
    return is_right;
}

/* ---- Figures -----------------------------------------------------------------------------------
 */

static int compare(const void *p, const void *q)
{
    const double x = *(const double *)p, y = *(const double *)q;
    return (x > y) - (x < y);
}

/* Of the poses whose bodies have something in common, which errors there are. */
static void print_group(const char *name, const Margin *margins, int64_t count, int by, int value)
{
    double *times = scene_allocate((size_t)count + 1, sizeof *times);
    double *shares = scene_allocate((size_t)count + 1, sizeof *shares);
    int64_t here = 0, some = 0;
    for (int64_t i = 0; i < count; i++) {
        if (by >= 0 && margins[i].group[by] != value)
            continue;
        here++;
        if (isinf(margins[i].share))
            continue;
        times[some] = margins[i].times;
        shares[some++] = margins[i].share;
    }
    qsort(times, (size_t)some, sizeof *times, compare);
    qsort(shares, (size_t)some, sizeof *shares, compare);
    if (some > 0)
        printf("%-10s %7" PRId64 " %7" PRId64 " %8.3f %8.3f %8.2f %8.2f %11.5f\n", name, here, some,
               times[0], times[some / 100], times[some / 10], times[some / 2], shares[some / 2]);
    free(times);
    free(shares);
}

static void print_margins(const Margin *margins, int64_t count)
{
    static const char *const axes_names[] = {"shortest", "x", "y", "z", "all"};
    static const char *const sizes[] = {"16..31", "32..63", "64..127", "128..256"};
    printf(
        "how often the error the estimate is, where bodies have anything in common, and beside the "
        "volume:\n");
    printf("%-10s %7s %7s %8s %8s %8s %8s %11s\n", "class", "poses", "common", "least", "1 %",
           "10 %", "median", "of volume");
    for (int i = 0; i < CLASS_COUNT; i++)
        print_group(class_names[i], margins, count, 0, i);
    for (int i = 0; i <= PLIANT_AXES_ALL; i++)
        print_group(axes_names[i], margins, count, 1, i);
    for (int i = 0; i < 4; i++)
        print_group(sizes[i], margins, count, 2, i);
    print_group("all poses", margins, count, -1, 0);
}

int64_t check_errors(const VolumeOptions *options)
{
    int64_t failure_count = 0;
    Margin *margins = scene_allocate((size_t)options->poses, sizeof *margins);
    if (options->pose >= 0)
        failure_count += !check_pose(options, options->pose, &margins[0]);
    else {
        for (int64_t i = 0; i < options->poses; i++)
            failure_count += !check_pose(options, i, &margins[i]);
        print_margins(margins, options->poses);
    }
    free(margins);
    return failure_count;
}
