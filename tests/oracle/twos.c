/* Pairs of closed meshes: see twos.h. */
#include "twos.h"
#include "solids.h"

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

Two two_make(int64_t number)
{
    SceneRandom random = {(uint64_t)number};
    Two two = {.name = makers[number % MAKERS].name};
    makers[number % MAKERS].make(&random, &two);
    return two;
}

void two_free(Two *two)
{
    for (int i = 0; i < 2; i++)
        scene_mesh_free(&two->meshes[i]);
}
