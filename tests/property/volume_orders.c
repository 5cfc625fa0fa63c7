/* How fast errors fall: by h^2 where no face lies along the view, and by h where some do. What is
 * fitted is a line through the logarithms of errors, each of which is the root mean square over
 * bodies that are turned and moved at random: single errors may be zero by chance. */
#include "volumes.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 6, FIRST = 32 };

/* Makes two bodies, or one: then b is empty. */
typedef void Maker(SceneRandom *random, SceneMesh *a, SceneMesh *b);

static void turn(SceneMesh *mesh, SceneRandom *random, double far)
{
    double rows[3][3], position[3];
    solid_random_rotation(random, rows);
    for (int k = 0; k < 3; k++)
        position[k] = volumes_any(random, -far, far);
    scene_mesh_move(mesh, rows, position);
}

static void make_lens(SceneRandom *random, SceneMesh *a, SceneMesh *b)
{
    *a = scene_icosphere(4);
    *b = scene_icosphere(4);
    turn(a, random, 0);
    turn(b, random, 0.6);
}

static void make_tori(SceneRandom *random, SceneMesh *a, SceneMesh *b)
{
    *a = solid_torus(0.7, 0.3, 48, 32);
    *b = solid_torus(0.7, 0.3, 48, 32);
    turn(a, random, 0);
    turn(b, random, 0.5);
}

static void make_torus(SceneRandom *random, SceneMesh *a, SceneMesh *b)
{
    (void)b;
    *a = solid_torus(0.7, 0.3, 96, 64);
    turn(a, random, 0.5);
}

static void make_boxes(SceneRandom *random, SceneMesh *a, SceneMesh *b)
{
    *a = solid_random(SOLID_box, random);
    *b = solid_random(SOLID_box, random);
    turn(a, random, 0);
    turn(b, random, 0.3);
}

/* A body and a view whose ends are those of the box hold the box's faces exactly: so the other
 * sticks out of it. */
static void make_aligned(SceneRandom *random, SceneMesh *a, SceneMesh *b)
{
    *a = solid_random(SOLID_step, random);
    *b = solid_random(SOLID_round, random);
    double position[3];
    for (int k = 0; k < 3; k++)
        position[k] = volumes_any(random, -0.2, 0.2);
    solid_place(b, volumes_any(random, 1, 1.2), position);
}

static void make_rough(SceneRandom *random, SceneMesh *a, SceneMesh *b)
{
    *a = solid_random(SOLID_bumpy, random);
    *b = solid_random(SOLID_star, random);
    turn(b, random, 0.3);
}

typedef struct Row {
    const char *name;
    Maker *make;
    double least_order;
    int turns; /* more where an error is anything up to the worst, as it is with walls */
} Row;

static const Row rows[] = {
    {"lens", make_lens, 1.8, 24},   {"torus", make_torus, 1.8, 24},
    {"tori", make_tori, 1.8, 24},   {"boxes", make_boxes, 1.8, 24},
    {"rough", make_rough, 1.8, 24}, {"walls", make_aligned, 0.9, 150},
};

/* Adds the squares of the relative errors. */
static void add_errors(const Row *row, SceneRandom *random, double squares[STEPS])
{
    SceneMesh a = {0}, b = {0};
    row->make(random, &a, &b);
    PliantWorld *world = volumes_world(PLIANT_CPU_ALL);
    const bool is_two = b.triangle_count > 0;
    const double truth = is_two ? solid_common_volume(&a, &b) : solid_volume(&a);
    PliantBody bodies[2] = {volumes_body(world, &a, false)};
    if (is_two)
        bodies[1] = volumes_body(world, &b, false);
    for (int step = 0; step < STEPS; step++) {
        PliantVolume volume = pliant_volume_default();
        PliantVolumeDef def = pliant_volume_def_default();
        def.resolution = FIRST << step;
        volumes_must(is_two ? pliant_bodies_volume(world, bodies[0], bodies[1], &def, &volume)
                            : pliant_body_volume(world, bodies[0], &def, &volume),
                     "volume");
        volumes_must(volume.is_closed ? PLIANT_OK : PLIANT_BAD_DATA, "a closed surface");
        const double error = (volume.volume - truth) / truth;
        squares[step] += error * error / row->turns;
    }
    pliant_world_destroy(world);
    scene_mesh_free(&a);
    scene_mesh_free(&b);
}

/* The slope of the line through all points, of least squares. */
static double slope(const double squares[STEPS])
{
    double sum = 0, weight = 0;
    for (int step = 0; step < STEPS; step++) {
        const double x = step - 0.5 * (STEPS - 1);
        sum += x * -0.5 * log2(squares[step]);
        weight += x * x;
    }
    return sum / weight;
}

int64_t check_orders(const VolumeOptions *options)
{
    int64_t failure_count = 0;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); i++) {
        SceneRandom random = volumes_random(options, 1, i);
        double squares[STEPS] = {0};
        for (int turn_count = 0; turn_count < rows[i].turns; turn_count++)
            add_errors(&rows[i], &random, squares);
        const double order = slope(squares);
        const bool is_right = order >= rows[i].least_order;
        printf("order %-8s %.2f, errors", rows[i].name, order);
        for (int step = 0; step < STEPS; step++)
            printf(" %.1e", sqrt(squares[step]));
        printf(" from %d to %d pixels%s\n", FIRST, FIRST << (STEPS - 1),
               is_right ? "" : ": TOO SLOW");
        failure_count += !is_right;
    }
    return failure_count;
}
