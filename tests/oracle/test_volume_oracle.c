/* Volumes of scenes against CGAL: bumpy spheres, rings, spiked balls, dolphins. The library must be
 * within the error that it states, and the oracle of the other tests must agree with this one. */
#include "oracle_volume.h"
#include "solids.h"
#include <pliant/pliant.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Two {
    const char *name;
    SceneMesh meshes[2];
} Two;

static double any(SceneRandom *random, double low, double high)
{
    return low + (high - low) * scene_random(random);
}

static void turn(SceneMesh *mesh, SceneRandom *random, double far)
{
    double rows[3][3], position[3];
    solid_random_rotation(random, rows);
    for (int k = 0; k < 3; k++)
        position[k] = any(random, -far, far);
    scene_mesh_move(mesh, rows, position);
}

/* Deep in each other, or hardly. */
static void make_bumpy(SceneRandom *random, Two *two)
{
    SceneBumpy scene = scene_bumpy(3);
    const int step = 60 + (int)scene_random_below(random, 140);
    for (int i = 0; i < 2; i++) {
        two->meshes[i] = scene_icosphere(3);
        scene_bumpy_vertices(&scene, i, step, two->meshes[i].vertices);
    }
    scene_bumpy_free(&scene);
}

/* Two neighbors of the school. */
static void make_dolphins(SceneRandom *random, Two *two)
{
    const int step = (int)scene_random_below(random, SCENE_DOLPHIN_STEPS);
    const int first = (int)scene_random_below(random, SCENE_DOLPHINS);
    for (int i = 0; i < 2; i++) {
        SceneMorph dolphin = scene_dolphin(0);
        float weights[SCENE_DOLPHIN_TARGETS], rows[3][4];
        scene_dolphin_weights((first + i) % SCENE_DOLPHINS, step, weights);
        scene_dolphin_rows(first, step, rows);
        scene_morph_vertices(&dolphin, weights, (const float(*)[4])rows, dolphin.mesh.vertices);
        two->meshes[i] = dolphin.mesh;
        dolphin.mesh = (SceneMesh){0};
        scene_morph_free(&dolphin);
    }
    /* One of them to the side, so that they are not all but the same. */
    solid_place(&two->meshes[1], 1, (const double[3]){0.013, 0.021, 0.017});
}

static void make_rings(SceneRandom *random, Two *two)
{
    for (int i = 0; i < 2; i++) {
        two->meshes[i] = solid_torus(0.7, 0.25, 32, 16);
        turn(&two->meshes[i], random, 0.4);
    }
}

static void make_solids(SceneRandom *random, Two *two)
{
    for (int i = 0; i < 2; i++) {
        const SolidKind kind = (SolidKind)scene_random_below(random, SOLID_KIND_COUNT);
        two->meshes[i] = solid_random(kind, random);
        turn(&two->meshes[i], random, 0.3);
    }
}

static const struct {
    const char *name;
    void (*make)(SceneRandom *random, Two *two);
} makers[] = {{"bumpy", make_bumpy},
              {"dolphins", make_dolphins},
              {"rings", make_rings},
              {"solids", make_solids}};

enum { MAKERS = sizeof makers / sizeof *makers };

static PliantVolume prefetch(const Two *two)
{
    PliantWorld *world = NULL;
    PliantBody bodies[2];
    PliantVolume volume = pliant_volume_default();
    volume.error = -1;
    if (pliant_world_create(NULL, &world) != PLIANT_OK)
        exit(1);
    for (int i = 0; i < 2; i++) {
        PliantShape *shape = solid_shape(&two->meshes[i]);
        if (pliant_body_create(world, shape, &bodies[i]) != PLIANT_OK)
            exit(1);
        pliant_shape_release(shape);
    }
    if (pliant_bodies_volume(world, bodies[0], bodies[1], NULL, &volume) != PLIANT_OK)
        volume.error = -1;
    pliant_world_destroy(world);
    return volume;
}

static OracleMesh oracled_mesh(const SceneMesh *mesh)
{
    return (OracleMesh){mesh->vertices, mesh->triangles, mesh->vertex_count, mesh->triangle_count};
}

typedef struct Totals {
    int64_t checked, undecided, failures;
    double worst; /* of the two oracles, apart */
} Totals;

static void check(const Two *two, int64_t number, Totals *totals)
{
    const OracleMesh a = oracled_mesh(&two->meshes[0]), b = oracled_mesh(&two->meshes[1]);
    const PliantVolume ours = prefetch(two);
    const double ours_too = solid_common_volume(&two->meshes[0], &two->meshes[1]);
    double truth;
    if (!oracle_cgal_common_volume(&a, &b, &truth)) {
        totals->undecided++;
        return;
    }
    totals->checked++;
    totals->worst = fmax(totals->worst, fabs(truth - ours_too));
    if (fabs(ours.volume - truth) <= ours.error && fabs(truth - ours_too) < 1e-10)
        return;
    totals->failures++;
    printf("%s %" PRId64 ": ours %.9g with an error of %.3g, the oracles %.12g and %.12g\n",
           two->name, number, ours.volume, ours.error, truth, ours_too);
}

int main(int argc, char **argv)
{
    int64_t pair_count = argc > 1 ? strtoll(argv[1], NULL, 10) : 60;
    Totals totals = {0};
    for (int64_t i = 0; i < pair_count; i++) {
        SceneRandom random = {(uint64_t)i};
        Two two = {.name = makers[i % MAKERS].name};
        makers[i % MAKERS].make(&random, &two);
        check(&two, i, &totals);
        for (int k = 0; k < 2; k++)
            scene_mesh_free(&two.meshes[k]);
    }
    printf("volumes: %" PRId64 " pairs compared, %" PRId64
           " without an answer, the oracles at most %.1e apart, %" PRId64 " failures\n",
           totals.checked, totals.undecided, totals.worst, totals.failures);
    return totals.failures != 0 || totals.checked * 2 < pair_count;
}
