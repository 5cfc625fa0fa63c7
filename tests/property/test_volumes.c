/* Volumes, spans and containment of random bodies, against oracles that share no code with the
 * library: tetrahedra cut by tetrahedra (tests/support/common_volume.c), whole numbers, and solid
 * angles. */
#include "volumes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void volumes_must(PliantResult result, const char *what)
{
    if (result == PLIANT_OK)
        return;
    printf("%s: %s\n", what, pliant_result_name(result));
    exit(1);
}

PliantWorld *volumes_world(uint32_t cpu_mask)
{
    PliantWorld *world = NULL;
    PliantWorldDef def = pliant_world_def_default();
    def.cpu_mask = cpu_mask;
    volumes_must(pliant_world_create(&def, &world), "world");
    return world;
}

PliantBody volumes_body(PliantWorld *world, const SceneMesh *mesh, bool is_soup)
{
    PliantBody body;
    if (is_soup) {
        const PliantPrimitives primitives = {.struct_size = sizeof(PliantPrimitives),
                                             .vertices = {mesh->vertices, mesh->vertex_count, 0},
                                             .corners = mesh->triangles,
                                             .count = mesh->triangle_count};
        volumes_must(pliant_body_create_soup(world, NULL, &body), "soup");
        volumes_must(pliant_body_set_primitives(world, body, &primitives), "primitives");
        return body;
    }
    PliantShape *shape = solid_shape(mesh);
    volumes_must(pliant_body_create(world, shape, &body), "body");
    pliant_shape_release(shape);
    return body;
}

double volumes_any(SceneRandom *random, double low, double high)
{
    return low + (high - low) * scene_random(random);
}

SceneRandom volumes_random(const VolumeOptions *options, int part, int64_t which)
{
    SceneRandom random = {options->seed * 100 + (uint64_t)part};
    random.state = scene_random_bits(&random) + (uint64_t)which;
    return (SceneRandom){scene_random_bits(&random)};
}

typedef struct Part {
    const char *name;
    int64_t (*check)(const VolumeOptions *options);
} Part;

static const Part parts[] = {
    {"orders", check_orders},       {"errors", check_errors}, {"arrays", check_arrays},
    {"squares", check_squares},     {"closed", check_closed}, {"spans", check_spans},
    {"contained", check_contained},
};

enum { PARTS = sizeof parts / sizeof *parts };

static bool read_options(int argc, char **argv, VolumeOptions *options, const char **only)
{
    bool is_right = argc % 2 == 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--poses") == 0)
            options->poses = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--pixels") == 0)
            options->pixels = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            options->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--pose") == 0)
            options->pose = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            *only = value;
        else
            is_right = false;
    }
    return is_right;
}

int main(int argc, char **argv)
{
    VolumeOptions options = {.poses = 1000, .pixels = 10000000, .pose = -1, .seed = 1};
    const char *only = NULL;
    int64_t failure_count = 0;
    int part_count = 0;
    bool is_right = read_options(argc, argv, &options, &only);
    for (int i = 0; i < PARTS && is_right; i++) {
        if (only && strcmp(only, parts[i].name) != 0)
            continue;
        int64_t here = parts[i].check(&options);
        printf("%s: seed %" PRIu64 ", %" PRId64 " failures\n\n", parts[i].name, options.seed, here);
        fflush(stdout);
        failure_count += here;
        part_count++;
    }
    if (part_count == 0) {
        fprintf(stderr,
                "usage: %s [--poses N] [--pixels N] [--seed S] [--pose K] [--only PART]\n"
                "with PART orders, errors, arrays, squares, closed, spans or contained\n",
                argv[0]);
        return 2;
    }
    return failure_count != 0;
}
